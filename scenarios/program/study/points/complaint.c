#include "scenarios/program/study/points/complaint.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { LINES = 2, COMPLAINT_MAX = 300 };

static const struct {
    const char *pattern, *replacement;
} rules[] = {
    {"==[0-9]+==", ""},          /* a sanitizer's process */
    {"0x[0-9a-fA-F]+", "0x..."}, /* an address */
    {"\\b(pid|process|thread) [0-9]+", "\\1 ..."},
    {"[[:cntrl:]]+", " "},
};

static char *apply_rules(const char *line)
{
    char *text = g_utf8_make_valid(line, -1);
    for (unsigned i = 0; i < G_N_ELEMENTS(rules); i++) {
        g_autoptr(GRegex) regex = g_regex_new(rules[i].pattern, 0, 0, NULL);
        char *changed = g_regex_replace(regex, text, -1, 0, rules[i].replacement, 0, NULL);
        g_free(text);
        text = changed;
    }
    return g_strstrip(text);
}

/* Sanitizers draw lines of '='. */
static bool says_something(const char *line)
{
    return strspn(line, "= -") < strlen(line);
}

char *complaint_clean(const char *text)
{
    GString *whole = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned taken = 0;
    for (char **line = lines; *line && taken < LINES; line++) {
        g_autofree char *clean = apply_rules(*line);
        if (!says_something(clean)) continue;
        g_string_append_printf(whole, "%s%s", taken++ ? "; " : "", clean);
    }
    if (whole->len > COMPLAINT_MAX) {
        g_string_truncate(
            whole,
            (gsize)(g_utf8_find_prev_char(whole->str, whole->str + COMPLAINT_MAX) - whole->str));
        g_string_append(whole, "...");
    }
    return g_string_free(whole, FALSE);
}
