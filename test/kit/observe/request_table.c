/* The table of instructions and arrays: no order and no division into parts changes what it holds.
 */
#include <stdlib.h>

#include "kit/gpu/kernel.h"
#include "kit/observe/request_table.h"
#include "rigs/harness.h"

enum { BOUND = 8, PLACES = 3, KEYS = 30, REQUESTS = 4000 };

/* Of two kernels; the higher PCs come up more often. */
static RequestKey draw_key(uint64_t *state)
{
    const uint64_t random = harness_random(state) % KEYS;
    return (RequestKey){.pc = (random % 15) * 16,
                        .kernel = random < 15,
                        .array = (uint32_t)(random % PLACES),
                        .operation = OPERATION_LOAD};
}

static void count_request(RequestTable *table, const RequestKey *key, uint64_t latency)
{
    RequestRow *row = request_table_find(table, key);
    row->bytes += 128;
    row->maximum = MAX(row->maximum, latency);
    row->type[0]++;
    row->served_by[latency % 2]++;
    row->sums.count++;
    row->sums.latency += latency;
}

static int compare_rows(const void *a, const void *b)
{
    return request_key_compare(&((const RequestRow *)a)->key, &((const RequestRow *)b)->key);
}

/* The rows in order of their keys, then the others by array: as text, to compare. */
static char *describe(const RequestTable *table)
{
    GString *text = g_string_new(NULL);
    g_autofree RequestRow *rows = g_memdup2(table->row, table->used * sizeof *rows);
    qsort(rows, table->used, sizeof *rows, compare_rows);
    for (uint32_t i = 0; i < table->used + (table->others ? table->places : 0); i++) {
        const RequestRow *row = i < table->used ? &rows[i] : &table->others[i - table->used];
        g_string_append_printf(text, "%u:%lu.%u %lu requests %lu fs, most %lu, %lu bytes, %lu\n",
                               row->key.kernel, row->key.pc, row->key.array, row->sums.count,
                               row->sums.latency, row->maximum, row->bytes, row->served_by[1]);
    }
    return g_string_free(text, FALSE);
}

/* Request i of all goes to table i % tables; perhaps from the last one to the first. */
static char *count_in_parts(uint32_t tables, bool backwards)
{
    RequestTable *parts = g_new0(RequestTable, tables), all;
    for (uint32_t i = 0; i < tables; i++) request_table_init(&parts[i], BOUND, PLACES);
    request_table_init(&all, BOUND, PLACES);
    g_autofree RequestKey *keys = g_new(RequestKey, REQUESTS);
    uint64_t state = 4711;
    for (uint32_t i = 0; i < REQUESTS; i++) keys[i] = draw_key(&state);
    for (uint32_t n = 0; n < REQUESTS; n++) {
        const uint32_t i = backwards ? REQUESTS - 1 - n : n;
        count_request(&parts[i % tables], &keys[i], i);
    }
    for (uint32_t i = 0; i < tables; i++)
        request_table_merge(&all, &parts[backwards ? tables - 1 - i : i]);
    for (uint32_t i = 0; i < tables; i++) request_table_finish(&parts[i]);
    char *text = describe(&all);
    request_table_finish(&all);
    g_free(parts);
    return text;
}

/* Without a merge. */
static char *count_whole(void)
{
    RequestTable table;
    uint64_t state = 4711;
    request_table_init(&table, BOUND, PLACES);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const RequestKey key = draw_key(&state);
        count_request(&table, &key, i);
    }
    char *text = describe(&table);
    request_table_finish(&table);
    return text;
}

START_TEST(what_a_full_table_holds_depends_on_no_order_and_no_division)
{
    g_autofree char *plain = count_whole();
    for (uint32_t tables = 1; tables <= 7; tables += 3) {
        g_autofree char *forwards = count_in_parts(tables, false);
        g_autofree char *backwards = count_in_parts(tables, true);
        ck_assert_str_eq(forwards, plain);
        ck_assert_str_eq(backwards, plain);
    }
}
END_TEST

/* Of 30 keys the lowest 8 are kernel 0's, PC 0 to 0x70. */
START_TEST(a_full_table_keeps_the_lowest_keys_and_counts_the_others_by_array)
{
    RequestTable table;
    uint64_t state = 4711, requests[PLACES] = {0}, latency = 0, sum = 0;
    request_table_init(&table, BOUND, PLACES);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const RequestKey key = draw_key(&state);
        count_request(&table, &key, i);
        sum += i;
        if (key.kernel || key.pc >= BOUND * 16) requests[key.array]++;
    }
    ck_assert_uint_eq(table.used, BOUND);
    for (uint32_t i = 0; i < BOUND; i++) {
        ck_assert_uint_eq(table.row[i].key.kernel, 0);
        ck_assert_uint_lt(table.row[i].key.pc, BOUND * 16);
        latency += table.row[i].sums.latency;
    }
    for (uint32_t i = 0; i < PLACES; i++) {
        ck_assert_uint_eq(table.others[i].sums.count, requests[i]);
        latency += table.others[i].sums.latency;
    }
    ck_assert_uint_eq(latency, sum);
    request_table_finish(&table);
}
END_TEST

START_TEST(a_table_that_was_cleared_is_as_new)
{
    RequestTable table;
    request_table_init(&table, BOUND, PLACES);
    uint64_t state = 99;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const RequestKey key = draw_key(&state);
        count_request(&table, &key, i);
    }
    request_table_clear(&table);
    ck_assert_uint_eq(table.used, 0);
    ck_assert_ptr_null(table.others);
    const RequestKey key = {.pc = 16};
    count_request(&table, &key, 1);
    g_autofree char *text = describe(&table);
    ck_assert_str_eq(text, "0:16.0 1 requests 1 fs, most 1, 128 bytes, 1\n");
    request_table_finish(&table);
}
END_TEST

/* Instructions of one PC are told apart by kernel, operation, space, source line and array. */
START_TEST(each_part_of_a_key_counts)
{
    const RequestKey keys[] = {
        {.pc = 16},
        {.pc = 32},
        {.pc = 16, .kernel = 1},
        {.pc = 16, .array = 1},
        {.pc = 16, .operation = 1},
        {.pc = 16, .space = 1},
        {.pc = 16, .source_line = 1},
    };
    RequestTable table;
    request_table_init(&table, 16, 2);
    for (guint i = 0; i < 2 * G_N_ELEMENTS(keys); i++)
        count_request(&table, &keys[i % G_N_ELEMENTS(keys)], 1);
    ck_assert_uint_eq(table.used, G_N_ELEMENTS(keys));
    for (uint32_t i = 0; i < table.used; i++) {
        ck_assert_uint_eq(table.row[i].sums.count, 2);
        for (uint32_t k = 0; k < table.used; k++)
            ck_assert_int_eq(request_key_compare(&table.row[i].key, &table.row[k].key) == 0,
                             i == k);
    }
    request_table_finish(&table);
}
END_TEST

HARNESS_MAIN("request_table", what_a_full_table_holds_depends_on_no_order_and_no_division,
             a_full_table_keeps_the_lowest_keys_and_counts_the_others_by_array,
             a_table_that_was_cleared_is_as_new, each_part_of_a_key_counts)
