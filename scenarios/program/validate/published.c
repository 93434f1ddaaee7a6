#include "scenarios/program/validate/published.h"

#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/text.h"

static const char ENDING[] = ".txt";

/* --- files ------------------------------------------------------------------------------------ */

static char *find_folder(void)
{
    g_autofree char *scenarios = catalogue_scenario_directory();
    return scenarios ? g_build_filename(scenarios, "measured", "published", NULL)
                     : g_strdup("published");
}

GStrv published_presets(void)
{
    g_autofree char *folder = find_folder();
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    for (const char *name; files && (name = g_dir_read_name(files));)
        if (g_str_has_suffix(name, ENDING))
            g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(ENDING)));
    g_ptr_array_sort(names, catalogue_compare_names);
    g_ptr_array_add(names, NULL);
    return (GStrv)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

/* --- one benchmark ---------------------------------------------------------------------------- */

enum { TITLE, SOURCE, SCENARIO, RESULT, SET, POINTS, KEYS };
static const char *const key_names[KEYS] = {"title",  "source", "scenario",
                                            "result", "set",    "points"};

typedef struct {
    const char *file, *preset, *group;
    const ScenarioEntry *key[KEYS];
    char **columns;
    bool has_curves; /* the first column is `curve` */
    GPtrArray *curves;
} Benchmark;

static bool reject(const Benchmark *benchmark, int line, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static bool reject(const Benchmark *benchmark, int line, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PUBLISHED_ERROR, 0, "%s:%d: %s", benchmark->file, line, text);
    return false;
}

static void curve_free(gpointer data)
{
    PublishedCurve *curve = data;
    g_free(curve->preset);
    g_free(curve->name);
    g_free(curve->title);
    g_free(curve->source);
    g_free(curve->scenario);
    g_free(curve->result);
    g_free(curve->axis);
    g_ptr_array_unref(curve->points);
    g_free(curve);
}

static void point_free(gpointer data)
{
    PublishedPoint *point = data;
    g_free(point->at);
    g_strfreev(point->sets);
    g_free(point->part);
    g_free(point->variant);
    g_free(point);
}

static PublishedCurve *find_curve(const Benchmark *benchmark, const char *curve)
{
    g_autofree char *name =
        curve ? g_strdup_printf("%s %s", benchmark->group, curve) : g_strdup(benchmark->group);
    for (guint i = 0; i < benchmark->curves->len; i++) {
        PublishedCurve *present = benchmark->curves->pdata[i];
        if (!strcmp(present->name, name)) return present;
    }
    PublishedCurve *added = g_new0(PublishedCurve, 1);
    *added = (PublishedCurve){
        .preset = g_strdup(benchmark->preset),
        .name = g_steal_pointer(&name),
        .title = g_strdup(benchmark->key[TITLE]->value),
        .source = g_strdup(benchmark->key[SOURCE]->value),
        .scenario = g_strdup(benchmark->key[SCENARIO]->value),
        .result = g_strdup(benchmark->key[RESULT]->value),
        .axis = g_strdup(benchmark->columns[benchmark->has_curves]),
        .points = g_ptr_array_new_with_free_func(point_free),
    };
    g_ptr_array_add(benchmark->curves, added);
    return added;
}

static char **split(const char *text, const char *separator)
{
    char **parts = g_strsplit(text, separator, -1);
    for (char **part = parts; *part; part++) g_strstrip(*part);
    return parts;
}

/* "a = b" of each line as "a=b". */
static void add_sets(GPtrArray *sets, const ScenarioEntry *entry)
{
    g_auto(GStrv) lines = split(entry ? entry->value : "", "\n");
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) sides = split(*line, "=");
        if (**line) g_ptr_array_add(sets, g_strjoinv("=", sides));
    }
}

