/* Global stores that L1 keeps: with places for their lines, written back. See rig.h for the times;
 * a store that ends here takes as long as a hit. */
#include "rig.h"

#define BACK "global_write = back; global_allocate = yes; "

/* What L2 saw; of what is written, the bytes of the first 64 where they are not whole sectors. */
typedef struct {
    TransactionType type;
    uint64_t line, cycle;
    uint16_t sectors;
    uint64_t written;
} Request;

static void assert_requests(const Rig *rig, const Request *requests, guint count)
{
    ck_assert_uint_eq(rig->l2->seen->len, count);
    for (guint i = 0; i < count; i++) {
        const Transaction *seen = far_side_transaction(rig->l2, i);
        ck_assert_int_eq(seen->type, requests[i].type);
        ck_assert_uint_eq(seen->line, requests[i].line * 128);
        ck_assert_uint_eq(seen->sectors, requests[i].sectors);
        ck_assert_uint_eq(far_side_seen(rig->l2, i)->cycle, requests[i].cycle);
        if (seen->type != TRANSACTION_WRITE) continue;
        ck_assert_int_eq(seen->partial != 0, requests[i].written != 0);
        if (seen->partial) ck_assert_uint_eq(seen->written[0], requests[i].written);
    }
}

#define ASSERT_REQUESTS(rig, ...)                                                                  \
    do {                                                                                           \
        const Request requests_[] = {__VA_ARGS__};                                                 \
        assert_requests(rig, requests_, G_N_ELEMENTS(requests_));                                  \
    } while (0)

/* Half a sector of line 0 is kept. Its bytes hit, the others bring the sector; what line 8 evicts
 * is still the bytes that were written. */
START_TEST(bytes_that_a_store_brought_hit_and_the_others_are_fetched)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .mask = 0xf, .operation = STORES, .back = 10 + HIT},
        {.at = 50, .line = 0, .mask = 0xf, .back = 50 + HIT},
        {.at = 100, .line = 0, .mask = 0x1f, .back = 100 + MISS},
        {.at = 300, .line = 0, .mask = 0xff, .back = 300 + HIT},
        {.at = 400, .line = 4, .back = 400 + MISS},
        {.at = 600, .line = 8, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new(BACK "capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "global_write_backs"), 1);
    ASSERT_REQUESTS(rig, {TRANSACTION_READ, 0, 106, 1, 0}, {TRANSACTION_READ, 4, 406, 15, 0},
                    {TRANSACTION_READ, 8, 606, 15, 0}, {TRANSACTION_WRITE, 0, 607, 1, 0xffff});
}
END_TEST

/* Two halves are a sector: it is there, and written back whole. */
START_TEST(a_sector_that_stores_brought_wholly_needs_no_mask)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .mask = 0xf, .operation = STORES, .back = 10 + HIT},
        {.at = 30, .line = 0, .mask = 0xf0, .operation = STORES, .back = 30 + HIT},
        {.at = 50, .line = 0, .mask = 0xff, .back = 50 + HIT},
        {.at = 400, .line = 4, .back = 400 + MISS},
        {.at = 600, .line = 8, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new(BACK "capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
    ASSERT_REQUESTS(rig, {TRANSACTION_READ, 4, 406, 15, 0}, {TRANSACTION_READ, 8, 606, 15, 0},
                    {TRANSACTION_WRITE, 0, 607, 1, 0});
}
END_TEST

/* A place that goes to another line has none of the old one's bytes. */
START_TEST(a_place_forgets_the_bytes_of_the_line_before)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .mask = 0xf, .operation = STORES, .back = ANY},
        {.at = 200, .line = 4, .back = ANY},
        {.at = 400, .line = 8, .mask = 0x1, .operation = STORES, .back = ANY},
        {.at = 600, .line = 8, .mask = 0xf, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new("global_allocate = yes; capacity = 1 KiB", 0);
    RUN(rig, lookups);
}
END_TEST

/* Which stores, of a whole line and of half a sector, get a place; what L2 sees of them. */
static const struct {
    const char *settings;
    uint64_t requests, hits;
} places[] = {{"", 2, 0},
              {"global_write = back", 2, 0},
              {"global_write = back; global_allocate = partial", 1, 1},
              {"global_write = back; global_allocate = yes", 0, 2},
              {"global_write = back; global_allocate = yes; global_partial = fetch_first", 1, 2},
              {"global_allocate = yes", 2, 2},
              {"global_allocate = yes; global_partial = fetch_first", 3, 2}};

