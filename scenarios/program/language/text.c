#include "scenarios/program/language/text.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/program/input.h"

static void entry_free(gpointer data)
{
    ScenarioEntry *entry = data;
    g_free(entry->group);
    g_free(entry->key);
    g_free(entry->value);
    g_free(entry);
}

typedef struct {
    const char *file;
    GPtrArray *entries;
    GHashTable *seen; /* "group" or "group\nkey" -> line */
    const char *group;
    int line;
    GString *joined; /* the text as GKeyFile knows it: a value in one line */
    bool in_value;   /* an indented line goes on with the last key's value ... */
    int behind;      /* ... so many lines below */
} Scan;

static bool note(Scan *scan, const char *group, const char *key, GError **error)
{
    g_autofree char *name = key ? g_strconcat(group, "\n", key, NULL) : g_strdup(group);
    const int before = GPOINTER_TO_INT(g_hash_table_lookup(scan->seen, name));
    if (before) {
        g_set_error(error, SCENARIO_ERROR, 0, "%s:%d: %s%s%s stands twice, first in line %d",
                    scan->file, scan->line, key ? group : "the group [", key ? "." : group,
                    key ? key : "]", before);
        return false;
    }
    g_hash_table_insert(scan->seen, g_steal_pointer(&name), GINT_TO_POINTER(scan->line));
    ScenarioEntry *entry = g_new0(ScenarioEntry, 1);
    *entry = (ScenarioEntry){.group = g_strdup(group), .key = g_strdup(key), .line = scan->line};
    g_ptr_array_add(scan->entries, entry);
    scan->group = entry->group;
    return true;
}

static bool reject_line(const Scan *scan, const char *text, const char *reason, GError **error)
{
    g_set_error(error, SCENARIO_ERROR, 0, "%s:%d: %s: %s", scan->file, scan->line, text, reason);
    return false;
}

static const char NO_NAME[] = "a name is not empty, and has no '[' and ']'";

/* GKeyFile takes no other, and does not say in which line. */
static bool is_name(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '[' || *c == ']' || g_ascii_iscntrl(*c)) return false;
    return text[strspn(text, " ")];
}

static bool scan_line(Scan *scan, char *text, GError **error)
{
    g_strstrip(text);
    if (!*text || *text == '#') return true;
    const gsize length = strlen(text);
    if (*text == '[') {
        if (text[length - 1] != ']') return reject_line(scan, text, "a group ends with ']'", error);
        g_autofree char *group = g_strndup(text + 1, length - 2);
        return is_name(group) ? note(scan, group, NULL, error)
                              : reject_line(scan, text, NO_NAME, error);
    }
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return reject_line(scan, text, "neither a [group] nor a 'key = value' nor a # comment",
                           error);
    if (!scan->group) return reject_line(scan, text, "a key before the first [group]", error);
    g_autofree char *key = g_strchomp(g_strndup(text, (gsize)(equals - text)));
    return is_name(key) ? note(scan, scan->group, key, error)
                        : reject_line(scan, text, NO_NAME, error);
}

static bool is_blank(const char *line)
{
    return !line[strspn(line, " \t\r")];
}

/* Every line of a value is a line in what GKeyFile makes of it, empty ones and comments too, so
 * that who reads the value can tell where something stands. */
static void join_line(Scan *scan, char *line)
{
    g_strchomp(line);
    for (; scan->behind; scan->behind--) g_string_append(scan->joined, "\\n");
    g_string_append(scan->joined, line);
}

static bool scan_text(Scan *scan, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        scan->line++;
        scan->behind++;
        const bool indented = g_ascii_isspace(**line);
        if (is_blank(*line) || (**line == '#')) continue;
        if (scan->in_value && indented) {
            join_line(scan, *line);
            continue;
        }
        g_string_append_printf(scan->joined, "\n%s", *line);
        if (!scan_line(scan, *line, error)) return false;
        const ScenarioEntry *last =
            scan->entries->len ? scan->entries->pdata[scan->entries->len - 1] : NULL;
        scan->in_value = last && last->line == scan->line && last->key;
        scan->behind = 0;
    }
    return true;
}

/* GKeyFile returns what it cannot interpret, too, with an error. */
static bool read_value(const Scan *scan, GKeyFile *keys, ScenarioEntry *entry, GError **error)
{
    g_autoptr(GError) problem = NULL;
    entry->value = g_key_file_get_string(keys, entry->group, entry->key, &problem);
    if (!problem) {
        g_strchomp(entry->value);
        const gsize blanks = strspn(entry->value, " \t");
        memmove(entry->value, entry->value + blanks, strlen(entry->value + blanks) + 1);
        return true;
    }
    g_autofree char *written = g_key_file_get_value(keys, entry->group, entry->key, NULL);
    g_set_error(error, SCENARIO_ERROR, 0,
                "%s:%d: %s = %s: a backslash stands only before n, t, r, s and another backslash",
                scan->file, entry->line, entry->key, written ? written : "");
    return false;
}

static bool fill_values(const Scan *scan, GKeyFile *keys, GError **error)
{
    for (guint i = 0; i < scan->entries->len; i++) {
        ScenarioEntry *entry = scan->entries->pdata[i];
        if (entry->key && !read_value(scan, keys, entry, error)) return false;
    }
    return true;
}

/* The mark that some editors begin UTF-8 with. */
static void skip_mark(char *text, gsize *length)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (!g_str_has_prefix(text, mark)) return;
    *length -= strlen(mark);
    memmove(text, text + strlen(mark), *length + 1);
}

static char *read_text(const char *file, GError **error)
{
    gsize length = 0;
    g_autoptr(GError) cause = NULL;
    g_autofree char *text = input_read(file, &length, &cause);
    if (!text) {
        g_set_error(error, SCENARIO_ERROR, 0, "%s: cannot be read: %s", file, cause->message);
        return NULL;
    }
    const char *end = text;
    skip_mark(text, &length);
    if (!g_utf8_validate(text, (gssize)length, &end)) {
        int line = 1;
        for (const char *at = text; at < end; at++) line += *at == '\n';
        g_set_error(error, SCENARIO_ERROR, 0, "%s:%d: not UTF-8 text", file, line);
        return NULL;
    }
    return g_steal_pointer(&text);
}

GPtrArray *scenario_text_read(const char *file, GError **error)
{
    g_autofree char *text = read_text(file, error);
    if (!text) return NULL;
    g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(entry_free);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) joined = g_string_new(NULL);
    Scan scan = {.file = file, .entries = entries, .seen = seen, .joined = joined};
    if (!scan_text(&scan, text, error)) return NULL;
    g_autoptr(GKeyFile) keys = g_key_file_new();
    if (!g_key_file_load_from_data(keys, joined->str, joined->len, G_KEY_FILE_NONE, error)) {
        g_prefix_error(error, "%s: ", file);
        return NULL;
    }
    return fill_values(&scan, keys, error) ? g_steal_pointer(&entries) : NULL;
}
