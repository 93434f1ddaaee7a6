#include "parts/cache/reorder_buffer.h"

#include "rigs/harness.h"

START_TEST(items_leave_in_the_order_in_which_they_came)
{
    static int items[3];
    ReorderBuffer buffer;
    reorder_buffer_init(&buffer, 3);
    uint32_t slot[3];
    for (int i = 0; i < 3; i++) slot[i] = reorder_buffer_add(&buffer, &items[i], 10 + i);
    ck_assert(reorder_buffer_is_full(&buffer));
    reorder_buffer_complete(&buffer, slot[1], 50);
    ck_assert_ptr_null(reorder_buffer_head(&buffer));
    reorder_buffer_complete(&buffer, slot[0], 60);
    ck_assert_ptr_eq(reorder_buffer_head(&buffer)->item, &items[0]);
    ck_assert_uint_eq(reorder_buffer_head(&buffer)->ready, 60);
    ck_assert_uint_eq(reorder_buffer_head(&buffer)->came, 10);
    reorder_buffer_pop(&buffer);
    ck_assert_ptr_eq(reorder_buffer_head(&buffer)->item, &items[1]);
    reorder_buffer_pop(&buffer);
    ck_assert_ptr_null(reorder_buffer_head(&buffer));
    reorder_buffer_finish(&buffer);
}
END_TEST

START_TEST(a_slot_given_back_is_used_again_around_the_ring)
{
    static int item;
    ReorderBuffer buffer;
    reorder_buffer_init(&buffer, 2);
    for (uint64_t i = 0; i < 5; i++) {
        reorder_buffer_add(&buffer, NULL, i);
        reorder_buffer_retract(&buffer);
        const uint32_t slot = reorder_buffer_add(&buffer, &item, i);
        ck_assert_ptr_null(reorder_buffer_head(&buffer));
        reorder_buffer_complete(&buffer, slot, i);
        ck_assert_uint_eq(reorder_buffer_head(&buffer)->came, i);
        reorder_buffer_pop(&buffer);
        ck_assert_uint_eq(buffer.used, 0);
    }
    reorder_buffer_finish(&buffer);
}
END_TEST

HARNESS_MAIN("reorder_buffer", items_leave_in_the_order_in_which_they_came,
             a_slot_given_back_is_used_again_around_the_ring)
