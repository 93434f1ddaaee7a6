#include "scenarios/program/origin/place.h"

#include <string.h>

/* By file: GArray of bool, whether what a line sets is assumed. */
struct Places {
    GHashTable *files;
};

Places *places_new(void)
{
    Places *places = g_new0(Places, 1);
    places->files =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    return places;
}

void places_free(Places *places)
{
    if (!places) return;
    g_hash_table_unref(places->files);
    g_free(places);
}

static bool has_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(line, word); at; at = strstr(at + length, word))
        if (!g_ascii_isalpha(at[-1]) && !g_ascii_isalpha(at[length])) return true;
    return false;
}

/* Lines of one comment say one thing. A pipe has been read, and can be read once. */
static GArray *read_marks(const char *file)
{
    GArray *marks = g_array_new(FALSE, FALSE, sizeof(bool));
    g_autofree char *text = NULL;
    if (!g_file_test(file, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(file, &text, NULL, NULL))
        return marks;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool assumed = false, in_comment = false;
    for (char **line = lines; *line; line++) {
        const bool comment = **line == '#';
        if (comment)
            assumed = (in_comment && assumed) || has_word(*line, "assumed");
        else if (!**line || **line == '[')
            assumed = false;
        in_comment = comment;
        g_array_append_val(marks, assumed);
    }
    return marks;
}

bool places_assumed(Places *places, const Setting *setting)
{
    if (!setting || !setting->file) return false;
    GArray *marks = g_hash_table_lookup(places->files, setting->file);
    if (!marks) {
        marks = read_marks(setting->file);
        g_hash_table_insert(places->files, g_strdup(setting->file), marks);
    }
    const int line = setting->line - 1;
    return line >= 0 && line < (int)marks->len && g_array_index(marks, bool, line);
}
