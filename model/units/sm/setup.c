/* The SM's tables of parameters and statistics, and what follows from the parameters. */
#include "parts/sparse.h"
#include "units/sm/private.h"

static const char *const policies[] = {"loose_round_robin", "greedy_then_oldest", "oldest_cta",
                                       NULL};
static const char *const when_full[] = {"other_warp", "withhold", NULL};
static const char *const load_orders[] = {"overlap", "one_at_a_time", NULL};
static const char *const wirings[] = {"own", "half", "sm", NULL};
static const char *const sharings[] = {"scheduler", "half", "sm", NULL};
static const char *const register_accesses[] = {"pipelined", "single_stage", NULL};

/* clang-format off */
#define POOL(name, count, width, group, text)                                                      \
    PARAM_NUMBER(SM, name##_units, PARAM_COUNT, count, 0, POOL_UNITS, text ", in the SM",          \
                 .perfect = PERFECT(IN("issue", "64", .only_if = #name "_units != 0")),     \
                 .doubling = TWICE),                                                      \
    PARAM_NUMBER(SM, name##_lanes, PARAM_COUNT, width, 1, UNIT_LANES,                              \
                 "threads a cycle of one of the " text,                                            \
                 .perfect = PERFECT(IN("issue", "64")), .doubling = TWICE,                      \
                 .only_if = #name "_units != 0"),                                                  \
    PARAM_ONE_OF(SM, name##_sharing, sharings, group, "who has the same " text,                    \
                 .only_if = #name "_units != 0")
#define LATENCY(name, cycles, text)                                                                \
    PARAM_NUMBER(SM, name##_latency, PARAM_CYCLES, cycles, 1, 10000,                               \
                 text ", from the first lanes' operands to their results",                         \
                 .perfect = PERFECT(IN("arithmetic_latency", "1 cycle")),                   \
                 .doubling = HALF)
#define POOL_STAT(key, of, field, what, ...)                                                       \
    { .name = key, .type = STAT_COUNT, .offset = STAT_FIELD(SM, pipe[of].field, uint64_t),         \
      .summary = what, __VA_ARGS__ }
#define POOL_STATS(name, of, text, metric, pool, ...)                                              \
    POOL_STAT(#name "_accepted", of, accepted, "warp instructions that " text " took",             \
              .nsight = metric, .taken_of = pool, __VA_ARGS__),                                    \
    POOL_STAT(#name "_lost", of, lost, "dispatch slots left empty because " text " were full",     \
              .lost_of = pool)
#define SLOT(kind, use, field, title, text, ...)                                                   \
    { .name = "slot_" field, .type = STAT_TIME,                                                    \
      .offset = STAT_FIELD(SM, slot_time[use], uint64_t), .summary = "slots of schedulers: " text, \
      .slot = {title, text}, .slots = SLOTS_##kind, .over_time = true, __VA_ARGS__ }
#define AT(place, field, title, text) SLOT(MEMORY, SLOT_AT + STAGE_AT_##place, "at_" field, title, text)
#define REFUSED(reason, field, title)                                                              \
    SLOT(MEMORY, SLOT_REFUSED + REFUSED_##reason, "refused_" field, "L1 refuses: " title,          \
         "L1 refuses accesses, or a load that is waited for: " title)
#define SERVED(use, field, title, text)                                                            \
    { .name = "slot_" field, .type = STAT_TIME,                                                    \
      .offset = STAT_FIELD(SM, slot_time[use], uint64_t),                                          \
      .summary = "of the waits for data: " text, .served = {title, text} }
/* clang-format on */

const Param sm_params[] = {
    PARAM_NUMBER(SM, schedulers, PARAM_COUNT, "4", 1, WARP_POOL_SCHEDULERS, "warp schedulers"),
    PARAM_NUMBER(SM, dispatches, PARAM_COUNT, "1", 1, 64,
                 "instructions a scheduler dispatches in a cycle",
                 .perfect = PERFECT(IN("issue", "64")), .doubling = TWICE),
    PARAM_NUMBER(SM, warps_per_cycle, PARAM_COUNT, "1", 1, 64, "warps that these come from",
                 .perfect = PERFECT(IN("issue", "64")), .doubling = TWICE),
    PARAM_NUMBER(SM, dispatches_per_warp, PARAM_COUNT, "1", 1, 64,
                 "of one warp: independent neighbours"),
    PARAM_ONE_OF(SM, scheduler_policy, policies, "greedy_then_oldest",
                 "which ready warp a scheduler issues from",
                 .relieves = "issue occupancy arithmetic_latency l1_capacity"),
    PARAM_ONE_OF(SM, unit_full, when_full, "other_warp",
                 "when the unit is full that the chosen warp wants: take another warp, or leave "
                 "the dispatch slot empty",
                 .perfect = PERFECT(IN("issue", "other_warp")), .relieves = "issue"),
    PARAM_ONE_OF(SM, loads, load_orders, "overlap",
                 "loads of a warp: under those before, as far as registers allow, or each when the "
                 "one before has its data (in-order execution)",
                 .relieves = "occupancy l1_latency l2_latency dram_latency"),
    PARAM_ONE_OF(SM, wiring, wirings, "own",
                 "units that a scheduler reaches, of those that are not shared anyway",
                 .perfect = PERFECT(IN("issue", "own"))),
    POOL(core, "4", "16", "scheduler", "FP32 cores"),
    POOL(int, "4", "16", "scheduler", "integer units; 0: the cores do it"),
    POOL(fp64, "4", "8", "scheduler", "FP64 units"),
    POOL(sfu, "4", "4", "scheduler", "special function units"),
    POOL(load_store, "4", "8", "scheduler", "load/store units"),
    POOL(texture, "1", "4", "sm", "texture units"),
    POOL(other, "4", "32", "scheduler", "units for moves and branches; 0: the cores do it"),
    LATENCY(fp32, "3 cycles", "FP32"),
    LATENCY(int, "3 cycles", "integer"),
    LATENCY(fp64, "5 cycles", "FP64"),
    LATENCY(sfu, "7 cycles", "special functions"),
    LATENCY(texture, "20 cycles", "texture instructions that only issue"),
    LATENCY(other, "4 cycles", "moves and branches"),
    PARAM_NUMBER(SM, max_threads, PARAM_COUNT, "2048", 32, 65536, "resident threads",
                 .perfect = PERFECT(IN("occupancy", ">= 65536")), .doubling = TWICE),
    PARAM_NUMBER(SM, max_warps, PARAM_COUNT, "64", 1, WARP_POOL_WARPS, "resident warps",
                 .perfect = PERFECT(IN("occupancy", ">= 64")), .doubling = TWICE),
    PARAM_NUMBER(SM, max_ctas, PARAM_COUNT, "32", 1, CTA_SLOTS, "resident CTAs",
                 .perfect = PERFECT(IN("occupancy", ">= 64")), .doubling = TWICE),
    PARAM_NUMBER(SM, registers, PARAM_COUNT, "65536", 32, 16777216, "32-bit registers",
                 .perfect = PERFECT(IN("occupancy", ">= 16777216")), .doubling = TWICE),
    PARAM_NUMBER(SM, register_granularity, PARAM_COUNT, "256", 32, 65536,
                 "registers a warp's allocation is rounded up to, a multiple of its lanes"),
    PARAM_NUMBER(SM, register_partitions, PARAM_COUNT, "1", 1, WARP_POOL_SCHEDULERS,
                 "equal parts of the registers, as schedulers have; a warp's lie in one"),
    PARAM_ONE_OF(SM, register_access, register_accesses, "pipelined",
                 "base and number added, in stages; or one stage each way, with an equal part of "
                 "the registers for every warp slot, as on a CPU"),
    PARAM_NUMBER(SM, register_read_stages, PARAM_CYCLES, "0 cycles", 0, 100,
                 "before execution; 0: part of the latencies",
                 .perfect = PERFECT(IN("arithmetic_latency", "0 cycles")), .doubling = HALF),
    PARAM_NUMBER(SM, register_write_stages, PARAM_CYCLES, "0 cycles", 0, 100,
                 "until a result can be read again; 0: part of the latencies",
                 .perfect = PERFECT(IN("arithmetic_latency", "0 cycles")), .doubling = HALF),
    PARAM_SWITCH(SM, register_forwarding, "no",
                 "results reach those that wait for them when execution ends, past the stages of "
                 "writing and reading",
                 .relieves = "arithmetic_latency"),
    PARAM_NUMBER(SM, register_banks, PARAM_COUNT, "0", 0, REGISTER_BANKS,
                 "of each part; operands in one bank are read one after the other; 0: never",
                 .perfect = PERFECT(IN("register_file", "0")), .doubling = TWICE),
    PARAM_NUMBER(SM, register_bank_reads, PARAM_COUNT, "1", 1, 8, "operands a bank reads a cycle",
                 .doubling = TWICE, .relieves = "register_file"),
    PARAM_NUMBER(SM, register_bank_writes, PARAM_COUNT, "0", 0, 8,
                 "results a bank takes a cycle; 0: as many as there are", .doubling = TWICE,
                 .perfect = PERFECT(IN("arithmetic_latency", "0"))),
    PARAM_NUMBER(SM, register_operands, PARAM_COUNT, "0", 0, 8,
                 "registers of its lanes that a unit gets a cycle: an FP32 operand is one, an FP64 "
                 "operand two; 0: all that an instruction reads",
                 .perfect = PERFECT(IN("register_file", "0")), .doubling = TWICE),
    PARAM_NUMBER(SM, shared_memory, PARAM_BYTES, "96 KiB", 0, 16777216,
                 "shared memory that CTAs can have together, if the launch does not say",
                 .perfect =
                     PERFECT(IN("occupancy", ">= 16 MiB", .only_if = "first_level.array = 0 B")),
                 .doubling = TWICE, .only_if = "first_level.array = 0 B"),
    PARAM_NUMBER(SM, shared_granularity, PARAM_BYTES, "1 B", 1, 65536,
                 "shared memory that a CTA's allocation is rounded up to"),
    PARAM_NUMBER(SM, shared_reserved, PARAM_BYTES, "0 B", 0, 65536,
                 "shared memory that each CTA takes beside what it asks for"),
    PARAM_NUMBER(SM, warp_launch_interval, PARAM_CYCLES, "0 cycles", 0, 10000,
                 "between the starts of a CTA's warps, whose registers are set up one after the "
                 "other; 0: all start with it",
                 .perfect = PERFECT(IN("cta_launch", "0 cycles")), .doubling = HALF),
    PARAM_NUMBER(SM, barrier_latency, PARAM_CYCLES, "10 cycles", 1, 10000,
                 "from the last warp's arrival until the CTA goes on",
                 .perfect = PERFECT(IN("arithmetic_latency", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(SM, poll_interval, PARAM_CYCLES, "12 cycles", 1, 1000000,
                 "from a value that a warp did not wait for until it asks again", .doubling = HALF,
                 .relieves = "arithmetic_latency"),
    PARAM_NUMBER(SM, poll_limit, PARAM_COUNT, "4096", 1, 0x1p53,
                 "a run ends when a warp has found the same value so often in a row"),
    PARAM_SWITCH(SM, cta_waits_for_stores, "no",
                 "a warp ends only when its stores are acknowledged"),
    PARAM_END};

const Stat sm_stats[] = {
    STAT_NUMBER_OVER_TIME(
        SM, warp_instructions, STAT_COUNT, "sm__inst_executed.sum", "warp instructions issued",
        ENERGY(IN_NO_STAGE(sm_energy_of_issue)), .means = MEANS_WARP_INSTRUCTIONS,
        .most = "schedulers * dispatches", CURVES(CURVE("SM issue")),
        .map = {"SM", "warp instructions a core cycle"}, .figure = "sm_issue_map"),
    STAT_NUMBER(SM, thread_instructions, STAT_COUNT, "smsp__thread_inst_executed.sum",
                "the same, times active lanes", ENERGY(IN_NO_STAGE(sm_energy_of_registers))),
    STAT_NUMBER(SM, memory_instructions, STAT_COUNT, "smsp__inst_executed_pipe_lsu.sum",
                "loads, stores and atomics issued"),
    STAT_NUMBER(SM, load_instructions, STAT_COUNT, "smsp__inst_executed_op_global_ld.sum",
                "of these, loads", .means = MEANS_LOAD_INSTRUCTIONS),
    STAT_NUMBER(SM, store_instructions, STAT_COUNT, "smsp__inst_executed_op_global_st.sum",
                "of these, stores", .means = MEANS_LINE_MESSAGES),
    STAT_NUMBER(SM, texture_instructions, STAT_COUNT, "smsp__inst_executed_op_texture.sum",
                "texture instructions issued to the texture unit, with coordinates"),
    STAT_NUMBER(SM, requested_bytes, STAT_BYTES, NULL, "bytes that lanes load and store",
                .means = MEANS_REQUESTED_BYTES,
                RULES(GIVES("bytes that lanes ask for, SM and L1"))),
    STAT_NUMBER(SM, ctas, STAT_COUNT, "sm__ctas_launched.sum", "CTAs completed"),
    STAT_NUMBER(SM, barriers, STAT_COUNT, NULL, "barriers that a CTA passed"),
    STAT_NUMBER(SM, issue_cycles, STAT_COUNT, "sm__inst_issued.sum",
                "cycles in which something was issued"),
    POOL_STATS(core, POOL_CORE, "FP32 cores", "sm__inst_executed_pipe_fma.sum", "FP32 cores",
               ENERGY(IN_NO_STAGE(sm_energy_of_core))),
    POOL_STATS(int, POOL_INT, "integer units", "sm__inst_executed_pipe_alu.sum", "integer units",
               ENERGY(IN_NO_STAGE(sm_energy_of_int))),
    POOL_STATS(fp64, POOL_FP64, "FP64 units", "sm__inst_executed_pipe_fp64.sum", "FP64 units",
               ENERGY(IN_NO_STAGE(sm_energy_of_fp64))),
    POOL_STATS(sfu, POOL_SFU, "special function units", "sm__inst_executed_pipe_xu.sum",
               "special function units", ENERGY(IN_NO_STAGE(sm_energy_of_sfu))),
    POOL_STATS(load_store, POOL_LOAD_STORE, "load/store units", "sm__inst_executed_pipe_lsu.sum",
               "load/store units"),
    POOL_STATS(texture, POOL_TEXTURE, "texture units", "sm__inst_executed_pipe_tex.sum",
               "texture units"),
    POOL_STATS(other, POOL_OTHER, "units for moves and branches", NULL, "moves and branches"),
    STAT_NUMBER(SM, lost_no_ready_warp, STAT_COUNT, "smsp__issue_inst0.sum",
                "scheduler steps without a ready warp"),
    STAT_NUMBER_OVER_TIME(
        SM, stalled_results, STAT_TIME, "smsp__warp_issue_stalled_wait",
        "time of warps whose next instruction waits for arithmetic, or for its cycle",
        .state = {"waiting for results",
                  "the next instruction needs a result of arithmetic, or is for a set time"},
        .means = MEANS_WARPS_AT_RESULTS),
    STAT_NUMBER(
        SM, stalled_unit, STAT_TIME, "smsp__warp_issue_stalled_math_pipe_throttle",
        "time of ready warps whose execution unit is full",
        .state = {"execution unit full",
                  "ready, but its unit takes nothing more; of load/store units: L1 does not"}),
    STAT_NUMBER(SM, stalled_slot, STAT_TIME, "smsp__warp_issue_stalled_not_selected",
                "time of ready warps for which there is no dispatch slot",
                .state = {"no dispatch slot", "ready, and the scheduler took other warps"}),
    STAT_NUMBER(SM, stalled_other, STAT_TIME, "smsp__warp_issue_stalled_barrier",
                "time of warps at a barrier or a fence, or at their end with accesses under way",
                .state = {"at a barrier, fence or end",
                          "at a barrier or a fence, or at its end with accesses under way"},
                .means = MEANS_WARPS_AT_BARRIERS),
    SLOT(ISSUE, POOL_CORE, "core", "FP32 cores", "issue to FP32 cores"),
    SLOT(ISSUE, POOL_INT, "int", "integer units", "issue to integer units"),
    SLOT(ISSUE, POOL_FP64, "fp64", "FP64 units", "issue to FP64 units"),
    SLOT(ISSUE, POOL_SFU, "sfu", "special function units", "issue to special function units"),
    SLOT(ISSUE, POOL_LOAD_STORE, "load_store", "load/store units", "issue to load/store units"),
    SLOT(ISSUE, POOL_TEXTURE, "texture", "texture units", "issue to texture units"),
    SLOT(ISSUE, POOL_OTHER, "other", "units for moves and branches",
         "issue to units for moves and branches"),
    SLOT(ISSUE, SLOT_CONTROL, "control", "control", "barriers, fences, ends: issue to no unit"),
    SLOT(RESULT, SLOT_RESULT, "result", "wait for a result",
         "arithmetic is not done, or the time not come"),
    SLOT(UNIT, SLOT_PIPE, "pipe", "unit full", "the execution unit takes nothing more"),
    SLOT(UNIT, SLOT_OPERANDS, "operands", "register file",
         "the execution unit takes nothing more, and units wait for operands"),
    SLOT(MEMORY, SLOT_MEMORY_WAY, "memory_way", "way to memory full",
         "load/store or texture units, or what is behind them, take nothing more"),
    REFUSED(SET, "set", "no way in its set"),
    REFUSED(PRT, "prt", "pending request table full"),
    REFUSED(MERGE, "merge", "no more may join a miss"),
    REFUSED(WRITE_BUFFER, "write_buffer", "write data buffer full"),
    REFUSED(NETWORK, "network", "request network full"),
    REFUSED(TLB, "tlb", "room for translations full"),
    REFUSED(MMU, "mmu", "MMU full"),
    AT(L1, "l1", "data: in L1", "on the way to L1, there, or on the way to the registers"),
    AT(TEXTURE, "texture", "data: in the texture unit",
       "on the way to the texture unit, there, or on the way to the registers"),
    AT(TRANSLATION, "translation", "data: address translation", "in TLBs and page walks"),
    AT(REQUEST_NETWORK, "request_network", "data: request network", "in the request network"),
    AT(L2, "l2", "data: in L2", "in L2, or in front of it"),
    AT(ROP, "rop", "data: in the ROP", "in the ROP"),
    AT(DRAM, "dram", "data: DRAM", "a miss in L2 waits for DRAM"),
    AT(REPLY_NETWORK, "reply_network", "data: reply network", "in the reply network"),
    SLOT(MEMORY, SLOT_SHARED, "shared", "shared memory", "data of shared memory is not there"),
    SLOT(MEMORY, SLOT_CONSTANT, "constant", "constants", "a constant is not there"),
    SLOT(MEMORY, SLOT_STORES, "stores", "wait for stores",
         "stores have not left, or are not acknowledged"),
    SLOT(MEMORY, SLOT_DRAIN, "drain", "drain of stores",
         "no CTA is left, and what they stored is not acknowledged", .at_rest = true),
    SLOT(BARRIER, SLOT_BARRIER, "barrier", "barrier", "other warps of the CTA have not arrived"),
    SLOT(FEW, SLOT_FEW, "few", "fewer warps than schedulers",
         "no warp is this scheduler's, others of the SM have some"),
    SLOT(LAUNCH, SLOT_LAUNCH, "launch", "launch", "the next CTA is not there"),
    SLOT(TAIL, SLOT_TAIL, "tail", "tail", "no CTA is left, and others have not ended",
         .at_rest = true),
    SLOT(OUTSIDE, SLOT_BETWEEN, "between", "between kernels",
         "the kernel has ended, and the next one has not started", .at_rest = true),
    SLOT(OPEN, SLOT_OPEN, "open", "not ended",
         "a wait that had not ended when the measurement did"),
    SERVED(SLOT_L1, "l1", "L1", "a load is not back that L1 had"),
    SERVED(SLOT_MERGED, "merged", "a miss under way",
           "a load is not back that joined a miss of L1"),
    SERVED(SLOT_SHARED_L1, "shared_l1", "a shared L1",
           "a load is not back that a request coalescer's cache had"),
    SERVED(SLOT_L2, "l2", "L2", "a load is not back that L2 had"),
    SERVED(SLOT_MEMORY_CACHE, "memory_cache", "a memory-side cache",
           "a load is not back that a memory-side cache had"),
    SERVED(SLOT_DRAM, "dram", "DRAM", "a load is not back that DRAM had"),
    SERVED(SLOT_SAMPLE, "sample", "the texture unit", "a texture instruction is not back"),
    STAT_NUMBER(SM, limited_by_registers, STAT_COUNT, "launch__occupancy_limit_registers",
                "kernel starts at which registers bound the residency", .limit = "registers",
                .at_rest = true),
    STAT_NUMBER(SM, limited_by_shared, STAT_COUNT, "launch__occupancy_limit_shared_mem",
                "the same for shared memory", .limit = "shared memory", .at_rest = true),
    STAT_NUMBER(SM, limited_by_warps, STAT_COUNT, "launch__occupancy_limit_warps",
                "the same for warps and threads", .limit = "places for warps", .at_rest = true),
    STAT_NUMBER(SM, limited_by_ctas, STAT_COUNT, "launch__occupancy_limit_blocks",
                "the same for CTAs", .limit = "places for CTAs", .at_rest = true),
    STAT_NUMBER(SM, fragmented, STAT_COUNT, NULL,
                "CTAs that waited because no run of free registers was long enough"),
    STAT_NUMBER(SM, bank_conflicts, STAT_COUNT, NULL,
                "cycles that operands wait for their banks: of one instruction or of several"),
    STAT_NUMBER(SM, operand_waits, STAT_COUNT, NULL,
                "cycles that units are occupied longer for their operands than for their lanes"),
    STAT_NUMBER(SM, write_conflicts, STAT_COUNT, NULL,
                "cycles that results wait for the write ports of their banks"),
    STAT_NUMBER(SM, polls, STAT_COUNT, NULL, "values that warps asked for in order to wait"),
    STAT_NUMBER(SM, polls_repeated, STAT_COUNT, NULL, "of these, in vain"),
    STAT_OCCUPANCY_OVER_TIME(SM, resident_warps, "sm__warps_active.avg.per_cycle_active",
                             "resident warps", .means = MEANS_RESIDENT_WARPS, .most = "max_warps",
                             .track = {"an SM", "resident warps"}),
    STAT_OCCUPANCY_OVER_TIME(
        SM, waiting_for_loads, "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
        "warps whose next instruction waits for a load",
        .state = {"waiting for loads", "the next instruction needs a load's data"},
        .track = {"an SM", "warps waiting for loads"}),
    STAT_OCCUPANCY(SM, resident_ctas, NULL, "resident CTAs"),
    STAT_OCCUPANCY(SM, registers_allocated, NULL, "registers of resident warps"),
    STAT_DISTRIBUTION(SM, load_latency, NULL,
                      "warp loads, from issue until the registers are written",
                      .means = MEANS_LOAD_LATENCY),
    STAT_DISTRIBUTION(SM, dependent_load_latency, NULL,
                      "of these, loads of one chain (pointer chase, probe)",
                      .means = MEANS_DEPENDENT_LOAD_LATENCY),
    STAT_DISTRIBUTION(SM, sample_latency, NULL,
                      "of warp loads, texture instructions: from issue until the registers are "
                      "written",
                      .means = MEANS_SAMPLE_LATENCY),
    STAT_END};

/* clang-format off */
#define PIPE(which, of, text, after)                                                               \
    { .name = #which "_pipe", .kind = RESOURCE_SERVER, .summary = text,                            \
      .offset = STAT_FIELD(SM, pipe[of].server, Server), RESOURCE_CAPACITY(SM, which##_units),     \
      .unit = "instructions", .feeds = after, .refuses = "resident_warps",                         \
      .refusals = #which "_lost",                                                                  \
      .rests_on = #which "_units " #which "_lanes register_banks register_bank_reads",             \
      .work = #which "_accepted" }
#define RESIDENT(field, limit, what, text, ...)                                                    \
    RESOURCE_ONE_PLACE(SM, field, text, RESOURCE_CAPACITY(SM, limit), .unit = what,                \
                       .feeds = "resident_warps", .refuses = "from_dispatcher", __VA_ARGS__)
/* clang-format on */

#define PIPES "core_pipe int_pipe fp64_pipe sfu_pipe load_store_pipe texture_pipe other_pipe"

/* What is resident is full when no further CTA of the kernel fits that has started last. */
const ResourceRow sm_resources[] = {
    RESIDENT(resident_ctas, max_ctas, "CTAs", "resident CTAs"),
    RESOURCE_ONE_PLACE(SM, resident_warps, "resident warps", RESOURCE_CAPACITY(SM, max_warps),
                       .unit = "warps", .feeds = "issue_slots " PIPES " to_load_store to_texture",
                       .refuses = "from_dispatcher"),
    RESIDENT(resident_threads, max_threads, "threads", "threads of resident CTAs",
             .bitless = "a thread is a lane of a warp, and the bits are the warp's"),
    RESIDENT(shared_allocated, shared_in_force, "bytes", "shared memory of resident CTAs",
             .component = "occupancy",
             .rests_on = "shared_memory first_level.carve_outs first_level.carve_out"),
    RESOURCE_ONE_PLACE(SM, registers_allocated, "registers of resident warps",
                       RESOURCE_CAPACITY(SM, limits.registers), .unit = "registers",
                       .component = "occupancy", .feeds = "resident_warps",
                       .refuses = "from_dispatcher", .refusals = "fragmented"),
    RESOURCE_ONE_SERVER(SM, warp_launches, "starts of warps: their registers are set up",
                        .unit = "warps", .component = "cta_launch", .feeds = "issue_slots",
                        .refuses = "resident_warps", .rests_on = "warp_launch_interval"),
    RESOURCE_MANY_SERVERS(SM, issue_slots, "dispatch slots of a warp scheduler",
                          RESOURCE_CAPACITY(SM, dispatches), .unit = "instructions",
                          .headline = "SM issue", .feeds = PIPES, .refuses = "resident_warps"),
    PIPE(core, POOL_CORE, "FP32 cores", NULL),
    PIPE(int, POOL_INT, "integer units", NULL),
    PIPE(fp64, POOL_FP64, "FP64 units", NULL),
    PIPE(sfu, POOL_SFU, "special function units", NULL),
    PIPE(load_store, POOL_LOAD_STORE, "load/store units", "to_load_store"),
    PIPE(texture, POOL_TEXTURE, "texture units", "to_texture"),
    PIPE(other, POOL_OTHER, "units for moves and branches", NULL),
    RESOURCE_ONE_SERVER(SM, register_waits,
                        "register file: units of a part wait for operands whose banks are taken, "
                        "or for more of them than they get a cycle",
                        RESOURCE_CAPACITY(SM, register_parts), .unit = "waits",
                        .component = "register_file", .refuses = PIPES,
                        .rests_on = "register_banks register_bank_reads register_operands",
                        .work = "bank_conflicts operand_waits"),
    RESOURCE_END};

/* --- setup ------------------------------------------------------------------------------------ */

static bool set_pools(SM *self, GError **error)
{
    const struct {
        const char *name;
        uint64_t units, lanes;
        uint32_t sharing;
    } rows[EXECUTION_POOLS] = {
#define ROW(name) {#name, self->name##_units, self->name##_lanes, self->name##_sharing}
        [POOL_CORE] = ROW(core),
        [POOL_INT] = ROW(int),
        [POOL_FP64] = ROW(fp64),
        [POOL_SFU] = ROW(sfu),
        [POOL_LOAD_STORE] = ROW(load_store),
        [POOL_TEXTURE] = ROW(texture),
        [POOL_OTHER] = ROW(other),
#undef ROW
    };
    execution_units_init(&self->units);
    for (uint32_t p = 0; p < EXECUTION_POOLS; p++) {
        const PoolShape shape = {rows[p].units, rows[p].lanes, rows[p].sharing, *self->warp_lanes};
        if (execution_units_set(&self->units, p, &shape, self->wiring, (uint32_t)self->schedulers,
                                self->unit.clock->period)) {
            const Time length = self->units.pool[p].occupancy;
            self->pipe[p].length = length;
            self->pipe[p].share = length / MAX(shape.units, 1);
            continue;
        }
        g_set_error(
            error, PARAM_ERROR, 0,
            "sm.%s_units = %" G_GUINT64_FORMAT ": cannot be divided equally between %u "
            "groups of schedulers (schedulers, %s_sharing, wiring)",
            rows[p].name, rows[p].units,
            execution_units_groups(MAX(shape.sharing, self->wiring), (uint32_t)self->schedulers),
            rows[p].name);
        return false;
    }
    return true;
}

/* Schedulers that reach each other's units come first as often as each other, for some cycles in a
 * row: those that took turns cycle by cycle would, where a unit is free every second or fourth
 * cycle, have all of it or nothing. Others come first one after the other. */
static uint32_t scheduler_at(const SM *self, uint32_t turn, uint32_t k)
{
    const uint32_t schedulers = (uint32_t)self->schedulers, pairs = (schedulers + 1) / 2;
    if (self->wiring == UNITS_PRIVATE) return (turn + k) % schedulers;
    const uint32_t lead = turn / LEAD_CYCLES, pair = (lead / 2 + k / 2) % pairs;
    return 2 * pair + ((lead + k) & 1);
}

static void order_schedulers(SM *self)
{
    const uint32_t schedulers = (uint32_t)self->schedulers, places = schedulers + schedulers % 2;
    const bool wired = self->wiring != UNITS_PRIVATE;
    self->turns = wired ? places * LEAD_CYCLES : schedulers;
    for (uint32_t turn = 0; turn < self->turns; turn++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < (wired ? places : schedulers); k++) {
            const uint32_t s = scheduler_at(self, turn, k);
            if (s < schedulers) self->order[turn][count++] = (uint8_t)s;
        }
    }
}

bool sm_setup(Unit *unit, GError **error)
{
    SM *self = (SM *)unit;
    const IssueWidth width = {.policy = (WarpPolicy)self->scheduler_policy,
                              .unit_full = (UnitFull)self->unit_full,
                              .schedulers = (uint32_t)self->schedulers,
                              .dispatches = (uint32_t)self->dispatches,
                              .warps = (uint32_t)self->warps_per_cycle,
                              .dispatches_per_warp = (uint32_t)self->dispatches_per_warp,
                              .cycle = unit->clock->period};
    warp_pool_init(&self->pool, &width);
    order_schedulers(self);
    sm_slots_setup(self);
    sm_set_needs(self);
    if (!set_pools(self, error) || !sm_set_registers(self, error)) return false;
    self->warp = SPARSE_ARRAY(Warp, self->max_warps);
    self->addresses = SPARSE_ARRAY(uint64_t, self->max_warps * LANES_MAX);
    self->outstanding = g_new0(Outstanding, self->launches = 1);
    self->issue_slots = server_array_new(width.schedulers);
    self->slot_share = width.cycle / width.dispatches;
    self->launch_share = clock_cycles(unit->clock, self->warp_launch_interval);
    self->shared_in_force = sm_shared_in_force(self);
    return true;
}
