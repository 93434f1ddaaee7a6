#include "kit/describe/quantity.h"

#include <glib.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"

typedef struct {
    const char *name;
    uint64_t scale; /* in the stored unit */
} Measure;

static const Measure byte_measures[] = {
    {"B", 1},
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {"kB", UINT64_C(1000)},
    {"MB", UINT64_C(1000000)},
    {"GB", UINT64_C(1000000000)},
    {"TB", UINT64_C(1000000000000)},
    {NULL, 0},
};
enum { BINARY_MEASURES = 5 }; /* the first ones of byte_measures */
static const Measure time_measures[] = {
    {"fs", 1},
    {"ps", UINT64_C(1000)},
    {"ns", UINT64_C(1000000)},
    {"us", UINT64_C(1000000000)},
    {"ms", UINT64_C(1000000000000)},
    {"s", UINT64_C(1000000000000000)},
    {NULL, 0},
};
static const Measure frequency_measures[] = {
    {"Hz", 1}, {"kHz", UINT64_C(1000)}, {"MHz", UINT64_C(1000000)}, {"GHz", UINT64_C(1000000000)},
    {NULL, 0},
};
static const Measure cycle_measures[] = {{"cycles", 1}, {"cycle", 1}, {NULL, 0}};
static const Measure bandwidth_measures[] = {
    {"B/cycle", 1}, {"KiB/cycle", UINT64_C(1) << 10}, {NULL, 0}};
static const Measure duration_measures[] = {
    {"cycles", 1},
    {"cycle", 1},
    {"fs", 1},
    {"ps", UINT64_C(1000)},
    {"ns", UINT64_C(1000000)},
    {"us", UINT64_C(1000000000)},
    {"ms", UINT64_C(1000000000000)},
    {NULL, 0},
};
static const Measure plain_measures[] = {{"", 1}, {NULL, 0}};

static const Measure *measures_of(ParamType type)
{
    static const Measure *const measures[] = {
        [PARAM_COUNT] = plain_measures,         [PARAM_CYCLES] = cycle_measures,
        [PARAM_BYTES] = byte_measures,          [PARAM_TIME] = time_measures,
        [PARAM_FREQUENCY] = frequency_measures, [PARAM_BANDWIDTH] = bandwidth_measures,
        [PARAM_DURATION] = duration_measures,
    };
    return measures[type];
}

bool param_is_quantity(ParamType type)
{
    return type <= PARAM_DURATION;
}

const QuantityWords *quantity_words(ParamType type)
{
    static const QuantityWords words[] = {
        [PARAM_COUNT] = {"whole number", NULL, "units", {NULL, NULL}, ""},
        [PARAM_CYCLES] = {"cycles", "cycles are written as", "cycles", {"cycles", NULL}, " cycles"},
        [PARAM_BYTES] = {"bytes", "bytes are written as", "bytes", {"B", "KiB"}, NULL},
        [PARAM_TIME] = {"time", "a time is written as", "femtoseconds", {"ns", "us"}, NULL},
        [PARAM_FREQUENCY] =
            {"frequency", "a frequency is written as", "hertz", {"MHz", "GHz"}, NULL},
        [PARAM_BANDWIDTH] = {"bytes a cycle",
                             "bytes a cycle are written as",
                             "bytes a cycle",
                             {"B/cycle", NULL},
                             " B/cycle"},
        [PARAM_DURATION] = {"cycles or a time",
                            "a duration is written as",
                            "cycles or femtoseconds",
                            {"cycles", "ns"},
                            " cycles"},
    };
    return &words[type];
}

static bool is_cycles(const char *unit)
{
    return !strcmp(unit, "cycles") || !strcmp(unit, "cycle");
}

/* More digits are no quantity. */
enum { DIGITS_MAX = 30 };

/* "0x7f3000", or NULL: an address. */
static const char *read_hexadecimal(const char *at, Decimal *decimal)
{
    if (at[0] != '0' || (at[1] != 'x' && at[1] != 'X') || !g_ascii_isxdigit(at[2])) return NULL;
    unsigned count = 0;
    for (at += 2; g_ascii_isxdigit(*at); at++, count++)
        decimal->digits = decimal->digits * 16 + (unsigned)g_ascii_xdigit_value(*at);
    return count <= 16 ? at : NULL;
}

static QuantityResult scale_decimal(const Decimal *decimal, uint64_t scale, uint64_t *value)
{
    unsigned __int128 divisor = 1;
    for (unsigned i = 0; i < decimal->places; i++) divisor *= 10;
    if (decimal->digits > ~(unsigned __int128)0 / scale) return QUANTITY_TOO_LARGE;
    const unsigned __int128 product = decimal->digits * scale;
    if (product % divisor) return QUANTITY_FRACTION;
    if (product / divisor > UINT64_MAX) return QUANTITY_TOO_LARGE;
    *value = (uint64_t)(product / divisor);
    return decimal->negative && *value ? QUANTITY_NEGATIVE : QUANTITY_OK;
}

