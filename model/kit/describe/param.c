#include "kit/describe/param.h"

#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "kit/describe/quantity.h"

const char *perfect_least(const char *value)
{
    return value && g_str_has_prefix(value, ">= ") ? value + strlen(">= ") : NULL;
}

static void *field_of(const Param *param, const void *object)
{
    return (char *)object + param->offset;
}

/* --- writing ---------------------------------------------------------------------------------- */

char *param_format(const Param *param, const void *object)
{
    const void *field = field_of(param, object);
    switch (param->type) {
    case PARAM_COUNT:
    case PARAM_CYCLES:
    case PARAM_BYTES:
    case PARAM_TIME:
    case PARAM_FREQUENCY:
    case PARAM_BANDWIDTH:
    case PARAM_DURATION: return quantity_format(param->type, *(const uint64_t *)field);
    case PARAM_RATIO: return decimal_text(*(const double *)field);
    case PARAM_BOOL: return g_strdup(*(const bool *)field ? "yes" : "no");
    case PARAM_CHOICE: return g_strdup(param->choices[*(const uint32_t *)field]);
    case PARAM_TEXT: return g_strdup(*(char *const *)field ? *(char *const *)field : "");
    }
    g_assert_not_reached();
}

/* "from 1 KiB to 64 MiB", "from 0 to 64 cycles" */
static char *describe_bounds(const Param *param)
{
    const bool quantity = param_is_quantity(param->type);
    g_autofree char *low = quantity ? quantity_format(param->type, (uint64_t)MAX(param->minimum, 0))
                                    : decimal_text(param->minimum);
    g_autofree char *high = quantity ? quantity_format(param->type, (uint64_t)param->maximum)
                                     : decimal_text(param->maximum);
    const char *suffix = quantity ? quantity_words(param->type)->suffix : NULL;
    if (suffix) low[strcspn(low, " ")] = '\0';
    return g_strdup_printf("from %s to %s", low, high);
}

char *param_describe_range(const Param *param)
{
    if (param->type == PARAM_BOOL) return g_strdup("yes or no");
    if (param->type == PARAM_TEXT) return g_strdup("text");
    if (param->type == PARAM_CHOICE) {
        g_autofree char *all = g_strjoinv(", ", (char **)param->choices);
        return g_strdup_printf("one of %s", all);
    }
    g_autofree char *bounds = describe_bounds(param);
    return g_strdup_printf(
        "%s %s", param->type == PARAM_RATIO ? "ratio" : quantity_words(param->type)->noun, bounds);
}

/* --- reading ---------------------------------------------------------------------------------- */

G_GNUC_PRINTF(3, 4)
static bool reject(const char *text, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PARAM_ERROR, 0, "%s: %s", *text ? text : "(nothing)", reason);
    return false;
}

/* `what` and then what is wanted. */
static bool reject_value(const Param *param, const char *text, const char *what, GError **error)
{
    g_autofree char *range = param_describe_range(param);
    return reject(text, error, "%s; allowed: %s", what, range);
}

static bool reject_unitless(const Param *param, const char *text, GError **error)
{
    const QuantityWords *words = quantity_words(param->type);
    g_autofree char *bounds = describe_bounds(param);
    g_autofree char *second =
        words->example[1] ? g_strdup_printf(", %s %s ...", text, words->example[1]) : g_strdup("");
    return reject(text, error, "a unit is missing; %s %s %s%s, %s", words->are_written, text,
                  words->example[0], second, bounds);
}

static bool reject_unit(const Param *param, const char *text, const char *unit, GError **error)
{
    if (param->type == PARAM_COUNT) return reject_value(param, text, "takes no unit", error);
    const char *near = quantity_nearest_unit(param->type, unit);
    g_autofree char *all = quantity_list_units(param->type);
    g_autofree char *what =
        near ? g_strdup_printf("'%s' is not a unit, did you mean '%s'", unit, near)
             : g_strdup_printf("'%s' is not a unit, known are %s", unit, all);
    return reject_value(param, text, what, error);
}

/* How many cycles a time is, its clock decides. */
static bool is_in_range(const Param *param, uint64_t value)
{
    if (param->type == PARAM_DURATION && value & DURATION_TIME) return true;
    return (long double)value >= (long double)param->minimum
           && (long double)value <= (long double)param->maximum;
}

