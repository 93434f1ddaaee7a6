#include "scenarios/program/result/result.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/cost/energy.h"
#include "scenarios/program/cost/power.h"
#include "scenarios/program/cost/storage.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/origin/place.h"
#include "scenarios/program/result/between.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/facts.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/time/stack.h"
#include "scenarios/program/verdict/verdict.h"

/* Settings that change how a run is carried out and never what comes out of it. */
static bool is_host_setting(const ResolvedValue *value)
{
    return !strcmp(value->group, "simulation") && strcmp(value->key, "seed") != 0;
}

typedef void (*ValueWrite)(JsonWriter *group, const ResolvedValue *value, Places *places);

static void write_value(JsonWriter *group, const ResolvedValue *value, G_GNUC_UNUSED Places *places)
{
    json_write_any_text(group, value->key, value->value);
}

static void write_origin(JsonWriter *group, const ResolvedValue *value, Places *places)
{
    g_autofree char *place = places_origin(places, value->setting);
    json_write_any_text(group, value->key, place);
}

/* Values in order of their groups, `write` one by one: { group: { key: ... } }. */
static void write_groups(JsonWriter *result, const char *name, const GPtrArray *values,
                         ValueWrite write)
{
    const char *open = NULL;
    g_autoptr(Places) places = places_new();
    JsonWriter groups = json_open(result, name, '{'), group;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        if (is_host_setting(value)) continue;
        if (!open || strcmp(open, value->group)) {
            if (open) json_end(&group, '}');
            group = json_open(&groups, value->group, '{');
            open = value->group;
        }
        write(&group, value, places);
    }
    if (open) json_end(&group, '}');
    json_end(&groups, '}');
}

static int compare_values(gconstpointer a, gconstpointer b)
{
    const ResolvedValue *x = *(ResolvedValue *const *)a, *y = *(ResolvedValue *const *)b;
    const int groups = strcmp(x->group, y->group);
    return groups ? groups : strcmp(x->key, y->key);
}

/* The members of the object that was being built. */
static void write_built(JsonWriter *writer, JsonBuilder *json)
{
    json_builder_end_object(json);
    g_autoptr(JsonNode) object = json_builder_get_root(json);
    json_write_members(writer, object);
}

static void write_requests(JsonWriter *writer, const Run *run, const Profile *profile)
{
    result_write_requests(writer, profile);
    result_write_instructions(writer, profile, run->launches->kernels);
    result_write_arrays(writer, profile);
    result_write_slowest(writer, profile);
}

void result_write_profile(JsonWriter *result, const Run *run, const Aggregate *aggregate,
                          ResultExtent extent)
{
    const Simulation *simulation = machine_simulation(run->machine);
    const Profile *profile = simulation_profile(simulation);
    const bool power = simulation_collects(simulation) == COLLECT_POWER;
    const bool whole = !power && extent == RESULT_WHOLE;
    if (!power && (!profile || extent == RESULT_BRIEF)) return;
    JsonWriter writer = json_open(result, "profile", '{');
    if (whole) result_write_series(&writer, aggregate);
    power_write(&writer, aggregate);
    if (whole) write_requests(&writer, run, profile);
    json_end(&writer, '}');
}

char *result_file_name(const char *file)
{
    g_autofree char *scenarios = catalogue_scenario_directory();
    char *name = catalogue_name(scenarios, file);
    return name ? name : g_path_get_basename(file);
}

static void put_header(JsonBuilder *json, const Run *run)
{
    const Variant variant = {(char *)run->variant, (Configuration *)run->configuration};
    g_autofree char *hash = g_strdup_printf("%016" G_GINT64_MODIFIER "x", run->report->hash);
    g_autofree char *file = run->name.file ? result_file_name(run->name.file) : NULL;
    json_put_number(json, "schema_version", RESULT_SCHEMA_VERSION);
    json_put_text(json, "program", "warpmem " WARPMEM_VERSION);
    json_put_text(json, "scenario", run->name.title);
    if (file) json_put_text(json, "file", file);
    json_put_text(json, "variant", run->variant);
    json_put_number(json, "seed", variant_seed(&variant));
    json_put_text(json, "hash", hash);
    json_put_bool(json, "partial", run->report->outcome == RUN_INTERRUPTED);
    json_put_bool(json, "measured", run_reached_measurement(run));
}

static void write_new(JsonWriter *result, const char *name, JsonNode *value)
{
    if (!value) return;
    json_write_node(result, name, value);
    json_node_unref(value);
}

