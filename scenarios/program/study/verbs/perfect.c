/* `warpmem study perfect`: the bound that each component puts on a study's runs. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/perfect/words.h"
#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    const Manifest *manifest;
    const ResultColumn *on;
    const GPtrArray *groups;
} Printed;

static const char *const captions[BOUND_RESULTS] = {"time", "load latency", "requested"};

/* --- numbers as people read them -------------------------------------------------------------- */

static char *format_result(guint which, double value)
{
    return result_value_text(&result_columns()[result_column_find(bound_results[which])], value);
}

/* --- text ------------------------------------------------------------------------------------- */

static bool is_beside(const ResultColumn *on, guint which)
{
    return strcmp(on->name, bound_results[which]) != 0;
}

static void print_header(Table *table, const ResultColumn *on)
{
    table_row(table);
    table_cell(table, "perfect");
    table_cell(table, "%s", is_beside(on, BOUND_TIME) ? on->name : captions[BOUND_TIME]);
    for (guint i = 0; i < BOUND_RESULTS; i++)
        if (is_beside(on, i)) table_cell(table, "%s", captions[i]);
    table_cell(table, "factor");
    table_cell(table, on->better == BETTER_LOWER ? "at most" : "gain");
}

static void print_bound(Table *table, const ResultColumn *on, const Bound *bound, bool baseline)
{
    g_autofree char *value = result_value_text(on, bound->value);
    table_row(table);
    table_cell(table, "%s", bound->component);
    table_cell(table, "%s", value);
    for (guint i = 0; i < BOUND_RESULTS; i++) {
        g_autofree char *other = format_result(i, bound->others[i]);
        if (is_beside(on, i)) table_cell(table, "%s", other);
    }
    if (baseline) return;
    table_cell(table, "%.2f", bound->speedup);
    table_cell(table, "%.1f %%", 100 * bound->share);
    g_autofree char *bar = text_bar(CLAMP(bound->share, 0, 1), 30);
    table_note(table, "%s", bound->speedup < 1 ? "worse" : bar);
}

static void print_table(const Printed *printed, const BoundGroup *group)
{
    g_autoptr(Table) table = table_new();
    print_header(table, printed->on);
    print_bound(table, printed->on, &group->baseline, true);
    for (guint i = 0; i < group->bounds->len; i++)
        if (bound_is_shown(group->bounds->pdata[i]))
            print_bound(table, printed->on, group->bounds->pdata[i], false);
    table_print(table, stdout);
}

/* A line for each reason, in the order in which they come. */
static void print_skipped(const BoundGroup *group)
{
    for (guint i = 0; i < group->reasons->len; i++) {
        const char *reason = group->reasons->pdata[i];
        guint first = 0;
        while (strcmp(group->reasons->pdata[first], reason) != 0) first++;
        if (first < i) continue;
        printf("  Left out, %s: %s", reason, (const char *)group->skipped->pdata[i]);
        for (guint k = i + 1; k < group->reasons->len; k++)
            if (!strcmp(group->reasons->pdata[k], reason))
                printf(", %s", (const char *)group->skipped->pdata[k]);
        printf(".\n");
    }
}

static void print_rest(const BoundGroup *group)
{
    g_autoptr(GString) idle = g_string_new(NULL);
    g_autoptr(GString) unknown = g_string_new(NULL);
    for (guint i = 0; i < group->bounds->len; i++) {
        const Bound *bound = group->bounds->pdata[i];
        if (bound->problem)
            printf("  %s: not done: %s\n", bound->component, bound->problem);
        else if (!bound_is_shown(bound))
            text_append_name(isnan(bound->speedup) ? unknown : idle, bound->component);
    }
    if (idle->len) printf("\n  Less than 0.1 %%: %s.\n", idle->str);
    if (unknown->len) printf("\n  Nothing to compare: %s.\n", unknown->str);
    print_skipped(group);
}

