#include "scenarios/program/validate/validation.h"

#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/points/form.h"

static void validated_free(gpointer data)
{
    ValidatedCurve *curve = data;
    g_array_unref(curve->points);
    g_free(curve);
}

void validation_finish(Validation *validation)
{
    g_clear_pointer(&validation->trials, trials_free);
    g_clear_pointer(&validation->plan, open_plan_free);
    g_clear_pointer(&validation->curves, g_ptr_array_unref);
    g_clear_pointer(&validation->scenarios, g_ptr_array_unref);
    g_clear_pointer(&validation->published, g_ptr_array_unref);
}

/* --- what is kept of a run -------------------------------------------------------------------- */

/* The summary, and with it what measurements of whole boards have. */
static char *describe(JsonNode *result, const Manifest *manifest)
{
    (void)manifest;
    JsonNode *summary = result_member(result, "summary");
    const double power = result_number(result, "consumption.power_w");
    if (isfinite(power))
        json_object_set_double_member(json_node_get_object(summary), "power_w", power);
    return json_to_string(summary, FALSE);
}

static Status simulate(const PointRequest *request, PointAnswer *answer)
{
    const PointForm form = {RESULT_BRIEF, describe};
    return point_simulate_as(request, &form, answer);
}

static void *parse(const char *payload)
{
    JsonNode *summary = json_from_string(payload, NULL);
    if (summary && JSON_NODE_HOLDS_OBJECT(summary)) return summary;
    g_clear_pointer(&summary, json_node_unref);
    return NULL;
}

static void summary_free(gpointer data)
{
    if (data) json_node_unref(data);
}

static const TrialForm form = {"validate", simulate, parse, summary_free};

/* --- the plan --------------------------------------------------------------------------------- */

/* Preset, benchmark and point, then what the user says. */
static char **sets_of(const PublishedCurve *curve, const PublishedPoint *point, char *const *over)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    g_ptr_array_add(sets, g_strconcat("scenario.extends=", curve->preset, NULL));
    for (char *const *set = point->sets; *set; set++) g_ptr_array_add(sets, g_strdup(*set));
    for (char *const *set = over; set && *set; set++) g_ptr_array_add(sets, g_strdup(*set));
    g_ptr_array_add(sets, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&sets), FALSE);
}

static bool plan_point(Validation *validation, const PublishedCurve *curve,
                       const PublishedPoint *point, char *const *over, guint *number,
                       GError **error)
{
    g_auto(GStrv) sets = sets_of(curve, point, over);
    Scenario *scenario = scenario_load(curve->scenario, (const char *const *)sets, error);
    if (!scenario) return false;
    g_ptr_array_add(validation->scenarios, scenario);
    const Variant *own = point->variant ? scenario_find_variant(scenario, point->variant, error)
                                        : scenario->variants->pdata[0];
    if (!own) return false;
    if (!validation->plan) validation->plan = open_plan_new(scenario, own->name);
    Variant variant = {own->name, configuration_copy(own->configuration)};
    variant_make_files_absolute(&variant);
    if (!variant_check(&variant, error)) {
        configuration_free(variant.configuration);
        return false;
    }
    return open_plan_add(validation->plan, variant.configuration, number, error);
}

static bool plan_curve(Validation *validation, const PublishedCurve *curve,
                       const ValidationChoice *choice, GError **error)
{
    ValidatedCurve *validated = g_new0(ValidatedCurve, 1);
    *validated = (ValidatedCurve){.published = curve,
                                  .points = g_array_new(FALSE, FALSE, sizeof(ValidatedPoint))};
    g_ptr_array_add(validation->curves, validated);
    const guint all = curve->points->len, count = choice->most ? MIN(choice->most, all) : all;
    for (guint i = 0; i < count; i++) {
        const guint at = count == 1 ? all - 1 : (guint)(i * (all - 1.0) / (count - 1) + 0.5);
        ValidatedPoint point = {curve->points->pdata[at], 0, NAN, NAN, NULL};
        if (!plan_point(validation, curve, point.published, choice->sets, &point.point, error)) {
            g_prefix_error(error, "%s, %s at %s: ", curve->preset, curve->name,
                           point.published->at);
            return false;
        }
        g_array_append_val(validated->points, point);
    }
    validation->points += count;
    return true;
}

