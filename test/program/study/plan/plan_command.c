/* `warpmem study plan`, and what the other commands make of [study]. */
#include "rigs/harness.h"

#include "program/study/plan_rig.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

static char *write_scenario(const char *folder, const char *study)
{
    g_autofree char *text = g_strconcat(study_scenario, "[study]\n", study, NULL);
    return temporary_file(folder, "small.ini", text);
}

static const char grid[] = "l1.prt_entries = 8, 16, 32\nvariant = baseline, prt-8\n";

START_TEST(a_plan_is_written_and_says_what_comes_next)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    const Outcome outcome = warpmem(folder, "study plan small.ini -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    static const char *const said[] = {"Small",
                                       "grid",
                                       "l1.prt_entries  512        8, 16, 32\n",
                                       "variant         baseline   baseline, prt-8\n",
                                       "points       6; 3 distinct runs",
                                       "next: warpmem study run out"};
    for (guint i = 0; i < G_N_ELEMENTS(said); i++)
        ck_assert_msg(strstr(outcome.out, said[i]) != NULL, "%s: %s", said[i], outcome.out);
    g_autofree char *out = g_build_filename(folder, "out", NULL);
    g_autoptr(Manifest) manifest = manifest_read(out, NULL);
    ck_assert_ptr_nonnull(manifest);
    ck_assert_uint_eq(manifest->points->len, 6);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_same_plan_is_made_twice_and_another_one_needs_its_own_folder)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    const Outcome first = warpmem(folder, "study plan small.ini -o out");
    g_autofree char *before = contents(folder, "out/manifest.jsonl");
    const Outcome again = warpmem(folder, "study plan small.ini -o out");
    const Outcome other = warpmem(folder, "study plan small.ini -o out --set l1.sets=2");
    g_autofree char *after = contents(folder, "out/manifest.jsonl");
    ck_assert_int_eq(first.status, 0);
    ck_assert_int_eq(again.status, 0);
    ck_assert_int_eq(other.status, 2);
    ck_assert_ptr_nonnull(strstr(other.errors, "there is another plan already"));
    ck_assert_str_eq(before, after);
    temporary_remove(folder);
}
END_TEST

START_TEST(runs_and_studies_have_folders_of_their_own)
{
    static const struct {
        const char *command, *says;
    } refused[] = {{"study plan small.ini -o results", "results: has results of 'run'"},
                   {"run small.ini -o plan", "-o plan: a study"},
                   {"study run plan -o other", "-o other: plan is a study"}};
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    ck_assert_int_eq(warpmem(folder, "run small.ini -q -o results").status, 0);
    ck_assert_int_eq(warpmem(folder, "study plan small.ini -o plan").status, 0);
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        const Outcome outcome = warpmem(folder, refused[i].command);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(strstr(outcome.errors, refused[i].says) != NULL, "%s", outcome.errors);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(a_dry_run_counts_and_measures_and_writes_nothing)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    const Outcome outcome = warpmem(folder, "study plan small.ini -o out --dry-run");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_ptr_nonnull(strstr(outcome.out, "time         3 points x "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "probed) = about "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "Nothing was written."));
    ck_assert(!exists(folder, "out"));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_plan_as_json_has_counts_and_an_estimate)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, "l1.prt_entries = 8, 16\nreplications = 2\n"
                                                   "machine.line_bytes = 128 B, 100 B\n");
    const Outcome outcome = warpmem(folder, "study plan small.ini --dry-run --json");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) node = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(node);
    ck_assert_double_eq(result_number(node, "points"), 8);
    ck_assert_double_eq(result_number(node, "distinct"), 8);
    ck_assert_double_eq(result_number(node, "replications"), 2);
    ck_assert_double_eq(result_number(node, "checked"), 4);
    ck_assert_double_eq(result_number(node, "rejected"), 2);
    ck_assert_double_gt(result_number(node, "estimate.point_s"), 0);
    ck_assert_double_eq(result_number(node, "estimate.probed"), 4);
    ck_assert_double_eq(result_number(node, "estimate.failed"), 4);
    ck_assert_double_ge(result_number(node, "estimate.most_s"),
                        result_number(node, "estimate.least_s"));
    ck_assert_ptr_nonnull(strstr(result_text(node, "first_rejection"), "machine.line_bytes"));
    temporary_remove(folder);
}
END_TEST

