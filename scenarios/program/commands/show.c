#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/program/command.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

static char *describe_place(const Setting *setting)
{
    if (!setting) return g_strdup("default");
    if (!setting->file) return g_strdup("--set");
    g_autofree char *file = catalogue_display(setting->file);
    return g_strdup_printf("%s:%d", file, setting->line);
}

/* A value of several lines is only hinted at. */
static char *short_value(const char *value)
{
    if (!strchr(value, '\n')) return g_strdup(value);
    guint lines = 1;
    for (const char *c = value; *c; c++) lines += *c == '\n';
    return g_strdup_printf("(%u lines)", lines);
}

static void print_text(const GPtrArray *values)
{
    g_autoptr(Table) table = table_new();
    const char *group = NULL;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *place = describe_place(value->setting);
        g_autofree char *text = short_value(value->value);
        if (!group || strcmp(group, value->group)) {
            table_row(table);
            table_cell(table, "[%s]", value->group);
        }
        group = value->group;
        table_row(table);
        table_cell(table, "  %s", value->key);
        table_note(table, "%s", text);
        table_note(table, "%s", place);
    }
    table_print(table, stdout);
}

static void print_json(const GPtrArray *values)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *place = describe_place(value->setting);
        json_builder_begin_object(json);
        json_put_text(json, "group", value->group);
        json_put_text(json, "key", value->key);
        json_put_text(json, "value", value->value);
        json_put_text(json, "from", place);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    fputs(text, stdout);
}

typedef struct {
    char **sets;
    char *variant;
    gboolean json;
} Options;

static Status show(const char *path, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = scenario_load(path, (const char *const *)options->sets, &error);
    const char *name = options->variant ? options->variant : "baseline";
    const Variant *variant = scenario ? scenario_find_variant(scenario, name, &error) : NULL;
    g_autoptr(GPtrArray) values = variant && variant_check(variant, &error)
                                      ? resolve_values(variant->configuration, &error)
                                      : NULL;
    const bool studied = scenario && configuration_size(scenario->study);
    if (!values || (studied && !resolve_study(scenario->study, values, &error)))
        return command_reject("%s", error->message);
    if (options->json)
        print_json(values);
    else
        print_text(values);
    return STATUS_DONE;
}

Status command_show(int argc, char **argv)
{
    Options options = {0};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        {"variant", 'v', 0, G_OPTION_ARG_STRING, &options.variant,
         "this variant instead of the baseline", "NAME"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "show SCENARIO [--variant NAME] [--set GROUP.KEY=VALUE]... [--json]",
        .summary =
            "Prints the resolved configuration: every parameter, its value, and where that came from.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    const bool go = command_parse(&line, &argc, &argv, &status);
    if (go) status = show(argv[1], &options);
    g_strfreev(options.sets);
    g_free(options.variant);
    return status;
}
