#include "scenarios/program/study/dimensions/range.h"

#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "kit/describe/quantity.h"
#include "scenarios/program/study/plan/manifest.h"

static const char *const form_words[] = {"step", "times", "in", "log", NULL};
static const char TWO_ENDS[] = "a range has two ends, as in 16 .. 256";

/* The parts of "A .. B WORD ARGUMENT"; the last two may be NULL. */
typedef struct {
    const Param *param;
    const char *text; /* all of it */
    char *first, *last, *word, *argument;
} Parts;

static void parts_clear(Parts *parts)
{
    g_free(parts->first);
    g_free(parts->last);
    g_free(parts->word);
    g_free(parts->argument);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Parts, parts_clear)

G_GNUC_PRINTF(3, 4)
static bool reject(const char *text, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, STUDY_ERROR, 0, "%s: %s", text, reason);
    return false;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Room for any field that a number is stored in. */
typedef union {
    uint64_t whole;
    double real;
} Field;

bool number_is(const Param *param)
{
    return param->type <= PARAM_RATIO;
}

bool number_parse(const Param *param, const char *text, double *number, GError **error)
{
    Field field = {0};
    Param here = *param;
    here.offset = 0;
    if (!param_parse(&here, text, &field, error)) return false;
    *number = param->type == PARAM_RATIO ? field.real : (double)field.whole;
    return true;
}

char *number_write(const Param *param, double number, GError **error)
{
    Field field = {0};
    Param here = *param;
    here.offset = 0;
    const double whole = CLAMP(floor(number + 0.5), 0, 0x1p63);
    g_autofree char *text = param->type == PARAM_RATIO
                                ? g_strdup_printf("%.9f", number)
                                : quantity_format(param->type, (uint64_t)whole);
    return param_parse(&here, text, &field, error) ? param_format(&here, &field) : NULL;
}

double number_round(const Param *param, double number)
{
    const double unit = param->type == PARAM_FREQUENCY ? 1e6 : param->type == PARAM_TIME ? 1e3 : 1;
    return unit == 1 ? number : floor(number / unit + 0.5) * unit;
}

/* Digits, and a point perhaps, and nothing behind them. */
static bool read_decimal(const char *text, double *number)
{
    const char *end = decimal_read(text, number);
    return end && !*end && !text[strspn(text, "0123456789.")];
}

bool factor_is_written(const char *text)
{
    return *text == 'x' && (g_ascii_isdigit(text[1]) || text[1] == '.');
}

bool factor_read(const char *text, double *factor, GError **error)
{
    if (factor_is_written(text) && read_decimal(text + 1, factor)) return true;
    return reject(text, error,
                  "not a factor of the parameter's own value, which is written as x0.5");
}

/* --- reading ---------------------------------------------------------------------------------- */

static void split(Parts *parts)
{
    const char *dots = strstr(parts->text, "..");
    parts->first = g_strstrip(g_strndup(parts->text, (gsize)(dots - parts->text)));
    g_auto(GStrv) words = g_strsplit_set(dots + 2, " \t\n", -1);
    g_autoptr(GString) last = g_string_new(NULL);
    g_autoptr(GString) argument = g_string_new(NULL);
    for (char **word = words; *word; word++) {
        if (!**word) continue;
        if (!parts->word && g_strv_contains(form_words, *word)) {
            parts->word = g_strdup(*word);
            continue;
        }
        GString *part = parts->word ? argument : last;
        g_string_append_printf(part, "%s%s", part->len ? " " : "", *word);
    }
    parts->last = g_strdup(last->str);
    parts->argument = argument->len ? g_strdup(argument->str) : NULL;
}

/* Of a word that stands behind the second end and is no unit. */
static const char *nearest_form(const Parts *parts)
{
    const bool unitless = parts->param->type == PARAM_COUNT || parts->param->type == PARAM_RATIO;
    g_auto(GStrv) words = g_strsplit(parts->last, " ", -1);
    for (guint i = unitless ? 1 : 2; i < g_strv_length(words); i++) {
        const char *near = nearest_word(words[i], form_words);
        if (near) return near;
    }
    return NULL;
}

static bool read_end(const Parts *parts, const char *text, const Range *range, double *end,
                     GError **error)
{
    g_autoptr(GError) problem = NULL;
    const bool good = range->relative ? factor_read(text, end, &problem)
                                      : number_parse(parts->param, text, end, &problem);
    const char *near = good ? NULL : nearest_form(parts);
    if (near) return reject(parts->text, error, "cannot be read; did you mean '%s'?", near);
    if (!good) g_propagate_error(error, g_steal_pointer(&problem));
    return good;
}

