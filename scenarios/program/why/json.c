#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/why/why.h"

static void put_changes(JsonBuilder *json, const OpenPlan *plan, guint from, guint to)
{
    g_autoptr(GPtrArray) changes = open_plan_changes(plan, from, to);
    json_builder_set_member_name(json, "set");
    json_builder_begin_array(json);
    for (guint i = 0; i < changes->len; i++) json_builder_add_string_value(json, changes->pdata[i]);
    json_builder_end_array(json);
}

/* What the machine has more of than the layer's, and the share of the time that is gone for each of
 * it; no such share where there is no more. */
static void put_price(JsonBuilder *json, const char *name, const char *share, double more,
                      double gain)
{
    if (!isfinite(more)) return;
    json_put_real(json, name, more);
    if (more > 0 && gain > 0) json_put_real(json, share, gain / more);
}

/* In layers behind the first what is perfect is as large as no machine is. */
static void put_prices(JsonBuilder *json, const Layers *layers, const Layer *layer,
                       const Candidate *candidate)
{
    const Probe *own = candidate->probe, *before = layer->probe;
    if (layer != layers->layers->pdata[0]) return;
    put_price(json, "more_mm2", "gain_a_mm2", own->area_mm2 - before->area_mm2, candidate->gain);
    put_price(json, "more_w", "gain_a_w", own->power_w - before->power_w, candidate->gain);
}

static void put_candidate(JsonBuilder *json, const Layers *layers, const Layer *layer,
                          const Candidate *candidate)
{
    json_builder_begin_object(json);
    if (candidate->parameter) {
        json_put_text(json, "parameter", candidate->parameter);
        json_put_text(json, "from", candidate->from);
        json_put_text(json, "to", candidate->to);
    }
    json_put_text(json, "perfect", candidate->component->name);
    if (!candidate->parameter) json_put_text(json, "summary", candidate->component->summary);
    if (candidate->probe->problem) {
        json_put_text(json, "problem", candidate->probe->problem);
    } else {
        json_put_real(json, "time_ns", candidate->probe->time_ns);
        json_put_real(json, "gain", candidate->gain);
        if (candidate->parameter) put_prices(json, layers, layer, candidate);
    }
    put_changes(json, layers->plan, layer->point, candidate->point);
    json_builder_end_object(json);
}

static void put_tried(JsonBuilder *json, const char *name, const Layers *layers, const Layer *layer,
                      const GPtrArray *candidates)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *candidate = candidates->pdata[i];
        if (candidate->probe) put_candidate(json, layers, layer, candidate);
    }
    json_builder_end_array(json);
}

static void add_not_tried(JsonBuilder *json, const GPtrArray *candidates)
{
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *candidate = candidates->pdata[i];
        g_autofree char *name = candidate->parameter
                                    ? g_strdup_printf("%s=%s", candidate->parameter, candidate->to)
                                    : g_strdup(candidate->component->name);
        if (!candidate->probe) json_builder_add_string_value(json, name);
    }
}

static void put_bound(JsonBuilder *json, const Layer *layer)
{
    json_builder_set_member_name(json, "bound");
    json_builder_begin_object(json);
    json_put_text(json, "perfect", layer->bound->component->name);
    json_put_text(json, "summary", layer->bound->component->summary);
    json_put_real(json, "gain", layer->bound->gain);
    if (layer->part) {
        json_put_text(json, "resource", layer->part->resource);
        json_put_text(json, "title", layer->part->title);
        json_put_bool(json, "server", layer->part->server);
        json_put_real(json, "strain", layer->part->strain);
    }
    json_builder_set_member_name(json, "beside");
    json_builder_begin_array(json);
    for (guint i = 0; i < layer->beside->len; i++) {
        const Candidate *other = layer->beside->pdata[i];
        json_builder_begin_object(json);
        json_put_text(json, "perfect", other->component->name);
        json_put_real(json, "gain", other->gain);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    if (layer_rests(layer)) json_put_text(json, "rests", layer_rests(layer));
    json_builder_end_object(json);
}

static void put_twice(JsonBuilder *json, const Layers *layers, const Layer *layer,
                      const Candidate *twice)
{
    json_builder_set_member_name(json, "twice");
    json_builder_begin_object(json);
    json_put_real(json, "gain", twice->gain);
    put_prices(json, layers, layer, twice);
    put_changes(json, layers->plan, layer->point, twice->point);
    json_builder_end_object(json);
}

static void put_together(JsonBuilder *json, const Layers *layers, const Layer *layer)
{
    const Together *together = layer->together;
    json_builder_set_member_name(json, "together");
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "perfect");
    json_builder_begin_array(json);
    for (guint i = 0; i < together->components->len; i++) {
        const PerfectComponent *component = together->components->pdata[i];
        json_builder_add_string_value(json, component->name);
    }
    json_builder_end_array(json);
    json_put_real(json, "gain", together->gain);
    put_changes(json, layers->plan, layer->point, together->point);
    if (together->twice) put_twice(json, layers, layer, together->twice);
    json_builder_end_object(json);
}

static void put_layer(JsonBuilder *json, const Layers *layers, const Layer *layer)
{
    const Layer *first = layers->layers->pdata[0];
    json_builder_begin_object(json);
    json_put_real(json, "time_ns", layer->probe->time_ns);
    if (layer->probe->latency) json_put_bool(json, "latency", true);
    json_put_text(json, "verdict", layer->probe->verdict);
    if (layer->probe->chain) json_put_text(json, "chain", layer->probe->chain);
    put_changes(json, layers->plan, first->point, layer->point);
    if (layer->bound) put_bound(json, layer);
    if (layer->together) put_together(json, layers, layer);
    put_tried(json, "perfect", layers, layer, layer->perfect);
    put_tried(json, "doublings", layers, layer, layer->doublings);
    put_tried(json, "choices", layers, layer, layer->choices);
    json_builder_set_member_name(json, "not_tried");
    json_builder_begin_array(json);
    add_not_tried(json, layer->perfect);
    add_not_tried(json, layer->doublings);
    add_not_tried(json, layer->choices);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static const char *end_name(TrialsEnd end)
{
    switch (end) {
    case TRIALS_GO_ON: return "complete";
    case TRIALS_ENOUGH: return "runs";
    case TRIALS_LATE: return "time";
    case TRIALS_INTERRUPTED: return "interrupted";
    }
    g_assert_not_reached();
}

JsonNode *why_json(const Layers *layers, const Scenario *scenario, const Variant *variant,
                   const LaunchList *launches)
{
    g_autofree char *file = result_file_name(scenario->file);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "scenario", scenario->title);
    json_put_text(json, "file", file);
    json_put_text(json, "variant", variant->name);
    result_put_chosen(json, launches);
    json_put_number(json, "runs", trials_count(layers->trials));
    json_put_text(json, "end", end_name(trials_end(layers->trials)));
    json_builder_set_member_name(json, "layers");
    json_builder_begin_array(json);
    for (guint i = 0; i < layers->layers->len; i++)
        put_layer(json, layers, layers->layers->pdata[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
