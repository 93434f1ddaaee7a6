#include "scenarios/program/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ENDLESS = 256 << 20, BLOCK = 1 << 16 };

static void reject(int code, GError **error)
{
    g_set_error_literal(error, G_FILE_ERROR, g_file_error_from_errno(code), g_strerror(code));
}

static char *read_stream(FILE *stream, gsize *length, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char block[BLOCK];
    for (gsize got; text->len <= ENDLESS && (got = fread(block, 1, BLOCK, stream)) > 0;)
        g_string_append_len(text, block, (gssize)got);
    if (ferror(stream)) {
        reject(errno, error);
        return NULL;
    }
    if (text->len > ENDLESS) {
        g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                            "it does not end within 256 MiB");
        return NULL;
    }
    *length = text->len;
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* GLib repeats the name in its own words. */
static char *read_file(const char *path, gsize *length, GError **error)
{
    char *text = NULL;
    g_autoptr(GError) cause = NULL;
    if (g_file_get_contents(path, &text, length, &cause)) return text;
    const char *reason = strrchr(cause->message, ':');
    g_set_error_literal(error, cause->domain, cause->code, reason ? reason + 2 : cause->message);
    return NULL;
}

char *input_read(const char *path, gsize *length, GError **error)
{
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) return read_file(path, length, error);
    FILE *stream = fopen(path, "re");
    if (!stream) {
        reject(errno, error);
        return NULL;
    }
    char *text = read_stream(stream, length, error);
    fclose(stream);
    return text;
}
