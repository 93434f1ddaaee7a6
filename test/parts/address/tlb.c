#include "parts/address/tlb.h"

#include "rigs/harness.h"

static Tlb make(uint64_t entries, uint64_t ways, uint64_t entry_bytes)
{
    Tlb tlb;
    ck_assert(tlb_init(&tlb, "l1.tlb", (TlbShape){entries, ways, entry_bytes}, NULL));
    return tlb;
}

START_TEST(an_entry_covers_its_bytes)
{
    Tlb tlb = make(4, 0, 8192);
    ck_assert(!tlb_look_up(&tlb, 20000));
    tlb_fill(&tlb, 20000); /* 16384 to 24575 */
    ck_assert(tlb_look_up(&tlb, 16384) && tlb_look_up(&tlb, 24575));
    ck_assert(!tlb_look_up(&tlb, 16383) && !tlb_look_up(&tlb, 24576));
    ck_assert_uint_eq(tlb_range(&tlb, 24575), 2);
    tlb_finish(&tlb);
}
END_TEST

START_TEST(the_least_recently_used_entry_goes)
{
    Tlb tlb = make(2, 0, 4096);
    tlb_fill(&tlb, 0);
    tlb_fill(&tlb, 4096);
    ck_assert(tlb_look_up(&tlb, 0));
    ck_assert(tlb_holds(&tlb, 4096)); /* only asks */
    tlb_fill(&tlb, 8192);
    ck_assert(tlb_holds(&tlb, 0) && tlb_holds(&tlb, 8192) && !tlb_holds(&tlb, 4096));
    tlb_finish(&tlb);
}
END_TEST

START_TEST(a_fill_of_what_is_there_evicts_nothing)
{
    Tlb tlb = make(2, 0, 4096);
    tlb_fill(&tlb, 0);
    tlb_fill(&tlb, 4096);
    tlb_fill(&tlb, 4096);
    ck_assert(tlb_holds(&tlb, 0));
    tlb_fill(&tlb, 0);
    tlb_fill(&tlb, 8192); /* takes the place of 4096, the older one now */
    ck_assert(tlb_holds(&tlb, 0) && !tlb_holds(&tlb, 4096));
    tlb_finish(&tlb);
}
END_TEST

/* Two sets of two ways: even pages compete with each other only. */
START_TEST(sets_are_chosen_by_the_page_number)
{
    Tlb tlb = make(4, 2, 4096);
    tlb_fill(&tlb, 1 * 4096);
    for (uint64_t page = 0; page < 6; page += 2) tlb_fill(&tlb, page * 4096);
    ck_assert(tlb_holds(&tlb, 1 * 4096));
    ck_assert(!tlb_holds(&tlb, 0) && tlb_holds(&tlb, 2 * 4096) && tlb_holds(&tlb, 4 * 4096));
    tlb_finish(&tlb);
}
END_TEST

START_TEST(a_TLB_without_entries_never_hits)
{
    Tlb tlb = make(0, 0, 4096);
    tlb_fill(&tlb, 0);
    ck_assert(!tlb_look_up(&tlb, 0) && !tlb_holds(&tlb, 0));
    ck_assert_uint_eq(tlb_range(&tlb, 3 * 4096), 3);
    tlb_finish(&tlb);
}
END_TEST

START_TEST(shapes_that_cannot_be_are_refused)
{
    static const struct {
        TlbShape shape;
        const char *message;
    } rows[] = {{{4, 0, 5000}, "mmu.tlb_entry_bytes = 5000: must be a power of two"},
                {{4, 0, 0}, "mmu.tlb_entry_bytes = 0: must be a power of two"},
                {{6, 4, 4096}, "mmu.tlb_ways = 4: must divide mmu.tlb_entries (6)"},
                {{4, 8, 4096}, "mmu.tlb_ways = 8: must divide mmu.tlb_entries (4)"}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Tlb tlb;
        g_autoptr(GError) error = NULL;
        ck_assert(!tlb_init(&tlb, "mmu.tlb", rows[i].shape, &error));
        ck_assert_str_eq(error->message, rows[i].message);
        tlb_finish(&tlb);
    }
}
END_TEST

/* Of two sets of three ways, whatever came in between: what is there are the three pages of a set
 * that were used last. */
START_TEST(those_that_were_used_last_are_there)
{
    enum { WAYS = 3, PAGES = 12 };
    Tlb tlb = make(2 * WAYS, WAYS, 4096);
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    uint64_t used_at[PAGES] = {0};
    for (uint64_t now = 1; now < 20000; now++) {
        const uint64_t page = (uint64_t)g_rand_int_range(random, 0, PAGES);
        uint32_t later = 0;
        for (uint64_t other = page % 2; other < PAGES; other += 2)
            later += used_at[other] > used_at[page];
        const bool there = used_at[page] && later < WAYS;
        ck_assert(tlb_holds(&tlb, page * 4096) == there);
        if (now % 3)
            ck_assert(tlb_look_up(&tlb, page * 4096) == there);
        else
            tlb_fill(&tlb, page * 4096);
        if (there || now % 3 == 0) used_at[page] = now;
    }
    tlb_finish(&tlb);
}
END_TEST

HARNESS_MAIN("tlb", an_entry_covers_its_bytes, the_least_recently_used_entry_goes,
             a_fill_of_what_is_there_evicts_nothing, sets_are_chosen_by_the_page_number,
             a_TLB_without_entries_never_hits, shapes_that_cannot_be_are_refused,
             those_that_were_used_last_are_there)
