#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/command.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* What can be listed; words of the tables, or files of the catalogue. */
typedef struct {
    const char *name;
    WordKind kinds[2];
    char *(*directory)(void);
} Topic;

static const Topic topics[] = {
    {"presets", {0}, catalogue_preset_directory},
    {"parts", {0}, catalogue_part_directory},
    {"scenarios", {0}, catalogue_scenario_directory},
    {"units", {WORD_UNIT, WORD_GROUP}, NULL},
    {"channels", {WORD_CHANNEL, WORD_CHANNEL}, NULL},
    {"workloads", {WORD_PATTERN, WORD_PATTERN}, NULL},
    {"parameters", {WORD_PARAMETER, WORD_PARAMETER}, NULL},
    {"statistics", {WORD_STATISTIC, WORD_STATISTIC}, NULL},
    {"resources", {WORD_RESOURCE, WORD_CHANNEL}, NULL},
    {"storage", {WORD_STORAGE, WORD_STORAGE}, NULL},
    {"classes", {WORD_CLASS, WORD_CLASS}, NULL},
    {"stages", {WORD_STAGE, WORD_STAGE}, NULL},
    {"results", {WORD_RESULT, WORD_RESULT}, NULL},
    {"figures", {WORD_FIGURE, WORD_FIGURE}, NULL},
};

enum { MEMBERS = 4 };

/* Name, what else is known (a parameter's default, a result's unit) and summary of one line. */
typedef struct {
    char *name, *summary;
    struct {
        const char *key;
        char *text; /* NULL: not of this one */
    } member[MEMBERS];
    guint members;
} Line;

static void line_free(gpointer data)
{
    Line *line = data;
    g_free(line->name);
    for (guint i = 0; i < line->members; i++) g_free(line->member[i].text);
    g_free(line->summary);
    g_free(line);
}

static Line *add_line(GPtrArray *lines, const char *name, const char *summary)
{
    Line *line = g_new0(Line, 1);
    *line = (Line){.name = g_strdup(name), .summary = g_strdup(summary)};
    g_ptr_array_add(lines, line);
    return line;
}

static void add_member(Line *line, const char *key, const char *text)
{
    g_assert(line->members < MEMBERS);
    line->member[line->members].key = key;
    line->member[line->members++].text = g_strdup(text);
}

static void describe_unit(Line *line, const UnitClass *unit)
{
    add_member(line, "per", unit ? unit_per_name(unit->per) : NULL);
    add_member(line, "clock", unit ? unit_clock_name(unit->clock) : NULL);
    add_member(line, "place", unit ? unit_place_name(unit->place) : NULL);
}

static void describe_channel(Line *line, const ChannelRow *row)
{
    g_autofree char *end = channel_end(row);
    add_member(line, "to", end);
    add_member(line, "delay", row->delay.name);
    add_member(line, "capacity", row->capacity.name);
    add_member(line, "credit", row->credit.name);
}

/* What it can do at once, or holds. */
static void describe_resource(Line *line, const Word *word)
{
    const ResourceRow *row = word->resource;
    const Param *capacity = class_find_capacity(word->unit, row);
    g_autofree char *name = capacity ? g_strdup_printf("%s.%s", word->unit->name, capacity->name)
                                     : g_strdup(row->capacity ? "derived" : "1");
    add_member(line, "kind", resource_is_server(row) ? "server" : "place");
    add_member(line, "capacity", name);
}

static void describe_place(Line *line, const ChannelRow *row)
{
    add_member(line, "kind", "place");
    add_member(line, "capacity", row->capacity.name);
}

static void list_files(GPtrArray *lines, const Topic *topic)
{
    g_autofree char *directory = topic->directory();
    g_auto(GStrv) names = catalogue_list(directory);
    for (char **name = names; *name; name++) {
        g_autofree char *title = catalogue_title(directory, *name);
        add_line(lines, *name, title);
    }
}

static void add_word(GPtrArray *lines, const Topic *topic, const Word *word)
{
    const bool as_resource = topic->kinds[0] == WORD_RESOURCE;
    if (as_resource && word->channel && !word->channel->capacity.name) return;
    g_autofree char *summary =
        g_strconcat(word->summary, word->stat ? stat_series_note(word->stat) : "", NULL);
    Line *line = add_line(lines, word->name, summary);
    if (word->param) add_member(line, "default", word->param->default_text);
    if (word->result) add_member(line, "unit", word->result->unit);
    if (word->kind == WORD_UNIT || word->kind == WORD_GROUP) describe_unit(line, word->unit);
    if (word->resource) describe_resource(line, word);
    if (word->channel && as_resource) describe_place(line, word->channel);
    if (word->channel && !as_resource) describe_channel(line, word->channel);
}

static void list_words(GPtrArray *lines, const Topic *topic)
{
    g_autoptr(GPtrArray) words = vocabulary_new();
    for (guint i = 0; i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (word->kind != topic->kinds[0] && word->kind != topic->kinds[1]) continue;
        add_word(lines, topic, word);
    }
}

static void print_text(const GPtrArray *lines)
{
    g_autoptr(Table) table = table_new();
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = lines->pdata[i];
        table_row(table);
        table_cell(table, "%s", line->name);
        for (guint k = 0; k < line->members; k++)
            table_note(table, "%s", line->member[k].text ? line->member[k].text : "");
        table_note(table, "%s", line->summary);
    }
    table_print(table, stdout);
}

static void print_json(const GPtrArray *lines)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = lines->pdata[i];
        json_builder_begin_object(json);
        json_put_text(json, "name", line->name);
        for (guint k = 0; k < line->members; k++)
            if (line->member[k].text)
                json_put_text(json, line->member[k].key, line->member[k].text);
        json_put_text(json, "summary", line->summary);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    fputs(text, stdout);
}

static Status list(const Topic *topic, bool json)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(line_free);
    if (topic->directory)
        list_files(lines, topic);
    else
        list_words(lines, topic);
    if (json)
        print_json(lines);
    else
        print_text(lines);
    return STATUS_DONE;
}

static Status list_everything(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(topics); i++) {
        printf("%s%s\n", i ? "\n" : "", topics[i].name);
        list(&topics[i], false);
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
