/* What a study is: its design, its dimensions, and what its points start from. */
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/report/study/page.h"
#include "scenarios/program/say/table.h"

enum { MOST_VALUES = 12, MOST_SETTINGS = 1000 };

static void add_property(Figure *figure, const char *name, const char *value)
{
    if (!value || !*value) return;
    figure_row(figure);
    figure_text(figure, name);
    figure_text(figure, value);
}

static void add_properties(Document *document, const StudyView *view)
{
    const Manifest *manifest = view->manifest;
    Figure *figure = figure_new("study_design", NULL);
    g_autofree char *folder = text_shell_word(view->directory);
    g_autofree char *points = g_strdup_printf("%u", manifest->points->len);
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, manifest->seed);
    g_autofree char *replications = g_strdup_printf("%u", manifest->replications);
    g_autofree char *run = g_strdup_printf("warpmem study run %s", folder);
    g_autofree char *export = g_strdup_printf("warpmem study export %s -o points.csv", folder);
    g_autoptr(GString) statistics = g_string_new(NULL);
    for (guint i = 0; i < manifest->statistics->len; i++)
        g_string_append_printf(statistics, "%s%s", i ? ", " : "",
                               (const char *)manifest->statistics->pdata[i]);
    g_autoptr(GString) derived = g_string_new(NULL);
    for (guint i = 0; i < manifest->derived->len; i++) {
        const Derived *result = manifest->derived->pdata[i];
        g_string_append_printf(derived, "%s%s = %s%s%s", i ? "; " : "", result->name,
                               result->expression, *result->unit ? ", in " : "", result->unit);
    }
    figure_column(figure, "property", "");
    figure_column(figure, "value", "");
    add_property(figure, "scenario", manifest->scenario);
    add_property(figure, "design", manifest->design);
    add_property(figure, "points", points);
    add_property(figure, "replications of each", replications);
    add_property(figure, "seed of the design", seed);
    add_property(figure, "statistics of its own", statistics->str);
    add_property(figure, "results of its own", derived->str);
    add_property(figure, "program", manifest->program);
    add_property(figure, "to run, or to go on", run);
    add_property(figure, "to export all results", export);
    document_add(document, figure);
}

/* "8, 16, 32": all values, or the first and the last ones. */
static char *list_values(const Factor *factor)
{
    GString *text = g_string_new(NULL);
    const guint levels = factor->levels->len;
    for (guint i = 0; i < levels; i++) {
        if (levels > MOST_VALUES && i == MOST_VALUES - 2) {
            g_string_append(text, ", ...");
            i = levels - 1;
        }
        g_string_append_printf(text, "%s%s", i ? ", " : "", factor_level(factor, i)->text);
    }
    return g_string_free(text, FALSE);
}

/* Of what the program ships "platform/presets/v100.ini:19", wherever it is installed; NULL without a
 * file. */
static char *describe_place(const char *file, int line)
{
    g_autofree char *shown = file ? catalogue_display(file) : NULL;
    return shown ? g_strdup_printf("%s:%d", shown, line) : NULL;
}

static void add_dimensions(Document *document, const StudyView *view)
{
    static const char *const columns[] = {"dimension", "own value", "number of values", "values",
                                          "set in"};
    Figure *figure = figure_new("study_dimensions", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) figure_column(figure, columns[i], "");
    for (guint i = 0; i < view->data->factors->len; i++) {
        const Factor *factor = view_factor(view, i);
        const Dimension *dimension = view->manifest->dimensions->pdata[i];
        g_autofree char *values = list_values(factor);
        g_autofree char *place = describe_place(dimension->file, dimension->line);
        figure_row(figure);
        figure_text(figure, factor->name);
        figure_text(figure, factor->baseline);
        figure_integer(figure, factor->levels->len);
        figure_text(figure, values);
        figure_text(figure, place ? place : "--set");
    }
    document_add(document, figure);
}

/* Bases of one variant differ in what the dimensions chose; the first one stands for them. */
static bool is_first(const Manifest *manifest, guint index)
{
    const Base *base = manifest->bases->pdata[index];
    for (guint i = 0; i < index; i++)
        if (!g_strcmp0(((const Base *)manifest->bases->pdata[i])->variant, base->variant))
            return false;
    return true;
}

/* Whether another base has the same value of it. */
static bool is_same(const Base *other, const Setting *setting)
{
    const Setting *its = configuration_find(other->configuration, setting->group, setting->key);
    return its && !g_strcmp0(its->value, setting->value);
}

/* Of a further base only what differs from the first one. */
static void add_settings(const Base *base, const Base *first, guint *room, Figure *figure)
{
    for (guint i = 0; i < configuration_size(base->configuration) && *room; i++) {
        const Setting *setting = configuration_at(base->configuration, i);
        if (base != first && is_same(first, setting)) continue;
        g_autofree char *name = g_strdup_printf("%s.%s", setting->group, setting->key);
        g_autofree char *place = describe_place(setting->file, setting->line);
        --*room;
        figure_row(figure);
        figure_text(figure, base->variant);
        figure_text(figure, name);
        figure_text(figure, setting->value);
        figure_text(figure, place ? place : "--set or built in");
    }
}

static void add_bases(Document *document, const StudyView *view)
{
    static const char *const columns[] = {"variant", "parameter", "value", "set in"};
    const Manifest *manifest = view->manifest;
    Figure *figure = figure_new("study_base", NULL);
    guint room = MOST_SETTINGS;
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) figure_column(figure, columns[i], "");
    for (guint i = 0; i < manifest->bases->len; i++)
        if (is_first(manifest, i))
            add_settings(manifest->bases->pdata[i], manifest->bases->pdata[0], &room, figure);
    if (manifest->bases->len > 1)
        figure_note(figure, "Of variants behind the first one only what differs from it.");
    if (!room) figure_note(figure, "Only the first %u are shown.", MOST_SETTINGS);
    document_add(document, figure);
}

void study_show_settings(Document *document, const StudyView *view)
{
    document_section(document, "settings", "The study", NULL);
    add_properties(document, view);
    add_dimensions(document, view);
    add_bases(document, view);
}
