/* Results on disk. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

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

static bool check_targets(const char *directory, GError **error)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *target = g_build_filename(directory, files[i], NULL);
        if (g_file_test(target, G_FILE_TEST_IS_DIR)) return reject_directory(target, EISDIR, error);
    }
    return true;
}

bool result_prepare_directory(const char *directory, GError **error)
{
    if (g_mkdir_with_parents(directory, 0777)) return reject_directory(directory, errno, error);
    g_autofree char *probe = g_build_filename(directory, ".probe-XXXXXX", NULL);
    const int file = g_mkstemp(probe);
    if (file < 0) return reject_directory(directory, errno, error);
    close(file);
    g_unlink(probe);
    return check_targets(directory, error);
}

static bool write_all(int file, const char *text, gsize length)
{
    while (length) {
        const ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR) return false;
        if (written < 0) continue;
        text += written;
        length -= (gsize)written;
    }
    return fsync(file) == 0;
}

/* A new file with the text, newly allocated name; NULL with error. */
static char *write_temporary(const char *directory, const char *text, GError **error)
{
    g_autofree char *temporary = g_build_filename(directory, ".result-XXXXXX", NULL);
    const int file = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_all(file, text, strlen(text));
    const int code = errno;
    if (file >= 0) good = close(file) == 0 && good;
    if (good) return g_steal_pointer(&temporary);
    if (file >= 0) g_unlink(temporary);
    reject_directory(directory, code, error);
    return NULL;
}

/* Gives the files their names; a result without its host.json is taken back. */
static bool publish(const char *directory, char *const *temporaries, GError **error)
{
    g_autofree char *first = g_build_filename(directory, files[0], NULL);
    g_autofree char *second = g_build_filename(directory, files[1], NULL);
    if (g_rename(temporaries[0], first) == 0) {
        if (g_rename(temporaries[1], second) == 0) return true;
        const int code = errno;
        g_unlink(first);
        return reject_directory(second, code, error);
    }
    return reject_directory(first, errno, error);
}

bool result_write(const char *directory, const char *result, const char *host, GError **error)
{
    char *temporaries[2] = {write_temporary(directory, result, error), NULL};
    if (temporaries[0]) temporaries[1] = write_temporary(directory, host, error);
    const bool good = temporaries[1] && publish(directory, temporaries, error);
    for (unsigned i = 0; i < G_N_ELEMENTS(temporaries); i++) {
        if (temporaries[i] && !good) g_unlink(temporaries[i]);
        g_free(temporaries[i]);
    }
    return good;
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
