#include <string.h>

#include "platform/machine/machine.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/language/scenario.h"

/* Loads `text` as FOLDER/x.ini. */
static Scenario *load(const char *folder, const char *text, const char *const *sets, GError **error)
{
    g_autofree char *file = temporary_file(folder, "x.ini", text);
    return scenario_load(file, sets, error);
}

static const Configuration *configuration_of(const Scenario *scenario, guint variant)
{
    return ((const Variant *)scenario->variants->pdata[variant])->configuration;
}

static const char *value_of(const Scenario *scenario, guint variant, const char *group,
                            const char *key)
{
    const Setting *setting = configuration_find(configuration_of(scenario, variant), group, key);
    return setting ? setting->value : NULL;
}

START_TEST(variants_are_the_baseline_with_overrides)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = load(folder,
                                        "[scenario]\ntitle = Two\n"
                                        "[variant late]\nl1.ways = 8\nkernel timed.loads = 7\n"
                                        "[l1]\nways = 4\nsets = 2\n[variant plain]\n",
                                        NULL, &error);
    ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(scenario->title, "Two");
    ck_assert_uint_eq(scenario->variants->len, 3);
    ck_assert_str_eq(((Variant *)scenario->variants->pdata[0])->name, "baseline");
    ck_assert_str_eq(value_of(scenario, 0, "l1", "ways"), "4");
    ck_assert_str_eq(value_of(scenario, 1, "l1", "ways"), "8");
    ck_assert_str_eq(value_of(scenario, 1, "l1", "sets"), "2");
    ck_assert_str_eq(value_of(scenario, 1, "kernel timed", "loads"), "7");
    ck_assert_ptr_null(value_of(scenario, 0, "kernel timed", "loads"));
    ck_assert_str_eq(value_of(scenario, 2, "l1", "ways"), "4");
    ck_assert_int_eq(configuration_find(configuration_of(scenario, 1), "l1", "ways")->line, 4);
    ck_assert_int_eq(configuration_find(configuration_of(scenario, 2), "l1", "ways")->line, 7);
    temporary_remove(folder);
}
END_TEST

