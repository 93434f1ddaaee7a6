/* Memory that DRAM has not room for, in a whole machine: 1 MiB of DRAM, pages of 16 KiB in blocks
 * of 64 KiB, a link of 12 GB/s. */
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

#define PAGED                                                                                      \
    "paging.mode = demand; paging.memory_bytes = 1 MiB; paging.page_bytes = 16 KiB;"               \
    "paging.block_bytes = 64 KiB; pager.fault_latency = 5 us; pager.move_latency = 1 us;"
#define STREAM                                                                                     \
    "workload.pattern = stream; workload.threads_per_cta = 256; workload.element_bytes = 16 B;"    \
    "workload.array_bytes = "
#define LAPS                                                                                       \
    "workload.pattern = program; workload.ctas = 3; workload.threads_per_cta = 1024;"              \
    "workload.code = global B[98304] of 16 B\n for lap in 0..3 {\n for i in 0..98304 step 3072 "   \
    "unroll 4 {\n x = load B[i + cta * 1024 + thread]\n }\n }"

typedef struct {
    const char *settings, *workload;
} Plan;

typedef struct {
    RunReport report;
    Time span;
    uint64_t bytes_in, bytes_out, moves_in, batches, evictions, prefetched, used, waits;
} Ran;

static void run_machine(const void *input, void *result)
{
    const Plan *plan = input;
    Ran *ran = result;
    g_autoptr(Machine) machine = small_machine_new(plan->settings, plan->workload);
    ran->report = small_machine_run(machine);
    ran->span = machine_measured_span(machine, NULL);
    ran->waits = small_machine_sum(machine, "l2_slice", "page_waits");
    ran->bytes_in = small_machine_sum(machine, "pager", "bytes_in");
    ran->bytes_out = small_machine_sum(machine, "pager", "bytes_out");
    ran->moves_in = small_machine_sum(machine, "pager", "moves_in");
    ran->batches = small_machine_sum(machine, "pager", "batches");
    ran->evictions = small_machine_sum(machine, "pager", "evictions");
    ran->prefetched = small_machine_sum(machine, "pager", "prefetched");
    ran->used = small_machine_sum(machine, "pager", "prefetched_used");
}

static Ran run(const char *settings, const char *workload)
{
    Ran ran = {0};
    run_apart(run_machine, &(Plan){settings, workload}, &ran, sizeof ran);
    ck_assert_int_eq(ran.report.outcome, RUN_FINISHED);
    return ran;
}

enum { MIB = 1 << 20, FAULT_US = 5 };

/* ns that the link takes for what came. */
static uint64_t link_time(const Ran *ran)
{
    return ran->bytes_in / 12 + ran->moves_in * 1000;
}

/* Twice what DRAM holds, every byte once: as fast as the link, and no faster. */
START_TEST(a_stream_over_twice_the_capacity_is_as_fast_as_the_link)
{
    const Ran ran = run(PAGED, STREAM "2 MiB; workload.operation = read");
    ck_assert_uint_eq(ran.bytes_in, 2 * MIB);
    ck_assert_uint_eq(ran.evictions, 16);
    ck_assert_uint_eq(ran.bytes_out, 0); /* nothing was written */
    ck_assert_uint_eq(ran.used, ran.prefetched);
    ck_assert_uint_ge(ran.span / TIME_NS, link_time(&ran));
    ck_assert_uint_le(ran.span / TIME_NS,
                      link_time(&ran) + ran.batches * (FAULT_US * 1000 + 500) + 5000);
}
END_TEST

START_TEST(a_faster_link_and_a_neighbourhood_make_it_faster)
{
    const Ran slow = run(PAGED "pager.prefetch = none", STREAM "2 MiB; workload.operation = read"),
              tree = run(PAGED, STREAM "2 MiB; workload.operation = read"),
              fast = run(PAGED "host_link.gbps = 48", STREAM "2 MiB; workload.operation = read");
    ck_assert_uint_eq(slow.prefetched, 0);
    ck_assert_uint_gt(tree.prefetched, 0);
    ck_assert_uint_lt(tree.moves_in, slow.moves_in);
    ck_assert_uint_lt(tree.span, slow.span);
    ck_assert_uint_lt(fast.span, tree.span);
}
END_TEST

