/* L1 with its TLB, in front of an MMU that answers after 20 cycles. */
#include "rig.h"

enum { TLB_HIT = 2, TLB_MISS = 24 };

static FarSide *mmu;

/* With an MMU that answers after 20 cycles; an L1 TLB of two entries of 4 KiB, 32 lines each:
 *     a TLB hit    adds tlb_hit_latency, 2
 *     a TLB miss   adds 2 + 1 out + 20 + 1 back = 24 */
static Rig *rig_new_with_mmu(const char *settings, uint32_t network_room, uint32_t mmu_room)
{
    g_autofree char *all = g_strconcat("tlb_entries = 2; tlb_entry_bytes = 4 KiB;"
                                       "tlb_hit_latency = 2 cycles;",
                                       settings, NULL);
    Rig *rig = rig_new(all, network_room);
    mmu = far_side_add(rig->harness, rig->l1, "to_mmu", "from_mmu", mmu_room);
    mmu->latency = 20;
    return rig;
}

START_TEST(a_hit_needs_no_translation_and_a_miss_needs_one)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS + TLB_MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT},
                                     {.at = 300, .line = 31, .back = 300 + MISS + TLB_HIT},
                                     {.at = 500, .line = 32, .back = 500 + MISS + TLB_MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_misses"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_hits"), 1);
    const Translation *asked = (const Translation *)far_side_seen(mmu, 1)->message;
    ck_assert_uint_eq(asked->address, 4096);
    ck_assert_uint_eq(far_side_seen(mmu, 0)->cycle, 10 + 1 + 4 + TLB_HIT + 1);
    const StageSums *miss = unit_stages(rig->l1, "stages_load_l2_hit");
    ck_assert_uint_eq(miss->stage[STAGE_TRANSLATE], (2 * TLB_MISS + TLB_HIT) * TIME_NS);
    assert_little(rig->l1, "translating");
}
END_TEST

START_TEST(stores_and_atomics_are_translated_too)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE + TLB_MISS},
        {.at = 200, .line = 2, .operation = ATOMIC, .back = 200 + STORE + TLB_HIT},
        {.at = 400, .line = 64, .operation = ATOMIC, .back = 400 + STORE + TLB_MISS},
    };
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(heard_of(rig, 0, true), 10 + LEFT); /* the registers are free at once */
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_store")->stage[STAGE_TRANSLATE],
                      TLB_MISS * TIME_NS);
}
END_TEST

/* Three lines of one page, asked for once; all go on at 300 + 1 + 4 + 24 and are read one after
 * the other. The line of a known page overtakes them. */
START_TEST(misses_of_one_page_wait_for_one_translation_and_others_go_on)
{
    static const Lookup lookups[] = {{.at = 10, .line = 64, .back = 10 + MISS + TLB_MISS},
                                     {.at = 300, .line = 1, .back = 300 + MISS + TLB_MISS},
                                     {.at = 301, .line = 2, .back = 301 + MISS + TLB_MISS},
                                     {.at = 302, .line = 65, .back = 302 + MISS + TLB_HIT},
                                     {.at = 303, .line = 3, .back = 302 + MISS + TLB_MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(mmu->seen->len, 2);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_merged"), 2);
    ck_assert_uint_eq(unit_level(rig->l1, "translating")->maximum, 3);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 1)->line, 65 * 128);
}
END_TEST

/* ... an interval of five apart, line 3's turn after line 2's, and what comes then behind all. */
START_TEST(misses_that_waited_for_a_translation_leave_an_interval_apart)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 11, .line = 2, .back = 15 + MISS + TLB_MISS},
                                     {.at = 12, .line = 3, .back = 20 + MISS + TLB_MISS},
                                     {.at = 36, .line = 4, .back = 25 + MISS + TLB_MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("miss_interval = 5 cycles", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_l2_hit")->stage[STAGE_REQUEST_QUEUE],
                      (5 + 10 + 11) * TIME_NS);
    ck_assert_uint_eq(unit_booked(rig->l1, "miss_port"), 4 * 5);
}
END_TEST

/* The translation for the first is here at 39; the second, looked up at 37, leaves at 37 + 4 + 2.
 */
START_TEST(a_miss_that_joins_late_still_takes_its_look_ups)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 36, .line = 2, .back = 36 + MISS + TLB_HIT}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_merged"), 1);
}
END_TEST

