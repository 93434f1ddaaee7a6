#include "scenarios/program/run/status_line.h"

#include <glib.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool status_line_fits(void)
{
    return isatty(STDERR_FILENO) && g_strcmp0(g_getenv("TERM"), "dumb") != 0;
}

/* What COLUMNS says goes first, as everywhere; 80 where nobody knows. */
static glong terminal_width(void)
{
    guint64 width;
    struct winsize size;
    const char *columns = g_getenv("COLUMNS");
    if (columns && g_ascii_string_to_unsigned(columns, 10, 1, G_MAXUINT16, &width, NULL))
        return (glong)width;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* A line that goes on in the next one cannot be taken away, nor can one that is full. */
void status_line_show(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    const glong length = MIN(g_utf8_strlen(valid, -1), terminal_width() - 1);
    const char *end = g_utf8_offset_to_pointer(valid, length);
    fprintf(stderr, "\r\033[K%.*s", (int)(end - valid), valid);
    fflush(stderr);
}

void status_line_hide(void)
{
    fputs("\r\033[K", stderr);
}