START_TEST(set_goes_over_the_baseline_and_all_variants)
{
    char *folder = temporary_folder();
    static const char *const sets[] = {"l1.ways = 2", "kernel timed.loads=9", NULL};
    g_autoptr(Scenario) scenario =
        load(folder, "[l1]\nways = 4\n[variant v]\nl1.ways = 8\n", sets, NULL);
    for (guint i = 0; i < 2; i++) {
        ck_assert_str_eq(value_of(scenario, i, "l1", "ways"), "2");
        ck_assert_str_eq(value_of(scenario, i, "kernel timed", "loads"), "9");
        ck_assert_ptr_null(configuration_find(configuration_of(scenario, i), "l1", "ways")->file);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(a_scenario_goes_over_what_it_extends)
{
    char *folder = temporary_folder();
    g_autofree char *base =
        temporary_file(folder, "base.ini",
                       "[scenario]\ntitle = Base\nbaseline = no\n[l1]\nways = 4\nsets = 2\n"
                       "[variant v]\nl1.ways = 8\nl1.sets = 1\n");
    g_autofree char *middle =
        temporary_file(folder, "middle.ini", "[scenario]\nextends = base.ini\n[l1]\nsets = 3\n");
    g_autoptr(Scenario) scenario =
        load(folder, "[scenario]\nextends = middle.ini\n[variant v]\nl1.ways = 16\n", NULL, NULL);
    ck_assert_str_eq(scenario->title, "Base");
    ck_assert(scenario->template_only);
    ck_assert_str_eq(value_of(scenario, 0, "l1", "ways"), "4");
    ck_assert_str_eq(value_of(scenario, 0, "l1", "sets"), "3");
    ck_assert_str_eq(value_of(scenario, 1, "l1", "ways"), "16");
    ck_assert_str_eq(value_of(scenario, 1, "l1", "sets"), "1");
    const Setting *setting = configuration_find(configuration_of(scenario, 0), "l1", "sets");
    ck_assert_str_eq(setting->file, middle);
    ck_assert_int_eq(setting->line, 4);
    temporary_remove(folder);
}
END_TEST

/* A text, and what its error ends with; it always begins with the file's name. */
static const struct {
    const char *text, *message;
} broken[] = {
    {"[l1]\nways = 4\n\nways = 8\n", ":4: l1.ways stands twice, first in line 2"},
    {"[l1]\n[sm]\n[l1]\n", ":3: the group [l1] stands twice, first in line 1"},
    {"ways = 4\n", ":1: ways = 4: a key before the first [group]"},
    {"[l1]\nways\n", ":2: ways: neither a [group] nor a 'key = value' nor a # comment"},
    {"[l1\n", ":1: [l1: a group ends with ']'"},
    {"[]\n", ":1: []: a name is not empty, and has no '[' and ']'"},
    {"[l1]\na[0] = 3\n", ":2: a[0] = 3: a name is not empty, and has no '[' and ']'"},
    {"[scenario]\nextend = v100\n",
     ":2: scenario.extend = v100: no such key; did you mean 'extends'?"},
    {"[scenario]\nextends = v10\n",
     ":2: scenario.extends = v10: no such preset; did you mean 'v100'?"},
    {"[scenario]\nextends = none.ini\n", "/none.ini"},
    {"[scenario]\nextends = x.ini\n",
     ":2: scenario.extends = x.ini: the files extend each other in a circle"},
    {"[scenario]\nbaseline = maybe\n", "neither yes (run it) nor no (only the variants are run)"},
    {"[variant baseline]\n",
     ":1: [variant baseline]: 'baseline' cannot name a variant; it names a folder and is not 'baseline'"},
    {"[variant a/b]\n",
     ":1: [variant a/b]: 'a/b' cannot name a variant; it names a folder and is not 'baseline'"},
    {"[variant a]\nways = 3\n",
     ":2: ways = 3: a variant's keys are written group.key, but for extends"},
    {"[l1]\nways = \xff\n", ":2: not UTF-8 text"},
    {"[workload]\nfile = a\\b\n",
     ":2: file = a\\b: a backslash stands only before n, t, r, s and another backslash"},
};

START_TEST(a_broken_text_is_named_with_its_place)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_build_filename(folder, "x.ini", NULL);
    ck_assert_ptr_null(load(folder, broken[_i].text, NULL, &error));
    ck_assert_msg(g_str_has_suffix(error->message, broken[_i].message), "%s", error->message);
    ck_assert_msg(g_str_has_prefix(error->message, file), "%s", error->message);
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *set, *message;
} bad_values[] = {
    {"l2_slice.capcity=6 MiB",
     "--set: l2_slice.capcity = 6 MiB: 'l2_slice' has no parameter 'capcity'; did you mean 'capacity'?"},
    {"l2_slise.capacity=6 MiB",
     "--set: l2_slise.capacity = 6 MiB: there is no group 'l2_slise'; did you mean 'l2_slice'?"},
    {"l2_slice.capacity=6",
     "--set: l2_slice.capacity = 6: a unit is missing; bytes are written as 6 B, 6 KiB ..., from 1 KiB to 256 MiB"},
    {"l2_slice.ways=0",
     "--set: l2_slice.ways = 0: out of range; allowed: whole number from 1 to 1024"},
    {"machine.line_bytes=96 B", "--set: machine.line_bytes: 96 B is not a power of two"},
    {"workload.array_byte=1 MiB", "did you mean 'array_bytes'?"},
    {"workload.pattern=strem", "did you mean 'stream'? There are"},
};

START_TEST(a_bad_value_is_found_before_anything_runs)
{
    char *folder = temporary_folder();
    const char *const sets[] = {bad_values[_i].set, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario =
        load(folder, "[scenario]\nextends = v100\n[workload]\npattern = stream\n", sets, &error);
    ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
    ck_assert(!variant_check(scenario->variants->pdata[0], &error));
    ck_assert_msg(strstr(error->message, bad_values[_i].message) != NULL, "%s", error->message);
    temporary_remove(folder);
}
END_TEST

/* The machine knows no files; the place is the setting's. */
START_TEST(an_implausible_machine_is_reported_with_its_place)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario =
        load(folder, "[scenario]\nextends = v100\n[machine]\nline_bytes = 96 B\n", NULL, NULL);
    ck_assert(!variant_check(scenario->variants->pdata[0], &error));
    ck_assert_msg(strstr(error->message, "/x.ini:4: machine.line_bytes") != NULL, "%s",
                  error->message);
    temporary_remove(folder);
}
END_TEST

START_TEST(sets_and_names_that_cannot_be_are_named)
{
    char *folder = temporary_folder();
    static const char *const sets[] = {"l1=4", NULL};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(load(folder, "[l1]\nways = 4\n", sets, &error));
    ck_assert_str_eq(error->message, "--set l1=4: is written group.key=value");
    g_clear_error(&error);
    ck_assert_ptr_null(scenario_load("v100", NULL, &error));
    ck_assert_msg(g_str_has_prefix(error->message, "v100: a preset, "), "%s", error->message);
    g_clear_error(&error);
    ck_assert_ptr_null(scenario_load("/nowhere/x.ini", NULL, &error));
    ck_assert_str_eq(error->message, "/nowhere/x.ini: cannot be read: No such file or directory");
    g_clear_error(&error);
    g_autoptr(Scenario) scenario = load(folder, "[variant fast]\n", NULL, NULL);
    ck_assert_ptr_null(scenario_find_variant(scenario, "fats", &error));
    ck_assert_msg(strstr(error->message, "did you mean fast") != NULL, "%s", error->message);
    temporary_remove(folder);
}
END_TEST

static const Configuration *named(const Scenario *scenario, const char *name)
{
    g_autoptr(GError) error = NULL;
    const Variant *variant = scenario_find_variant(scenario, name, &error);
    ck_assert_msg(variant, "%s", error ? error->message : "");
    return variant->configuration;
}

/* Nor do results, whose folder may be called as the scenario is. */
START_TEST(a_file_beside_does_not_hide_a_shipped_scenario)
{
    char *folder = temporary_folder();
    g_autofree char *hides = temporary_file(folder, "kernels", "no scenario"),
                    *own = temporary_file(folder, "mine", "[scenario]\ntitle = Mine\n");
    ck_assert_int_eq(g_chdir(folder), 0);
    ck_assert_int_eq(g_mkdir("quickstart", 0777), 0);
    g_autoptr(Scenario) kernels = scenario_load("kernels", NULL, NULL);
    g_autoptr(Scenario) quickstart = scenario_load("quickstart", NULL, NULL);
    g_autoptr(Scenario) mine = scenario_load("mine", NULL, NULL);
    ck_assert_ptr_nonnull(kernels);
    ck_assert_ptr_nonnull(quickstart);
    ck_assert_str_eq(mine->title, "Mine");
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *name, *message;
} missing[] = {
    {"quikstart", "quikstart: no such scenario; did you mean 'quickstart'?"},
    {"quick", "quick: no such scenario; did you mean 'quickstart'?"},
    {"quickstart.ini", "quickstart.ini: no such file; did you mean 'quickstart'?"},
    {"h10", "h10: no such scenario; did you mean 'h100', a preset?"},
    {"v100.ini", "v100.ini: no such file; did you mean 'v100', a preset?"},
    {"my-kernel", "my-kernel: no such scenario; did you mean 'my-kernel.ini'?"},
    {"my-kernle.ini", "my-kernle.ini: no such file; did you mean 'my-kernel.ini'?"},
    {"./my-kernle", "./my-kernle: no such file; did you mean './my-kernel.ini'?"},
    {"./unlike-them.ini", "./unlike-them.ini: cannot be read: No such file or directory"},
    {"of-my-kernel.ini",
     "of-my-kernel.ini:2: scenario.extends = my-kernle.ini: there is no file my-kernle.ini; did "
     "you mean 'my-kernel.ini'?"},
    {"of-quickstart.ini",
     "of-quickstart.ini:2: scenario.extends = quikstart.ini: there is no file quikstart.ini; did "
     "you mean 'quickstart.ini'?"},
};

/* Among scenarios, presets and the files beside. */
START_TEST(what_is_not_there_is_answered_with_the_nearest_that_is)
{
    char *folder = temporary_folder();
    ck_assert_int_eq(g_chdir(folder), 0);
    g_autofree char *own = temporary_file(folder, "my-kernel.ini", "[scenario]\n"),
                    *of_own = temporary_file(folder, "of-my-kernel.ini",
                                             "[scenario]\nextends = my-kernle.ini\n"),
                    *of_shipped = temporary_file(folder, "of-quickstart.ini",
                                                 "[scenario]\nextends = quikstart.ini\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(missing); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(scenario_load(missing[i].name, NULL, &error));
        ck_assert_str_eq(error->message, missing[i].message);
    }
    temporary_remove(folder);
}
END_TEST

/* Not as the machine that it starts from. */
START_TEST(without_a_title_a_scenario_is_called_as_its_file)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load(folder, "[scenario]\nextends = v100\n", NULL, NULL);
    ck_assert_str_eq(scenario->title, "x.ini");
    temporary_remove(folder);
}
END_TEST