/* No time is the same as no cycles. */
static QuantityResult read_measured(ParamType type, const Decimal *decimal, const Measure *measure,
                                    uint64_t *value)
{
    const QuantityResult result = scale_decimal(decimal, measure->scale, value);
    if (type != PARAM_DURATION || result != QUANTITY_OK || is_cycles(measure->name) || !*value)
        return result;
    if (*value & DURATION_TIME) return QUANTITY_TOO_LARGE;
    *value |= DURATION_TIME;
    return QUANTITY_OK;
}

QuantityResult quantity_read(ParamType type, const char *text, uint64_t *value, const char **unit)
{
    Decimal decimal = {0};
    const char *hexadecimal = type == PARAM_BYTES ? read_hexadecimal(text, &decimal) : NULL;
    const char *end = hexadecimal ? hexadecimal : decimal_read_exact(text, &decimal);
    if (decimal.count > DIGITS_MAX) end = NULL;
    *unit = end ? end : text;
    while (g_ascii_isspace(**unit)) ++*unit;
    if (!end) return QUANTITY_MALFORMED;
    if (hexadecimal && !**unit) return scale_decimal(&decimal, 1, value);
    for (const Measure *measure = measures_of(type); measure->name; measure++)
        if (!strcmp(measure->name, *unit)) return read_measured(type, &decimal, measure, value);
    return **unit ? QUANTITY_UNKNOWN_UNIT : QUANTITY_UNITLESS;
}

bool quantity_find_unit(const char *unit, ParamType *type, uint64_t *scale)
{
    for (*type = PARAM_COUNT; param_is_quantity(*type); ++*type)
        for (const Measure *measure = measures_of(*type); measure->name; measure++) {
            if (strcmp(measure->name, unit) != 0) continue;
            *scale = measure->scale;
            return true;
        }
    return false;
}

ParamType duration_type(const char *text)
{
    uint64_t value = 0;
    const char *unit;
    return quantity_read(PARAM_TIME, text, &value, &unit) == QUANTITY_OK ? PARAM_TIME
                                                                         : PARAM_CYCLES;
}

uint64_t duration_cycles(uint64_t femtoseconds, uint64_t hertz, bool longest)
{
    const unsigned __int128 one = UINT64_C(1000000000000000); /* cycle, of 1e-15 each */
    const unsigned __int128 whole = (unsigned __int128)femtoseconds * hertz;
    const unsigned __int128 cycles = (whole + (longest ? 0 : one / 1000 * 974)) / one;
    if (femtoseconds && !longest && !cycles) return 1;
    return cycles > UINT64_MAX ? UINT64_MAX : (uint64_t)cycles;
}

/* Without trailing zeros; exact, because every scale that leaves a rest is a power of ten. */
static char *format_decimal(uint64_t value, const Measure *measure)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%" G_GUINT64_FORMAT, value / measure->scale);
    uint64_t rest = value % measure->scale;
    if (rest) g_string_append_c(text, '.');
    for (uint64_t scale = measure->scale; rest;) {
        scale /= 10;
        g_string_append_c(text, (char)('0' + rest / scale));
        rest %= scale;
    }
    g_string_append_printf(text, " %s", measure->name);
    return g_string_free(text, FALSE);
}

/* The largest binary unit that divides, so that the text is exact and short. */
static char *format_bytes(uint64_t bytes)
{
    unsigned unit = 0;
    while (bytes && unit + 1 < BINARY_MEASURES && bytes % byte_measures[unit + 1].scale == 0)
        unit++;
    return format_decimal(bytes, &byte_measures[unit]);
}

/* The largest unit that the value reaches. */
static char *format_time(uint64_t femtoseconds)
{
    const Measure *unit = time_measures;
    while (unit[1].name && femtoseconds >= unit[1].scale) unit++;
    return format_decimal(femtoseconds, unit);
}

/* "1380 MHz" rather than "1.38 GHz": the field's habit; whole gigahertz stay short. */
static char *format_frequency(uint64_t hertz)
{
    unsigned unit = 0;
    while (unit < 2 && hertz >= frequency_measures[unit + 1].scale) unit++;
    if (hertz && hertz % frequency_measures[3].scale == 0) unit = 3;
    return format_decimal(hertz, &frequency_measures[unit]);
}

char *quantity_format(ParamType type, uint64_t value)
{
    if (type == PARAM_BYTES) return format_bytes(value);
    if (type == PARAM_TIME) return format_time(value);
    if (type == PARAM_FREQUENCY) return format_frequency(value);
    if (type == PARAM_DURATION && value & DURATION_TIME) return format_time(value & ~DURATION_TIME);
    if ((type == PARAM_CYCLES || type == PARAM_DURATION) && value == 1) return g_strdup("1 cycle");
    return g_strdup_printf("%" G_GUINT64_FORMAT "%s", value, quantity_words(type)->suffix);
}

static char **unit_names(ParamType type)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Measure *measure = measures_of(type); measure->name; measure++)
        g_ptr_array_add(names, (gpointer)measure->name);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

const char *quantity_nearest_unit(ParamType type, const char *unit)
{
    g_autofree char **names = unit_names(type);
    return nearest_word(unit, (const char *const *)names);
}

char *quantity_list_units(ParamType type)
{
    g_autofree char **names = unit_names(type);
    return g_strjoinv(", ", names);
}