static void write_timeline(JsonWriter *result, const Run *run)
{
    JsonNode *selection = result_timeline_selection(run);
    if (!selection) return;
    write_new(result, "timeline_selection", selection);
    result_write_timeline(result, run);
}

/* `values` NULL: columns are made of none of it. */
static void write_settings(JsonWriter *result, const Run *run, const GPtrArray *values)
{
    if (!values) return;
    write_new(result, "machine", facts_json(run->machine));
    write_groups(result, "parameters", values, write_value);
    write_groups(result, "origins", values, write_origin);
}

/* What is small is built first, what is large written at once. */
static void write_result(JsonWriter *writer, const Run *run, ResultExtent extent,
                         const GPtrArray *values, JsonNode *kernels)
{
    g_autoptr(Aggregate) aggregate = aggregate_new(run->machine, run_unfinished_span(run));
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    if (values) put_header(json, run);
    json_put_node(json, "summary", result_summary(run, aggregate));
    if (values) result_put_input(json, run);
    json_put_node(json, "stages", result_stages(aggregate, extent));
    JsonNode *time = values ? result_time(aggregate) : NULL;
    if (time) json_put_node(json, "time", time);
    write_built(writer, json);
    if (values) write_timeline(writer, run);
    write_settings(writer, run, values);
    write_new(writer, "consumption", energy_json(aggregate, extent));
    write_new(writer, "storage",
              values ? storage_json(run->machine) : storage_totals_json(run->machine));
    result_write_units(writer, aggregate, extent);
    if (values) result_write_resources(writer, aggregate, extent);
    if (extent == RESULT_WHOLE) result_write_links(writer, aggregate);
    json_write_members(writer, kernels);
    result_write_profile(writer, run, aggregate, extent);
    json_end(writer, '}');
}

/* In order: several tables may share a group. */
static GPtrArray *sorted_values(const Run *run, GError **error)
{
    GPtrArray *values = resolve_values(run->configuration, error);
    if (values) g_ptr_array_sort(values, compare_values);
    return values;
}

char *result_text_new(const Run *run, ResultExtent extent, JsonNode *kernels, GError **error)
{
    g_autoptr(GPtrArray) values = sorted_values(run, error);
    if (!values) return NULL;
    GString *text = g_string_new(NULL);
    JsonWriter writer = json_begin(text, '{', 0);
    write_result(&writer, run, extent, values, kernels);
    g_string_append_c(text, '\n');
    return g_string_free(text, FALSE);
}

JsonNode *result_new(const Run *run, ResultExtent extent, JsonNode *kernels, GError **error)
{
    const bool columns = extent >= RESULT_COLUMNS;
    g_autoptr(GPtrArray) values = columns ? NULL : sorted_values(run, error);
    if (!values && !columns) return NULL;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    JsonWriter writer = json_go_on(json);
    write_result(&writer, run, extent, values, kernels);
    return json_builder_get_root(json);
}

/* Statistics begin anew with the region of interest; what is asked for here is the whole run. An L1
 * makes a message of each line transaction and of each store's notice to the SM; the share of
 * those that are counted, merged ones not being, is taken to be the measured one. */
static double whole_run_transactions(const Run *run)
{
    g_autoptr(Aggregate) aggregate = aggregate_new(run->machine, 0);
    const double measured = (double)aggregate_number(aggregate, MEANS_LINE_TRANSACTIONS);
    const double sent = (double)aggregate_number(aggregate, MEANS_LINE_MESSAGES);
    uint64_t made = 0;
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, MEANS_LINE_TRANSACTIONS);
    for (; sum; sum = aggregate_that_means(aggregate, sum, MEANS_LINE_TRANSACTIONS))
        for (guint i = 0; i < sum->units->len; i++)
            made += message_source_made(&((const Unit *)sum->units->pdata[i])->messages);
    return sent > 0 ? (double)made * measured / sent : (double)made;
}

