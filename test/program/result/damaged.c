/* What `report`, `compare` and `timeline` make of results that are damaged, and of places that
 * cannot be written: one error and status 2, and nothing is left behind. */
#include <check.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"

#define RESULT "{\"schema_version\":1,\"scenario\":\"S\",\"variant\":\"v\",\"summary\":{}%s}"

/* A timeline of one request whose stages are these. */
#define REQUEST(begin, end, stages)                                                                \
    ",\"timeline\":[{\"class\":\"store\",\"kernel\":\"k\",\"pc\":0,\"sm\":0,\"warp\":0,"           \
    "\"type\":\"store\",\"address\":0,\"served_by\":\"l2\",\"begin\":" begin ",\"end\":" end       \
    ",\"stages\":[" stages "]}]"
#define STAGE(fs) "{\"stage\":\"issue\",\"fs\":" fs "}"

static void write_result(const char *folder, const char *name, const char *members)
{
    g_autofree char *text = g_strdup_printf(RESULT, members);
    g_free(temporary_file(folder, name, text));
}

static void expect(const char *folder, const char *arguments, int status, const char *errors)
{
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == status, "%s: %d, %s", arguments, outcome.status,
                  outcome.errors);
    ck_assert_msg(!strcmp(outcome.errors, errors), "%s: %s", arguments, outcome.errors);
}

static void refuse(const char *folder, const char *arguments, const char *reason)
{
    g_autofree char *line = g_strdup_printf("warpmem: %s\n", reason);
    expect(folder, arguments, 2, line);
}

static const struct {
    const char *members, *reason;
} damaged[] = {
    {",\"summary\":null", "summary is not an object"},
    {",\"scenario\":3", "scenario is not text"},
    {",\"measured\":\"yes\"", "measured is not true or false"},
    {",\"summary\":{\"kernels\":[\"k\"]}", "summary.kernels.0 is not an object"},
    {",\"summary\":{\"kernels\":[{\"launch\":{\"limited_by\":[1]}}]}",
     "summary.kernels.0.launch.limited_by.0 is not text"},
    {",\"kernel_rows\":{\"columns\":[1],\"rows\":[]}", "kernel_rows.columns is not texts"},
    {",\"kernel_rows\":{\"rows\":[[\"k\",1,true,0,9.5],[\"k\",2,true,0]]}",
     "kernel_rows.rows.1 is not a list of name, number, measured, begin, end"},
    {",\"resources\":{\"l1\":null}", "resources.l1 is not an object"},
    {",\"resources\":{\"l1\":{\"arbiter\":\"full\"}}", "resources.l1.arbiter is not an object"},
    {",\"profile\":{\"series\":{\"resources\":{\"l1\":{\"arbiter\":{\"mean\":[{}]}}}}}",
     "profile.series.resources.l1.arbiter.mean is not numbers"},
    {",\"stages\":{\"load\":{\"issue\":0.5}}", "stages.load.issue is not a whole number"},
    {",\"stages\":{\"load\":{\"issue\":-1}}", "stages.load.issue is not a whole number"},
    {",\"parameters\":{\"l1\":{\"ways\":4}}", "parameters.l1.ways is not text"},
    {",\"machine\":[{\"name\":\"SMs\",\"value\":\"80\"}]", "machine.0.value is not a number"},
    {",\"units\":{\"l1\":{\"total\":{\"refused_prt\":[]}}}",
     "units.l1.total.refused_prt is not a whole number"},
    {",\"units\":{\"l1\":{\"instances\":[{},null]}}", "units.l1.instances.1 is not an object"},
    {",\"units\":{\"x\":{\"instances\":[{\"bank_accesses\":[1,null]}]}}",
     "units.x.instances.0.bank_accesses is not whole numbers"},
    {",\"profile\":[]", "profile is not an object"},
    {",\"profile\":{\"series\":{\"classes\":{\"l1\":{\"hits\":{\"total\":[1,\"x\"]}}}}}",
     "profile.series.classes.l1.hits.total is not numbers"},
    {",\"profile\":{\"series\":{\"classes\":{\"l1\":{\"hits\":{\"instances\":[[],3]}}}}}",
     "profile.series.classes.l1.hits.instances.1 is not numbers"},
    {",\"profile\":{\"requests\":{\"load\":{\"histogram\":{\"buckets\":[5,1,4,1]}}}}",
     "profile.requests.load.histogram.buckets is not pairs of bucket and count"},
    {",\"profile\":{\"requests\":{\"load\":{\"histogram\":{\"buckets\":[4294967295,1]}}}}",
     "profile.requests.load.histogram.buckets is not pairs of bucket and count"},
    {",\"profile\":{\"requests\":{\"load\":{\"histogram\":{\"buckets\":[5]}}}}",
     "profile.requests.load.histogram.buckets is not pairs of bucket and count"},
    {",\"profile\":{\"slowest\":[{\"stages\":[{\"fs\":\"1\"}]}]}",
     "profile.slowest.0.stages.0.fs is not a whole number"},
};

