/* The rig: a script of kernel starts and CTAs, an SM, a memory that answers after 100 cycles and
 * says after 20 that a store has left, and a sink for what the SM reports. All paths take a cycle.
 * A CTA that is launched at 20 issues its first instruction at 21; a load that is issued at t is
 * back at t + 1 + 100 + 1 = t + 102, and a store has left at t + 1 + 20 + 1 = t + 22. */
#include "script_kernel.h"
#include "unit_rig.h"

extern const UnitClass sm_class;

enum { BACK = 102, LEFT = 22 };

/* --- the rig --- */

typedef struct {
    Harness *harness;
    Unit *source, *sm, *sink;
    FarSide *memory;
    Script script[12];
    guint scripts;
    struct {
        uint64_t at, cta;
        Script *script;
    } launch[24];
    guint launches;
} Rig;

static Message *make_launch(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number >= rig->launches) return NULL;
    *at = rig->launch[number].at * source->clock->period;
    CtaMessage *message = unit_new_cta(source);
    message->kernel = &rig->launch[number].script->kernel;
    message->cta = rig->launch[number].cta;
    message->stream = NULL;
    message->count = 0;
    return &message->message;
}

static Rig *rig_new_at(const char *settings, uint32_t memory_room, const char *input)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    g_autofree char *all =
        g_strconcat("schedulers = 1; fp32_latency = 4 cycles; int_latency = 4 cycles; "
                    "fp32_interval = 2 cycles; int_interval = 1 cycle; barrier_latency = "
                    "10 cycles; scheduler_policy = greedy_then_oldest; ",
                    settings, NULL);
    rig->source = harness_source(rig->harness, "source");
    rig->sm = harness_add(rig->harness, &sm_class, "sm", all);
    rig->sink = harness_sink(rig->harness, "sink");
    rig->memory = far_side_add(rig->harness, rig->sm, "to_load_store", input, memory_room);
    rig->memory->notice = strcmp(input, "from_l1") ? 0 : 20;
    harness_connect(rig->harness, rig->source, "out", rig->sm, "from_dispatcher", (Path){0});
    harness_connect(rig->harness, rig->sm, "to_dispatcher", rig->sink, "in", (Path){0});
    harness_generate(rig->source, make_launch, rig);
    return rig;
}

static Rig *rig_new(const char *settings, uint32_t memory_room)
{
    return rig_new_at(settings, memory_room, "from_l1");
}

static void rig_free(Rig *rig)
{
    for (guint i = 0; i < rig->scripts; i++) g_array_unref(rig->script[i].issued);
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static Script *add_script(Rig *rig, uint32_t threads, const Instruction *instructions)
{
    ck_assert_uint_lt(rig->scripts, G_N_ELEMENTS(rig->script));
    Script *script = &rig->script[rig->scripts++];
    script_init(script, rig->sm, threads, instructions);
    return script;
}

static void launch(Rig *rig, Script *script, uint64_t cta, uint64_t at)
{
    ck_assert_uint_lt(rig->launches, G_N_ELEMENTS(rig->launch));
    rig->launch[rig->launches].at = at;
    rig->launch[rig->launches].cta = cta;
    rig->launch[rig->launches++].script = script;
}

static void run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
}

static void assert_issued(const Script *script, const Issued *expected, guint count)
{
    for (guint i = 0; i < count && i < script->issued->len; i++) {
        const Issued *got = &g_array_index(script->issued, Issued, i);
        ck_assert_msg(got->cta == expected[i].cta && got->warp == expected[i].warp
                          && got->number == expected[i].number && got->cycle == expected[i].cycle,
                      "issue %u is (CTA %" G_GUINT64_FORMAT ", warp %u, number %u) at cycle "
                      "%" G_GUINT64_FORMAT,
                      i, got->cta, got->warp, got->number, got->cycle);
    }
    ck_assert_uint_eq(script->issued->len, count);
}

#define ASSERT_ISSUED(script, expected) assert_issued(script, expected, G_N_ELEMENTS(expected))

/* The one CTA is known to be done at this cycle. */
static void assert_done(const Rig *rig, uint64_t cycle)
{
    ck_assert_uint_eq(harness_arrivals(rig->sink), 1);
    ck_assert_uint_eq(harness_arrival(rig->sink, 0)->cycle, cycle);
}

