#include "scenarios/program/language/scenario.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/language/dram_part.h"
#include "scenarios/program/language/find.h"
#include "scenarios/program/language/pattern.h"
#include "scenarios/program/language/peak.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/language/text.h"

/* What a chain of files adds up to, before the variants are resolved. */
typedef struct {
    char *title;
    bool template_only;
    Configuration *machine; /* what it starts from ... */
    Configuration *own;     /* ... and what goes over it */
    Configuration *study;
    char *machine_name;   /* a preset, or a file */
    GPtrArray *overrides; /* of Variant: only what the variant changes */
    GPtrArray *chain;     /* of char *: files that are being read, outermost first */
} Draft;

static void variant_free(gpointer data)
{
    Variant *variant = data;
    g_free(variant->name);
    configuration_free(variant->configuration);
    g_free(variant);
}

static Variant *variant_new(const char *name, Configuration *configuration)
{
    Variant *variant = g_new0(Variant, 1);
    *variant = (Variant){.name = g_strdup(name), .configuration = configuration};
    return variant;
}

static Draft draft_new(void)
{
    return (Draft){.machine = configuration_new(),
                   .own = configuration_new(),
                   .study = configuration_new(),
                   .overrides = g_ptr_array_new_with_free_func(variant_free),
                   .chain = g_ptr_array_new_with_free_func(g_free)};
}

static void draft_finish(Draft *draft)
{
    g_free(draft->title);
    configuration_free(draft->machine);
    configuration_free(draft->own);
    configuration_free(draft->study);
    g_free(draft->machine_name);
    g_ptr_array_unref(draft->overrides);
    g_ptr_array_unref(draft->chain);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_finish)

void scenario_free(Scenario *scenario)
{
    if (!scenario) return;
    g_free(scenario->title);
    g_free(scenario->file);
    g_free(scenario->machine);
    configuration_free(scenario->study);
    g_ptr_array_unref(scenario->variants);
    g_free(scenario);
}

/* --- layers ----------------------------------------------------------------------------------- */

static const char *const scenario_keys[] = {"title", "extends", "baseline", NULL};

static char *say_unknown(const char *key)
{
    const char *near = nearest_word(key, scenario_keys);
    return near ? g_strdup_printf("no such key; did you mean '%s'?", near)
                : g_strdup("no such key; there are title, extends, baseline");
}

/* Of [scenario] a variant and --set have only what the machine starts from. */
static bool check_start(const Setting *setting, GError **error)
{
    if (!strcmp(setting->key, "extends")) return true;
    g_autofree char *reason = g_strv_contains(scenario_keys, setting->key)
                                  ? g_strdup("only the file's [scenario] may say it")
                                  : say_unknown(setting->key);
    return setting_reject(setting, error, "%s", reason);
}

/* What a later step makes untrue. */
static void void_by(Configuration *configuration, const Configuration *changes)
{
    peak_void_by(configuration, changes);
    pattern_void_by(configuration, changes);
}

static bool put_over(Configuration *configuration, const Configuration *changes, GError **error)
{
    if (configuration_find(changes, "dram", "part")) dram_part_void(configuration);
    void_by(configuration, changes);
    for (guint i = 0; i < configuration_size(changes); i++) {
        const Setting *s = configuration_at(changes, i);
        if (strcmp(s->group, "scenario") != 0)
            configuration_set(configuration, s->group, s->key, s->value, s->file, s->line);
        else if (!check_start(s, error))
            return false;
    }
    return true;
}

/* --- extends ---------------------------------------------------------------------------------- */

static bool chain_contains(const GPtrArray *chain, const char *file)
{
    g_autofree char *wanted = g_canonicalize_filename(file, NULL);
    for (guint i = 0; i < chain->len; i++) {
        g_autofree char *present = g_canonicalize_filename(chain->pdata[i], NULL);
        if (!strcmp(present, wanted)) return true;
    }
    return false;
}