START_TEST(a_file_of_another_system_is_read_as_well)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario =
        load(folder, "\xef\xbb\xbf[scenario]\r\ntitle = Mine\r\n[l1]\r\nways = 4\r\n", NULL, NULL);
    ck_assert_str_eq(scenario->title, "Mine");
    ck_assert_str_eq(value_of(scenario, 0, "l1", "ways"), "4");
    temporary_remove(folder);
}
END_TEST

/* It is a data sheet's, of another clock. A V100 states 898 GB/s at 877 MHz. */
START_TEST(a_peak_that_was_stated_is_void_where_a_later_step_changes_the_clock)
{
    static const struct {
        const char *name, *text, *peak;
    } files[] = {
        {"a.ini", "[scenario]\nextends = v100\n[machine]\ndram_clock = 700 MHz\n", "0"},
        {"b.ini",
         "[scenario]\nextends = v100\n[machine]\ndram_clock = 700 MHz\n"
         "peak_bandwidth_gbps = 717\n",
         "717"},
        {"c.ini", "[scenario]\nextends = b.ini\n[machine]\ndram_clock = 800 MHz\n", "0"},
        {"d.ini", "[scenario]\nextends = b.ini\n[l1]\nways = 4\n", "717"},
        {"e.ini", "[scenario]\nextends = v100\n[l1]\nways = 4\n", "898"},
    };
    static const char *const sets[] = {"machine.dram_clock=600MHz", NULL};
    char *folder = temporary_folder();
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = temporary_file(folder, files[i].name, files[i].text);
        g_autoptr(Scenario) scenario = scenario_load(file, NULL, NULL),
                            set = scenario_load(file, sets, NULL);
        ck_assert_str_eq(value_of(scenario, 0, "machine", "peak_bandwidth_gbps"), files[i].peak);
        ck_assert_str_eq(value_of(set, 0, "machine", "peak_bandwidth_gbps"), "0");
        ck_assert(variant_check_machine(set->variants->pdata[0], NULL));
    }
    temporary_remove(folder);
}
END_TEST

