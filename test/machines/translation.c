/* What translation costs in a whole machine: one thread walks over more pages than a level of TLBs
 * covers, one line a page, so that with LRU every load misses that level. The lines stay in L2.
 * L1 is off; what is compared is the time a load takes with the MMU and without. */
#include <check.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* Parameter sets that meet published latencies. Maxwell: GTX 980 (Mei and Chu 2017, fig. 14):
 * 214 cycles, L1 TLB miss 225, L2 TLB miss 289, data miss 383, with a cold walk 2461, with a
 * switch of the page table 2750. */
#define MAXWELL                                                                                    \
    "mmu.enabled = yes; l1.tlb_entries = 16; l1.tlb_entry_bytes = 128 KiB;"                        \
    "mmu.tlb_entries = 64; mmu.tlb_entry_bytes = 2 MiB; mmu.walk_cache_entries = 64;"              \
    "mmu.walk_cache_entry_bytes = 32 MiB; channels.l1_to_mmu = 4 cycles; mmu.hit_latency = 3 "     \
    "cycles; channels.mmu_to_l1 = 4 cycles; mmu.walk_hit_latency = 64 cycles;"                     \
    "mmu.walk_levels = 3; mmu.directory_entries = 0; mmu.walk_level_latency = 689 cycles;"
#define MAXWELL_WINDOW "mmu.active_window = 512 MiB; mmu.window_switch_latency = 289 cycles;"

/* GTX 780: 198, 204, 257; 339, 702, 968. */
#define KEPLER                                                                                     \
    "mmu.enabled = yes; l1.tlb_entries = 16; l1.tlb_entry_bytes = 128 KiB;"                        \
    "mmu.tlb_entries = 64; mmu.tlb_entry_bytes = 2 MiB; mmu.walk_cache_entries = 64;"              \
    "mmu.walk_cache_entry_bytes = 32 MiB; channels.l1_to_mmu = 2 cycles; mmu.hit_latency = 2 "     \
    "cycles; channels.mmu_to_l1 = 2 cycles; mmu.walk_hit_latency = 53 cycles;"                     \
    "mmu.walk_levels = 3; mmu.directory_entries = 0; mmu.walk_level_latency = 119 cycles;"
#define KEPLER_WINDOW "mmu.active_window = 512 MiB; mmu.window_switch_latency = 266 cycles;"

/* V100 (gpu-benches' gpu-latency): 428.3 cycles at 32 MiB, 437.0 at 1.5 GiB. */
#define VOLTA "mmu.enabled = yes;"

/* The same levels, read from L2: they stay there, and each takes 10 cycles, 50 down, L2's 33, 50
 * back. */
#define READ_L2                                                                                    \
    "mmu.walks_read_l2 = yes; mmu.walk_level_latency = 10 cycles;"                                 \
    "channels.mmu_to_l2 = 50 cycles; channels.l2_to_mmu = 50 cycles;"

enum { MIB = 1 << 20, LAP = 4, LEVEL = 10 + 50 + 33 + 50 };

static const struct {
    const char *settings;
    uint64_t pitch; /* bytes from page to page */
    uint64_t pages, extra;
} rows[] = {
    {MAXWELL, MIB / 8, 16, 0},
    {MAXWELL, MIB / 8, 17, 225 - 214},
    {MAXWELL, 2 * MIB, 64, 225 - 214},
    {MAXWELL, 2 * MIB, 65, 289 - 214},
    {MAXWELL, 32 * MIB, 65, 2461 - 383},
    {MAXWELL MAXWELL_WINDOW, UINT64_C(512) * MIB, 65, 2750 - 383},
    {KEPLER, MIB / 8, 16, 0},
    {KEPLER, MIB / 8, 17, 204 - 198},
    {KEPLER, 2 * MIB, 65, 257 - 198},
    {KEPLER, 32 * MIB, 65, 702 - 339},
    {KEPLER KEPLER_WINDOW, UINT64_C(512) * MIB, 65, 968 - 339},
    {KEPLER READ_L2, 32 * MIB, 65, 6 + 3 * LEVEL},
    {KEPLER READ_L2 "mmu.directory_entries = 8;", 32 * MIB, 65, 6 + LEVEL},
    {VOLTA, 2 * MIB, 16, 0},
    {VOLTA, 2 * MIB, 17, 437 - 428},
    {VOLTA, 32 * MIB, 256, 437 - 428},
    /* beyond 8 GiB, assumed: the last level is read from memory */
    {VOLTA "mmu.directory_entries = 32;", 32 * MIB, 257, 437 - 428 + 180},
    {VOLTA "l1.tlb_hit_latency = 5 cycles;", 2 * MIB, 8, 5},
    {VOLTA "pages.frames = scattered; channels.l1_to_mmu = 8 cycles;", 2 * MIB, 17, 14},
};

static uint64_t kernel_cycles(const char *settings, uint64_t pitch, uint64_t pages, uint64_t loads)
{
    g_autofree char *workload = g_strdup_printf(
        "l1.cached = none; l2_slice.capacity = 64 KiB; dram.rows = 1048576;"
        "workload.pattern = pointer_chase;"
        "workload.warps = 1; workload.node_pitch = %" G_GUINT64_FORMAT
        " B; workload.working_set = %" G_GUINT64_FORMAT " B; workload.loads = %" G_GUINT64_FORMAT,
        pitch + 256, pages * (pitch + 256), loads);
    g_autoptr(Machine) machine = small_machine_new(settings, workload);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const KernelTime *time = &g_array_index(machine_kernel_times(machine), KernelTime, 0);
    return (time->end - time->start) / machine_clock(machine, "core")->period;
}