START_TEST(check_and_show_know_a_study_and_run_does_without)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    const Outcome checked = warpmem(folder, "check small.ini");
    const Outcome shown = warpmem(folder, "show small.ini --set study.samples=20");
    const Outcome ran = warpmem(folder, "run small.ini --variant baseline -q -o out");
    ck_assert_ptr_nonnull(strstr(checked.out, "study: grid of 2 dimensions, 6 points; to run it: "
                                              "warpmem study run small.ini -o DIR\n"));
    ck_assert_ptr_nonnull(strstr(shown.out, "  [study]\n"));
    ck_assert_ptr_nonnull(strstr(shown.out, "8, 16, 32"));
    ck_assert_ptr_nonnull(strstr(shown.out, "small.ini:17"));
    ck_assert_msg(ran.status == 0, "%s", ran.errors);
    g_autofree char *result = contents(folder, "out/baseline/result.json");
    ck_assert_ptr_null(strstr(result, "study"));
    temporary_remove(folder);
}
END_TEST

START_TEST(check_finds_mistakes_in_a_study)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, "l1.prt_entris = 8\n");
    const Outcome outcome = warpmem(folder, "check small.ini");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_ptr_nonnull(strstr(outcome.errors, "small.ini:17: study.l1.prt_entris = 8"));
    ck_assert_ptr_nonnull(strstr(outcome.errors, "did you mean 'l1.prt_entries'?"));
    ck_assert_str_eq(outcome.out, "");
    temporary_remove(folder);
}
END_TEST

START_TEST(the_keys_of_a_study_are_explained_and_listed)
{
    const Outcome group = warpmem(".", "explain study");
    const Outcome key = warpmem(".", "explain study.replications");
    const Outcome listed = warpmem(".", "list parameters");
    ck_assert_ptr_nonnull(strstr(group.out, "trajectories"));
    ck_assert_ptr_nonnull(strstr(key.out, "default: 1"));
    ck_assert_ptr_nonnull(strstr(listed.out, "study.design"));
}
END_TEST

START_TEST(run_says_that_there_is_a_study)
{
    static const char hint[] = "to run it: warpmem study run small.ini --set l1.ways=2 -o DIR\n";
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    g_free(temporary_file(folder, "plain.ini", study_scenario));
    const Outcome ran = warpmem(folder, "run small.ini --variant baseline --set l1.ways=2"),
                  checked = warpmem(folder, "check small.ini --set l1.ways=2");
    const Outcome plain = warpmem(folder, "run plain.ini --variant baseline");
    const Outcome json = warpmem(folder, "run small.ini --variant baseline --json");
    ck_assert_msg(strstr(ran.out, hint) != NULL, "%s", ran.out);
    ck_assert_msg(strstr(checked.out, hint) != NULL, "%s", checked.out);
    ck_assert_msg(plain.status == 0 && !strstr(plain.out, "[study]"), "%s", plain.out);
    ck_assert_msg(json.status == 0 && !strstr(json.out, hint), "%s", json.out);
    temporary_remove(folder);
}
END_TEST

/* The components that `perfect` varies are 29 names. */
START_TEST(a_plan_with_long_lists_and_a_folder_with_a_space_can_be_read)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", study_scenario);
    const Outcome outcome = warpmem(folder, "study plan small.ini --design perfect -o 'my study'");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_ptr_nonnull(strstr(outcome.out, "baseline, issue, arithmetic_latency, "));
    ck_assert_ptr_nonnull(strstr(outcome.out, " ... dram ("));
    ck_assert_ptr_nonnull(strstr(outcome.out, "\n  next: warpmem study run 'my study'\n"));
    g_auto(GStrv) lines = g_strsplit(outcome.out, "\n", -1);
    for (char **line = lines; *line; line++) ck_assert_msg(strlen(*line) <= 110, "%s", *line);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_folder_of_a_plan_has_to_be_named)
{
    char *folder = temporary_folder();
    g_autofree char *file = write_scenario(folder, grid);
    const Outcome outcome = warpmem(folder, "study plan small.ini");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_ptr_nonnull(strstr(outcome.errors, "-o DIR is missing"));
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("plan_command", a_plan_is_written_and_says_what_comes_next,
             the_same_plan_is_made_twice_and_another_one_needs_its_own_folder,
             runs_and_studies_have_folders_of_their_own,
             a_dry_run_counts_and_measures_and_writes_nothing,
             a_plan_as_json_has_counts_and_an_estimate,
             check_and_show_know_a_study_and_run_does_without, check_finds_mistakes_in_a_study,
             the_keys_of_a_study_are_explained_and_listed, run_says_that_there_is_a_study,
             a_plan_with_long_lists_and_a_folder_with_a_space_can_be_read,
             the_folder_of_a_plan_has_to_be_named)
