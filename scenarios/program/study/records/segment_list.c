/* Which segments a study has. */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "scenarios/program/study/records/segment.h"

char *segment_folder(const char *directory)
{
    return g_build_filename(directory, "segments", NULL);
}

static void free_position(gpointer data)
{
    SegmentPosition *position = data;
    g_free(position->path);
    g_free(position);
}

/* Names of files; NULL with error. Before the first record there may be no folder. */
static GPtrArray *list_names(const char *folder, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    DIR *files = opendir(folder);
    const struct dirent *file;
    int code = files ? 0 : errno;
    while (files && (errno = 0, file = readdir(files)) != NULL)
        if (g_str_has_suffix(file->d_name, SEGMENT_SUFFIX))
            g_ptr_array_add(names, g_strdup(file->d_name));
    if (files) code = errno;
    if (files) closedir(files);
    if (!code || code == ENOENT) return g_steal_pointer(&names);
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be read: %s", folder, g_strerror(code));
    return NULL;
}

/* By path; takes the positions over. */
static GHashTable *index_positions(GPtrArray *positions)
{
    GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_position);
    gsize count = 0;
    g_autofree gpointer *all = positions ? g_ptr_array_steal(positions, &count) : NULL;
    for (gsize i = 0; i < count; i++) {
        SegmentPosition *position = all[i];
        g_hash_table_insert(index, position->path, position);
    }
    if (positions) g_ptr_array_unref(positions);
    return index;
}

static SegmentPosition *take_position(GHashTable *known, const char *folder, const char *name)
{
    gpointer position;
    char *path = g_build_filename(folder, name, NULL);
    if (g_hash_table_steal_extended(known, path, NULL, &position)) {
        g_free(path);
        return position;
    }
    SegmentPosition *new = g_new0(SegmentPosition, 1);
    new->path = path;
    return new;
}

static int compare_positions(gconstpointer a, gconstpointer b)
{
    const SegmentPosition *x = *(SegmentPosition *const *)a, *y = *(SegmentPosition *const *)b;
    return strcmp(x->path, y->path);
}

GPtrArray *segment_list(const char *directory, GPtrArray *known, GError **error)
{
    g_autofree char *folder = segment_folder(directory);
    g_autoptr(GHashTable) index = index_positions(known);
    g_autoptr(GPtrArray) names = list_names(folder, error);
    if (!names) return NULL;
    GPtrArray *list = g_ptr_array_new_with_free_func(free_position);
    for (guint i = 0; i < names->len; i++)
        g_ptr_array_add(list, take_position(index, folder, names->pdata[i]));
    g_ptr_array_sort(list, compare_positions);
    return list;
}
