#include "scenarios/program/language/catalogue.h"

#include <string.h>

#include "scenarios/program/language/text.h"

static char *program_directory(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    return program ? g_path_get_dirname(program) : g_strdup(".");
}

/* Of a program in a build folder the tree that it was built from, which a file there names: so an
 * installed one knows no path of where it was built. NULL elsewhere. */
static char *source_directory(const char *program)
{
    g_autofree char *folder = g_strdup(program);
    char *source = NULL;
    while (!source && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0) {
        g_autofree char *file = g_build_filename(folder, "warpmem-source", NULL),
                        *inner = g_steal_pointer(&folder);
        g_file_get_contents(file, &source, NULL, NULL);
        folder = g_path_get_dirname(inner);
    }
    return source ? g_strchomp(source) : NULL;
}

/* WARPMEM_DATA_DIR comes from meson. The installed folder beside the program comes first. */
static char *find_directory(const char *name)
{
    g_autofree char *program = program_directory(), *source = source_directory(program);
    char *const candidates[] = {
        g_build_filename(program, "..", "share", "warpmem", name, NULL),
        source ? g_build_filename(source, name, NULL) : NULL,
        g_build_filename(WARPMEM_DATA_DIR, name, NULL),
    };
    char *found = NULL;
    for (unsigned i = 0; i < G_N_ELEMENTS(candidates); i++) {
        if (!found && candidates[i] && g_file_test(candidates[i], G_FILE_TEST_IS_DIR))
            found = g_canonicalize_filename(candidates[i], NULL);
        g_free(candidates[i]);
    }
    return found;
}

char *catalogue_preset_directory(void)
{
    return find_directory("platform/presets");
}

char *catalogue_scenario_directory(void)
{
    return find_directory("scenarios");
}

char *catalogue_part_directory(void)
{
    return find_directory("platform/dram");
}

int catalogue_compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folders in `directory`, sorted, and first itself as "". */
static GStrv list_folders(const char *directory)
{
    g_autoptr(GPtrArray) folders = g_ptr_array_new();
    g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
    for (const char *name; entries && (name = g_dir_read_name(entries));) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR)) g_ptr_array_add(folders, g_strdup(name));
    }
    g_ptr_array_add(folders, g_strdup(""));
    g_ptr_array_sort(folders, catalogue_compare_names);
    g_ptr_array_add(folders, NULL);
    return (GStrv)g_ptr_array_free(g_steal_pointer(&folders), FALSE);
}

static void list_files(const char *folder, GPtrArray *names)
{
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    for (const char *name; files && (name = g_dir_read_name(files));)
        if (g_str_has_suffix(name, ".ini"))
            g_ptr_array_add(names, g_strndup(name, strlen(name) - 4));
}

GStrv catalogue_list(const char *directory)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_auto(GStrv) folders = directory ? list_folders(directory) : g_new0(char *, 1);
    for (char **folder = folders; *folder; folder++) {
        g_autofree char *path = g_build_filename(directory, *folder, NULL);
        list_files(path, names);
    }
    g_ptr_array_sort(names, catalogue_compare_names);
    g_ptr_array_add(names, NULL);
    return (GStrv)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

char *catalogue_find(const char *directory, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".ini", NULL);
    g_auto(GStrv) folders = directory ? list_folders(directory) : g_new0(char *, 1);
    for (char **folder = folders; *folder; folder++) {
        g_autofree char *path = g_build_filename(directory, *folder, file, NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) return g_steal_pointer(&path);
    }
    return NULL;
}

char *catalogue_name(const char *directory, const char *file)
{
    g_autofree char *path = g_canonicalize_filename(file, NULL), *name = g_path_get_basename(path);
    if (!g_str_has_suffix(name, ".ini")) return NULL;
    name[strlen(name) - strlen(".ini")] = '\0';
    g_autofree char *found = catalogue_find(directory, name);
    return g_strcmp0(found, path) ? NULL : g_steal_pointer(&name);
}

char *catalogue_display(const char *file)
{
    char *const directories[] = {find_directory("platform"), catalogue_scenario_directory()};
    char *text = NULL;
    for (unsigned i = 0; i < G_N_ELEMENTS(directories); i++) {
        g_autofree char *directory = directories[i];
        const gsize length = directory ? strlen(directory) : 0;
        if (text || !length || strncmp(file, directory, length) || file[length] != '/') continue;
        g_autofree char *folder = g_path_get_basename(directory);
        text = g_strconcat(folder, file + length, NULL);
    }
    return text ? text : g_strdup(file);
}

char *catalogue_title(const char *directory, const char *name)
{
    g_autofree char *file = catalogue_find(directory, name);
    g_autoptr(GPtrArray) entries = file ? scenario_text_read(file, NULL) : NULL;
    for (guint i = 0; entries && i < entries->len; i++) {
        const ScenarioEntry *entry = entries->pdata[i];
        if (entry->key && !strcmp(entry->group, "scenario") && !strcmp(entry->key, "title"))
            return g_strdup(entry->value);
    }
    return g_strdup("");
}
