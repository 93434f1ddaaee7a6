#include <errno.h>
#include <string.h>

#include "scenarios/report/document.h"

static gboolean write_figure(const Figure *figure, const char *folder, GError **error)
{
    g_autofree char *name = g_strdup_printf("%s.csv", figure_id(figure));
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *csv = figure_csv(figure);
    return g_file_set_contents(path, csv, -1, error);
}

gboolean document_write_data(const Document *document, const char *folder, GError **error)
{
    if (g_mkdir_with_parents(folder, 0777)) {
        g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno), "%s: %s", folder,
                    g_strerror(errno));
        return FALSE;
    }
    g_autoptr(GPtrArray) figures = document_figures(document);
    for (guint i = 0; i < figures->len; i++)
        if (!write_figure(figures->pdata[i], folder, error)) return FALSE;
    return TRUE;
}
