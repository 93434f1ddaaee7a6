/* Plans of studies of a small machine. */
#pragma once

#include <check.h>
#include <string.h>

#include "rigs/temporary.h"
#include "scenarios/program/study/plan/plan.h"

/* A [study] goes behind it. */
static const char study_scenario[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = read\narray_bytes = 32 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n"
    "[variant half]\nworkload.array_bytes = 16 KiB\n";

typedef struct {
    char *folder;
    Manifest *manifest;
    PlanReport report;
    GError *error;
} Planned;

static inline void planned_finish(Planned *planned)
{
    temporary_remove(planned->folder);
    manifest_free(planned->manifest);
    plan_report_finish(&planned->report);
    g_clear_error(&planned->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Planned, planned_finish)

/* Of FOLDER/x.ini, which is the text and then the study; `sets` are separated by semicolons. */
static inline Planned plan_text(const char *text, const char *study, const char *sets)
{
    Planned planned = {.folder = temporary_folder()};
    g_autofree char *whole = g_strconcat(text, "[study]\n", study, NULL);
    g_autofree char *file = temporary_file(planned.folder, "x.ini", whole);
    g_auto(GStrv) list = g_strsplit(sets ? sets : "", ";", -1);
    planned.manifest = plan_new(file, (const char *const *)list, &planned.report, &planned.error);
    return planned;
}

static inline Planned plan_study(const char *study)
{
    Planned planned = plan_text(study_scenario, study, NULL);
    ck_assert_msg(planned.manifest != NULL, "%s", planned.error ? planned.error->message : "");
    return planned;
}

static inline const Point *point_of(const Manifest *manifest, guint index)
{
    ck_assert_uint_lt(index, manifest->points->len);
    return manifest->points->pdata[index];
}

static inline const char *point_key_of(const Planned *planned, guint index)
{
    ck_assert_msg(planned->manifest != NULL, "%s", planned->error ? planned->error->message : "");
    return point_of(planned->manifest, index)->key;
}

/* A parameter of a point's configuration, as it is written. */
static inline char *point_value(const Manifest *manifest, guint index, const char *group,
                                const char *key)
{
    g_autoptr(Configuration) configuration =
        manifest_configuration(manifest, point_of(manifest, index));
    const Setting *setting = configuration_find(configuration, group, key);
    return g_strdup(setting ? setting->value : "(default)");
}

static inline void expect_value(const Manifest *manifest, guint index, const char *name,
                                const char *wanted)
{
    const char *stop = strrchr(name, '.');
    g_autofree char *group = g_strndup(name, (gsize)(stop - name));
    g_autofree char *value = point_value(manifest, index, group, stop + 1);
    ck_assert_msg(!strcmp(value, wanted), "point %u: %s is %s, not %s", index, name, value, wanted);
}
