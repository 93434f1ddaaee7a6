#include "scenarios/program/study/points/point.h"

#include <string.h>

#include "kit/engine/simgrid/start.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/run/execution.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/points/form.h"
#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/verdict/pressure.h"

/* Unless another point follows, the process ends with its point: taking these to pieces would take
 * time for nothing. */
static struct {
    Configuration *configuration;
    Execution *execution;
    JsonNode *kernels, *result;
} held;

static void let_go(void)
{
    g_clear_pointer(&held.kernels, json_node_unref);
    g_clear_pointer(&held.result, json_node_unref);
    g_clear_pointer(&held.execution, execution_free);
    g_clear_pointer(&held.configuration, configuration_free);
}

void point_answer_clear(PointAnswer *answer)
{
    g_clear_pointer(&answer->payload, g_free);
    g_clear_pointer(&answer->result, g_free);
    g_clear_pointer(&answer->host, g_free);
}

char *point_platform(const Manifest *manifest, const Point *point)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u", point->base);
    for (guint i = 0; i < manifest->dimensions->len; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        g_autofree char *group = NULL;
        g_autofree char *key = NULL;
        if (setting_name_split(dimension->name, &group, &key) && machine_platform_reads(group))
            g_string_append_printf(text, "\n%s", point->values[i]);
    }
    return g_string_free(text, FALSE);
}

/* A result says that what the point changes was set, as that of a run with --set does. */
static void forget_places(const PointRequest *request)
{
    const Manifest *manifest = request->manifest;
    for (guint i = 0; i < manifest->dimensions->len; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        g_autofree char *group = NULL;
        g_autofree char *key = NULL;
        if (!setting_name_split(dimension->name, &group, &key)) continue;
        const Setting *setting = configuration_find(held.configuration, group, key);
        if (!setting) continue;
        g_autofree char *value = g_strdup(setting->value);
        configuration_set(held.configuration, group, key, value, NULL, 0);
    }
}

static bool keep_result(const Run *run, PointAnswer *answer, GError **error)
{
    g_autoptr(JsonNode) kernels = result_kernels(run, RESULT_WHOLE);
    answer->result = result_text_new(run, RESULT_WHOLE, kernels, error);
    answer->host = execution_host_text(held.execution);
    return answer->result;
}

static Status conclude(const PointRequest *request, const PointForm *form, PointAnswer *answer,
                       GError **error)
{
    if (request->keep_result) forget_places(request);
    const Run *run = execution_outcome(held.execution);
    if (form->extent < RESULT_COLUMNS) held.kernels = result_kernels(run, form->extent);
    held.result = result_new(run, form->extent, held.kernels, error);
    if (!held.result) return STATUS_BAD_INPUT;
    answer->payload = form->describe(held.result, request->manifest);
    return !request->keep_result || keep_result(run, answer, error) ? STATUS_DONE
                                                                    : STATUS_BAD_INPUT;
}

static Status build_and_run(const PointRequest *request, const PointForm *form,
                            const Variant *variant, PointAnswer *answer, GError **error)
{
    if (!variant_check_names(variant, error)) return STATUS_BAD_INPUT;
    RunName name = {request->manifest->title, request->manifest->scenario, 0};
    if (request->keep_result)
        g_ptr_array_find(request->manifest->points, request->point, &name.place);
    g_autoptr(Execution) execution = execution_new(&name, variant, error);
    if (!execution) return STATUS_BAD_INPUT;
    const Status status = execution_run(execution, error);
    answer->simulation_s = execution_seconds(execution);
    if (status != STATUS_DONE) return status;
    /* host.json is of the whole process */
    answer->goes_on = execution_leaves_engine(execution) && !request->keep_result;
    held.execution = g_steal_pointer(&execution);
    return conclude(request, form, answer, error);
}

Configuration *point_configuration(const PointRequest *request)
{
    Configuration *configuration = manifest_configuration(request->manifest, request->point);
    const Setting *own = configuration_find(configuration, "simulation", "profile");
    const bool whole = request->keep_result && (!own || strcmp(own->value, "no") != 0);
    if (!whole)
        configuration_set(configuration, "simulation", "profile",
                          request->manifest->peak_power ? "power" : "no", NULL, 0);
    return configuration;
}

/* A check builds a machine, too, so that it is left to points that fail: if it finds the
 * configuration wrong, that is why, and its message is the better one. */
static Status simulate(const PointRequest *request, const PointForm *form, PointAnswer *answer,
                       GError **error)
{
    const Base *base = request->manifest->bases->pdata[request->point->base];
    held.configuration = point_configuration(request);
    const Variant variant = {base->variant, held.configuration};
    g_autoptr(GError) failure = NULL;
    const Status status = build_and_run(request, form, &variant, answer, &failure);
    if (status == STATUS_DONE) return status;
    answer->refused = g_error_matches(failure, ENGINE_ERROR, ENGINE_HAS_ANOTHER);
    if (!answer->refused && !variant_check(&variant, error)) return STATUS_BAD_INPUT;
    g_propagate_error(error, g_steal_pointer(&failure));
    return status;
}

Status point_simulate_as(const PointRequest *request, const PointForm *form, PointAnswer *answer)
{
    g_autoptr(GError) error = NULL;
    *answer = (PointAnswer){.payload = NULL};
    const Status status = simulate(request, form, answer, &error);
    if (error) answer->payload = g_strdup(error->message);
    if (answer->goes_on) let_go();
    return status;
}

/* Resources are asked of the machine: a tree of them would be most of the result. */
static char *format_columns(JsonNode *result, const Manifest *manifest)
{
    const Run *run = execution_outcome(held.execution);
    g_autoptr(Aggregate) units = aggregate_new_empty(run->machine);
    g_autoptr(GArray) table = result_list_resources(units);
    g_autoptr(GArray) fills = result_fill_resources(table, units);
    g_autoptr(GPtrArray) list = pressure_list_of(table);
    pressure_fill(list, fills);
    return outcome_format(result, list, manifest);
}

Status point_simulate(const PointRequest *request, PointAnswer *answer)
{
    const bool statistics = request->manifest->statistics->len;
    const PointForm form = {statistics ? RESULT_COLUMNS : RESULT_FIXED_COLUMNS, format_columns};
    return point_simulate_as(request, &form, answer);
}