/* The preset's settings are exchanged; what the scenario says itself goes over any of them. */
START_TEST(a_variant_may_start_from_another_preset)
{
    char *folder = temporary_folder();
    static const char *const text = "[scenario]\nextends = v100\n[sm]\nmax_ctas = 3\n"
                                    "[variant old]\nextends = gtx980\nl1.sets = 2\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = load(folder, text, NULL, &error);
    ck_assert_msg(scenario, "%s", error ? error->message : "");
    ck_assert_str_eq(configuration_find(named(scenario, "baseline"), "machine", "sms")->value,
                     "80");
    const Configuration *old = named(scenario, "old");
    ck_assert_str_eq(configuration_find(old, "machine", "sms")->value, "16");
    ck_assert_str_eq(configuration_find(old, "sm", "max_ctas")->value, "3");
    ck_assert_str_eq(configuration_find(old, "l1", "sets")->value, "2");
    ck_assert_ptr_null(configuration_find(old, "scenario", "extends"));
    temporary_remove(folder);
}
END_TEST

START_TEST(set_exchanges_the_preset_of_all_variants)
{
    char *folder = temporary_folder();
    static const char *const sets[] = {"scenario.extends=p100", NULL};
    g_autoptr(Scenario) scenario =
        load(folder, "[scenario]\nextends = v100\n[variant old]\nextends = gtx980\n", sets, NULL);
    for (guint i = 0; i < 2; i++) ck_assert_str_eq(value_of(scenario, i, "machine", "sms"), "56");
    static const char *const unknown[] = {"scenario.extends=v10", NULL};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(load(folder, "[scenario]\nextends = v100\n", unknown, &error));
    ck_assert_str_eq(error->message,
                     "--set: scenario.extends = v10: no such preset; did you mean 'v100'?");
    temporary_remove(folder);
}
END_TEST

