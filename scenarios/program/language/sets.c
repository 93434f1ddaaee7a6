#include "scenarios/program/language/sets.h"

#include <string.h>

#include "scenarios/program/language/dram_part.h"
#include "scenarios/program/language/text.h"
#include "workloads/selection.h"

static const char STUDY_PREFIX[] = "study.";

bool setting_name_split(const char *name, char **group, char **key)
{
    const char *point = strrchr(name, '.');
    if (!point || point == name || !point[1]) return false;
    *group = g_strchomp(g_strndup(name, (gsize)(point - name)));
    *key = g_strdup(point + 1);
    return true;
}

typedef struct {
    char *group, *key, *value;
} Set;

static void set_finish(Set *set)
{
    g_free(set->group);
    g_free(set->key);
    g_free(set->value);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Set, set_finish)

/* What stands behind "study." is one key, points and all. */
static bool split_set(const char *text, Set *set, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name =
        g_strstrip(equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text));
    const char *of_study =
        g_str_has_prefix(name, STUDY_PREFIX) ? name + strlen(STUDY_PREFIX) : NULL;
    if (equals && of_study && *of_study) {
        set->group = g_strdup("study");
        set->key = g_strdup(of_study);
    } else if (!equals || !setting_name_split(name, &set->group, &set->key)) {
        g_set_error(error, SCENARIO_ERROR, 0, "--set %s: is written group.key=value", text);
        return false;
    }
    set->value = g_strstrip(g_strdup(equals + 1));
    return true;
}

typedef struct {
    Configuration *over, *study;
} Target;

static bool apply_set(const Target *target, const char *text, bool parts, GError **error)
{
    g_auto(Set) set = {NULL, NULL, NULL};
    if (!split_set(text, &set, error)) return false;
    if (parts != dram_part_is_key(set.group, set.key)) return true;
    if (parts) return dram_part_select(target->over, set.value, NULL, 0, error);
    const bool of_study = !strcmp(set.group, "study");
    configuration_set(of_study ? target->study : target->over, set.group, set.key, set.value, NULL,
                      0);
    return true;
}

static bool apply_upper(const Target *target, const Configuration *upper, bool parts,
                        GError **error)
{
    for (guint i = 0; upper && i < configuration_size(upper); i++) {
        const Setting *s = configuration_at(upper, i);
        if (parts != dram_part_is_key(s->group, s->key)) continue;
        if (!parts)
            configuration_set(target->over, s->group, s->key, s->value, s->file, s->line);
        else if (!dram_part_select(target->over, s->value, s->file, s->line, error))
            return false;
    }
    return true;
}

bool sets_apply(const char *const *sets, const Configuration *upper, Configuration *over,
                Configuration *study, GError **error)
{
    const Target target = {over, study};
    for (unsigned pass = 0; pass < 2; pass++) {
        const bool parts = pass == 0;
        for (const char *const *set = sets; set && *set; set++)
            if (!apply_set(&target, *set, parts, error)) return false;
        if (!apply_upper(&target, upper, parts, error)) return false;
    }
    return true;
}

/* --- which kernels ---------------------------------------------------------------------------- */

static void append(char ***sets, const char *key, const char *value)
{
    if (!value) return;
    const guint length = *sets ? g_strv_length(*sets) : 0;
    *sets = g_renew(char *, *sets, length + 2);
    (*sets)[length] = g_strdup_printf("workload.%s=%s", key, value);
    (*sets)[length + 1] = NULL;
}

/* NULL: nothing is set. */
static char *kernels_of(const KernelChoice *choice)
{
    const char *kernels = choice->kernels ? choice->kernels : "";
    if ((!choice->kernels && !choice->name) || !choice->in_place
        || g_str_has_suffix(kernels, SELECTION_IN_PLACE))
        return g_strdup(choice->kernels);
    return g_strconcat(kernels, *kernels ? " " : "", SELECTION_IN_PLACE, NULL);
}

void kernel_choice_apply(const KernelChoice *choice, char ***sets)
{
    g_autofree char *kernels = kernels_of(choice);
    append(sets, "kernels", kernels);
    append(sets, "kernel_name", choice->name);
}

void setting_name_error(const char *setting, const char *option, GError *error)
{
    g_autoptr(GString) text = g_string_new(error->message);
    g_autofree char *first = g_strconcat("--set: ", option, NULL);
    g_string_replace(text, setting, option, 0);
    g_string_replace(text, first, option, 1);
    g_free(error->message);
    error->message = g_strdup(text->str);
}

void kernel_choice_name_error(const KernelChoice *choice, GError *error)
{
    g_autofree char *kernels = kernels_of(choice),
                    *set = g_strconcat("workload.kernels = ", kernels, NULL),
                    *typed = g_strconcat("--kernels ", choice->kernels, NULL);
    if (choice->kernels) setting_name_error(set, typed, error);
    if (choice->name) setting_name_error("workload.kernel_name = ", "--kernel ", error);
}

void kernel_choice_finish(KernelChoice *choice)
{
    g_free(choice->kernels);
    g_free(choice->name);
}
