/* Functions that core.zsh calls by name: _warpmem_list_KIND, _warpmem_at_study_plan. */
#include <string.h>

#include "scenarios/program/completion/completion.h"

static void put_words(const char *kind, const char *const *words, FILE *out)
{
    g_autofree char *all = g_strjoinv(" ", (char **)words);
    fprintf(out, "_warpmem_list_%s() { list=(%s) }\n", kind, all);
}

static void put_name(const char *path, FILE *out)
{
    g_autofree char *name = g_strdelimit(g_strdup(path), " ", '_');
    fprintf(out, "_warpmem_at%s%s()\n{\n", *name ? "_" : "", name);
}

/* `special` with a backslash before it, in quotes as a shell reads it. */
static char *quote(const char *text, const char *special)
{
    g_autoptr(GString) escaped = g_string_new(NULL);
    for (const char *c = text; *c; c++) {
        if (strchr(special, *c)) g_string_append_c(escaped, '\\');
        g_string_append_c(escaped, *c);
    }
    return g_shell_quote(escaped->str);
}

static void put_verbs(const char *path, const Command *verbs, FILE *out)
{
    put_name(path, out);
    fprintf(out, "    verbs=(\n");
    for (const Command *verb = verbs; verb->name; verb++) {
        g_autofree char *summary = quote(verb->summary, ":");
        fprintf(out, "        %s:%s\n", verb->name, summary);
    }
    fprintf(out, "    )\n}\n");
}

static bool may_repeat(const GOptionEntry *entry)
{
    return entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY;
}

/* "[explanation]:METAVAR:action" behind the option's name. */
static void put_option(const CommandLine *line, const GOptionEntry *entry, const char *name,
                       FILE *out)
{
    g_autofree char *takes = completion_option_takes(line, entry);
    g_autofree char *what = quote(entry->description, "[]:\\");
    const char *repeated = may_repeat(entry) ? "\\*" : "";
    fprintf(out, "        %s%s'['%s']", repeated, name, what);
    if (entry->arg == G_OPTION_ARG_NONE)
        fprintf(out, "'\n");
    else
        fprintf(out, ": :%s%s'\n", *takes ? "_warpmem_take " : "", takes);
}

static void put_line(const char *path, const CommandLine *line, const char *takes, FILE *out)
{
    put_name(path, out);
    fprintf(out, "    rest='%s'\n    arguments=(\n", takes);
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++) {
        const bool bare = entry->arg == G_OPTION_ARG_NONE;
        g_autofree char *name = g_strdup_printf("--%s%s", entry->long_name, bare ? "" : "=");
        put_option(line, entry, name, out);
        g_autofree char *letter = g_strdup_printf("-%c%s", entry->short_name, bare ? "" : "+");
        if (entry->short_name) put_option(line, entry, letter, out);
    }
    fprintf(out, "    )\n}\n");
}

/* The file is the function's body where zsh finds it by itself. */
const Shell shell_zsh = {
    "zsh", put_words, put_verbs, put_line,
    "\nif [[ $funcstack[1] == _warpmem ]]; then _warpmem \"$@\"; else compdef _warpmem warpmem; fi\n"};
