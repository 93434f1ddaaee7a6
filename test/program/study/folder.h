/* Folders of studies that were never run: a plan of five points, two of them the same run, and
 * records as the tests want them. */
#pragma once

#include <string.h>

#include "program/study/run_rig.h"
#include "rigs/temporary.h"
#include "scenarios/program/study/table/database.h"

typedef struct {
    char *folder;
    Manifest *manifest;
} StudyFolder;

/* "000...00N" */
static inline const char *study_key(guint number)
{
    static char key[KEY_LENGTH + 1];
    g_snprintf(key, sizeof key, "%032x", number);
    return key;
}

static inline void study_add_point(Manifest *manifest, guint key, const char *const values[])
{
    Point *point = manifest_add_point(manifest);
    g_strlcpy(point->key, study_key(key), sizeof point->key);
    point->seed = 1;
    point->values = g_strdupv((char **)values);
    point->role = g_strdup(manifest->points->len == 1 ? "baseline" : "");
}

static inline Manifest *study_manifest(const char *title)
{
    Manifest *manifest = manifest_new();
    manifest->title = g_strdup(title);
    manifest->scenario = g_strdup("small.ini");
    manifest->program = g_strdup("warpmem 0.1.0");
    manifest->build = g_strdup("0123");
    manifest->design = g_strdup("grid");
    manifest->seed = 1;
    manifest->replications = 1;
    g_ptr_array_add(manifest->statistics, g_strdup("l1.refused_prt"));
    run_rig_dimension(manifest, "l2_slice.capacity", "96 KiB");
    run_rig_dimension(manifest, "l2_slice.write_policy", "back");
    run_rig_dimension(manifest, "l1.prt_entries", "512");
    manifest_add_base(manifest)->variant = g_strdup("baseline");
    study_add_point(manifest, 1, (const char *const[]){"96 KiB", "back", "16", NULL});
    study_add_point(manifest, 2, (const char *const[]){"96 KiB", "through", "16", NULL});
    study_add_point(manifest, 3, (const char *const[]){"1.5 MiB", "back", "16", NULL});
    study_add_point(manifest, 4, (const char *const[]){"1.5 MiB", "through", "64", NULL});
    study_add_point(manifest, 1, (const char *const[]){"96 KiB", "back", "16", NULL});
    return manifest;
}

static inline StudyFolder study_folder_new(void)
{
    StudyFolder study = {temporary_folder(), study_manifest("Small study")};
    ck_assert(manifest_write(study.manifest, study.folder, NULL));
    return study;
}

static inline void study_folder_free(StudyFolder *study)
{
    temporary_remove(study->folder);
    manifest_free(study->manifest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudyFolder, study_folder_free)

/* An outcome: time_ns as given, 7 for l1.refused_prt, none for mean_hops, and two requests of DRAM
 * that took 1000 fs, plus those in dram_bus. */
static inline char *study_payload(const char *time_ns, guint dram_bus)
{
    GString *text = g_string_new(NULL);
    for (const ResultColumn *column = result_columns(); column->name; column++) {
        if (!strcmp(column->name, "time_ns"))
            g_string_append(text, time_ns);
        else if (!strcmp(column->unit, "text"))
            g_string_append(text, "\"DRAM's bus, \\\"busy\\\"\"");
        else
            g_string_append(text, strcmp(column->name, "mean_hops") ? "0.5" : "-");
        g_string_append_c(text, ' ');
    }
    g_string_append(text, "7 | load_dram 2");
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(text, " %u",
                               i == STAGE_DRAM_BUS ? dram_bus
                               : i == STAGE_ISSUE  ? 1000
                                                   : 0);
    return g_string_free(text, FALSE);
}

static inline SegmentWriter *study_segment(const StudyFolder *study, const char *label)
{
    SegmentWriter *writer = segment_create(study->folder, study->manifest, label, NULL);
    ck_assert_ptr_nonnull(writer);
    return writer;
}

static inline void study_record(SegmentWriter *writer, guint key, PointStatus status,
                                const char *payload)
{
    Record record = {.status = status,
                     .payload = (char *)payload,
                     .host = {0.25, 0.125, 1 << 20, (char *)"node-1"}};
    g_strlcpy(record.key, study_key(key), sizeof record.key);
    ck_assert(segment_append(writer, &record, NULL));
}

static inline void study_done(SegmentWriter *writer, guint key, const char *time_ns)
{
    g_autofree char *payload = study_payload(time_ns, key);
    study_record(writer, key, POINT_DONE, payload);
}

/* A segment of one record, done; its path is newly allocated. */
static inline char *study_done_alone(const StudyFolder *study, const char *label, guint key,
                                     const char *time_ns)
{
    g_autoptr(SegmentWriter) writer = study_segment(study, label);
    study_done(writer, key, time_ns);
    return g_strdup(segment_name(writer));
}

/* Merges, and aborts the test if that fails. */
static inline MergeReport study_merge(const StudyFolder *study)
{
    MergeReport report;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(database_merge(study->folder, &report, &error), "%s",
                  error ? error->message : "");
    return report;
}

/* What merging fails with, newly allocated. */
static inline char *study_merge_error(const StudyFolder *study)
{
    MergeReport report;
    g_autoptr(GError) error = NULL;
    ck_assert(!database_merge(study->folder, &report, &error));
    return g_strdup(error->message);
}
