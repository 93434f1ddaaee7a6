#include "scenarios/program/complain.h"

#include <stdio.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "kit/describe/param.h"

Status command_reject(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "warpmem: %s\n", g_strdelimit(message, "\n", ' '));
    return STATUS_BAD_INPUT;
}

/* The long option that was probably meant by `word`; NULL: `word` is none that is unknown. */
static const char *find_near_option(const CommandLine *line, const char *word)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *name = g_strndup(word + 2, strcspn(word + 2, "="));
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++) {
        if (!strcmp(entry->long_name, name)) return NULL;
        g_ptr_array_add(names, (gpointer)entry->long_name);
    }
    g_ptr_array_add(names, NULL);
    return nearest_name(name, (const char *const *)names->pdata);
}

static Status reject_option(const CommandLine *line, char **argv, const GError *error)
{
    const bool unknown = g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION);
    for (char **word = argv + 1; unknown && *word && strcmp(*word, "--") != 0; word++) {
        const char *near = g_str_has_prefix(*word, "--") ? find_near_option(line, *word) : NULL;
        if (near && strstr(error->message, *word))
            return command_reject("%s; did you mean --%s? usage: warpmem %s", error->message, near,
                                  line->usage);
    }
    return command_reject("%s; usage: warpmem %s", error->message, line->usage);
}

/* The option that a word begins; NULL: none. `*value` is what stands behind '=', if it does. */
static const GOptionEntry *find_option(const GOptionEntry *entries, const char *word,
                                       const char **value)
{
    const gsize length = strcspn(word, "=");
    const bool is_long = g_str_has_prefix(word, "--");
    *value = is_long && word[length] ? word + length + 1 : NULL;
    for (const GOptionEntry *entry = entries; entry && entry->long_name; entry++) {
        const bool is_it = is_long ? strlen(entry->long_name) == length - 2
                                         && !strncmp(entry->long_name, word + 2, length - 2)
                                   : *word == '-' && word[strlen(word) - 1] == entry->short_name;
        if (is_it) return entry;
    }
    return NULL;
}

static const OptionRange *find_range(const CommandLine *line, const GOptionEntry *entry)
{
    const OptionRange *range = line->ranges;
    while (strcmp(range->option, entry->long_name) != 0) range++;
    return range;
}

static bool may_repeat(const GOptionEntry *entry)
{
    return entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY;
}

static bool is_in_range(const OptionRange *range, const char *value)
{
    return g_ascii_string_to_signed(value, 10, range->least, range->most, NULL, NULL);
}

/* GOption takes the last of several, an empty one, which mostly is a variable that is not set, and
 * any number. */
static Status check_value(const CommandLine *line, const GOptionEntry *entry, const char *value,
                          bool again)
{
    const char *name = entry->long_name;
    if (again && !may_repeat(entry))
        return command_reject("--%s %s: stands twice; usage: warpmem %s", name, value, line->usage);
    if (entry->arg == G_OPTION_ARG_STRING && !*value)
        return command_reject("--%s '': an empty word; usage: warpmem %s", name, line->usage);
    const OptionRange *range = entry->arg == G_OPTION_ARG_INT ? find_range(line, entry) : NULL;
    if (range && !is_in_range(range, value))
        return command_reject("--%s %s: allowed: whole number from %d to %d", name, value,
                              range->least, range->most);
    return STATUS_DONE;
}

static Status check_values(const CommandLine *line, int argc, char **argv)
{
    Status status = STATUS_DONE;
    g_autoptr(GPtrArray) seen = g_ptr_array_new();
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0 && status == STATUS_DONE; i++) {
        const char *value;
        const GOptionEntry *entry = find_option(line->entries, argv[i], &value);
        if (!entry || entry->arg == G_OPTION_ARG_NONE) continue;
        if (!value && i + 1 < argc) value = argv[++i];
        if (value) status = check_value(line, entry, value, g_ptr_array_find(seen, entry, NULL));
        g_ptr_array_add(seen, (gpointer)entry);
    }
    return status;
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
    g_strchomp(help);
    if (line->entries) printf("%s\n", options ? options + 1 : help);
    if (line->description) printf("\n%s\n", line->description);
}

/* GOption takes options out of argv even where it fails. */
static GPtrArray *copy_words(int argc, char **argv)
{
    GPtrArray *words = g_ptr_array_new();
    for (int i = 0; i < argc; i++) g_ptr_array_add(words, argv[i]);
    g_ptr_array_add(words, NULL);
    return words;
}

/* "-j4" is --jobs=4; GLib knows only "-j 4". */
static void spell_out(const GOptionEntry *entries, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        for (const GOptionEntry *entry = entries; entry && entry->long_name; entry++) {
            const bool takes_word = entry->arg != G_OPTION_ARG_NONE && entry->short_name;
            if (!takes_word || argv[i][0] != '-' || argv[i][1] != entry->short_name) continue;
            if (!argv[i][2]) continue;
            g_autofree char *word = g_strdup_printf("--%s=%s", entry->long_name, argv[i] + 2);
            argv[i] = (char *)g_intern_string(word);
        }
}

bool command_parse(const CommandLine *line, int *argc, char ***argv, Status *status)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    *status = STATUS_DONE;
    if (completion_answer(line, *argc, *argv)) return false;
    g_option_context_set_help_enabled(context, FALSE);
    if (line->entries) g_option_context_add_main_entries(context, line->entries, NULL);
    if (asks_for_help(*argc, *argv)) {
        print_help(line, context);
        return false;
    }
    g_autoptr(GPtrArray) typed = copy_words(*argc, *argv);
    spell_out(line->entries, *argc, *argv);
    *status = check_values(line, *argc, *argv);
    if (*status != STATUS_DONE) return false;
    if (!g_option_context_parse(context, argc, argv, &error)) {
        *status = reject_option(line, (char **)typed->pdata, error);
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
