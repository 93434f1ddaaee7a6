#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "kit/describe/role.h"
#include "scenarios/program/command.h"
#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/perfect/words.h"

static const char *kind_name(WordKind kind)
{
    switch (kind) {
    case WORD_UNIT: return "unit";
    case WORD_GROUP: return "group of parameters";
    case WORD_PATTERN: return "workload pattern";
    case WORD_PARAMETER: return "parameter";
    case WORD_STATISTIC: return "statistic";
    case WORD_CLASS: return "class of requests";
    case WORD_STAGE: return "stage of a request's latency";
    case WORD_RESULT: return "result of a run";
    case WORD_PRESET: return "preset of a machine";
    case WORD_PART: return "DRAM part";
    case WORD_SCENARIO: return "scenario";
    case WORD_FIGURE: return "figure of a report";
    case WORD_CHANNEL: return "channel";
    case WORD_STORAGE: return "storage";
    case WORD_RESOURCE: return "resource";
    }
    return "?";
}

static void print_params(const char *title, const Param *params)
{
    g_autoptr(Table) table = table_new();
    if (!params || !params->name) return;
    printf("\n%s\n", title);
    for (const Param *param = params; param->name; param++) {
        table_row(table);
        table_cell(table, "%s", param->name);
        table_note(table, "%s", *param->default_text ? param->default_text : "-");
        table_note(table, "%s", param->summary);
    }
    table_print(table, stdout);
}

static void print_resources(const UnitClass *unit)
{
    g_autoptr(Table) table = table_new();
    if (!unit->resources || !unit->resources->name) return;
    printf("\nresources\n");
    for (const ResourceRow *row = unit->resources; row->name; row++) {
        table_row(table);
        table_cell(table, "%s", row->name);
        table_note(table, "%s", resource_is_server(row) ? "server" : "place");
        table_note(table, "%s", row->summary);
    }
    table_print(table, stdout);
}

static void print_unit(const UnitClass *unit)
{
    g_autoptr(Table) ports = table_new();
    g_autoptr(Table) stats = table_new();
    g_autofree char *path = unit_path_pattern(unit);
    printf("  %s, %s, %s: %s\n", unit_per_name(unit->per), unit_clock_name(unit->clock),
           unit_place_name(unit->place), path);
    print_params("parameters", unit->params);
    for (const PortRow *port = unit->ports; port && port->name; port++) {
        table_row(ports);
        table_cell(ports, "%s", port->name);
        g_autofree char *ends = port_ends(unit, port);
        table_note(ports, "%s", port_direction(port->kind));
        table_note(ports, "%s", ends);
        table_note(ports, "%s", port->summary);
    }
    printf("\nports\n");
    table_print(ports, stdout);
    print_resources(unit);
    for (const Stat *stat = unit->stats; stat && stat->name; stat++) {
        table_row(stats);
        table_cell(stats, "%s", stat->name);
        table_note(stats, "%s%s", stat_type_name(stat->type), stat_series_note(stat));
        table_note(stats, "%s", stat->summary);
    }
    printf("\nstatistics\n");
    table_print(stats, stdout);
}

static void print_param(const Param *param)
{
    g_autofree char *range = param_describe_range(param);
    printf("  default: %s\n  allowed: %s\n",
           *param->default_text ? param->default_text : "(nothing)", range);
    for (const PerfectRole *role = param->perfect; role && role->component; role++) {
        g_autofree char *text = perfect_role_text(role);
        printf("  in component %s, perfect: %s\n", role->component, text);
    }
    if (param->doubling)
        printf("  in what-ifs that double: %s the value%s%s\n", doubling_name(param->doubling),
               param->relieves ? "; relieves " : "", param->relieves ? param->relieves : "");
    else if (param->relieves)
        printf("  in what-ifs that try other designs: relieves %s\n", param->relieves);
}

static void print_channel(const ChannelRow *row)
{
    g_autofree char *end = channel_end(row);
    const char *credit = row->credit.name ? row->credit.name : "1 cycle";
    printf("  to: %s\n  between: %s\n", end, channel_mapping_name(row->mapping));
    g_autofree char *others = channel_others(row);
    if (*others) printf("  unless the machine has: %s\n", others);
    if (row->delay.name) printf("  delay: %s\n", row->delay.name);
    if (row->capacity.name)
        printf("  capacity: %s, which the sender knows of after %s\n", row->capacity.name, credit);
    else
        printf("  capacity: the receiver has reserved room\n");
}

static void print_if(const char *label, const char *text)
{
    if (text) printf("  %s: %s\n", label, text);
}

static void print_resource(const UnitClass *unit, const ResourceRow *row)
{
    g_autofree char *capacity = resource_capacity(unit, row);
    printf("  kind: %s\n", resource_is_server(row) ? "server, busy or not" : "place, so full");
    printf("  capacity: %s, in %s\n", capacity, row->unit);
    print_if("when full, what waits", row->refuses);
    print_if("what that counts", row->refusals);
    print_if("where it goes next", row->feeds);
    print_if("what its rate rests on", row->rests_on);
    print_if("what counts its work", row->work);
    print_if("perfect component", row->component);
    print_if("in summaries", row->headline);
    printf("  in result.json: resources.%s.%s\n", unit->name, row->name);
}

