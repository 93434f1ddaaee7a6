/* The manual page, which is made as the scripts are: a section of what core.man begins for each
 * command line. */
#include <string.h>

#include "scenarios/program/completion/completion.h"

/* As troff reads it: a '-' that can be copied, no request at the beginning of a line. */
static char *escape(const char *text)
{
    g_autoptr(GString) escaped = g_string_new(NULL);
    for (const char *c = text; *c; c++) {
        const bool begins = c == text || c[-1] == '\n';
        if (begins && (*c == '.' || *c == '\'')) g_string_append(escaped, "\\&");
        if (*c == '-') g_string_append_c(escaped, '\\');
        g_string_append(escaped, *c == '\\' ? "\\e" : (char[]){*c, '\0'});
    }
    return g_string_free(g_steal_pointer(&escaped), FALSE);
}

static void put(FILE *out, const char *before, const char *text, const char *behind)
{
    g_autofree char *escaped = escape(text);
    fprintf(out, "%s%s%s", before, escaped, behind);
}

static void put_words(const char *kind, const char *const *words, FILE *out)
{
    (void)kind, (void)words, (void)out;
}

static void put_verbs(const char *path, const Command *verbs, FILE *out)
{
    (void)verbs;
    if (!*path) fprintf(out, ".SH COMMANDS\n");
}

static void put_option(const GOptionEntry *entry, FILE *out)
{
    fprintf(out, ".TP\n");
    if (entry->short_name) fprintf(out, "\\fB\\-%c\\fR, ", entry->short_name);
    put(out, "\\fB\\-\\-", entry->long_name, "\\fR");
    if (entry->arg_description) put(out, "=\\fI", entry->arg_description, "\\fR");
    put(out, "\n", entry->description, "\n");
}

static void put_line(const char *path, const CommandLine *line, const char *takes, FILE *out)
{
    (void)takes;
    fprintf(out, ".SS %s\n", path);
    put(out, ".B ", line->usage, "\n.PP\n");
    put(out, "", line->summary, "\n");
    for (const GOptionEntry *entry = line->entries; entry && entry->long_name; entry++)
        put_option(entry, out);
    if (line->description) put(out, ".PP\n.nf\n", line->description, "\n.fi\n");
}

const Shell shell_man = {
    "man", put_words, put_verbs, put_line,
    ".SH EXIT STATUS\n" EXIT_STATUS(
        ".TP\n",
        "\n") ".SH FILES\n"
              ".TP\n~/.cache/warpmem\nruns that 'why' and 'validate' keep; in $XDG_CACHE_HOME, if that is set\n"
              ".SH SEE ALSO\n\\&'warpmem explain \\fINAME\\fR' of whatever the output names\n"};
