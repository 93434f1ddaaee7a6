/* Results on disk. */
#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "kit/describe/output_file.h"
#include "scenarios/program/input.h"
#include "scenarios/program/result/result.h"

/* --- writing ---------------------------------------------------------------------------------- */

static bool reject_directory(const char *directory, int code, GError **error)
{
    g_set_error(error, RESULT_ERROR, 0, "-o %s: results cannot be written there: %s", directory,
                g_strerror(code));
    return false;
}

/* The files of a result, in the order in which they appear. */
static const char *const files[] = {"result.json", "host.json"};

bool result_prepare_directory(const char *directory, GError **error)
{
    if (g_mkdir_with_parents(directory, 0777)) return reject_directory(directory, errno, error);
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *target = g_build_filename(directory, files[i], NULL);
        const int code = output_file_check(target);
        if (code) return reject_directory(code == EISDIR ? target : directory, code, error);
    }
    return true;
}

/* Gives the files their names; a result without its host.json is taken back. */
static bool publish(const char *directory, const GPtrArray *written, GError **error)
{
    for (guint i = 0; i < written->len; i++) {
        const int code = output_file_publish(written->pdata[i]);
        if (!code) continue;
        g_autofree char *target = g_build_filename(directory, files[i], NULL);
        g_autofree char *first = g_build_filename(directory, files[0], NULL);
        if (i) g_unlink(first);
        return reject_directory(target, code, error);
    }
    return true;
}

bool result_write(const char *directory, const char *result, const char *host, GError **error)
{
    const char *const texts[] = {result, host};
    g_autoptr(GPtrArray) written = g_ptr_array_new_with_free_func((GDestroyNotify)output_file_free);
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        int code = 0;
        g_autofree char *target = g_build_filename(directory, files[i], NULL);
        OutputFile *file = output_file_prepare(target, texts[i], strlen(texts[i]), &code);
        if (!file) return reject_directory(directory, code, error);
        g_ptr_array_add(written, file);
    }
    return publish(directory, written, error);
}

/* --- reading ---------------------------------------------------------------------------------- */

static char *result_file(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_build_filename(path, "result.json", NULL)
                                                 : g_strdup(path);
}

static bool check_schema(JsonNode *node, const char *file, GError **error)
{
    const double version = node ? result_number(node, "schema_version") : 0; /* none: empty */
    if (!(version > 0) || !result_member(node, "summary")) {
        g_set_error(error, RESULT_ERROR, 0, "%s: not a result of warpmem", file);
        return false;
    }
    if (version == RESULT_SCHEMA_VERSION) return result_check(node, file, error);
    g_set_error(error, RESULT_ERROR, 0, "%s: has schema version %.15g; this program reads %d", file,
                version, RESULT_SCHEMA_VERSION);
    return false;
}

/* The parser says "<data>:LINE:COLUMN: what", or only what. */
static void reject_text(const char *file, const char *message, GError **error)
{
    static const char data[] = "<data>";
    const char *place = g_str_has_prefix(message, data) ? message + strlen(data) : "",
               *what = strstr(place, ": ");
    if (what)
        g_set_error(error, RESULT_ERROR, 0, "%s%.*s: not JSON%s", file, (int)(what - place), place,
                    what);
    else
        g_set_error(error, RESULT_ERROR, 0, "%s: not JSON: %s", file, message);
}

/* The host.json beside a result; NULL: there is none. */
static JsonNode *read_host(const char *directory)
{
    g_autofree char *file = g_build_filename(directory, files[1], NULL);
    g_autoptr(JsonParser) parser = json_parser_new();
    return json_parser_load_from_file(parser, file, NULL) ? json_parser_steal_root(parser) : NULL;
}

/* From the present folder. */
static const char *shorten(const char *path)
{
    g_autofree char *here = g_get_current_dir();
    const size_t length = strlen(here);
    return g_str_has_prefix(path, here) && path[length] == '/' ? path + length + 1 : path;
}

