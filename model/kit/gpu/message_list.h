/* Messages of one owner in a row, linked through Message.next: they need no room of their own, and
 * a message is in one list at a time. All zero is empty. */
#pragma once

#include "kit/gpu/message.h"

typedef struct {
    Message *first, *last; /* `last` only while there is a first */
} MessageList;

static inline void message_list_append(MessageList *list, Message *message)
{
    message->next = NULL;
    if (list->first)
        list->last->next = message;
    else
        list->first = message;
    list->last = message;
}

/* The first, of a list that is not empty. */
static inline Message *message_list_take(MessageList *list)
{
    Message *message = list->first;
    list->first = message->next;
    message->next = NULL;
    return message;
}

static inline void message_list_prepend(MessageList *list, Message *message)
{
    if (!list->first) list->last = message;
    message->next = list->first;
    list->first = message;
}

/* Who stood between these two has left, and may be another's by now; NULL: it was the first, or the
 * last. */
static inline void message_list_close(MessageList *list, Message *before, Message *after)
{
    if (before)
        before->next = after;
    else
        list->first = after;
    if (!after) list->last = before;
}
