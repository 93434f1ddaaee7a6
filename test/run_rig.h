/* Studies without a scenario: manifests of a small machine, or of points that are not simulated. */
#pragma once

#include <string.h>

#include "scenarios/study/manifest.h"
#include "small_machine.h"

/* A key as good as a real one. */
static inline void study_rig_key(char key[KEY_LENGTH + 1], const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    g_strlcpy(key, sum, KEY_LENGTH + 1);
}

/* A chase of few loads on one SM and one L2 slice: some milliseconds of host time a point. */
static inline Configuration *study_rig_configuration(void)
{
    return small_machine_configuration("machine.sms = 1; machine.partitions = 1;"
                                       "workload.pattern = pointer_chase;"
                                       "workload.working_set = 4 KiB; workload.loads = 10");
}

/* Takes over the configuration. Nothing varies. */
static inline Manifest *study_rig_manifest(Configuration *configuration)
{
    Manifest *manifest = manifest_new();
    manifest->title = g_strdup("a small study");
    manifest->scenario = g_strdup("small.ini");
    manifest->program = g_strdup("warpmem");
    manifest->build = g_strdup("");
    manifest->design = g_strdup("grid");
    manifest->replications = 1;
    Base *base = manifest_add_base(manifest);
    base->variant = g_strdup("baseline");
    configuration_free(base->configuration);
    base->configuration = configuration;
    return manifest;
}

/* A point of the one dimension, if there is one. */
static inline Point *study_rig_add(Manifest *manifest, const char *value)
{
    Point *point = manifest_add_point(manifest);
    g_autofree char *text = g_strdup_printf("%u %s", manifest->points->len, value);
    study_rig_key(point->key, text);
    point->values = g_new0(char *, 2);
    if (manifest->dimensions->len) point->values[0] = g_strdup(value);
    point->role = g_strdup("");
    point->seed = manifest->points->len;
    return point;
}

static inline void study_rig_dimension(Manifest *manifest, const char *name, const char *baseline)
{
    Dimension *dimension = manifest_add_dimension(manifest);
    dimension->name = g_strdup(name);
    dimension->baseline = g_strdup(baseline);
}

/* `count` chases of 10 to 19 loads, each with a seed of its own. */
static inline Manifest *study_rig_chases(guint count)
{
    Manifest *manifest = study_rig_manifest(study_rig_configuration());
    study_rig_dimension(manifest, "workload.loads", "10");
    for (guint i = 0; i < count; i++) {
        g_autofree char *loads = g_strdup_printf("%u", 10 + i % 10);
        study_rig_add(manifest, loads);
    }
    return manifest;
}

static inline void study_rig_write(Manifest *manifest, const char *folder)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(manifest_write(manifest, folder, &error), "%s", error ? error->message : "");
}
