/* Results on disk. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kit/describe/output_file.h"
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

JsonNode *result_read(const char *path, GError **error)
{
    g_autofree char *file = result_file(path);
    g_autofree char *text = NULL;
    gsize length = 0;
    GError *cause = NULL;
    if (!g_file_get_contents(file, &text, &length, &cause)) {
        const char *reason = strrchr(cause->message, ':');
        g_set_error(error, RESULT_ERROR, 0, "%s: cannot be read%s", file, reason ? reason : "");
        g_error_free(cause);
        return NULL;
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!json_parser_load_from_data(parser, text, (gssize)length, &cause)) {
        g_set_error(error, RESULT_ERROR, 0, "%s: not JSON: %s", file, cause->message);
        g_error_free(cause);
        return NULL;
    }
    g_autoptr(JsonNode) node = json_parser_steal_root(parser);
    if (!check_schema(node, file, error)) return NULL;
    return g_steal_pointer(&node);
}

static int compare_variants(gconstpointer a, gconstpointer b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const bool first_x = !strcmp(x, "baseline"), first_y = !strcmp(y, "baseline");
    return first_x != first_y ? first_y - first_x : strcmp(x, y);
}

/* Folders in `path` that hold a result, baseline first. */
static GPtrArray *list_variants(const char *path)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        g_autofree char *file = g_build_filename(path, name, "result.json", NULL);
        if (g_file_test(file, G_FILE_TEST_IS_REGULAR)) g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, compare_variants);
    return names;
}

GPtrArray *result_read_all(const char *path, GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    g_autofree char *own = result_file(path);
    g_autoptr(GPtrArray) names = list_variants(path);
    if (g_file_test(own, G_FILE_TEST_EXISTS) || !names->len) {
        JsonNode *node = result_read(path, error);
        if (!node) return NULL;
        g_ptr_array_add(results, node);
        return g_steal_pointer(&results);
    }
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *directory = g_build_filename(path, names->pdata[i], NULL);
        JsonNode *node = result_read(directory, error);
        if (!node) return NULL;
        g_ptr_array_add(results, node);
    }
    return g_steal_pointer(&results);
}
