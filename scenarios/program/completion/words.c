/* What scripts know of names, from the tables, the shipped files and what stands in them. */
#include "scenarios/program/completion/completion.h"

#include <string.h>

#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/study/dimensions/design.h"
#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/validate/published.h"
#include "workloads/traces/generate.h"

static int compare_words(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once; frees the list. */
static void put_list(const Shell *shell, const char *kind, GPtrArray *words, FILE *out)
{
    g_ptr_array_sort(words, compare_words);
    for (guint i = words->len; i > 1; i--)
        if (!strcmp(words->pdata[i - 1], words->pdata[i - 2]))
            g_ptr_array_remove_index(words, i - 1);
    g_ptr_array_add(words, NULL);
    shell->words(kind, (const char *const *)words->pdata, out);
    g_ptr_array_unref(words);
}

static GPtrArray *list_new(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}

static void add_kind(GPtrArray *words, const char *before, const GPtrArray *vocabulary,
                     WordKind kind)
{
    for (guint i = 0; i < vocabulary->len; i++) {
        const Word *word = vocabulary->pdata[i];
        if (word->kind == kind) g_ptr_array_add(words, g_strconcat(before, word->name, NULL));
    }
}

static void put_kind(const Shell *shell, const char *kind, const GPtrArray *vocabulary,
                     WordKind which, FILE *out)
{
    GPtrArray *words = list_new();
    add_kind(words, "", vocabulary, which);
    put_list(shell, kind, words, out);
}

/* Whatever `explain` knows. */
static void put_names(const Shell *shell, const GPtrArray *vocabulary, FILE *out)
{
    GPtrArray *words = list_new();
    for (guint i = 0; i < vocabulary->len; i++)
        g_ptr_array_add(words, g_strdup(((const Word *)vocabulary->pdata[i])->name));
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        g_ptr_array_add(words, g_strdup(c->name));
    put_list(shell, "names", words, out);
}

/* --- settings --------------------------------------------------------------------------------- */

/* Keys of no choice whose values are words. */
static const struct {
    const char *key;
    WordKind kind;
} others[] = {{"scenario.extends", WORD_PRESET},
              {"dram.part", WORD_PART},
              {"workload.pattern", WORD_PATTERN}};

static void add_choices(GPtrArray *words, const char *key, const Param *param)
{
    g_auto(GStrv) choices = param_others(param, "");
    for (char **choice = choices; *choice; choice++)
        g_ptr_array_add(words, g_strdup_printf("%s=%s", key, *choice));
}

static void put_settings(const Shell *shell, const GPtrArray *vocabulary, FILE *out)
{
    GPtrArray *keys = list_new(), *values = list_new();
    for (guint i = 0; i < vocabulary->len; i++) {
        const Word *word = vocabulary->pdata[i];
        if (!word->param || word->named) continue;
        g_ptr_array_add(keys, word_key(word));
        add_choices(values, keys->pdata[keys->len - 1], word->param);
    }
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *before = g_strconcat(others[i].key, "=", NULL);
        g_ptr_array_add(keys, g_strdup(others[i].key));
        add_kind(values, before, vocabulary, others[i].kind);
    }
    put_list(shell, "keys", keys, out);
    put_list(shell, "values", values, out);
}

/* --- shipped scenarios ------------------------------------------------------------------------ */

static void add_kernels(const char *name, const Variant *variant, GPtrArray *words)
{
    for (guint i = 0; i < configuration_size(variant->configuration); i++) {
        const char *group = configuration_at(variant->configuration, i)->group;
        if (g_str_has_prefix(group, "kernel "))
            g_ptr_array_add(words, g_strdup_printf("%s/%s", name, group + strlen("kernel ")));
    }
}

static void add_scenario(const char *name, GPtrArray *variants, GPtrArray *kernels)
{
    g_autoptr(Scenario) scenario = scenario_load(name, NULL, NULL);
    for (guint i = 0; scenario && i < scenario->variants->len; i++) {
        const Variant *variant = scenario->variants->pdata[i];
        if (i || !scenario->template_only)
            g_ptr_array_add(variants, g_strdup_printf("%s/%s", name, variant->name));
        add_kernels(name, variant, kernels);
    }
}

static void put_scenarios(const Shell *shell, FILE *out)
{
    GPtrArray *variants = list_new(), *kernels = list_new();
    g_autofree char *directory = catalogue_scenario_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    for (char **name = names; *name; name++) add_scenario(*name, variants, kernels);
    shell->words("scenarios", (const char *const *)names, out);
    put_list(shell, "variants", variants, out);
    put_list(shell, "kernels", kernels, out);
}

static void put_recipes(const Shell *shell, FILE *out)
{
    GPtrArray *words = list_new();
    for (const TraceRecipe *recipe = trace_recipes(); recipe->name; recipe++)
        g_ptr_array_add(words, g_strdup(recipe->name));
    put_list(shell, "recipes", words, out);
}

void completion_add_words(const Shell *shell, FILE *out)
{
    g_autoptr(GPtrArray) vocabulary = vocabulary_new();
    g_auto(GStrv) gpus = published_presets();
    put_scenarios(shell, out);
    put_kind(shell, "presets", vocabulary, WORD_PRESET, out);
    put_kind(shell, "results", vocabulary, WORD_RESULT, out);
    shell->words("gpus", (const char *const *)gpus, out);
    shell->words("designs", design_names, out);
    put_recipes(shell, out);
    put_names(shell, vocabulary, out);
    put_settings(shell, vocabulary, out);
}
