/* Numbers as decimals, the same in every locale: the shortest text that reads back as the same
 * double, and back. */
#pragma once

#include <glib.h>
#include <string.h>

/* 360, 0.25, 1e+20: whole numbers below 10^15 have all their digits. */
void decimal_append(GString *text, double value);
char *decimal_text(double value);

void decimal_append_count(GString *text, guint64 count);

/* Where the decimal ends that `text` begins with: a sign, digits with or without a point, a power
 * of ten. NULL: there is none, as in "nan" and " 1", or no double is that large or that small. */
const char *decimal_read(const char *text, double *value);

/* value x 10^places as its decimal says: 3.6 x 10^-2 is 0.036, which 3.6 / 100 is not. */
double decimal_scale(double value, int places);

/* decimal_read without a power of ten and without a double: digits x 10^-places. */
typedef struct {
    __extension__ unsigned __int128 digits; /* of DECIMAL_EXACT digits at most */
    unsigned count, places;
    gboolean negative;
} Decimal;

enum { DECIMAL_EXACT = 38 };

const char *decimal_read_exact(const char *text, Decimal *decimal);

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