START_TEST(a_member_of_another_kind_is_one_error_that_names_it)
{
    static const char *const commands[] = {"report good.json a.json", "timeline a.json"};
    char *folder = temporary_folder();
    write_result(folder, "good.json", "");
    write_result(folder, "a.json", damaged[_i].members);
    g_autofree char *reason = g_strdup_printf("a.json: damaged: %s", damaged[_i].reason);
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) refuse(folder, commands[i], reason);
    ck_assert(!exists(folder, "report.html") && !exists(folder, "timeline.json"));
    temporary_remove(folder);
}
END_TEST

START_TEST(an_empty_file_is_no_result)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "empty.json", ""));
    refuse(folder, "report empty.json", "empty.json: not a result of warpmem");
    refuse(folder, "compare empty.json empty.json", "empty.json: not a result of warpmem");
    refuse(folder, "timeline empty.json", "empty.json: not a result of warpmem");
    temporary_remove(folder);
}
END_TEST

START_TEST(results_without_a_name_are_told_apart)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "a.json", "{\"schema_version\":1,\"summary\":{\"time_ns\":1}}"));
    const Outcome outcome = warpmem(folder, "compare a.json a.json");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "  B:?: no parameter differs\n"));
    temporary_remove(folder);
}
END_TEST

static const char *const requests[] = {
    REQUEST("-5", "5", STAGE("10")),
    REQUEST("5", "4", ""),
    REQUEST("0", "10", STAGE("9")),
    REQUEST("0", "10", STAGE("11")),
    REQUEST("0", "10", STAGE("20") "," STAGE("-10")),
    REQUEST("9223372036854775807", "0", STAGE("9223372036854775807")),
};

START_TEST(a_request_whose_stages_are_not_its_latency_is_no_request)
{
    char *folder = temporary_folder();
    write_result(folder, "good.json", REQUEST("0", "10", STAGE("10")));
    write_result(folder, "a.json", requests[_i]);
    expect(folder, "timeline good.json -q -o good.trace", 0, "");
    refuse(folder, "timeline a.json",
           "a.json: request 1 of its timeline is not as this program writes it; run its scenario "
           "again");
    temporary_remove(folder);
}
END_TEST

/* What a page was made from: on one line, and nothing in it ends its element. */
static JsonNode *data_of_page(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL), *page = NULL;
    ck_assert(g_file_get_contents(path, &page, NULL, NULL));
    const char *mark = "<script id=\"data\" type=\"application/json\">";
    const char *data = strstr(page, mark) + strlen(mark);
    const size_t length = strcspn(data, "<\n");
    ck_assert(g_str_has_prefix(data + length, "</script>"));
    g_autofree char *json = g_strndup(data, length);
    return json_from_string(json, NULL);
}

/* Every character that JSON wants to be escaped, and some that it does not. */
START_TEST(any_character_of_a_name_survives)
{
    char *folder = temporary_folder();
    GString *name = g_string_new("</script>\xc3\xa9 ");
    for (char c = 1; c < ' '; c++) g_string_append_c(name, c);
    g_string_append(name, "\"\\\x7f");
    GString *escaped = g_string_new(NULL);
    for (const char *c = name->str; *c; c++)
        if (g_ascii_iscntrl(*c) || strchr("\"\\", *c))
            g_string_append_printf(escaped, "\\u%04x", (guint)*c);
        else
            g_string_append_c(escaped, *c);
    g_autofree char *text = g_strdup_printf(
        "{\"schema_version\":1,\"summary\":{\"time_ns\":1},\"scenario\":\"%s\"}", escaped->str);
    g_free(temporary_file(folder, "a.json", text));
    const Outcome outcome = warpmem(folder, "report a.json --json");
    ck_assert_int_eq(outcome.status, 0);
    for (const char *c = outcome.out; *c; c++) ck_assert(*c == '\n' || !g_ascii_iscntrl(*c));
    g_autoptr(JsonNode) report = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(report);
    const char *title = json_object_get_string_member(json_node_get_object(report), "title");
    ck_assert_ptr_nonnull(strstr(title, name->str));
    ck_assert_int_eq(warpmem(folder, "report a.json -o page.html").status, 0);
    g_autoptr(JsonNode) data = data_of_page(folder, "page.html");
    ck_assert(json_node_equal(data, report));
    g_string_free(name, TRUE);
    g_string_free(escaped, TRUE);
    temporary_remove(folder);
}
END_TEST

