#include "scenarios/program/say/unread.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/perfect/perfect.h"

typedef struct {
    char *name, *text, *reason; /* the setting's place and key; with its value */
} Ignored;

struct Unread {
    char *file;
    GHashTable *settled; /* settings that mean something to a machine, or have been told; by name */
    GArray *ignored;     /* of Ignored, those that mean nothing to one */
};

static void ignored_clear(gpointer data)
{
    Ignored *ignored = data;
    g_free(ignored->name);
    g_free(ignored->text);
    g_free(ignored->reason);
}

Unread *unread_new(const char *file)
{
    Unread *unread = g_new(Unread, 1);
    *unread = (Unread){.file = g_strdup(file),
                       .settled = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                       .ignored = g_array_new(FALSE, FALSE, sizeof(Ignored))};
    g_array_set_clear_func(unread->ignored, ignored_clear);
    return unread;
}

void unread_free(Unread *unread)
{
    if (!unread) return;
    g_free(unread->file);
    g_hash_table_unref(unread->settled);
    g_array_unref(unread->ignored);
    g_free(unread);
}

static const char *condition_of(const Setting *setting)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++)
            if (!strcmp((*group)->name, setting->group) && !strcmp(param->name, setting->key))
                return param->only_if;
    return NULL;
}

static const char *value_of(gconstpointer values, const char *name)
{
    return resolve_find(values, name)->value;
}

/* Behind "has no effect"; NULL: its condition holds, or it has none. */
static char *unmet(const GPtrArray *values, const Setting *setting)
{
    g_autofree char *condition = machine_condition(setting->group, condition_of(setting));
    return perfect_holds(condition, value_of, values) ? NULL
                                                      : g_strdup_printf("unless %s", condition);
}

/* One that a study gives several values is told without them; any may mean something. */
static void note_setting(Unread *unread, const GPtrArray *values, const Setting *setting,
                         const Machine *machine, bool one_value)
{
    g_autofree char *place = setting_describe_place(setting);
    char *name = g_strdup_printf("%s%s.%s", place, setting->group, setting->key);
    char *reason = machine_ignores(machine, setting);
    if (!reason) reason = unmet(values, setting);
    if (!reason) {
        g_hash_table_add(unread->settled, name);
        return;
    }
    const Ignored ignored = {name, one_value ? setting_describe(setting) : g_strdup(name), reason};
    g_array_append_val(unread->ignored, ignored);
}

void unread_note_study(Unread *unread, const Configuration *settings,
                       const Configuration *configuration, const Machine *machine)
{
    g_autoptr(GPtrArray) values = resolve_machine(configuration, NULL);
    for (guint i = 0; values && i < configuration_size(settings); i++)
        note_setting(unread, values, configuration_at(settings, i), machine, false);
}

void unread_note(Unread *unread, const Configuration *configuration, const Machine *machine)
{
    g_autoptr(GPtrArray) values = resolve_machine(configuration, NULL);
    for (guint i = 0; values && i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (!setting->file || !g_strcmp0(setting->file, unread->file))
            note_setting(unread, values, setting, machine, true);
    }
}

void unread_warn_of_one(const Scenario *scenario, const Variant *variant, const Machine *machine)
{
    g_autoptr(Unread) unread = unread_new(scenario->variants->len > 1 ? NULL : scenario->file);
    unread_note(unread, variant->configuration, machine);
    unread_warn(unread);
}

void unread_warn(Unread *unread)
{
    for (guint i = 0; i < unread->ignored->len; i++) {
        const Ignored *ignored = &g_array_index(unread->ignored, Ignored, i);
        if (g_hash_table_contains(unread->settled, ignored->name)) continue;
        fprintf(stderr, "warpmem: warning: %s: has no effect %s\n", ignored->text, ignored->reason);
        g_hash_table_add(unread->settled, g_strdup(ignored->name));
    }
}
