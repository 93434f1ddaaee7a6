/* The manifest as text, and on disk. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/records/own_results.h"

static const char FILE_NAME[] = "manifest.jsonl";

/* --- text ------------------------------------------------------------------------------------- */

/* One JSON value a call; the line is not pretty-printed. */
static void append_line(GString *text, JsonBuilder *json)
{
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *line = json_to_string(root, FALSE);
    g_string_append(text, line);
    g_string_append_c(text, '\n');
}

static void put_dimension(JsonBuilder *json, const Dimension *dimension)
{
    json_builder_begin_object(json);
    json_put_text(json, "name", dimension->name);
    json_put_text(json, "baseline", dimension->baseline);
    json_builder_set_member_name(json, "structural");
    json_builder_add_boolean_value(json, dimension->structural);
    json_put_text(json, "file", dimension->file);
    json_put_number(json, "line", (guint64)dimension->line);
    json_builder_end_object(json);
}

static void append_study(GString *text, const Manifest *manifest)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_number(json, "warpmem_study", MANIFEST_SCHEMA_VERSION);
    json_put_text(json, "title", manifest->title);
    json_put_text(json, "scenario", manifest->scenario);
    json_put_text(json, "program", manifest->program);
    json_put_text(json, "build", manifest->build);
    json_put_text(json, "design", manifest->design);
    json_put_number(json, "seed", manifest->seed);
    json_put_number(json, "replications", manifest->replications);
    if (manifest->peak_power) json_put_bool(json, "peak_power", true);
    json_builder_set_member_name(json, "statistics");
    json_builder_begin_array(json);
    for (guint i = 0; i < manifest->statistics->len; i++)
        json_builder_add_string_value(json, manifest->statistics->pdata[i]);
    json_builder_end_array(json);
    if (manifest->derived->len) own_results_put(json, manifest->derived, 0);
    json_builder_set_member_name(json, "dimensions");
    json_builder_begin_array(json);
    for (guint i = 0; i < manifest->dimensions->len; i++)
        put_dimension(json, manifest->dimensions->pdata[i]);
    json_builder_end_array(json);
    json_put_number(json, "bases", manifest->bases->len);
    json_put_number(json, "points", manifest->points->len);
    json_builder_end_object(json);
    append_line(text, json);
}

static void append_base(GString *text, const Base *base)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "variant", base->variant);
    json_builder_set_member_name(json, "settings");
    json_builder_begin_array(json);
    for (guint i = 0; i < configuration_size(base->configuration); i++) {
        const Setting *s = configuration_at(base->configuration, i);
        json_builder_begin_array(json);
        json_builder_add_string_value(json, s->group);
        json_builder_add_string_value(json, s->key);
        json_builder_add_string_value(json, s->value);
        if (s->file) json_builder_add_string_value(json, s->file);
        if (s->file) json_builder_add_int_value(json, s->line);
        json_builder_end_array(json);
    }
    json_builder_end_array(json);
    json_builder_set_member_name(json, "files");
    json_builder_begin_array(json);
    for (guint i = 0; i < base->files->len; i++) {
        const BaseFile *file = base->files->pdata[i];
        json_builder_begin_array(json);
        json_builder_add_string_value(json, file->path);
        json_builder_add_string_value(json, file->sha256);
        json_builder_end_array(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    append_line(text, json);
}

static void append_point(GString *text, const Point *point)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    json_builder_add_string_value(json, point->key);
    json_builder_add_int_value(json, point->base);
    json_builder_add_int_value(json, point->replication);
    json_builder_add_int_value(json, (gint64)point->seed);
    json_builder_add_string_value(json, point->role ? point->role : "");
    for (char **value = point->values; value && *value; value++)
        json_builder_add_string_value(json, *value);
    json_builder_end_array(json);
    append_line(text, json);
}

static char *format_manifest(const Manifest *manifest)
{
    GString *text = g_string_new(NULL);
    append_study(text, manifest);
    for (guint i = 0; i < manifest->bases->len; i++) append_base(text, manifest->bases->pdata[i]);
    for (guint i = 0; i < manifest->points->len; i++)
        append_point(text, manifest->points->pdata[i]);
    g_autofree char *sum =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text->str, text->len);
    g_string_append_printf(text, "{\"end\":\"%s\"}\n", sum);
    return g_string_free(text, FALSE);
}

static char *find_identity(const char *text)
{
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
}

/* --- writing ---------------------------------------------------------------------------------- */

static char *manifest_path(const char *directory)
{
    return g_build_filename(directory, FILE_NAME, NULL);
}

char *manifest_identity(const char *directory)
{
    g_autofree char *path = manifest_path(directory);
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? find_identity(text) : NULL;
}