/* Where the scenario's own file lies, if it is still there: the result knows its name only. */
static void note_scenario(JsonNode *result, const char *file)
{
    g_autofree char *directory = g_path_get_dirname(file), *own = g_path_get_basename(file);
    g_autoptr(JsonNode) host = strcmp(own, files[0]) ? NULL : read_host(directory);
    const char *path = host ? result_text(host, "scenario_path") : NULL;
    g_autofree char *name = g_path_get_basename(path ? path : "");
    if (!g_strcmp0(name, result_text(result, "file")) && g_file_test(path, G_FILE_TEST_EXISTS))
        json_object_set_string_member(json_node_get_object(result), "run_file", shorten(path));
}

JsonNode *result_read(const char *path, GError **error)
{
    g_autofree char *file = result_file(path);
    gsize length = 0;
    g_autoptr(GError) cause = NULL;
    g_autofree char *text = input_read(file, &length, &cause);
    if (!text) {
        g_set_error(error, RESULT_ERROR, 0, "%s: cannot be read: %s", file, cause->message);
        return NULL;
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!json_parser_load_from_data(parser, text, (gssize)length, &cause)) {
        reject_text(file, cause->message, error);
        return NULL;
    }
    g_autoptr(JsonNode) node = json_parser_steal_root(parser);
    if (!check_schema(node, file, error)) return NULL;
    json_object_set_string_member(json_node_get_object(node), "read_from", path);
    note_scenario(node, file);
    return g_steal_pointer(&node);
}

const char *result_read_from(JsonNode *result)
{
    const char *path = result_text(result, "read_from");
    return path ? path : "";
}

/* A folder with a result, and its place among the scenario's variants. */
typedef struct {
    char *name;
    double place;
} Folder;

static void folder_free(gpointer data)
{
    Folder *folder = data;
    g_free(folder->name);
    g_free(folder);
}

/* That of a result that does not say it is behind those that do. */
static double read_place(const char *directory)
{
    g_autoptr(JsonNode) host = read_host(directory);
    const double place = host ? result_number(host, "place") : NAN;
    return isfinite(place) ? place : INFINITY;
}

static int compare_folders(gconstpointer a, gconstpointer b)
{
    const Folder *x = *(Folder *const *)a, *y = *(Folder *const *)b;
    const bool first_x = !strcmp(x->name, "baseline"), first_y = !strcmp(y->name, "baseline");
    if (first_x != first_y) return first_y - first_x;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : strcmp(x->name, y->name);
}

/* Folders in `path` that hold a result, of Folder, in the order in which results are read. */
static GPtrArray *list_variants(const char *path)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(folder_free);
    g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
    for (const char *name; entries && (name = g_dir_read_name(entries));) {
        g_autofree char *directory = g_build_filename(path, name, NULL),
                        *file = g_build_filename(directory, files[0], NULL);
        if (!g_file_test(file, G_FILE_TEST_IS_REGULAR)) continue;
        Folder *folder = g_new(Folder, 1);
        *folder = (Folder){g_strdup(name), read_place(directory)};
        g_ptr_array_add(folders, folder);
    }
    g_ptr_array_sort(folders, compare_folders);
    return folders;
}

bool result_is_in(const char *directory)
{
    g_autofree char *own = result_file(directory);
    g_autoptr(GPtrArray) folders = list_variants(directory);
    return folders->len || g_file_test(own, G_FILE_TEST_EXISTS);
}

GPtrArray *result_read_all(const char *path, GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    g_autofree char *own = result_file(path);
    g_autoptr(GPtrArray) folders = list_variants(path);
    if (!folders->len && g_file_test(path, G_FILE_TEST_IS_DIR)
        && !g_file_test(own, G_FILE_TEST_EXISTS)) {
        g_set_error(error, RESULT_ERROR, 0,
                    "%s: no result is there: neither a result.json nor a folder with one", path);
        return NULL;
    }
    if (g_file_test(own, G_FILE_TEST_EXISTS) || !folders->len) {
        JsonNode *node = result_read(path, error);
        if (!node) return NULL;
        g_ptr_array_add(results, node);
        return g_steal_pointer(&results);
    }
    for (guint i = 0; i < folders->len; i++) {
        const Folder *folder = folders->pdata[i];
        g_autofree char *directory = g_build_filename(path, folder->name, NULL);
        JsonNode *node = result_read(directory, error);
        if (!node) return NULL;
        g_ptr_array_add(results, node);
    }
    return g_steal_pointer(&results);
}
