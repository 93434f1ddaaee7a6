/* Two halves of L2. See halves_rig.h. */
#include "halves_rig.h"
#include "rigs/small_machine.h"

START_TEST(a_far_hit_crosses_twice_and_leaves_a_copy)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT}, {300, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "far_reads"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_copies"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[1], "far_hits"), 1);
    ck_assert_uint_eq(all_of(rig, "crossings"), 2);
    ck_assert_uint_eq(unit_bytes(rig->slice[1], "bytes_crossed"), 128);
    ck_assert_uint_eq(unit_busy(rig->slice[0], "cross_busy"), 1);
    ck_assert_uint_eq(unit_busy(rig->slice[1], "cross_busy"), 4);
    ck_assert_uint_eq(unit_bytes(rig->slice[0], "bytes_read"), 256);
    ck_assert_uint_eq(unit_bytes(rig->slice[1], "bytes_read"), 0);
    g_autofree char *stages = harness_stages(harness_transaction(rig->sink[0], 0),
                                             (100 + FAR_HIT) * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 l2_tag 10 l2_cross 6 l2_tag 31 l2_cross 9 l2_tag 10 "
                             "reply_wire 1");
    /* the home read its array when it looked the request up */
    ck_assert_uint_eq(transaction_read_at(harness_transaction(rig->sink[0], 0)),
                      (100 + 1 + 10 + 1 + 5) * TIME_NS);
}
END_TEST

START_TEST(a_far_miss_is_fetched_by_its_home_from_its_DRAM)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}, {300, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{600, READ, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(rig->dram[0]->seen->len, 0);
    ck_assert_uint_eq(rig->dram[1]->seen->len, 1);
    ck_assert_int_eq(harness_transaction(rig->sink[0], 0)->served_by, SERVED_DRAM);
}
END_TEST

START_TEST(lines_of_one_place_in_both_halves_are_two_lines)
{
    static const Request near[] = {{10, READ, 0, 5, 15, 124},
                                   {200, READ, 1, 5, 15, FAR_MISS},
                                   {400, READ, 0, 5, 15, HIT},
                                   {500, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{700, READ, 0, 5, 15, FAR_HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
}
END_TEST

START_TEST(reads_of_a_line_under_way_across_wait_for_it)
{
    static const Request near[] = {{10, READ, 1, 5, 15, FAR_MISS}, {20, READ, 1, 5, 3, 0}};
    static const Request home[] = {{600, READ, 1, 6, 1, 124}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "far_reads"), 1);
}
END_TEST

START_TEST(a_far_store_goes_to_its_home_and_drops_the_near_copy)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT},
                                   {300, WRITE, 1, 5, 15, FAR_STORE},
                                   {500, READ, 1, 5, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}, {800, READ, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "forwarded"), 1);
    ck_assert_uint_eq(all_of(rig, "invalidations"), 0);
    ck_assert_uint_eq(unit_bytes(rig->slice[1], "bytes_written"), 256);
    ck_assert_uint_eq(unit_bytes(rig->slice[0], "bytes_written"), 0);
}
END_TEST

/* The store and the fetch at the home, where the first read is an access, the second one here. */
START_TEST(a_line_is_counted_where_its_accesses_are)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT}, {300, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_heat(rig->slice[0], "hottest", VIRTUAL_BASE + 5 * 128), 1);
    ck_assert_uint_eq(unit_heat(rig->slice[1], "hottest", VIRTUAL_BASE + 5 * 128), 2);
}
END_TEST

/* What the home answered before the store came is not kept, and nobody who comes later joins. */
START_TEST(a_store_that_passes_a_fetch_under_way_makes_later_reads_fetch_again)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT},
                                   {103, WRITE, 1, 5, 15, 0},
                                   {106, READ, 1, 5, 15, 0},
                                   {400, READ, 1, 5, 15, HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "far_reads"), 2);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_copies"), 1);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_skipped"), 1);
}
END_TEST

START_TEST(a_store_at_home_is_acknowledged_when_the_copy_is_gone)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT}, {400, READ, 1, 5, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT},
                                   {300, WRITE, 1, 5, 15, STORE_OF_COPIED},
                                   {600, WRITE, 1, 5, 1, STORE_OF_COPIED},
                                   {700, WRITE, 1, 5, 1, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "invalidations"), 2);
}
END_TEST

/* In the ROP's place something that takes 29 cycles, and one each way, like a hit. A sector each:
 * 1 + 10 + 1 link + 5 + 31 + 1 link + 5 + 1. */
