/* Manifests without a scenario, of points that are not simulated. */
#pragma once

#include <check.h>

#include "scenarios/program/study/plan/manifest.h"

/* A key as good as a real one. */
static inline void run_rig_key(char key[KEY_LENGTH + 1], const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    g_strlcpy(key, sum, KEY_LENGTH + 1);
}

/* Nothing varies. */
static inline Manifest *run_rig_manifest(void)
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
    return manifest;
}

/* A point of the one dimension, if there is one. */
static inline Point *run_rig_add(Manifest *manifest, const char *value)
{
    Point *point = manifest_add_point(manifest);
    g_autofree char *text = g_strdup_printf("%u %s", manifest->points->len, value);
    run_rig_key(point->key, text);
    point->values = g_new0(char *, 2);
    if (manifest->dimensions->len) point->values[0] = g_strdup(value);
    point->role = g_strdup("");
    point->seed = manifest->points->len;
    return point;
}

static inline void run_rig_dimension(Manifest *manifest, const char *name, const char *baseline)
{
    Dimension *dimension = manifest_add_dimension(manifest);
    dimension->name = g_strdup(name);
    dimension->baseline = g_strdup(baseline);
}

static inline void run_rig_write(Manifest *manifest, const char *folder)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(manifest_write(manifest, folder, &error), "%s", error ? error->message : "");
}
