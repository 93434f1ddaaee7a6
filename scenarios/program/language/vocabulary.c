#include "scenarios/program/language/vocabulary.h"

#include <string.h>

#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/study/dimensions/design.h"
#include "workloads/array_groups.h"

static void word_free(gpointer data)
{
    Word *word = data;
    g_free(word->name);
    g_free((char *)word->summary);
    g_free(word);
}

static void add(GPtrArray *words, const Word *word)
{
    Word *copy = g_memdup2(word, sizeof *word);
    const char *point = strrchr(copy->name, '.');
    copy->summary = g_strdup(word->summary);
    copy->short_name = point ? point + 1 : copy->name;
    g_ptr_array_add(words, copy);
}

static const UnitClass *find_unit(const char *name)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        if (!strcmp((*unit)->name, name)) return *unit;
    return NULL;
}

static void add_groups(GPtrArray *words)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        add(words, &(Word){WORD_UNIT, g_strdup((*unit)->name), .summary = (*unit)->summary,
                           .unit = *unit});
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        if (!find_unit((*group)->name))
            add(words, &(Word){WORD_GROUP, g_strdup((*group)->name), .summary = (*group)->summary,
                               .group = *group});
    add(words, &(Word){WORD_GROUP, g_strdup(workload_group.name), .summary = workload_group.summary,
                       .group = &workload_group});
    add(words, &(Word){WORD_GROUP, g_strdup(array_group.name), .summary = array_group.summary,
                       .group = &array_group});
    add(words, &(Word){WORD_GROUP, g_strdup(study_group.name), .summary = study_group.summary,
                       .group = &study_group});
    for (const WorkloadClass *const *pattern = workload_classes(); *pattern; pattern++)
        add(words, &(Word){WORD_PATTERN, g_strdup((*pattern)->name), .summary = (*pattern)->summary,
                           .pattern = *pattern});
}

static void add_params(GPtrArray *words, const ParamGroup *group, bool of_workload)
{
    for (const Param *param = group->params; param && param->name; param++)
        add(words, &(Word){WORD_PARAMETER, g_strdup_printf("%s.%s", group->name, param->name),
                           .summary = param->summary, .param = param, .named = group->named,
                           .of_workload = of_workload});
}

static void add_stats(GPtrArray *words, const UnitClass *unit)
{
    for (const Stat *stat = unit->stats; stat && stat->name; stat++)
        add(words, &(Word){WORD_STATISTIC, g_strdup_printf("%s.%s", unit->name, stat->name),
                           .summary = stat->summary, .unit = unit, .stat = stat});
}

static void add_classes(GPtrArray *words, const UnitClass *unit)
{
    for (const Stat *stat = unit->stats; stat && stat->name; stat++)
        if (stat->type == STAT_STAGES)
            add(words, &(Word){WORD_CLASS, g_strdup(stat_request_class(stat)),
                               .summary = stat->summary, .unit = unit, .stat = stat});
}

static void add_resources(GPtrArray *words, const UnitClass *unit)
{
    for (const ResourceRow *row = unit->resources; row && row->name; row++)
        add(words, &(Word){WORD_RESOURCE, g_strdup_printf("%s.%s", unit->name, row->name),
                           .summary = row->summary, .unit = unit, .resource = row});
}

static void add_storage(GPtrArray *words, const UnitClass *unit)
{
    for (const StorageRow *row = unit->storage; row && row->name; row++)
        add(words, &(Word){WORD_STORAGE, g_strdup_printf("%s.%s", unit->name, row->name),
                           .summary = row->summary, .unit = unit, .storage = row});
}

/* What is sent stands in the table of the sender's ports. */
static void add_channels(GPtrArray *words)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        const UnitClass *unit = find_unit(row->from ? row->from : row->to);
        const PortRow *port = class_find_port(unit, row->from ? row->output : row->input);
        add(words, &(Word){WORD_CHANNEL, channel_name(row), .summary = port->summary, .unit = unit,
                           .channel = row});
    }
}

static void add_files(GPtrArray *words, WordKind kind, char *directory)
{
    g_auto(GStrv) names = catalogue_list(directory);
    for (char **name = names; *name; name++) {
        g_autofree char *title = catalogue_title(directory, *name);
        add(words, &(Word){kind, g_strdup(*name), .summary = title});
    }
    g_free(directory);
}

