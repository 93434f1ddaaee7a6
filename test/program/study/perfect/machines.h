/* Machines that what-ifs are tried on. */
#pragma once

#include "rigs/shipped.h"
#include "scenarios/program/language/scenario.h"

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

static inline Scenario *load_machine(const char *folder, const char *machine, const char *workload)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(folder, "s.ini", NULL);
    g_autofree char *text = g_strdup_printf("[scenario]\n%s\n[workload]\n%s\n", machine, workload);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    Scenario *scenario = scenario_load(path, NULL, &error);
    ck_assert_msg(scenario != NULL, "%s: %s", machine, error ? error->message : "");
    return scenario;
}

static inline const Configuration *first_configuration(const Scenario *scenario)
{
    return ((const Variant *)scenario->variants->pdata[0])->configuration;
}
