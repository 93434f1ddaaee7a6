#include "scenarios/program/study/answers/inert.h"

#include <math.h>

/* The runs that have the same replication and the same values of all factors but one. */
static char *others_of(const StudyData *data, const Run *run, guint factor)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u", run->replication);
    for (guint i = 0; i < data->factors->len; i++)
        if (i != factor) g_string_append_printf(text, " %u", run->levels[i]);
    return g_string_free(text, FALSE);
}

static double difference(double a, double b)
{
    if (isnan(a) && isnan(b)) return 0;
    if (isnan(a) || isnan(b)) return INFINITY;
    return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b));
}

static void compare(const Run *a, const Run *b, const GArray *measures, double threshold,
                    Inertia *inertia)
{
    bool differ = false;
    for (guint i = 0; i < measures->len; i++) {
        const guint measure = g_array_index(measures, guint, i);
        const double size = difference(a->values[measure], b->values[measure]);
        differ |= size > threshold;
        if (size <= inertia->most) continue;
        inertia->most = size;
        inertia->measure = measure;
    }
    inertia->pairs++;
    inertia->differ += differ;
}

static Inertia judge(const StudyData *data, guint factor, const GArray *measures, double threshold)
{
    Inertia inertia = {0};
    g_autoptr(GHashTable) groups =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < data->runs->len; i++) {
        Run *run = data->runs->pdata[i];
        g_autofree char *others = others_of(data, run, factor);
        GPtrArray *group = g_hash_table_lookup(groups, others);
        if (!group) {
            group = g_ptr_array_new();
            g_hash_table_insert(groups, g_steal_pointer(&others), group);
        }
        for (guint k = 0; k < group->len; k++) {
            const Run *other = group->pdata[k];
            if (other->levels[factor] == run->levels[factor]) continue;
            compare(other, run, measures, threshold, &inertia);
        }
        g_ptr_array_add(group, run);
    }
    return inertia;
}

GArray *inertia_of(const StudyData *data, const GArray *measures, double threshold)
{
    GArray *answer = g_array_new(FALSE, FALSE, sizeof(Inertia));
    for (guint i = 0; i < data->factors->len; i++) {
        const Inertia inertia = judge(data, i, measures, threshold);
        g_array_append_val(answer, inertia);
    }
    return answer;
}
