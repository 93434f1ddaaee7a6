#include "scenarios/program/study/records/own_results.h"

#include <string.h>

#include "kit/describe/output_file.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/records/outcome.h"

static const char FILE_NAME[] = "own-results.json";

const char *const own_result_betters[] = {"lower", "higher", "neither", NULL};

/* --- which there may be ----------------------------------------------------------------------- */

/* What else a column of the table or of an export is called. */
static bool is_taken(const Manifest *manifest, const char *name)
{
    static const char *const others[] = {"point", "key",  "variant", "replication", "status",
                                         "seed",  "role", "message", NULL};
    for (const char *const *other = others; *other; other++)
        if (!g_ascii_strcasecmp(*other, name)) return true;
    for (const ResultColumn *column = result_columns(); column->name; column++)
        if (!g_ascii_strcasecmp(column->name, name)) return true;
    for (guint i = 0; i < manifest->derived->len; i++)
        if (!g_ascii_strcasecmp(((const Derived *)manifest->derived->pdata[i])->name, name))
            return true;
    return false;
}

bool own_result_check_name(const Manifest *manifest, const char *name, GError **error)
{
    const bool word =
        g_regex_match_simple("^[A-Za-z_]\\w*$", name, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT);
    if (word && !is_taken(manifest, name)) return true;
    if (word)
        g_set_error(error, STUDY_ERROR, 0, "the table has a column %s already", name);
    else
        g_set_error(error, STUDY_ERROR, 0, "a result's name has letters, digits and '_'");
    return false;
}

const char *own_result_refusal(const Manifest *manifest, const char *name, bool number)
{
    const int index = result_column_find(name);
    const ResultColumn *column = index < 0 ? NULL : &result_columns()[index];
    if (column ? !strcmp(column->unit, "text") : !number) return "is a text; a result is a number";
    if (column && result_column_is_peak(column) && !manifest->peak_power)
        return "is only there with peak_power = yes";
    return NULL;
}

/* --- as text ---------------------------------------------------------------------------------- */

void own_results_put(JsonBuilder *json, const GPtrArray *derived, guint from)
{
    json_builder_set_member_name(json, "derived");
    json_builder_begin_array(json);
    for (guint i = from; i < derived->len; i++) {
        const Derived *result = derived->pdata[i];
        json_builder_begin_object(json);
        json_put_text(json, "name", result->name);
        json_put_text(json, "expression", result->expression);
        json_put_text(json, "unit", result->unit);
        json_put_text(json, "better", result->better);
        json_put_text(json, "summary", result->summary);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static bool take(JsonNode *node, Manifest *manifest)
{
    const char *name = result_text(node, "name"), *expression = result_text(node, "expression"),
               *unit = result_text(node, "unit"), *better = result_text(node, "better"),
               *summary = result_text(node, "summary");
    if (!name || !expression || !unit || !better || !summary) return false;
    if (!own_result_check_name(manifest, name, NULL)) return false;
    if (!g_strv_contains(own_result_betters, better)) return false;
    *manifest_add_derived(manifest) = (Derived){
        .name = g_strdup(name),
        .expression = g_strdup(expression),
        .unit = g_strdup(unit),
        .better = g_strdup(better),
        .summary = g_strdup(summary),
    };
    return true;
}

bool own_results_take(JsonNode *object, Manifest *manifest)
{
    if (!result_member(object, "derived")) return true;
    JsonArray *results = result_array(object, "derived");
    for (guint i = 0; i < result_length(results); i++)
        if (!take(json_array_get_element(results, i), manifest)) return false;
    return results != NULL;
}

/* --- those of the folder ---------------------------------------------------------------------- */

static char *read_text(const char *directory)
{
    g_autofree char *path = g_build_filename(directory, FILE_NAME, NULL);
    char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

static char *find_identity(const char *text)
{
    return text ? g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1) : g_strdup("");
}

bool own_results_read(Manifest *manifest, const char *directory, GError **error)
{
    g_autofree char *text = read_text(directory);
    manifest->own_identity = find_identity(text);
    if (!text) return true;
    g_autoptr(JsonNode) root = json_from_string(text, NULL);
    if (root && JSON_NODE_HOLDS_OBJECT(root) && own_results_take(root, manifest)) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s/%s: not as 'study define' wrote it; it can be deleted",
                directory, FILE_NAME);
    return false;
}

bool own_results_write(const Manifest *manifest, const char *directory, GError **error)
{
    g_autofree char *path = g_build_filename(directory, FILE_NAME, NULL);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    own_results_put(json, manifest->derived, manifest->planned);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    const int code = output_file_write(path, text, strlen(text));
    if (code)
        g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", path, g_strerror(code));
    return !code;
}

char *own_results_identity(const char *directory)
{
    g_autofree char *text = read_text(directory);
    return find_identity(text);
}
