/* Behaviours of an SM and its first level that emerge in a whole machine: each test runs a shipped
 * scenario and compares its variants. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

static double number(const char *folder, const char *variant, const char *path)
{
    return result_number(folder, variant, path);
}

#define NEAR(value, expected, relative)                                                            \
    do {                                                                                           \
        const double value_ = (value);                                                             \
        ck_assert_msg(fabs(value_ / (expected)-1) <= (relative), "%s: %g, expected %g", #value,    \
                      value_, (double)(expected));                                                 \
    } while (0)
#define LESS(smaller, larger)                                                                      \
    do {                                                                                           \
        const double smaller_ = (smaller), larger_ = (larger);                                     \
        ck_assert_msg(smaller_ < larger_, "%s: %g, %s: %g", #smaller, smaller_, #larger, larger_); \
    } while (0)

/* The file is full and 64 warps are resident in all three. */
START_TEST(more_registers_for_the_kernel_that_runs_often_beat_equal_shares)
{
    char *folder = ran("two-kernels");
    LESS(cycles_of(folder, "uneven"), 0.6 * cycles_of(folder, "equal"));
    LESS(1.5 * cycles_of(folder, "equal"), cycles_of(folder, "reversed"));
    static const char *const variants[] = {"equal", "uneven", "reversed"};
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
        ck_assert_double_eq(number(folder, variants[i], "units.sm.total.resident_warps.max"), 64);
        ck_assert_double_eq(number(folder, variants[i], "units.sm.total.registers_allocated.max"),
                            65536);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(spills_and_resident_warps_have_their_optimum_inside)
{
    char *folder =
        ran("spills --variant registers-255 --variant registers-64 --variant registers-24");
    LESS(2 * cycles_of(folder, "registers-64"), cycles_of(folder, "registers-255"));
    LESS(2 * cycles_of(folder, "registers-64"), cycles_of(folder, "registers-24"));
    temporary_remove(folder);
}
END_TEST

START_TEST(stages_of_register_access_cost_one_warp_and_not_many)
{
    char *folder = ran("register-access");
    NEAR(summary_of(folder, "stages", "cycles_per_load"), 10, 0.01);
    NEAR(summary_of(folder, "single", "cycles_per_load"), 6, 0.02);
    /* three of execution, and one for the other half of the lanes */
    NEAR(summary_of(folder, "stages-forwarded", "cycles_per_load"), 4, 0.02);
    /* 16 warps of a scheduler take turns */
    NEAR(summary_of(folder, "stages-64-warps", "cycles_per_load"), 16, 0.01);
    NEAR(summary_of(folder, "single-64-warps", "cycles_per_load"), 16, 0.01);
    temporary_remove(folder);
}
END_TEST

/* With 32 registers a thread all warps begin in bank 0, with 34 in banks 0 and 2. */
START_TEST(where_blocks_begin_decides_on_conflicts)
{
    char *folder = ran("register-banks");
    LESS(2 * cycles_of(folder, "begins-in-two-banks"), cycles_of(folder, "begins-in-one-bank"));
    LESS(1.5 * cycles_of(folder, "begins-in-all-banks"), cycles_of(folder, "begins-in-one-bank"));
    LESS(1.1 * cycles_of(folder, "results-at-once"), cycles_of(folder, "results-one-port"));
    NEAR(cycles_of(folder, "results-one-port-all-banks"), cycles_of(folder, "results-at-once"),
         0.01);
    temporary_remove(folder);
}
END_TEST

START_TEST(warps_hide_latency_and_so_do_loads_under_way)
{
    char *folder = ran("latency-hiding");
    NEAR(cycles_of(folder, "1-warp") / cycles_of(folder, "16-warps"), 16, 0.05);
    LESS(40 * cycles_of(folder, "64-warps"), cycles_of(folder, "1-warp"));
    /* less than 4: two neighbouring lines are in a row that closes behind the first */
    NEAR(cycles_of(folder, "1-warp") / cycles_of(folder, "1-warp-4-loads"), 3.5, 0.05);
    temporary_remove(folder);
}
END_TEST

static double rate(const char *folder, const char *variant)
{
    return summary_of(folder, variant, "instructions_per_cycle");
}

/* Nine a cycle is what Kepler's units take, 6.25 Maxwell's. */
START_TEST(utilisation_follows_dispatch_width_and_wiring)
{
    char *folder = ran("dispatch");
    NEAR(rate(folder, "half-1"), 4, 0.02);
    NEAR(rate(folder, "own-1"), 4, 0.02);
    NEAR(rate(folder, "half-2"), 8, 0.03);
    NEAR(rate(folder, "own-4"), 9, 0.03);
    NEAR(rate(folder, "half-4"), 9, 0.03);
    LESS(rate(folder, "own-2"), 0.92 * rate(folder, "own-4"));
    NEAR(rate(folder, "maxwell-1"), 4, 0.02);
    NEAR(rate(folder, "maxwell-2"), 6.25, 0.02);
    temporary_remove(folder);
}
END_TEST

/* 9 and 10 of Kepler's dispatch width of 8, 6.25 of Maxwell's. */
START_TEST(units_accept_more_or_less_than_the_real_width_dispatches)
{
    char *folder = ran("issue-mix");
    NEAR(rate(folder, "kepler-wide") / 8, 1.125, 0.03);
    NEAR(rate(folder, "kepler-wide-double") / 8, 1.25, 0.03);
    NEAR(rate(folder, "documents-wide") / 8, 1.125, 0.03);
    LESS(rate(folder, "kepler"), 8);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_scheduler_that_withholds_the_slot_loses_more_with_its_own_units_only)
{
    char *folder = ran("dispatch --variant half-2 --variant own-2 --variant half-2-withhold "
                       "--variant own-2-withhold");
    LESS(rate(folder, "half-2-withhold"), rate(folder, "half-2"));
    LESS(rate(folder, "own-2-withhold"), 0.95 * rate(folder, "half-2-withhold"));
    static const char *const lost[] = {"units.sm.total.core_lost", "units.sm.total.fp64_lost",
                                       "units.sm.total.sfu_lost", "units.sm.total.load_store_lost"};
    for (guint i = 0; i < G_N_ELEMENTS(lost); i++)
        LESS(5 * number(folder, "own-2", lost[i]), number(folder, "own-2-withhold", lost[i]));
    temporary_remove(folder);
}
END_TEST

START_TEST(k_lines_take_k_passes)
{
    char *folder = ran("coalescing");
    const double one = number(folder, "lines-1", "units.l1.total.wavefronts");
    ck_assert_double_eq(one, number(folder, "lines-1", "units.load_store.total.instructions"));
    for (int k = 2; k <= 32; k *= 2) {
        g_autofree char *variant = g_strdup_printf("lines-%d", k);
        ck_assert_double_eq(number(folder, variant, "units.l1.total.wavefronts"), k * one);
    }
    NEAR(cycles_of(folder, "lines-32") / cycles_of(folder, "lines-16"), 2, 0.05);
    ck_assert_double_eq(number(folder, "lines-1", "units.load_store.total.uncoalesced"), 0);
    ck_assert_double_eq(number(folder, "lines-8", "units.load_store.total.uncoalesced"), one);
    temporary_remove(folder);
}
END_TEST

/* 2 cycles for each further way; with 32 warps under way a pass a cycle. */
START_TEST(shared_memory_is_as_fast_as_its_most_wanted_bank)
{
    char *folder = ran("bank-conflicts --variant 1-way --variant 2-way --variant 32-way "
                       "--variant stride-33 --variant many-8-way");
    static const char *const load = "cycles_per_load";
    const double one = summary_of(folder, "1-way", load);
    ck_assert_double_eq(summary_of(folder, "stride-33", load), one);
    NEAR(summary_of(folder, "2-way", load), one + 2, 0.001);
    NEAR(summary_of(folder, "32-way", load), one + 2 * 31, 0.001);
    NEAR(summary_of(folder, "many-8-way", load), 8, 0.02);
    temporary_remove(folder);
}
END_TEST

static double hit_rate(const char *folder, const char *variant)
{
    return number(folder, variant, "summary.l1.hit_rate");
}

#define FIVE_LANES                                                                                 \
    "[scenario]\nextends = v100\n\n[machine]\nsms = 1\n\n[workload]\npattern = program\n"          \
    "ctas = 1\nthreads_per_cta = 32\ncode =\n  shared s[64]\n  register x\n"                       \
    "  if lane < 5 {\n    store s[lane]\n    x = load s[lane]\n  }\n  x = int x\n"

/* Five lanes store, and load, 4 bytes each. */
START_TEST(lanes_that_are_not_active_take_no_part_in_shared_memory)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "lanes.ini", FIVE_LANES);
    run(folder, file);
    ck_assert_double_eq(number(folder, "baseline", "profile.instructions.0.bytes"), 5 * 4);
    ck_assert_double_eq(number(folder, "baseline", "profile.instructions.1.bytes"), 5 * 4);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_carve_out_decides_what_a_program_for_small_shared_memory_finds_in_L1)
{
    char *folder = ran("carve-out");
    LESS(hit_rate(folder, "small-32-32"), hit_rate(folder, "small-16-48"));
    LESS(2 * hit_rate(folder, "small-48-16"), hit_rate(folder, "small-32-32"));
    LESS(cycles_of(folder, "small-16-48"), cycles_of(folder, "small-32-32"));
    LESS(1.4 * cycles_of(folder, "small-32-32"), cycles_of(folder, "small-48-16"));
    LESS(1.3 * cycles_of(folder, "large-48-16"), cycles_of(folder, "small-16-48"));
    temporary_remove(folder);
}
END_TEST

