/* The header of every message, the kinds, and the pools they come from. */
#include "kit/gpu/message.h"

#include "kit/gpu/store_notice.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/warp_access.h"
#include "rigs/harness.h"

#include <string.h>

static const Message *made(Unit *unit, MessageKind kind)
{
    return unit_new(unit, kind);
}

START_TEST(a_message_says_who_made_it_and_which_it_is)
{
    Harness *harness = harness_new();
    Unit *first = harness_source(harness, "first"), *second = harness_source(harness, "second");
    ck_assert_uint_eq(made(first, MESSAGE_TRANSACTION)->id, 0);
    ck_assert_uint_eq(made(second, MESSAGE_TRANSACTION)->id, UINT64_C(1) << 40);
    ck_assert_uint_eq(made(second, MESSAGE_WARP_ACCESS)->id, (UINT64_C(1) << 40) + 1);
    ck_assert_uint_eq(made(first, MESSAGE_CTA)->kind, MESSAGE_CTA);
    ck_assert_uint_eq(made(first, MESSAGE_DRAM_COMMANDS)->kind, MESSAGE_DRAM_COMMANDS);
    ck_assert_uint_eq(message_source_made(&first->messages), 3);
    harness_free(harness);
}
END_TEST

/* A pool gives back what was freed last: a message that is written to its last byte leaves its
 * neighbours in the pool as they are. */
START_TEST(every_kind_has_its_own_size)
{
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) {
        const MessageRow *row = &message_rows[kind];
        Message *before = unit_new(unit, (MessageKind)kind);
        Message *message = unit_new(unit, (MessageKind)kind);
        Message *behind = unit_new(unit, (MessageKind)kind);
        ck_assert_msg(row->name && *row->name, "kind %u has no name", kind);
        ck_assert_uint_ge(row->size, sizeof(Message));
        memset(message + 1, 0xff, row->size - sizeof *message);
        ck_assert_msg(before->kind == kind && behind->kind == kind, "a %s is larger than its row",
                      row->name);
        ck_assert_uint_eq(before->id + 2, behind->id);
    }
    harness_free(harness);
}
END_TEST

START_TEST(a_name_says_one_kind)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
        for (unsigned other = 0; other < kind; other++)
            ck_assert_str_ne(message_rows[kind].name, message_rows[other].name);
    ck_assert_str_eq(message_rows[MESSAGE_STORE_NOTICE].name, "store notice");
    ck_assert_uint_eq(message_rows[MESSAGE_TRANSACTION].size, sizeof(Transaction));
}
END_TEST

/* What a store's operands have to say is four words and the header. */
START_TEST(a_store_notice_is_small_and_says_whose_operands_were_read)
{
    static const Space spaces[] = {SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED};
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    ck_assert_uint_le(sizeof(StoreNotice), 64);
    WarpAccess *access = unit_new(unit, MESSAGE_WARP_ACCESS);
    access->warp = 7;
    access->warp_age = 3;
    access->launch = 2;
    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++) {
        access->instruction = (Instruction){.operation = OPERATION_STORE, .space = spaces[i]};
        const StoreNotice *notice = store_notice_new(&unit->messages, access, 120);
        ck_assert_uint_eq(notice->message.kind, MESSAGE_STORE_NOTICE);
        ck_assert_uint_eq(notice->warp, 7);
        ck_assert_uint_eq(notice->warp_age, 3);
        ck_assert_uint_eq(notice->released_at, 120);
        ck_assert_uint_eq(notice->launch, 2);
        ck_assert_int_eq(notice->step, STORE_RELEASED);
    }
    harness_free(harness);
}
END_TEST

HARNESS_MAIN("message", a_message_says_who_made_it_and_which_it_is, every_kind_has_its_own_size,
             a_name_says_one_kind, a_store_notice_is_small_and_says_whose_operands_were_read)