static bool read_ends(const Parts *parts, Range *range, GError **error)
{
    if (!*parts->first || !*parts->last) return reject(parts->text, error, "%s", TWO_ENDS);
    range->relative = factor_is_written(parts->first);
    if (range->relative != factor_is_written(parts->last))
        return reject(parts->text, error, "both ends are factors of the own value, or none");
    if (!read_end(parts, parts->first, range, &range->first, error)) return false;
    if (!read_end(parts, parts->last, range, &range->last, error)) return false;
    return range->first != range->last || reject(parts->text, error, "both ends are the same");
}

static bool check_size(const Parts *parts, double size, Range *range, GError **error)
{
    if (size > AXIS_VALUES_MAX)
        return reject(parts->text, error, "%.0f values; at most %d", size, AXIS_VALUES_MAX);
    range->size = (guint)size;
    return true;
}

/* A value that is met but for rounding is met. */
static const double ROUNDING = 1e-9;

static bool read_step(const Parts *parts, Range *range, GError **error)
{
    Param any = *parts->param;
    any.minimum = 0;
    any.maximum = parts->param->maximum - parts->param->minimum;
    const char *text = parts->argument ? parts->argument : "";
    if (!range->relative && !number_parse(&any, text, &range->step, error)) {
        g_prefix_error(error, "step ");
        return false;
    }
    if (range->relative && !read_decimal(text + (*text == 'x'), &range->step))
        return reject(parts->text, error, "a step of factors is a number, as in step 0.5");
    if (range->step <= 0) return reject(parts->text, error, "a step is larger than 0");
    const double length = range->last - range->first;
    const double steps = floor(fabs(length) / range->step + ROUNDING);
    if (length < 0) range->step = -range->step;
    return check_size(parts, steps + 1, range, error);
}

static bool check_logarithmic(const Parts *parts, const Range *range, GError **error)
{
    return (range->first > 0 && range->last > 0)
           || reject(parts->text, error, "a range of factors has both ends above 0");
}

static bool read_times(const Parts *parts, Range *range, GError **error)
{
    if (!parts->argument || !read_decimal(parts->argument, &range->step) || range->step <= 1)
        return reject(parts->text, error, "'times' needs a number above 1, as in times 2");
    if (!check_logarithmic(parts, range, error)) return false;
    const double times = fabs(log(range->last / range->first)) / log(range->step);
    if (range->last < range->first) range->step = 1 / range->step;
    return check_size(parts, floor(times + ROUNDING) + 1, range, error);
}

static bool read_count(const Parts *parts, Range *range, GError **error)
{
    guint64 count = 0;
    if (!g_ascii_string_to_unsigned(parts->argument, 10, 2, AXIS_VALUES_MAX, &count, NULL))
        return reject(parts->text, error, "'%s %s' is not a number of values from 2 to %d",
                      parts->word, parts->argument, AXIS_VALUES_MAX);
    range->size = (guint)count;
    return true;
}

static bool read_form(const Parts *parts, Range *range, GError **error)
{
    if (!parts->word) return true;
    if (!strcmp(parts->word, "step")) {
        range->form = RANGE_STEP;
        return read_step(parts, range, error);
    }
    if (!strcmp(parts->word, "times")) {
        range->form = RANGE_TIMES;
        return read_times(parts, range, error);
    }
    if (!strcmp(parts->word, "in")) {
        range->form = RANGE_IN;
        if (parts->argument) return read_count(parts, range, error);
        return reject(parts->text, error, "'in' needs a number of values, as in 1 .. 4 in 4");
    }
    range->form = parts->argument ? RANGE_LOG_IN : RANGE_LOG;
    if (!check_logarithmic(parts, range, error)) return false;
    return !parts->argument || read_count(parts, range, error);
}

bool range_read(const Param *param, const char *text, Range *range, GError **error)
{
    g_auto(Parts) parts = {.param = param, .text = text};
    split(&parts);
    *range = (Range){.form = RANGE_LINEAR};
    return read_ends(&parts, range, error) && read_form(&parts, range, error);
}

/* --- values ----------------------------------------------------------------------------------- */

static double between(const Range *range, double share, bool logarithmic)
{
    if (share <= 0) return range->first;
    if (share >= 1) return range->last;
    return logarithmic ? range->first * pow(range->last / range->first, share)
                       : range->first + (range->last - range->first) * share;
}

double range_value(const Range *range, guint index)
{
    const double share = (double)index / (range->size - 1);
    switch (range->form) {
    case RANGE_LINEAR:
    case RANGE_LOG: g_return_val_if_reached(range->first);
    case RANGE_STEP: return range->first + range->step * index;
    case RANGE_TIMES: return range->first * pow(range->step, index);
    case RANGE_IN: return between(range, share, false);
    case RANGE_LOG_IN: return between(range, share, true);
    }
    g_assert_not_reached();
}

double range_at(const Range *range, double share)
{
    return between(range, share, range->form == RANGE_LOG);
}
