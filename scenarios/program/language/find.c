#include "scenarios/program/language/find.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/text.h"

bool find_is_path(const char *name)
{
    return strchr(name, '/') || g_str_has_suffix(name, ".ini");
}

/* What may have been meant by a name, or by a file that is not there: a word to compare with, and
 * what to write. */
typedef struct {
    GPtrArray *words, *texts;
} Candidates;

static void add(Candidates *candidates, const char *word, char *text)
{
    g_ptr_array_add(candidates->words, g_strdup(word));
    g_ptr_array_add(candidates->texts, text);
}

/* `named`: the folder is said, too. */
static void add_files(Candidates *candidates, const char *folder, bool named)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    for (const char *name; files && (name = g_dir_read_name(files));)
        if (g_str_has_suffix(name, ".ini")) g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, catalogue_compare_names);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        g_autofree char *stem = g_strndup(name, strlen(name) - strlen(".ini")),
                        *path = named ? g_build_filename(folder, name, NULL) : g_strdup(name);
        add(candidates, stem, g_strdup_printf("'%s'", path));
    }
}

static void add_shipped(Candidates *candidates, char *directory, const char *text)
{
    g_autofree char *folder = directory;
    g_auto(GStrv) names = catalogue_list(folder);
    for (char **name = names; *name; name++)
        add(candidates, *name, g_strdup_printf("'%s%s", *name, text));
}

/* "'quickstart'", newly allocated; NULL: nothing is near. `base`: as `extends` has it. */
static char *suggest(const char *path, bool base)
{
    g_autofree char *folder = g_path_get_dirname(path), *stem = g_path_get_basename(path);
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    Candidates candidates = {words, texts};
    if (g_str_has_suffix(stem, ".ini")) stem[strlen(stem) - strlen(".ini")] = 0;
    const bool named = strchr(path, '/');
    add_files(&candidates, folder, named);
    if (!named) {
        add_shipped(&candidates, catalogue_preset_directory(), "', a preset");
        add_shipped(&candidates, catalogue_scenario_directory(), base ? ".ini'" : "'");
    }
    g_ptr_array_add(words, NULL);
    const char *near = nearest_name(stem, (const char *const *)words->pdata);
    for (guint i = 0; near && i < texts->len; i++)
        if (words->pdata[i] == near) return g_strdup(texts->pdata[i]);
    return NULL;
}

static char *find_preset(const char *name, GError **error)
{
    g_autofree char *directory = catalogue_preset_directory();
    char *file = catalogue_find(directory, name);
    if (file) return file;
    g_auto(GStrv) presets = catalogue_list(directory);
    const char *near = nearest_name(name, (const char *const *)presets);
    g_autofree char *all = g_strjoinv(", ", presets);
    if (near)
        g_set_error(error, SCENARIO_ERROR, 0, "no such preset; did you mean '%s'?", near);
    else
        g_set_error(error, SCENARIO_ERROR, 0,
                    "no such preset; there are %s; another scenario is written with its .ini",
                    *all ? all : "none");
    return NULL;
}

/* NAME.ini of the catalogue; NULL for another file, or one in a folder. */
static char *find_shipped(const char *name)
{
    if (strchr(name, '/') || !g_str_has_suffix(name, ".ini")) return NULL;
    g_autofree char *directory = catalogue_scenario_directory();
    g_autofree char *stem = g_strndup(name, strlen(name) - strlen(".ini"));
    return catalogue_find(directory, stem);
}

char *find_base(const char *file, const char *name, GError **error)
{
    if (!find_is_path(name)) return find_preset(name, error);
    g_autofree char *directory = file ? g_path_get_dirname(file) : g_strdup(".");
    g_autofree char *beside = strcmp(directory, ".") && !g_path_is_absolute(name)
                                  ? g_build_filename(directory, name, NULL)
                                  : g_strdup(name);
    if (g_file_test(beside, G_FILE_TEST_EXISTS)) return g_steal_pointer(&beside);
    char *shipped = find_shipped(name);
    if (shipped) return shipped;
    g_autofree char *near = suggest(beside, true);
    g_set_error(error, SCENARIO_ERROR, 0, "there is no file %s%s%s%s", beside,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return NULL;
}

char *find_machine_name(const char *file, const char *name, GError **error)
{
    g_autofree char *path = find_base(file, name, error);
    if (!path) return NULL;
    return find_is_path(name) ? g_canonicalize_filename(path, NULL) : g_strdup(name);
}

static char *find_path(const char *path, GError **error)
{
    g_autofree char *near = g_file_test(path, G_FILE_TEST_EXISTS) ? NULL : suggest(path, false);
    if (!near) return g_strdup(path);
    g_set_error(error, SCENARIO_ERROR, 0, "%s: no such file; did you mean %s?", path, near);
    return NULL;
}

/* A path; or what the catalogue calls so, whatever the folder has of that name, as results; or else
 * a file. */
char *find_scenario(const char *name, GError **error)
{
    if (find_is_path(name)) return find_path(name, error);
    g_autofree char *scenarios = catalogue_scenario_directory(),
                    *presets = catalogue_preset_directory();
    char *file = catalogue_find(scenarios, name);
    if (file) return file;
    g_autofree char *preset = catalogue_find(presets, name);
    if (preset) {
        g_set_error(
            error, SCENARIO_ERROR, 0,
            "%s: a preset, which is a machine without a workload; any scenario runs on it with "
            "--set scenario.extends=%s",
            name, name);
        return NULL;
    }
    if (g_file_test(name, G_FILE_TEST_EXISTS)) return g_strdup(name);
    g_autofree char *near = suggest(name, false);
    g_set_error(error, SCENARIO_ERROR, 0, "%s: no such scenario%s%s%s", name,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return NULL;
}