/* Two CTAs of 1024 threads and 14 KiB fit on an SM; one of 42 KiB does. */
START_TEST(the_automatic_carve_out_is_the_smallest_that_does_not_limit_the_CTAs)
{
    char *folder = ran("carve-out --variant small-32-32 --variant large-48-16");
    char *automatic = ran("carve-out --variant small-32-32 --variant large-48-16 "
                          "--set first_level.carve_out=automatic");
    ck_assert_double_eq(cycles_of(automatic, "small-32-32"), cycles_of(folder, "small-32-32"));
    ck_assert_double_eq(cycles_of(automatic, "large-48-16"), cycles_of(folder, "large-48-16"));
    temporary_remove(folder);
    temporary_remove(automatic);
}
END_TEST

static double l1_count(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.l1.total.%s", name);
    return number(folder, variant, path);
}

START_TEST(room_for_replays_bounds_the_area_and_little_of_it_costs_time)
{
    char *folder = ran("replay-room");
    ck_assert_double_eq(l1_count(folder, "room-1", "replay_room.max"), 1);
    ck_assert_double_eq(l1_count(folder, "room-6", "replay_room.max"), 6);
    LESS(16, l1_count(folder, "unbounded", "replay_room.max"));
    LESS(0, l1_count(folder, "room-6", "refused_room"));
    ck_assert_double_eq(l1_count(folder, "unbounded", "refused_room"), 0);
    LESS(1.4 * cycles_of(folder, "room-6"), cycles_of(folder, "room-1"));
    temporary_remove(folder);
}
END_TEST

