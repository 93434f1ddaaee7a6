/* kernelslist.g: copies, kernel files and whatever else the host did, in the order in which it
 * happened. Tracers write MemcpyHtoD and kernel files; lists from elsewhere have more. */
#include <string.h>

#include "workloads/generator.h"
#include "workloads/traces/reader.h"

enum { NAME_BYTES = 64 };

typedef struct {
    TraceInput *input;
    char *folder;
    uint64_t kernels_max, kernels;
    uint32_t copies; /* since the last kernel */
    LaunchList *list;
    GPtrArray *files; /* what is read is put here and not read; NULL: it is read */
} ListReader;

static void add_command(ListReader *reader, CommandKind kind, const char *text, uint64_t bytes)
{
    g_autofree char *bytes_of_name = g_strndup(text, MIN(strcspn(text, ", \t("), NAME_BYTES));
    g_autofree char *name = g_utf8_make_valid(bytes_of_name, -1);
    const HostCommand command = {.kind = kind,
                                 .before = reader->list->launches->len,
                                 .name = g_intern_string(name),
                                 .bytes = bytes};
    g_array_append_val(reader->list->commands, command);
}

/* ",0xADDRESS,BYTES" behind the name. */
static bool parse_copy(const char *text, MemoryCopy *copy)
{
    g_auto(GStrv) fields = g_strsplit(text, ",", -1);
    if (g_strv_length(fields) != 3) return false;
    const char *address = g_strstrip(fields[1]);
    if (g_str_has_prefix(address, "0x")) address += 2;
    return g_ascii_string_to_unsigned(address, 16, 0, UINT64_MAX, &copy->address, NULL)
           && g_ascii_string_to_unsigned(g_strstrip(fields[2]), 10, 0, UINT64_C(1) << 48,
                                         &copy->bytes, NULL)
           && copy->address <= UINT64_MAX - copy->bytes;
}

static bool read_copy(ListReader *reader, const char *text, CommandKind kind, GError **error)
{
    MemoryCopy copy = {0};
    if (!parse_copy(text, &copy))
        return trace_input_reject(reader->input, error,
                                  "'%s', expected %.10s,0xADDRESS,BYTES with BYTES up to 2^48",
                                  text, text);
    add_command(reader, kind, text, copy.bytes);
    if (kind == COMMAND_COPY_TO_HOST) return true;
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
    launch->stream = trace_kernel_header(kernel)->stream;
    reader->copies = 0;
    return true;
}

static bool read_command(ListReader *reader, const char *text, GError **error)
{
    if (!*text || *text == '#') return true;
    if (*text == '-')
        return trace_input_reject(reader->input, error,
                                  "'%.80s', expected a list's command; a kernel's own file is "
                                  "known by .traceg in its name",
                                  text);
    if (g_str_has_prefix(text, "MemcpyHtoD"))
        return read_copy(reader, text, COMMAND_COPY_TO_DEVICE, error);
    if (g_str_has_prefix(text, "MemcpyDtoH"))
        return read_copy(reader, text, COMMAND_COPY_TO_HOST, error);
    if (g_str_has_prefix(text, "kernel") || strstr(text, ".traceg"))
        return read_kernel(reader, text, error);
    add_command(reader, COMMAND_OTHER, text, 0);
    return true;
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
    g_autofree char *base = g_path_get_basename(name);
    if (strstr(base, ".traceg") && found)
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
