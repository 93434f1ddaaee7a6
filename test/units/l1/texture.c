/* Requests of the texture unit's own cache pass L1 on their way to L2 and back. */
#include "texture_rig.h"

START_TEST(requests_pass_to_L2_and_back)
{
    static const Request passing[] = {
        {.at = 10, .line = 3, .type = TRANSACTION_READ, .back = 10 + PASS},
        {.at = 20, .line = 4, .type = TRANSACTION_WRITE, .back = 20 + PASS},
        {.at = 30, .line = 5, .type = TRANSACTION_ATOMIC, .has_result = true, .back = 30 + PASS},
        {.at = 40, .line = 6, .type = TRANSACTION_ATOMIC, .back = 40 + PASS}};
    g_autoptr(Rig) rig = rig_new_with_texture("", 0);
    PASSING(passing);
    run_all(rig, NULL, 0);
    ck_assert_uint_eq(unit_count(rig->l1, "requests"), 4);
    ck_assert_uint_eq(unit_count(rig->l1, "replies"), 4);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_requests"), 4);
    ck_assert_uint_eq(unit_count(rig->l1, "texture_replies"), 4);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_to_network"), 3 * 64);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), 2 * 64);
    ck_assert_uint_eq(unit_count(rig->l1, "accesses"), 0);
    const Transaction *seen = far_side_transaction(rig->l2, 0);
    ck_assert_uint_eq(seen->line, 3 * 128);
    ck_assert_uint_eq(seen->slice, 1); /* address 384 of pieces of 256 B, two slices */
    ck_assert_uint_eq(seen->local, 128);
    ck_assert_uint_eq(seen->source, 0);
}
END_TEST

/* The texture unit's stage ends when the request is here; then it is on its way. */
START_TEST(the_wait_in_front_of_L1_is_a_wait_for_the_network)
{
    static const Request passing[] = {
        {.at = 10, .line = 1}, {.at = 10, .line = 2}, {.at = 11, .line = 3}};
    static const char *const stages[] = {"texture_tag 1 request_wire 103",
                                         "texture_tag 1 request_queue 2 request_wire 103",
                                         "texture_tag 1 request_queue 3 request_wire 103"};
    g_autoptr(Rig) rig = rig_new_with_texture("", 1);
    PASSING(passing);
    run_all(rig, NULL, 0);
    for (guint i = 0; i < 3; i++) {
        g_autofree char *text = harness_stages(harness_transaction(fills, i),
                                               harness_arrival(fills, i)->at, rig->harness->clock);
        ck_assert_str_eq(text, stages[i]);
    }
}
END_TEST

/* One in miss_interval; a miss of L1's, looked up at 20, has its turn at 24, and what comes then
 * follows it. */
START_TEST(requests_and_misses_leave_one_after_the_other)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 10 + PASS},
                                      {.at = 10, .line = 2, .back = 12 + PASS},
                                      {.at = 23, .line = 3, .back = 26 - 1 + PASS}};
    static const Lookup lookups[] = {{.at = 19, .line = 9, .back = 19 + MISS}};
    g_autoptr(Rig) rig = rig_new_with_texture("miss_interval = 2 cycles", 0);
    PASSING(passing);
    run_all(rig, lookups, 1);
}
END_TEST

START_TEST(several_requests_pass_in_an_interval)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 10 + PASS},
                                      {.at = 10, .line = 2, .back = 10 + PASS},
                                      {.at = 10, .line = 3, .back = 11 + PASS},
                                      {.at = 10, .line = 4, .back = 12 + PASS}};
    g_autoptr(Rig) rig =
        rig_new_with_texture("miss_interval = 2 cycles; misses_per_interval = 3", 0);
    PASSING(passing);
    run_all(rig, NULL, 0);
}
END_TEST

/* One is taken in miss_interval and no more: a miss looked up at 12, ready at 16, finds the way
 * free that would have been given away until 27. */
START_TEST(a_miss_does_not_queue_behind_all_requests_that_wait)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 11 - 1 + PASS},
                                      {.at = 10, .line = 2, .back = 20 - 1 + PASS},
                                      {.at = 10, .line = 3, .back = 24 - 1 + PASS},
                                      {.at = 10, .line = 4, .back = 28 - 1 + PASS}};
    static const Lookup lookups[] = {{.at = 11, .line = 9, .back = 11 + MISS}};
    g_autoptr(Rig) rig = rig_new_with_texture("miss_interval = 4 cycles", 0);
    PASSING(passing);
    run_all(rig, lookups, 1);
}
END_TEST

/* The place is free again at 13 and goes to the load, which leaves its tags at 17; its own is free
 * at 19. */
START_TEST(a_request_that_yielded_goes_as_soon_as_there_is_room)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 11 - 1 + PASS},
                                      {.at = 10, .line = 2, .back = 19 - 1 + PASS},
                                      {.at = 10, .line = 3, .back = 21 - 1 + PASS}};
    static const Lookup lookups[] = {{.at = 10, .line = 9, .back = 12 + MISS}};
    g_autoptr(Rig) rig = rig_new_with_texture("", 1);
    PASSING(passing);
    run_all(rig, lookups, 1);
}
END_TEST

