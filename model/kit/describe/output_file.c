#include "kit/describe/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct OutputFile {
    char *path, *temporary; /* NULL: in place, or published */
    FILE *stream;
    OutputFile *next, **link; /* of those with a temporary one */
    pid_t owner;
};

/* --- ends by a signal ------------------------------------------------------------------------- */

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* Of this process and of those that it is a child of; a handler of signals reads it. */
static OutputFile *unpublished;

static void block(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    for (guint i = 0; i < G_N_ELEMENTS(end_signals); i++) sigaddset(&ends, end_signals[i]);
    sigprocmask(SIG_BLOCK, &ends, before);
}

static void remember(OutputFile *file)
{
    file->next = unpublished;
    file->link = &unpublished;
    file->owner = getpid();
    if (file->next) file->next->link = &file->next;
    unpublished = file;
}

static void forget(OutputFile *file)
{
    sigset_t before;
    if (!file->temporary) return;
    block(&before);
    *file->link = file->next;
    if (file->next) file->next->link = file->link;
    sigprocmask(SIG_SETMASK, &before, NULL);
    g_clear_pointer(&file->temporary, g_free);
}

/* The signal comes again on return, and then does what it does by default. */
static void remove_all(int number)
{
    for (const OutputFile *file = unpublished; file; file = file->next)
        if (file->owner == getpid()) unlink(file->temporary);
    raise(number);
}

void output_file_clean_up_on_signals(void)
{
    const struct sigaction action = {.sa_handler = remove_all, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    for (guint i = 0; i < G_N_ELEMENTS(end_signals); i++)
        if (!sigaction(end_signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(end_signals[i], &action, NULL);
}

/* --- files ------------------------------------------------------------------------------------ */

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
    sigset_t before;
    file->temporary = g_strconcat(file->path, ".XXXXXX", NULL);
    block(&before);
    const int descriptor = g_mkstemp_full(file->temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
        remember(file);
        file->stream = fdopen(descriptor, "w");
    } else {
        g_clear_pointer(&file->temporary, g_free);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
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
    forget(file);
    return 0;
}

void output_file_free(OutputFile *file)
{
    if (!file) return;
    close_stream(file);
    if (file->temporary) g_unlink(file->temporary);
    forget(file);
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
