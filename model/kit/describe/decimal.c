#include "kit/describe/decimal.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* --- writing ---------------------------------------------------------------------------------- */

static const double PLAIN_BELOW = 1e15;

/* Of ten numbers of a result nine are 0. */
void decimal_append_count(GString *text, guint64 count)
{
    if (count < 10) {
        g_string_append_c(text, (char)('0' + count));
        return;
    }
    char digits[24], *first = &digits[sizeof digits];
    do *--first = (char)('0' + count % 10);
    while (count /= 10);
    append_bytes(text, first, (gsize)(&digits[sizeof digits] - first));
}

/* Digits that are needed of a number written with 15: DBL_DIG survive the way to a double and back,
 * so that a shorter decimal would be among them, followed by zeros. */
static int count_digits(const char *written)
{
    int digits = 1;
    for (const char *digit = written + 2; g_ascii_isdigit(*digit); digit++) /* behind "1." */
        if (*digit != '0') digits = (int)(digit - written);
    return digits;
}

static bool reads_back(const char *format, double value, char *buffer)
{
    g_ascii_formatd(buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
    return g_ascii_strtod(buffer, NULL) == value;
}

static void append_digits(GString *text, int digits, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, format, value));
}

/* The fewest digits that read back as the same number, 1 to 17. */
static int find_precision(double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    const bool normal = fabs(value) >= DBL_MIN;
    if (normal && reads_back("%.14e", fabs(value), buffer)) return count_digits(buffer);
    for (int digits = normal ? 16 : 1; digits < 17; digits++) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        if (reads_back(format, value, buffer)) return digits;
    }
    return 17;
}

/* A fraction with few decimals, as most of a result's long lists are, without printf: where a whole
 * number divided by a power of ten is the value, its digits are what "%g" would print. */
static bool append_fraction(GString *text, double value)
{
    enum { DECIMALS = 9 };
    guint64 power = 10;
    if (!(value >= 1e-4 && value < 1e5)) return false;
    for (guint decimals = 1; decimals <= DECIMALS; decimals++, power *= 10) {
        const double whole = rint(value * (double)power);
        if (whole / (double)power != value) continue;
        decimal_append_count(text, (guint64)whole / power);
        g_string_append_c(text, '.');
        for (guint64 rest = (guint64)whole, unit = power / 10; unit; unit /= 10)
            g_string_append_c(text, (char)('0' + rest / unit % 10));
        return true;
    }
    return false;
}

__extension__ typedef unsigned __int128 Wide;

/* A fraction without rounding: value x 10^places is scaled / 2^shift. */
typedef struct {
    Wide scaled;
    unsigned shift;
    guint64 step;      /* from a double to the next one */
    bool even, narrow; /* the double is even; the one below is at half the distance */
} Scaled;

/* `places`: 27 at most, so that 5^places has 63 bits. */
static Scaled scale(double value, int places)
{
    int exponent;
    guint64 step = 1;
    const guint64 fraction = (guint64)ldexp(frexp(value, &exponent), DBL_MANT_DIG);
    for (int i = 0; i < places; i++) step *= 5;
    return (Scaled){.scaled = (Wide)fraction * step,
                    .shift = (unsigned)(DBL_MANT_DIG - exponent - places),
                    .step = step,
                    .even = fraction % 2 == 0,
                    .narrow = fraction == G_GUINT64_CONSTANT(1) << (DBL_MANT_DIG - 1)};
}

/* `whole` x `unit`, in which half of a unit is rounded to even, as printf does; it reads back where
 * no other double is as near. */
static bool round_to(const Scaled *of, guint64 unit, guint64 *whole)
{
    const Wide one = (Wide)unit << of->shift;
    guint64 rounded = (guint64)(of->scaled >> of->shift) / unit;
    Wide off = of->scaled - rounded * one;
    const bool up = 2 * off > one || (2 * off == one && rounded % 2);
    if (up) off = one - off;
    *whole = rounded + up;
    const unsigned halves = !up && of->narrow ? 4 : 2;
    return halves * off < of->step || (halves * off == of->step && of->even);
}

/* Behind the point as many as there are, without zeros at the end. */
static void append_places(GString *text, guint64 whole, int places)
{
    char digits[24];
    while (whole % 10 == 0) whole /= 10, places--;
    for (int i = places; i--; whole /= 10) digits[i] = (char)('0' + whole % 10);
    decimal_append_count(text, whole);
    g_string_append_c(text, '.');
    g_string_append_len(text, digits, places);
}

