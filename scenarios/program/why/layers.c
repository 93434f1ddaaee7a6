#include "scenarios/program/why/together.h"

#include <math.h>
#include <string.h>

#include "platform/machine/channels.h"
#include "platform/network/links/changes.h"
#include "scenarios/program/study/perfect/doubling.h"

/* A part of a component that gains as much, or nearly, is the better name. */
static const double SAME_GAIN = 0.01;
/* What is less strained than that explains no gain. */
static const double STRAINED = 0.5;
/* What gains so much of what the bound does is named, too, and its parts are doubled. */
static const double MUCH = 0.4;

static void candidate_free(gpointer data)
{
    Candidate *candidate = data;
    g_free(candidate->parameter);
    g_free(candidate->from);
    g_free(candidate->to);
    g_free(candidate);
}

static void layer_free(gpointer data)
{
    Layer *layer = data;
    together_free(layer->together);
    g_ptr_array_unref(layer->beside);
    g_ptr_array_unref(layer->perfect);
    g_ptr_array_unref(layer->doublings);
    g_ptr_array_unref(layer->choices);
    g_free(layer);
}

void layers_finish(Layers *layers)
{
    g_clear_pointer(&layers->layers, g_ptr_array_unref);
    g_clear_pointer(&layers->trials, trials_free);
    g_clear_pointer(&layers->plan, open_plan_free);
}

static Layer *add_layer(const Layers *layers, guint point)
{
    Layer *layer = g_new0(Layer, 1);
    *layer = (Layer){.point = point,
                     .probe = trials_find(layers->trials, point),
                     .perfect = g_ptr_array_new_with_free_func(candidate_free),
                     .beside = g_ptr_array_new(),
                     .doublings = g_ptr_array_new_with_free_func(candidate_free),
                     .choices = g_ptr_array_new_with_free_func(candidate_free)};
    g_ptr_array_add(layers->layers, layer);
    return layer;
}

/* --- trying ----------------------------------------------------------------------------------- */

/* Takes over the configuration. */
static Candidate *add_candidate(const Layers *layers, GPtrArray *candidates,
                                Configuration *configuration, GError **error)
{
    guint point;
    if (!open_plan_add(layers->plan, configuration, &point, error)) return NULL;
    Candidate *candidate = g_new0(Candidate, 1);
    candidate->point = point;
    g_ptr_array_add(candidates, candidate);
    return candidate;
}

