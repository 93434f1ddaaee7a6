#include "scenarios/program/say/again.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

static void add_word(GString *words, const char *option, const char *text)
{
    g_autofree char *word = text_shell_word(text);
    g_string_append_printf(words, "%s%s", option, word);
}

/* What --set said of a group, whose origin is "set". */
static void add_sets(GString *words, JsonNode *result, const char *group, JsonObject *origins)
{
    JsonObjectIter each;
    const char *key;
    JsonNode *origin;
    json_object_iter_init_ordered(&each, origins);
    JsonNode *parameters = result_member(result, "parameters");
    JsonObject *groups = json_node_get_object(parameters);
    JsonNode *values = json_object_get_member(groups, group);
    while (values && json_object_iter_next_ordered(&each, &key, &origin)) {
        const char *value = result_text(values, key);
        if (strcmp(json_node_get_string(origin), "set") != 0 || !value) continue;
        g_autofree char *set = g_strdup_printf("%s.%s=%s", group, key, value);
        add_word(words, " --set ", set);
    }
}

static void add_all_sets(GString *words, JsonNode *result)
{
    JsonNode *origins = result_member(result, "origins");
    JsonObjectIter each;
    const char *group;
    JsonNode *members;
    if (!origins || !result_member(result, "parameters")) return;
    json_object_iter_init_ordered(&each, json_node_get_object(origins));
    while (json_object_iter_next_ordered(&each, &group, &members))
        add_sets(words, result, group, json_node_get_object(members));
}

static GString *begin_words(const char *file, const char *variant)
{
    GString *words = g_string_new(NULL);
    add_word(words, "", file);
    if (variant) add_word(words, " --variant ", variant);
    return words;
}

char *again_words_of(const char *file, const char *variant, char **sets)
{
    GString *words = begin_words(file, variant);
    for (char **set = sets; set && *set; set++) add_word(words, " --set ", *set);
    return g_string_free(words, FALSE);
}

char *again_words(JsonNode *result, const char *of_kernel)
{
    const char *path = result_text(result, "run_file"), *of = result_text(result, "run_variant"),
               *file = path ? path : result_text(result, "file"),
               *kernels = result_text(result, "run_kernels"),
               *kernel = result_text(result, "run_kernel"),
               *variant = of ? of : result_text(result, "variant");
    if (!file || (of && !kernels && !kernel)) return NULL;
    const bool first = !g_strcmp0(variant, "baseline");
    GString *words = begin_words(file, first ? NULL : variant);
    if (kernels) add_word(words, " --kernels ", kernels);
    if (!kernel && of_kernel && result_has_kernel(result, of_kernel)) kernel = of_kernel;
    if (kernel) add_word(words, " --kernel ", kernel);
    add_all_sets(words, result);
    return g_string_free(words, FALSE);
}