static bool add_point(const Benchmark *benchmark, char **cells, int line, GError **error)
{
    const guint columns = g_strv_length(benchmark->columns), first = benchmark->has_curves;
    if (g_strv_length(cells) != columns)
        return reject(benchmark, line, error, "%u values of %u columns", g_strv_length(cells),
                      columns);
    double value;
    const char *end = decimal_read(cells[columns - 1], &value);
    if (!end || *end || !(value > 0))
        return reject(benchmark, line, error, "'%s': not a measured value", cells[columns - 1]);
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    add_sets(sets, benchmark->key[SET]);
    const bool part = !strcmp(benchmark->columns[first], "result"),
               variant = !strcmp(benchmark->columns[first], "variant");
    for (guint i = first + (part || variant); i + 1 < columns; i++)
        g_ptr_array_add(sets, g_strdup_printf("%s=%s", benchmark->columns[i], cells[i]));
    g_ptr_array_add(sets, NULL);
    PublishedPoint *point = g_new0(PublishedPoint, 1);
    *point = (PublishedPoint){.at = g_strdup(cells[first]),
                              .sets = (char **)g_ptr_array_free(g_steal_pointer(&sets), FALSE),
                              .part = part ? g_strdup(cells[first]) : NULL,
                              .variant = variant ? g_strdup(cells[first]) : NULL,
                              .value = value};
    g_ptr_array_add(find_curve(benchmark, first ? cells[0] : NULL)->points, point);
    return true;
}

static bool read_columns(Benchmark *benchmark, const char *row, int line, GError **error)
{
    benchmark->columns = split(row, ",");
    const guint count = g_strv_length(benchmark->columns);
    benchmark->has_curves = !g_strcmp0(benchmark->columns[0], "curve");
    if (count >= 2u + benchmark->has_curves && !strcmp(benchmark->columns[count - 1], "published"))
        return true;
    return reject(benchmark, line, error,
                  "'%s': columns are settings and then 'published', with 'curve' before them or "
                  "not",
                  row);
}

/* The value begins on the line after its key. */
static bool read_points(Benchmark *benchmark, GError **error)
{
    const ScenarioEntry *entry = benchmark->key[POINTS];
    g_auto(GStrv) rows = split(entry->value, "\n");
    for (guint i = 0; rows[i]; i++) {
        const int line = entry->line + (int)i;
        if (!*rows[i]) continue;
        if (!benchmark->columns) {
            if (!read_columns(benchmark, rows[i], line, error)) return false;
            continue;
        }
        g_auto(GStrv) cells = split(rows[i], ",");
        if (!add_point(benchmark, cells, line, error)) return false;
    }
    return true;
}

static bool read_benchmark(Benchmark *benchmark, const ScenarioEntry *group, GError **error)
{
    for (guint i = 0; i < KEYS; i++)
        if (!benchmark->key[i] && i != SET)
            return reject(benchmark, group->line, error, "[%s] has no '%s'", group->group,
                          key_names[i]);
    const guint before = benchmark->curves->len;
    benchmark->group = group->group;
    const bool good = read_points(benchmark, error);
    g_clear_pointer(&benchmark->columns, g_strfreev);
    return good
           && (benchmark->curves->len > before
               || reject(benchmark, group->line, error, "[%s] has no points", group->group));
}

/* --- all of a file ---------------------------------------------------------------------------- */

static bool note_key(Benchmark *benchmark, const ScenarioEntry *entry, GError **error)
{
    for (guint i = 0; i < KEYS; i++)
        if (!strcmp(key_names[i], entry->key)) {
            benchmark->key[i] = entry;
            return true;
        }
    return reject(benchmark, entry->line, error,
                  "'%s': there are title, source, scenario, result, set, points", entry->key);
}

static bool read_entries(Benchmark *benchmark, const GPtrArray *entries, GError **error)
{
    const ScenarioEntry *group = NULL;
    for (guint i = 0; i < entries->len; i++) {
        const ScenarioEntry *entry = entries->pdata[i];
        if (entry->key) {
            if (!note_key(benchmark, entry, error)) return false;
            continue;
        }
        if (group && !read_benchmark(benchmark, group, error)) return false;
        memset(benchmark->key, 0, sizeof benchmark->key);
        group = entry;
    }
    if (group) return read_benchmark(benchmark, group, error);
    return reject(benchmark, 1, error, "no [benchmark]");
}

char *published_file(const char *preset)
{
    g_autofree char *folder = find_folder(), *name = g_strconcat(preset, ENDING, NULL);
    return g_build_filename(folder, name, NULL);
}

GPtrArray *published_read(const char *file, const char *preset, GError **error)
{
    g_autofree char *shown = catalogue_display(file);
    g_autoptr(GPtrArray) entries = scenario_text_read(file, error);
    if (!entries) return NULL;
    g_autoptr(GPtrArray) curves = g_ptr_array_new_with_free_func(curve_free);
    Benchmark benchmark = {.file = shown, .preset = preset, .curves = curves};
    return read_entries(&benchmark, entries, error) ? g_steal_pointer(&curves) : NULL;
}
