/* A rule of fish for each command, verb and option; functions that list words. */
#include <string.h>

#include "scenarios/program/completion/completion.h"

static void put_words(const char *kind, const char *const *words, FILE *out)
{
    g_autofree char *all = g_strjoinv(" ", (char **)words);
    fprintf(out, "function __warpmem_list_%s\n    string split ' ' '%s'\nend\n", kind, all);
}

static char *quote(const char *text)
{
    g_autoptr(GString) quoted = g_string_new("'");
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\') g_string_append_c(quoted, '\\');
        g_string_append_c(quoted, *c);
    }
    g_string_append_c(quoted, '\'');
    return g_string_free(g_steal_pointer(&quoted), FALSE);
}

static void put_verbs(const char *path, const Command *verbs, FILE *out)
{
    for (const Command *verb = verbs; verb->name; verb++) {
        g_autofree char *summary = quote(verb->summary);
        fprintf(out, "complete -c warpmem -n '__warpmem_at %s' -a %s -d %s\n", path, verb->name,
                summary);
    }
}

/* "-f -a '(__warpmem_list_results)'", without -f where files may stand, too. */
static void put_kind(const char *kind, FILE *out)
{
    const int length = (int)strcspn(kind, "=");
    if (!*kind) return;
    if (*kind == '=')
        fprintf(out, " -f -a '%s'", kind + 2);
    else if (!strcmp(kind, "files"))
        fprintf(out, " -F");
    else if (!strcmp(kind, "folders"))
        fprintf(out, " -f -a '(__fish_complete_directories)'");
    else if (!strcmp(kind, "variants") || !strcmp(kind, "kernels"))
        fprintf(out, " -f -a '(__warpmem_of_scenario %s)'", kind);
    else if (!strcmp(kind, "settings") || !strcmp(kind, "scenarios"))
        fprintf(out, " -f -a '(__warpmem_%s)'", kind);
    else
        fprintf(out, " -f -a '(__warpmem_list_%.*s)%s'", length, kind, kind + length);
}

static void begin(const char *path, FILE *out)
{
    fprintf(out, "complete -c warpmem -n '__warpmem_at --in %s'", path);
}

static void put_option(const char *path, const CommandLine *line, const GOptionEntry *entry,
                       FILE *out)
{
    g_autofree char *what = quote(entry->description),
                    *takes = completion_option_takes(line, entry);
    begin(path, out);
    fprintf(out, " -l %s", entry->long_name);
    if (entry->short_name) fprintf(out, " -s %c", entry->short_name);
    if (entry->arg != G_OPTION_ARG_NONE) fprintf(out, " -r");
    put_kind(takes, out);
    fprintf(out, " -d %s\n", what);
}

static void put_line(const char *path, const CommandLine *line, const char *takes, FILE *out)
{
    g_auto(GStrv) kinds = g_strsplit(takes, *takes == '=' ? "\n" : " ", -1);
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++)
        put_option(path, line, entry, out);
    for (char **kind = kinds; *kind; kind++) {
        begin(path, out);
        put_kind(*kind, out);
        fprintf(out, "\n");
    }
}

const Shell shell_fish = {"fish", put_words, put_verbs, put_line, ""};