START_TEST(stores_that_find_no_line_may_get_a_place)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = ANY},
        {.at = 20, .line = 2, .mask = 0xf, .operation = STORES, .back = ANY},
        {.at = 400, .line = 1, .back = ANY},
        {.at = 410, .line = 2, .mask = 0xf, .back = ANY}};
    g_autoptr(Rig) rig = rig_new(places[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, places[_i].requests + 2 - places[_i].hits);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), places[_i].hits);
}
END_TEST

/* An atomic, a load and a store that pass L1 by come behind what it kept. */
static const Lookup passing[] = {
    {.at = 50, .line = 0, .operation = ATOMIC, .back = ANY},
    {.at = 50, .line = 0, .hint = CACHE_L2_ONLY, .back = ANY},
    {.at = 50, .line = 0, .hint = CACHE_L2_ONLY, .operation = STORES, .back = ANY}};

START_TEST(what_passes_L1_by_comes_behind_what_it_kept)
{
    const Lookup lookups[] = {
        {.at = 10, .line = 0, .mask = 0xff, .operation = STORES, .back = 10 + HIT}, passing[_i]};
    g_autoptr(Rig) rig = rig_new(BACK, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "flushed"), 1);
    ck_assert_uint_eq(rig->l2->seen->len, 2);
    ck_assert_int_eq(far_side_transaction(rig->l2, 0)->type, TRANSACTION_WRITE);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->sectors, 1);
}
END_TEST

static Message *make_order(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    if (number) return NULL;
    *at = 100 * source->clock->period;
    return &write_back_notice_new(&source->messages, 0, WRITE_BACK_ENDS)->message;
}

/* The SM hears once that something is kept; of each line when it goes, and then of the order. Local
 * memory is nobody else's matter. */
START_TEST(lines_are_written_back_one_by_one_when_the_SM_orders_it)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .operation = STORES, .back = 10 + HIT},
        {.at = 20, .line = 1, .operation = STORES, .back = 20 + HIT},
        {.at = 30, .line = 2, .space = LOCAL, .mask = 0xff, .operation = STORES, .back = 30 + HIT},
        {.at = 40, .line = 3, .operation = STORES, .back = 40 + HIT},
        {.at = 300, .line = 1, .back = 300 + HIT}};
    g_autoptr(Rig) rig = rig_new(BACK, 0);
    Unit *orders = harness_source(rig->harness, "orders");
    harness_connect(rig->harness, orders, "out", rig->l1, "from_sm", (Path){.capacity = 0});
    harness_generate(orders, make_order, rig);
    rig->orders = 1;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "cleaned"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 0);
    ck_assert_uint_eq(count_notices(rig, LINES_KEPT), 1);
    ASSERT_REQUESTS(rig, {TRANSACTION_WRITE, 0, 107, 15, 0}, {TRANSACTION_WRITE, 1, 108, 15, 0},
                    {TRANSACTION_WRITE, 3, 109, 15, 0});
}
END_TEST

START_TEST(global_stores_find_lines_only_where_all_is_cached)
{
    g_autoptr(Rig) rig = rig_new("global_write = back; cached = local_only", 0);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(strstr(error->message, "only with cached = all"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_kept");
    tcase_add_test(cases, bytes_that_a_store_brought_hit_and_the_others_are_fetched);
    tcase_add_test(cases, a_sector_that_stores_brought_wholly_needs_no_mask);
    tcase_add_test(cases, a_place_forgets_the_bytes_of_the_line_before);
    tcase_add_loop_test(cases, stores_that_find_no_line_may_get_a_place, 0, G_N_ELEMENTS(places));
    tcase_add_loop_test(cases, what_passes_L1_by_comes_behind_what_it_kept, 0,
                        G_N_ELEMENTS(passing));
    tcase_add_test(cases, lines_are_written_back_one_by_one_when_the_SM_orders_it);
    tcase_add_test(cases, global_stores_find_lines_only_where_all_is_cached);
    return harness_run_cases("l1_kept", cases);
}