static bool parse_quantity(const Param *param, const char *text, uint64_t *field, GError **error)
{
    uint64_t value = 0;
    const char *unit;
    switch (quantity_read(param->type, text, &value, &unit)) {
    case QUANTITY_OK: break;
    case QUANTITY_MALFORMED: return reject_value(param, text, "not a number", error);
    case QUANTITY_UNITLESS: return reject_unitless(param, text, error);
    case QUANTITY_UNKNOWN_UNIT: return reject_unit(param, text, unit, error);
    case QUANTITY_TOO_LARGE:
    case QUANTITY_NEGATIVE: return reject_value(param, text, "out of range", error);
    case QUANTITY_FRACTION: {
        g_autofree char *what =
            g_strdup_printf("not a whole number of %s", quantity_words(param->type)->stored);
        return reject_value(param, text, what, error);
    }
    }
    if (!is_in_range(param, value)) return reject_value(param, text, "out of range", error);
    *field = value;
    return true;
}

static bool parse_ratio(const Param *param, const char *text, double *field, GError **error)
{
    double value = 0;
    const char *end = decimal_read(text, &value);
    while (end && g_ascii_isspace(*end)) end++;
    if (end && *end == '%') {
        value = decimal_scale(value, -2);
        end++;
    }
    if (!end || *end)
        return reject_value(param, text, "not a ratio, which is written as 0.75 or 75 %", error);
    if (value < param->minimum || value > param->maximum)
        return reject_value(param, text, "out of range", error);
    *field = value;
    return true;
}

static bool parse_bool(const Param *param, const char *text, bool *field, GError **error)
{
    static const char *const words[] = {"yes", "true", "on", "1", "no", "false", "off", "0", NULL};
    for (unsigned i = 0; words[i]; i++) {
        if (g_ascii_strcasecmp(words[i], text)) continue;
        *field = i < 4;
        return true;
    }
    return reject_value(param, text, "neither yes nor no", error);
}

static bool parse_choice(const Param *param, const char *text, uint32_t *field, GError **error)
{
    for (uint32_t i = 0; param->choices[i]; i++) {
        if (strcmp(param->choices[i], text)) continue;
        *field = i;
        return true;
    }
    const char *near = nearest_word(text, param->choices);
    g_autofree char *what =
        near ? g_strdup_printf("not known, did you mean '%s'", near) : g_strdup("not known");
    return reject_value(param, text, what, error);
}

/* Newly allocated; NULL: there is no space around the text, as mostly. */
static char *strip(const char *text)
{
    const size_t length = strlen(text);
    const bool bare = !length || !(g_ascii_isspace(text[0]) || g_ascii_isspace(text[length - 1]));
    return bare ? NULL : g_strstrip(g_strdup(text));
}

/* The text may be the field's. */
static void replace_text(char **field, const char *text)
{
    char *before = *field;
    *field = g_strdup(text);
    g_free(before);
}

bool param_parse(const Param *param, const char *text, void *object, GError **error)
{
    void *field = field_of(param, object);
    g_autofree char *inner = strip(text);
    const char *stripped = inner ? inner : text;
    switch (param->type) {
    case PARAM_COUNT:
    case PARAM_CYCLES:
    case PARAM_BYTES:
    case PARAM_TIME:
    case PARAM_FREQUENCY:
    case PARAM_BANDWIDTH:
    case PARAM_DURATION: return parse_quantity(param, stripped, field, error);
    case PARAM_RATIO: return parse_ratio(param, stripped, field, error);
    case PARAM_BOOL: return parse_bool(param, stripped, field, error);
    case PARAM_CHOICE: return parse_choice(param, stripped, field, error);
    case PARAM_TEXT: replace_text(field, stripped); return true;
    }
    g_assert_not_reached();
}

bool param_settle(const Param *param, void *object, ParamClock clock, GError **error)
{
    uint64_t *field = field_of(param, object);
    if (param->type != PARAM_DURATION || !(*field & DURATION_TIME)) return true;
    g_autofree char *text = param_format(param, object);
    *field = duration_cycles(*field & ~DURATION_TIME, clock.hertz, param->longest);
    if (*field < DURATION_TIME && is_in_range(param, *field)) return true;
    g_autofree char *frequency = quantity_format(PARAM_FREQUENCY, clock.hertz);
    g_autofree char *what = g_strdup_printf("%" G_GUINT64_FORMAT " cycles of %s (%s), out of range",
                                            *field, frequency, clock.name);
    return reject_value(param, text, what, error);
}