START_TEST(atomics_are_done_at_home)
{
    static const Request near[] = {{100, ATOMIC, 1, 5, 1, 55}, {200, READ, 1, 5, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT},
                                   {400, ATOMIC, 1, 5, 1, STORE_OF_COPIED}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "atomics"), 2);
    ck_assert_uint_eq(unit_count(rig->slice[0], "atomics"), 0);
}
END_TEST

/* Four sets of two ways: lines 4, 8 and 12 are of one set. */
START_TEST(a_line_that_leaves_its_home_takes_its_copy_along)
{
    static const Request near[] = {{10, READ, 1, 4, 15, FAR_MISS},
                                   {200, READ, 1, 4, 15, HIT},
                                   {800, READ, 1, 4, 15, FAR_MISS}};
    static const Request home[] = {{300, READ, 1, 8, 15, 124}, {500, READ, 1, 12, 15, 124}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", 8);
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[1], "invalidations"), 1);
}
END_TEST

START_TEST(a_copy_takes_a_place_that_other_lines_lose)
{
    static const Request near[] = {{10, READ, 0, 0, 15, 124},
                                   {200, READ, 0, 4, 15, 124},
                                   {400, READ, 1, 8, 15, FAR_MISS},
                                   {700, READ, 0, 0, 15, 124}};
    static const Request home[] = {{10, READ, 1, 1, 15, 124}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 2", 8);
    RUN(rig, near, home);
}
END_TEST

START_TEST(what_the_host_copies_makes_no_old_copy_readable)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT}, {600, READ, 1, 5, 15, FAR_HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}};
    static MemoryCopy copy = {.address = 0, .bytes = 64 * 1024};
    g_autoptr(Rig) rig = rig_new("", 8);
    rig->start = (KernelStart){
        .at = 400, .launch = {.caches = CACHES_DIRTY, .copies = &copy, .copy_count = 1}};
    RUN(rig, near, home);
}
END_TEST

/* At 140 the fetch of line 5 is on its way back and that of line 6 has not come to DRAM: neither is
 * kept, here or there. */
START_TEST(no_copy_is_made_of_what_was_under_way_when_the_caches_were_emptied)
{
    static const Request near[] = {{100, READ, 1, 5, 15, FAR_HIT},
                                   {105, READ, 1, 6, 15, FAR_MISS},
                                   {400, READ, 1, 5, 15, FAR_MISS},
                                   {600, READ, 1, 6, 15, FAR_MISS},
                                   {800, READ, 1, 6, 15, HIT}};
    static const Request home[] = {{5, WRITE, 1, 5, 15, HIT}};
    g_autoptr(Rig) rig = rig_new("", 8);
    rig->start = (KernelStart){.at = 140, .launch = {.caches = CACHES_COLD}};
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_count(rig->slice[0], "near_skipped"), 2);
}
END_TEST

/* Both halves want everything of each other, through queues of one place. */
START_TEST(halves_that_want_everything_of_each_other_do_not_block_each_other)
{
    static Request requests[2][400];
    static const TransactionType types[] = {READ, READ, WRITE, ATOMIC};
    uint64_t state = 7;
    for (guint half = 0; half < 2; half++)
        for (guint i = 0; i < 400; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint32_t draw = (uint32_t)(state >> 33);
            requests[half][i] = (Request){.at = 1 + i,
                                          .type = types[draw % 4],
                                          .home = draw / 4 % 2,
                                          .line = draw / 8 % 24,
                                          .sectors = (uint16_t)(1 + draw / 256 % 15)};
        }
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 1; cross_entries = 1;"
                                 "pending_entries = 2; pending_merges = 1",
                                 1);
    RUN(rig, requests[0], requests[1]);
    ck_assert_uint_gt(all_of(rig, "refused_cross"), 0);
    ck_assert_uint_gt(all_of(rig, "invalidations"), 0);
}
END_TEST

START_TEST(a_link_carries_what_its_bandwidth_says)
{
    static Request near[64];
    static const Request home[] = {{5, WRITE, 1, 99, 15, HIT}};
    for (guint i = 0; i < 64; i++) near[i] = (Request){10 + i, READ, 1, i, 15, 0};
    for (guint links = 1; links <= 2; links++) {
        g_autofree char *settings =
            g_strdup_printf("cross_bandwidth = 8 B/cycle; cross_links = %u", links);
        g_autoptr(Rig) rig = rig_new(settings, 64);
        RUN(rig, near, home);
        const uint64_t last = harness_arrival(rig->sink[0], 63)->cycle, all = 64 * 128 / 8;
        ck_assert_uint_eq(unit_busy(rig->slice[1], "cross_busy"), all);
        ck_assert_uint_eq(unit_booked(rig->slice[1], "request_link"), 0);
        ck_assert_uint_ge(last, all / links + FAR_MISS);
        ck_assert_uint_le(last, all / links + FAR_MISS + 32);
    }
}
END_TEST