/* A file that says nothing of workloads is one, as a preset is. */
static bool is_machine(const Draft *draft)
{
    const Variant own = {.configuration = draft->own};
    return variant_is_machine(&own) && !draft->overrides->len && !configuration_size(draft->study);
}

/* What has been read becomes what the reader starts from. */
static bool take_machine(Draft *draft, const char *file, const char *name, GError **error)
{
    if (!put_over(draft->machine, draft->own, error)) return false;
    configuration_free(draft->own);
    draft->own = configuration_new();
    g_clear_pointer(&draft->title, g_free); /* the machine's */
    g_free(draft->machine_name);
    draft->machine_name = find_machine_name(file, name, error);
    return draft->machine_name;
}

static bool draft_read(Draft *draft, const char *file, GError **error);

static bool read_base(Draft *draft, const char *file, const ScenarioEntry *entry, GError **error)
{
    g_autofree char *base = find_base(file, entry->value, error);
    bool good = base != NULL;
    if (good && chain_contains(draft->chain, base)) {
        g_set_error(error, SCENARIO_ERROR, 0, "the files extend each other in a circle");
        good = false;
    }
    if (!good) {
        g_prefix_error(error, "%s:%d: scenario.extends = %s: ", file, entry->line, entry->value);
        return false;
    }
    return draft_read(draft, base, error)
           && (!is_machine(draft) || take_machine(draft, file, entry->value, error));
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool reject_entry(const char *file, const ScenarioEntry *entry, const char *reason,
                         GError **error)
{
    g_set_error(error, SCENARIO_ERROR, 0, "%s:%d: %s.%s = %s: %s", file, entry->line, entry->group,
                entry->key, entry->value, reason);
    return false;
}

static bool read_scenario_key(Draft *draft, const char *file, const ScenarioEntry *entry,
                              GError **error)
{
    if (!strcmp(entry->key, "title")) {
        g_free(draft->title);
        draft->title = g_strdup(entry->value);
        return true;
    }
    if (!strcmp(entry->key, "extends")) return true; /* read before everything else */
    if (!strcmp(entry->key, "baseline")) {
        draft->template_only = !strcmp(entry->value, "no");
        if (draft->template_only || !strcmp(entry->value, "yes")) return true;
        return reject_entry(file, entry, "neither yes (run it) nor no (only the variants are run)",
                            error);
    }
    g_autofree char *reason = say_unknown(entry->key);
    return reject_entry(file, entry, reason, error);
}

static Variant *find_variant(const GPtrArray *variants, const char *name)
{
    for (guint i = 0; i < variants->len; i++) {
        Variant *variant = variants->pdata[i];
        if (!strcmp(variant->name, name)) return variant;
    }
    return NULL;
}

/* The name becomes a folder. */
static bool is_variant_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') && strcmp(name, "baseline") != 0;
}

static bool is_of_variant(const ScenarioEntry *entry)
{
    return g_str_has_prefix(entry->group, "variant ") || !strcmp(entry->group, "variant");
}

/* The variant that the entry is about, new at its first mention; NULL with error. */
static Variant *mention_variant(Draft *draft, const char *file, const ScenarioEntry *entry,
                                GError **error)
{
    g_autofree char *name = g_strstrip(g_strdup(entry->group + strlen("variant")));
    if (!is_variant_name(name)) {
        g_set_error(
            error, SCENARIO_ERROR, 0,
            "%s:%d: [%s]: '%s' cannot name a variant; it names a folder and is not 'baseline'",
            file, entry->line, entry->group, name);
        return NULL;
    }
    Variant *variant = find_variant(draft->overrides, name);
    if (variant) return variant;
    variant = variant_new(name, configuration_new());
    g_ptr_array_add(draft->overrides, variant);
    return variant;
}

