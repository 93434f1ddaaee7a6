/* The tables of a document as files: all of them appear, or none. */
#include <errno.h>
#include <string.h>

#include "kit/describe/output_file.h"
#include "scenarios/program/report/document/document.h"

static gboolean reject(const char *folder, const char *reason, GError **error)
{
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "--data %s: cannot be written: %s",
                folder, reason);
    return FALSE;
}

static OutputFile *write_figure(const Figure *figure, const char *folder, int *code)
{
    g_autofree char *name = g_strconcat(figure_id(figure), ".csv", NULL);
    g_autofree char *path = g_build_filename(folder, name, NULL), *csv = figure_csv(figure);
    return output_file_prepare(path, csv, strlen(csv), code);
}

gboolean document_write_data(const Document *document, const char *folder, GError **error)
{
    if (!*folder) return reject("''", "an empty name; it names the folder", error);
    if (g_mkdir_with_parents(folder, 0777)) return reject(folder, g_strerror(errno), error);
    g_autoptr(GPtrArray) figures = document_figures(document);
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func((GDestroyNotify)output_file_free);
    int code = 0;
    for (guint i = 0; !code && i < figures->len; i++)
        g_ptr_array_add(files, write_figure(figures->pdata[i], folder, &code));
    for (guint i = 0; !code && i < files->len; i++) code = output_file_publish(files->pdata[i]);
    return !code || reject(folder, g_strerror(code), error);
}