/* --- issue --- */

/* 21 + 10 x 4; then one by one. A run whose result nobody needs lets the next go a cycle after the
 * last of its instructions: 65 + 9 x 4 + 1. */
START_TEST(a_chain_takes_repeat_times_its_latency)
{
    static const Instruction code[] = {ALU(FP32, 10, 1, 9), ALU(FP32, 1, 2, 1), ALU(FP32, 10, 3, 2),
                                       ALU(INT, 1, 4, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 61}, {0, 0, 2, 65}, {0, 0, 3, 102}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 103 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "warp_instructions"), 10 + 1 + 10 + 1 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "thread_instructions"), 32 * 23);
}
END_TEST

START_TEST(latencies_are_those_of_the_execution_unit)
{
    static const Instruction code[] = {ALU(FP64, 1, 1, 9), ALU(SFU, 1, 1, 1), ALU(INT, 1, 1, 1),
                                       ALU(OTHER, 1, 1, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 29}, {0, 0, 2, 43}, {0, 0, 3, 47}};
    g_autoptr(Rig) rig = rig_new("fp64_latency = 8 cycles; sfu_latency = 14 cycles", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* Warp 0 loads at 21 and its consumer waits until 21 + 102; what is behind the consumer waits too,
 * although it needs nothing. Warp 1 goes on. */
START_TEST(a_consumer_waits_for_write_back_others_issue)
{
    static const Instruction loads[] = {LOAD(1), ALU(INT, 1, 2, 1), ALU(INT, 1, 3, 9), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 1, 0, 22}, {0, 1, 1, 23}, {0, 0, 1, 123}, {0, 0, 2, 124}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_level(rig->sm, "waiting_for_loads")->integral, BACK * TIME_NS);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->sum, BACK * TIME_NS);
}
END_TEST

/* A load may not overwrite what another still writes, nor what arithmetic writes. */
START_TEST(writers_of_one_register_keep_their_order)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), LOAD(1), LOAD(2), LOAD(1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 25}, {0, 0, 2, 26}, {0, 0, 3, 127}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

START_TEST(loose_round_robin_goes_round_the_warps)
{
    static const Instruction code[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 1, 0, 21}, {0, 2, 0, 22}, {0, 0, 0, 23},
                                      {0, 1, 1, 24}, {0, 2, 1, 25}, {0, 0, 1, 26}};
    g_autoptr(Rig) rig = rig_new("scheduler_policy = loose_round_robin", 0);
    Script *script = add_script(rig, 96, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* CTA 0 ends at 22 and CTA 2 takes its slot at 24, below the slot of the older CTA 1. CTA 3 is
 * greedy from 25 until it ends at 31; CTA 1 and CTA 2 could go on at 27 and 28. */
START_TEST(greedy_then_oldest_stays_and_then_takes_the_oldest)
{
    static const Instruction ends[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction stalls[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Instruction runs[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 9), ALU(INT, 1, 3, 9),
                                       ALU(INT, 1, 4, 9), ALU(INT, 1, 5, 9), ALU(INT, 1, 6, 9),
                                       DO(EXIT)};
    static const Issued expected[] = {{1, 0, 0, 23}, {2, 0, 0, 24}, {1, 0, 1, 32}, {2, 0, 1, 34}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, ends), 0, 20);
    Script *script = add_script(rig, 32, stalls);
    launch(rig, script, 1, 20);
    launch(rig, script, 2, 23);
    launch(rig, add_script(rig, 32, runs), 3, 24);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* Two FP32 instructions are two cycles apart. At 22 the greedy warp and the next one find the unit
 * occupied, the third has an integer instruction; warp 0 and 1 end at 24 and 26. */
START_TEST(an_occupied_unit_lets_another_warp_go_first)
{
    static const Instruction twice[] = {ALU(FP32, 1, 1, 9), ALU(FP32, 1, 2, 9), DO(EXIT)};
    static const Instruction once[] = {ALU(FP32, 1, 1, 9), DO(EXIT)};
    static const Instruction integer[] = {ALU(INT, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 2, 0, 22}, {0, 0, 1, 23}, {0, 1, 0, 25}, {0, 2, 1, 27}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 96, twice);
    script->warp[1] = once;
    script->warp[2] = integer;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "lost_unit_busy"), 2);
}
END_TEST

