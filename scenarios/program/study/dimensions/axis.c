#include "scenarios/program/study/dimensions/axis.h"

#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/dimensions/range.h"
#include "scenarios/program/study/plan/manifest.h"

struct Axis {
    char *name, *baseline;
    char *place;       /* "file:line: study.NAME = VALUES: " */
    const Param *type; /* of its numbers; NULL: they are none */
    Param own_row;     /* `type`, where the row is of durations */
    bool durations;
    Range range;
    double own; /* the baseline, where the range is relative */
    GPtrArray *values;
};

/* Room for any field. */
typedef union {
    uint64_t whole;
    double real;
    bool truth;
    uint32_t choice;
    char *text;
} Field;

typedef struct {
    const AxisSource *source;
    Axis *axis;
} Reader;

/* A workload's own keys have no table: their numbers are whole ones, or bytes. */
static const Param own_count = {.type = PARAM_COUNT, .minimum = 0, .maximum = 9e15},
                   own_bytes = {.type = PARAM_BYTES, .minimum = 0, .maximum = 9e15};

void axis_free(Axis *axis)
{
    if (!axis) return;
    g_free(axis->name);
    g_free(axis->baseline);
    g_free(axis->place);
    g_ptr_array_unref(axis->values);
    g_free(axis);
}

G_GNUC_PRINTF(3, 4)
static bool reject(const char *text, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, STUDY_ERROR, 0, "%s: %s", *text ? text : "(nothing)", reason);
    return false;
}

/* --- lists ------------------------------------------------------------------------------------ */

/* To behind the closing quote; two quotes in a row are one of the text. NULL when none closes. */
static const char *read_quoted(const char *at, GString *item)
{
    for (at++; *at; at++) {
        if (*at == '"' && *++at != '"') return at;
        if (!*at) break;
        g_string_append_c(item, *at);
    }
    return NULL;
}

static const char *read_plain(const char *at, GString *item)
{
    const gsize length = strcspn(at, ",");
    g_string_append_len(item, at, (gssize)length);
    while (item->len && g_ascii_isspace(item->str[item->len - 1]))
        g_string_truncate(item, item->len - 1);
    return at + length;
}

/* One item from `at` on, to the comma or the end; NULL with error. */
static const char *read_item(const char *at, GString *item, GError **error)
{
    while (g_ascii_isspace(*at)) at++;
    const char *start = at;
    const bool quoted = *at == '"';
    at = quoted ? read_quoted(at, item) : read_plain(at, item);
    if (!at) {
        reject(start, error, "a quote is not closed");
        return NULL;
    }
    while (g_ascii_isspace(*at)) at++;
    if (*at && *at != ',') {
        reject(start, error, "a comma is missing behind the quote");
        return NULL;
    }
    if (quoted || item->len) return at;
    reject(item->str, error, "a value is missing; values are separated by commas");
    return NULL;
}

/* Of char *: "a, \"b, c\", d" is three. NULL with error. */
static GPtrArray *split_list(const char *text, GError **error)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_free);
    for (const char *at = text;; at++) {
        g_autoptr(GString) item = g_string_new(NULL);
        at = read_item(at, item, error);
        if (!at) return NULL;
        g_ptr_array_add(items, g_strdup(item->str));
        if (!*at) return g_steal_pointer(&items);
    }
}

/* --- values ----------------------------------------------------------------------------------- */

static bool reads_as(const Param *type, const char *text)
{
    Field field = {0};
    return param_parse(type, text, &field, NULL);
}

/* What numbers of this text are, for a parameter without a row. */
static const Param *own_type(const char *text)
{
    if (!text) return NULL;
    if (reads_as(&own_count, text)) return &own_count;
    return reads_as(&own_bytes, text) ? &own_bytes : NULL;
}

static bool read_own(const Axis *axis, double *own, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (axis->baseline && number_parse(axis->type, axis->baseline, own, &problem)) return true;
    g_set_error(error, STUDY_ERROR, 0, "the parameter has no own value that can be multiplied%s%s",
                problem ? ": " : "", problem ? problem->message : "");
    return false;
}

