/* Studies made by hand: a plan without a scenario's [study]. */
#pragma once

#include <check.h>

#include "scenarios/program/language/scenario.h"
#include "scenarios/program/study/points/point.h"

/* Two SMs and two L2 slices. */
static const char small_study[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 16 KiB\n";

/* Adds what runs of a variant start from. */
static inline Base *study_add_base(Manifest *manifest, const Variant *variant)
{
    Base *base = manifest_add_base(manifest);
    base->variant = g_strdup(variant->name);
    configuration_free(base->configuration);
    base->configuration = configuration_copy(variant->configuration);
    return base;
}

static inline Point *study_add_point(Manifest *manifest, const char *value)
{
    Point *point = manifest_add_point(manifest);
    point->seed = 1;
    point->values = g_new0(char *, 2);
    point->values[0] = g_strdup(value);
    return point;
}

/* A study of one dimension, with a point for each of its values (NULL-terminated). */
static inline Manifest *study_plan(const char *scenario_file, const char *dimension,
                                   const char *const *values)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = scenario_load(scenario_file, NULL, &error);
    ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
    Manifest *manifest = manifest_new();
    manifest->title = g_strdup(scenario->title);
    manifest->scenario = g_strdup(scenario->file);
    study_add_base(manifest, scenario->variants->pdata[0]);
    *manifest_add_dimension(manifest) =
        (Dimension){.name = g_strdup(dimension), .file = g_strdup("study.ini"), .line = 7};
    for (; *values; values++) study_add_point(manifest, *values);
    return manifest;
}
