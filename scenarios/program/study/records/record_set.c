#include "scenarios/program/study/records/record_set.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kit/describe/decimal.h"

/* What is known of a segment beside its position. */
typedef struct {
    guint records;
    double begin_s, last_s; /* its first point began, it was last written; s of the epoch */
} Activity;

struct RecordSet {
    char *directory;
    const Manifest *manifest;
    GPtrArray *positions;   /* of SegmentPosition; NULL before the first update */
    GHashTable *by_key;     /* the key in the value -> Recorded */
    GHashTable *activities; /* name of a segment -> Activity */
    guint records;
    double wall_s;
};

static void recorded_free(gpointer data)
{
    Recorded *recorded = data;
    g_free(recorded->message);
    g_free(recorded);
}

RecordSet *record_set_new(const char *directory, const Manifest *manifest)
{
    RecordSet *set = g_new0(RecordSet, 1);
    set->directory = g_strdup(directory);
    set->manifest = manifest;
    set->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, recorded_free);
    set->activities = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return set;
}

void record_set_free(RecordSet *set)
{
    if (!set) return;
    g_free(set->directory);
    g_clear_pointer(&set->positions, g_ptr_array_unref);
    g_hash_table_unref(set->by_key);
    g_hash_table_unref(set->activities);
    g_free(set);
}

static unsigned rank(PointStatus status)
{
    if (status == POINT_DONE) return 0;
    return point_status_is_final(status) ? 1 : 2;
}

void record_set_add(RecordSet *set, const Record *record)
{
    Recorded *recorded = g_hash_table_lookup(set->by_key, record->key);
    if (recorded && rank(record->status) > rank(recorded->status)) return;
    if (!recorded) {
        recorded = g_new0(Recorded, 1);
        g_strlcpy(recorded->key, record->key, sizeof recorded->key);
        g_hash_table_insert(set->by_key, recorded->key, recorded);
    }
    recorded->status = record->status;
    g_free(recorded->message);
    recorded->message = record->status == POINT_DONE ? NULL : g_strdup(record->payload);
}

static Activity *find_activity(const RecordSet *set, const SegmentPosition *position)
{
    Activity *activity = g_hash_table_lookup(set->activities, position->path);
    if (activity) return activity;
    activity = g_new0(Activity, 1);
    g_hash_table_insert(set->activities, g_strdup(position->path), activity);
    return activity;
}

/* The time in a segment's name, LABEL-HOST-PID-MILLISECONDS-NUMBER, in s; it is created when its
 * first point has ended. */
static double creation_time(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    char *number = strrchr(name, '-');
    if (!number) return 0;
    *number = '\0';
    const char *time = strrchr(name, '-');
    double milliseconds;
    return time && decimal_read(time + 1, &milliseconds) ? milliseconds * 1e-3 : 0;
}

static bool take_record(void *user, const Record *record, const SegmentPosition *position)
{
    RecordSet *set = user;
    Activity *activity = find_activity(set, position);
    record_set_add(set, record);
    if (!activity->records++)
        activity->begin_s = creation_time(position->path) - record->host.wall_s;
    set->records++;
    set->wall_s += record->host.wall_s;
    return true;
}

/* Most segments of a large study belong to processes that have ended long ago. */
static bool read_segment(RecordSet *set, SegmentPosition *position, GError **error)
{
    GStatBuf status;
    if (g_stat(position->path, &status) == 0) {
        if (position->offset && status.st_size == position->offset) return true;
        find_activity(set, position)->last_s =
            (double)status.st_mtim.tv_sec + (double)status.st_mtim.tv_nsec * 1e-9;
    }
    return segment_read(position, set->manifest, take_record, set, error);
}

bool record_set_update(RecordSet *set, GError **error)
{
    set->positions = segment_list(set->directory, set->positions, error);
    if (!set->positions) return false;
    for (guint i = 0; i < set->positions->len; i++)
        if (!read_segment(set, set->positions->pdata[i], error)) return false;
    return true;
}

const Recorded *record_set_find(const RecordSet *set, const char *key)
{
    return g_hash_table_lookup(set->by_key, key);
}

/* Somebody writes to it as long as it is not much older than a point takes. */
static void count_activity(RecordTotals *totals, const Activity *activity, gint64 now)
{
    const double longest = totals->records ? 4 * totals->wall_s / totals->records : 0;
    const double span = activity->last_s - activity->begin_s;
    totals->last_write = MAX(totals->last_write, (gint64)activity->last_s);
    if (!activity->records || (double)now - activity->last_s > MAX(30, longest)) return;
    totals->active++;
    totals->rate += activity->records / MAX(span, 1e-3);
}

RecordTotals record_set_totals(const RecordSet *set, gint64 now)
{
    RecordTotals totals = {.segments = set->positions ? set->positions->len : 0,
                           .records = set->records,
                           .wall_s = set->wall_s};
    for (guint i = 0; i < totals.segments; i++) {
        const SegmentPosition *position = set->positions->pdata[i];
        totals.damaged += position->damaged;
        totals.torn += position->torn;
        count_activity(&totals, find_activity(set, position), now);
    }
    return totals;
}
