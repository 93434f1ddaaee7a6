#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/program/command.h"
#include "scenarios/program/cost/storage.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/origin/place.h"
#include "scenarios/program/picture/picture.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/output_option.h"
#include "scenarios/program/say/table.h"

static char *describe_place(const Setting *setting, Places *places)
{
    if (!setting) return g_strdup("default");
    if (!setting->file) return g_strdup("--set");
    g_autofree char *file = catalogue_display(setting->file);
    return g_strdup_printf("%s:%d%s", file, setting->line,
                           places_assumed(places, setting) ? PLACE_ASSUMED : "");
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
    g_autoptr(Places) places = places_new();
    const char *group = NULL;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *place = describe_place(value->setting, places);
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
    g_autoptr(Places) places = places_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *name = g_strdup_printf("%s.%s", value->group, value->key);
        g_autofree char *origin = value->setting && value->setting->file
                                      ? describe_place(value->setting, places)
                                      : places_origin(places, value->setting);
        json_builder_begin_object(json);
        json_put_text(json, "name", name);
        json_put_text(json, "value", value->value);
        json_put_text(json, "origin", origin);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    fputs(text, stdout);
}

typedef struct {
    char **sets;
    char *variant, *output;
    gboolean json, picture, storage;
} Options;

/* The variant asked for, of a scenario or of a preset. */
typedef struct {
    Scenario *scenario; /* holds `variant` */
    const Variant *variant;
} Shown;

static void shown_clear(Shown *shown)
{
    scenario_free(shown->scenario);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Shown, shown_clear)

/* The path of the preset `name`, newly allocated; NULL where that names something else. */
static char *find_preset(const char *name)
{
    if (strchr(name, '/')) return NULL;
    g_autofree char *scenarios = catalogue_scenario_directory(),
                    *presets = catalogue_preset_directory();
    g_autofree char *scenario = catalogue_find(scenarios, name);
    return scenario ? NULL : catalogue_find(presets, name);
}

static bool shown_load(Shown *shown, const char *name, const Options *options, GError **error)
{
    g_autofree char *preset = find_preset(name);
    shown->scenario =
        scenario_load(preset ? preset : name, (const char *const *)options->sets, error);
    shown->variant = shown->scenario ? scenario_find_variant(
                         shown->scenario, options->variant ? options->variant : "baseline", error)
                                     : NULL;
    return shown->variant;
}

/* Of a machine without a workload its own. */
static GPtrArray *resolve(const Variant *variant, GError **error)
{
    if (!variant_is_machine(variant))
        return variant_check(variant, error) ? resolve_values(variant->configuration, error) : NULL;
    return variant_check_machine(variant, error) ? resolve_machine(variant->configuration, error)
                                                 : NULL;
}

static Status show(const char *name, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_auto(Shown) shown = {0};
    if (!shown_load(&shown, name, options, &error)) return command_reject("%s", error->message);
    g_autoptr(GPtrArray) values = resolve(shown.variant, &error);
    const bool studied = configuration_size(shown.scenario->study);
    if (!values || (studied && !resolve_study(shown.scenario->study, values, &error)))
        return command_reject("%s", error->message);
    if (options->json)
        print_json(values);
    else
        print_text(values);
    return STATUS_DONE;
}

/* --- the machine as a picture ----------------------------------------------------------------- */

/* NULL with error. */
static Machine *load_machine(const char *name, const Options *options, GError **error)
{
    g_auto(Shown) shown = {0};
    if (!shown_load(&shown, name, options, error) || !variant_check_machine(shown.variant, error))
        return NULL;
    g_autoptr(Configuration) configuration = variant_machine_configuration(shown.variant);
    return machine_new(configuration, NULL, error);
}

static Status draw(const char *name, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Machine) machine = load_machine(name, options, &error);
    if (!machine) return command_reject("%s", error->message);
    GString *svg = picture_of_machine(machine);
    const bool written = output_option_write(options->output ? options->output : "-", svg, &error);
    g_string_free(svg, TRUE);
    return written ? STATUS_DONE : command_reject("%s", error->message);
}

/* --- what it stores --------------------------------------------------------------------------- */

static Status show_storage(const char *name, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Machine) machine = load_machine(name, options, &error);
    if (!machine) return command_reject("%s", error->message);
    g_autoptr(JsonNode) storage = storage_json(machine);
    if (options->json) {
        g_autofree char *text = json_text(storage);
        fputs(text, stdout);
    } else
        storage_print(storage, stdout);
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
        {"picture", 0, 0, G_OPTION_ARG_NONE, &options.picture,
         "draw the machine, of a scenario or a preset, as SVG", NULL},
        {"storage", 0, 0, G_OPTION_ARG_NONE, &options.storage,
         "the bits that the machine, of a scenario or a preset, keeps its state in", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "with --picture: where it goes; standard output without it", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "show SCENARIO|PRESET [--variant NAME] [--set GROUP.KEY=VALUE]... "
                 "[--json] [--storage | --picture [-o FILE]]",
        .summary =
            "Prints the resolved configuration: every parameter, its value, and where that came from.\n"
            "Or draws the machine: its units and the channels between them. Or prints what it stores.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    const bool go = command_parse(&line, &argc, &argv, &status);
    if (go && options.json && options.picture)
        status = command_reject("show --picture: draws, and prints no JSON");
    else if (go && options.output && !options.picture)
        status = command_reject("show -o %s: only with --picture", options.output);
    else if (go && options.storage && options.picture)
        status = command_reject("show --storage: prints a table, and --picture draws");
    else if (go)
        status = options.picture   ? draw(argv[1], &options)
                 : options.storage ? show_storage(argv[1], &options)
                                   : show(argv[1], &options);
    g_strfreev(options.sets);
    g_free(options.variant);
    g_free(options.output);
    return status;
}
