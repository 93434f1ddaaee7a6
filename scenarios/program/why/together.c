#include "scenarios/program/why/together.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/study/perfect/doubling.h"

/* Of so many at most: the most strained ones. */
enum { MOST = 5 };
/* Together they have to gain so much more than one by one, and than any component of the layer; one
 * that gains half of it itself is held up by nothing. */
static const double MORE = 0.05, ALONE = 0.5;
/* A component that takes less of the gain with it is none of them. */
static const double SHARE = 0.1;

void together_free(Together *together)
{
    if (!together) return;
    g_ptr_array_unref(together->components);
    g_free(together->twice);
    g_free(together);
}

/* --- of what ---------------------------------------------------------------------------------- */

/* It has something to say where another one has set the parameter so. */
static bool goes_on_from(const PerfectComponent *component, const PerfectSetting *set)
{
    g_autofree char *so = g_strdup_printf("%s = %s", set->name, set->value);
    for (guint i = 0; i < component->settings->len; i++) {
        const PerfectSetting *own = &g_array_index(component->settings, PerfectSetting, i);
        if (!strcmp(own->name, set->name) && !g_strcmp0(own->only_if, so)) return true;
    }
    return false;
}

/* They say the same of whatever both say, or one takes up what the other says. */
static bool agree(const PerfectComponent *a, const PerfectComponent *b)
{
    for (guint i = 0; i < a->settings->len; i++)
        for (guint k = 0; k < b->settings->len; k++) {
            const PerfectSetting *x = &g_array_index(a->settings, PerfectSetting, i),
                                 *y = &g_array_index(b->settings, PerfectSetting, k);
            if (!strcmp(x->name, y->name) && g_strcmp0(x->value, y->value) != 0
                && !goes_on_from(a, y) && !goes_on_from(b, x))
                return false;
        }
    return true;
}

static bool agrees_with_all(const PerfectComponent *component, const GPtrArray *others)
{
    for (guint i = 0; i < others->len; i++)
        if (!agree(component, others->pdata[i])) return false;
    return true;
}

static GPtrArray *find_full(const Layer *layer)
{
    GPtrArray *components = g_ptr_array_new();
    for (guint i = 0; i < layer->probe->full->len && components->len < MOST; i++) {
        const char *name = g_array_index(layer->probe->full, FullResource, i).component;
        const PerfectComponent *component = perfect_find(name);
        if (component && !g_ptr_array_find(components, component, NULL)
            && layer_find_tried(layer, component) && agrees_with_all(component, components))
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
    g_autofree char *what = g_strdup_printf("layer %u, together", layers->layers->len);
    return trials_run(layers->trials, what, points, error);
}

static bool run_one(const Layers *layers, guint point, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(points, point);
    return run(layers, points, error);
}

static bool try_set(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    if (!add_point(layers, layer, set->components, NULL, &set->point, error)) return false;
    if (!run_one(layers, set->point, error)) return false;
    set->gain = gain_of(layers, layer, set->point);
    return true;
}

static double most_gained(const Layer *layer)
{
    return ((const Candidate *)layer->perfect->pdata[0])->gain;
}

static bool gains_more(const Layer *layer, const Together *set)
{
    double one_by_one = 0;
    for (guint i = 0; i < set->components->len; i++) {
        const double alone = fmax(layer_find_tried(layer, set->components->pdata[i])->gain, 0);
        if (alone > ALONE * set->gain) return false;
        one_by_one += alone;
    }
    return set->gain >= fmax(one_by_one, most_gained(layer)) + MORE;
}

static bool try_without_each(const Layers *layers, const Layer *layer, const GPtrArray *all,
                             GArray *points, GError **error)
{
    for (guint i = 0; i < all->len; i++) {
        guint point;
        if (!add_point(layers, layer, all, all->pdata[i], &point, error)) return false;
        g_array_append_val(points, point);
    }
    return run(layers, points, error);
}

/* Keeps those without which much of the gain is lost. NaN is the gain where a limit ended it. */
static bool leave_out(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GPtrArray) all = set->components;
    set->components = g_ptr_array_new();
    if (!try_without_each(layers, layer, all, points, error)) return false;
    for (guint i = 0; i < all->len; i++) {
        const double rest = gain_of(layers, layer, g_array_index(points, guint, i));
        if (!(rest > (1 - SHARE) * set->gain)) g_ptr_array_add(set->components, all->pdata[i]);
        if (isnan(rest)) set->gain = NAN;
    }
    if (isnan(set->gain) || set->components->len == all->len || set->components->len < 2)
        return true;
    return try_set(layers, layer, set, error);
}

const Candidate *together_most(const Layer *layer)
{
    for (guint i = 0; i < layer->perfect->len; i++) {
        const Candidate *one = layer->perfect->pdata[i];
        if (g_ptr_array_find(layer->together->components, one->component, NULL)) return one;
    }
    g_assert_not_reached();
}

/* --- one step --------------------------------------------------------------------------------- */

/* The first of the parameters that can be, a server's clock as the last. False: none can be. */
static bool double_one(Configuration *doubled, const GPtrArray *values, const FullResource *full)
{
    for (char *const *name = full->rests_on; *name; name++) {
        const ResolvedValue *value = resolve_find(values, *name);
        g_autofree char *other =
            value && value->param ? param_double(value->param, value->value) : NULL;
        if (!other) continue;
        perfect_set_step(doubled, value, other);
        return true;
    }
    return false;
}

/* What is full of the set's components. NULL: some of it cannot be doubled. */
static Configuration *double_full(const Layers *layers, const Layer *layer, const Together *set)
{
    const GPtrArray *values = open_plan_values(layers->plan, layer->point);
    g_autoptr(Configuration) doubled =
        configuration_copy(open_plan_configuration(layers->plan, layer->point));
    for (guint i = 0; i < layer->probe->full->len; i++) {
        const FullResource *full = &g_array_index(layer->probe->full, FullResource, i);
        const PerfectComponent *component = perfect_find(full->component);
        if (component && g_ptr_array_find(set->components, component, NULL)
            && !double_one(doubled, values, full))
            return NULL;
    }
    return g_steal_pointer(&doubled);
}

static bool try_twice(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    Configuration *doubled = double_full(layers, layer, set);
    guint point;
    if (!doubled) return true;
    if (!open_plan_add(layers->plan, doubled, &point, error)) return false;
    if (!run_one(layers, point, error)) return false;
    const double gain = gain_of(layers, layer, point);
    if (isnan(gain)) return true;
    const Candidate twice = {
        .point = point, .gain = gain, .probe = trials_find(layers->trials, point)};
    set->twice = g_memdup2(&twice, sizeof twice);
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

/* What is full gains more than any component, so that it is worth a look what of it does. */
static bool is_promising(const Layer *layer, const Together *set)
{
    return set->gain >= most_gained(layer) + MORE;
}

static bool find_set(const Layers *layers, const Layer *layer, Together *set, GError **error)
{
    set->components = find_full(layer);
    set->gain = NAN;
    if (set->components->len < 2) return true;
    if (!try_set(layers, layer, set, error)) return false;
    if (set->components->len == 2 || !is_promising(layer, set)) return true;
    return leave_out(layers, layer, set, error);
}

bool together_try(const Layers *layers, Layer *layer, GError **error)
{
    Together *set = g_new0(Together, 1);
    const bool done = find_set(layers, layer, set, error);
    if (!done || set->components->len < 2 || !gains_more(layer, set)) {
        together_free(set);
        return done;
    }
    layer->together = set;
    return try_twice(layers, layer, set, error);
}