/* The parameter says 32 B a cycle. */
START_TEST(a_link_carries_what_SimGrid_says_of_it)
{
    static Request near[64];
    static const Request home[] = {{5, WRITE, 1, 99, 15, HIT}};
    NetworkLink requests[2] = {{.bandwidth = 32}, {.bandwidth = 32}},
                replies[2] = {{.bandwidth = 32}, {.bandwidth = 8}};
    for (guint i = 0; i < 64; i++) near[i] = (Request){10 + i, READ, 1, i, 15, 0};
    g_autoptr(Rig) rig = rig_new("", 64);
    const double ns = time_to_ns(rig->slice[0]->clock->period);
    for (guint half = 0; half < 2; half++) {
        requests[half].bandwidth /= ns;
        replies[half].bandwidth /= ns;
    }
    rig->harness->halves = (HalvesLinks){.own = {requests, replies}, .slices = 2};
    RUN(rig, near, home);
    ck_assert_uint_eq(unit_busy(rig->slice[0], "cross_busy"), 64);
    ck_assert_uint_eq(unit_busy(rig->slice[1], "cross_busy"), 64 * 128 / 8);
}
END_TEST

START_TEST(replies_in_order_need_one_half)
{
    g_autoptr(Rig) rig = rig_new("completion = in_order", 8);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "machine.l2_halves"));
}
END_TEST

/* --- whole machines --------------------------------------------------------------------------- */

START_TEST(an_SM_asks_the_slices_of_its_half)
{
    AddressMap map = {.granularity = 256, .hash = ADDRESS_HASH_MIX};
    ck_assert(address_map_setup(&map, 6, NULL));
    map.requesters = 5;
    for (uint32_t home = 0; home < 6; home++)
        for (uint32_t sm = 0; sm < 5; sm++) {
            map.halves = 1;
            ck_assert_uint_eq(address_map_entrance(&map, home, sm), home);
            map.halves = 2;
            /* SMs 0, 1, 2 are near slices 0 to 2 */
            ck_assert_uint_eq(address_map_entrance(&map, home, sm), home % 3 + (sm > 2 ? 3 : 0));
        }
}
END_TEST

#define HALVES "machine.partitions = 4; machine.sms = 4"

/* Halves; quarters. */
static const char *const divided[] = {HALVES "; machine.l2_halves = 2;",
                                      HALVES "; machine.l2_halves = 4;"};

static Machine *divided_machine(guint kind, const char *settings, const char *workload)
{
    g_autofree char *all = g_strconcat(divided[kind], settings, NULL);
    return small_machine_new(all, workload);
}

/* The coherence monitor sees each write once. Nothing is left when all has drained. */
START_TEST(a_machine_of_halves_answers_everything)
{
    g_autoptr(Machine) machine = divided_machine(
        (guint)_i, "coherence_monitor.enabled = yes",
        "workload.pattern = random; workload.ctas = 12; workload.threads_per_cta = 96;"
        "workload.iterations = 8; workload.footprint = 24 KiB; workload.operation = load_store");
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const uint64_t requests = small_machine_sum(machine, "l1", "requests");
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "accesses"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "replies"), requests);
    ck_assert_uint_gt(small_machine_sum(machine, "l2_slice", "near_hits"), 0);
    ck_assert_uint_gt(small_machine_sum(machine, "l2_slice", "invalidations"), 0);
    ck_assert_uint_eq(small_machine_sum(machine, "half_link", "packets"),
                      small_machine_sum(machine, "l2_slice", "crossings"));
    ck_assert_uint_eq(small_machine_sum(machine, "half_link", "bytes"),
                      small_machine_sum(machine, "l2_slice", "bytes_crossed")
                          + 8 * small_machine_sum(machine, "l2_slice", "crossings"));
    ck_assert_uint_eq(small_machine_sum(machine, "access_scheduler", "reads"),
                      small_machine_sum(machine, "l2_slice", "misses"));
}
END_TEST

