#include "kit/describe/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct OutputFile {
    char *path, *temporary; /* NULL: in place, or published */
    FILE *stream;
};

static bool is_standard_output(const char *path)
{
    return !strcmp(path, "-");
}

static bool is_special(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

static void open_in_place(OutputFile *file)
{
    file->stream = is_standard_output(file->path) ? stdout : fopen(file->path, "we");
}

static void open_beside(OutputFile *file)
{
    file->temporary = g_strconcat(file->path, ".XXXXXX", NULL);
    const int descriptor = g_mkstemp_full(file->temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0)
        file->stream = fdopen(descriptor, "w");
    else
        g_clear_pointer(&file->temporary, g_free);
}

OutputFile *output_file_open(const char *path, int *code)
{
    g_autoptr(OutputFile) file = g_new0(OutputFile, 1);
    file->path = g_strdup(path);
    errno = 0;
    if (is_standard_output(path) || is_special(path))
        open_in_place(file);
    else
        open_beside(file);
    *code = file->stream ? 0 : errno;
    return file->stream ? g_steal_pointer(&file) : NULL;
}

FILE *output_file_stream(const OutputFile *file)
{
    return file->stream;
}

const char *output_file_place(const OutputFile *file)
{
    return file->temporary ? file->temporary : file->path;
}

/* A network file system may say only now that it is full. */
static bool close_stream(OutputFile *file)
{
    FILE *stream = g_steal_pointer(&file->stream);
    return !stream || stream == stdout || fclose(stream) == 0;
}

int output_file_finish(OutputFile *file)
{
    if (!ferror(file->stream)) errno = 0; /* else it is from what could not be written */
    const bool written = fflush(file->stream) == 0 && !ferror(file->stream)
                         && (!file->temporary || fsync(fileno(file->stream)) == 0);
    const int code = errno;
    const bool closed = close_stream(file);
    if (written && closed) return 0;
    return written ? errno : code ? code : EIO;
}

int output_file_publish(OutputFile *file)
{
    if (file->temporary && g_rename(file->temporary, file->path)) return errno;
    g_clear_pointer(&file->temporary, g_free);
    return 0;
}

void output_file_free(OutputFile *file)
{
    if (!file) return;
    close_stream(file);
    if (file->temporary) g_unlink(file->temporary);
    g_free(file->temporary);
    g_free(file->path);
    g_free(file);
}

int output_file_check(const char *path)
{
    int code = 0;
    if (is_standard_output(path)) return 0;
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) return EISDIR;
    if (is_special(path)) return 0;
    g_autoptr(OutputFile) file = output_file_open(path, &code);
    return code;
}

OutputFile *output_file_prepare(const char *path, const char *text, gsize length, int *code)
{
    g_autoptr(OutputFile) file = output_file_open(path, code);
    if (!file) return NULL;
    fwrite(text, 1, length, file->stream);
    *code = output_file_finish(file);
    return *code ? NULL : g_steal_pointer(&file);
}

int output_file_write(const char *path, const char *text, gsize length)
{
    int code = 0;
    g_autoptr(OutputFile) file = output_file_prepare(path, text, length, &code);
    return file ? output_file_publish(file) : code;
}