bool manifest_exists(const char *directory)
{
    g_autofree char *path = manifest_path(directory);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool reject(const char *path, int code, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", path, g_strerror(code));
    return false;
}

/* Whether the same plan is there already; an error if it is another one. */
static bool compare_present(const char *path, const char *text, bool *same, GError **error)
{
    g_autofree char *present = NULL;
    *same = false;
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) return true;
    *same = g_file_get_contents(path, &present, NULL, NULL) && !strcmp(present, text);
    if (*same) return true;
    g_set_error(
        error, STUDY_ERROR, 0,
        "%s: there is another plan already, of other settings or by another build of the program; a plan is not changed, so name another folder; 'study define' adds results to what has been run",
        path);
    return false;
}

bool manifest_write(Manifest *manifest, const char *directory, GError **error)
{
    g_autofree char *path = manifest_path(directory);
    g_autofree char *text = format_manifest(manifest);
    bool same;
    g_free(manifest->identity);
    manifest->identity = find_identity(text);
    if (!compare_present(path, text, &same, error)) return false;
    if (same) return true;
    if (result_is_in(directory)) {
        g_set_error(error, STUDY_ERROR, 0,
                    "%s: has results of 'run'; a study has a folder of its own", directory);
        return false;
    }
    if (g_mkdir_with_parents(directory, 0777)) return reject(directory, errno, error);
    GError *cause = NULL;
    if (g_file_set_contents_full(path, text, -1,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0666,
                                 &cause))
        return true;
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", path, cause->message);
    g_error_free(cause);
    return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct {
    JsonParser *parser;
    char **lines;
    guint next;
} Reader;

static void reader_finish(Reader *reader)
{
    g_clear_object(&reader->parser);
    g_strfreev(reader->lines);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reader, reader_finish)

/* The next line's value, the parser's; NULL when it is not JSON of that type. */
static JsonNode *read_line(Reader *reader, JsonNodeType type)
{
    const char *line = reader->lines[reader->next];
    if (!line || !json_parser_load_from_data(reader->parser, line, -1, NULL)) return NULL;
    reader->next++;
    JsonNode *node = json_parser_get_root(reader->parser);
    return node && json_node_get_node_type(node) == type ? node : NULL;
}

static char *copy_text(JsonObject *object, const char *name)
{
    return g_strdup(json_object_get_string_member_with_default(object, name, NULL));
}

static guint64 take_number(JsonObject *object, const char *name)
{
    return (guint64)json_object_get_int_member_with_default(object, name, 0);
}

static void take_dimension(JsonArray *array, guint index, JsonNode *node, gpointer manifest)
{
    (void)array;
    (void)index;
    JsonObject *object = json_node_get_object(node);
    *manifest_add_dimension(manifest) = (Dimension){
        .name = copy_text(object, "name"),
        .baseline = copy_text(object, "baseline"),
        .structural = json_object_get_boolean_member_with_default(object, "structural", FALSE),
        .file = copy_text(object, "file"),
        .line = (int)take_number(object, "line"),
    };
}

static void take_statistic(JsonArray *array, guint index, JsonNode *node, gpointer statistics)
{
    (void)array;
    (void)index;
    g_ptr_array_add(statistics, json_node_dup_string(node));
}

static bool take_study(Reader *reader, Manifest *manifest, guint counts[2])
{
    JsonNode *node = read_line(reader, JSON_NODE_OBJECT);
    JsonObject *object = node ? json_node_get_object(node) : NULL;
    if (!object || take_number(object, "warpmem_study") != MANIFEST_SCHEMA_VERSION) return false;
    manifest->title = copy_text(object, "title");
    manifest->scenario = copy_text(object, "scenario");
    manifest->program = copy_text(object, "program");
    manifest->build = copy_text(object, "build");
    manifest->design = copy_text(object, "design");
    manifest->seed = take_number(object, "seed");
    manifest->replications = (guint)take_number(object, "replications");
    manifest->peak_power = json_object_get_boolean_member_with_default(object, "peak_power", FALSE);
    json_array_foreach_element(json_object_get_array_member(object, "statistics"), take_statistic,
                               manifest->statistics);
    if (!own_results_take(node, manifest)) return false;
    manifest->planned = manifest->derived->len;
    json_array_foreach_element(json_object_get_array_member(object, "dimensions"), take_dimension,
                               manifest);
    counts[0] = (guint)take_number(object, "bases");
    counts[1] = (guint)take_number(object, "points");
    return true;
}

static const char *text_at(JsonArray *array, guint index)
{
    return json_array_get_string_element(array, index);
}

static bool take_base(Reader *reader, Manifest *manifest)
{
    JsonNode *node = read_line(reader, JSON_NODE_OBJECT);
    if (!node) return false;
    JsonObject *object = json_node_get_object(node);
    JsonArray *settings = json_object_get_array_member(object, "settings");
    JsonArray *files = json_object_get_array_member(object, "files");
    Base *base = manifest_add_base(manifest);
    base->variant = copy_text(object, "variant");
    for (guint i = 0; i < json_array_get_length(settings); i++) {
        JsonArray *s = json_array_get_array_element(settings, i);
        const bool placed = json_array_get_length(s) > 3;
        configuration_set(base->configuration, text_at(s, 0), text_at(s, 1), text_at(s, 2),
                          placed ? text_at(s, 3) : NULL,
                          placed ? (int)json_array_get_int_element(s, 4) : 0);
    }
    for (guint i = 0; i < json_array_get_length(files); i++) {
        JsonArray *pair = json_array_get_array_element(files, i);
        BaseFile *file = g_new0(BaseFile, 1);
        *file = (BaseFile){g_strdup(text_at(pair, 0)), g_strdup(text_at(pair, 1))};
        g_ptr_array_add(base->files, file);
    }
    return true;
}

static bool take_point(Reader *reader, Manifest *manifest)
{
    enum { FIXED = 5 };
    JsonNode *node = read_line(reader, JSON_NODE_ARRAY);
    JsonArray *array = node ? json_node_get_array(node) : NULL;
    const guint dimensions = manifest->dimensions->len;
    if (!array || json_array_get_length(array) != FIXED + dimensions) return false;
    Point *point = manifest_add_point(manifest);
    g_strlcpy(point->key, text_at(array, 0), sizeof point->key);
    point->base = (guint)json_array_get_int_element(array, 1);
    point->replication = (guint)json_array_get_int_element(array, 2);
    point->seed = (guint64)json_array_get_int_element(array, 3);
    point->role = g_strdup(text_at(array, 4));
    point->values = g_new0(char *, dimensions + 1);
    for (guint i = 0; i < dimensions; i++) point->values[i] = g_strdup(text_at(array, FIXED + i));
    return point->base < manifest->bases->len;
}

/* Whether the text is as it was written: its last line knows the sum of the others. */
static bool is_complete(const char *text)
{
    const gsize length = strlen(text);
    if (!length || text[length - 1] != '\n') return false;
    const char *last = g_strrstr_len(text, (gssize)length - 1, "\n");
    if (!last) return false;
    g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text,
                                                       (gsize)(last + 1 - text));
    g_autofree char *end = g_strdup_printf("{\"end\":\"%s\"}\n", sum);
    return !strcmp(last + 1, end);
}

