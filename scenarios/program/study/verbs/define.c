/* `warpmem study define DIR`: results made of those that have been recorded. */
#include <string.h>

#include "scenarios/program/say/table.h"
#include "scenarios/program/study/records/own_results.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/table/derived.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    const char *directory, *name, *expression; /* NULL: not given */
    char *unit, *better, *summary;
    gboolean remove;
} Definition;

/* --- the study's list ------------------------------------------------------------------------- */

/* Among those that were defined after the plan; -1: there is none. */
static int find_result(const Manifest *manifest, const char *name)
{
    for (guint i = manifest->planned; i < manifest->derived->len; i++)
        if (!strcmp(((const Derived *)manifest->derived->pdata[i])->name, name)) return (int)i;
    return -1;
}

static bool remove_result(Manifest *manifest, const char *name, GError **error)
{
    const int place = find_result(manifest, name);
    if (place >= 0) {
        g_ptr_array_remove_index(manifest->derived, (guint)place);
        return true;
    }
    g_set_error(error, STUDY_ERROR, 0, "%s: no result that was defined after the plan", name);
    return false;
}

/* One that is defined anew stays where it is: others may be made of it. */
static bool put_result(Manifest *manifest, const Definition *definition, GError **error)
{
    const int place = find_result(manifest, definition->name);
    const char *summary = definition->summary ? definition->summary : definition->expression;
    if (place >= 0) g_ptr_array_remove_index(manifest->derived, (guint)place);
    if (!own_result_check_name(manifest, definition->name, error)) return false;
    Derived *result = g_new0(Derived, 1);
    *result = (Derived){
        .name = g_strdup(definition->name),
        .expression = g_strdup(definition->expression),
        .unit = g_strdup(definition->unit ? definition->unit : ""),
        .better = g_strdup(definition->better ? definition->better : "neither"),
        .summary = g_strdup(summary),
    };
    g_ptr_array_insert(manifest->derived, place, result);
    return true;
}

/* Whether all of them can be computed. */
static bool check_results(const Manifest *manifest, GError **error)
{
    g_autoptr(StudyColumns) columns = study_columns_new(manifest);
    g_autoptr(DerivedResults) results = derived_results_new(manifest, columns, error);
    return results != NULL;
}

/* --- what is said ----------------------------------------------------------------------------- */

static void describe(const Derived *result)
{
    printf("%s = %s", result->name, result->expression);
    if (*result->unit) printf(", in %s", result->unit);
    if (strcmp(result->better, "neither") != 0) printf(", %s is better", result->better);
    if (strcmp(result->summary, result->expression) != 0) printf(" (%s)", result->summary);
    printf("\n");
}

static void list_results(const Manifest *manifest)
{
    if (!manifest->derived->len)
        printf("The study has no results of its own; to define one: study define DIR NAME "
               "EXPRESSION\n");
    for (guint i = 0; i < manifest->derived->len; i++) describe(manifest->derived->pdata[i]);
}

static Status print_range(const Definition *definition)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *sql =
        g_strdup_printf("SELECT count(\"%s\"), count(*), min(\"%s\"), max(\"%s\") FROM results",
                        definition->name, definition->name, definition->name);
    g_autoptr(sqlite3) database = database_open(definition->directory, &error);
    g_autoptr(Query) row = database ? database_query(database, sql, &error) : NULL;
    if (!row) return command_reject("%s", error->message);
    if (sqlite3_step(row) != SQLITE_ROW) return STATUS_DONE;
    printf("%.0f of %.0f points have it", query_number(row, 0), query_number(row, 1));
    if (query_number(row, 0) > 0)
        printf(", from %.6g to %.6g", query_number(row, 2), query_number(row, 3));
    printf("\n");
    return STATUS_DONE;
}

/* --- the verb --------------------------------------------------------------------------------- */

static bool change(Manifest *manifest, const Definition *definition, GError **error)
{
    return (definition->remove ? remove_result(manifest, definition->name, error)
                               : put_result(manifest, definition, error))
           && check_results(manifest, error)
           && own_results_write(manifest, definition->directory, error);
}

static Status define(const Definition *definition)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = manifest_read(definition->directory, &error);
    if (manifest && !definition->name) {
        list_results(manifest);
        return STATUS_DONE;
    }
    if (!manifest || !change(manifest, definition, &error))
        return command_reject("%s", error->message);
    if (definition->remove) return STATUS_DONE;
    describe(manifest->derived->pdata[find_result(manifest, definition->name)]);
    return print_range(definition);
}

static Status reject_words(const Definition *definition)
{
    const bool one = definition->name && !definition->remove && !definition->expression;
    if (one)
        return command_reject("%s: what is it? After it goes an expression, or --remove",
                              definition->name);
    if (definition->remove && (!definition->name || definition->expression))
        return command_reject("--remove: of one NAME, without an expression");
    if (definition->better && !g_strv_contains(own_result_betters, definition->better))
        return command_reject("--better %s: neither lower, higher nor neither", definition->better);
    return STATUS_DONE;
}

Status verb_define(int argc, char **argv)
{
    Definition definition = {0};
    const GOptionEntry entries[] = {
        {"unit", 0, 0, G_OPTION_ARG_STRING, &definition.unit, "what it is counted in", "UNIT"},
        {"better", 0, 0, G_OPTION_ARG_STRING, &definition.better, "lower, higher; else neither",
         "WAY"},
        {"summary", 0, 0, G_OPTION_ARG_STRING, &definition.summary, "stands beside it", "TEXT"},
        {"remove", 0, 0, G_OPTION_ARG_NONE, &definition.remove, "takes it back", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study define DIR [NAME EXPRESSION] [--unit UNIT] [--better lower|higher] "
                 "[--summary TEXT] [--remove]",
        .summary = "Makes a result of others and of parameters, for the points that have been run "
                   "as for those\nthat will be; without NAME it lists those that there are.",
        .entries = entries,
        .least = 1,
        .most = 3,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    definition.directory = argv[1];
    definition.name = argc > 2 ? argv[2] : NULL;
    definition.expression = argc > 3 ? argv[3] : NULL;
    status = reject_words(&definition);
    if (status == STATUS_DONE) status = define(&definition);
    g_free(definition.unit);
    g_free(definition.better);
    g_free(definition.summary);
    return status;
}
