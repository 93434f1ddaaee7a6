#include "scenarios/command.h"

#include <stdio.h>
#include <string.h>

#include "kit/param.h"

Status command_reject(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "warpmem: %s\n", g_strdelimit(message, "\n", ' '));
    return STATUS_BAD_INPUT;
}

const char *command_suggest(const char *word, const char *const *names)
{
    const size_t length = strlen(word);
    for (const char *const *name = names; length > 1 && *name; name++)
        if (!g_ascii_strncasecmp(*name, word, length)) return *name;
    return param_nearest(word, names);
}

static Status reject_arguments(const CommandLine *line, int count, char **argv)
{
    if (count < line->least)
        return command_reject("something is missing; usage: warpmem %s", line->usage);
    return command_reject("%s: one argument too many; usage: warpmem %s", argv[line->most + 1],
                          line->usage);
}

static bool is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "-?");
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_help(argv[i])) return true;
    return false;
}

/* GOption would print "Usage: PROGRAM COMMAND OPTION? PARAMETER"; ours is written as the commands
 * are. */
static void print_help(const CommandLine *line, GOptionContext *context)
{
    g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
    const char *options = strstr(help, "\n\n");
    printf("Usage: warpmem %s\n\n%s\n", line->usage, line->summary);
    if (line->entries) printf("%s", options ? options + 1 : help);
    if (line->description) printf("\n%s\n", line->description);
}

bool command_parse(const CommandLine *line, int *argc, char ***argv, Status *status)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    g_option_context_set_help_enabled(context, FALSE);
    if (line->entries) g_option_context_add_main_entries(context, line->entries, NULL);
    if (asks_for_help(*argc, *argv)) {
        print_help(line, context);
        *status = STATUS_DONE;
        return false;
    }
    if (!g_option_context_parse(context, argc, argv, &error)) {
        *status = command_reject("%s; usage: warpmem %s", error->message, line->usage);
        return false;
    }
    if (*argc > 1 && !strcmp((*argv)[1], "--")) {
        memmove(*argv + 1, *argv + 2, sizeof(char *) * (size_t)(*argc - 1));
        (*argc)--;
    }
    if (*argc - 1 >= line->least && *argc - 1 <= line->most) return true;
    *status = reject_arguments(line, *argc - 1, *argv);
    return false;
}