GPtrArray *vocabulary_new(void)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(word_free);
    add_groups(words);
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        add_params(words, *group, false);
    add_params(words, &workload_group, true);
    add_params(words, &array_group, false);
    add_params(words, &study_group, false);
    for (const WorkloadClass *const *pattern = workload_classes(); *pattern; pattern++)
        add_params(words, &(ParamGroup){(*pattern)->name, NULL, (*pattern)->params, false}, true);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        add_stats(words, *unit);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        add_classes(words, *unit);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        add(words,
            &(Word){WORD_STAGE, g_strdup(stage_name(stage)), .summary = stage_summary(stage)});
    for (const ResultColumn *column = result_columns(); column->name; column++)
        add(words, &(Word){WORD_RESULT, g_strdup(column->name), .summary = column->summary,
                           .result = column});
    add_files(words, WORD_PRESET, catalogue_preset_directory());
    add_files(words, WORD_PART, catalogue_part_directory());
    add_files(words, WORD_SCENARIO, catalogue_scenario_directory());
    for (const FigureTopic *topic = figure_topics(); topic->name; topic++)
        add(words,
            &(Word){WORD_FIGURE, g_strdup(topic->name), .summary = topic->shows, .figure = topic});
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        add_resources(words, *unit);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        add_storage(words, *unit);
    add_channels(words);
    return words;
}

char *word_key(const Word *word)
{
    if (word->of_workload) return g_strdup_printf("%s.%s", workload_group.name, word->short_name);
    const int group = (int)strcspn(word->name, ".");
    return word->named ? g_strdup_printf("%.*s NAME%s", group, word->name, word->name + group)
                       : g_strdup(word->name);
}

const char *vocabulary_workload_key(const char *name)
{
    const char *point = strchr(name, '.');
    const bool of_workload =
        g_str_has_prefix(name, "workload.") || (g_str_has_prefix(name, "kernel ") && point);
    return of_workload ? point + 1 : NULL;
}

/* "link.removed" of "link x.removed", newly allocated; NULL: it is of no group with a name. */
static char *leave_name_out(const char *name)
{
    const char *space = strchr(name, ' '), *point = strrchr(name, '.');
    if (!space || !point || point < space) return NULL;
    return g_strdup_printf("%.*s%s", (int)(space - name), name, point);
}

bool word_is_called(const Word *word, const char *name)
{
    g_autofree char *of_group = leave_name_out(name);
    if (of_group && !strcmp(word->name, of_group)) return true;
    const char *key = vocabulary_workload_key(name);
    if (key && word->of_workload && !strcmp(word->short_name, key)) return true;
    return !strcmp(word->name, name) || !strcmp(word->short_name, name);
}

char *perfect_role_text(const PerfectRole *role)
{
    return g_strconcat(role->value ? role->value : "unset", role->only_if ? ", where " : "",
                       role->only_if, NULL);
}

const char *doubling_name(Doubling doubling)
{
    switch (doubling) {
    case DOUBLING_NONE: return "";
    case TWICE: return "twice";
    case HALF: return "half";
    }
    return "?";
}

const char *stat_series_note(const Stat *stat)
{
    return stat->over_time ? "; series" : "";
}

const char *stat_type_name(StatType type)
{
    switch (type) {
    case STAT_COUNT: return "count";
    case STAT_BYTES: return "bytes";
    case STAT_TIME: return "sum of durations, fs";
    case STAT_LEVEL: return "occupancy over time";
    case STAT_HISTOGRAM: return "distribution of durations";
    case STAT_STAGES: return "latency by stage";
    case STAT_RANKING: return "addresses with the highest counts";
    case STAT_HEAVY: return "addresses with the highest counts, each with a bound of its error";
    case STAT_BANKS: return "a count for each bank";
    }
    return "?";
}

const char *port_direction(PortKind kind)
{
    switch (kind) {
    case PORT_IN: return "in";
    case PORT_OUT: return "out";
    case PORT_IN_ARRAY: return "in, several";
    case PORT_OUT_ARRAY: return "out, several";
    }
    return "?";
}

char *port_ends(const UnitClass *unit, const PortRow *port)
{
    g_autoptr(GPtrArray) ends = g_ptr_array_new_with_free_func(g_free);
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        if (!g_strcmp0(row->from, unit->name) && !strcmp(row->output, port->name))
            g_ptr_array_add(ends, channel_end(row));
        if (row->from && !strcmp(row->to, unit->name) && !strcmp(row->input, port->name))
            g_ptr_array_add(ends, channel_name(row));
    }
    g_ptr_array_add(ends, NULL);
    return g_strjoinv(", ", (char **)ends->pdata);
}

char *resource_capacity(const UnitClass *unit, const ResourceRow *row)
{
    const Param *capacity = class_find_capacity(unit, row);
    if (capacity) return g_strdup_printf("%s.%s", unit->name, capacity->name);
    return g_strdup(row->capacity ? "derived" : "1");
}