/* --- memory instructions --- */

/* Four schedulers, each with a load at 21: three lose the slot, then two, then one. Warps without
 * anything ready are met at 22, 23, 24 (1, 2, 3) and, as they end, at 123, 124, 125 (3, 2, 1). */
START_TEST(an_SM_issues_one_memory_instruction_a_cycle)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("schedulers = 4", 0);
    launch(rig, add_script(rig, 128, code), 0, 20);
    run(rig);
    ck_assert_uint_eq(rig->memory->seen->len, 4);
    for (guint i = 0; i < 4; i++) ck_assert_uint_eq(far_side_seen(rig->memory, i)->cycle, 22 + i);
    ck_assert_uint_eq(unit_count(rig->sm, "lost_memory_slot"), 3 + 2 + 1);
    ck_assert_uint_eq(unit_count(rig->sm, "lost_no_ready_warp"), 12);
    ck_assert_uint_eq(unit_count(rig->sm, "load_instructions"), 4);
    ck_assert_uint_eq(unit_bytes(rig->sm, "requested_bytes"), 4 * 128);
}
END_TEST

START_TEST(memory_instructions_are_their_interval_apart)
{
    static const Instruction code[] = {STORE, STORE, LOAD(1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 24}, {0, 0, 2, 27}};
    g_autoptr(Rig) rig = rig_new("memory_interval = 3 cycles", 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "store_instructions"), 2);
}
END_TEST

/* The one place in front of the load/store unit is taken at 21 and free at 23, when the scheduler
 * issues a run of 50 until 72. The next load waits no longer than that, the third until 74. */
START_TEST(a_full_queue_stops_memory_instructions)
{
    static const Instruction loads[] = {LOAD(1), LOAD(2), LOAD(3), DO(EXIT)};
    static const Instruction computes[] = {ALU(FP32, 50, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 1, 0, 22}, {0, 0, 1, 72}, {0, 0, 2, 74}};
    g_autoptr(Rig) rig = rig_new(NULL, 1);
    Script *script = add_script(rig, 64, loads);
    script->warp[1] = computes;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 22 + 49 * 4 + 1 + 1);
}
END_TEST

START_TEST(shared_memory_instructions_come_back_another_way)
{
    static const Instruction code[] = {LOAD(1), ALU(INT, 1, 2, 1), STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new_at(NULL, 0, "from_load_store");
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1 + BACK + 1);
}
END_TEST

START_TEST(loads_of_a_chain_are_measured_apart)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, code);
    script->kernel.dependent_loads = 1;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->count, 2);
    ck_assert_uint_eq(unit_histogram(rig->sm, "dependent_load_latency")->sum, BACK * TIME_NS);
}
END_TEST

/* --- ends and barriers --- */

START_TEST(a_warp_ends_when_its_loads_are_back)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1);
    ck_assert_uint_eq(unit_level(rig->sm, "resident_warps")->integral, BACK * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->sm, "ctas"), 1);
}
END_TEST

START_TEST(a_warp_ends_when_its_stores_have_left)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("cta_waits_for_stores = no", 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + LEFT + 1);
}
END_TEST

START_TEST(a_warp_waits_for_acknowledgements_if_told)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("cta_waits_for_stores = yes", 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    assert_done(rig, 21 + BACK + 1);
}
END_TEST

/* The acknowledgement of CTA 0's store comes at 123; CTA 1's, from the same slot, at 153. */
START_TEST(a_fence_waits_for_the_stores_of_its_own_warp)
{
    static const Instruction stores[] = {STORE, DO(EXIT)};
    static const Instruction fences[] = {STORE, DO(FENCE), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{1, 0, 0, 51}, {1, 0, 1, 51 + BACK}, {1, 0, 2, 154}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, fences);
    launch(rig, add_script(rig, 32, stores), 0, 20);
    launch(rig, script, 1, 50);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* Warp 1 arrives at 22, warp 2 ends at 24, warp 0 arrives at 124: both go on 10 cycles later, warp
 * 1 after warp 0 has ended at 135. */
START_TEST(a_barrier_lets_go_when_all_warps_have_arrived)
{
    static const Instruction late[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(BARRIER), ALU(INT, 1, 3, 9),
                                       DO(EXIT)};
    static const Instruction early[] = {DO(BARRIER), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction ends[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21},  {0, 2, 0, 23},  {0, 0, 1, 123},
                                      {0, 0, 2, 124}, {0, 1, 0, 124}, {0, 0, 3, 134},
                                      {0, 1, 1, 136}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 96, late);
    script->warp[1] = early;
    script->warp[2] = ends;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "barriers"), 1);
}
END_TEST