static double with_rest(const char *folder, const char *variant)
{
    return l1_count(folder, variant, "replays") - l1_count(folder, variant, "wasted_replays");
}

/* 32 warps of 16 loads leave 15 passes each; others come back in vain, one a cycle at most. Room
 * for two is worth nearly as much time as any, and spares most of what is in vain. */
START_TEST(room_for_replays_costs_writes_of_the_buffer)
{
    static const char *const rooms[] = {"room-1", "room-2", "room-6", "room-16", "unbounded"};
    char *folder = ran("replay-room");
    double wasted = -1;
    for (guint i = 0; i < G_N_ELEMENTS(rooms); i++) {
        ck_assert_double_eq(with_rest(folder, rooms[i]), 32 * 16 * 15);
        LESS(l1_count(folder, rooms[i], "replays"), cycles_of(folder, rooms[i]));
        LESS(wasted, l1_count(folder, rooms[i], "wasted_replays"));
        wasted = l1_count(folder, rooms[i], "wasted_replays");
    }
    ck_assert_double_eq(l1_count(folder, "room-1", "wasted_replays"), 0);
    LESS(5 * l1_count(folder, "room-2", "wasted_replays"), wasted);
    LESS(cycles_of(folder, "unbounded"), cycles_of(folder, "room-2"));
    LESS(cycles_of(folder, "room-2"), 1.05 * cycles_of(folder, "unbounded"));
    ck_assert_double_eq(l1_count(folder, "no-conflicts", "replays"), 0);
    temporary_remove(folder);
}
END_TEST

