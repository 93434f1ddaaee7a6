#include "scenarios/program/say/unread.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/perfect/perfect.h"

typedef struct {
    char *setting, *reason; /* as texts */
} Ignored;

struct Unread {
    char *file;
    GHashTable *settled; /* settings that mean something to a machine, or have been told; as text */
    GArray *ignored;     /* of Ignored, those that mean nothing to one */
};

static void ignored_clear(gpointer data)
{
    Ignored *ignored = data;
    g_free(ignored->setting);
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
    g_autofree char *condition = param_qualify(setting->group, condition_of(setting));
    return perfect_holds(condition, value_of, values) ? NULL
                                                      : g_strdup_printf("unless %s", condition);
}

void unread_note(Unread *unread, const Configuration *configuration, const Machine *machine)
{
    g_autoptr(GPtrArray) values = resolve_machine(configuration, NULL);
    for (guint i = 0; values && i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (setting->file && g_strcmp0(setting->file, unread->file)) continue;
        char *reason = machine_ignores(machine, setting);
        const Ignored ignored = {setting_describe(setting),
                                 reason ? reason : unmet(values, setting)};
        if (ignored.reason)
            g_array_append_val(unread->ignored, ignored);
        else
            g_hash_table_add(unread->settled, ignored.setting);
    }
}

void unread_warn(Unread *unread)
{
    for (guint i = 0; i < unread->ignored->len; i++) {
        const Ignored *ignored = &g_array_index(unread->ignored, Ignored, i);
        if (g_hash_table_contains(unread->settled, ignored->setting)) continue;
        fprintf(stderr, "warpmem: warning: %s: has no effect %s\n", ignored->setting,
                ignored->reason);
        g_hash_table_add(unread->settled, g_strdup(ignored->setting));
    }
}
