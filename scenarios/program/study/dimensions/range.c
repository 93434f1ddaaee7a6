#include "scenarios/program/study/dimensions/range.h"

#include <math.h>
#include <string.h>

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

/* --- factors ---------------------------------------------------------------------------------- */

bool factor_is_written(const char *text)
{
    return *text == 'x' && (g_ascii_isdigit(text[1]) || text[1] == '.');
}

bool factor_read(const char *text, Amount *factor, GError **error)
{
    if (factor_is_written(text) && fixed_read(text + 1, factor)) return true;
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
        const char *near = param_nearest(words[i], form_words);
        if (near) return near;
    }
    return NULL;
}

static bool read_end(const Parts *parts, const char *text, Range *range, Fixed *end, GError **error)
{
    Amount amount;
    g_autoptr(GError) problem = NULL;
    const bool good = range->relative ? factor_read(text, &amount, &problem)
                                      : amount_read(parts->param, text, &amount, &problem);
    const char *near = good ? NULL : nearest_form(parts);
    if (near) return reject(parts->text, error, "cannot be read; did you mean '%s'?", near);
    if (!good) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    *end = amount.value;
    range->precision = MIN(range->precision, amount.precision);
    return true;
}

static bool read_ends(const Parts *parts, Range *range, GError **error)
{
    if (!*parts->first || !*parts->last) return reject(parts->text, error, "%s", TWO_ENDS);
    range->relative = factor_is_written(parts->first);
    if (range->relative != factor_is_written(parts->last))
        return reject(parts->text, error, "both ends are factors of the own value, or none");
    range->precision = UINT64_MAX * FIXED_ONE;
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

static bool read_step(const Parts *parts, Range *range, GError **error)
{
    Amount step;
    Param any = *parts->param;
    any.minimum = 0;
    any.maximum = parts->param->maximum - parts->param->minimum;
    const char *text = parts->argument ? parts->argument : "";
    if (!range->relative && !amount_read(&any, text, &step, error)) {
        g_prefix_error(error, "step ");
        return false;
    }
    if (range->relative && !fixed_read(text + (*text == 'x'), &step))
        return reject(parts->text, error, "a step of factors is a number, as in step 0.5");
    if (step.value <= 0) return reject(parts->text, error, "a step is larger than 0");
    const Fixed length = range->last - range->first;
    range->step = length < 0 ? -step.value : step.value;
    return check_size(parts, (double)(length / range->step) + 1, range, error);
}

static bool check_logarithmic(const Parts *parts, const Range *range, GError **error)
{
    return (range->first > 0 && range->last > 0)
           || reject(parts->text, error, "a range of factors has both ends above 0");
}

static bool read_times(const Parts *parts, Range *range, GError **error)
{
    Amount factor = {0};
    if (!parts->argument || !fixed_read(parts->argument, &factor) || factor.value <= FIXED_ONE)
        return reject(parts->text, error, "'times' needs a number above 1, as in times 2");
    if (!check_logarithmic(parts, range, error)) return false;
    if (range->relative) range->precision = MIN(range->precision, factor.precision);
    range->step = factor.value;
    const double ratio = fabs(log((double)range->last / (double)range->first));
    return check_size(parts, floor(ratio / log(fixed_to_double(factor.value)) + 1e-9) + 1, range,
                      error);
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

/* `value` is in units of the precision. */
static Fixed round_to_precision(const Range *range, double value)
{
    return (Fixed)floor(value + 0.5) * range->precision;
}

static double in_precision(const Range *range, Fixed value)
{
    return (double)value / (double)range->precision;
}

static Fixed evenly(const Range *range, guint index)
{
    const Fixed length = range->last - range->first, parts = range->size - 1;
    const Fixed value = range->first + length / parts * index + length % parts * index / parts;
    return fixed_round(value, range->precision);
}

static Fixed logarithmically(const Range *range, double share)
{
    const double first = in_precision(range, range->first);
    const double ratio = (double)range->last / (double)range->first;
    return round_to_precision(range, first * pow(ratio, share));
}

static Fixed by_factor(const Range *range, guint index)
{
    const double factor = pow(fixed_to_double(range->step), index);
    const double first = in_precision(range, range->first);
    return round_to_precision(range, range->first < range->last ? first * factor : first / factor);
}

Fixed range_value(const Range *range, guint index)
{
    if (index == 0) return range->first;
    switch (range->form) {
    case RANGE_LINEAR:
    case RANGE_LOG: g_return_val_if_reached(range->first);
    case RANGE_STEP: return range->first + range->step * index;
    case RANGE_TIMES: return by_factor(range, index);
    case RANGE_IN:
    case RANGE_LOG_IN: break;
    }
    if (index == range->size - 1) return range->last;
    return range->form == RANGE_IN ? evenly(range, index)
                                   : logarithmically(range, (double)index / (range->size - 1));
}

Fixed range_at(const Range *range, double share)
{
    if (share <= 0) return range->first;
    if (share >= 1) return range->last;
    if (range->form == RANGE_LOG) return logarithmically(range, share);
    const double first = in_precision(range, range->first), last = in_precision(range, range->last);
    return round_to_precision(range, first + (last - first) * share);
}