static char *scale_own(const Axis *axis, const char *text, GError **error)
{
    double factor, own;
    if (!factor_read(text, &factor, error)) return NULL;
    char *value =
        read_own(axis, &own, error) ? number_write(axis->type, factor * own, error) : NULL;
    if (!value) g_prefix_error(error, "%s: ", text);
    return value;
}

static char *canonical_of(const Param *param, const char *text, GError **error)
{
    Field field = {0};
    Param here = *param;
    here.offset = 0;
    if (!param_parse(&here, text, &field, error)) return NULL;
    char *value = param_format(&here, &field);
    if (param->type == PARAM_TEXT) g_free(field.text);
    return value;
}

static char *find_name(const char *text, const char *const *names, GError **error)
{
    if (g_strv_contains(names, text)) return g_strdup(text);
    const char *near = nearest_word(text, names);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    if (near)
        reject(text, error, "not known; did you mean '%s'?", near);
    else
        reject(text, error, "not known; there are %s", all);
    return NULL;
}

/* Newly allocated; NULL with error. */
static char *read_value(const Reader *reader, const char *text, GError **error)
{
    const AxisSource *source = reader->source;
    if (source->names) return find_name(text, source->names, error);
    if (reader->axis->type && factor_is_written(text)) return scale_own(reader->axis, text, error);
    const Param *param = source->param ? source->param : own_type(text);
    return param ? canonical_of(param, text, error) : g_strdup(text);
}

static bool contains(const GPtrArray *values, const char *value)
{
    return g_ptr_array_find_with_equal_func((GPtrArray *)values, value, g_str_equal, NULL);
}

static bool add_item(const Reader *reader, const char *text, GError **error)
{
    GPtrArray *values = reader->axis->values;
    if (reader->axis->type && strstr(text, ".."))
        return reject(text, error, "a range stands alone, without other values");
    g_autofree char *value = read_value(reader, text, error);
    if (!value) return false;
    if (contains(values, value)) {
        if (!strcmp(value, text)) return reject(text, error, "stands twice");
        return reject(text, error, "is %s, which stands twice", value);
    }
    g_ptr_array_add(values, g_steal_pointer(&value));
    return true;
}