static int by_gain(gconstpointer a, gconstpointer b)
{
    const Candidate *x = *(Candidate *const *)a, *y = *(Candidate *const *)b;
    if (isnan(x->gain) != isnan(y->gain)) return isnan(x->gain) - isnan(y->gain);
    if (!isnan(x->gain) && x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static bool try_all(const Layers *layers, const Layer *layer, GPtrArray *candidates, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree char *what =
        g_strdup_printf("%u layer%s", layers->layers->len, layers->layers->len == 1 ? "" : "s");
    for (guint i = 0; i < candidates->len; i++)
        g_array_append_val(points, ((const Candidate *)candidates->pdata[i])->point);
    if (!trials_run(layers->trials, what, points, error)) return false;
    for (guint i = 0; i < candidates->len; i++) {
        Candidate *candidate = candidates->pdata[i];
        const Probe *probe = trials_find(layers->trials, candidate->point);
        candidate->probe = probe;
        candidate->gain =
            probe && !probe->problem ? 1 - probe->time_ns / layer->probe->time_ns : NAN;
    }
    g_ptr_array_sort(candidates, by_gain);
    return true;
}

/* --- perfect components ----------------------------------------------------------------------- */

static bool add_perfect(const Layers *layers, Layer *layer, const PerfectComponent *component,
                        GError **error)
{
    g_autofree char *why = NULL;
    GError *problem = NULL;
    Configuration *perfect = perfect_apply(
        component, open_plan_configuration(layers->plan, layer->point), &why, &problem);
    Candidate *candidate =
        perfect ? add_candidate(layers, layer->perfect, perfect, &problem) : NULL;
    if (candidate) candidate->component = component;
    if (problem) g_propagate_error(error, problem);
    return !problem;
}

/* Those of the parts that can be full in their order, then the others as the table has them. */
static GPtrArray *order_components(const Probe *probe)
{
    GPtrArray *order = g_ptr_array_new();
    for (guint i = 0; i < probe->parts->len; i++) {
        const char *name = g_array_index(probe->parts, Part, i).component;
        const PerfectComponent *component = perfect_find(name);
        if (component) g_ptr_array_add(order, (gpointer)(uintptr_t)component);
    }
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        if (!g_ptr_array_find(order, c, NULL)) g_ptr_array_add(order, (gpointer)(uintptr_t)c);
    return order;
}

/* NULL: none gains enough. */
static const Candidate *find_most(const Layer *layer)
{
    const Candidate *most = layer->perfect->len ? layer->perfect->pdata[0] : NULL;
    if (!most || !(most->gain >= LAYER_LEAST_GAIN)) return NULL;
    for (guint i = layer->perfect->len; i-- > 1;) {
        const Candidate *part = layer->perfect->pdata[i];
        if (part->gain >= most->gain - SAME_GAIN
            && perfect_includes(most->component, part->component))
            most = part;
    }
    return most;
}

/* One behind the other, of which one gains little: what stands behind it comes next. */
static const Candidate *find_bound(const Layer *layer)
{
    const Candidate *most = find_most(layer);
    const Together *together = layer->together;
    return together && (!most || together->gain > LAYER_HELD_UP * most->gain) ? together_most(layer)
                                                                              : most;
}

const Candidate *layer_find_tried(const Layer *layer, const PerfectComponent *component)
{
    for (guint i = 0; i < layer->perfect->len; i++) {
        const Candidate *candidate = layer->perfect->pdata[i];
        if (candidate->component == component) return isnan(candidate->gain) ? NULL : candidate;
    }
    return NULL;
}

static double gain_of_part(const Layer *layer, const Part *part)
{
    const Candidate *tried = layer_find_tried(layer, perfect_find(part->component));
    return tried ? tried->gain : -INFINITY;
}

/* Of those that the component includes, what gains most by itself has the reason; where each is
 * held up by the others, what the verdict names, or what is next to it. */
static const Part *find_part_within(const Layer *layer)
{
    const Part *most = NULL, *first = NULL;
    for (guint i = 0; i < layer->probe->parts->len; i++) {
        const Part *part = &g_array_index(layer->probe->parts, Part, i);
        const PerfectComponent *component = perfect_find(part->component);
        if (!component || part->strain < STRAINED
            || !perfect_includes(layer->bound->component, component))
            continue;
        if (!first) first = part;
        if (!most || gain_of_part(layer, part) > gain_of_part(layer, most)) most = part;
    }
    const bool held_up =
        most && layer->bound->gain > LAYER_HELD_UP * fmax(gain_of_part(layer, most), 0);
    return held_up ? first : most;
}

const Part *layer_find_part(const Layer *layer)
{
    const Part *part = probe_find(layer->probe, layer->bound->component->name);
    if (!part) return find_part_within(layer);
    return part->strain >= STRAINED ? part : NULL;
}

const char *layer_rests(const Layer *layer)
{
    const GArray *parts = layer->probe->parts;
    const bool named = layer->part && layer->part == &g_array_index(parts, Part, 0);
    return named ? layer->probe->rests : NULL;
}

static void find_beside(Layer *layer)
{
    const Candidate *bound = layer->bound;
    for (guint i = 0; i < layer->perfect->len; i++) {
        Candidate *other = layer->perfect->pdata[i];
        if (other != bound && other->gain >= fmax(MUCH * bound->gain, LAYER_LEAST_GAIN)
            && !perfect_includes(bound->component, other->component)
            && !perfect_includes(other->component, bound->component))
            g_ptr_array_add(layer->beside, other);
    }
}

static bool try_perfect(const Layers *layers, Layer *layer, GError **error)
{
    g_autoptr(GPtrArray) order = order_components(layer->probe);
    for (guint i = 0; i < order->len; i++)
        if (!add_perfect(layers, layer, order->pdata[i], error)) return false;
    if (!try_all(layers, layer, layer->perfect, error)) return false;
    if (!together_try(layers, layer, error)) return false;
    layer->bound = find_bound(layer);
    if (!layer->bound) return true;
    layer->part = layer_find_part(layer);
    find_beside(layer);
    return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool is_tried(const GPtrArray *steps, const char *name, const char *to)
{
    for (guint i = 0; i < steps->len; i++) {
        const Candidate *step = steps->pdata[i];
        if (!strcmp(step->parameter, name) && !strcmp(step->to, to)) return true;
    }
    return false;
}

/* `other` in place of the value, unless another component has had it tried. */
static bool add_step(const Layers *layers, const Layer *layer, GPtrArray *steps,
                     const ResolvedValue *value, const PerfectComponent *component,
                     const char *other, GError **error)
{
    g_autofree char *name = g_strconcat(value->group, ".", value->key, NULL);
    if (is_tried(steps, name, other)) return true;
    Configuration *changed =
        configuration_copy(open_plan_configuration(layers->plan, layer->point));
    perfect_set_step(changed, value, other);
    Candidate *candidate = add_candidate(layers, steps, changed, error);
    if (!candidate) return false;
    candidate->component = component;
    candidate->parameter = g_steal_pointer(&name);
    candidate->from = g_strdup(value->value);
    candidate->to = g_strdup(other);
    return true;
}

/* What `[link NAME]` can do for the component. A group that the scenario does not have begins at
 * the default: factors multiply, and the link is twice as fast whatever a pattern says of it. */
static bool double_link(const Layers *layers, Layer *layer, const PerfectComponent *component,
                        const char *link, GError **error)
{
    const GPtrArray *values = open_plan_values(layers->plan, layer->point);
    g_autofree char *group = g_strdup_printf("%s %s", link_group.name, link);
    for (const Param *param = link_group.params; param->name; param++) {
        g_autofree char *name = g_strconcat(group, ".", param->name, NULL);
        const ResolvedValue none = {group, (char *)(uintptr_t)param->name,
                                    (char *)(uintptr_t)param->default_text, NULL, param},
                            *own = resolve_find(values, name), *value = own ? own : &none;
        g_autofree char *other = param_double(param, value->value);
        if (other && perfect_is_relieved(component, link_group.name, param)
            && !add_step(layers, layer, layer->doublings, value, component, other, error))
            return false;
    }
    return true;
}

/* The busiest link of each network that the component is, or includes. */
static bool double_links(const Layers *layers, Layer *layer, const PerfectComponent *component,
                         GError **error)
{
    for (guint i = 0; i < layer->probe->parts->len; i++) {
        const Part *part = &g_array_index(layer->probe->parts, Part, i);
        const PerfectComponent *own = perfect_find(part->component);
        if (!own || !part->link || part->link_strain < STRAINED
            || (own != component && !perfect_includes(component, own)))
            continue;
        if (!double_link(layers, layer, component, part->link, error)) return false;
    }
    return true;
}

static bool add_doubling(const Layers *layers, Layer *layer, const ResolvedValue *value,
                         const PerfectComponent *component, GError **error)
{
    g_autofree char *other = param_double(value->param, value->value);
    return !other || !perfect_is_relieved(component, value->group, value->param)
           || add_step(layers, layer, layer->doublings, value, component, other, error);
}

/* Another design that needs a further parameter to be one is none by itself. */
static void drop_impossible(GPtrArray *choices)
{
    for (guint i = choices->len; i--;) {
        const Candidate *candidate = choices->pdata[i];
        if (candidate->probe && candidate->probe->rejected) g_ptr_array_remove_index(choices, i);
    }
}

static bool add_choices(const Layers *layers, Layer *layer, const ResolvedValue *value,
                        const PerfectComponent *component, GError **error)
{
    g_auto(GStrv) others = param_others(value->param, value->value);
    if (!perfect_has_design(component, value->param)) return true;
    for (char **other = others; *other; other++)
        if (!add_step(layers, layer, layer->choices, value, component, *other, error)) return false;
    return true;
}

/* Of what relieves the component all that has not been tried; one link before all of them. */
static bool try_steps(const Layers *layers, Layer *layer, const PerfectComponent *component,
                      GError **error)
{
    const GPtrArray *values = open_plan_values(layers->plan, layer->point);
    if (!double_links(layers, layer, component, error)) return false;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *name = g_strconcat(value->group, ".", value->key, NULL);
        if (!value->param || !perfect_has_use(name, values)
            || !machine_concerns(value->group, value->key, probe_has, layer->probe))
            continue;
        if (!add_doubling(layers, layer, value, component, error)
            || !add_choices(layers, layer, value, component, error))
            return false;
    }
    if (!try_all(layers, layer, layer->doublings, error)
        || !try_all(layers, layer, layer->choices, error))
        return false;
    drop_impossible(layer->choices);
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

static bool try_baseline(Layers *layers, const Variant *variant, guint *point, GError **error)
{
    Variant own = {variant->name, configuration_copy(variant->configuration)};
    variant_make_files_absolute(&own);
    if (!open_plan_add(layers->plan, own.configuration, point, error)) return false;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(points, *point);
    if (!trials_run(layers->trials, "the machine as it is", points, error)) return false;
    const Probe *probe = trials_find(layers->trials, *point);
    if (!probe || !probe->problem) return true;
    g_set_error(error, STUDY_ERROR, STATUS_FAILED, "%s: %s", variant->name, probe->problem);
    return false;
}

/* Layers first: where the runs are limited, steps are left out. */
static bool peel(const Layers *layers, guint point, guint most, GError **error)
{
    while (layers->layers->len < most && trials_end(layers->trials) == TRIALS_GO_ON) {
        Layer *layer = add_layer(layers, point);
        if (!try_perfect(layers, layer, error)) return false;
        if (!layer->bound) break;
        point = layer->bound->point;
    }
    return true;
}

static bool try_beside(const Layers *layers, Layer *layer, GError **error)
{
    for (guint i = 0; i < layer->beside->len; i++) {
        const Candidate *other = layer->beside->pdata[i];
        if (!try_steps(layers, layer, other->component, error)) return false;
    }
    return true;
}

/* Of all bounds before those beside them. */
static bool try_all_steps(const Layers *layers, GError **error)
{
    for (guint i = 0; i < layers->layers->len; i++) {
        Layer *layer = layers->layers->pdata[i];
        if (layer->bound && !try_steps(layers, layer, layer->bound->component, error)) return false;
    }
    for (guint i = 0; i < layers->layers->len; i++)
        if (!try_beside(layers, layers->layers->pdata[i], error)) return false;
    return true;
}

bool layers_ask(Layers *layers, const Scenario *scenario, const Variant *variant,
                const TrialSettings *settings, guint most, GError **error)
{
    guint point;
    layers->plan = open_plan_new(scenario, variant->name);
    layers->trials = trials_new(layers->plan, probe_form(), settings);
    layers->layers = g_ptr_array_new_with_free_func(layer_free);
    if (!try_baseline(layers, variant, &point, error)) return false;
    if (!trials_find(layers->trials, point)) return true;
    return peel(layers, point, most, error) && try_all_steps(layers, error);
}
