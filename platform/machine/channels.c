#include "platform/machine/private.h"

#define DELAY(field, fallback, text, ...)                                                          \
    PARAM_NUMBER(ChannelParams, field, PARAM_DURATION, fallback, 1, 100000, text, __VA_ARGS__)
#define ROOM(field, fallback, text, ...)                                                           \
    PARAM_NUMBER(ChannelParams, field, PARAM_COUNT, fallback, 1, 65536, text, __VA_ARGS__)

#define COALESCED(component, value)                                                                \
    IN(component, value, .only_if = "machine.request_coalescers != 0")

#define MEMORY_CACHED(component, value)                                                            \
    IN(component, value, .only_if = "machine.memory_caches = yes")

#define WALKS_READ_L2 .only_if = "mmu.walks_read_l2 = yes"
#define THROUGH_TEXTURE .only_if = "load_store.through_texture != nothing"

static const Param channel_params[] = {
    DELAY(cta_launch, "150 cycles",
          "from the CTA dispatcher's decision until the CTA's warps are resident",
          .perfect = PERFECT(IN("cta_launch", "1 cycle")), .doubling = HALF),
    DELAY(cta_drain, "150 cycles", "from the end of a CTA's last warp until the dispatcher knows",
          .perfect = PERFECT(IN("cta_launch", "1 cycle")), .doubling = HALF),
    DELAY(issue, "4 cycles", "from warp issue to the load/store unit (operand read)",
          .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    ROOM(issue_queue, "5", "memory instructions that wait in front of the load/store unit",
         .perfect = PERFECT(IN("issue", ">= 4096")), .doubling = TWICE),
    DELAY(l1_input, "4 cycles", "from the load/store unit to L1",
          .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    ROOM(l1_input_queue, "5", "memory instructions that wait in front of L1",
         .perfect = PERFECT(IN("issue", ">= 4096")), .doubling = TWICE),
    DELAY(l1_to_registers, "6 cycles", "from L1 to the register file",
          .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    DELAY(shared_to_registers, "2 cycles", "from shared memory to the register file",
          .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    DELAY(texture_issue, "4 cycles", "from issue of a texture instruction to the texture unit",
          .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF),
    ROOM(texture_issue_queue, "4", "texture instructions that wait in the texture unit",
         .perfect = PERFECT(IN("fragment_fifo", ">= 4096")), .doubling = TWICE),
    DELAY(texture_input, "1 cycle", "from the load/store unit to the texture unit",
          .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF, THROUGH_TEXTURE),
    ROOM(texture_input_queue, "4", "memory instructions that wait in front of the texture unit",
         .perfect = PERFECT(IN("fragment_fifo", ">= 4096")), .doubling = TWICE, THROUGH_TEXTURE),
    DELAY(texture_to_l1, "1 cycle", "from the texture unit to L1, and by it to L2",
          .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF),
    ROOM(texture_to_l1_queue, "4", "requests of the texture unit that wait in front of L1",
         .perfect = PERFECT(IN("fragment_fifo", ">= 4096")), .doubling = TWICE),
    DELAY(l1_to_texture, "1 cycle", "from L1, and by it from L2, to the texture unit",
          .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF),
    DELAY(texture_to_registers, "6 cycles", "from the texture unit to the register file",
          .perfect = PERFECT(IN("texture_latency", "1 cycle")), .doubling = HALF),
    DELAY(l1_to_coalescer, "24 cycles",
          "from L1 to the request coalescer, where machine.request_coalescers is above 0",
          .perfect =
              PERFECT(COALESCED("request_network", "1 cycle"), COALESCED("network", "1 cycle")),
          .doubling = HALF),
    ROOM(coalescer_input_queue, "64", "requests of an SM that wait in front of its coalescer",
         .perfect =
             PERFECT(COALESCED("request_network", ">= 4096"), COALESCED("network", ">= 4096")),
         .doubling = TWICE),
    DELAY(coalescer_to_l1, "23 cycles", "from the request coalescer to L1 (network clock)",
          .perfect =
              PERFECT(COALESCED("reply_network", "1 cycle"), COALESCED("network", "1 cycle")),
          .doubling = HALF),
    DELAY(l1_to_mmu, "3 cycles", "from L1 to the MMU", .doubling = HALF, .relieves = "translation"),
    ROOM(mmu_input_queue, "8", "translations of an SM that wait in front of the MMU",
         .doubling = TWICE, .relieves = "translation"),
    DELAY(mmu_to_l1, "3 cycles", "from the MMU to L1", .doubling = HALF, .relieves = "translation"),
    DELAY(mmu_to_l2, "50 cycles",
          "from a page walker to an L2 slice, where mmu.walks_read_l2 = yes", .doubling = HALF,
          .relieves = "translation", WALKS_READ_L2),
    DELAY(l2_to_mmu, "50 cycles", "from an L2 slice to a page walker (L2 clock)", .doubling = HALF,
          .relieves = "translation", WALKS_READ_L2),
    DELAY(l2_to_pager, "100 cycles",
          "from an L2 slice to the pager, where paging.mode = demand (L2 clock)", .doubling = HALF,
          .relieves = "paging"),
    DELAY(pager_to_l2, "100 cycles", "from the pager to an L2 slice (L2 clock)", .doubling = HALF,
          .relieves = "paging"),
    DELAY(
        reports, "64 cycles",
        "from L1s, texture units, coalescers and L2 slices to the coherence monitor; no result depends on "
        "it"),
    PARAM_NUMBER(ChannelParams, l2_cross, PARAM_CYCLES, "50 cycles", 2, 100000,
                 "from an L2 slice to the one at its place in another half, where "
                 "machine.l2_halves is above 1 (L2 clock)",
                 .perfect = PERFECT(IN("l2_halves", "2 cycles")), .doubling = HALF),
    ROOM(l2_cross_queue, "64",
         "requests of a slice that wait in front of the link to another half, and behind it",
         .perfect = PERFECT(IN("l2_halves", ">= 4096")), .doubling = TWICE),
    DELAY(l2_to_scheduler, "60 cycles",
          "from an L2 slice to its memory access scheduler or memory-side cache (L2 clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    ROOM(switch_input_queue, "16",
         "requests of an L2 slice that wait in a memory switch, where slices and DRAM channels are "
         "not equally many",
         .perfect = PERFECT(IN("scheduler_queue", ">= 4096")), .doubling = TWICE),
    DELAY(switch_credit, "8 cycles",
          "until the L2 slice knows of free room in the memory switch (L2 clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    DELAY(switch_to_scheduler, "1 cycle",
          "from a memory switch to a memory access scheduler (L2 clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    DELAY(switch_to_l2, "1 cycle", "from a memory switch to an L2 slice (L2 clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    ROOM(scheduler_input_queue, "32", "requests that wait in front of a memory access scheduler",
         .perfect = PERFECT(IN("scheduler_queue", ">= 4096")), .doubling = TWICE),
    DELAY(scheduler_credit, "8 cycles",
          "until the L2 slice knows of free room in front of its scheduler (DRAM clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    DELAY(scheduler_to_dram, "1 cycle",
          "from the memory access scheduler to the DRAM channel (DRAM clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    DELAY(dram_to_l2, "50 cycles",
          "from the DRAM data pins or a memory-side cache to the L2 slice (DRAM clock)",
          .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
          .doubling = HALF),
    ROOM(memory_cache_input_queue, "32",
         "requests that wait in front of a memory-side cache, where machine.memory_caches = yes",
         .perfect = PERFECT(MEMORY_CACHED("memory_cache_pending", ">= 4096")), .doubling = TWICE),
    DELAY(memory_cache_credit, "8 cycles",
          "until the L2 slice knows of free room in front of its memory-side cache (L2 clock)",
          .perfect = PERFECT(MEMORY_CACHED("memory_cache_latency", "1 cycle")), .doubling = HALF),
    DELAY(memory_cache_to_scheduler, "1 cycle",
          "from a memory-side cache to its memory access scheduler (L2 clock)",
          .perfect = PERFECT(MEMORY_CACHED("memory_cache_latency", "1 cycle")), .doubling = HALF),
    DELAY(dram_to_memory_cache, "1 cycle",
          "from the DRAM data pins to a memory-side cache (DRAM clock)",
          .perfect = PERFECT(MEMORY_CACHED("memory_cache_latency", "1 cycle")), .doubling = HALF),
    DELAY(l2_to_rop, "2 cycles", "from an L2 slice to its ROP (L2 clock)",
          .perfect = PERFECT(IN("rop_atomics", "1 cycle")), .doubling = HALF),
    ROOM(rop_input_queue, "32", "atomics that wait in front of a ROP",
         .perfect = PERFECT(IN("rop_atomics", ">= 4096")), .doubling = TWICE),
    DELAY(rop_to_l2, "2 cycles", "from a ROP to its L2 slice (L2 clock)",
          .perfect = PERFECT(IN("rop_atomics", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(ChannelParams, rop_output_queue, PARAM_COUNT, "32", 4, 65536,
                 "results, fetches and write-backs of a ROP that wait in front of its L2 slice",
                 .perfect = PERFECT(IN("rop_atomics", ">= 4096")), .doubling = TWICE),
    PARAM_END};

const ParamGroup channels_group = {.name = "channels",
                                   .summary = "delays and capacities of the paths between units",
                                   .params = channel_params};

/* clang-format off */
/* Named, and looked for, once the compiler has seen that it is a number of the machine. */
#define OF(field) {#field, PARAM_FIELD(Machine, field, uint64_t)}
/* "unit.key", of either of the two. */
#define OWN(parameter) {.name = parameter}

/* Of a slice with a DRAM channel of its own; and what has no cache between. */
#define DIRECT .unless = {"memory_switch"}
#define PAST_CACHES .unless = {"memory_cache"}
#define DIRECT_PAST_CACHES .unless = {"memory_switch", "memory_cache"}

/* In each kind of network the same. Where there are coalescers, SMs are not at it themselves. */
#define NETWORK_CHANNELS(kind)                                                                     \
    NETWORK_FROM(kind, "l1", "request_coalescer"), NETWORK_FROM(kind, "request_coalescer", NULL),  \
        NETWORK_BEFORE(kind, "l2_slice", "from_network"),                                          \
        NETWORK_BACK_TO(kind, "l1", "request_coalescer"),                                          \
        NETWORK_BACK_TO(kind, "request_coalescer", NULL),                                          \
        NETWORK_FROM(kind, "network_traffic", NULL),                                               \
        NETWORK_BEFORE(kind, "network_traffic", "from_request_network"),                           \
        NETWORK_BACK_TO(kind, "network_traffic", NULL)
#define NETWORK_FROM(kind, asker, other)                                                           \
    {asker, "to_request_network", kind, "inputs", CHANNEL_INTO_NETWORK, NETWORK_REQUEST,           \
     .capacity = OF(network.input_buffer), .delay = OF(network.request_source_latency),            \
     .credit = OF(network.request_source_latency), .unless = {other}}
#define NETWORK_BEFORE(kind, answerer, input)                                                      \
    {kind, "outputs", answerer, input, CHANNEL_OUT_OF_NETWORK, NETWORK_REQUEST,                    \
     .capacity = OF(network.l2_input_buffer), .delay = OF(network.request_destination_latency),    \
     .credit = OF(network.request_destination_latency)},                                           \
    {answerer, "to_reply_network", kind, "inputs", CHANNEL_INTO_NETWORK, NETWORK_REPLY,            \
     .capacity = OF(network.input_buffer), .delay = OF(network.reply_source_latency),              \
     .credit = OF(network.reply_source_latency)}
#define NETWORK_BACK_TO(kind, asker, other)                                                        \
    {kind, "outputs", asker, "from_reply_network", CHANNEL_OUT_OF_NETWORK, NETWORK_REPLY,          \
     .delay = OF(network.reply_destination_latency), .unless = {other}}
/* clang-format on */

static const ChannelRow rows[] = {
    {"cta_dispatcher", "to_sm", "sm", "from_dispatcher", .delay = OF(channels.cta_launch)},
    {"sm", "to_dispatcher", "cta_dispatcher", "from_sm", .delay = OF(channels.cta_drain)},
    {"sm", "to_load_store", "load_store", "from_sm", .capacity = OF(channels.issue_queue),
     .delay = OF(channels.issue), .keeps_up = true},
    {"load_store", "to_l1", "l1", "from_load_store", .capacity = OF(channels.l1_input_queue),
     .delay = OF(channels.l1_input), .keeps_up = true},
    {"sm", "to_l1", "l1", "from_sm", .delay = OF(channels.l1_input)},
    {"load_store", "to_sm", "sm", "from_load_store", .delay = OF(channels.shared_to_registers)},
    {"l1", "to_sm_shared", "sm", "from_shared", .delay = OF(channels.shared_to_registers)},
    {"l1", "to_sm_notices", "sm", "from_stores", .delay = OF(channels.l1_to_registers)},
    {"l1", "to_sm", "sm", "from_l1", .delay = OF(channels.l1_to_registers)},
    {"sm", "to_texture", "texture", "from_sm", .capacity = OF(channels.texture_issue_queue),
     .delay = OF(channels.texture_issue), .keeps_up = true,
     .lanes = {"texture_units", "texture_lanes"}},
    {"load_store", "to_texture", "texture", "from_load_store",
     .capacity = OF(channels.texture_input_queue), .delay = OF(channels.texture_input)},
    {"texture", "to_sm", "sm", "from_texture", .delay = OF(channels.texture_to_registers)},
    {"texture", "to_sm_stores", "sm", "from_texture_stores",
     .delay = OF(channels.texture_to_registers)},
    {"texture", "to_l1", "l1", "from_texture", .capacity = OF(channels.texture_to_l1_queue),
     .delay = OF(channels.texture_to_l1), .keeps_up = true},
    {"texture", "to_l1_misses", "l1", "from_texture_misses",
     .capacity = OF(channels.texture_to_l1_queue), .delay = OF(channels.texture_to_l1)},
    {"l1", "to_texture", "texture", "from_l1", .delay = OF(channels.l1_to_texture)},
    {"l1", "to_texture_fills", "texture", "from_l1_fills", .delay = OF(channels.l1_to_texture)},
    {"l1", "to_mmu", "mmu", "from_l1", .capacity = OF(channels.mmu_input_queue),
     .delay = OF(channels.l1_to_mmu), .credit = OF(channels.l1_to_mmu), .talk = CHANNEL_ASKS},
    {"mmu", "to_l1", "l1", "from_mmu", .delay = OF(channels.mmu_to_l1), .talk = CHANNEL_ANSWERS},
    {"mmu", "to_l2", "l2_slice", "from_mmu", .delay = OF(channels.mmu_to_l2)},
    {"l2_slice", "to_mmu", "mmu", "from_l2", .delay = OF(channels.l2_to_mmu)},
    {"l2_slice", "to_pager", "pager", "from_l2", .delay = OF(channels.l2_to_pager)},
    {"pager", "to_l2", "l2_slice", "from_pager", .delay = OF(channels.pager_to_l2)},
    {"l1", "to_request_network", "request_coalescer", "from_l1", CHANNEL_IN_SHARE,
     .capacity = OF(channels.coalescer_input_queue), .delay = OF(channels.l1_to_coalescer),
     .credit = OF(channels.l1_to_coalescer)},
    {"request_coalescer", "to_l1", "l1", "from_reply_network", CHANNEL_IN_SHARE,
     .delay = OF(channels.coalescer_to_l1)},
    NETWORK_CHANNELS("crossbar"),
    NETWORK_CHANNELS("flow_network"),
    {.to = "flow_network", .input = "arrivals", .mapping = CHANNEL_FROM_SIMGRID},
    NETWORK_CHANNELS("router"),
    {"router", "outputs", "router", "inputs", CHANNEL_NEIGHBOURS,
     .capacity = OF(network.link_buffer), .delay = OF(network.link_latency),
     .credit = OF(network.link_latency)},
    {"l2_slice", "to_far_requests", "half_link", "inputs", CHANNEL_INTO_LINK, NETWORK_REQUEST,
     .capacity = OF(channels.l2_cross_queue), .delay = OF(channels.l2_cross),
     .bandwidth = OWN("l2_slice.cross_bandwidth"), .credit = OF(channels.l2_cross)},
    {"half_link", "outputs", "l2_slice", "from_far_requests", CHANNEL_OUT_OF_LINK, NETWORK_REQUEST,
     .capacity = OF(channels.l2_cross_queue), .delay = OF(channels.l2_cross),
     .bandwidth = OWN("half_link.bandwidth"), .credit = OF(channels.l2_cross)},
    {"l2_slice", "to_far_replies", "half_link", "inputs", CHANNEL_INTO_LINK, NETWORK_REPLY,
     .delay = OF(channels.l2_cross), .bandwidth = OWN("l2_slice.cross_bandwidth")},
    {"half_link", "outputs", "l2_slice", "from_far_replies", CHANNEL_OUT_OF_LINK, NETWORK_REPLY,
     .delay = OF(channels.l2_cross), .bandwidth = OWN("half_link.bandwidth")},
    {"l2_slice", "to_scheduler", "access_scheduler", "from_l2", DIRECT_PAST_CACHES,
     .capacity = OF(channels.scheduler_input_queue), .delay = OF(channels.l2_to_scheduler),
     .credit = OF(channels.scheduler_credit)},
    {"memory_traffic", "to_schedulers", "access_scheduler", "from_l2",
     .capacity = OF(channels.scheduler_input_queue), .delay = OF(channels.l2_to_scheduler),
     .credit = OF(channels.scheduler_credit), .clock = CLOCK_L2},
    {"access_scheduler", "to_dram", "dram_channel", "from_scheduler",
     .delay = OF(channels.scheduler_to_dram)},
    {"dram_channel", "to_l2", "l2_slice", "from_dram", DIRECT_PAST_CACHES,
     .delay = OF(channels.dram_to_l2)},
    {"l2_slice", "to_scheduler", "memory_switch", "from_slices", CHANNEL_IN_PARTITION,
     .capacity = OF(channels.switch_input_queue), .delay = OF(channels.l2_to_scheduler),
     .credit = OF(channels.switch_credit)},
    {"memory_switch", "to_schedulers", "access_scheduler", "from_l2", CHANNEL_IN_PARTITION,
     PAST_CACHES, .capacity = OF(channels.scheduler_input_queue),
     .delay = OF(channels.switch_to_scheduler), .credit = OF(channels.scheduler_credit)},
    {"dram_channel", "to_l2", "memory_switch", "from_dram", CHANNEL_IN_PARTITION, PAST_CACHES,
     .delay = OF(channels.dram_to_l2)},
    {"memory_switch", "to_slices", "l2_slice", "from_dram", CHANNEL_IN_PARTITION,
     .delay = OF(channels.switch_to_l2)},
    {"l2_slice", "to_scheduler", "memory_cache", "from_l2", DIRECT,
     .capacity = OF(channels.memory_cache_input_queue), .delay = OF(channels.l2_to_scheduler),
     .credit = OF(channels.memory_cache_credit)},
    {"memory_switch", "to_schedulers", "memory_cache", "from_l2", CHANNEL_IN_PARTITION,
     .capacity = OF(channels.memory_cache_input_queue), .delay = OF(channels.switch_to_scheduler),
     .credit = OF(channels.memory_cache_credit)},
    {"memory_cache", "to_scheduler", "access_scheduler", "from_l2",
     .capacity = OF(channels.scheduler_input_queue),
     .delay = OF(channels.memory_cache_to_scheduler), .credit = OF(channels.scheduler_credit)},
    {"dram_channel", "to_l2", "memory_cache", "from_dram",
     .delay = OF(channels.dram_to_memory_cache)},
    {"memory_cache", "to_l2", "l2_slice", "from_dram", DIRECT, .delay = OF(channels.dram_to_l2),
     .clock = CLOCK_DRAM},
    {"memory_cache", "to_l2", "memory_switch", "from_dram", CHANNEL_IN_PARTITION,
     .delay = OF(channels.dram_to_l2), .clock = CLOCK_DRAM},
    {"dram_channel", "to_l2", "memory_traffic", "from_dram", .delay = OF(channels.dram_to_l2)},
    {"l2_slice", "to_rop", "rop", "from_l2", .capacity = OF(channels.rop_input_queue),
     .delay = OF(channels.l2_to_rop), .credit = OF(channels.rop_to_l2)},
    {"l2_slice", "to_rop_data", "rop", "data_from_l2", .delay = OF(channels.l2_to_rop)},
    {"rop", "to_l2", "l2_slice", "from_rop", .capacity = OF(channels.rop_output_queue),
     .delay = OF(channels.rop_to_l2), .credit = OF(channels.l2_to_rop)},
    {"l2_slice", "to_monitor", "coherence_monitor", "from_l2", .delay = OF(channels.reports),
     .clock = CLOCK_CORE},
    {"l1", "to_monitor", "coherence_monitor", "from_l1", .delay = OF(channels.reports)},
    {"texture", "to_monitor", "coherence_monitor", "from_texture", .delay = OF(channels.reports)},
    {"request_coalescer", "to_monitor", "coherence_monitor", "from_coalescer",
     .delay = OF(channels.reports), .clock = CLOCK_CORE},
    {.to = NULL},
};

/* --- times ------------------------------------------------------------------------------------ */

/* Of this group; NULL: it is another's. */
static const Param *find_row(const ChannelParam *param)
{
    const Param *row = channel_params;
    while (row->name && offsetof(Machine, channels) + row->offset != param->offset) row++;
    return row->name && param->name ? row : NULL;
}

static bool settle(Machine *machine, const ChannelParam *param, UnitClock clock, GError **error)
{
    const Param *row = find_row(param);
    if (!row || param_settle(row, &machine->channels, machine_stated_clock(machine, clock), error))
        return true;
    g_prefix_error(error, "%s = ", param->name);
    return false;
}

static UnitClock clock_of(const char *name)
{
    const UnitClass *const *class = machine_unit_classes();
    while (!g_str_equal((*class)->name, name)) class ++;
    return (*class)->clock;
}

bool machine_settle_delays(Machine *machine, GError **error)
{
    for (const ChannelRow *row = rows; row->to; row++)
        if (row->from
            && (!settle(machine, &row->delay, row->clock ? row->clock : clock_of(row->from), error)
                || !settle(machine, &row->credit, clock_of(row->to), error)))
            return false;
    return true;
}

const ChannelRow *machine_channel_rows(void)
{
    return rows;
}

bool channel_gives_way(const ChannelRow *row, const char *class)
{
    for (guint i = 0; i < G_N_ELEMENTS(row->unless) && row->unless[i]; i++)
        if (!strcmp(row->unless[i], class)) return true;
    return false;
}

/* --- what a parameter is of ------------------------------------------------------------------- */

static bool is_called(const ChannelParam *param, const char *name)
{
    return param->name && !strcmp(param->name, name);
}

static bool has_parameter(const ChannelRow *row, const char *name)
{
    return is_called(&row->capacity, name) || is_called(&row->delay, name)
           || is_called(&row->credit, name) || is_called(&row->bandwidth, name);
}

bool machine_concerns(const char *group, const char *key, MachineHas has, gconstpointer of)
{
    g_autofree char *name = g_strconcat(group, ".", key, NULL);
    bool known = false;
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        if (!strcmp((*class)->name, group)) return has(group, of);
    for (const ChannelRow *row = rows; row->to; row++) {
        if (!has_parameter(row, name)) continue;
        if ((!row->from || has(row->from, of)) && has(row->to, of)) return true;
        known = true;
    }
    return !known;
}
