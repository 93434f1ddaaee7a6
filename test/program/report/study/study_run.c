/* `warpmem report` of a study that was planned and run as a user would. */
#include <sqlite3.h>

#include "program/study/process.h"
#include "rigs/harness.h"
#include "scenarios/program/say/json_text.h"

/* Six points of a tiny chase. */
static const char SIX[] = "workload.loads = 10, 20, 40\nl2_slice.ways = 8, 16\n";

/* --- vocabulary ------------------------------------------------------------------------------- */

/* The cells of a CSV's column by the name that it begins with, of char *; no cell has a comma or
 * quotes. */
static GPtrArray *column_of(const char *csv, const char *name)
{
    GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) lines = g_strsplit(csv, "\r\n", -1);
    g_auto(GStrv) heads = g_strsplit(lines[0], ",", -1);
    guint column = 0;
    while (heads[column] && !g_str_has_prefix(heads[column], name)) column++;
    ck_assert_msg(heads[column] != NULL, "no column %s in: %s", name, lines[0]);
    for (char **line = lines + 1; *line && **line; line++) {
        g_auto(GStrv) words = g_strsplit(*line, ",", -1);
        g_ptr_array_add(cells, g_strdup(words[column]));
    }
    return cells;
}

static void expect_same_numbers(const char *shown, const char *name, const char *exported,
                                const char *exported_name)
{
    g_autoptr(GPtrArray) a = column_of(shown, name), b = column_of(exported, exported_name);
    ck_assert_uint_eq(a->len, b->len);
    for (guint i = 0; i < a->len; i++)
        ck_assert_double_eq(g_ascii_strtod(a->pdata[i], NULL), g_ascii_strtod(b->pdata[i], NULL));
}

/* --- tests ------------------------------------------------------------------------------------ */

START_TEST(the_page_its_data_and_its_json_have_the_numbers_of_the_export)
{
    char *folder = temporary_folder();
    study_process_plan(folder, SIX);
    succeed(folder, "study run study -q");
    succeed(folder, "report study --data csv");
    ck_assert(exists(folder, "study/report.html"));
    g_autofree char *shown = contents(folder, "csv/study_points.csv");
    const Outcome export = warpmem(folder, "study export study");
    expect_same_numbers(shown, "time_ns", export.out, "time_ns");
    expect_same_numbers(shown, "workload.loads", export.out, "workload.loads");
    expect_same_numbers(shown, "load_latency_mean", export.out, "load_latency_mean");
    g_autofree char *tornado = contents(folder, "csv/study_tornado-time_ns.csv");
    const Outcome verb = warpmem(folder, "study sensitivity study --on time_ns --csv");
    g_autoptr(GPtrArray) dimensions = column_of(tornado, "dimension");
    ck_assert_str_eq(dimensions->pdata[0], "workload.loads");
    ck_assert_ptr_nonnull(strstr(verb.out, "\n1,workload.loads,time_ns,"));
    const Outcome json = warpmem(folder, "report study --json");
    g_autoptr(JsonNode) root = json_from_string(json.out, NULL);
    ck_assert_ptr_nonnull(root);
    ck_assert_str_eq(json_object_get_string_member(json_node_get_object(root), "kind"), "study");
    temporary_remove(folder);
}
END_TEST

/* The bytes of the page after the shards ran in this order. */
static char *page_after(const char *const *shards)
{
    char *folder = temporary_folder();
    study_process_plan(folder, SIX);
    for (; *shards; shards++) {
        g_autofree char *arguments = g_strdup_printf("study run study -q --shard %s", *shards);
        succeed(folder, arguments);
    }
    succeed(folder, "report study -o page.html");
    char *page = contents(folder, "page.html");
    /* where the scenario's settings stand */
    g_auto(GStrv) parts = g_strsplit(page, folder, -1);
    g_free(page);
    page = g_strjoinv("", parts);
    temporary_remove(folder);
    return page;
}

START_TEST(the_page_is_the_same_however_the_points_were_run)
{
    g_autofree char *a = page_after((const char *const[]){"0/2", "1/2", NULL});
    g_autofree char *b = page_after((const char *const[]){"2/3", "0/3", "1/3", NULL});
    ck_assert_str_eq(a, b);
}
END_TEST

START_TEST(a_study_that_is_partly_run_has_a_report_of_what_is_done)
{
    char *folder = temporary_folder();
    study_process_plan(folder, SIX);
    succeed(folder, "study run study -q --shard 0/2");
    succeed(folder, "report study --data csv -o page.html");
    g_autofree char *shown = contents(folder, "csv/study_points.csv");
    g_autoptr(GPtrArray) states = column_of(shown, "status");
    ck_assert_uint_eq(states->len, 6);
    for (guint i = 0; i < 6; i++) ck_assert_str_eq(states->pdata[i], i % 2 ? "missing" : "done");
    const Outcome json = warpmem(folder, "report study --json");
    ck_assert_ptr_nonnull(strstr(json.out, "3 of 6 points are done, 0 failed, 3 are missing."));
    ck_assert_ptr_nonnull(strstr(json.out, "warpmem study run study"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_broken_study_is_one_error)
{
    char *folder = temporary_folder();
    study_process_plan(folder, SIX);
    g_free(temporary_file(folder, "study/manifest.jsonl", "{}\n"));
    const Outcome report = warpmem(folder, "report study");
    const Outcome verb = warpmem(folder, "study sensitivity study");
    ck_assert_int_eq(report.status, 2);
    ck_assert_str_eq(report.errors, verb.errors);
    ck_assert_str_eq(report.out, "");
    temporary_remove(folder);
}
END_TEST

START_TEST(a_database_without_all_points_is_one_error)
{
    char *folder = temporary_folder();
    study_process_plan(folder, SIX);
    succeed(folder, "study run study -q");
    succeed(folder, "report study");
    g_autofree char *path = g_build_filename(folder, "study", "study.sqlite", NULL);
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, "DELETE FROM points WHERE point = 1", 0, 0, 0),
                     SQLITE_OK);
    sqlite3_close(database);
    ck_assert_str_eq(warpmem(folder, "report study").errors,
                     "warpmem: study/study.sqlite: has points that are not of the study's plan, or "
                     "not all; it can be deleted\n");
    temporary_remove(folder);
}
END_TEST

START_TEST(the_front_says_how_the_command_line_draws_it)
{
    static const char begin[] = "The front is that of 'warpmem ";
    char *folder = temporary_folder();
    study_process_plan(folder, "l1.prt_entries = 8, 16\n");
    succeed(folder, "study run study -q");
    g_autofree char *plain = g_build_filename(folder, "study", NULL),
                    *odd = g_build_filename(folder, "a study", NULL);
    ck_assert_int_eq(rename(plain, odd), 0);
    const Outcome page = warpmem(folder, "report 'a study' --json");
    const char *note = strstr(page.out, begin), *end = note ? strstr(note, "'.\"") : NULL;
    ck_assert_msg(end != NULL, "%.1000s", note ? note : page.errors);
    g_autofree char *command = g_strndup(note + strlen(begin), (gsize)(end - note) - strlen(begin));
    ck_assert_str_eq(command, "study pareto 'a study' --minimize area_mm2 --minimize time_ns "
                              "--minimize energy_uj");
    succeed(folder, command);
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("report_study_run", the_page_its_data_and_its_json_have_the_numbers_of_the_export,
             the_page_is_the_same_however_the_points_were_run,
             a_study_that_is_partly_run_has_a_report_of_what_is_done, a_broken_study_is_one_error,
             a_database_without_all_points_is_one_error,
             the_front_says_how_the_command_line_draws_it)
