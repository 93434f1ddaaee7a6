#include "scenarios/program/why/together.h"

#include <math.h>
#include <string.h>

/* Of so many parts at most: the most strained ones. */
enum { PARTS = 5 };
/* From here on a server's queue is long, and a place holds somebody up as often as not, as where
 * verdicts follow the pressure. */
static const double BUSY = 0.75, OFTEN_FULL = 0.5;
/* Together they have to gain so much more than one by one, and than any component of the layer. */
static const double MORE = 0.05;
/* A component that takes less of the gain with it is none of them. */
static const double SHARE = 0.1;

void together_free(Together *together)
{
    if (!together) return;
    g_ptr_array_unref(together->components);
    g_free(together);
}

/* --- of what -------------------------------------------------------------------------------- */

static const Candidate *find_tried(const Layer *layer, const PerfectComponent *component)
{
    for (guint i = 0; i < layer->perfect->len; i++) {
        const Candidate *candidate = layer->perfect->pdata[i];
        if (candidate->component == component) return isnan(candidate->gain) ? NULL : candidate;
    }
    return NULL;
}

/* They say the same of whatever both say. */
static bool agree(const PerfectComponent *a, const PerfectComponent *b)
{
    for (guint i = 0; i < a->settings->len; i++)
        for (guint k = 0; k < b->settings->len; k++) {
            const PerfectSetting *x = &g_array_index(a->settings, PerfectSetting, i),
                                 *y = &g_array_index(b->settings, PerfectSetting, k);
            if (!strcmp(x->name, y->name) && g_strcmp0(x->value, y->value) != 0) return false;
        }
    return true;
}

static bool agrees_with_all(const PerfectComponent *component, const GPtrArray *others)
{
    for (guint i = 0; i < others->len; i++)
        if (!agree(component, others->pdata[i])) return false;
    return true;
}

static int by_strain(gconstpointer a, gconstpointer b)
{
    const Part *x = *(const Part *const *)a, *y = *(const Part *const *)b;
    if (x->strain != y->strain) return x->strain > y->strain ? -1 : 1;
    return strcmp(x->component, y->component);
}

static GPtrArray *find_strained(const Layer *layer)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    GPtrArray *components = g_ptr_array_new();
    for (guint i = 0; i < layer->probe->parts->len; i++) {
        Part *part = &g_array_index(layer->probe->parts, Part, i);
        if (part->strain >= (part->server ? BUSY : OFTEN_FULL)) g_ptr_array_add(parts, part);
    }
    g_ptr_array_sort(parts, by_strain);
    for (guint i = 0; i < parts->len && components->len < PARTS; i++) {
        const PerfectComponent *component =
            perfect_find(((const Part *)parts->pdata[i])->component);
        if (component && find_tried(layer, component) && agrees_with_all(component, components))
            g_ptr_array_add(components, (gpointer)(uintptr_t)component);
    }
    return components;
}

/* --- trying ----------------------------------------------------------------------------------- */

/* All of them but `without`. */
static bool add_point(const Layers *layers, const Layer *layer, const GPtrArray *components,
                      const PerfectComponent *without, guint *point, GError **error)
{
    Configuration *made = configuration_copy(open_plan_configuration(layers->plan, layer->point));
    for (guint i = 0; i < components->len; i++) {
        g_autofree char *why = NULL;
        if (components->pdata[i] == without) continue;
        Configuration *next = perfect_apply(components->pdata[i], made, &why, error);
        if (!next && !why) {
            configuration_free(made);
            return false;
        }
        if (!next) continue; /* with the others there is nothing to make perfect */
        configuration_free(made);
        made = next;
    }
    return open_plan_add(layers->plan, made, point, error);
}

/* NaN: it was not tried, or has no time. */
static double gain_of(const Layers *layers, const Layer *layer, guint point)
{
    const Probe *probe = trials_find(layers->trials, point);
    return probe && !probe->problem ? 1 - probe->time_ns / layer->probe->time_ns : NAN;
}

static bool run(const Layers *layers, const GArray *points, GError **error)
{
    return trials_run(layers->trials, "what is strained together", points, error);
}

static bool try_set(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    if (!add_point(layers, layer, set->components, NULL, &set->point, error)) return false;
    g_array_append_val(points, set->point);
    if (!run(layers, points, error)) return false;
    set->gain = gain_of(layers, layer, set->point);
    return true;
}

static bool gains_more(const Layer *layer, const Together *set)
{
    const double most = ((const Candidate *)layer->perfect->pdata[0])->gain;
    double one_by_one = 0;
    for (guint i = 0; i < set->components->len; i++)
        one_by_one += fmax(find_tried(layer, set->components->pdata[i])->gain, 0);
    return set->gain >= fmax(one_by_one, most) + MORE;
}

/* Leaves those without which much of the gain is lost. */
static bool leave_out(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    GPtrArray *all = set->components;
    for (guint i = 0; i < all->len; i++) {
        guint point;
        if (!add_point(layers, layer, all, all->pdata[i], &point, error)) return false;
        g_array_append_val(points, point);
    }
    if (!run(layers, points, error)) return false;
    g_autoptr(GPtrArray) kept = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++) {
        const double rest = gain_of(layers, layer, g_array_index(points, guint, i));
        if (!(rest > (1 - SHARE) * set->gain)) g_ptr_array_add(kept, all->pdata[i]);
    }
    if (kept->len < 2 || kept->len == all->len) return true;
    Together fewer = {.components = kept};
    if (!try_set(layers, layer, &fewer, error)) return false;
    if (!gains_more(layer, &fewer)) return true;
    set->point = fewer.point;
    set->gain = fewer.gain;
    set->components = g_steal_pointer(&kept);
    g_ptr_array_unref(all);
    return true;
}

static const Candidate *find_most(const Layer *layer, const GPtrArray *components)
{
    const Candidate *most = NULL;
    for (guint i = 0; i < components->len; i++) {
        const Candidate *one = find_tried(layer, components->pdata[i]);
        if (!most || one->gain > most->gain) most = one;
    }
    return most;
}

bool together_try(const Layers *layers, Layer *layer, GError **error)
{
    Together *set = g_new0(Together, 1);
    set->components = find_strained(layer);
    bool done = set->components->len < 2 || try_set(layers, layer, set, error);
    const bool more = done && set->components->len >= 2 && gains_more(layer, set);
    if (more && set->components->len > 2) done = leave_out(layers, layer, set, error);
    if (!more || !done) {
        together_free(set);
        return done;
    }
    set->most = find_most(layer, set->components);
    layer->together = set;
    return true;
}
