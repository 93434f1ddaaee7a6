/* kernelslist.g: copies to the device and kernel files, in the order in which they happened. */
#include <string.h>

#include "workloads/generator.h"
#include "workloads/traces/reader.h"

static const char copy_command[] = "MemcpyHtoD";

typedef struct {
    TraceInput *input;
    char *folder;
    uint64_t kernels_max, kernels;
    uint32_t copies; /* since the last kernel */
    LaunchList *list;
    GPtrArray *files; /* what is read is put here and not read; NULL: it is read */
} ListReader;

/* "MemcpyHtoD,0xADDRESS,BYTES" */
static bool read_copy(ListReader *reader, const char *text, GError **error)
{
    g_auto(GStrv) fields = g_strsplit(text, ",", -1);
    MemoryCopy copy = {0};
    bool good = g_strv_length(fields) == 3;
    if (good) {
        const char *address = g_strstrip(fields[1]);
        if (g_str_has_prefix(address, "0x")) address += 2;
        good = g_ascii_string_to_unsigned(address, 16, 0, UINT64_MAX, &copy.address, NULL)
               && g_ascii_string_to_unsigned(g_strstrip(fields[2]), 10, 0, UINT64_C(1) << 48,
                                             &copy.bytes, NULL)
               && copy.address <= UINT64_MAX - copy.bytes;
    }
    if (!good)
        return trace_input_reject(reader->input, error, "'%s', expected MemcpyHtoD,0xADDRESS,BYTES",
                                  text);
    g_array_append_val(reader->list->copies, copy);
    reader->copies++;
    return true;
}

static bool read_kernel(ListReader *reader, const char *name, GError **error)
{
    if (strstr(name, ".tracez"))
        return trace_input_reject(reader->input, error,
                                  "'%s', expected .traceg, which Accel-Sim's traceDsm makes of it",
                                  name);
    g_autofree char *path =
        g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(reader->folder, name, NULL);
    g_autofree char *found = trace_input_find(path);
    if (!found)
        return trace_input_reject(reader->input, error,
                                  "'%s', expected a trace file beside the list, plain, .xz or .gz",
                                  name);
    reader->kernels++;
    if (reader->files) {
        g_ptr_array_add(reader->files, g_steal_pointer(&found));
        return true;
    }
    Kernel *kernel = trace_kernel_new(found, error);
    if (!kernel) return false;
    launch_list_add(reader->list, kernel);
    Launch *launch =
        &g_array_index(reader->list->launches, Launch, reader->list->launches->len - 1);
    launch->copy_count = reader->copies;
    reader->copies = 0;
    return true;
}

static bool read_command(ListReader *reader, const char *text, GError **error)
{
    if (g_str_has_prefix(text, copy_command)) return read_copy(reader, text, error);
    if (g_str_has_prefix(text, "kernel") || strstr(text, ".traceg"))
        return read_kernel(reader, text, error);
    return true; /* copies back, events */
}

static bool read_commands(ListReader *reader, GError **error)
{
    const char *begin, *end;
    g_autoptr(GError) problem = NULL;
    while (reader->kernels < reader->kernels_max || !reader->kernels_max) {
        if (!trace_input_line(reader->input, &begin, &end, &problem)) break;
        g_autofree char *text = g_strstrip(g_strndup(begin, (gsize)(end - begin)));
        if (!read_command(reader, text, error)) return false;
    }
    if (problem) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    /* Copies behind the last kernel have nobody to read them. */
    g_array_set_size(reader->list->copies, reader->list->copies->len - reader->copies);
    return reader->kernels || trace_input_reject(reader->input, error, "the list names no kernel");
}

static bool read_single(ListReader *reader, char *path, GError **error)
{
    if (reader->files) {
        g_ptr_array_add(reader->files, path);
        return true;
    }
    Kernel *kernel = trace_kernel_new(path, error);
    if (kernel) launch_list_add(reader->list, kernel);
    g_free(path);
    return kernel != NULL;
}

static bool read_all(ListReader *reader, const char *path, GError **error)
{
    g_autofree char *name = g_file_test(path, G_FILE_TEST_IS_DIR)
                                ? g_build_filename(path, "kernelslist.g", NULL)
                                : g_strdup(path);
    g_autofree char *found = trace_input_find(name);
    if (strstr(name, ".traceg") && found)
        return read_single(reader, g_steal_pointer(&found), error);
    g_autoptr(TraceInput) input = trace_input_open(found ? found : name, error);
    if (!input) return false;
    g_autofree char *folder = g_path_get_dirname(name);
    if (reader->files) g_ptr_array_add(reader->files, g_steal_pointer(&found));
    reader->input = input;
    reader->folder = folder;
    return read_commands(reader, error);
}

bool trace_list_read(const char *path, uint64_t kernels_max, LaunchList *list, GError **error)
{
    ListReader reader = {.kernels_max = kernels_max, .list = list};
    return read_all(&reader, path, error);
}

bool trace_list_files(const char *path, uint64_t kernels_max, GPtrArray *files, GError **error)
{
    g_autoptr(LaunchList) none = launch_list_new();
    ListReader reader = {.kernels_max = kernels_max, .list = none, .files = files};
    return read_all(&reader, path, error);
}
