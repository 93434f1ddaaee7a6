#include "scenarios/program/origin/place.h"

#include <string.h>

#include "scenarios/program/language/catalogue.h"

typedef struct {
    char *shown;
    GArray *marks; /* of bool: whether what a line sets is assumed */
} File;

/* Of File, by path. */
struct Places {
    GHashTable *files;
};

static void file_free(gpointer data)
{
    File *file = data;
    g_free(file->shown);
    g_array_unref(file->marks);
    g_free(file);
}

Places *places_new(void)
{
    Places *places = g_new0(Places, 1);
    places->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, file_free);
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

static char *show(const char *path)
{
    g_autofree char *shown = catalogue_display(path);
    return g_str_has_prefix(shown, "platform/") ? g_steal_pointer(&shown)
                                                : g_path_get_basename(path);
}

static const File *find(Places *places, const char *path)
{
    File *file = g_hash_table_lookup(places->files, path);
    if (file) return file;
    file = g_new(File, 1);
    *file = (File){show(path), read_marks(path)};
    g_hash_table_insert(places->files, g_strdup(path), file);
    return file;
}

static bool is_assumed(const File *file, int line)
{
    return line > 0 && line <= (int)file->marks->len && g_array_index(file->marks, bool, line - 1);
}

bool places_assumed(Places *places, const Setting *setting)
{
    return setting && setting->file && is_assumed(find(places, setting->file), setting->line);
}

char *places_origin(Places *places, const Setting *setting)
{
    if (!setting) return g_strdup("default");
    if (!setting->file) return g_strdup("set");
    const File *file = find(places, setting->file);
    return g_strdup_printf("%s:%d%s", file->shown, setting->line,
                           is_assumed(file, setting->line) ? PLACE_ASSUMED : "");
}
