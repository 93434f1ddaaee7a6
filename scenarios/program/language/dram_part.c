#include "scenarios/program/language/dram_part.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/text.h"

bool dram_part_is_key(const char *group, const char *key)
{
    return !strcmp(group, "dram") && key && !strcmp(key, "part");
}

/* What DRAM takes is the part's; the rest of the group the chip's. */
static bool is_energy(const char *group, const char *key)
{
    return !strcmp(group, "energy") && key && g_str_has_prefix(key, "dram_");
}

/* What a device leaves to the board that it is on. */
static bool is_of_the_board(const char *key)
{
    static const char *const keys[] = {"bank_hash", "ecc", "ecc_share", NULL};
    return g_strv_contains(keys, key);
}

void dram_part_void(Configuration *configuration)
{
    for (guint i = configuration_size(configuration); i; i--) {
        const Setting *setting = configuration_at(configuration, i - 1);
        if (!strcmp(setting->group, "dram") && !is_of_the_board(setting->key))
            configuration_remove(configuration, "dram", setting->key);
    }
    for (guint i = configuration_size(configuration); i; i--) {
        const Setting *setting = configuration_at(configuration, i - 1);
        if (is_energy(setting->group, setting->key))
            configuration_remove(configuration, setting->group, setting->key);
    }
    configuration_remove(configuration, "machine", "dram_clock");
    configuration_remove(configuration, "machine", "peak_bandwidth_gbps");
}

static char *find_shipped(const char *name, GError **error)
{
    g_autofree char *directory = catalogue_part_directory();
    char *file = catalogue_find(directory, name);
    if (file) return file;
    g_auto(GStrv) parts = catalogue_list(directory);
    const char *near = nearest_word(name, (const char *const *)parts);
    g_autofree char *all = near ? NULL : g_strjoinv(", ", parts);
    g_autofree char *hint = near ? g_strdup_printf("did you mean '%s'?", near)
                                 : g_strdup_printf("there are %s; another one is written with its "
                                                   ".ini",
                                                   *all ? all : "none");
    g_set_error(error, SCENARIO_ERROR, 0, "no such DRAM part; %s", hint);
    return NULL;
}

/* A path is relative to the file that names it. */
static char *find_part(const char *name, const char *file, GError **error)
{
    if (!strchr(name, '/') && !g_str_has_suffix(name, ".ini")) return find_shipped(name, error);
    g_autofree char *directory = file ? g_path_get_dirname(file) : g_strdup(".");
    char *path =
        g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(directory, name, NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS)) return path;
    g_set_error(error, SCENARIO_ERROR, 0, "there is no file %s", path);
    g_free(path);
    return NULL;
}

static bool belongs_to_part(const ScenarioEntry *entry)
{
    if (!strcmp(entry->group, "dram"))
        return !entry->key || (strcmp(entry->key, "part") != 0 && !is_of_the_board(entry->key));
    if (!strcmp(entry->group, "energy")) return !entry->key || is_energy(entry->group, entry->key);
    if (!strcmp(entry->group, "scenario")) return !entry->key || !strcmp(entry->key, "title");
    return !strcmp(entry->group, "machine") && (!entry->key || !strcmp(entry->key, "dram_clock"));
}

static bool put_entries(Configuration *configuration, const char *path, GError **error)
{
    g_autoptr(GPtrArray) entries = scenario_text_read(path, error);
    for (guint i = 0; entries && i < entries->len; i++) {
        const ScenarioEntry *entry = entries->pdata[i];
        if (!belongs_to_part(entry)) {
            g_set_error(
                error, SCENARIO_ERROR, 0,
                "%s:%d: [%s] %s: a DRAM part has a title, machine.dram_clock and, without "
                "part, bank_hash and ecc, the keys of [dram], and those of [energy] about DRAM",
                path, entry->line, entry->group, entry->key ? entry->key : "");
            return false;
        }
        if (entry->key && strcmp(entry->group, "scenario") != 0)
            configuration_set(configuration, entry->group, entry->key, entry->value, path,
                              entry->line);
    }
    if (!entries || configuration_find(configuration, "machine", "dram_clock")) return entries;
    g_set_error(error, SCENARIO_ERROR, 0, "%s does not say machine.dram_clock", path);
    return false;
}

bool dram_part_select(Configuration *configuration, const char *name, const char *file, int line,
                      GError **error)
{
    dram_part_void(configuration);
    configuration_set(configuration, "dram", "part", name, file, line);
    g_autofree char *path = find_part(name, file, error);
    if (path && put_entries(configuration, path, error)) return true;
    return setting_prefix_error(configuration_find(configuration, "dram", "part"), error);
}