/* In a process of its own, because each has one engine. */
static uint64_t kernel_cycles_apart(const char *settings, uint64_t pitch, uint64_t pages,
                                    uint64_t loads)
{
    int ends[2], state;
    uint64_t cycles = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) {
        cycles = kernel_cycles(settings, pitch, pages, loads);
        _exit(write(ends[1], &cycles, sizeof cycles) != sizeof cycles);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &cycles, sizeof cycles), sizeof cycles);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(state, 0);
    return cycles;
}

/* Cycles of `LAP` laps over all pages, once all is warm. */
static uint64_t steady_cycles(const char *settings, uint64_t pitch, uint64_t pages)
{
    return kernel_cycles_apart(settings, pitch, pages, 2 * LAP * pages)
           - kernel_cycles_apart(settings, pitch, pages, LAP * pages);
}

START_TEST(each_level_of_TLBs_costs_what_was_measured)
{
    const uint64_t off = steady_cycles(NULL, rows[_i].pitch, rows[_i].pages),
                   on = steady_cycles(rows[_i].settings, rows[_i].pitch, rows[_i].pages);
    ck_assert_uint_ge(on, off);
    ck_assert_msg(on - off == LAP * rows[_i].pages * rows[_i].extra,
                  "%s %" G_GUINT64_FORMAT ": %.3f instead of %" G_GUINT64_FORMAT, rows[_i].settings,
                  rows[_i].pages, (double)(on - off) / (double)(LAP * rows[_i].pages),
                  rows[_i].extra);
}
END_TEST

/* --- levels that are read from L2 ------------------------------------------------------------- */

#define RANDOM_PAGES                                                                               \
    "workload.pattern = random; workload.ctas = 6; workload.threads_per_cta = 64;"                 \
    "workload.iterations = 4; workload.footprint = 256 MiB"

static Machine *ran(const char *settings)
{
    g_autofree char *all =
        g_strconcat("mmu.enabled = yes; mmu.tlb_entries = 8; mmu.tlb_entry_bytes = 128 KiB;"
                    "l1.tlb_entries = 4; l1.tlb_entry_bytes = 128 KiB; pages.page_bytes = 128 KiB;"
                    "mmu.directory_entries = 1;",
                    settings, NULL);
    Machine *machine = small_machine_new(all, RANDOM_PAGES);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    return machine;
}

START_TEST(walks_are_requests_to_L2_and_bytes_from_DRAM)
{
    g_autoptr(Machine) machine = ran("mmu.walks_read_l2 = yes");
    const uint64_t reads = small_machine_sum(machine, "mmu", "table_reads");
    ck_assert_uint_gt(reads, small_machine_sum(machine, "mmu", "walks"));
    ck_assert_uint_eq(reads, small_machine_sum(machine, "mmu", "levels_read"));
    ck_assert_uint_eq(reads, small_machine_sum(machine, "mmu", "table_replies"));
    ck_assert_uint_eq(reads, small_machine_sum(machine, "l2_slice", "table_accesses"));
    ck_assert_uint_eq(reads + small_machine_sum(machine, "l2_slice", "global_accesses"),
                      small_machine_sum(machine, "l2_slice", "accesses"));
    /* in its caches the table makes room for data, and data for it */
    const uint64_t hits = small_machine_sum(machine, "l2_slice", "table_hits");
    ck_assert_uint_gt(hits, 0);
    ck_assert_uint_gt(reads, hits);
    ck_assert_uint_gt(small_machine_sum(machine, "l2_slice", "evicted_by_other_class"), 0);
    ck_assert_uint_gt(small_machine_sum(machine, "l2_slice", "bytes_filled"),
                      32 * small_machine_sum(machine, "l2_slice", "global_accesses"));
}
END_TEST

START_TEST(walks_of_fixed_levels_ask_nobody)
{
    g_autoptr(Machine) machine = ran("");
    ck_assert_uint_gt(small_machine_sum(machine, "mmu", "levels_read"), 0);
    ck_assert_uint_eq(small_machine_sum(machine, "mmu", "table_reads"), 0);
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "table_accesses"), 0);
}
END_TEST

/* What cold walks add to a chase of loads from DRAM. */
static uint64_t cost_of_walks(const char *settings, const char *dram)
{
    g_autofree char *with = g_strconcat(settings, dram, NULL);
    return kernel_cycles_apart(with, 32 * MIB, 65, 64)
           - kernel_cycles_apart(dram, 32 * MIB, 65, 64);
}

/* 100 cycles of 877 MHz; further ones come from refreshes that are met or not. */
START_TEST(a_walk_takes_longer_where_DRAM_does)
{
    static const char *const slow = "dram.CL = 112 cycles";
    const uint64_t cycles = 64 * 100 * 1380 / 877;
    ck_assert_uint_lt(cost_of_walks(KEPLER, slow), cost_of_walks(KEPLER, "") + cycles / 5);
    const uint64_t fast = cost_of_walks(KEPLER READ_L2, "");
    ck_assert_uint_gt(cost_of_walks(KEPLER READ_L2, slow), fast + cycles * 9 / 10);
    ck_assert_uint_lt(cost_of_walks(KEPLER READ_L2, slow), fast + cycles * 13 / 10);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("translation");
    tcase_add_test(cases, walks_are_requests_to_L2_and_bytes_from_DRAM);
    tcase_add_test(cases, walks_of_fixed_levels_ask_nobody);
    tcase_add_test(cases, a_walk_takes_longer_where_DRAM_does);
    tcase_add_loop_test(cases, each_level_of_TLBs_costs_what_was_measured, 0, G_N_ELEMENTS(rows));
    return harness_run_cases("translation", cases);
}