START_TEST(the_end_of_a_warp_elsewhere_releases_a_barrier)
{
    static const Instruction waits[] = {DO(BARRIER), ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction ends[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {
        {0, 1, 0, 22}, {0, 1, 1, 124}, {0, 0, 0, 125}, {0, 0, 1, 135}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 64, waits);
    script->warp[1] = ends;
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* --- residency --- */

typedef struct {
    uint32_t threads, registers;
    uint64_t shared_bytes;
    uint32_t ctas;
} Residency;

/* In turn: 1792 threads; 32 CTAs; 64 warps, three a CTA, the last with one lane; eight warps of
 * 33 x 32 registers rounded up to 1280 (6.4 CTAs; 7.8 without rounding); 96 KiB of shared memory;
 * all of it at once. */
START_TEST(an_SM_offers_what_its_scarcest_resource_holds)
{
    static const Residency rows[] = {{512, 0, 0, 3},  {32, 16, 0, 32},    {65, 0, 0, 21},
                                     {256, 33, 0, 6}, {32, 16, 20480, 4}, {768, 32, 49152, 2}};
    g_autoptr(Rig) rig =
        rig_new("max_threads = 1792; max_warps = 64; max_ctas = 32; registers = 65536; "
                "register_granularity = 256; shared_memory = 96 KiB",
                0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Script *script = add_script(rig, rows[i].threads, NULL);
        script->kernel.registers_per_thread = rows[i].registers;
        script->kernel.shared_bytes_per_cta = rows[i].shared_bytes;
        launch(rig, script, CTA_KERNEL_START, 20 + i);
    }
    run(rig);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const CtaMessage *offer = (const CtaMessage *)harness_arrival(rig->sink, i)->message;
        ck_assert_msg(offer->count == rows[i].ctas, "kernel %u: %u CTAs", i, offer->count);
        ck_assert_uint_eq(harness_arrival(rig->sink, i)->cycle, 22 + i);
    }
}
END_TEST

START_TEST(a_cta_that_does_not_fit_is_bad_input)
{
    g_autoptr(Rig) rig = rig_new("shared_memory = 96 KiB", 0);
    Script *script = add_script(rig, 32, NULL);
    script->kernel.shared_bytes_per_cta = 98305;
    launch(rig, script, CTA_KERNEL_START, 20);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "98305 B of shared memory does not fit on an SM"));
    ck_assert_int_eq(rig->harness->report.outcome, RUN_BAD_INPUT);
}
END_TEST

HARNESS_MAIN(
    "sm", a_chain_takes_repeat_times_its_latency, latencies_are_those_of_the_execution_unit,
    a_consumer_waits_for_write_back_others_issue, writers_of_one_register_keep_their_order,
    loose_round_robin_goes_round_the_warps, greedy_then_oldest_stays_and_then_takes_the_oldest,
    an_occupied_unit_lets_another_warp_go_first, an_SM_issues_one_memory_instruction_a_cycle,
    memory_instructions_are_their_interval_apart, a_full_queue_stops_memory_instructions,
    shared_memory_instructions_come_back_another_way, loads_of_a_chain_are_measured_apart,
    a_warp_ends_when_its_loads_are_back, a_warp_ends_when_its_stores_have_left,
    a_warp_waits_for_acknowledgements_if_told, a_fence_waits_for_the_stores_of_its_own_warp,
    a_barrier_lets_go_when_all_warps_have_arrived, the_end_of_a_warp_elsewhere_releases_a_barrier,
    an_SM_offers_what_its_scarcest_resource_holds, a_cta_that_does_not_fit_is_bad_input)
