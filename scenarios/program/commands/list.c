#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/command.h"
#include "scenarios/program/commands/word_json.h"
#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* What can be listed; words of one kind or two. */
typedef struct {
    const char *name;
    WordKind kinds[2];
} Topic;

static const Topic topics[] = {
    {"presets", {WORD_PRESET, WORD_PRESET}},
    {"parts", {WORD_PART, WORD_PART}},
    {"scenarios", {WORD_SCENARIO, WORD_SCENARIO}},
    {"units", {WORD_UNIT, WORD_GROUP}},
    {"channels", {WORD_CHANNEL, WORD_CHANNEL}},
    {"workloads", {WORD_PATTERN, WORD_PATTERN}},
    {"parameters", {WORD_PARAMETER, WORD_PARAMETER}},
    {"statistics", {WORD_STATISTIC, WORD_STATISTIC}},
    {"resources", {WORD_RESOURCE, WORD_CHANNEL}},
    {"storage", {WORD_STORAGE, WORD_STORAGE}},
    {"classes", {WORD_CLASS, WORD_CLASS}},
    {"stages", {WORD_STAGE, WORD_STAGE}},
    {"results", {WORD_RESULT, WORD_RESULT}},
    {"figures", {WORD_FIGURE, WORD_FIGURE}},
};

static bool as_resource(const Topic *topic)
{
    return topic->kinds[0] == WORD_RESOURCE;
}

/* Of channels only those that can be full are resources. */
static bool is_listed(const Topic *topic, const Word *word)
{
    if (word->kind != topic->kinds[0] && word->kind != topic->kinds[1]) return false;
    return !as_resource(topic) || !word->channel || word->channel->capacity.name;
}

/* --- text ------------------------------------------------------------------------------------- */

static void add_note(Table *table, const char *text)
{
    table_note(table, "%s", text ? text : "");
}

static void add_channel(Table *table, const ChannelRow *row)
{
    g_autofree char *end = channel_end(row);
    add_note(table, end);
    add_note(table, row->delay.name);
    add_note(table, row->capacity.name);
    add_note(table, row->credit.name);
}

/* What it can do at once, or holds. */
static void add_resource(Table *table, const Word *word)
{
    g_autofree char *capacity =
        word->channel ? NULL : resource_capacity(word->unit, word->resource);
    const bool server = word->resource && resource_is_server(word->resource);
    add_note(table, server ? "server" : "place");
    add_note(table, capacity ? capacity : word->channel->capacity.name);
}

static void add_unit(Table *table, const UnitClass *unit)
{
    add_note(table, unit ? unit_per_name(unit->per) : NULL);
    add_note(table, unit ? unit_clock_name(unit->clock) : NULL);
    add_note(table, unit ? unit_place_name(unit->place) : NULL);
}

/* Name, what else a line has room for (a parameter's default, a result's unit), and summary. */
static void add_line(Table *table, const Topic *topic, const Word *word)
{
    table_row(table);
    table_cell(table, "%s", word->name);
    if (word->param) add_note(table, word->param->default_text);
    if (word->result) add_note(table, word->result->unit);
    if (topic->kinds[0] == WORD_UNIT) add_unit(table, word->unit);
    if (as_resource(topic)) add_resource(table, word);
    if (topic->kinds[0] == WORD_CHANNEL) add_channel(table, word->channel);
    table_note(table, "%s%s", word->summary, word->stat ? stat_series_note(word->stat) : "");
}

static void print_text(const Topic *topic, const GPtrArray *words)
{
    g_autoptr(Table) table = table_new();
    for (guint i = 0; i < words->len; i++)
        if (is_listed(topic, words->pdata[i])) add_line(table, topic, words->pdata[i]);
    table_print(table, stdout);
}

/* ---------------------------------------------------------------------------------------------- */

static void print_json(const Topic *topic, const GPtrArray *words)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < words->len; i++)
        if (is_listed(topic, words->pdata[i])) word_add_json(json, words->pdata[i]);
    json_builder_end_array(json);
    json_print(json, stdout);
}

static Status list(const Topic *topic, bool json)
{
    g_autoptr(GPtrArray) words = vocabulary_new();
    if (json)
        print_json(topic, words);
    else
        print_text(topic, words);
    return STATUS_DONE;
}

static Status list_everything(void)
{
    g_autoptr(GPtrArray) words = vocabulary_new();
    for (unsigned i = 0; i < G_N_ELEMENTS(topics); i++) {
        printf("%s%s\n", i ? "\n" : "", topics[i].name);
        print_text(&topics[i], words);
    }
    return STATUS_DONE;
}

/* "presets|parts|..." with that between. Newly allocated. */
static char *join_topics(const char *between)
{
    const char *names[G_N_ELEMENTS(topics) + 1] = {NULL};
    for (unsigned i = 0; i < G_N_ELEMENTS(topics); i++) names[i] = topics[i].name;
    return g_strjoinv(between, (char **)names);
}

static Status list_topic(const char *name, bool json)
{
    const char *names[G_N_ELEMENTS(topics) + 1] = {NULL};
    for (unsigned i = 0; i < G_N_ELEMENTS(topics); i++) {
        if (!strcmp(topics[i].name, name)) return list(&topics[i], json);
        names[i] = topics[i].name;
    }
    const char *near = nearest_name(name, names);
    g_autofree char *all = join_topics(", ");
    return command_reject("list %s: there is no such list; %s %s", name,
                          near ? "did you mean" : "there are", near ? near : all);
}

Status command_list(int argc, char **argv)
{
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree char *names = join_topics("|");
    g_autofree char *usage = g_strdup_printf("list [%s] [--json]", names);
    const CommandLine line = {
        .usage = usage,
        .summary = "Lists what there is; everything without an argument.",
        .entries = entries,
        .least = 0,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (argc > 1) return list_topic(argv[1], json);
    return json ? command_reject("list --json: which list?") : list_everything();
}
