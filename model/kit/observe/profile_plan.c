#include "kit/observe/profile_plan.h"

static void free_classes(gpointer data)
{
    RequestClasses *classes = data;
    g_free(classes->number);
    g_free(classes);
}

/* --- arrays ----------------------------------------------------------------------------------- */

static gint compare_arrays(gconstpointer a, gconstpointer b)
{
    const MemoryArray *x = *(const MemoryArray *const *)a, *y = *(const MemoryArray *const *)b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static inline uint64_t end_of(const MemoryArray *array)
{
    return array->address + array->bytes;
}

static uint32_t find_around(const ProfilePlan *plan, uint32_t number)
{
    for (uint32_t i = number; i--;)
        if (end_of(plan->array[i]) > end_of(plan->array[number])) return i;
    return UINT32_MAX;
}

static ArrayStretch find_stretch(const ProfilePlan *plan, uint32_t number)
{
    const uint64_t end = end_of(plan->array[number]);
    const bool last = number + 1 == plan->arrays;
    return (ArrayStretch){.from = plan->array[number]->address,
                          .to = last ? end : MIN(end, plan->array[number + 1]->address)};
}

static void sort_arrays(ProfilePlan *plan, const GArray *arrays)
{
    plan->arrays = arrays->len;
    plan->array = g_new(const MemoryArray *, arrays->len);
    plan->around = g_new(uint32_t, arrays->len);
    plan->stretch = g_new(ArrayStretch, arrays->len);
    for (guint i = 0; i < arrays->len; i++) plan->array[i] = &g_array_index(arrays, MemoryArray, i);
    if (plan->arrays) qsort(plan->array, plan->arrays, sizeof *plan->array, compare_arrays);
    for (uint32_t i = 0; i < arrays->len; i++) {
        plan->around[i] = find_around(plan, i);
        plan->stretch[i] = find_stretch(plan, i);
    }
}

/* How many arrays begin at the address or before. */
static uint32_t count_begun(const ProfilePlan *plan, uint64_t address)
{
    uint32_t low = 0, high = plan->arrays;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (plan->array[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t profile_plan_array_at(const ProfilePlan *plan, uint64_t address)
{
    const uint32_t begun = count_begun(plan, address);
    uint32_t i = begun ? begun - 1 : UINT32_MAX;
    while (i != UINT32_MAX && address >= end_of(plan->array[i])) i = plan->around[i];
    return i == UINT32_MAX ? profile_plan_no_array(plan) : i;
}

/* --- request classes -------------------------------------------------------------------------- */

static const Stat *next_breakdown(const Stat *stat)
{
    while (stat && stat->name && stat->type != STAT_STAGES) stat++;
    return stat && stat->name ? stat : NULL;
}

static RequestClasses *new_classes(const Stat *stats)
{
    size_t first = SIZE_MAX, last = 0;
    for (const Stat *stat = next_breakdown(stats); stat; stat = next_breakdown(stat + 1)) {
        first = MIN(first, stat->offset);
        last = MAX(last, stat->offset);
    }
    if (first == SIZE_MAX) return NULL;
    RequestClasses *classes = g_new0(RequestClasses, 1);
    classes->first = first;
    classes->number = g_new0(uint16_t, (last - first) / sizeof(StageSums) + 1);
    return classes;
}

const RequestClasses *profile_plan_add(ProfilePlan *plan, const Stat *stats)
{
    RequestClasses *classes = new_classes(stats);
    if (!classes) return NULL;
    for (const Stat *stat = next_breakdown(stats); stat; stat = next_breakdown(stat + 1)) {
        classes->number[(stat->offset - classes->first) / sizeof(StageSums)] =
            (uint16_t)plan->classes->len;
        g_ptr_array_add(plan->classes, (gpointer)(uintptr_t)stat);
    }
    g_ptr_array_add(plan->maps, classes);
    return classes;
}

/* --- life ------------------------------------------------------------------------------------- */

ProfilePlan *profile_plan_new(const LaunchList *launches)
{
    ProfilePlan *plan = g_new0(ProfilePlan, 1);
    plan->rows = PROFILE_ROWS;
    plan->classes = g_ptr_array_new();
    plan->maps = g_ptr_array_new_with_free_func(free_classes);
    if (!launches) return plan;
    sort_arrays(plan, launches->arrays);
    return plan;
}

void profile_plan_free(ProfilePlan *plan)
{
    if (!plan) return;
    g_ptr_array_unref(plan->classes);
    g_ptr_array_unref(plan->maps);
    g_free(plan->array);
    g_free(plan->around);
    g_free(plan->stretch);
    g_free(plan);
}