/* What L2 saw: T a request of the texture unit, L a load, S a store. */
static char *order_seen(const Rig *rig)
{
    GString *order = g_string_new(NULL);
    for (guint i = 0; i < rig->l2->seen->len; i++) {
        const Transaction *seen = far_side_transaction(rig->l2, i);
        g_string_append_c(order, seen->for_texture                ? 'T'
                                 : seen->type == TRANSACTION_READ ? 'L'
                                                                  : 'S');
    }
    return g_string_free(order, FALSE);
}

#define BACK "global_write = back; global_allocate = yes; "

/* Kept since 11. The request is here at 51; the line's write leaves its tags at 55, a cycle before
 * it. What comes for another line goes at once. */
START_TEST(requests_come_behind_what_L1_keeps_of_their_line)
{
    static const Request passing[] = {{.at = 50, .line = 3, .back = 50 + PASS + 5},
                                      {.at = 200, .line = 3, .back = 200 + PASS},
                                      {.at = 300, .line = 5, .back = 300 + PASS}};
    static const Lookup lookups[] = {
        {.at = 10, .line = 3, .mask = 0xff, .operation = STORES, .back = 10 + HIT},
        {.at = 20, .line = 4, .mask = 0xff, .operation = STORES, .back = 20 + HIT}};
    g_autoptr(Rig) rig = rig_new_with_texture(BACK, 0);
    PASSING(passing);
    run_all(rig, lookups, G_N_ELEMENTS(lookups));
    ck_assert_uint_eq(unit_count(rig->l1, "flushed"), 1);
    ck_assert_uint_eq(rig->l2->seen->len, 4);
    ck_assert_int_eq(far_side_transaction(rig->l2, 0)->type, TRANSACTION_WRITE);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->line, 3 * 128);
}
END_TEST

/* One place into the network and one of the buffer: what L1 keeps of line 3 has to wait for another
 * store, and this for a load. */
START_TEST(a_request_waits_until_what_is_kept_has_gone)
{
    static const Request passing[] = {{.at = 50, .line = 3}};
    static const Lookup lookups[] = {
        {.at = 10, .line = 3, .mask = 0xff, .operation = STORES, .back = ANY},
        {.at = 47, .line = 8, .back = ANY},
        {.at = 48, .line = 9, .back = ANY},
        {.at = 49, .line = 10, .hint = CACHE_L2_ONLY, .operation = STORES, .back = ANY}};
    g_autoptr(Rig) rig = rig_new_with_texture(BACK "write_buffer_entries = 1", 1);
    PASSING(passing);
    run_all(rig, lookups, G_N_ELEMENTS(lookups));
    g_autofree char *order = order_seen(rig);
    ck_assert_str_eq(order, "LSSTL");
    ck_assert_uint_eq(far_side_transaction(rig->l2, 1)->line, 10 * 128);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 2)->line, 3 * 128);
}
END_TEST

START_TEST(requests_are_translated)
{
    static const Request passing[] = {
        {.at = 10, .line = 1, .back = 10 + PASS + 24},
        {.at = 200, .line = 2, .back = 200 + PASS + 2},
        {.at = 400, .line = 64, .type = TRANSACTION_WRITE, .back = 400 + PASS + 24},
        {.at = 401, .line = 65, .back = 401 + PASS + 24}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 0);
    rig->pages = (Frames){.page_bytes = 4096, .frames = FRAMES_SCATTERED};
    ck_assert(frames_setup(&rig->pages, UINT64_C(1) << 32, 1, NULL));
    PASSING(passing);
    run_all(rig, NULL, 0);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->line, frames_physical(&rig->pages, 128));
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->virtual_line, 128);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_misses"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "tlb_merged"), 1);
    assert_little(rig->l1, "translating");
}
END_TEST

/* --- fairness --- */

enum { CONTENDERS = 6 };

/* All at 10, lines apart from each other; `page`: lines from one to the next. */
static char *contend(Rig *rig, uint64_t page, bool loads, bool stores)
{
    static Request passing[CONTENDERS];
    static Lookup lookups[2 * CONTENDERS];
    guint count = 0;
    for (guint i = 0; i < CONTENDERS; i++) {
        passing[i] = (Request){.at = 10, .line = 1000 * page + i * page};
        if (loads) lookups[count++] = (Lookup){.at = 10, .line = 1 + i * page, .back = ANY};
        if (stores)
            lookups[count++] =
                (Lookup){.at = 10, .line = 300 * page + i * page, .operation = STORES, .back = ANY};
    }
    PASSING(passing);
    run_all(rig, lookups, count);
    return order_seen(rig);
}

