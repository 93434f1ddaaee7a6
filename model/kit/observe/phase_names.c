#include "kit/observe/phase_names.h"

#include <string.h>

static const char *kernel_name(const LaunchList *launches, guint index)
{
    const char *name = launch_list_at(launches, index)->kernel->name;
    return name ? name : "kernel";
}

char *phase_name_join(const char *const *names, guint launches)
{
    GString *text = g_string_new(names[0]);
    guint same = 1;
    for (guint i = 1; i <= launches; i++) {
        const bool end = i == launches;
        if (!end && !strcmp(names[i], names[i - 1])) {
            same++;
            continue;
        }
        if (same > 1) g_string_append_printf(text, " x %u", same);
        if (!end) g_string_append_printf(text, " + %s", names[i]);
        same = 1;
    }
    return g_string_free(text, FALSE);
}

char *phase_name_new(const LaunchList *list, guint first, guint launches)
{
    g_autofree const char **names = g_new(const char *, launches);
    for (guint i = 0; i < launches; i++) names[i] = kernel_name(list, first + i);
    return phase_name_join(names, launches);
}

bool phase_group_is_measured(const LaunchList *list, guint first, guint launches)
{
    for (guint i = first; i < first + launches; i++)
        if (launch_list_at(list, i)->measured) return true;
    return false;
}

bool phase_launch_is_beside(const LaunchList *list, guint index)
{
    guint first = index;
    if (launch_list_at(list, index)->measured) return false;
    while (first && launch_list_at(list, first)->concurrent) first--;
    return phase_group_is_measured(list, first, launch_list_together(list, first));
}

/* --- which of them ---------------------------------------------------------------------------- */

typedef struct {
    char *name;
    guint order;
    uint64_t threads;
} Candidate;

static int compare_threads(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->threads != y->threads) return x->threads < y->threads ? 1 : -1;
    return x->order < y->order ? -1 : 1;
}

static int compare_orders(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    return x->order < y->order ? -1 : 1;
}

/* Takes the name over. */
static void add_candidate(GArray *candidates, GHashTable *known, char *name, uint64_t threads)
{
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(known, name));
    if (found) {
        g_array_index(candidates, Candidate, found - 1).threads += threads;
        g_free(name);
        return;
    }
    const Candidate candidate = {name, candidates->len, threads};
    g_array_append_val(candidates, candidate);
    g_hash_table_insert(known, name, GUINT_TO_POINTER(candidates->len));
}

static uint64_t count_threads(const LaunchList *list, guint first, guint launches)
{
    uint64_t threads = 0;
    for (guint i = first; i < first + launches; i++) {
        const Kernel *kernel = launch_list_at(list, i)->kernel;
        threads += kernel->ctas * kernel->threads_per_cta;
    }
    return threads;
}

static GArray *list_candidates(const LaunchList *list)
{
    GArray *candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0, length; i < list->launches->len; i += length) {
        length = launch_list_together(list, i);
        if (phase_group_is_measured(list, i, length))
            add_candidate(candidates, known, phase_name_new(list, i, length),
                          count_threads(list, i, length));
    }
    return candidates;
}

GPtrArray *phase_names_choose(const LaunchList *list, guint most)
{
    g_autoptr(GArray) candidates = list_candidates(list);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_array_sort(candidates, compare_threads);
    const guint chosen = MIN(candidates->len, most);
    for (guint i = chosen; i < candidates->len; i++)
        g_free(g_array_index(candidates, Candidate, i).name);
    g_array_set_size(candidates, chosen);
    g_array_sort(candidates, compare_orders);
    for (guint i = 0; i < chosen; i++)
        g_ptr_array_add(names, g_array_index(candidates, Candidate, i).name);
    return names;
}
