#include "parts/cache/store_queue.h"

#include "rigs/harness.h"

static bool put(StoreQueue *queue, uint64_t line, uint16_t sectors, uint16_t partial)
{
    const StoreEntry evicted = {.line = line, .sectors = sectors, .partial = partial};
    return store_queue_put(queue, &evicted) == STORE_QUEUED;
}

START_TEST(entries_are_sent_in_order_of_age_and_kept_until_released)
{
    StoreQueue queue;
    store_queue_init(&queue, 3, 64);
    ck_assert_uint_eq(store_queue_send(&queue), STORE_QUEUE_NONE);
    for (uint64_t line = 5; line < 8; line++) ck_assert(put(&queue, line, 1, 0));
    ck_assert(!put(&queue, 8, 1, 0));
    const uint32_t first = store_queue_send(&queue), second = store_queue_send(&queue);
    ck_assert_uint_eq(queue.entries[first].line, 5);
    ck_assert_uint_eq(queue.entries[second].line, 6);
    ck_assert_uint_eq(queue.waiting, 1);
    ck_assert(!put(&queue, 8, 1, 0));
    store_queue_release(&queue, second);
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 1);
    ck_assert_uint_eq(store_queue_sectors(&queue, 6), 0);
    ck_assert(put(&queue, 8, 1, 0));
    ck_assert_uint_eq(queue.entries[store_queue_send(&queue)].line, 7);
    ck_assert_uint_eq(queue.entries[store_queue_send(&queue)].line, 8);
    store_queue_finish(&queue);
}
END_TEST

START_TEST(a_waiting_entry_takes_more_of_its_line_and_a_sent_one_does_not)
{
    StoreQueue queue;
    store_queue_init(&queue, 2, 64);
    ck_assert(put(&queue, 5, 1, 0));
    ck_assert(!put(&queue, 5, 2, 0)); /* joins */
    ck_assert_uint_eq(queue.used, 1);
    const uint32_t index = store_queue_send(&queue);
    ck_assert_uint_eq(queue.entries[index].sectors, 3);
    ck_assert(put(&queue, 5, 4, 0));
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 7);
    store_queue_release(&queue, index);
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 4);
    store_queue_finish(&queue);
}
END_TEST

START_TEST(sectors_held_in_part_answer_nobody_until_they_are_whole)
{
    StoreQueue queue;
    store_queue_init(&queue, 2, 64);
    ck_assert(put(&queue, 5, 3, 2));
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 1);
    ck_assert(!put(&queue, 5, 1, 1)); /* sector 0 was whole already */
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 1);
    ck_assert(!put(&queue, 5, 2, 0));
    ck_assert_uint_eq(store_queue_sectors(&queue, 5), 3);
    ck_assert_uint_eq(queue.entries[store_queue_send(&queue)].partial, 0);
    store_queue_finish(&queue);
}
END_TEST

/* Four sectors of data for as many addresses: two lines of two, or a line of four. */
START_TEST(data_has_a_queue_of_its_own)
{
    StoreQueue queue;
    store_queue_init(&queue, 4, 4);
    ck_assert(put(&queue, 5, 3, 0));
    ck_assert(put(&queue, 6, 8, 0));
    ck_assert_int_eq(store_queue_put(&queue, &(StoreEntry){.line = 7, .sectors = 3}),
                     STORE_LACKS_DATA);
    ck_assert_int_eq(store_queue_put(&queue, &(StoreEntry){.line = 5, .sectors = 6}), STORE_JOINED);
    ck_assert_uint_eq(queue.data_used, 4);
    ck_assert_int_eq(store_queue_put(&queue, &(StoreEntry){.line = 6, .sectors = 1}),
                     STORE_LACKS_DATA);
    store_queue_release(&queue, store_queue_send(&queue));
    ck_assert_uint_eq(queue.data_used, 1);
    ck_assert(put(&queue, 7, 3, 0));
    store_queue_finish(&queue);
}
END_TEST

HARNESS_MAIN("store_queue", data_has_a_queue_of_its_own,
             entries_are_sent_in_order_of_age_and_kept_until_released,
             a_waiting_entry_takes_more_of_its_line_and_a_sent_one_does_not,
             sectors_held_in_part_answer_nobody_until_they_are_whole)
