#include "parts/address/translation_queue.h"

#include "rigs/harness.h"

static int who[4]; /* the waiters: only their addresses matter */

static TranslationQueue make(uint64_t places)
{
    TranslationQueue queue;
    ck_assert(translation_queue_init(&queue, (TlbShape){2, 0, 4096}, places, NULL));
    return queue;
}

static void expect_next(TranslationQueue *queue, const int *waiter)
{
    ck_assert_ptr_eq(translation_queue_ready(queue), waiter);
    if (waiter) translation_queue_leave(queue);
}

START_TEST(a_page_is_unknown_then_pending_then_known)
{
    TranslationQueue queue = make(4);
    ck_assert_int_eq(translation_queue_state(&queue, 100), TRANSLATION_UNKNOWN);
    translation_queue_wait(&queue, 100, &who[0]);
    ck_assert_int_eq(translation_queue_state(&queue, 4095), TRANSLATION_PENDING);
    ck_assert_int_eq(translation_queue_state(&queue, 4096), TRANSLATION_UNKNOWN);
    ck_assert_uint_eq(translation_queue_page(&queue, 5000), 4096);
    ck_assert(translation_queue_arrive(&queue, 0));
    ck_assert_int_eq(translation_queue_state(&queue, 4095), TRANSLATION_KNOWN);
    translation_queue_finish(&queue);
}
END_TEST

START_TEST(waiters_are_ready_by_page_in_order_of_arrival)
{
    TranslationQueue queue = make(4);
    translation_queue_wait(&queue, 0, &who[0]);
    translation_queue_wait(&queue, 4096, &who[1]);
    translation_queue_wait(&queue, 64, &who[2]);
    expect_next(&queue, NULL);
    ck_assert(translation_queue_arrive(&queue, 0));
    ck_assert(translation_queue_arrive(&queue, 4096));
    expect_next(&queue, &who[0]);
    expect_next(&queue, &who[2]);
    expect_next(&queue, &who[1]);
    expect_next(&queue, NULL);
    translation_queue_finish(&queue);
}
END_TEST

/* Also those that are ready take places; who joins counts as who asks. */
START_TEST(places_are_bounded_until_their_waiters_leave)
{
    TranslationQueue queue = make(2);
    for (guint round = 0; round < 3; round++) {
        const uint64_t page = 4096 * (uint64_t)(10 + 10 * round);
        translation_queue_wait(&queue, page, &who[0]);
        translation_queue_wait(&queue, page, &who[1]);
        ck_assert_int_eq(translation_queue_state(&queue, page), TRANSLATION_FULL);
        ck_assert_int_eq(translation_queue_state(&queue, 4096), TRANSLATION_FULL);
        ck_assert(translation_queue_arrive(&queue, page));
        ck_assert_int_eq(translation_queue_state(&queue, page), TRANSLATION_KNOWN);
        ck_assert_int_eq(translation_queue_state(&queue, 4096), TRANSLATION_FULL);
        expect_next(&queue, &who[0]);
        ck_assert_int_eq(translation_queue_state(&queue, 4096), TRANSLATION_UNKNOWN);
        expect_next(&queue, &who[1]);
    }
    translation_queue_finish(&queue);
}
END_TEST

START_TEST(a_translation_that_nobody_wants_is_not_taken)
{
    TranslationQueue queue = make(2);
    ck_assert(!translation_queue_arrive(&queue, 0));
    translation_queue_finish(&queue);
}
END_TEST

HARNESS_MAIN("translation_queue", a_page_is_unknown_then_pending_then_known,
             waiters_are_ready_by_page_in_order_of_arrival,
             places_are_bounded_until_their_waiters_leave,
             a_translation_that_nobody_wants_is_not_taken)
