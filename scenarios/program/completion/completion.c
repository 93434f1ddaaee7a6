#include "scenarios/program/completion/completion.h"

#include <gio/gio.h>
#include <string.h>

/* Made by glib-compile-resources from scripts.gresource.xml. */
GResource *completion_scripts_get_resource(void);

/* What help calls it in upper case, and what it takes. */
typedef struct {
    const char *called, *takes;
} Taken;

static const Taken arguments[] = {
    {"SCENARIO", "scenarios"}, {"PRESET", "presets"}, {"GPU", "gpus"},    {"RECIPE", "recipes"},
    {"NAME", "names"},         {"RESULT", "files"},   {"STUDY", "files"}, {"PATH", "files"},
    {"DIR", "files"},          {"A", "files"},        {"B", "files"},
};

static const Taken options[] = {
    {"GROUP.KEY=VALUE", "settings"},
    {"RESULT", "results"},
    {"[RESULT=]PERCENT", "results="},
    {"DIMENSION", "keys"},
    {"DESIGN", "designs"},
    {"DIR", "folders"},
    {"FILE", "files"},
};

/* Options whose help says no more than NAME. */
static const Taken named[] = {
    {"variant", "variants"},
    {"kernel", "kernels"},
    {"minimize", "results"},
    {"maximize", "results"},
};

static const char *find_taken(const Taken *table, gsize rows, const char *called)
{
    for (gsize i = 0; i < rows; i++)
        if (!strcmp(table[i].called, called)) return table[i].takes;
    return NULL;
}

const Shell *const *completion_shells(void)
{
    static const Shell *const shells[] = {&shell_bash, &shell_zsh, &shell_fish, NULL};
    return shells;
}

const Shell *completion_shell(const char *name)
{
    for (const Shell *const *shell = completion_shells(); *shell; shell++)
        if (!strcmp((*shell)->name, name)) return *shell;
    return NULL;
}

/* Whoever is asked for with the command line's words; NULL: nobody. */
static const Shell *shell_asked_for(int argc, char **argv)
{
    if (argc != 3 || strcmp(argv[1], COMPLETION_OPTION) != 0) return NULL;
    return strcmp(argv[2], shell_man.name) ? completion_shell(argv[2]) : &shell_man;
}

/* "csv|json" of "[--format csv|json]" as "= csv json"; NULL: usage does not say. */
static char *words_in_usage(const CommandLine *line, const char *option)
{
    g_autofree char *before = g_strdup_printf("[--%s ", option);
    const char *at = strstr(line->usage, before);
    const gsize length = at ? strcspn(at + strlen(before), "]") : 0;
    g_autofree char *words = at ? g_strndup(at + strlen(before), length) : NULL;
    if (!words || !strchr(words, '|')) return NULL;
    return g_strconcat("= ", g_strdelimit(words, "|", ' '), NULL);
}

char *completion_option_takes(const CommandLine *line, const GOptionEntry *entry)
{
    if (entry->arg == G_OPTION_ARG_NONE) return g_strdup("");
    char *words = words_in_usage(line, entry->long_name);
    if (words) return words;
    const char *takes = find_taken(named, G_N_ELEMENTS(named), entry->long_name);
    if (!takes) takes = find_taken(options, G_N_ELEMENTS(options), entry->arg_description);
    return g_strdup(takes ? takes : "");
}

/* The end of "study plan" in "study plan SCENARIO -o DIR". */
static const char *end_of_path(const char *usage)
{
    const char *end = usage, *word = usage;
    for (gsize length; (length = strspn(word, "abcdefghijklmnopqrstuvwxyz")); word += length + 1) {
        if (word[length] != ' ' && word[length]) break;
        end = word + length;
        if (!*end) break;
    }
    return end;
}

/* Of "[presets|parts]" the words, of "SCENARIO|PRESET" what they take; nothing behind an option. */
static char *takes_of(const char *usage)
{
    g_autofree char *text = g_strndup(usage, strcspn(usage, "-"));
    g_auto(GStrv) words = g_strsplit_set(text, " []{}|.", -1);
    g_autoptr(GString) takes = g_string_new(NULL);
    g_autoptr(GString) literal = g_string_new(NULL);
    for (char **word = words; *word; word++) {
        const char *kind = find_taken(arguments, G_N_ELEMENTS(arguments), *word);
        if (g_ascii_islower(**word)) g_string_append_printf(literal, " %s", *word);
        if (kind && !strstr(takes->str, kind))
            g_string_append_printf(takes, "%s%s", takes->len ? " " : "", kind);
    }
    if (literal->len) return g_strconcat("=", literal->str, NULL);
    return g_string_free(g_steal_pointer(&takes), FALSE);
}

bool completion_answer(const CommandLine *line, int argc, char **argv)
{
    const Shell *shell = shell_asked_for(argc, argv);
    if (!shell) return false;
    const char *end = end_of_path(line->usage);
    g_autofree char *path = g_strndup(line->usage, (gsize)(end - line->usage));
    g_autofree char *takes = takes_of(end);
    shell->line(path, line, takes, stdout);
    return true;
}

bool completion_answer_verbs(const char *path, const Command *verbs, int argc, char **argv)
{
    const Shell *shell = shell_asked_for(argc, argv);
    if (!shell) return false;
    shell->verbs(path, verbs, stdout);
    for (const Command *verb = verbs; verb->name; verb++)
        verb->run(3, (char *[]){(char *)verb->name, argv[1], argv[2], NULL});
    return true;
}

static void put_core(const Shell *shell, FILE *out)
{
    g_autofree char *path = g_strconcat("/warpmem/completion/core.", shell->name, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_resource_lookup_data(completion_scripts_get_resource(), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
    if (!bytes) g_error("%s", error->message);
    gsize size;
    const char *text = g_bytes_get_data(bytes, &size);
    fwrite(text, 1, size, out);
}

void completion_print(const Shell *shell, FILE *out)
{
    put_core(shell, out);
    completion_add_words(shell, out);
    char *ask[] = {(char *)"", (char *)COMPLETION_OPTION, (char *)shell->name, NULL};
    completion_answer_verbs("", command_table(), 3, ask);
    shell->verbs("help", command_table(), out);
    fputs(shell->end, out);
}