static void print_text(const Printed *printed)
{
    printf("%s\n", printed->manifest->title);
    for (guint i = 0; i < printed->groups->len; i++) {
        const BoundGroup *group = printed->groups->pdata[i];
        g_autofree char *name = bound_group_name(printed->manifest, group);
        g_autofree char *verdict = bound_group_verdict(printed->on, group);
        if (*name) printf("\n%s\n", name);
        printf("\n%s\n\n", verdict);
        print_table(printed, group);
        print_rest(group);
    }
    printf(
        "\nEach row is a run of its own with that component perfect. The shares do not add up: two "
        "components\nmay hide the same time, and what is left when one is perfect waits for the "
        "next.\n");
}

/* --- JSON and CSV ----------------------------------------------------------------------------- */

static void put_bound(JsonBuilder *json, const ResultColumn *on, const Bound *bound)
{
    const PerfectComponent *component = perfect_find(bound->component);
    json_builder_begin_object(json);
    json_put_text(json, "perfect", bound->component);
    if (component) json_put_text(json, "summary", component->summary);
    json_put_real(json, on->name, bound->value);
    for (guint i = 0; i < BOUND_RESULTS; i++)
        if (is_beside(on, i)) json_put_real(json, bound_results[i], bound->others[i]);
    json_put_real(json, "factor", bound->speedup);
    json_put_real(json, "gain", bound->share);
    if (bound->problem) json_put_text(json, "problem", bound->problem);
    json_builder_end_object(json);
}

