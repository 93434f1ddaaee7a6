#include <stdio.h>
#include <string.h>

#include "scenarios/program/command.h"
#include "scenarios/program/language/sets.h"
#include "workloads/traces/generate.h"
#include "workloads/traces/summary.h"

/* They are the program's own: who typed the setting knows its key. */
static void leave_groups_out(GError *error)
{
    static const char *const groups[] = {"workload.", "trace."};
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
        g_autofree char *begin = g_strconcat("--set: ", groups[i], NULL);
        if (g_str_has_prefix(error->message, begin)) setting_name_error(groups[i], "", error);
    }
}

static Status generate(const char *recipe, char **settings, const char *directory)
{
    g_autoptr(GError) error = NULL;
    if (!directory)
        return command_reject("trace generate %s: -o DIR says where to write it", recipe);
    if (trace_generate(recipe, (const char *const *)settings, directory, &error)) {
        printf("%s/kernelslist.g\n", directory);
        return STATUS_DONE;
    }
    leave_groups_out(error);
    return command_reject("%s", error->message);
}

static char *describe_recipes(void)
{
    GString *text = g_string_new("Recipes:\n");
    for (const TraceRecipe *recipe = trace_recipes(); recipe->name; recipe++)
        g_string_append_printf(text, "  %-12s %s\n", recipe->name, recipe->summary);
    g_string_append(
        text,
        "KEY is a parameter of the recipe's pattern ('warpmem explain stream') or of the encoding:\n");
    for (const Param *param = trace_encoding_group.params; param->name; param++)
        g_string_append_printf(text, "  %-16s %s%s", param->name, param->summary,
                               param[1].name ? "\n" : "");
    return g_string_free(text, FALSE);
}

static Status command_generate(int argc, char **argv)
{
    g_auto(GStrv) settings = NULL;
    g_autofree char *directory = NULL;
    g_autofree char *description = describe_recipes();
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &settings, "a parameter; may be repeated",
         "KEY=VALUE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &directory, "the folder to write", "DIR"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "trace generate RECIPE -o DIR [--set KEY=VALUE]...",
        .summary = "Writes a trace in Accel-Sim's format: kernelslist.g and a file a kernel.",
        .description = description,
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? generate(argv[1], settings, directory)
                                                       : status;
}

static Status command_info(int argc, char **argv)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const CommandLine line = {
        .usage = "trace info PATH",
        .summary =
            "Describes a trace without simulating it. PATH is a kernelslist.g, its folder, or one .traceg file.",
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (!trace_describe(argv[1], text, &error)) return command_reject("%s", error->message);
    fputs(text->str, stdout);
    return STATUS_DONE;
}

Status command_trace(int argc, char **argv)
{
    static const Command verbs[] = {
        {"generate", "RECIPE -o DIR", "write a trace", command_generate},
        {"info", "PATH", "describe a trace without simulating it", command_info},
        {NULL, NULL, NULL, NULL},
    };
    const char *word = argc > 1 ? argv[1] : "";
    if (completion_answer_verbs("trace", verbs, argc, argv)) return STATUS_DONE;
    for (const Command *verb = verbs; verb->name; verb++)
        if (!strcmp(verb->name, word)) return verb->run(argc - 1, argv + 1);
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        printf(
            "Usage: warpmem trace generate|info ...\n\nWrites a trace, or describes one; see 'trace generate --help'.\n");
        return STATUS_DONE;
    }
    if (!*word) word = "(nothing)";
    return command_reject(
        "trace %s: there are 'trace generate RECIPE -o DIR' and 'trace info PATH'", word);
}
