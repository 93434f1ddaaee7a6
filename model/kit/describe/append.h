/* Pieces of text behind each other. */
#pragma once

#include <glib.h>
#include <string.h>

/* g_string_append_len without its call where there is room: a result is a million short pieces. */
static inline void append_bytes(GString *text, const char *bytes, gsize length)
{
    if (text->allocated_len - text->len <= length) {
        g_string_append_len(text, bytes, (gssize)length);
        return;
    }
    memcpy(text->str + text->len, bytes, length);
    text->len += length;
    text->str[text->len] = '\0';
}