static bool read_variant_entry(Draft *draft, const char *file, const ScenarioEntry *entry,
                               GError **error)
{
    Variant *variant = mention_variant(draft, file, entry, error);
    if (!variant) return false;
    if (!entry->key) return true;
    if (!strcmp(entry->key, "extends")) {
        configuration_set(variant->configuration, "scenario", "extends", entry->value, file,
                          entry->line);
        return true;
    }
    g_autofree char *group = NULL;
    g_autofree char *key = NULL;
    if (!setting_name_split(entry->key, &group, &key)) {
        g_set_error(error, SCENARIO_ERROR, 0,
                    "%s:%d: %s = %s: a variant's keys are written group.key, but for extends", file,
                    entry->line, entry->key, entry->value);
        return false;
    }
    if (!strcmp(group, "study") || g_str_has_prefix(group, "study."))
        return reject_entry(file, entry,
                            "a study is the scenario's, in [study]; it may vary 'variant'", error);
    configuration_set(variant->configuration, group, key, entry->value, file, entry->line);
    return true;
}

/* Before the other entries of its file, which go over the part. */
static bool select_part(Draft *draft, const char *file, const ScenarioEntry *entry, GError **error)
{
    Configuration *configuration = draft->own;
    bool selects = dram_part_is_key(entry->group, entry->key);
    if (is_of_variant(entry)) {
        const Variant *variant = mention_variant(draft, file, entry, error);
        if (!variant) return false;
        configuration = variant->configuration;
        selects = entry->key && !strcmp(entry->key, "dram.part");
    }
    return !selects || dram_part_select(configuration, entry->value, file, entry->line, error);
}

static bool check_group(const char *file, const ScenarioEntry *entry, GError **error)
{
    if (scenario_check_group(entry->group, error)) return true;
    g_prefix_error(error, "%s:%d: [%s]: ", file, entry->line, entry->group);
    return false;
}

static bool read_entry(Draft *draft, const char *file, const ScenarioEntry *entry, GError **error)
{
    if (is_of_variant(entry)) return read_variant_entry(draft, file, entry, error);
    if (!entry->key) return check_group(file, entry, error);
    if (!strcmp(entry->group, "scenario")) return read_scenario_key(draft, file, entry, error);
    const bool of_study = !strcmp(entry->group, "study");
    configuration_set(of_study ? draft->study : draft->own, entry->group, entry->key, entry->value,
                      file, entry->line);
    return true;
}

static const ScenarioEntry *find_extends(const GPtrArray *entries)
{
    for (guint i = 0; i < entries->len; i++) {
        const ScenarioEntry *entry = entries->pdata[i];
        if (!g_strcmp0(entry->key, "extends") && !strcmp(entry->group, "scenario")) return entry;
    }
    return NULL;
}

/* Of a scenario that this one extends. */
static void void_changed(Draft *draft, const GPtrArray *entries)
{
    g_autoptr(Configuration) changes = configuration_new();
    for (guint i = 0; i < entries->len; i++) {
        const ScenarioEntry *entry = entries->pdata[i];
        if (entry->key && !is_of_variant(entry))
            configuration_set(changes, entry->group, entry->key, entry->value, NULL, entry->line);
    }
    void_by(draft->own, changes);
}

static bool draft_read(Draft *draft, const char *file, GError **error)
{
    g_autoptr(GPtrArray) entries = scenario_text_read(file, error);
    if (!entries) return false;
    g_ptr_array_add(draft->chain, g_strdup(file));
    const ScenarioEntry *extends = find_extends(entries);
    if (extends && !read_base(draft, file, extends, error)) return false;
    for (guint i = 0; i < entries->len; i++)
        if (!select_part(draft, file, entries->pdata[i], error)) return false;
    void_changed(draft, entries);
    for (guint i = 0; i < entries->len; i++)
        if (!read_entry(draft, file, entries->pdata[i], error)) return false;
    g_ptr_array_remove_index(draft->chain, draft->chain->len - 1);
    return true;
}

/* --- variants ------------------------------------------------------------------------------ */

