#include "rigs/harness.h"

#include "parts/dram/row_sorter.h"

static DramAccess access_to(uint8_t bank_set, uint32_t row)
{
    return (DramAccess){.bank_set = bank_set, .row = row, .banks = 1, .bursts = 1};
}

static RowRequest *add(RowSorter *sorter, uint8_t bank_set, uint32_t row)
{
    const DramAccess access = access_to(bank_set, row);
    return row_sorter_add(sorter, &access);
}

START_TEST(requests_of_a_row_share_one_entry_and_keep_their_order)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 1, 2, 8);
    RowRequest *first = add(&sorter, 3, 7), *other = add(&sorter, 3, 9),
               *second = add(&sorter, 3, 7);
    ck_assert_uint_eq(first->row, second->row);
    ck_assert_uint_ne(first->row, other->row);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 3), first);
    row_sorter_remove(&sorter, first);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 3), second);
    row_sorter_remove(&sorter, second);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 3), other);
    row_sorter_remove(&sorter, other);
    ck_assert_uint_eq(sorter.waiting, 0);
    ck_assert_uint_eq(sorter.count, 0);
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(the_open_row_goes_before_one_that_waits_longer)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 4, 4, 8);
    RowRequest *older = add(&sorter, 1, 5);
    row_sorter_open(&sorter, 1, 6);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 1), older); /* nothing waits for row 6 yet */
    RowRequest *hit = add(&sorter, 1, 6);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 1), hit);
    ck_assert(row_sorter_is_open(&sorter, hit));
    ck_assert(!row_sorter_is_open(&sorter, older));
    row_sorter_open(&sorter, 1, 5);
    ck_assert_ptr_eq(row_sorter_next(&sorter, 1), older);
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(a_bank_set_has_changed_when_another_request_is_next_or_another_row_open)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 4, 4, 8);
    RowRequest *first = add(&sorter, 1, 5);
    ck_assert_uint_eq(sorter.changed, 2);
    sorter.changed = 0;
    add(&sorter, 1, 5);
    add(&sorter, 1, 6);
    ck_assert_uint_eq(sorter.changed, 0); /* they wait behind it */
    row_sorter_open(&sorter, 1, 5);
    ck_assert_uint_eq(sorter.changed, 2);
    sorter.changed = 0;
    row_sorter_open(&sorter, 1, 5); /* in another bank of the set */
    ck_assert_uint_eq(sorter.changed, 2);
    sorter.changed = 0;
    row_sorter_remove(&sorter, first);
    ck_assert_uint_eq(sorter.changed, 2);
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(a_full_store_and_a_full_set_refuse)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 1, 2, 3);
    RowRequest *request = add(&sorter, 0, 1);
    ck_assert_ptr_nonnull(request);
    ck_assert_ptr_nonnull(add(&sorter, 0, 2));
    ck_assert_ptr_null(add(&sorter, 0, 3)); /* no way for a third row */
    ck_assert_ptr_nonnull(add(&sorter, 0, 1));
    ck_assert_ptr_null(add(&sorter, 0, 1)); /* no place for a fourth request */
    row_sorter_remove(&sorter, request);
    ck_assert_ptr_nonnull(add(&sorter, 0, 2));
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(the_oldest_of_all_is_known_whatever_is_taken_out)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 1, 64, 64);
    RowRequest *request[64];
    for (uint32_t i = 0; i < 64; i++) request[i] = add(&sorter, (uint8_t)(i % 8), i / 8);
    for (uint32_t i = 63; i >= 8; i--) {

        row_sorter_remove(&sorter, request[i]);
        ck_assert_ptr_eq(sorter.oldest, request[0]);
        ck_assert_ptr_eq(sorter.newest, request[i - 1]);
    }
    row_sorter_remove(&sorter, request[0]);
    ck_assert_ptr_eq(sorter.oldest, request[1]);
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(a_row_that_is_deferred_lets_the_others_of_its_banks_go_first)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 4, 4, 8);
    row_sorter_open(&sorter, 1, 5);
    RowRequest *open = add(&sorter, 1, 5), *second = add(&sorter, 1, 6),
               *third = add(&sorter, 1, 7);
    row_sorter_defer(&sorter, row_sorter_row(&sorter, open));
    ck_assert(!row_sorter_is_open(&sorter, open));
    RowRequest *const order[] = {second, third, open};
    for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
        ck_assert_ptr_eq(row_sorter_next(&sorter, 1), order[i]);
        row_sorter_remove(&sorter, order[i]);
    }
    ck_assert_uint_eq(sorter.waiting, 0);
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(the_only_row_of_its_banks_cannot_be_deferred)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 4, 4, 8);
    row_sorter_open(&sorter, 1, 5);
    RowRequest *only = add(&sorter, 1, 5);
    add(&sorter, 2, 5);
    row_sorter_defer(&sorter, row_sorter_row(&sorter, only));
    ck_assert(row_sorter_is_open(&sorter, only));
    row_sorter_finish(&sorter);
}
END_TEST

START_TEST(a_row_is_found_by_bank_set_and_number)
{
    RowSorter sorter;
    row_sorter_init(&sorter, 4, 4, 8);
    const RowRequest *first = add(&sorter, 1, 5);
    add(&sorter, 1, 5);
    ck_assert_ptr_eq(row_sorter_find(&sorter, 1, 5), first);
    ck_assert_ptr_null(row_sorter_find(&sorter, 1, 6));
    ck_assert_ptr_null(row_sorter_find(&sorter, 2, 5));
    row_sorter_finish(&sorter);
}
END_TEST

HARNESS_MAIN("row_sorter", a_row_that_is_deferred_lets_the_others_of_its_banks_go_first,
             the_only_row_of_its_banks_cannot_be_deferred, a_row_is_found_by_bank_set_and_number,
             requests_of_a_row_share_one_entry_and_keep_their_order,
             the_open_row_goes_before_one_that_waits_longer, a_full_store_and_a_full_set_refuse,
             a_bank_set_has_changed_when_another_request_is_next_or_another_row_open,
             the_oldest_of_all_is_known_whatever_is_taken_out)
