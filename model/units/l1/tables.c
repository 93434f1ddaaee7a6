/* L1's parameters and statistics. */
#include "units/l1/private.h"

static const char *const cached_modes[] = {"all",       "local_only", "local_and_read_only",
                                           "read_only", "none",       NULL};
static const char *const access_orders[] = {"parallel", "serial", NULL};
static const char *const way_selects[] = {"one_hot", "encoded", NULL};
static const char *const passing_ways[] = {"array", "beside", NULL};
static const char *const return_orders[] = {"out_of_order", "in_order", NULL};
static const char *const resource_checks[] = {"on_miss", "first", NULL};
static const char *const fetch_units[] = {"sectors", "line", NULL};
static const char *const partial_stores[] = {"masked", "fetch_first", NULL};
static const char *const global_writes[] = {"through", "back", NULL};
static const char *const global_allocates[] = {"no", "partial", "yes", NULL};
static const char *const full_line_stores[] = {"bypass", "allocate", NULL};

static const char *const tag_bank_indices[] = {"xor", "modulo", NULL};
static const char *const array_ports[] = {"unbounded", "1R1W", "1RW", NULL};

#define TRANSLATED .only_if = "to_mmu.enabled = yes"
#define TRANSLATION .relieves = "translation", TRANSLATED

const Param l1_params[] = {
    PARAM_NUMBER(L1, capacity, PARAM_BYTES, "128 KiB", 1024, 16777216,
                 "bytes of data, where shared memory has an array of its own; see [first_level]",
                 .perfect =
                     PERFECT(IN("l1_capacity", ">= 4 MiB", .only_if = "first_level.array = 0 B")),
                 .doubling = TWICE),
    PARAM_NUMBER(L1, sets, PARAM_COUNT, "4", 1, 4096, "sets"),
    PARAM_NUMBER(L1, ways, PARAM_COUNT, "0", 0, 4096,
                 "tags of a set, more where the capacity has more lines; if it has fewer, sets "
                 "give up theirs in turn; 0: as many as it has lines"),
    PARAM_ONE_OF(L1, set_index, set_index_names, "modulo", "how a line's set is found",
                 .relieves = "l1_capacity"),
    PARAM_ONE_OF(L1, replacement, replacement_names, "lru", "which line of a set goes next",
                 .relieves = "l1_capacity"),
    PARAM_NUMBER(L1, candidates, PARAM_COUNT, "5", 1, 64, "lines that sampled_lru draws",
                 .only_if = "replacement = sampled_lru"),
    PARAM_ONE_OF(L1, cached, cached_modes, "all", "which loads may be cached",
                 .relieves = "l1_capacity l2_bandwidth reply_network"),
    PARAM_ONE_OF(
        L1, fetch, fetch_units, "sectors",
        "what a cached miss asks L2 for, and a store of part of a line of local memory: the "
        "sectors wanted, or the whole line",
        .relieves = "l1_capacity l2_bandwidth reply_network"),
    PARAM_NUMBER(L1, hit_latency, PARAM_CYCLES, "16 cycles", 1, 1000,
                 "tag look-up and data array of a hit",
                 .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    PARAM_ONE_OF(L1, access_order, access_orders, "parallel",
                 "tags and data of all ways together, or the data of the way that hit",
                 .perfect = PERFECT(IN("l1_latency", "parallel")), .relieves = "l1_latency"),
    PARAM_NUMBER(L1, serial_latency, PARAM_CYCLES, "2 cycles", 0, 1000,
                 "what serial access adds to hit_latency", .doubling = HALF,
                 .relieves = "l1_latency", .only_if = "access_order = serial"),
    PARAM_ONE_OF(L1, way_select, way_selects, "one_hot",
                 "serial access: the way as a one-hot signal, or as a number decoded in a cycle",
                 .only_if = "access_order = serial"),
    PARAM_NUMBER(L1, shared_latency, PARAM_CYCLES, "9 cycles", 1, 1000,
                 "shared memory: banks and crossbars of a pass",
                 .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, miss_latency, PARAM_CYCLES, "4 cycles", 1, 1000,
                 "tag look-up until the miss leaves for the network",
                 .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, miss_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles in which misses_per_interval misses or stores leave",
                 .perfect = PERFECT(IN("l1_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, misses_per_interval, PARAM_COUNT, "1", 1, 64,
                 "misses or stores that leave in miss_interval",
                 .perfect = PERFECT(IN("l1_bandwidth", "64")), .doubling = TWICE),
    PARAM_NUMBER(L1, store_latency, PARAM_CYCLES, "20 cycles", 1, 1000,
                 "look-up of a store's last line until the warp's registers are free",
                 .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, lookup_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles in which lookups_per_interval wavefronts are looked up",
                 .perfect = PERFECT(IN("l1_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, lookups_per_interval, PARAM_COUNT, "1", 1, 64,
                 "wavefronts looked up in lookup_interval",
                 .perfect = PERFECT(IN("l1_bandwidth", "64")), .doubling = TWICE),
    PARAM_NUMBER(L1, tag_banks, PARAM_COUNT, "4", 1, 64,
                 "lines that may be looked up together, a power of two", .doubling = TWICE,
                 .relieves = "l1_bandwidth"),
    PARAM_ONE_OF(L1, tag_bank_index, tag_bank_indices, "xor",
                 "how a line's bank of tags is found: exclusive or of all fields of its number, or "
                 "the lowest one",
                 .relieves = "l1_bandwidth"),
    PARAM_NUMBER(L1, data_banks, PARAM_COUNT, "32", 1, ARBITER_BANKS,
                 "banks of the array that a cache access reads in a pass", .doubling = TWICE,
                 .relieves = "l1_bandwidth bank_conflicts"),
    PARAM_NUMBER(L1, data_bank_bytes, PARAM_BYTES, "4 B", 1, 16, "width of such a bank",
                 .perfect = PERFECT(IN("l1_bandwidth", ">= 16 B")), .doubling = TWICE),
    PARAM_NUMBER(L1, scattered_bytes, PARAM_BANDWIDTH, "0 B/cycle", 0, 4096,
                 "of an access that is not of up to 4 B a lane, side by side or at one address; 0: "
                 "what the banks have",
                 .perfect = PERFECT(IN("l1_bandwidth", "0 B/cycle")), .doubling = TWICE),
    PARAM_NUMBER(L1, data_ports, PARAM_COUNT, "1", 1, 64,
                 "accesses that the data array serves side by side, of the cache and of shared "
                 "memory, each a pass a cycle",
                 .perfect = PERFECT(IN("l1_bandwidth", "64")), .doubling = TWICE),
    PARAM_SWITCH(L1, overlap, "no",
                 "the tags go on with the next wavefront while the array makes its passes",
                 .perfect = PERFECT(IN("l1_bandwidth", "yes")), .relieves = "l1_bandwidth"),
    PARAM_NUMBER(L1, data_backlog, PARAM_CYCLES, "16 cycles", 0, 10000,
                 "with overlap: how far the array may be behind the tags",
                 .perfect = PERFECT(IN("l1_bandwidth", ">= 10000 cycles")), .doubling = TWICE,
                 .only_if = "overlap = yes"),
    PARAM_ONE_OF(L1, array_ports, array_ports, "unbounded",
                 "data array: fills and stores have a port beside that of the loads, or the same "
                 "one; unbounded: writes of the cache take none, shared memory has one for all",
                 .perfect = PERFECT(IN("l1_bandwidth", "unbounded")), .relieves = "l1_bandwidth"),
    PARAM_ONE_OF(
        L1, passing_data, passing_ways, "array",
        "the way to the registers of data that passes L1 by: through the data array, a pass "
        "as of a hit, or beside it",
        .relieves = "l1_bandwidth"),
    PARAM_NUMBER(L1, shared_banks, PARAM_COUNT, "32", 1, ARBITER_BANKS, "banks of shared memory",
                 .doubling = TWICE, .relieves = "bank_conflicts"),
    PARAM_SWITCH(
        L1, shared_pairs, "no",
        "what two lanes load from one address of shared memory goes to the registers once: "
        "half the passes for wide loads whose lanes are pairs, each as the next or as the "
        "one after that, as all at one address are",
        .relieves = "bank_conflicts l1_bandwidth"),
    PARAM_NUMBER(L1, shared_bank_bytes, PARAM_BYTES, "4 B", 4, 16,
                 "width of a bank (Kepler has a mode of 8 B)", .doubling = TWICE,
                 .relieves = "bank_conflicts"),
    PARAM_SWITCH(L1, ideal_banks, "no",
                 "as if no two lines or words were ever in one bank: all lines of an access are "
                 "looked up together, and a pass is as wide as the banks together; no hardware, a "
                 "bound",
                 .perfect = PERFECT(IN("bank_conflicts", "yes"))),
    PARAM_NUMBER(L1, replay_latency, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "shared memory: from the first pass of an access to its second",
                 .perfect = PERFECT(IN("l1_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, replay_interval, PARAM_CYCLES, "2 cycles", 1, 1000,
                 "shared memory: from then on, from one pass to the next",
                 .perfect = PERFECT(IN("l1_bandwidth", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(L1, replay_entries, PARAM_COUNT, "8", 0, 65536,
                 "instruction buffer: accesses that are not served wholly; 0: without bound",
                 .perfect = PERFECT(IN("pending_request_table", "0")), .doubling = TWICE),
    PARAM_SWITCH(L1, miss_replay, "no",
                 "loads that miss keep their room in the instruction buffer and are looked up "
                 "again when their line is here, or L1 reads it for them",
                 .perfect = PERFECT(IN("pending_request_table", "no")),
                 .relieves = "pending_request_table"),
    PARAM_NUMBER(L1, register_ports, PARAM_COUNT, "0", 0, 64,
                 "passes whose values may be written to the registers in one cycle, of shared "
                 "memory and the cache together; 0: all that come",
                 .perfect = PERFECT(IN("l1_bandwidth", "0")), .doubling = TWICE),
    PARAM_NUMBER(L1, prt_entries, PARAM_COUNT, "256", 1, 65536, "outstanding misses",
                 .perfect = PERFECT(IN("pending_request_table", ">= 16384")), .doubling = TWICE),
    PARAM_NUMBER(L1, prt_merges, PARAM_COUNT, "8", 0, 65536,
                 "further requests that may wait for one miss",
                 .perfect = PERFECT(IN("pending_request_table", ">= 65536")), .doubling = TWICE),
    PARAM_ONE_OF(
        L1, resource_check, resource_checks, "on_miss",
        "a full pending request table, and a set whose ways are all being filled, refuse loads "
        "that miss, or all loads before their look-up",
        .perfect = PERFECT(IN("pending_request_table", "on_miss")),
        .relieves = "pending_request_table"),
    PARAM_ONE_OF(L1, return_order, return_orders, "out_of_order",
                 "misses return as they come back, or in the order of their requests",
                 .relieves = "pending_request_table"),
    PARAM_NUMBER(L1, tlb_entries, PARAM_COUNT, "16", 0, 65536, "entries of the L1 TLB",
                 .doubling = TWICE, TRANSLATION),
    PARAM_NUMBER(L1, tlb_ways, PARAM_COUNT, "0", 0, 65536,
                 "ways of the L1 TLB; 0: fully associative", TRANSLATED),
    PARAM_NUMBER(L1, tlb_entry_bytes, PARAM_BYTES, "2 MiB", 4096, 0x1p48,
                 "what an entry of the L1 TLB covers", TRANSLATED),
    PARAM_NUMBER(L1, tlb_hit_latency, PARAM_CYCLES, "0 cycles", 0, 1000,
                 "look-up in the L1 TLB, of misses, stores and atomics", .doubling = HALF,
                 TRANSLATION),
    PARAM_NUMBER(L1, tlb_pending, PARAM_COUNT, "128", 1, 65536,
                 "line transactions that may wait for translations", .doubling = TWICE,
                 TRANSLATION),
    PARAM_NUMBER(L1, write_buffer_entries, PARAM_COUNT, "32", 1, 65536,
                 "write data buffer: lines of stores on their way to the array and the network",
                 .perfect = PERFECT(IN("store_buffers", ">= 65536")), .doubling = TWICE),
    PARAM_ONE_OF(L1, global_write, global_writes, "through",
                 "global stores to lines that are here: written through to L2, or kept until the "
                 "line is evicted, something that passes L1 by wants it, or the kernel ends",
                 .relieves = "store_buffers request_network"),
    PARAM_ONE_OF(L1, global_allocate, global_allocates, "no",
                 "global stores to lines that are not here: no place, one for lines that are "
                 "written in part, or one for all",
                 .relieves = "store_buffers request_network"),
    PARAM_ONE_OF(L1, global_partial, partial_stores, "masked",
                 "global stores of part of a sector that is absent: a mask says which bytes there "
                 "are, on the way to L2 and in a line that has a place; or it is fetched first"),
    PARAM_ONE_OF(L1, local_full_line, full_line_stores, "bypass",
                 "local stores of a whole absent line: straight to L2, or allocated"),
    PARAM_END};

/* Where an access of the instruction buffer goes, which it waits for there. */
#define BEHIND_ARBITER                                                                             \
    "conflicts data_array prt merge_room write_room translating to_request_network to_mmu"
#define BANDWIDTH .component = "l1_bandwidth"
#define MISSES                                                                                     \
    RESOURCE_CAPACITY(L1, misses_per_interval), .unit = "requests", BANDWIDTH,                     \
                                                .rests_on = "miss_interval misses_per_interval"
/* Where a request goes that leaves. */
#define WAY_OUT "miss_port translating to_request_network to_mmu"

const ResourceRow l1_resources[] = {
    RESOURCE_ONE_PLACE(L1, replay_room, "instruction buffer", RESOURCE_CAPACITY(L1, replay_entries),
                       .unit = "accesses", .feeds = "arbiter " BEHIND_ARBITER,
                       .refuses = "from_load_store from_texture", .refusals = "refused_room"),
    RESOURCE_ONE_SERVER(L1, arbiter,
                        "arbiter and tags: a wavefront of loads, a line of a store, a pass of "
                        "shared memory at a time",
                        .unit = "wavefronts", .headline = "L1 look-up", BANDWIDTH,
                        .rests_on = "lookup_interval lookups_per_interval data_ports",
                        .work = "wavefronts", .feeds = BEHIND_ARBITER, .refuses = "replay_room"),
    RESOURCE_ONE_SERVER(L1, data_array, "data array: a pass reads or writes a word of each bank",
                        RESOURCE_CAPACITY(L1, data_ports), .unit = "passes", .headline = "L1 data",
                        BANDWIDTH, .rests_on = "data_ports data_banks data_bank_bytes",
                        .work = "data_passes", .feeds = "conflicts result_bus",
                        .refuses = "replay_room arbiter"),
    RESOURCE_ONE_SERVER(L1, result_bus,
                        "result bus and ports of the registers: a pass of values a cycle each, "
                        "from when it is booked",
                        RESOURCE_CAPACITY(L1, register_ports), .unit = "passes",
                        .refuses = "replay_room arbiter", .refusals = "refused_registers",
                        .work = "register_writes"),
    RESOURCE_ONE_SERVER(L1, array_write, "data array, port for writes: fills and stores",
                        .unit = "passes", BANDWIDTH, .rests_on = "array_ports",
                        .work = "write_passes", .refuses = "arbiter"),
    RESOURCE_ONE_SERVER(L1, conflicts,
                        "bank conflicts: turns that lines or words of an instruction in one bank "
                        "take one after the other",
                        .unit = "cycles", .component = "bank_conflicts",
                        .rests_on =
                            "tag_banks data_banks shared_banks replay_latency replay_interval "
                            "data_ports",
                        .work = "conflict_cycles", .refuses = "arbiter data_array"),
    RESOURCE_ONE_PLACE(L1, prt, "pending request table", RESOURCE_CAPACITY(L1, prt_entries),
                       .unit = "misses", .headline = "outstanding misses", .feeds = WAY_OUT,
                       .refuses = "replay_room", .refusals = "refused_prt"),
    RESOURCE_ONE_PLACE(L1, merge_room,
                       "merged misses: requests that joined an outstanding one, as many for each "
                       "as prt_merges",
                       RESOURCE_CAPACITY(L1, merges_most), .unit = "requests",
                       .component = "pending_request_table", .feeds = "prt",
                       .refuses = "replay_room", .refusals = "refused_merge",
                       .rests_on = "prt_entries prt_merges"),
    RESOURCE_ONE_PLACE(L1, write_room,
                       "write data buffer: lines that wait for the way to L2, and places reserved "
                       "for stores that wait for a fetch",
                       RESOURCE_CAPACITY(L1, write_buffer_entries), .unit = "lines",
                       .feeds = WAY_OUT, .refuses = "replay_room",
                       .refusals = "refused_write_buffer"),
    RESOURCE_ONE_PLACE(L1, translating, "L1 TLB: line transactions that wait for a translation",
                       RESOURCE_CAPACITY(L1, tlb_pending), .unit = "lines",
                       .component = "translation", .feeds = "to_mmu to_request_network",
                       .refuses = "replay_room write_room from_texture_misses",
                       .refusals = "refused_tlb"),
    RESOURCE_ONE_SERVER(L1, miss_port, "miss port: requests leave one after the other", MISSES,
                        .feeds = "to_request_network", .refuses = "arbiter", .work = "requests"),
    RESOURCE_ONE_SERVER(L1, texture_port, "way past L1: requests of the texture unit", MISSES,
                        .feeds = WAY_OUT, .refuses = "from_texture_misses",
                        .work = "texture_requests"),
    RESOURCE_END};
