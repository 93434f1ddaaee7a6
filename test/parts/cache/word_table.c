/* Numbers by address: against a plain array. */
#include "parts/cache/word_table.h"

#include "parts/bits.h"
#include "rigs/harness.h"

#include <check.h>
#include <stdlib.h>

enum { KEYS = 300, ROUNDS = 20000 };

START_TEST(what_is_written_is_read_and_the_rest_is_nothing)
{
    uint32_t expected[KEYS] = {0};
    uint64_t random = 1;
    WordTable table;
    word_table_init(&table, 2);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        random = mix64(random);
        const uint32_t key = (uint32_t)(random % KEYS);
        expected[key] = random >> 40 & 1 ? (uint32_t)(random >> 41) : 0;
        word_table_write(&table, (uint64_t)key * 32, expected[key]);
        const uint32_t other = (uint32_t)(random >> 20) % KEYS;
        ck_assert_uint_eq(word_table_read(&table, (uint64_t)other * 32), expected[other]);
    }
    uint32_t used = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        ck_assert_uint_eq(word_table_read(&table, (uint64_t)key * 32), expected[key]);
        used += expected[key] != 0;
    }
    ck_assert_uint_eq(table.used, used);
    word_table_finish(&table);
}
END_TEST

START_TEST(a_cleared_table_holds_nothing_and_does_not_shrink)
{
    WordTable table;
    word_table_init(&table, 2);
    for (uint32_t key = 0; key < 100; key++) word_table_write(&table, key, key + 1);
    const uint32_t bits = table.bits;
    ck_assert_uint_eq(bits, 8); /* 100 of 128 would be more than three quarters */
    word_table_clear(&table);
    for (uint32_t key = 0; key < 100; key++) ck_assert_uint_eq(word_table_read(&table, key), 0);
    ck_assert_uint_eq(table.used, 0);
    ck_assert_uint_eq(table.bits, bits);
    word_table_finish(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("word_table");
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, what_is_written_is_read_and_the_rest_is_nothing);
    tcase_add_test(cases, a_cleared_table_holds_nothing_and_does_not_shrink);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