static void put_group(JsonBuilder *json, const Printed *printed, const BoundGroup *group)
{
    g_autofree char *verdict = bound_group_verdict(printed->on, group);
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "by");
    json_builder_begin_object(json);
    for (guint i = 0, k = 0; i < printed->manifest->dimensions->len; i++) {
        const Dimension *dimension = printed->manifest->dimensions->pdata[i];
        if (strcmp(dimension->name, PERFECT_DIMENSION) != 0)
            json_put_text(json, dimension->name, group->values[k++]);
    }
    json_builder_end_object(json);
    json_put_text(json, "verdict", verdict);
    json_builder_set_member_name(json, "bounds");
    json_builder_begin_array(json);
    put_bound(json, printed->on, &group->baseline);
    for (guint i = 0; i < group->bounds->len; i++)
        put_bound(json, printed->on, group->bounds->pdata[i]);
    json_builder_end_array(json);
    json_builder_set_member_name(json, "left_out");
    json_builder_begin_array(json);
    for (guint i = 0; i < group->skipped->len; i++) {
        json_builder_begin_object(json);
        json_put_text(json, "perfect", group->skipped->pdata[i]);
        json_put_text(json, "reason", group->reasons->pdata[i]);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void print_json(const Printed *printed)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "title", printed->manifest->title);
    json_put_text(json, "on", printed->on->name);
    json_builder_set_member_name(json, "groups");
    json_builder_begin_array(json);
    for (guint i = 0; i < printed->groups->len; i++)
        put_group(json, printed, printed->groups->pdata[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
    json_print(json, stdout);
}

static void fill_row(Sheet *sheet, const Printed *printed, const BoundGroup *group,
                     const Bound *bound)
{
    sheet_row(sheet);
    for (guint i = 0, k = 0; i < printed->manifest->dimensions->len; i++) {
        const Dimension *dimension = printed->manifest->dimensions->pdata[i];
        if (strcmp(dimension->name, PERFECT_DIMENSION) != 0)
            sheet_text(sheet, dimension->name, group->values[k++]);
    }
    sheet_text(sheet, "perfect", bound->component);
    sheet_number(sheet, printed->on->name, bound->value);
    for (guint i = 0; i < BOUND_RESULTS; i++)
        if (is_beside(printed->on, i)) sheet_number(sheet, bound_results[i], bound->others[i]);
    sheet_number(sheet, "factor", bound->speedup);
    sheet_number(sheet, "gain", bound->share);
}

static void print_csv(const Printed *printed)
{
    g_autoptr(Sheet) sheet = sheet_new();
    for (guint i = 0; i < printed->groups->len; i++) {
        const BoundGroup *group = printed->groups->pdata[i];
        fill_row(sheet, printed, group, &group->baseline);
        for (guint k = 0; k < group->bounds->len; k++)
            fill_row(sheet, printed, group, group->bounds->pdata[k]);
    }
    sheet_print_csv(sheet, stdout);
}

/* ---------------------------------------------------------------------------------------------- */

/* Every component with its settings. */
static void list_components(void)
{
    for (const PerfectComponent *c = perfect_components(); c->name; c++) {
        printf("%s%s: %s%s%s\n", c == perfect_components() ? "" : "\n", c->name, c->summary,
               c->needs ? "; needs " : "", c->needs ? c->needs : "");
        perfect_print_settings(c, stdout);
    }
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

static void fill_settings(Sheet *sheet, const PerfectComponent *component)
{
    for (guint i = 0; i < component->settings->len; i++) {
        const PerfectSetting *setting = &g_array_index(component->settings, PerfectSetting, i);
        sheet_row(sheet);
        sheet_text(sheet, "perfect", component->name);
        sheet_text(sheet, "summary", component->summary);
        sheet_text(sheet, "needs", or_nothing(component->needs));
        sheet_text(sheet, "parameter", setting->name);
        sheet_text(sheet, "value", or_nothing(setting->value));
        sheet_text(sheet, "only_if", or_nothing(setting->only_if));
    }
}

static const ResultColumn *find_column(const StudyColumns *columns, const char *name,
                                       GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < columns->results->len; i++) {
        const ResultColumn *column = &g_array_index(columns->results, ResultColumn, i);
        if (!strcmp(column->name, name)) return column;
        g_ptr_array_add(names, (gpointer)column->name);
    }
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_set_error(error, STUDY_ERROR, 0, "--on %s: no such result%s%s%s", name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

static Status report(const char *directory, const char *name, Form form)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = manifest_read(directory, &error);
    g_autoptr(StudyColumns) columns = manifest ? study_columns_new(manifest) : NULL;
    const ResultColumn *on = columns ? find_column(columns, name, &error) : NULL;
    g_autoptr(sqlite3) database = on ? database_open(directory, &error) : NULL;
    g_autoptr(GPtrArray) groups = database ? perfect_bounds(manifest, database, on, &error) : NULL;
    if (!groups) return command_reject("%s", error->message);
    const Printed printed = {manifest, on, groups};
    if (form == FORM_JSON) print_json(&printed);
    if (form == FORM_CSV) print_csv(&printed);
    if (form == FORM_TEXT) print_text(&printed);
    return STATUS_DONE;
}

Status verb_perfect(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    g_autofree char *on = NULL;
    gboolean list = FALSE;
    const GOptionEntry entries[] = {
        {"on", 0, 0, G_OPTION_ARG_STRING, &on,
         "the result that is bounded (time_ns, load_latency_p99 ...); time_ns", "RESULT"},
        {"list", 0, 0, G_OPTION_ARG_NONE, &list,
         "print the components and what makes each perfect; needs no study", NULL},
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage =
            "study perfect DIR [--on RESULT] [--json|--csv], study perfect --list [--json|--csv]",
        .summary = "Says what each component costs a run at most: the run with it perfect.",
        .description =
            "The study's design is perfect: 'warpmem study plan SCENARIO --design perfect\n"
            "-o DIR' plans one of any scenario.",
        .entries = entries,
        .least = 0,
        .most = 1,
    };
    Status status;
    if (!answer_parse(&answer, &line, &argc, &argv, &status)) return status;
    if (!list && argc < 2)
        return command_reject("study perfect: DIR is missing, the folder of the study");
    if (!list) return report(argv[1], on ? on : "time_ns", answer.form);
    if (answer.form == FORM_TEXT) {
        list_components();
        return STATUS_DONE;
    }
    answer.sheet = sheet_new();
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        fill_settings(answer.sheet, c);
    return answer_end(&answer);
}