/* --- where it cannot be written --------------------------------------------------------------- */

START_TEST(a_place_that_cannot_be_written_is_one_error)
{
    char *folder = temporary_folder();
    write_result(folder, "a.json", "");
    g_free(temporary_file(folder, "file", ""));
    ck_assert_int_eq(warpmem(folder, "report a.json -o page.html").status, 0);
    refuse(folder, "report a.json -o .", "-o .: cannot be written: Is a directory");
    refuse(folder, "report a.json -o no/a.html",
           "-o no/a.html: cannot be written: No such file or directory");
    refuse(folder, "report a.json -o ''", "-o '': an empty name; it names the file");
    refuse(folder, "report a.json -o /dev/full",
           "-o /dev/full: cannot be written: No space left on device");
    refuse(folder, "report a.json --data file", "--data file: cannot be written: Not a directory");
    refuse(folder, "report a.json --data ''",
           "--data '': cannot be written: an empty name; it names the folder");
    refuse(folder, "report a.json --json -o b.html",
           "--json: goes to standard output, and -o b.html names the file of a page");
    refuse(folder, "report a.json -o no/a.html --data csv",
           "-o no/a.html: cannot be written: No such file or directory");
    ck_assert(!exists(folder, "csv") && !exists(folder, "report.html")
              && !exists(folder, "b.html"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_page_goes_to_standard_output_too)
{
    char *folder = temporary_folder();
    write_result(folder, "a.json", "");
    const Outcome outcome = warpmem(folder, "report a.json -o -");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert(g_str_has_prefix(outcome.out, "<!DOCTYPE html>"));
    ck_assert(g_str_has_suffix(outcome.out, "</html>\n"));
    ck_assert(!exists(folder, "-"));
    temporary_remove(folder);
}
END_TEST

/* A folder in a table's place: those before and behind it are not written either. */
START_TEST(tables_appear_all_or_not_at_all)
{
    char *folder = temporary_folder();
    write_result(folder, "a.json",
                 ",\"parameters\":{\"l1\":{\"ways\":\"4\"}},\"stages\":{\"store\":{\"count\":1,"
                 "\"latency\":5,\"issue\":5}}");
    g_autofree char *data = g_build_filename(folder, "csv", NULL);
    ck_assert_int_eq(warpmem(folder, "report a.json --data csv").status, 0);
    const guint tables = temporary_count(data);
    ck_assert_uint_ge(tables, 3);
    ck_assert(exists(data, "parameters.csv"));
    g_autofree char *other = g_build_filename(folder, "new", NULL);
    g_autofree char *way = g_build_filename(other, "parameters.csv", NULL);
    ck_assert_int_eq(g_mkdir_with_parents(way, 0777), 0);
    refuse(folder, "report a.json --data new", "--data new: cannot be written: Is a directory");
    ck_assert_uint_eq(temporary_count(other), 1);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("damaged_results");
    tcase_add_loop_test(cases, a_member_of_another_kind_is_one_error_that_names_it, 0,
                        G_N_ELEMENTS(damaged));
    tcase_add_test(cases, an_empty_file_is_no_result);
    tcase_add_test(cases, results_without_a_name_are_told_apart);
    tcase_add_loop_test(cases, a_request_whose_stages_are_not_its_latency_is_no_request, 0,
                        G_N_ELEMENTS(requests));
    tcase_add_test(cases, any_character_of_a_name_survives);
    tcase_add_test(cases, a_place_that_cannot_be_written_is_one_error);
    tcase_add_test(cases, a_page_goes_to_standard_output_too);
    tcase_add_test(cases, tables_appear_all_or_not_at_all);
    Suite *suite = suite_create("damaged_results");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