static bool take_all(Reader *reader, Manifest *manifest)
{
    guint counts[2];
    if (!take_study(reader, manifest, counts)) return false;
    for (guint i = 0; i < counts[0]; i++)
        if (!take_base(reader, manifest)) return false;
    for (guint i = 0; i < counts[1]; i++)
        if (!take_point(reader, manifest)) return false;
    return true;
}

/* A scenario where a folder is meant is the likeliest mistake. */
static void reject_folder(const char *directory, GError **error)
{
    g_autofree char *word = text_shell_word(directory);
    if (g_file_test(directory, G_FILE_TEST_IS_REGULAR))
        g_set_error(error, STUDY_ERROR, 0,
                    "%s: a file, and a study is a folder; of a scenario, 'study run SCENARIO -o "
                    "DIR' plans and runs one",
                    directory);
    else
        g_set_error(error, STUDY_ERROR, 0,
                    "%s: no study: it has no %s; to write one: warpmem study plan SCENARIO -o %s",
                    directory, FILE_NAME, word);
}

Manifest *manifest_read(const char *directory, GError **error)
{
    g_autofree char *path = manifest_path(directory);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        reject_folder(directory, error);
        return NULL;
    }
    if (!is_complete(text)) {
        g_set_error(error, STUDY_ERROR, 0, "%s: not a complete manifest of warpmem", path);
        return NULL;
    }
    g_autoptr(Manifest) manifest = manifest_new();
    g_auto(Reader) reader = {json_parser_new(), g_strsplit(text, "\n", -1), 0};
    manifest->identity = find_identity(text);
    if (take_all(&reader, manifest))
        return own_results_read(manifest, directory, error) ? g_steal_pointer(&manifest) : NULL;
    g_set_error(error, STUDY_ERROR, 0, "%s:%u: not a manifest of schema version %d", path,
                reader.next + 1, MANIFEST_SCHEMA_VERSION);
    return NULL;
}