/* 1.5 MiB three times: the block that came first is wanted next, so all comes three times. Twice
 * the DRAM, and it comes once. */
START_TEST(twice_the_capacity_holds_what_is_used_again)
{
    const Ran small = run(PAGED, LAPS), large = run(PAGED "paging.memory_bytes = 2 MiB", LAPS);
    ck_assert_uint_eq(small.bytes_in, 3 * 3 * MIB / 2);
    ck_assert_uint_eq(large.bytes_in, 3 * MIB / 2);
    ck_assert_uint_eq(large.evictions, 0);
    ck_assert_uint_gt(small.span, 2 * large.span);
}
END_TEST

/* Of three arrays of 1 MiB one is written: what of it goes crosses the link, unless it stays. */
START_TEST(what_was_written_goes_back)
{
    const Ran written = run(PAGED, STREAM "1 MiB; workload.operation = triad"),
              all = run(PAGED "pager.write_back = all", STREAM "1 MiB; workload.operation = triad");
    ck_assert_uint_gt(written.bytes_out, 0);
    ck_assert_uint_le(written.bytes_out, MIB);
    ck_assert_uint_ge(all.bytes_out, 2 * MIB);
}
END_TEST

static const char *const orders[] = {"simulation.deployment = sm", "simulation.deployment = unit",
                                     "simulation.quantum = 3 ns"};

#define FEW_AT_RANDOM                                                                              \
    "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"                 \
    "workload.iterations = 2; workload.operation = load_store; workload.footprint = "
#define TIGHT                                                                                      \
    PAGED "paging.memory_bytes = 256 KiB; l2_slice.page_entries = 4; l2_slice.page_requests = 40;" \
          "pager.fault_latency = 1 us; pager.move_latency = 0 us; host_link.gbps = 1000;"

START_TEST(each_deployment_pages_alike)
{
    const Ran one = run(TIGHT, FEW_AT_RANDOM "1 MiB");
    ck_assert_uint_gt(one.evictions, 16);
    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        g_autofree char *settings = g_strconcat(TIGHT, orders[i], NULL);
        const Ran other = run(settings, FEW_AT_RANDOM "1 MiB");
        ck_assert_uint_eq(one.report.hash, other.report.hash);
        ck_assert_uint_eq(one.report.end, other.report.end);
        ck_assert_uint_eq(one.bytes_out, other.bytes_out);
    }
}
END_TEST

/* Room for two blocks, prefetched whole, and everybody wants another one. */
START_TEST(the_least_memory_is_enough_to_go_on)
{
    const Ran ran =
        run(PAGED "paging.memory_bytes = 128 KiB; pager.prefetch = block", FEW_AT_RANDOM "1 MiB");
    ck_assert_uint_gt(ran.evictions, 16);
}
END_TEST

/* No unit is added, and no message. */
START_TEST(without_paging_nothing_is_different)
{
    const Ran none = run("", STREAM "256 KiB; workload.operation = read"),
              unlimited =
                  run("paging.mode = unlimited", STREAM "256 KiB; workload.operation = read");
    ck_assert_uint_eq(none.report.hash, unlimited.report.hash);
    ck_assert_uint_eq(none.waits, 0);
    const Ran large =
        run("paging.mode = unlimited; dram.rows = 4", STREAM "256 KiB; workload.operation = read");
    ck_assert_uint_eq(large.waits, 0);
}
END_TEST

HARNESS_MAIN("paging", a_stream_over_twice_the_capacity_is_as_fast_as_the_link,
             a_faster_link_and_a_neighbourhood_make_it_faster,
             twice_the_capacity_holds_what_is_used_again, what_was_written_goes_back,
             each_deployment_pages_alike, the_least_memory_is_enough_to_go_on,
             without_paging_nothing_is_different)