/* One SM a quarter: the first stores eight lines while the others read them. Two lines are at home
 * with it, whose copies are in three quarters; of the others in two. What is read again while
 * copies are dropped is as it was stored. */
START_TEST(a_store_drops_each_copy_once)
{
    g_autoptr(Machine) machine = divided_machine(
        1, "l1.cached = local_only; l2_slice.capacity = 64 KiB; channels.l2_cross = 400 cycles",
        "workload.pattern = program; workload.ctas = 4; workload.threads_per_cta = 512;"
        "workload.code = global A[8 * 64]\nif cta == 0 {\nif thread < 32 {\nfp32 times 5000\n"
        "for i in 0..8 {\nstore A[i * 64 + lane]\n}\n}\n} else {\nfor i in 0..200 {\n"
        "x = load A[i % 8 * 64 + lane]\n}\n}");
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const uint64_t dropped = small_machine_sum(machine, "l2_slice", "invalidations");
    ck_assert_uint_gt(dropped, 0);
    ck_assert_uint_le(dropped, 2 * 3 + 6 * 2);
}
END_TEST

/* A store that waits for the other half must not hold up what the ROP wants for an atomic, for
 * which the other half waits. */
START_TEST(halves_whose_atomics_wait_for_each_other_come_to_an_end)
{
    g_autoptr(Machine) machine = divided_machine(
        (guint)_i,
        "l2_slice.capacity = 2 KiB; channels.l2_cross_queue = 1;"
        "l2_slice.cross_entries = 1; channels.rop_input_queue = 1; rop.cache_entries = 2;"
        "rop.ways = 1; rop.pending_entries = 2",
        "workload.pattern = random; workload.ctas = 16; workload.threads_per_cta = 32;"
        "workload.iterations = 8; workload.footprint = 64 KiB; workload.operation = atomic");
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const uint64_t requests = small_machine_sum(machine, "l1", "requests");
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "replies"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "rop", "requests"), requests);
    ck_assert_uint_gt(small_machine_sum(machine, "l2_slice", "refused_cross"), 0);
    ck_assert_uint_gt(small_machine_sum(machine, "rop", "write_backs"), 0);
}
END_TEST

START_TEST(an_odd_number_of_partitions_has_no_halves)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration =
        small_machine_configuration("machine.l2_halves = 2; machine.partitions = 3");
    ck_assert(!machine_check(configuration, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "machine.partitions: 3"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l2_halves");
    tcase_add_test(cases, a_far_hit_crosses_twice_and_leaves_a_copy);
    tcase_add_test(cases, a_far_miss_is_fetched_by_its_home_from_its_DRAM);
    tcase_add_test(cases, a_line_is_counted_where_its_accesses_are);
    tcase_add_test(cases, lines_of_one_place_in_both_halves_are_two_lines);
    tcase_add_test(cases, reads_of_a_line_under_way_across_wait_for_it);
    tcase_add_test(cases, a_far_store_goes_to_its_home_and_drops_the_near_copy);
    tcase_add_test(cases, a_store_that_passes_a_fetch_under_way_makes_later_reads_fetch_again);
    tcase_add_test(cases, a_store_at_home_is_acknowledged_when_the_copy_is_gone);
    tcase_add_test(cases, atomics_are_done_at_home);
    tcase_add_test(cases, a_line_that_leaves_its_home_takes_its_copy_along);
    tcase_add_test(cases, a_copy_takes_a_place_that_other_lines_lose);
    tcase_add_test(cases, what_the_host_copies_makes_no_old_copy_readable);
    tcase_add_test(cases, no_copy_is_made_of_what_was_under_way_when_the_caches_were_emptied);
    tcase_add_test(cases, halves_that_want_everything_of_each_other_do_not_block_each_other);
    tcase_add_test(cases, a_link_carries_what_its_bandwidth_says);
    tcase_add_test(cases, a_link_carries_what_SimGrid_says_of_it);
    tcase_add_test(cases, replies_in_order_need_one_half);
    tcase_add_test(cases, an_SM_asks_the_slices_of_its_half);
    tcase_add_loop_test(cases, a_machine_of_halves_answers_everything, 0, G_N_ELEMENTS(divided));
    tcase_add_test(cases, a_store_drops_each_copy_once);
    tcase_add_loop_test(cases, halves_whose_atomics_wait_for_each_other_come_to_an_end, 0,
                        G_N_ELEMENTS(divided));
    tcase_add_test(cases, an_odd_number_of_partitions_has_no_halves);
    return harness_run_cases("l2_halves", cases);
}
