/* `warpmem reference`: every parameter, statistic, port, class of requests, stage and result as a
 * Markdown page, made from the tables. */
#include <stdio.h>

#include "kit/describe/role.h"
#include "scenarios/program/completion/completion.h"
#include "scenarios/program/language/vocabulary.h"

/* A bar would end the table's cell. */
static char *escape(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "|", -1);
    return g_strjoinv("\\|", parts);
}

static bool has_roles(const Param *params)
{
    for (const Param *param = params; param->name; param++)
        if (param->perfect || param->doubling || param->relieves) return true;
    return false;
}

/* "`l1_capacity` >= 4 MiB, where ...; twice", "relieves `l1_capacity`; another choice": one cell. */
static void print_roles(const Param *param)
{
    for (const PerfectRole *role = param->perfect; role && role->component; role++) {
        g_autofree char *text = perfect_role_text(role);
        printf(" `%s` %s;", role->component, text);
    }
    if (param->relieves) printf(" relieves `%s`;", param->relieves);
    const char *other = param->relieves ? "another choice" : "-";
    printf(" %s |", param->doubling ? doubling_name(param->doubling) : other);
}

static void print_params(const Param *params)
{
    if (!params || !params->name) return;
    const bool roles = has_roles(params);
    printf("\n| parameter | default | allowed | what |%s\n|---|---|---|---|%s\n",
           roles ? " perfect; doubled, or chosen |" : "", roles ? "---|" : "");
    for (const Param *param = params; param->name; param++) {
        g_autofree char *range = param_describe_range(param);
        g_autofree char *allowed = escape(range), *summary = escape(param->summary);
        printf("| `%s` | %s | %s | %s |", param->name,
               *param->default_text ? param->default_text : "-", allowed, summary);
        if (roles) print_roles(param);
        printf("\n");
    }
}

static void print_stats(const Stat *stats)
{
    if (!stats->name) return;
    printf(
        "\n| statistic | kind | what | nearest Nsight Compute metric | role |\n|---|---|---|---|---|\n");
    for (const Stat *stat = stats; stat->name; stat++) {
        g_autofree char *summary = escape(stat->summary), *roles = stat_describe_roles(stat);
        printf("| `%s` | %s%s | %s | %s | %s |\n", stat->name, stat_type_name(stat->type),
               stat_series_note(stat), summary, stat->nsight ? stat->nsight : "-", roles);
    }
}

static void print_ports(const PortRow *ports)
{
    printf("\n| port | direction | what |\n|---|---|---|\n");
    for (const PortRow *port = ports; port->name; port++)
        printf("| `%s` | %s | %s |\n", port->name,
               port->kind == PORT_IN || port->kind == PORT_IN_ARRAY ? "in" : "out", port->summary);
}

static void print_resources(const UnitClass *unit)
{
    if (!unit->resources || !unit->resources->name) return;
    printf("\n| resource | kind | of | refuses | feeds | what |\n|---|---|---|---|---|---|\n");
    for (const ResourceRow *row = unit->resources; row->name; row++) {
        const Param *capacity = class_find_capacity(unit, row);
        printf("| `%s` | %s | %s %s | %s | %s | %s |\n", row->name,
               resource_is_server(row) ? "server" : "place",
               capacity        ? capacity->name
               : row->capacity ? "derived"
                               : "1",
               row->unit ? row->unit : "", row->refuses ? row->refuses : "-",
               row->feeds ? row->feeds : "-", row->summary);
    }
}

static void print_storage(const StorageRow *row)
{
    if (!row) return;
    printf("\n| storage | of | what |\n|---|---|---|\n");
    for (; row->name; row++)
        printf("| `%s` | %s | %s |\n", row->name,
               row->places  ? row->places
               : row->input ? row->input
                            : "-",
               row->summary);
}

static void print_unit(const UnitClass *unit)
{
    g_autofree char *path = unit_path_pattern(unit);
    printf("\n%s, %s, %s: `%s`.\n", unit_per_name(unit->per), unit_clock_name(unit->clock),
           unit_place_name(unit->place), path);
    print_params(unit->params);
    print_stats(unit->stats);
    print_resources(unit);
    print_storage(unit->storage);
    print_ports(unit->ports);
}

static const char *name_or_dash(const ChannelParam *param)
{
    return param->name ? param->name : "-";
}

static void print_channel(const ChannelRow *row)
{
    g_autofree char *end = channel_end(row), *name = channel_name(row),
                    *others = channel_others(row);
    printf("| `%s` | `%s` | %s | %s | %s | %s%s%s |\n", row->from ? name : "SimGrid", end,
           name_or_dash(&row->delay), name_or_dash(&row->capacity), name_or_dash(&row->credit),
           channel_mapping_name(row->mapping), *others ? "; unless there is: " : "", others);
}