/* 1,024 misses, 16 at a time. */
START_TEST(misses_hold_room_and_more_than_may_be_outstanding_is_wasted)
{
    char *folder = ran("replay-room");
    LESS(5 * cycles_of(folder, "misses-6"), cycles_of(folder, "misses-1"));
    LESS(2 * cycles_of(folder, "misses-16"), cycles_of(folder, "misses-6"));
    NEAR(cycles_of(folder, "misses-unbounded"), cycles_of(folder, "misses-16"), 0.03);
    NEAR(cycles_of(folder, "misses-unbounded"), cycles_of(folder, "misses-read-by-L1"), 0.02);
    LESS(l1_count(folder, "misses-16", "wasted_replays"), 0.2 * 1024);
    ck_assert_double_eq(with_rest(folder, "misses-16"), 1024);
    LESS(2 * 1024, l1_count(folder, "misses-unbounded", "wasted_replays"));
    ck_assert_double_eq(with_rest(folder, "misses-unbounded"), 1024);
    ck_assert_double_eq(with_rest(folder, "misses-read-by-L1"), 0);
    temporary_remove(folder);
}
END_TEST

START_TEST(serial_access_takes_longer_and_reads_one_way)
{
    char *folder = ran("l1-switches --variant parallel --variant serial --variant encoded");
    const double parallel = summary_of(folder, "parallel", "cycles_per_load");
    NEAR(summary_of(folder, "serial", "cycles_per_load"), parallel + 2, 0.001);
    NEAR(summary_of(folder, "encoded", "cycles_per_load"), parallel + 3, 0.001);
    NEAR(l1_count(folder, "parallel", "array_reads"), 4 * 2048, 0.01);
    NEAR(l1_count(folder, "serial", "array_reads"), 2048, 0.01);
    temporary_remove(folder);
}
END_TEST

START_TEST(misses_that_return_in_order_wait_for_each_other)
{
    char *folder = ran("l1-switches --variant any-order --variant in-order");
    ck_assert_double_eq(l1_count(folder, "any-order", "held_in_order"), 0);
    LESS(0.5 * l1_count(folder, "in-order", "misses"),
         l1_count(folder, "in-order", "held_in_order"));
    LESS(1.03 * cycles_of(folder, "any-order"), cycles_of(folder, "in-order"));
    LESS(1.03 * number(folder, "any-order", "summary.load_latency_cycles.mean"),
         number(folder, "in-order", "summary.load_latency_cycles.mean"));
    temporary_remove(folder);
}
END_TEST