JsonNode *result_host(const Run *run, const HostCost *cost)
{
    const double transactions = whole_run_transactions(run);
    g_autoptr(GPtrArray) values = resolve_simulation(run->configuration);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL),
                    *scenario =
                        run->name.file ? g_canonicalize_filename(run->name.file, NULL) : NULL;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_real(json, "wall_s", cost->wall_s);
    json_put_real(json, "cpu_s", cost->cpu_s);
    json_put_number(json, "peak_rss_bytes", cost->peak_rss_bytes);
    json_put_real(json, "transactions_per_s", cost->wall_s > 0 ? transactions / cost->wall_s : 0);
    json_put_real(json, "events_per_s",
                  cost->wall_s > 0 ? (double)run->report->events / cost->wall_s : 0);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        if (is_host_setting(value) && strcmp(value->key, "quantum") != 0)
            json_put_text(json, value->key, value->value);
    }
    json_put_number(json, "place", run->name.place);
    json_put_number(json, "tiles", run->report->tiles);
    json_put_number(json, "events", run->report->events);
    json_put_number(json, "bundles", run->report->bundles);
    json_put_number(json, "windows", run->report->windows);
    json_put_number(json, "visits", run->report->visits);
    json_put_number(json, "stretches", run->report->stretches);
    json_put_number(json, "quantum_fs", run->report->quantum);
    json_put_number(json, "lookahead_fs", run->report->lookahead);
    json_put_text(json, "program_path", program ? program : "");
    json_put_text(json, "scenario_path", scenario ? scenario : "");
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* --- looking into a result -------------------------------------------------------------------- */

JsonNode *result_member(JsonNode *result, const char *path)
{
    g_autofree char *names = g_strdup(path);
    JsonNode *node = result;
    for (char *name = names, *next; name && node; name = next) {
        next = strchr(name, '.');
        if (next) *next++ = '\0';
        node = JSON_NODE_HOLDS_OBJECT(node)
                   ? json_object_get_member(json_node_get_object(node), name)
                   : NULL;
    }
    return node;
}

JsonArray *result_array(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

guint result_length(JsonArray *array)
{
    return array ? json_array_get_length(array) : 0;
}

double summary_number(JsonNode *result, const char *name)
{
    g_autofree char *path = g_strconcat("summary.", name, NULL);
    return result_number(result, path);
}

guint result_count(JsonNode *result, const char *path)
{
    const double number = result_number(result, path);
    return isfinite(number) && number > 0 ? (guint)number : 0;
}

bool result_flag(JsonNode *result, const char *path, bool absent)
{
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_boolean(node) : absent;
}

const char *result_parameter(gconstpointer result, const char *name)
{
    g_autofree char *path = g_strconcat("parameters.", name, NULL);
    return result_text((JsonNode *)(uintptr_t)result, path);
}

double result_core_cycle_ns(JsonNode *result)
{
    return result_number(result, "summary.time_ns") / result_number(result, "summary.core_cycles");
}

bool result_is_measured(JsonNode *result)
{
    return result_flag(result, "measured", true);
}

bool result_is_partial(JsonNode *result)
{
    return result_flag(result, "partial", false);
}

ResultRank result_rank(JsonNode *result)
{
    const bool offers = isfinite(result_number(result, "summary.offered_gbps"));
    const double traffic = result_number(result, "summary.traffic_latency.mean_ns"),
                 probe = offers ? result_number(result, "summary.probe_latency.mean_ns") : NAN,
                 latency = isfinite(traffic) ? traffic : probe;
    ResultRank rank = {NAN, isfinite(latency)};
    if (result_is_measured(result) && !result_is_partial(result))
        rank.ns = rank.latency ? latency : result_number(result, "summary.time_ns");
    if (!(rank.ns > 0)) rank.ns = NAN;
    return rank;
}

double result_dram_peak(JsonNode *result)
{
    return result_number(result, "summary.dram.peak_gbps");
}

guint result_count_launches(JsonNode *result)
{
    const double left_out = result_number(result, "summary.kernels_left_out");
    return result_length(result_array(result, "summary.kernels"))
           + (isfinite(left_out) ? (guint)left_out : 0);
}

bool result_has_kernel(JsonNode *result, const char *name)
{
    JsonArray *launches = result_array(result, "summary.kernels");
    for (guint i = 0; i < result_length(launches); i++)
        if (!g_strcmp0(result_text(json_array_get_element(launches, i), "name"), name)) return true;
    return false;
}

double result_number(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    if (!node || !JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) == G_TYPE_STRING)
        return NAN;
    return json_node_get_double(node);
}

const char *result_text(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

static void add_counters(GArray *counters, JsonNode *result, const UnitClass *unit)
{
    g_autofree char *path = g_strdup_printf("units.%s.total", unit->name);
    JsonNode *total = result_member(result, path);
    for (const Stat *stat = unit->stats; total && stat && stat->name; stat++) {
        if (stat->type > STAT_TIME) continue;
        const Counter counter = {unit, stat, result_number(total, stat->name)};
        if (counter.sum > 0) g_array_append_val(counters, counter);
    }
}

GArray *result_counters(JsonNode *result, const UnitClass *const *classes)
{
    GArray *counters = g_array_new(FALSE, FALSE, sizeof(Counter));
    for (; *classes; classes++) add_counters(counters, result, *classes);
    return counters;
}