static void print_word(const Word *word)
{
    switch (word->kind) {
    case WORD_UNIT:
        printf("\n### `[%s]`\n\n%s\n", word->name, word->summary);
        print_unit(word->unit);
        break;
    case WORD_CHANNEL: print_channel(word->channel); break;
    case WORD_GROUP:
        printf("\n### `[%s]`\n\n%s\n", word->name, word->summary);
        print_params(word->group->params);
        break;
    case WORD_PATTERN:
        printf("\n### `pattern = %s`\n\n%s\n", word->name, word->summary);
        print_params(word->pattern->params);
        break;
    case WORD_CLASS:
        printf("| `%s` | `%s.%s` | %s |\n", word->name, word->unit->name, word->stat->name,
               word->summary);
        break;
    case WORD_STAGE: printf("| `%s` | %s |\n", word->name, word->summary); break;
    case WORD_RESULT:
        printf("| `%s` | %s | %s | %s |\n", word->name,
               *word->result->unit ? word->result->unit : "-", better_name(word->result->better),
               word->summary);
        break;
    case WORD_FIGURE: {
        const char *unit = word->figure->unit;
        printf("| `%s` | %s | %s | %s | %s |\n", word->name, word->figure->title,
               *unit ? unit : "-", word->summary, word->figure->read);
        break;
    }
    case WORD_PRESET:
    case WORD_PART:
    case WORD_SCENARIO: break;
    case WORD_PARAMETER:
    case WORD_STATISTIC:
    case WORD_STORAGE:
    case WORD_RESOURCE: break; /* with their unit, group or pattern */
    }
}

static void print_words(const GPtrArray *words, WordKind kind)
{
    for (guint i = 0; i < words->len; i++)
        if (((const Word *)words->pdata[i])->kind == kind) print_word(words->pdata[i]);
}

Status command_reference(int argc, char **argv)
{
    gboolean man = FALSE;
    const GOptionEntry entries[] = {
        {"man", 0, 0, G_OPTION_ARG_NONE, &man, "print the manual page, for man(1), instead", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "reference [--man]",
        .summary =
            "Prints the reference of all parameters, statistics, classes of requests, stages, results and\n"
            "figures as Markdown.",
        .entries = entries,
        .least = 0,
        .most = 0,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (man) {
        completion_print(&shell_man, stdout);
        return STATUS_DONE;
    }
    g_autoptr(GPtrArray) words = vocabulary_new();
    printf(
        "# Reference\n\nMade by `warpmem reference` from the tables in the source.\n"
        "\n## Groups of parameters\n\n*Perfect; doubled* says what a parameter is set to where a "
        "component that it is part of is perfect (`study perfect`), and what a what-if makes of "
        "its value that doubles the part: twice or half of it, or nothing (-).\n");
    print_words(words, WORD_GROUP);
    printf(
        "\n## Workload patterns\n\nKeys that stand beside `pattern` in `[workload]` or `[kernel NAME]`.\n");
    print_words(words, WORD_PATTERN);
    printf(
        "\n## Units\n\nA statistic that is marked *series* is also collected over time: `profile.series` of `result.json`.\n");
    print_words(words, WORD_UNIT);
    printf(
        "\n## Channels\n\nBetween units. Without a capacity the receiver has reserved room; a credit comes back after a cycle of the receiver where none is given.\n\n| from | to | delay | capacity | credit | between |\n|---|---|---|---|---|---|\n");
    print_words(words, WORD_CHANNEL);
    printf(
        "\n## Classes of requests\n\nWhat results tell of requests is told by class.\n\n| class | counted by | what |\n|---|---|---|\n");
    print_words(words, WORD_CLASS);
    printf(
        "\n## Stages\n\nA request is in exactly one stage at any time; the stages sum up to its latency.\n\n| stage | what |\n|---|---|\n");
    print_words(words, WORD_STAGE);
    printf(
        "\n## Results\n\nColumns of a study's results, from each run's `result.json`; `better` says which way a design is better.\n\n| result | unit | better | what |\n|---|---|---|---|\n");
    print_words(words, WORD_RESULT);
    printf(
        "\n## Figures of reports\n\nTheir captions.\n\n| figure | title | unit | what is shown | how to read it |\n|---|---|---|---|---|\n");
    print_words(words, WORD_FIGURE);
    return STATUS_DONE;
}
