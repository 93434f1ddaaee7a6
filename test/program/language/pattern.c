/* Another pattern in a later step. */
#include <check.h>

#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/language/scenario.h"

static const char base[] =
    "[scenario]\nextends = v100\n[workload]\npattern = stream\noperation = triad\n"
    "array_bytes = 1 MiB\nlaunches = 2\n";

/* Of FOLDER/x.ini, which extends `base`. */
static Scenario *load(const char *folder, const char *text, const char *set)
{
    g_autofree char *extended = temporary_file(folder, "base.ini", base),
                    *whole = g_strconcat("[scenario]\nextends = base.ini\n", text, NULL),
                    *file = temporary_file(folder, "x.ini", whole);
    return scenario_load(file, (const char *const[]){set, NULL}, NULL);
}

static const struct {
    const char *text, *set, *variant;
} chases[] = {
    {"[workload]\npattern = pointer_chase\nloads = 64\n", NULL, "baseline"},
    {"[variant v]\nworkload.pattern = pointer_chase\nworkload.loads = 64\n", NULL, "v"},
    {"[workload]\nloads = 64\n", "workload.pattern=pointer_chase", "baseline"},
};

/* What all patterns have stays. */
START_TEST(another_pattern_leaves_the_keys_of_the_one_before)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load(folder, chases[_i].text, chases[_i].set);
    const Variant *variant = scenario_find_variant(scenario, chases[_i].variant, NULL);
    g_autoptr(GError) error = NULL;
    ck_assert_msg(variant_check(variant, &error), "%s", error ? error->message : "");
    const Configuration *configuration = variant->configuration;
    ck_assert_ptr_null(configuration_find(configuration, "workload", "operation"));
    ck_assert_str_eq(configuration_find(configuration, "workload", "loads")->value, "64");
    ck_assert_str_eq(configuration_find(configuration, "workload", "launches")->value, "2");
    temporary_remove(folder);
}
END_TEST

/* A program declares the keys that it has. */
START_TEST(keys_that_both_patterns_have_stay)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load(folder,
                                        "[workload]\npattern = program\ncode =\n"
                                        "  param array_bytes = 4\n  global a[array_bytes]\n",
                                        NULL);
    const Variant *variant = scenario_find_variant(scenario, "baseline", NULL);
    ck_assert(variant_check(variant, NULL));
    ck_assert(configuration_find(variant->configuration, "workload", "array_bytes"));
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *text, *set, *message;
} strays[] = {
    {"[workload]\npattern = pointer_chase\nloads = 64\noperation = copy\n", NULL,
     "x.ini:6: workload.operation = copy: pattern 'pointer_chase' has no parameter"},
    {"[workload]\npattern = pointer_chase\noperation = copy\n", "workload.warps=1",
     "x.ini:5: workload.operation = copy: pattern 'pointer_chase' has no parameter"},
    {"[workload]\nstride = 8\n[variant v]\nworkload.pattern = pointer_chase\n", NULL,
     "x.ini:6: workload.pattern = pointer_chase, with "},
};

/* Whatever keys the hint lists. */
START_TEST(a_key_of_no_pattern_of_its_step_is_blamed_with_the_pattern)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load(folder, strays[_i].text, strays[_i].set);
    const Variant *last = scenario->variants->pdata[scenario->variants->len - 1];
    g_autoptr(GError) error = NULL;
    ck_assert(!variant_check(last, &error));
    g_autofree char *message = g_build_filename(folder, strays[_i].message, NULL);
    ck_assert_msg(g_str_has_prefix(error->message, message), "%s", error->message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("pattern");
    tcase_add_loop_test(cases, another_pattern_leaves_the_keys_of_the_one_before, 0,
                        G_N_ELEMENTS(chases));
    tcase_add_test(cases, keys_that_both_patterns_have_stay);
    tcase_add_loop_test(cases, a_key_of_no_pattern_of_its_step_is_blamed_with_the_pattern, 0,
                        G_N_ELEMENTS(strays));
    return harness_run_cases("pattern", cases);
}
