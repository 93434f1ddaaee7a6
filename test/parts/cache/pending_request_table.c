#include "parts/cache/pending_request_table.h"

#include <check.h>

#include "rigs/harness.h"

START_TEST(an_entry_is_found_by_its_line_and_sectors)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 4);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 1), PRT_NONE);
    const uint32_t index = pending_request_table_allocate(&table, 7, 0x5);
    ck_assert_uint_ne(index, PRT_NONE);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x5), index);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x4), index);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x7), PRT_NONE);
    ck_assert_uint_eq(pending_request_table_find(&table, 8, 0x4), PRT_NONE);
    pending_request_table_finish(&table);
}
END_TEST

START_TEST(a_line_may_have_several_entries_for_different_sectors)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 4);
    const uint32_t low = pending_request_table_allocate(&table, 7, 0x3);
    const uint32_t high = pending_request_table_allocate(&table, 7, 0xc);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x2), low);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x8), high);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x6), PRT_NONE);
    ck_assert_uint_ne(pending_request_table_allocate(&table, 8, 0xf), PRT_NONE);
    ck_assert_uint_eq(pending_request_table_next(&table, 7, PRT_NONE), high);
    ck_assert_uint_eq(pending_request_table_next(&table, 7, high), low);
    ck_assert_uint_eq(pending_request_table_next(&table, 7, low), PRT_NONE);
    pending_request_table_release(&table, low);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x2), PRT_NONE);
    ck_assert_uint_eq(pending_request_table_find(&table, 7, 0x8), high);
    pending_request_table_finish(&table);
}
END_TEST

START_TEST(a_full_table_has_no_entry_until_one_is_released)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 3);
    uint32_t index[3];
    for (uint64_t i = 0; i < 3; i++) {
        index[i] = pending_request_table_allocate(&table, 100 + i, 1);
        ck_assert_uint_lt(index[i], 3);
    }
    ck_assert_uint_eq(table.used, table.capacity);
    ck_assert_uint_eq(pending_request_table_allocate(&table, 200, 1), PRT_NONE);
    pending_request_table_release(&table, index[1]);
    ck_assert_uint_eq(table.used, 2);
    ck_assert_uint_eq(pending_request_table_find(&table, 101, 1), PRT_NONE);
    ck_assert_uint_eq(pending_request_table_allocate(&table, 200, 1), index[1]);
    ck_assert_uint_eq(pending_request_table_find(&table, 200, 1), index[1]);
    ck_assert_uint_eq(pending_request_table_find(&table, 100, 1), index[0]);
    ck_assert_uint_eq(pending_request_table_find(&table, 102, 1), index[2]);
    pending_request_table_finish(&table);
}
END_TEST

START_TEST(a_used_again_entry_remembers_nothing)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 1);
    PendingRequest *entry = &table.entries[pending_request_table_allocate(&table, 1, 1)];
    ck_assert(entry->used);
    entry->merged = 5;
    entry->first = entry->last = &table;
    pending_request_table_release(&table, 0);
    ck_assert(!entry->used);
    ck_assert_uint_eq(pending_request_table_allocate(&table, 2, 8), 0);
    ck_assert_uint_eq(entry->line, 2);
    ck_assert_uint_eq(entry->sectors, 8);
    ck_assert_uint_eq(entry->merged, 0);
    ck_assert_ptr_null(entry->first);
    ck_assert_ptr_null(entry->last);
    pending_request_table_finish(&table);
}
END_TEST

enum { CAPACITY = 24, ROUNDS = 30000 };

typedef struct {
    uint64_t line;
    uint16_t sectors;
    bool used;
} Copy;

/* Any entry with all of the sectors will do. */
static void expect_found(const PendingRequestTable *table, const Copy *copies, uint64_t line,
                         uint16_t sectors)
{
    bool present = false;
    for (unsigned i = 0; i < CAPACITY; i++)
        present |= copies[i].used && copies[i].line == line && !(sectors & ~copies[i].sectors);
    const uint32_t found = pending_request_table_find(table, line, sectors);
    ck_assert_int_eq(found != PRT_NONE, present);
    if (!present) return;
    ck_assert(copies[found].used && copies[found].line == line);
    ck_assert(!(sectors & ~copies[found].sectors));
}

START_TEST(any_sequence_of_entries_is_found_as_in_a_list)
{
    PendingRequestTable table;
    Copy copies[CAPACITY] = {{.used = false}};
    uint32_t used = 0;
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    pending_request_table_init(&table, CAPACITY);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 30) * 128;
        const uint16_t sectors = (uint16_t)g_rand_int_range(random, 1, 16);
        const uint32_t victim = (uint32_t)g_rand_int_range(random, 0, CAPACITY);
        expect_found(&table, copies, line, sectors);
        if (copies[victim].used && round % 2) {
            pending_request_table_release(&table, victim);
            copies[victim].used = false;
            used--;
        } else {
            const uint32_t index = pending_request_table_allocate(&table, line, sectors);
            ck_assert_int_eq(index == PRT_NONE, used == CAPACITY);
            if (index == PRT_NONE) continue;
            ck_assert(!copies[index].used);
            copies[index] = (Copy){line, sectors, true};
            used++;
        }
        ck_assert_uint_eq(table.used, used);
    }
    pending_request_table_finish(&table);
}
END_TEST

START_TEST(another_entry_fills_the_same_place)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 4);
    uint32_t entry[4];
    for (uint32_t i = 0; i < 4; i++) {
        entry[i] = pending_request_table_allocate(&table, i < 3 ? 128 : 256, (uint16_t)(1u << i));
        table.entries[entry[i]].place = i == 1 ? 6 : 5;
    }
    ck_assert_uint_eq(pending_request_table_find_other(&table, entry[0]), entry[2]);
    ck_assert_uint_eq(pending_request_table_find_other(&table, entry[2]), entry[0]);
    ck_assert_uint_eq(pending_request_table_find_other(&table, entry[1]), PRT_NONE);
    ck_assert_uint_eq(pending_request_table_find_other(&table, entry[3]), PRT_NONE);
    pending_request_table_finish(&table);
}
END_TEST

START_TEST(an_entry_is_a_line_of_the_hosts_cache)
{
    PendingRequestTable table;
    pending_request_table_init(&table, 3);
    ck_assert_uint_eq(sizeof *table.entries, 64);
    ck_assert_uint_eq((uintptr_t)table.entries % 64, 0);
    pending_request_table_finish(&table);
}
END_TEST

HARNESS_MAIN("pending_request_table", an_entry_is_a_line_of_the_hosts_cache,
             an_entry_is_found_by_its_line_and_sectors,
             a_line_may_have_several_entries_for_different_sectors,
             a_full_table_has_no_entry_until_one_is_released, a_used_again_entry_remembers_nothing,
             another_entry_fills_the_same_place, any_sequence_of_entries_is_found_as_in_a_list)
