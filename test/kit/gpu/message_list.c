#include "kit/gpu/message_list.h"
#include "rigs/harness.h"

#include <glib.h>

#include <check.h>
#include <glib.h>

enum { MESSAGES = 4 };

/* The list holds the messages whose numbers are written, in this order. */
static void expect(const MessageList *list, const Message *messages, const char *numbers)
{
    const Message *at = list->first;
    for (; *numbers; numbers++, at = at->next) ck_assert_ptr_eq(at, &messages[*numbers - '0']);
    ck_assert_ptr_null(at);
}

static MessageList list_of(Message *messages, const char *numbers)
{
    MessageList list = {NULL, NULL};
    for (; *numbers; numbers++) message_list_append(&list, &messages[*numbers - '0']);
    return list;
}

START_TEST(what_came_first_is_taken_first)
{
    Message messages[MESSAGES] = {0};
    MessageList list = list_of(messages, "201");
    expect(&list, messages, "201");
    ck_assert_ptr_eq(message_list_take(&list), &messages[2]);
    ck_assert_ptr_null(messages[2].next);
    message_list_append(&list, &messages[3]);
    expect(&list, messages, "013");
}
END_TEST

START_TEST(a_list_that_was_emptied_is_used_again)
{
    Message messages[MESSAGES] = {0};
    MessageList list = list_of(messages, "0");
    message_list_take(&list);
    expect(&list, messages, "");
    message_list_append(&list, &messages[1]);
    message_list_append(&list, &messages[0]);
    expect(&list, messages, "10");
    message_list_take(&list);
    message_list_take(&list);
    message_list_prepend(&list, &messages[2]);
    message_list_append(&list, &messages[3]);
    expect(&list, messages, "23");
}
END_TEST

/* Wherever one leaves, the next one that is appended comes last. */
static const struct {
    const char *begin;
    int before; /* message 0, which leaves; -1: none */
    const char *left;
} rows[] = {
    {"0", -1, "3"},     {"01", -1, "13"},  {"10", 1, "13"},
    {"012", -1, "123"}, {"102", 1, "123"}, {"120", 2, "123"},
};

START_TEST(one_leaves_from_anywhere)
{
    Message messages[MESSAGES] = {0};
    Message *before = rows[_i].before < 0 ? NULL : &messages[rows[_i].before];
    MessageList list = list_of(messages, rows[_i].begin);
    message_list_close(&list, before, messages[0].next);
    message_list_append(&list, &messages[3]);
    expect(&list, messages, rows[_i].left);
}
END_TEST

START_TEST(one_goes_in_front_of_others)
{
    Message messages[MESSAGES] = {0};
    MessageList list = list_of(messages, "12");
    message_list_prepend(&list, &messages[0]);
    message_list_append(&list, &messages[3]);
    expect(&list, messages, "0123");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, what_came_first_is_taken_first);
    tcase_add_test(cases, a_list_that_was_emptied_is_used_again);
    tcase_add_loop_test(cases, one_leaves_from_anywhere, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, one_goes_in_front_of_others);
    Suite *suite = suite_create("message_list");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
