#include "scenarios/program/study/points/queue.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/program/study/points/point.h"

/* --- shards ----------------------------------------------------------------------------------- */

static bool parse_number(const char *text, const char *end, guint *number)
{
    const size_t length = (size_t)(end - text);
    if (!length || length > 9 || strspn(text, "0123456789") < length) return false;
    *number = (guint)strtoul(text, NULL, 10);
    return true;
}

bool shard_parse(const char *text, Shard *shard, GError **error)
{
    const char *slash = strchr(text, '/');
    if (!slash || !parse_number(text, slash, &shard->index)
        || !parse_number(slash + 1, text + strlen(text), &shard->count) || !shard->count) {
        g_set_error(error, STUDY_ERROR, 0,
                    "--shard %s: not k/T, the number of a shard and how many there are, as in 0/4",
                    text);
        return false;
    }
    if (shard->index < shard->count) return true;
    g_set_error(error, STUDY_ERROR, 0,
                "--shard %s: there is no such shard; the shards are 0/%u to %u/%u", text,
                shard->count, shard->count - 1, shard->count);
    return false;
}

/* --- the queue -------------------------------------------------------------------------------- */

struct PointQueue {
    const Manifest *manifest;
    GArray *points; /* of guint, all of the shard */
    guint8 *taken;  /* by place in `points` */
    guint left, place;
    GRand *random;
};

/* Two processes that walk in step would run the same points; who meets a point that is taken goes
 * on somewhere else. */
static void jump(PointQueue *queue)
{
    if (queue->points->len)
        queue->place = (guint)g_rand_int_range(queue->random, 0, (gint32)queue->points->len);
}

/* Points that can follow each other in a process stand together. */
static void gather(PointQueue *queue)
{
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < queue->points->len; i++) {
        const guint number = g_array_index(queue->points, guint, i);
        char *platform = point_platform(queue->manifest, queue->manifest->points->pdata[number]);
        GArray *group = g_hash_table_lookup(places, platform);
        if (!group) g_ptr_array_add(groups, group = g_array_new(FALSE, FALSE, sizeof(guint)));
        g_array_append_val(group, number);
        g_hash_table_insert(places, platform, group);
    }
    g_array_set_size(queue->points, 0);
    for (guint i = 0; i < groups->len; i++) {
        const GArray *group = groups->pdata[i];
        g_array_append_vals(queue->points, group->data, group->len);
    }
}

PointQueue *point_queue_new(const Manifest *manifest, Shard shard, guint32 seed)
{
    PointQueue *queue = g_new0(PointQueue, 1);
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
    queue->manifest = manifest;
    queue->points = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = shard.index; i < manifest->points->len; i += shard.count) {
        const Point *point = manifest->points->pdata[i];
        if (g_hash_table_add(keys, (gpointer)point->key)) g_array_append_val(queue->points, i);
    }
    gather(queue);
    queue->left = queue->points->len;
    queue->taken = g_new0(guint8, queue->left + 1);
    queue->random = g_rand_new_with_seed(seed);
    jump(queue);
    return queue;
}

void point_queue_free(PointQueue *queue)
{
    if (!queue) return;
    g_array_unref(queue->points);
    g_free(queue->taken);
    g_rand_free(queue->random);
    g_free(queue);
}

static void mark(PointQueue *queue, guint place)
{
    queue->taken[place] = 1;
    queue->left--;
}

void point_queue_drop(PointQueue *queue, const RecordSet *records, bool keep_failed)
{
    for (guint place = 0; place < queue->points->len; place++) {
        if (queue->taken[place]) continue;
        const guint i = g_array_index(queue->points, guint, place);
        const Point *point = queue->manifest->points->pdata[i];
        const Recorded *recorded = record_set_find(records, point->key);
        if (recorded && (recorded->status == POINT_DONE || !keep_failed)) mark(queue, place);
    }
}

bool point_queue_take(PointQueue *queue, guint *point)
{
    const guint count = queue->points->len;
    if (!queue->left) return false;
    if (queue->taken[queue->place]) jump(queue);
    while (queue->taken[queue->place]) queue->place = (queue->place + 1) % count;
    *point = g_array_index(queue->points, guint, queue->place);
    mark(queue, queue->place);
    queue->place = (queue->place + 1) % count;
    return true;
}

guint point_queue_size(const PointQueue *queue)
{
    return queue->left;
}