static void print_storage(const UnitClass *unit, const StorageRow *row)
{
    print_if("room for", row->places);
    print_if("places of the input", row->input);
    printf("  in result.json: storage.units.%s.%s; 'show --storage' has the bits of a machine\n",
           unit->name, row->name);
}

static void print_class(const Word *word)
{
    printf("  counted by: %s.%s\n", word->unit->name, word->stat->name);
    printf("  in result.json: stages.%s, the stages of its latency ('list stages');\n"
           "                  profile.requests.%s, how its latency is distributed\n",
           word->name, word->name);
}

static void print_stat(const Stat *stat)
{
    g_autofree char *roles = stat_describe_roles(stat);
    printf("  kind: %s\n", stat_type_name(stat->type));
    if (stat->over_time)
        printf("  also as a series: its course over time, in profile.series of result.json\n");
    print_if("nearest Nsight Compute metric", stat->nsight);
    print_if("in tables and figures", *roles ? roles : NULL);
}

static void print_details(const Word *word)
{
    if (word->kind == WORD_UNIT) print_unit(word->unit);
    if (word->group) print_params("parameters", word->group->params);
    if (word->pattern)
        print_params("parameters, in [workload] or [kernel NAME]", word->pattern->params);
    if (word->param) print_param(word->param);
    if (word->result) {
        const char *unit = word->result->unit;
        printf("  unit: %s\n  better: %s\n", *unit ? unit : "none, a plain number",
               better_name(word->result->better));
        if (word->result->path) printf("  in result.json: %s\n", word->result->path);
    }
    if (word->channel) print_channel(word->channel);
    if (word->resource) print_resource(word->unit, word->resource);
    if (word->storage) print_storage(word->unit, word->storage);
    if (word->figure)
        printf("  title: %s\n  unit: %s\n  how to read it: %s\n", word->figure->title,
               *word->figure->unit ? word->figure->unit : "as each column says",
               word->figure->read);
    if (word->kind == WORD_CLASS) print_class(word);
    if (word->kind == WORD_STATISTIC) print_stat(word->stat);
}

/* "network.request_source_bandwidth" for "network.bandwidth": the nearest of a unit or group that
 * there is; NULL: none of it is near. */
static const char *suggest_of_group(const char *name, const GPtrArray *words)
{
    const char *point = strchr(name, '.');
    const gsize length = point ? (gsize)(point + 1 - name) : 0;
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (guint i = 0; length && i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (!strncmp(word->name, name, length)) g_ptr_array_add(keys, word->name + length);
    }
    g_ptr_array_add(keys, NULL);
    const char *near =
        length ? nearest_name(name + length, (const char *const *)keys->pdata) : NULL;
    return near ? near - length : NULL;
}

/* Of a key in [workload] or [kernel NAME] the group is right and only the key is to be found. */
static const char *suggest(const char *name, const GPtrArray *words)
{
    const char *key = vocabulary_workload_key(name);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (key && !word->of_workload) continue;
        if (!key) g_ptr_array_add(names, word->name);
        g_ptr_array_add(names, (gpointer)word->short_name);
    }
    for (const PerfectComponent *c = perfect_components(); c->name && !key; c++)
        g_ptr_array_add(names, (gpointer)c->name);
    g_ptr_array_add(names, NULL);
    return nearest_name(key ? key : name, (const char *const *)names->pdata);
}

static Status reject(const char *name, const GPtrArray *words)
{
    const char *near = suggest_of_group(name, words);
    if (!near) near = suggest(name, words);
    if (near) return command_reject("explain %s: unknown; did you mean '%s'?", name, near);
    return command_reject("explain %s: unknown; 'warpmem list' names everything", name);
}

/* Of those that `why` and `study perfect` name. */
static void print_component(const PerfectComponent *component)
{
    printf("%s (component of a machine, for what-ifs in which it is perfect)\n  %s\n",
           component->name, component->summary);
    if (component->needs) printf("  needs %s\n", component->needs);
    perfect_print_settings(component, stdout);
}

/* All words of that name; those of another unit are found by what stands after the point, too. */
static Status explain(const char *name)
{
    g_autoptr(GPtrArray) words = vocabulary_new();
    guint found = 0;
    for (guint i = 0; i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (!word_is_called(word, name)) continue;
        printf("%s%s (%s)\n  %s\n", found++ ? "\n" : "", word->name, kind_name(word->kind),
               word->summary);
        print_details(word);
    }
    const PerfectComponent *component = perfect_find(name);
    if (component) {
        if (found++) printf("\n");
        print_component(component);
    }
    return found ? STATUS_DONE : reject(name, words);
}

Status command_explain(int argc, char **argv)
{
    const CommandLine line = {
        .usage = "explain NAME",
        .summary =
            "Explains a unit, a parameter (l1.ways, workload.unroll), a statistic (sm.load_latency), a class\n"
            "of requests (load_dram), a stage of their latency (dram_bus), a result (dram_gbps), a pattern,\n"
            "a preset, a DRAM part, a scenario, a report's figure, a channel (l1.to_sm), a resource (l1.prt),\n"
            "storage (l1.prt_bits) or a component that 'why' makes perfect (l1_bandwidth).",
        .least = 1,
        .most = 1,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? explain(argv[1]) : status;
}
