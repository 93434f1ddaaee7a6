/* Whether the members of a result are what every reader of it takes them for. */
#include <string.h>

#include "kit/describe/stat.h"
#include "scenarios/program/result/result.h"

typedef bool (*Kind)(JsonNode *node);

static bool is_object(JsonNode *node)
{
    return JSON_NODE_HOLDS_OBJECT(node);
}

static bool is_list(JsonNode *node)
{
    return JSON_NODE_HOLDS_ARRAY(node);
}

static bool is_text(JsonNode *node)
{
    return json_node_get_value_type(node) == G_TYPE_STRING;
}

static bool is_flag(JsonNode *node)
{
    return json_node_get_value_type(node) == G_TYPE_BOOLEAN;
}

static bool is_count(JsonNode *node)
{
    return json_node_get_value_type(node) == G_TYPE_INT64 && json_node_get_int(node) >= 0;
}

static bool is_number(JsonNode *node)
{
    const GType type = json_node_get_value_type(node);
    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

static bool all_are(JsonNode *node, Kind kind)
{
    if (!is_list(node)) return false;
    JsonArray *list = json_node_get_array(node);
    for (guint i = 0; i < json_array_get_length(list); i++)
        if (!kind(json_array_get_element(list, i))) return false;
    return true;
}

static bool are_counts(JsonNode *node)
{
    return all_are(node, is_count);
}

static bool are_texts(JsonNode *node)
{
    return all_are(node, is_text);
}

/* What it begins with: name, number, whether it was measured, begin and end. */
static bool is_kernel_row(JsonNode *node)
{
    static const Kind kinds[] = {is_text, is_count, is_flag, is_number, is_number};
    JsonArray *row = is_list(node) ? json_node_get_array(node) : NULL;
    bool good = result_length(row) >= G_N_ELEMENTS(kinds);
    for (guint i = 0; good && i < G_N_ELEMENTS(kinds); i++)
        good = kinds[i](json_array_get_element(row, i));
    return good;
}

/* Some statistics are called as those of banks, and are one number. */
static bool are_banks(JsonNode *node)
{
    return is_count(node) || are_counts(node);
}

static bool are_numbers(JsonNode *node)
{
    return all_are(node, is_number);
}

/* Pairs of bucket and count, buckets in ascending order. */
static bool are_buckets(JsonNode *node)
{
    if (!are_counts(node)) return false;
    JsonArray *list = json_node_get_array(node);
    gint64 before = -1;
    for (guint i = 0; i < json_array_get_length(list); i += 2) {
        const gint64 bucket = json_array_get_int_element(list, i);
        if (bucket <= before || bucket >= HISTOGRAM_BUCKETS) return false;
        before = bucket;
    }
    return json_array_get_length(list) % 2 == 0;
}

/* `*` is any member, and any element of a list. What is missing is right. */
static const struct {
    const char *path;
    Kind kind;
    const char *words;
} rules[] = {
    {"program", is_text, "text"},
    {"scenario", is_text, "text"},
    {"file", is_text, "text"},
    {"variant", is_text, "text"},
    {"hash", is_text, "text"},
    {"partial", is_flag, "true or false"},
    {"measured", is_flag, "true or false"},
    {"summary", is_object, "an object"},
    {"summary.chosen", is_object, "an object"},
    {"summary.chosen.kernels", is_text, "text"},
    {"summary.chosen.in_place", is_flag, "true or false"},
    {"summary.chosen.beside", is_flag, "true or false"},
    {"summary.kernels", is_list, "a list"},
    {"summary.kernels.*", is_object, "an object"},
    {"summary.kernels.*.name", is_text, "text"},
    {"summary.kernels.*.number", is_count, "a whole number"},
    {"summary.kernels.*.measured", is_flag, "true or false"},
    {"summary.kernels.*.beside", is_flag, "true or false"},
    {"summary.kernels.*.finished", is_flag, "true or false"},
    {"summary.between_kernels", is_object, "an object"},
    {"summary.between_kernels.rows", is_list, "a list"},
    {"summary.between_kernels.rows.*", is_object, "an object"},
    {"summary.between_kernels.rows_left_out", is_count, "a whole number"},
    {"summary.between_kernels.others", is_object, "an object"},
    {"summary.between_kernels.others.*", is_count, "a whole number"},
    {"input", is_object, "an object"},
    {"input.warnings", are_texts, "texts"},
    {"input.unknown_opcodes", is_object, "an object"},
    {"input.unknown_opcodes.*", is_count, "a whole number"},
    {"summary.kernels.*.launch", is_object, "an object"},
    {"summary.kernels.*.launch.limited_by", is_list, "a list"},
    {"summary.kernels.*.launch.limited_by.*", is_text, "text"},
    {"kernels", is_list, "a list"},
    {"kernels.*", is_object, "an object"},
    {"kernels.*.name", is_text, "text"},
    {"kernels.*.bound", is_text, "text"},
    {"kernels.*.verdict", is_text, "text"},
    {"kernels.*.summary", is_object, "an object"},
    {"kernel_names", is_list, "a list"},
    {"kernel_names.*", is_object, "an object"},
    {"kernel_names.*.name", is_text, "text"},
    {"kernel_names.*.bound", is_text, "text"},
    {"kernel_names.*.verdict", is_text, "text"},
    {"kernel_names.*.summary", is_object, "an object"},
    {"kernel_rows", is_object, "an object"},
    {"kernel_rows.columns", are_texts, "texts"},
    {"kernel_rows.rows", is_list, "a list"},
    {"kernel_rows.rows.*", is_kernel_row, "a list of name, number, measured, begin, end"},
    {"kernel_rest", is_object, "an object"},
    {"kernel_rest.others", is_object, "an object"},
    {"timeline_banks", is_object, "an object"},
    {"timeline_banks.banks", is_list, "a list"},
    {"timeline_banks.banks.*", is_object, "an object"},
    {"timeline_banks.banks.*.channel", is_count, "a whole number"},
    {"timeline_banks.banks.*.path", is_text, "text"},
    {"timeline_banks.banks.*.bank", is_count, "a whole number"},
    {"timeline_banks.banks.*.states", is_list, "a list"},
    {"timeline_banks.banks.*.states.*", is_object, "an object"},
    {"timeline_banks.banks.*.states.*.state", is_text, "text"},
    {"timeline_banks.banks.*.states.*.row", is_count, "a whole number"},
    {"timeline_banks.banks.*.states.*.begin", is_count, "a whole number"},
    {"timeline_banks.banks.*.states.*.end", is_count, "a whole number"},
    {"stages", is_object, "an object"},
    {"stages.*", is_object, "an object"},
    {"stages.*.*", is_count, "a whole number"},
    {"time", is_object, "an object"},
    {"time.schedulers", is_count, "a whole number"},
    {"time.fs", is_count, "a whole number"},
    {"time.parts", is_list, "a list"},
    {"time.parts.*", is_object, "an object"},
    {"time.parts.*.name", is_text, "text"},
    {"time.parts.*.title", is_text, "text"},
    {"time.parts.*.kind", is_text, "text"},
    {"time.parts.*.fs", is_count, "a whole number"},
    {"machine", is_list, "a list"},
    {"machine.*", is_object, "an object"},
    {"machine.*.name", is_text, "text"},
    {"machine.*.unit", is_text, "text"},
    {"machine.*.value", is_number, "a number"},
    {"consumption", is_object, "an object"},
    {"consumption.total_uj", is_number, "a number"},
    {"consumption.stages", is_object, "an object"},
    {"consumption.stages.*", is_number, "a number"},
    {"consumption.figures", is_object, "an object"},
    {"consumption.figures.*", is_number, "a number"},
    {"consumption.units", is_object, "an object"},
    {"consumption.units.*", is_object, "an object"},
    {"consumption.units.*.events", is_object, "an object"},
    {"consumption.units.*.events.*", is_object, "an object"},
    {"storage", is_object, "an object"},
    {"storage.total_bits", is_count, "a whole number"},
    {"storage.area_mm2", is_number, "a number"},
    {"storage.units", is_object, "an object"},
    {"storage.units.*", is_object, "an object"},
    {"storage.units.*.*", is_object, "an object"},
    {"storage.units.*.*.ports", is_text, "text"},
    {"parameters", is_object, "an object"},
    {"parameters.*", is_object, "an object"},
    {"parameters.*.*", is_text, "text"},
    {"origins", is_object, "an object"},
    {"origins.*", is_object, "an object"},
    {"origins.*.*", is_text, "text"},
    {"units", is_object, "an object"},
    {"units.*", is_object, "an object"},
    {"units.*.count", is_count, "a whole number"},
    {"units.*.total", is_object, "an object"},
    {"units.*.total.refused_*", is_count, "a whole number"},
    {"units.*.total.*.buckets", are_buckets, "pairs of bucket and count"},
    {"units.*.total.hottest", is_list, "a list"},
    {"units.*.total.hottest.*", is_object, "an object"},
    {"units.*.instances", is_list, "a list"},
    {"units.*.instances.*", is_object, "an object"},
    {"units.*.instances.*.path", is_text, "text"},
    {"units.*.instances.*.bank_*", are_banks, "whole numbers"},
    {"resources", is_object, "an object"},
    {"resources.*", is_object, "an object"},
    {"resources.*.*", is_object, "an object"},
    {"links", is_object, "an object"},
    {"links.*", is_list, "a list"},
    {"links.*.*", is_object, "an object"},
    {"links.*.*.name", is_text, "text"},
    {"links.*.*.from", is_text, "text"},
    {"links.*.*.to", is_text, "text"},
    {"links.*.*.use", is_number, "a number"},
    {"links.*.*.bandwidth_gbps", is_number, "a number"},
    {"links.*.*.latency_ns", is_number, "a number"},
    {"why", is_object, "an object"},
    {"why.chosen", is_object, "an object"},
    {"why.chosen.kernels", is_text, "text"},
    {"why.chosen.in_place", is_flag, "true or false"},
    {"why.chosen.beside", is_flag, "true or false"},
    {"why.layers", is_list, "a list"},
    {"why.layers.*", is_object, "an object"},
    {"why.layers.*.bound", is_object, "an object"},
    {"why.layers.*.perfect", is_list, "a list"},
    {"why.layers.*.perfect.*", is_object, "an object"},
    {"why.layers.*.doublings", is_list, "a list"},
    {"why.layers.*.doublings.*", is_object, "an object"},
    {"why.layers.*.doublings.*.set", are_texts, "texts"},
    {"why.layers.*.choices", is_list, "a list"},
    {"why.layers.*.choices.*", is_object, "an object"},
    {"why.layers.*.choices.*.set", are_texts, "texts"},
    {"profile", is_object, "an object"},
    {"profile.series", is_object, "an object"},
    {"profile.series.start", is_count, "a whole number"},
    {"profile.series.interval", is_count, "a whole number"},
    {"profile.series.intervals", is_count, "a whole number"},
    {"profile.series.span", is_count, "a whole number"},
    {"profile.series.classes", is_object, "an object"},
    {"profile.series.classes.*", is_object, "an object"},
    {"profile.series.classes.*.*", is_object, "an object"},
    {"profile.series.classes.*.*.total", are_numbers, "numbers"},
    {"profile.series.classes.*.*.instances", is_list, "a list"},
    {"profile.series.classes.*.*.instances.*", are_numbers, "numbers"},
    {"profile.series.resources", is_object, "an object"},
    {"profile.series.resources.*", is_object, "an object"},
    {"profile.series.resources.*.*", is_object, "an object"},
    {"profile.series.resources.*.*.*", are_numbers, "numbers"},
    {"profile.power", is_object, "an object"},
    {"profile.power.classes", is_object, "an object"},
    {"profile.power.classes.*", are_numbers, "numbers"},
    {"profile.requests", is_object, "an object"},
    {"profile.requests.*", is_object, "an object"},
    {"profile.requests.*.histogram", is_object, "an object"},
    {"profile.requests.*.histogram.buckets", are_buckets, "pairs of bucket and count"},
    {"profile.requests.*.bands", is_list, "a list"},
    {"profile.requests.*.bands.*", is_object, "an object"},
    {"profile.requests.*.bands.*.stages", is_object, "an object"},
    {"profile.requests.*.bands.*.stages.*", is_count, "a whole number"},
    {"profile.requests.*.slowest", is_object, "an object"},
    {"profile.requests.*.slowest.stages", is_object, "an object"},
    {"profile.requests.*.slowest.stages.*", is_count, "a whole number"},
    {"profile.instructions", is_list, "a list"},
    {"profile.instructions.*", is_object, "an object"},
    {"profile.instructions.*.stages", is_object, "an object"},
    {"profile.instructions.*.stages.*", is_count, "a whole number"},
    {"profile.arrays", is_list, "a list"},
    {"profile.arrays.*", is_object, "an object"},
    {"profile.arrays.*.stages", is_object, "an object"},
    {"profile.arrays.*.stages.*", is_count, "a whole number"},
    {"profile.slowest", is_list, "a list"},
    {"profile.slowest.*", is_object, "an object"},
    {"profile.slowest.*.stages", is_list, "a list"},
    {"profile.slowest.*.stages.*", is_object, "an object"},
    {"profile.slowest.*.stages.*.fs", is_count, "a whole number"},
};

/* The way to a node; `wrong` is the first on it that is not of the kind. */
typedef struct {
    Kind kind;
    GString *wrong;
} Search;

static bool search(const Search *way, JsonNode *node, char **words);

static bool search_child(const Search *way, JsonNode *child, const char *name, char **words)
{
    const gsize length = way->wrong->len;
    g_string_append_printf(way->wrong, "%s%s", length ? "." : "", name);
    if (!search(way, child, words + 1)) return false;
    g_string_truncate(way->wrong, length);
    return true;
}

static bool search_members(const Search *way, JsonObject *object, char **words)
{
    if (!strchr(*words, '*')) {
        JsonNode *child = json_object_get_member(object, *words);
        return !child || search_child(way, child, *words, words);
    }
    JsonObjectIter members;
    const char *name;
    JsonNode *child;
    json_object_iter_init(&members, object);
    while (json_object_iter_next(&members, &name, &child))
        if (g_pattern_match_simple(*words, name) && !search_child(way, child, name, words))
            return false;
    return true;
}

static bool search_elements(const Search *way, JsonArray *list, char **words)
{
    for (guint i = 0; i < json_array_get_length(list) && !strcmp(*words, "*"); i++) {
        g_autofree char *name = g_strdup_printf("%u", i);
        if (!search_child(way, json_array_get_element(list, i), name, words)) return false;
    }
    return true;
}

static bool search(const Search *way, JsonNode *node, char **words)
{
    if (!*words) return way->kind(node);
    if (is_object(node)) return search_members(way, json_node_get_object(node), words);
    return !is_list(node) || search_elements(way, json_node_get_array(node), words);
}

bool result_check(JsonNode *result, const char *file, GError **error)
{
    g_autoptr(GString) wrong = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        const Search way = {rules[i].kind, wrong};
        g_auto(GStrv) words = g_strsplit(rules[i].path, ".", -1);
        if (search(&way, result, words)) continue;
        g_set_error(error, RESULT_ERROR, 0, "%s: damaged: %s is not %s", file, wrong->str,
                    rules[i].words);
        return false;
    }
    return true;
}