START_TEST(every_scenario_of_the_catalogue_is_good)
{
    g_autofree char *directory = catalogue_scenario_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    ck_assert_uint_ge(g_strv_length(names), 4);
    for (char **name = names; *name; name++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Scenario) scenario = scenario_load(*name, NULL, &error);
        ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
        for (guint i = scenario->template_only; i < scenario->variants->len; i++) {
            ck_assert_msg(variant_check(scenario->variants->pdata[i], &error), "%s",
                          error ? error->message : "");
            g_autoptr(LaunchList) launches =
                variant_build_launches(scenario->variants->pdata[i], &error);
            ck_assert_msg(launches != NULL, "%s", error ? error->message : "");
        }
    }
}
END_TEST

START_TEST(every_parameter_is_resolved_with_its_origin)
{
    char *folder = temporary_folder();
    static const char *const sets[] = {"l1.prt_entries=7", NULL};
    g_autoptr(Scenario) scenario =
        load(folder,
             "[scenario]\nextends = v100\n[workload]\npattern = stream\narray_bytes = 1024 KiB\n",
             sets, NULL);
    g_autoptr(GPtrArray) values = resolve_values(configuration_of(scenario, 0), NULL);
    unsigned seen = 0;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        const Setting *setting = value->setting;
        g_autofree char *name = g_strdup_printf("%s.%s", value->group, value->key);
        if (!strcmp(name, "l1.prt_entries"))
            seen += !strcmp(value->value, "7") && setting && !setting->file;
        if (!strcmp(name, "workload.array_bytes"))
            seen += !strcmp(value->value, "1 MiB") && setting->line == 5;
        if (!strcmp(name, "machine.sms"))
            seen += !strcmp(value->value, "80") && strstr(setting->file, "v100.ini");
        if (!strcmp(name, "workload.unroll")) seen += !setting;
    }
    ck_assert_uint_eq(seen, 4);
    temporary_remove(folder);
}
END_TEST

START_TEST(files_of_a_workload_lie_beside_the_scenario)
{
    char *folder = temporary_folder();
    g_autofree char *trace = temporary_file(folder, "missing.txt", "");
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario =
        load(folder,
             "[scenario]\nextends = v100\n[workload]\npattern = trace\nfile = sub/kernelslist.g\n",
             NULL, NULL);
    ck_assert_ptr_null(variant_build_launches(scenario->variants->pdata[0], &error));
    g_autofree char *expected = g_build_filename(folder, "sub", "kernelslist.g", NULL);
    ck_assert_msg(strstr(error->message, expected) != NULL, "%s", error->message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("scenario");
    tcase_add_test(cases, variants_are_the_baseline_with_overrides);
    tcase_add_test(cases, set_goes_over_the_baseline_and_all_variants);
    tcase_add_test(cases, a_scenario_goes_over_what_it_extends);
    tcase_add_loop_test(cases, a_broken_text_is_named_with_its_place, 0, G_N_ELEMENTS(broken));
    tcase_add_loop_test(cases, a_bad_value_is_found_before_anything_runs, 0,
                        G_N_ELEMENTS(bad_values));
    tcase_add_test(cases, an_implausible_machine_is_reported_with_its_place);
    tcase_add_test(cases, sets_and_names_that_cannot_be_are_named);
    tcase_add_test(cases, a_file_beside_does_not_hide_a_shipped_scenario);
    tcase_add_test(cases, what_is_not_there_is_answered_with_the_nearest_that_is);
    tcase_add_test(cases, a_file_of_another_system_is_read_as_well);
    tcase_add_test(cases, without_a_title_a_scenario_is_called_as_its_file);
    tcase_add_test(cases, a_peak_that_was_stated_is_void_where_a_later_step_changes_the_clock);
    tcase_add_test(cases, a_variant_may_start_from_another_preset);
    tcase_add_test(cases, set_exchanges_the_preset_of_all_variants);
    tcase_add_test(cases, every_scenario_of_the_catalogue_is_good);
    tcase_add_test(cases, every_parameter_is_resolved_with_its_origin);
    tcase_add_test(cases, files_of_a_workload_lie_beside_the_scenario);
    Suite *suite = suite_create("scenario");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