/* One place: the second is refused until the first has left, at 10 + 1 + 4 + 24 = 39, and looked
 * up again then. */
START_TEST(a_miss_beyond_the_places_to_wait_is_refused_and_replayed)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 12, .line = 40, .back = 39 - 1 + MISS + TLB_MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("tlb_pending = 1", 0, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_tlb"), 1);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_l2_hit")->stage[STAGE_REPLAY],
                      (39 - 13) * TIME_NS);
}
END_TEST

/* One place in front of the MMU: taken from 11, free again when its credit is back at 19, a cycle
 * after the request was taken at 18. */
START_TEST(a_full_MMU_holds_up_misses_to_unknown_pages)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 12, .line = 40, .back = 19 - 1 + MISS + TLB_MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_mmu"), 1);
}
END_TEST

/* One place each in front of the MMU, taken from 101 to 109, and into the network, from 103 to 111:
 * line 80 waits for the former, line 3 for the latter. */
START_TEST(a_full_network_does_not_hold_up_who_waits_for_the_MMU)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 100, .line = 40, .back = 100 + MISS + TLB_MISS},
                                     {.at = 102, .line = 2, .back = 102 + MISS + TLB_HIT},
                                     {.at = 104, .line = 80, .back = 109 - 1 + MISS + TLB_MISS},
                                     {.at = 106, .line = 3, .back = 111 - 1 + MISS + TLB_HIT}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 1, 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_mmu"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 2);
}
END_TEST

/* One place into the network: when the translation comes at 39, the first goes, and the second
 * when the first's credit is back at 41. */
START_TEST(what_was_translated_waits_for_the_network)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .back = 10 + MISS + TLB_MISS},
                                     {.at = 12, .line = 2, .back = 41 - 5 + MISS}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 1, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_load_l2_hit")->stage[STAGE_REQUEST_QUEUE],
                      2 * TIME_NS);
}
END_TEST

/* Frames of 4 KiB at random; lines keep their names here, and L2 is asked at the physical place. */
START_TEST(the_physical_address_selects_slice_and_channel_address)
{
    static const Lookup lookups[] = {{.at = 10, .line = 33, .back = 10 + MISS + TLB_MISS},
                                     {.at = 200, .line = 33, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    rig->pages = (Frames){.page_bytes = 4096, .frames = FRAMES_SCATTERED};
    ck_assert(frames_setup(&rig->pages, UINT64_C(1) << 32, 1, NULL));
    RUN(rig, lookups);
    const uint64_t physical = frames_physical(&rig->pages, 33 * 128);
    ck_assert_uint_ne(physical, 33 * 128);
    const AddressPlace place = address_map_place(&rig->map, physical);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->local, place.local);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->slice, place.slice);
}
END_TEST

START_TEST(kernels_keep_the_TLB)
{
    static const KernelStart starts[] = {
        {.at = 200, .launch = {.keep_l1 = false, .caches = CACHES_COLD}}};
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS + TLB_MISS},
                                     {.at = 300, .line = 5, .back = 300 + MISS + TLB_HIT}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, lookups);
}
END_TEST

START_TEST(a_deadlock_report_says_who_waits_for_the_MMU)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1}, {.at = 12, .line = 2}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    mmu->silent = true;
    rig->lookups = lookups;
    rig->count = G_N_ELEMENTS(lookups);
    harness_generate(rig->source, make_lookup, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "l1: 2 misses and 0 stores outstanding, 0 accesses to be replayed, "
                               "2 lines waiting for a translation; waits for far_side"),
                  "%s", text);
}
END_TEST

HARNESS_MAIN("l1_translation", a_hit_needs_no_translation_and_a_miss_needs_one,
             stores_and_atomics_are_translated_too,
             misses_of_one_page_wait_for_one_translation_and_others_go_on,
             misses_that_waited_for_a_translation_leave_an_interval_apart,
             a_miss_that_joins_late_still_takes_its_look_ups,
             a_miss_beyond_the_places_to_wait_is_refused_and_replayed,
             a_full_MMU_holds_up_misses_to_unknown_pages,
             a_full_network_does_not_hold_up_who_waits_for_the_MMU,
             what_was_translated_waits_for_the_network,
             the_physical_address_selects_slice_and_channel_address, kernels_keep_the_TLB,
             a_deadlock_report_says_who_waits_for_the_MMU)
