/* A file of the user's where a preset may stand. */
#include "program/study/plan_rig.h"
#include "rigs/harness.h"
#include "scenarios/program/language/scenario.h"

static const char gpu[] = "[scenario]\ntitle = A GPU\nextends = v100\n[machine]\nsms = 10\n",
                  workload[] = "[workload]\npattern = stream\narray_bytes = 32 KiB\n";

static char *folder_of(const char *start)
{
    char *folder = temporary_folder();
    g_autofree char *machine = temporary_file(folder, "gpu.ini", gpu),
                    *whole = g_strconcat(gpu, workload, "[variant v]\nsm.max_ctas = 1\n", NULL),
                    *text =
                        g_strconcat("[scenario]\nextends = ", start,
                                    "\n[l1]\nways = 3\n[variant mine]\nextends = gpu.ini\n", NULL),
                    *used = temporary_file(folder, "with-workload.ini", whole),
                    *file = temporary_file(folder, "x.ini", text);
    return folder;
}

/* `extends`: from the command line; NULL: none. */
static Scenario *load(const char *folder, const char *extends, GError **error)
{
    g_autofree char *file = g_build_filename(folder, "x.ini", NULL),
                    *set = g_strconcat("scenario.extends=", extends, NULL);
    return scenario_load(file, (const char *const[]){extends ? set : NULL, NULL}, error);
}

static const char *value_of(const Scenario *scenario, const char *variant, const char *group,
                            const char *key)
{
    const Variant *v = scenario_find_variant(scenario, variant, NULL);
    const Setting *setting = configuration_find(v->configuration, group, key);
    return setting ? setting->value : "";
}

START_TEST(a_variant_starts_from_a_file_beside_the_scenario)
{
    char *folder = folder_of("gtx980");
    g_autoptr(Scenario) scenario = load(folder, NULL, NULL);
    ck_assert_str_eq(value_of(scenario, "baseline", "machine", "sms"), "16");
    ck_assert_str_eq(value_of(scenario, "mine", "machine", "sms"), "10");
    ck_assert_str_eq(value_of(scenario, "mine", "machine", "partitions"), "32");
    ck_assert_str_eq(value_of(scenario, "mine", "l1", "ways"), "3");
    temporary_remove(folder);
}
END_TEST

/* Seen from the folder that one is in. */
START_TEST(set_starts_a_scenario_from_a_file)
{
    char *folder = folder_of("gtx980");
    g_autofree char *before = g_get_current_dir();
    ck_assert_int_eq(g_chdir(folder), 0);
    g_autoptr(Scenario) scenario = load(".", "gpu.ini", NULL), missing = NULL;
    g_autoptr(GError) error = NULL;
    missing = load(".", "gpv.ini", &error);
    ck_assert_int_eq(g_chdir(before), 0);
    ck_assert_str_eq(value_of(scenario, "baseline", "machine", "sms"), "10");
    ck_assert_str_eq(value_of(scenario, "baseline", "l1", "ways"), "3");
    ck_assert(!missing);
    ck_assert_str_eq(error->message, "--set: scenario.extends = gpv.ini: there is no file gpv.ini; "
                                     "did you mean 'gpu.ini'?");
    temporary_remove(folder);
}
END_TEST

/* ... and not the preset beneath it. */
START_TEST(another_preset_replaces_the_file_that_a_scenario_starts_from)
{
    char *folder = folder_of("gpu.ini");
    g_autoptr(Scenario) scenario = load(folder, NULL, NULL), other = load(folder, "gtx980", NULL);
    ck_assert_str_eq(scenario->title, "x.ini");
    ck_assert_str_eq(value_of(scenario, "baseline", "machine", "sms"), "10");
    ck_assert_str_eq(value_of(other, "baseline", "machine", "sms"), "16");
    ck_assert_str_eq(value_of(other, "baseline", "l1", "ways"), "3");
    temporary_remove(folder);
}
END_TEST

/* A scenario that is extended keeps what it says over its machine. */
START_TEST(of_a_file_with_a_workload_the_machine_is_taken)
{
    char *folder = folder_of("with-workload.ini");
    g_autofree char *file = g_build_filename(folder, "with-workload.ini", NULL);
    g_autoptr(Scenario) under = load(folder, "gtx980", NULL), start = load(folder, file, NULL);
    ck_assert_str_eq(value_of(under, "baseline", "machine", "sms"), "10");
    ck_assert_str_eq(value_of(under, "baseline", "machine", "partitions"), "4");
    ck_assert_str_eq(under->title, "A GPU");
    g_autofree char *plain = temporary_file(folder, "x.ini", "[scenario]\nextends = gtx980\n");
    g_autoptr(Scenario) machine = load(folder, file, NULL);
    ck_assert_str_eq(value_of(start, "baseline", "workload", "pattern"), "stream");
    ck_assert_str_eq(value_of(machine, "baseline", "machine", "sms"), "10");
    ck_assert_str_eq(value_of(machine, "baseline", "workload", "pattern"), "");
    ck_assert_uint_eq(machine->variants->len, 1);
    temporary_remove(folder);
}
END_TEST

static const char study[] = "[study]\nscenario.extends = v100, gpu.ini\n";

static Manifest *plan(const char *folder, const char *text, GError **error)
{
    g_autofree char *whole = g_strconcat("[scenario]\nextends = gpu.ini\n", workload, text, NULL);
    g_autofree char *file = temporary_file(folder, "study.ini", whole);
    return plan_new(file, NULL, NULL, error);
}

START_TEST(a_study_takes_files_beside_it_by_their_content)
{
    char *folder = folder_of("v100");
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = plan(folder, study, &error);
    ck_assert_msg(manifest, "%s", error ? error->message : "");
    ck_assert_str_eq(((Dimension *)manifest->dimensions->pdata[0])->baseline, "gpu.ini");
    expect_value(manifest, 0, "machine.sms", "80");
    expect_value(manifest, 1, "machine.sms", "10");
    g_autofree char *changed =
        temporary_file(folder, "gpu.ini", "[scenario]\nextends = v100\n[machine]\nsms = 11\n");
    g_autoptr(Manifest) later = plan(folder, study, NULL);
    ck_assert_str_eq(point_of(manifest, 0)->key, point_of(later, 0)->key);
    ck_assert_str_ne(point_of(manifest, 1)->key, point_of(later, 1)->key);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_study_names_a_file_that_is_not_there)
{
    char *folder = folder_of("v100");
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(plan(folder, "[study]\nscenario.extends = v100, gpv.ini\n", &error));
    ck_assert_msg(strstr(error->message, "study.ini:7: study.scenario.extends = v100, gpv.ini: "
                                         "there is no file "),
                  "%s", error->message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("own_machine");
    tcase_add_test(cases, a_variant_starts_from_a_file_beside_the_scenario);
    tcase_add_test(cases, set_starts_a_scenario_from_a_file);
    tcase_add_test(cases, another_preset_replaces_the_file_that_a_scenario_starts_from);
    tcase_add_test(cases, of_a_file_with_a_workload_the_machine_is_taken);
    tcase_add_test(cases, a_study_takes_files_beside_it_by_their_content);
    tcase_add_test(cases, a_study_names_a_file_that_is_not_there);
    Suite *suite = suite_create("own_machine");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
