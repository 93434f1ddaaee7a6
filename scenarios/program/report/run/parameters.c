/* What was run: every parameter, where its value came from and what it means; and every counter. */
#include "scenarios/program/report/run/page.h"

#include <string.h>

#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

static JsonObject *object_of(JsonNode *result, const char *path)
{
    JsonNode *node = result_member(result, path);
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static JsonObject *group_of(JsonObject *groups, const char *name)
{
    JsonNode *node = groups ? json_object_get_member(groups, name) : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static const char *text_of(JsonObject *group, const char *key)
{
    return group ? json_object_get_string_member_with_default(group, key, NULL) : NULL;
}

/* Parameters of a workload are called as the pattern that has them; the result's pattern is asked
 * first. */
static const char *meaning(const GPtrArray *words, const char *pattern, const char *name)
{
    const char *key = vocabulary_workload_key(name);
    const char *found = NULL;
    for (guint i = 0; i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (word->kind != WORD_PARAMETER) continue;
        if (!key && !strcmp(word->name, name)) return word->summary;
        if (!key || !word->of_workload || strcmp(word->short_name, key) != 0) continue;
        const gsize length = pattern ? strlen(pattern) : 0;
        if (length && !strncmp(word->name, pattern, length) && word->name[length] == '.')
            return word->summary;
        if (!found || g_str_has_prefix(word->name, "workload.")) found = word->summary;
    }
    return found;
}

typedef struct {
    Figure *figure;
    JsonObject *origins; /* NULL: the result has none */
    GPtrArray *words;
} Listing;

static void add_group(const Listing *listing, const char *name, JsonObject *group)
{
    JsonObject *origins = group_of(listing->origins, name);
    const char *pattern = text_of(group, "pattern");
    g_autoptr(GList) keys = json_object_get_members(group);
    for (const GList *key = keys; key; key = key->next) {
        g_autofree char *full = g_strdup_printf("%s.%s", name, (char *)key->data);
        figure_row(listing->figure);
        figure_text(listing->figure, name);
        figure_text(listing->figure, key->data);
        figure_text(listing->figure, text_of(group, key->data));
        if (listing->origins) figure_text(listing->figure, text_of(origins, key->data));
        figure_text(listing->figure, meaning(listing->words, pattern, full));
    }
}

Figure *run_parameters(JsonNode *result)
{
    JsonObject *groups = object_of(result, "parameters");
    g_autoptr(GPtrArray) words = vocabulary_new();
    const Listing listing = {figure_new("parameters", NULL), object_of(result, "origins"), words};
    figure_column(listing.figure, "group", NULL);
    figure_column(listing.figure, "parameter", NULL);
    figure_column(listing.figure, "value", NULL);
    if (listing.origins) figure_column(listing.figure, "from", NULL);
    figure_column(listing.figure, "meaning", NULL);
    g_autoptr(GList) names = groups ? json_object_get_members(groups) : NULL;
    for (const GList *name = names; name; name = name->next)
        if (group_of(groups, name->data))
            add_group(&listing, name->data, group_of(groups, name->data));
    return listing.figure;
}

static void add_counter(Figure *figure, const Counter *counter)
{
    static const char *const units[] = {[STAT_BYTES] = "B", [STAT_TIME] = "us"};
    g_autofree char *name = g_strdup_printf("%s.%s", counter->unit->name, counter->stat->name);
    figure_row(figure);
    figure_text(figure, name);
    if (counter->stat->type == STAT_TIME)
        figure_number(figure, counter->sum * US_OF_FS);
    else
        figure_count(figure, counter->sum);
    figure_text(figure, units[counter->stat->type]);
    figure_text(figure, counter->stat->summary);
}

Figure *run_counters(JsonNode *result, const UnitClass *const *classes)
{
    Figure *figure = figure_new("counters", NULL);
    g_autoptr(GArray) counters = result_counters(result, classes);
    figure_column(figure, "statistic", NULL);
    figure_column(figure, "of all units", NULL);
    figure_column(figure, "in", NULL);
    figure_column(figure, "meaning", NULL);
    for (guint i = 0; i < counters->len; i++)
        add_counter(figure, &g_array_index(counters, Counter, i));
    return figure;
}
