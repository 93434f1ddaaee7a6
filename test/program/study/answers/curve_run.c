/* `study curve` on a study that is planned and run as a user would, of a machine of two SMs. */
#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "scenarios/program/say/json_text.h"

static const char scenario[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[mmu]\nenabled = no\n[machine]\nsms = 2\npartitions = 1\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = offered_load\nduration = 6000 cycles\nsettle = 1000 cycles\n"
    "array_bytes = 1 MiB\nprobe_bytes = 1 MiB\n";

typedef struct {
    int status;
    char *out, *errors;
} Ended;

static Ended call(const char *format, ...) G_GNUC_PRINTF(1, 2);
static Ended call(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *rest = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = g_strdup_printf("%s study %s", g_getenv("WARPMEM_PROGRAM"), rest);
    Ended ended;
    ck_assert(g_spawn_command_line_sync(line, &ended.out, &ended.errors, &ended.status, NULL));
    ck_assert(WIFEXITED(ended.status));
    ended.status = WEXITSTATUS(ended.status);
    return ended;
}

static void end(Ended ended)
{
    g_free(ended.out);
    g_free(ended.errors);
}

/* A folder with the study that the lines describe, planned and run. */
static char *studied(const char *lines)
{
    char *folder = temporary_folder();
    g_autofree char *path = g_build_filename(folder, "small.ini", NULL);
    g_autofree char *text = g_strconcat(scenario, "[study]\n", lines, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    const Ended plan = call("plan %s -o %s/study", path, folder);
    ck_assert_msg(plan.status == 0, "%s", plan.errors);
    end(plan);
    const Ended run = call("run %s/study", folder);
    ck_assert_msg(run.status == 0, "%s", run.errors);
    end(run);
    return folder;
}

START_TEST(a_study_of_loads_has_a_curve)
{
    char *folder = studied("workload.load = 80 %, 0 %, 40 %\nworkload.write_share = 0 %, 50 %\n");
    const Ended text = call("curve %s/study", folder);
    ck_assert_msg(text.status == 0, "%s", text.errors);
    ck_assert_ptr_nonnull(strstr(text.out, "a: write_share 0\n"));
    ck_assert_ptr_nonnull(strstr(text.out, "b: write_share 0.5\n"));
    end(text);
    const Ended json = call("curve %s/study --json --by workload.write_share", folder);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, json.out, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonArray *curves = json_object_get_array_member(root, "curves");
    ck_assert_uint_eq(json_array_get_length(curves), 2);
    JsonObject *curve = json_array_get_object_element(curves, 0);
    JsonArray *points = json_object_get_array_member(curve, "points");
    ck_assert_uint_eq(json_array_get_length(points), 3);
    double before = 0;
    for (guint i = 0; i < 3; i++) {
        JsonObject *point = json_array_get_object_element(points, i);
        const double offered = json_object_get_double_member(point, "offered_gbps");
        /* a partition of 2 channels x 8 B x 2 x 877 MHz is 28.064 GB/s */
        ck_assert_double_eq_tol(offered, 0.4 * i * 28.064, 1e-3);
        ck_assert_double_gt(json_object_get_double_member(point, "latency_mean"), before);
        before = json_object_get_double_member(point, "latency_mean");
    }
    end(json);
    const Ended csv = call("curve %s/study --csv", folder);
    ck_assert_msg(g_str_has_prefix(csv.out, "workload.write_share,workload.load,offered_gbps,"),
                  "%s", csv.out);
    end(csv);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_study_without_loads_has_none)
{
    char *folder = studied("workload.write_share = 0 %, 50 %\n");
    const Ended ended = call("curve %s/study", folder);
    ck_assert_int_eq(ended.status, 2);
    ck_assert_msg(strstr(ended.errors, "no dimension of the study is a load"), "%s", ended.errors);
    ck_assert_ptr_nonnull(strstr(ended.errors, "workload.load = 0 %, 20 %"));
    ck_assert_str_eq(ended.out, "");
    end(ended);
    temporary_remove(folder);
}
END_TEST

START_TEST(bad_input_is_refused)
{
    static const char *const rows[][2] = {
        {"/nowhere", "study curve /nowhere: "},
        {"/nowhere --json --csv", "--json and --csv: choose one"},
        {"", "study curve"},
    };
    const Ended ended = call("curve %s", rows[_i][0]);
    ck_assert_int_eq(ended.status, 2);
    ck_assert_msg(strstr(ended.errors, rows[_i][1]), "%s", ended.errors);
    end(ended);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("study_curve");
    tcase_add_test(cases, a_study_of_loads_has_a_curve);
    tcase_add_test(cases, a_study_without_loads_has_none);
    tcase_add_loop_test(cases, bad_input_is_refused, 0, 3);
    Suite *suite = suite_create("study_curve");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
