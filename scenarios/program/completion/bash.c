/* Functions that core.bash calls by name: _warpmem_list_KIND, _warpmem_at_study_plan. */
#include "scenarios/program/completion/completion.h"

static void put_words(const char *kind, const char *const *words, FILE *out)
{
    g_autofree char *all = g_strjoinv(" ", (char **)words);
    g_autofree char *quoted = g_shell_quote(all);
    fprintf(out, "_warpmem_list_%s() { words=%s; }\n", kind, quoted);
}

static void put_name(const char *path, FILE *out)
{
    g_autofree char *name = g_strdelimit(g_strdup(path), " ", '_');
    fprintf(out, "_warpmem_at%s%s()\n{\n", *name ? "_" : "", name);
}

static void put_verbs(const char *path, const Command *verbs, FILE *out)
{
    put_name(path, out);
    fprintf(out, "    verbs='");
    for (const Command *verb = verbs; verb->name; verb++) fprintf(out, "%s ", verb->name);
    fprintf(out, "%s'\n}\n", *path ? "" : "help --version");
}

/* Of an option that takes what nobody can know "nothing". */
static void put_option(const CommandLine *line, const GOptionEntry *entry, FILE *out)
{
    g_autofree char *takes = completion_option_takes(line, entry);
    if (entry->arg == G_OPTION_ARG_NONE) return;
    fprintf(out, "    --%s", entry->long_name);
    if (entry->short_name) fprintf(out, " | -%c", entry->short_name);
    fprintf(out, ") takes='%s' ;;\n", *takes ? takes : "nothing");
}

static void put_line(const char *path, const CommandLine *line, const char *takes, FILE *out)
{
    put_name(path, out);
    fprintf(out, "    rest='%s' options='", *takes ? takes : "nothing");
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++)
        fprintf(out, "--%s ", entry->long_name);
    fprintf(out, "'\n    case ${1-} in\n");
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++)
        put_option(line, entry, out);
    fprintf(out, "    esac\n}\n");
}

const Shell shell_bash = {"bash", put_words, put_verbs, put_line, ""};