/* The machine that another preset, or a file, describes, newly allocated; NULL with error. */
static Configuration *read_start(const Setting *extends, GError **error)
{
    g_auto(Draft) draft = draft_new();
    g_autofree char *file = find_base(extends->file, extends->value, error);
    if (!file) setting_prefix_error(extends, error);
    if (!file || !draft_read(&draft, file, error)) return NULL;
    g_autoptr(Configuration) own = configuration_copy_groups(draft.own, variant_is_machine_group);
    return put_over(draft.machine, own, error) ? g_steal_pointer(&draft.machine) : NULL;
}

/* `changes` may be NULL, and may start from another machine than the scenario does. */
static Variant *resolve_variant(const Draft *draft, const char *name, const Configuration *changes,
                                const Configuration *sets, GError **error)
{
    const Setting *extends = configuration_find(sets, "scenario", "extends");
    if (!extends && changes) extends = configuration_find(changes, "scenario", "extends");
    g_autoptr(Configuration) configuration =
        extends ? read_start(extends, error) : configuration_copy(draft->machine);
    if (!configuration || !put_over(configuration, draft->own, error)
        || (changes && !put_over(configuration, changes, error))
        || !put_over(configuration, sets, error))
        return NULL;
    return variant_new(name, g_steal_pointer(&configuration));
}

static bool resolve(Draft *draft, const Configuration *over, GPtrArray *variants, GError **error)
{
    Variant *baseline = resolve_variant(draft, "baseline", NULL, over, error);
    if (!baseline) return false;
    g_ptr_array_add(variants, baseline);
    for (guint i = 0; i < draft->overrides->len; i++) {
        const Variant *override = draft->overrides->pdata[i];
        Variant *variant =
            resolve_variant(draft, override->name, override->configuration, over, error);
        if (!variant) return false;
        g_ptr_array_add(variants, variant);
    }
    return true;
}

static char *take_machine_name(Draft *draft, const Configuration *over)
{
    const Setting *extends = configuration_find(over, "scenario", "extends");
    return extends ? find_machine_name(extends->file, extends->value, NULL)
                   : g_steal_pointer(&draft->machine_name);
}

Scenario *scenario_load_under(const char *path, const char *const *sets, const Configuration *upper,
                              GError **error)
{
    g_autofree char *file = find_scenario(path, error);
    if (!file) return NULL;
    g_auto(Draft) draft = draft_new();
    g_autoptr(Configuration) over = configuration_new();
    if (!draft_read(&draft, file, error) || !sets_apply(sets, upper, over, draft.study, error))
        return NULL;
    g_autoptr(Scenario) scenario = g_new0(Scenario, 1);
    scenario->variants = g_ptr_array_new_with_free_func(variant_free);
    if (!resolve(&draft, over, scenario->variants, error)) return NULL;
    for (guint i = 0; i < scenario->variants->len; i++)
        configuration_set_file(((Variant *)scenario->variants->pdata[i])->configuration, file);
    scenario->title = draft.title ? g_steal_pointer(&draft.title) : g_path_get_basename(file);
    scenario->template_only = draft.template_only && scenario->variants->len > 1;
    scenario->machine = take_machine_name(&draft, over);
    scenario->study = g_steal_pointer(&draft.study);
    scenario->file = g_steal_pointer(&file);
    return g_steal_pointer(&scenario);
}

Scenario *scenario_load(const char *path, const char *const *sets, GError **error)
{
    return scenario_load_under(path, sets, NULL, error);
}

const Variant *scenario_find_variant(const Scenario *scenario, const char *name, GError **error)
{
    const Variant *variant = find_variant(scenario->variants, name);
    if (variant) return variant;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < scenario->variants->len; i++)
        g_ptr_array_add(names, ((const Variant *)scenario->variants->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, SCENARIO_ERROR, 0, "%s: no variant '%s'; %s %s", scenario->file, name,
                near ? "did you mean" : "there are", near ? near : all);
    return NULL;
}

const Variant *scenario_choose_variant(const Scenario *scenario, const char *name, GError **error)
{
    if (name) return scenario_find_variant(scenario, name, error);
    return scenario->variants->pdata[scenario->template_only ? 1 : 0];
}