static bool read_list(const Reader *reader, GError **error)
{
    g_autoptr(GPtrArray) items = split_list(reader->source->setting->value, error);
    if (!items) return false;
    for (guint i = 0; i < items->len; i++)
        if (!add_item(reader, items->pdata[i], error)) return false;
    return true;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static char *write_value(const Axis *axis, double value, bool is_end, GError **error)
{
    if (axis->range.relative) value *= axis->own;
    return number_write(axis->type, is_end ? value : number_round(axis->type, value), error);
}

/* Values that are the same when rounded stand once. */
static bool add_range_value(Axis *axis, guint index, GError **error)
{
    const bool is_end =
        index == 0 || index == axis->range.size - 1 || axis->range.form == RANGE_STEP;
    g_autofree char *value = write_value(axis, range_value(&axis->range, index), is_end, error);
    if (!value) return false;
    const char *before = index ? axis->values->pdata[axis->values->len - 1] : "";
    if (strcmp(value, before) != 0) g_ptr_array_add(axis->values, g_steal_pointer(&value));
    return true;
}

static bool read_range(Axis *axis, const char *text, GError **error)
{
    const Range *range = &axis->range;
    bool good = range_read(axis->type, text, &axis->range, error);
    if (!good) return false;
    good = !range->relative || read_own(axis, &axis->own, error);
    for (guint i = 0; good && i < range->size; i++) good = add_range_value(axis, i, error);
    if (good && range->size == 0) {
        g_autofree char *first = write_value(axis, range->first, true, error);
        g_autofree char *last = first ? write_value(axis, range->last, true, error) : NULL;
        good = last != NULL;
    }
    if (!good) g_prefix_error(error, "%s: ", text);
    return good;
}

/* --- axes ------------------------------------------------------------------------------------- */

/* Numbers of a duration are cycles or times, as the first one of the text is, or the own value that
 * it multiplies. */
static const Param *type_of_duration(const AxisSource *source, Param *row)
{
    static const double LONGEST = 9e18;
    const char *text = source->setting->value;
    if (factor_is_written(text)) text = source->baseline ? source->baseline : "";
    g_autofree char *first = g_strndup(text, strcspn(text, ","));
    char *dots = strstr(first, "..");
    if (dots) *dots = '\0';
    *row = *source->param;
    row->type = duration_type(g_strstrip(first));
    if (row->type == PARAM_TIME) {
        row->minimum = 0;
        row->maximum = LONGEST;
    }
    return row;
}

static const Param *type_of(const AxisSource *source, Param *row)
{
    if (source->names) return NULL;
    if (source->param && source->param->type == PARAM_DURATION)
        return type_of_duration(source, row);
    if (source->param) return number_is(source->param) ? source->param : NULL;
    const char *text = source->setting->value, *dots = strstr(text, "..");
    if (!dots || factor_is_written(text)) return own_type(source->baseline);
    g_autofree char *first = g_strndup(text, (gsize)(dots - text));
    return own_type(first);
}

static bool reject_range(const AxisSource *source, GError **error)
{
    g_autofree char *names = source->names ? g_strjoinv(", ", (char **)source->names) : NULL;
    g_autofree char *range = source->param ? param_describe_range(source->param) : NULL;
    const char *allowed = names ? names : range;
    return reject(source->setting->value, error,
                  "only numbers have ranges; list the values, separated by commas%s%s",
                  allowed ? "; allowed: " : "", allowed ? allowed : "");
}

static bool read_values(const Reader *reader, GError **error)
{
    const char *text = reader->source->setting->value;
    const bool alone = !strpbrk(text, ",\"");
    if (!reader->axis->type && alone && strstr(text, " .. "))
        return reject_range(reader->source, error);
    if (reader->axis->type && alone && strstr(text, ".."))
        return read_range(reader->axis, text, error);
    return read_list(reader, error);
}

Axis *axis_new(const AxisSource *source, GError **error)
{
    g_autoptr(Axis) axis = g_new0(Axis, 1);
    const Setting *setting = source->setting;
    g_autofree char *line = setting_describe_place(setting);
    g_autofree char *place = g_strdup_printf("%s%s.%s = ", line, setting->group, setting->key);
    *axis = (Axis){
        .name = g_strdup(setting->key),
        .baseline = g_strdup(source->baseline),
        .place = g_strconcat(place, setting->value, ": ", NULL),
        .durations = source->param && source->param->type == PARAM_DURATION,
        .values = g_ptr_array_new_with_free_func(g_free),
    };
    axis->type = type_of(source, &axis->own_row);
    const Reader reader = {source, axis};
    if (read_values(&reader, error)) return g_steal_pointer(&axis);
    g_prefix_error(error, "%s", place);
    return NULL;
}

const char *axis_name(const Axis *axis)
{
    return axis->name;
}

const char *axis_place(const Axis *axis)
{
    return axis->place;
}

const char *axis_baseline(const Axis *axis)
{
    return axis->baseline;
}

/* No time is as long as no cycles. */
bool axis_mixes_units(const Axis *axis)
{
    if (!axis->durations || !axis->baseline || !strcmp(axis->baseline, "0 cycles")) return false;
    return duration_type(axis->baseline) != axis->type->type;
}

guint axis_size(const Axis *axis)
{
    return axis->values->len;
}

const char *axis_value(const Axis *axis, guint index)
{
    return axis->values->pdata[index];
}

/* A share that is a whole number of parts but for rounding belongs to the part above. */
static const double ROUNDING = 1e-9;

char *axis_at(const Axis *axis, double share)
{
    const guint size = axis->values->len;
    if (size == 0)
        return write_value(axis, range_at(&axis->range, share), share <= 0 || share >= 1, NULL);
    const double item = floor(share * size + ROUNDING);
    return g_strdup(axis->values->pdata[(guint)CLAMP(item, 0, size - 1)]);
}
