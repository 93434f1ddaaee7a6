#include "scenarios/program/study/points/status.h"

#include <math.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* --- counting --------------------------------------------------------------------------------- */

static void count_failure(GHashTable *by_message, GPtrArray *failures, const Recorded *recorded,
                          guint point)
{
    FailureGroup *group = g_hash_table_lookup(by_message, recorded->message);
    if (!group) {
        group = g_new0(FailureGroup, 1);
        *group = (FailureGroup){recorded->message, recorded->status, 0, point};
        g_hash_table_insert(by_message, recorded->message, group);
        g_ptr_array_add(failures, group);
    }
    group->count++;
}

StudyStatus study_status(const Manifest *manifest, const RecordSet *records, Shard shard)
{
    StudyStatus status = {.failures = g_ptr_array_new_with_free_func(g_free)};
    g_autoptr(GHashTable) by_message = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = shard.index; i < manifest->points->len; i += shard.count) {
        const Point *point = manifest->points->pdata[i];
        const Recorded *recorded = record_set_find(records, point->key);
        status.points++;
        if (!recorded) {
            status.missing++;
            continue;
        }
        status.by_status[recorded->status]++;
        if (recorded->status == POINT_DONE) continue;
        status.failed++;
        count_failure(by_message, status.failures, recorded, i);
    }
    return status;
}

void study_status_clear(StudyStatus *status)
{
    g_clear_pointer(&status->failures, g_ptr_array_unref);
}

/* --- text ------------------------------------------------------------------------------------- */

char *study_describe_point(const Manifest *manifest, guint number)
{
    const Point *point = manifest->points->pdata[number];
    g_autofree char *values = manifest_describe_values(manifest, point);
    return *values ? g_strdup_printf("point %u (%s)", number, values)
                   : g_strdup_printf("point %u", number);
}

void study_print_failures(const Manifest *manifest, const StudyStatus *status, guint limit,
                          FILE *out)
{
    for (guint i = 0; i < status->failures->len && i < limit; i++) {
        const FailureGroup *group = status->failures->pdata[i];
        g_autofree char *point = study_describe_point(manifest, group->point);
        fprintf(out, "  %s: %s\n    %s", point_status_name(group->status), group->message, point);
        if (group->count > 1) fprintf(out, " and %u more", group->count - 1);
        fprintf(out, "\n");
    }
    if (status->failures->len > limit)
        fprintf(out, "  and %u other messages\n", status->failures->len - limit);
}

char *study_describe_time(double seconds)
{
    const guint64 whole = (guint64)llround(MAX(0, seconds));
    const guint64 days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
    if (seconds < 10) return g_strdup_printf("%.1f s", MAX(0, seconds));
    if (whole < 60) return g_strdup_printf("%" G_GUINT64_FORMAT " s", whole);
    if (whole < 3600)
        return g_strdup_printf("%" G_GUINT64_FORMAT " min %" G_GUINT64_FORMAT " s", minutes,
                               whole % 60);
    if (whole < 86400)
        return g_strdup_printf("%" G_GUINT64_FORMAT " h %" G_GUINT64_FORMAT " min", hours, minutes);
    return g_strdup_printf("%" G_GUINT64_FORMAT " d %" G_GUINT64_FORMAT " h", days, hours);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_failure(JsonBuilder *json, const Manifest *manifest, const FailureGroup *group)
{
    const Point *point = manifest->points->pdata[group->point];
    json_builder_begin_object(json);
    json_put_text(json, "status", point_status_name(group->status));
    json_put_text(json, "message", group->message);
    json_put_number(json, "count", group->count);
    json_put_number(json, "point", group->point);
    json_builder_set_member_name(json, "values");
    json_builder_begin_object(json);
    for (guint i = 0; i < manifest->dimensions->len; i++)
        json_put_text(json, ((const Dimension *)manifest->dimensions->pdata[i])->name,
                      point->values[i]);
    json_builder_end_object(json);
    json_builder_end_object(json);
}

void study_put_status(JsonBuilder *json, const Manifest *manifest, const StudyStatus *status)
{
    json_put_number(json, "points", status->points);
    json_put_number(json, "done", status->by_status[POINT_DONE]);
    json_put_number(json, "failed", status->failed);
    json_put_number(json, "missing", status->missing);
    json_builder_set_member_name(json, "by_status");
    json_builder_begin_object(json);
    for (unsigned i = 0; i < POINT_STATUS_COUNT; i++)
        json_put_number(json, point_status_name((PointStatus)i), status->by_status[i]);
    json_builder_end_object(json);
    json_builder_set_member_name(json, "failures");
    json_builder_begin_array(json);
    for (guint i = 0; i < status->failures->len; i++)
        put_failure(json, manifest, status->failures->pdata[i]);
    json_builder_end_array(json);
}