static bool is_chosen(const ValidationChoice *choice, const PublishedCurve *curve)
{
    return !choice->curve || g_str_has_prefix(curve->name, choice->curve);
}

static bool plan_preset(Validation *validation, const char *preset, const ValidationChoice *choice,
                        GError **error)
{
    g_autofree char *file = published_file(preset);
    GPtrArray *curves = published_read(file, preset, error);
    if (!curves) return false;
    g_ptr_array_add(validation->published, curves);
    for (guint i = 0; i < curves->len; i++)
        if (is_chosen(choice, curves->pdata[i])
            && !plan_curve(validation, curves->pdata[i], choice, error))
            return false;
    return true;
}

/* Each name once. */
static char *name_curves(const Validation *validation)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < validation->published->len; i++) {
        const GPtrArray *curves = validation->published->pdata[i];
        for (guint k = 0; k < curves->len; k++) {
            char *name = ((PublishedCurve *)curves->pdata[k])->name;
            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
                g_ptr_array_add(names, name);
        }
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

bool validation_prepare(Validation *validation, const ValidationChoice *choice, GError **error)
{
    validation->published = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    validation->scenarios = g_ptr_array_new_with_free_func((GDestroyNotify)scenario_free);
    validation->curves = g_ptr_array_new_with_free_func(validated_free);
    g_auto(GStrv) all = published_presets();
    for (char *const *preset = *choice->presets ? choice->presets : all; *preset; preset++)
        if (!plan_preset(validation, *preset, choice, error)) return false;
    if (validation->curves->len) return true;
    g_autofree char *names = name_curves(validation);
    g_set_error(error, PUBLISHED_ERROR, 0, "--curve %s: no curve's name begins so; there are %s",
                choice->curve, names);
    return false;
}

/* --- how far off ------------------------------------------------------------------------------ */

static void judge_point(const Validation *validation, ValidatedCurve *curve, ValidatedPoint *point)
{
    const void *known = trials_find(validation->trials, point->point);
    if (!known) return;
    JsonNode *summary = (JsonNode *)known;
    const char *result = curve->published->result, *part = point->published->part;
    g_autofree char *path = part ? g_strdup_printf("%s.%s", result, part) : g_strdup(result);
    point->problem = result_text(summary, "problem");
    point->model = result_number(summary, path);
    if (!point->problem && !isfinite(point->model)) point->problem = "it has no such result";
    point->error = point->model / point->published->value - 1;
}

static void judge_curve(Validation *validation, ValidatedCurve *curve)
{
    for (guint i = 0; i < curve->points->len; i++) {
        ValidatedPoint *point = &g_array_index(curve->points, ValidatedPoint, i);
        judge_point(validation, curve, point);
        validation->failed += point->problem != NULL;
        if (!isfinite(point->error)) continue;
        curve->done++;
        curve->mean += fabs(point->error);
        curve->bias += point->error;
        if (!curve->worst || fabs(point->error) > fabs(curve->worst->error)) curve->worst = point;
    }
    validation->done += curve->done;
    validation->mean += curve->mean;
    curve->mean /= MAX(curve->done, 1);
    curve->bias /= MAX(curve->done, 1);
}

bool validation_run(Validation *validation, const TrialSettings *settings, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(guint));
    const guint planned = open_plan_manifest(validation->plan)->points->len;
    for (guint i = 0; i < planned; i++) g_array_append_val(points, i);
    validation->trials = trials_new(validation->plan, &form, settings);
    if (!trials_run(validation->trials, "published points", points, error)) return false;
    for (guint i = 0; i < validation->curves->len; i++)
        judge_curve(validation, validation->curves->pdata[i]);
    validation->mean /= MAX(validation->done, 1);
    return true;
}