/* As "%g" writes what is below 1e-4: the first digit, those behind the point, the exponent. */
static void append_exponent(GString *text, guint64 whole, int exponent)
{
    char digits[24], *first = &digits[sizeof digits];
    while (whole % 10 == 0) whole /= 10;
    do *--first = (char)('0' + whole % 10);
    while (whole /= 10);
    g_string_append_c(text, *first++);
    if (first < &digits[sizeof digits]) g_string_append_c(text, '.');
    append_bytes(text, first, (gsize)(&digits[sizeof digits] - first));
    g_string_append(text, exponent > 9 ? "e-" : "e-0");
    decimal_append_count(text, (guint64)exponent);
}

/* Any other fraction of the usual size: with 15 to 17 digits, in whole numbers. */
static bool append_scaled(GString *text, double value)
{
    enum { DIGITS = 17 };
    static const guint64 least = G_GUINT64_CONSTANT(10000000000000000); /* of so many digits */
    guint64 whole = 0;
    int places = DIGITS - 1;
    if (!(value >= 1e-10 && value < PLAIN_BELOW)) return false;
    for (double at = value; at >= 10; at /= 10) places--;
    for (double at = value; at < 1; at *= 10) places++;
    const Scaled scaled = scale(value, places);
    const guint64 all = (guint64)(scaled.scaled >> scaled.shift);
    if (all < least || all >= 10 * least) return false;
    guint64 unit = 100;
    while (!round_to(&scaled, unit, &whole) && unit > 1) unit /= 10;
    if (whole * unit >= 10 * least) return false;
    if (places < DIGITS + 4)
        append_places(text, whole * unit, places);
    else
        append_exponent(text, whole * unit, places - (DIGITS - 1));
    return true;
}

void decimal_append(GString *text, double value)
{
    if (fabs(value) < PLAIN_BELOW && value == trunc(value)) {
        if (signbit(value)) g_string_append_c(text, '-');
        decimal_append_count(text, (guint64)fabs(value));
        return;
    }
    if (append_fraction(text, value) || append_scaled(text, value)) return;
    append_digits(text, find_precision(value), value);
}

char *decimal_text(double value)
{
    GString *text = g_string_new(NULL);
    decimal_append(text, value);
    return g_string_free(text, FALSE);
}

double decimal_scale(double value, int places)
{
    char power[G_ASCII_DTOSTR_BUF_SIZE], *end;
    g_autofree char *digits = decimal_text(value), *text = NULL;
    g_snprintf(power, sizeof power, "e%d", places);
    text = g_strconcat(digits, power, NULL);
    const double scaled = g_ascii_strtod(text, &end);
    return *end ? value * pow(10, places) : scaled; /* the digits have a power of their own */
}

/* --- reading ---------------------------------------------------------------------------------- */

const char *decimal_read_exact(const char *text, Decimal *decimal)
{
    *decimal = (Decimal){.negative = *text == '-'};
    const char *at = text + (*text == '-' || *text == '+');
    bool point = false;
    for (; g_ascii_isdigit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        if (decimal->count < DECIMAL_EXACT)
            decimal->digits = decimal->digits * 10 + (unsigned)(*at - '0');
        decimal->places += point;
        decimal->count++;
    }
    return decimal->count ? at : NULL;
}

/* Numbers of at most 15 digits and powers of ten of at most 22 are exact in a double, so that one
 * division rounds once. */
static bool is_short(const char *text, const char **end, double *value)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = *text == '-';
    const char *at = text + (negative || *text == '+');
    guint64 digits = 0;
    int length = 0, places = 0;
    for (; g_ascii_isdigit(*at) && length <= DBL_DIG; at++, length++)
        digits = 10 * digits + (guint64)(*at - '0');
    if (*at == '.')
        for (at++; g_ascii_isdigit(*at) && length <= DBL_DIG; at++, length++, places++)
            digits = 10 * digits + (guint64)(*at - '0');
    if (!length || length > DBL_DIG || *at == 'e' || *at == 'E') return false;
    *value = (negative ? -1.0 : 1.0) * ((double)digits / tens[places]);
    *end = at;
    return true;
}

const char *decimal_read(const char *text, double *value)
{
    const char *end;
    if (is_short(text, &end, value)) return end;
    const char *digits = text + (*text == '-' || *text == '+');
    if (*digits == '.') digits++;
    if (!g_ascii_isdigit(*digits)) return NULL; /* "nan", " 1" */
    char *last;
    errno = 0;
    *value = g_ascii_strtod(text, &last);
    const bool lost = errno == ERANGE && *value == 0; /* smaller than the smallest double */
    return lost || !isfinite(*value) ? NULL : last;
}
