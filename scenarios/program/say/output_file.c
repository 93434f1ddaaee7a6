#include "scenarios/program/say/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool reject(const char *path, int code, GError **error)
{
    g_set_error(error, OUTPUT_FILE_ERROR, 0, "-o %s: cannot be written: %s", path,
                g_strerror(code));
    return false;
}

static bool is_standard_output(const char *path)
{
    return !strcmp(path, "-");
}

static bool is_special(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* A new file beside `path`, open; -1 with error. */
static int open_beside(const char *path, char **temporary, GError **error)
{
    *temporary = g_strconcat(path, ".XXXXXX", NULL);
    const int file = g_mkstemp_full(*temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) reject(path, errno, error);
    return file;
}

bool output_file_check(const char *path, GError **error)
{
    g_autofree char *temporary = NULL;
    if (!*path) {
        g_set_error(error, OUTPUT_FILE_ERROR, 0, "-o '': an empty name; it names the file");
        return false;
    }
    if (is_standard_output(path)) return true;
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) return reject(path, EISDIR, error);
    if (is_special(path)) return true;
    const int file = open_beside(path, &temporary, error);
    if (file < 0) return false;
    close(file);
    g_unlink(temporary);
    return true;
}

/* Closes `out`, or leaves standard output open. 0, or why it was not written. */
static int write_text(FILE *out, const GString *text)
{
    errno = 0;
    bool good = fwrite(text->str, 1, text->len, out) == text->len && fflush(out) == 0;
    int code = errno;
    if (out != stdout && fclose(out) && good) { /* a network file system may say only now */
        good = false;
        code = errno;
    }
    return good ? 0 : code ? code : EIO;
}

static bool write_in_place(const char *path, const GString *text, GError **error)
{
    FILE *out = is_standard_output(path) ? stdout : fopen(path, "w");
    const int code = out ? write_text(out, text) : errno;
    return !code || reject(path, code, error);
}

bool output_file_write(const char *path, const GString *text, GError **error)
{
    g_autofree char *temporary = NULL;
    if (is_standard_output(path) || is_special(path)) return write_in_place(path, text, error);
    const int file = open_beside(path, &temporary, error);
    if (file < 0) return false;
    int code = write_text(fdopen(file, "w"), text);
    if (!code && g_rename(temporary, path) == 0) return true;
    code = code ? code : errno;
    g_unlink(temporary);
    return reject(path, code, error);
}