START_TEST(stores_follow_the_write_policy_of_their_space)
{
    char *folder = ran("l1-switches --variant masked --variant fetch-first --variant bypass "
                       "--variant allocate --variant local-part");
    ck_assert_double_eq(l1_count(folder, "masked", "store_fetches"), 0);
    ck_assert_double_eq(l1_count(folder, "fetch-first", "store_fetches"),
                        l1_count(folder, "fetch-first", "writes"));
    LESS(1.5 * cycles_of(folder, "masked"), cycles_of(folder, "fetch-first"));
    /* 4 CTAs of 8 warps store 4 lines each and read them */
    ck_assert_double_eq(l1_count(folder, "bypass", "misses"), 128);
    LESS(127 * 128, l1_count(folder, "bypass", "bytes_to_network"));
    ck_assert_double_eq(l1_count(folder, "allocate", "misses"), 0);
    ck_assert_double_eq(l1_count(folder, "allocate", "bytes_to_network"), 0);
    ck_assert_double_eq(l1_count(folder, "local-part", "store_fetches"), 128);
    LESS(cycles_of(folder, "allocate"), cycles_of(folder, "bypass"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_small_write_data_buffer_refuses_stores)
{
    char *folder = ran("l1-switches --variant buffer-32 --variant buffer-2 "
                       "--variant shared-buffer-32 --variant shared-buffer-1");
    LESS(5 * cycles_of(folder, "shared-buffer-32"), cycles_of(folder, "shared-buffer-1"));
    LESS(1.1 * l1_count(folder, "buffer-32", "refused_write_buffer"),
         l1_count(folder, "buffer-2", "refused_write_buffer"));
    ck_assert_double_eq(l1_count(folder, "buffer-2", "write_buffer.max"), 2);
    /* in the end memory is as far: stores wait in warps instead */
    LESS(1.05 * number(folder, "buffer-32", "summary.kernels.0.issue_cycles"),
         number(folder, "buffer-2", "summary.kernels.0.issue_cycles"));
    temporary_remove(folder);
}
END_TEST

static double monitored(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.coherence_monitor.total.%s", name);
    return number(folder, variant, path);
}

START_TEST(what_L1_may_cache_decides_on_hits_and_on_stale_ones)
{
    char *folder = ran("coherence");
    LESS(1.5 * l1_count(folder, "read-only", "hits"), l1_count(folder, "all", "hits"));
    LESS(1.5 * monitored(folder, "read-only", "stale_hits"),
         monitored(folder, "all", "stale_hits"));
    LESS(0, monitored(folder, "local-and-read-only", "stale_hits"));
    ck_assert_double_eq(monitored(folder, "local-only", "stale_hits"), 0);
    ck_assert_double_eq(l1_count(folder, "none", "hits"), 0);
    LESS(0, l1_count(folder, "local-only", "hits"));
    LESS(l1_count(folder, "local-only", "hits"), l1_count(folder, "local-and-read-only", "hits"));
    LESS(l1_count(folder, "local-and-read-only", "hits"), l1_count(folder, "all", "hits"));
    LESS(l1_count(folder, "read-only", "hits"), l1_count(folder, "local-and-read-only", "hits"));
    /* what the texture unit's cache keeps is as old as what L1 keeps of the same loads */
    LESS(0.5 * monitored(folder, "local-and-read-only", "stale_hits"),
         monitored(folder, "read-only-through-texture", "stale_hits"));
    /* own stores pass its cache by; what L1s keep is in no other copy */
    LESS(0, monitored(folder, "own-parts-through-texture", "stale_hits"));
    ck_assert_double_eq(monitored(folder, "own-parts-through-texture", "conflicting_writes"), 0);
    LESS(0, monitored(folder, "kept", "kept_stores"));
    LESS(monitored(folder, "all", "stale_hits"), monitored(folder, "kept", "stale_hits"));
    temporary_remove(folder);
}
END_TEST

START_TEST(who_keeps_to_his_part_neither_conflicts_nor_reads_old_data)
{
    char *folder = ran("coherence --variant all --variant own-parts --variant same-word");
    LESS(0, monitored(folder, "all", "conflicting_writes"));
    ck_assert_double_eq(monitored(folder, "own-parts", "conflicting_writes"), 0);
    ck_assert_double_eq(monitored(folder, "own-parts", "stale_hits"), 0);
    LESS(0, l1_count(folder, "own-parts", "hits"));
    ck_assert_double_eq(number(folder, "all", "units.load_store.total.conflicting_stores"), 0);
    /* 4 CTAs of 8 warps, 4 times two stores */
    ck_assert_double_eq(number(folder, "same-word", "units.load_store.total.conflicting_stores"),
                        256);
    temporary_remove(folder);
}
END_TEST

START_TEST(sectors_below_the_DRAM_atom_save_no_DRAM_bytes)
{
    char *folder = ran("sectors");
    static const char *const dram = "summary.dram.read_bytes";
    const double atom = number(folder, "sector-32", dram);
    NEAR(number(folder, "sector-16", dram), atom, 0.01);
    NEAR(number(folder, "sector-64", dram), 2 * atom, 0.01);
    NEAR(number(folder, "sector-128", dram), 4 * atom, 0.01);
    const double moved = l1_count(folder, "sector-32", "bytes_from_network");
    NEAR(l1_count(folder, "sector-16", "bytes_from_network"), moved / 2, 0.01);
    LESS(1.5 * cycles_of(folder, "sector-32"), cycles_of(folder, "sector-128"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_tile_in_shared_memory_saves_time_and_DRAM_bytes)
{
    char *folder = ran("matmul --set workload.n=128 --set machine.partitions=16 "
                       "--set machine.peak_bandwidth_gbps=0");
    static const char *const dram = "summary.dram.read_bytes";
    LESS(1.3 * cycles_of(folder, "staged"), cycles_of(folder, "direct"));
    LESS(1.1 * cycles_of(folder, "direct"), cycles_of(folder, "direct-l2"));
    LESS(5 * number(folder, "staged", dram), number(folder, "direct-l2", dram));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *cases = tcase_create("scenarios");
    tcase_add_test(cases, more_registers_for_the_kernel_that_runs_often_beat_equal_shares);
    tcase_add_test(cases, spills_and_resident_warps_have_their_optimum_inside);
    tcase_add_test(cases, stages_of_register_access_cost_one_warp_and_not_many);
    tcase_add_test(cases, where_blocks_begin_decides_on_conflicts);
    tcase_add_test(cases, warps_hide_latency_and_so_do_loads_under_way);
    tcase_add_test(cases, utilisation_follows_dispatch_width_and_wiring);
    tcase_add_test(cases, units_accept_more_or_less_than_the_real_width_dispatches);
    tcase_add_test(cases, a_scheduler_that_withholds_the_slot_loses_more_with_its_own_units_only);
    tcase_add_test(cases, k_lines_take_k_passes);
    tcase_add_test(cases, shared_memory_is_as_fast_as_its_most_wanted_bank);
    tcase_add_test(cases, lanes_that_are_not_active_take_no_part_in_shared_memory);
    tcase_add_test(cases, the_carve_out_decides_what_a_program_for_small_shared_memory_finds_in_L1);
    tcase_add_test(cases, the_automatic_carve_out_is_the_smallest_that_does_not_limit_the_CTAs);
    tcase_add_test(cases, room_for_replays_bounds_the_area_and_little_of_it_costs_time);
    tcase_add_test(cases, room_for_replays_costs_writes_of_the_buffer);
    tcase_add_test(cases, misses_hold_room_and_more_than_may_be_outstanding_is_wasted);
    tcase_add_test(cases, serial_access_takes_longer_and_reads_one_way);
    tcase_add_test(cases, misses_that_return_in_order_wait_for_each_other);
    tcase_add_test(cases, stores_follow_the_write_policy_of_their_space);
    tcase_add_test(cases, a_small_write_data_buffer_refuses_stores);
    tcase_add_test(cases, what_L1_may_cache_decides_on_hits_and_on_stale_ones);
    tcase_add_test(cases, who_keeps_to_his_part_neither_conflicts_nor_reads_old_data);
    tcase_add_test(cases, sectors_below_the_DRAM_atom_save_no_DRAM_bytes);
    tcase_add_test(cases, a_tile_in_shared_memory_saves_time_and_DRAM_bytes);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
