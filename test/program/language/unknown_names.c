/* Groups and keys that a scenario, a variant or --set cannot have. */

#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/language/scenario.h"

/* The mistake stands in a file of its own, or in a setting. */
static const struct {
    const char *text, *set, *message;
} unknown[] = {
    {"[varian a]\nl1.ways = 3\n", NULL,
     "/x.ini:1: [varian a]: there is no group 'varian a'; did you mean 'variant a'?"},
    {"[variants a]\n", NULL, "did you mean 'variant a'?"},
    {"[kernels x]\n", NULL, "did you mean 'kernel x'?"},
    {"[arrays x]\n", NULL, "did you mean 'array x'?"},
    {"[Scenario]\nextends = v100\n", NULL, "did you mean 'scenario'?"},
    {"[studi]\n", NULL, "did you mean 'study'?"},
    {"[l2 slice]\n", NULL, "did you mean 'l2_slice'?"},
    {"[kernel]\n", NULL, "/x.ini:1: [kernel]: is written [kernel NAME]: whose it is"},
    {"[scenario]\n", "kernels x.loads=3",
     "--set: kernels x.loads = 3: there is no group 'kernels x'; did you mean 'kernel x'?"},
    {"[variant a]\nscenario.extend = a100\n", NULL,
     "/x.ini:2: scenario.extend = a100: no such key; did you mean 'extends'?"},
    {"[variant a]\nscenario.title = b\n", NULL,
     "/x.ini:2: scenario.title = b: only the file's [scenario] may say it"},
    {"[variant a]\nextends = v101\n", NULL,
     "/x.ini:2: scenario.extends = v101: no such preset; did you mean 'v100'?"},
    {"[scenario]\n", "scenario.extend=h200",
     "--set: scenario.extend = h200: no such key; did you mean 'extends'?"},
    {"[scenario]\n", "scenario.foo=1",
     "--set: scenario.foo = 1: no such key; there are title, extends, baseline"},
    {"[scenario]\n", "scenario.baseline=no",
     "--set: scenario.baseline = no: only the file's [scenario] may say it"},
};

START_TEST(a_name_that_there_is_not_is_refused_with_the_nearest)
{
    char *folder = temporary_folder();
    const char *const sets[] = {unknown[_i].set, NULL};
    g_autofree char *file = temporary_file(folder, "x.ini", unknown[_i].text);
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = scenario_load(file, sets, &error);
    ck_assert(!scenario || !variant_check_names(scenario->variants->pdata[0], &error));
    ck_assert_msg(g_str_has_suffix(error->message, unknown[_i].message), "%s", error->message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("unknown_names");
    tcase_add_loop_test(cases, a_name_that_there_is_not_is_refused_with_the_nearest, 0,
                        G_N_ELEMENTS(unknown));
    return harness_run_cases("unknown_names", cases);
}
