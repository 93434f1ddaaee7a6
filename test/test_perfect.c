/* Perfect components: what the settings mean to every preset, and the bounds that are known. */
#include <check.h>
#include <string.h>

#include "scenarios/scenario.h"
#include "scenarios/study/perfect.h"
#include "temporary.h"

static const char *const machines[] = {
    "extends = a100",
    "extends = a100-80",
    "extends = gcn",
    "extends = gtx480",
    "extends = gtx780",
    "extends = gtx980",
    "extends = h100",
    "extends = k80",
    "extends = m60",
    "extends = mi100",
    "extends = p100",
    "extends = v100",
    "extends = v100\n[network]\ntopology = ring",
    "extends = v100\n[network]\ntopology = mesh",
    "extends = v100\n[network]\ntiming = flow",
    "[l2_slice]\nwritten_data = store_queue\ncompletion = in_order",
};

static Scenario *load_machine(const char *folder, const char *machine, const char *workload)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(folder, "s.ini", NULL);
    g_autofree char *text = g_strdup_printf("[scenario]\n%s\n[workload]\n%s\n", machine, workload);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    Scenario *scenario = scenario_load(path, NULL, &error);
    ck_assert_msg(scenario != NULL, "%s: %s", machine, error ? error->message : "");
    return scenario;
}

static const Configuration *first_configuration(const Scenario *scenario)
{
    return ((const Variant *)scenario->variants->pdata[0])->configuration;
}

START_TEST(every_perfect_component_is_a_machine_of_every_preset)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load_machine(
        folder, machines[_i],
        "sequence = a, b\n[kernel a]\npattern = random\noperation = atomic\n[kernel b]\n"
        "pattern = texture_random");
    guint perfect = 0;
    for (const PerfectComponent *c = perfect_components(); c->name; c++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *why = NULL;
        g_autoptr(Configuration) configuration =
            perfect_apply(c, first_configuration(scenario), &why, &error);
        ck_assert_msg(!error, "%s: %s", c->name, error ? error->message : "");
        ck_assert(!configuration == (why != NULL));
        if (!configuration) continue;
        const Variant variant = {(char *)c->name, configuration};
        ck_assert_msg(variant_check(&variant, &error), "%s, %s: %s", machines[_i], c->name,
                      error ? error->message : "");
        perfect++;
    }
    ck_assert_uint_ge(perfect, 20);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfect");
    TCase *table = tcase_create("table");
    tcase_add_loop_test(table, every_perfect_component_is_a_machine_of_every_preset, 0,
                        G_N_ELEMENTS(machines));
    suite_add_tcase(suite, table);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
