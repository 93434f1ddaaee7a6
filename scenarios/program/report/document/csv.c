/* The tables of a document as files: all of them appear, or none. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "scenarios/program/report/document/document.h"

/* What a file is called while the others are written. */
#define UNFINISHED ".part"

static gboolean reject(const char *folder, const char *reason, GError **error)
{
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "--data %s: cannot be written: %s",
                folder, reason);
    return FALSE;
}

static char *path_of(const Figure *figure, const char *folder, const char *ending)
{
    g_autofree char *name = g_strconcat(figure_id(figure), ".csv", ending, NULL);
    return g_build_filename(folder, name, NULL);
}

static gboolean write_figure(const Figure *figure, const char *folder, GError **error)
{
    g_autofree char *path = path_of(figure, folder, UNFINISHED), *csv = figure_csv(figure);
    g_autoptr(GError) cause = NULL;
    if (g_file_set_contents(path, csv, -1, &cause)) return TRUE;
    const char *reason = strrchr(cause->message, ':'); /* behind GLib's own words */
    return reject(folder, reason ? reason + 2 : cause->message, error);
}

static gboolean publish(const Figure *figure, const char *folder, GError **error)
{
    g_autofree char *from = path_of(figure, folder, UNFINISHED), *to = path_of(figure, folder, "");
    return g_rename(from, to) == 0 || reject(folder, g_strerror(errno), error);
}

static void remove_unfinished(const GPtrArray *figures, const char *folder)
{
    for (guint i = 0; i < figures->len; i++) {
        g_autofree char *path = path_of(figures->pdata[i], folder, UNFINISHED);
        g_unlink(path);
    }
}

gboolean document_write_data(const Document *document, const char *folder, GError **error)
{
    if (!*folder) return reject("''", "an empty name; it names the folder", error);
    if (g_mkdir_with_parents(folder, 0777)) return reject(folder, g_strerror(errno), error);
    g_autoptr(GPtrArray) figures = document_figures(document);
    gboolean good = TRUE;
    for (guint i = 0; good && i < figures->len; i++)
        good = write_figure(figures->pdata[i], folder, error);
    for (guint i = 0; good && i < figures->len; i++)
        good = publish(figures->pdata[i], folder, error);
    if (!good) remove_unfinished(figures, folder);
    return good;
}