char *param_qualify(const char *group, const char *condition)
{
    if (!condition) return NULL;
    const gsize name = strcspn(condition, " ");
    return memchr(condition, '.', name) ? g_strdup(condition)
                                        : g_strdup_printf("%s.%s", group, condition);
}

/* --- what-ifs --------------------------------------------------------------------------------- */

static char *double_time(const Param *param, uint64_t value)
{
    const uint64_t time = value & ~DURATION_TIME;
    return quantity_format(PARAM_TIME, param->doubling == TWICE ? 2 * time : (time + 1) / 2);
}

/* NULL: it would not change, or leave the range. 0 is no number to double: it stands for "none" or
 * "without bound". */
static char *double_quantity(const Param *param, uint64_t value)
{
    if (param->type == PARAM_DURATION && value & DURATION_TIME) return double_time(param, value);
    const uint64_t other = param->doubling == TWICE ? 2 * value : (value + 1) / 2;
    const bool good =
        other != value && (double)other >= param->minimum && (double)other <= param->maximum;
    return good ? quantity_format(param->type, other) : NULL;
}

static char *double_ratio(const Param *param, double value)
{
    const double other = param->doubling == TWICE ? 2 * value : value / 2;
    const bool good = other != value && other >= param->minimum && other <= param->maximum;
    return good ? decimal_text(other) : NULL;
}

char *param_double(const Param *param, const char *value)
{
    union {
        uint64_t quantity;
        double ratio;
    } object;
    Param row = *param;
    row.offset = 0;
    if (!param->doubling || !param_parse(&row, value, &object, NULL)) return NULL;
    return param->type == PARAM_RATIO ? double_ratio(param, object.ratio)
                                      : double_quantity(param, object.quantity);
}

GStrv param_others(const Param *param, const char *value)
{
    static const char *const switches[] = {"no", "yes", NULL};
    const char *const *choices = param->type == PARAM_CHOICE ? param->choices
                                 : param->type == PARAM_BOOL ? switches
                                                             : switches + 2;
    g_autoptr(GStrvBuilder) others = g_strv_builder_new();
    for (; *choices; choices++)
        if (strcmp(*choices, value)) g_strv_builder_add(others, *choices);
    return g_strv_builder_end(others);
}

/* --- tables ----------------------------------------------------------------------------------- */

void param_set_default(const Param *param, void *object)
{
    g_autoptr(GError) error = NULL;
    if (!param_parse(param, param->default_text, object, &error))
        g_error("default of parameter '%s': %s", param->name, error->message);
}

void param_set_defaults(const Param *params, void *object)
{
    for (const Param *param = params; param && param->name; param++)
        param_set_default(param, object);
}

static size_t size_of(ParamType type)
{
    switch (type) {
    case PARAM_COUNT:
    case PARAM_CYCLES:
    case PARAM_BYTES:
    case PARAM_TIME:
    case PARAM_FREQUENCY:
    case PARAM_BANDWIDTH:
    case PARAM_DURATION: return sizeof(uint64_t);
    case PARAM_RATIO: return sizeof(double);
    case PARAM_BOOL: return sizeof(bool);
    case PARAM_CHOICE: return sizeof(uint32_t);
    case PARAM_TEXT: return sizeof(char *);
    }
    g_assert_not_reached();
}

bool param_group_holds(const ParamGroup *group, const char *name)
{
    if (!group->named) return !strcmp(group->name, name);
    return *param_group_name_of(group, name);
}

const char *param_group_name_of(const ParamGroup *group, const char *name)
{
    const size_t length = strlen(group->name);
    if (strncmp(group->name, name, length) != 0 || name[length] != ' ') return "";
    return name + length + strspn(name + length, " ");
}

void param_copy(const Param *params, void *to, const void *from)
{
    for (const Param *param = params; param && param->name; param++) {
        void *field = field_of(param, to);
        memcpy(field, field_of(param, from), size_of(param->type));
        if (param->type == PARAM_TEXT) *(char **)field = g_strdup(*(char **)field);
    }
}

void param_clear(const Param *params, void *object)
{
    for (const Param *param = params; param && param->name; param++)
        if (param->type == PARAM_TEXT) g_clear_pointer((char **)field_of(param, object), g_free);
}