/* With one place in the network each waits for its turn. */
START_TEST(loads_and_requests_take_turns_at_the_network)
{
    g_autoptr(Rig) rig = rig_new_with_texture("", 1);
    g_autofree char *order = contend(rig, 1, true, false);
    ck_assert_str_eq(order, "TLTLTLTLTLTL");
    ck_assert_uint_gt(unit_count(rig->l1, "texture_refused"), 0);
}
END_TEST

START_TEST(stores_and_requests_take_turns_at_the_network)
{
    g_autoptr(Rig) rig = rig_new_with_texture("", 1);
    g_autofree char *order = contend(rig, 1, false, true);
    ck_assert_str_eq(order, "TSTSTSTSTSTS");
}
END_TEST

/* Each second one is the texture unit's; loads and stores divide the rest. */
START_TEST(loads_stores_and_requests_take_turns_at_the_network)
{
    g_autoptr(Rig) rig = rig_new_with_texture("", 1);
    g_autofree char *order = contend(rig, 1, true, true);
    for (guint i = 0; i < 2 * CONTENDERS; i += 2) ck_assert_msg(order[i] == 'T', "%s", order);
    guint loads = 0;
    for (guint i = 0; i < 2 * CONTENDERS; i++) loads += order[i] == 'L';
    ck_assert_msg(loads >= CONTENDERS / 2 - 1 && loads <= CONTENDERS / 2 + 1, "%s", order);
}
END_TEST

/* Each has a page of its own: with one place in front of the MMU, or for those that wait. */
START_TEST(loads_and_requests_take_turns_at_the_MMU)
{
    g_autoptr(Rig) rig =
        _i ? rig_new_with_mmu("tlb_pending = 1", 0, 0) : rig_new_with_mmu("", 0, 1);
    g_autofree char *order = contend(rig, 32, true, false);
    ck_assert_str_eq(order, "TLTLTLTLTLTL");
}
END_TEST

/* A load that waits for the MMU, which is full until 119, keeps no request from the network. */
START_TEST(who_waits_for_the_MMU_does_not_hold_up_requests_of_known_pages)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 10 + PASS + 24},
                                      {.at = 102, .line = 2, .back = 102 + PASS + 2},
                                      {.at = 103, .line = 3, .back = 103 + PASS + 2}};
    static const Lookup lookups[] = {{.at = 100, .line = 40, .back = ANY},
                                     {.at = 101, .line = 80, .back = ANY}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 0, 1);
    PASSING(passing);
    run_all(rig, lookups, 2);
    ck_assert_uint_gt(unit_count(rig->l1, "refused_mmu"), 0);
}
END_TEST

/* At 201 a request takes the place in the network, and the load waits for it until 205. The next
 * request has to wait for its page first: it asks at 202. */
START_TEST(who_waits_for_the_network_does_not_hold_up_requests_of_unknown_pages)
{
    static const Request passing[] = {{.at = 10, .line = 1, .back = 10 + PASS + 24},
                                      {.at = 200, .line = 2, .back = 200 + PASS + 2},
                                      {.at = 201, .line = 64, .back = 201 + PASS + 24}};
    static const Lookup lookups[] = {{.at = 200, .line = 3, .back = 205 - 1 + MISS + 2}};
    g_autoptr(Rig) rig = rig_new_with_mmu("", 1, 0);
    PASSING(passing);
    run_all(rig, lookups, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 1);
}
END_TEST

START_TEST(a_deadlock_report_counts_the_texture_units_requests)
{
    static const Request passing[] = {{.at = 10, .line = 1}, {.at = 11, .line = 2}};
    g_autoptr(Rig) rig = rig_new_with_texture("", 0);
    rig->l2->silent = true;
    PASSING(passing);
    harness_generate(rig->source, make_lookup, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "l1: 0 misses and 0 stores outstanding, 0 accesses to be replayed, "
                               "2 requests of the texture unit outstanding; waits for far_side"),
                  "%s", text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        requests_pass_to_L2_and_back,
        the_wait_in_front_of_L1_is_a_wait_for_the_network,
        requests_and_misses_leave_one_after_the_other,
        several_requests_pass_in_an_interval,
        a_miss_does_not_queue_behind_all_requests_that_wait,
        a_request_that_yielded_goes_as_soon_as_there_is_room,
        requests_come_behind_what_L1_keeps_of_their_line,
        a_request_waits_until_what_is_kept_has_gone,
        requests_are_translated,
        loads_and_requests_take_turns_at_the_network,
        stores_and_requests_take_turns_at_the_network,
        loads_stores_and_requests_take_turns_at_the_network,
        who_waits_for_the_MMU_does_not_hold_up_requests_of_known_pages,
        who_waits_for_the_network_does_not_hold_up_requests_of_unknown_pages,
        a_deadlock_report_counts_the_texture_units_requests};
    TCase *cases = tcase_create("l1_texture");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, loads_and_requests_take_turns_at_the_MMU, 0, 2);
    return harness_run_cases("l1_texture", cases);
}
