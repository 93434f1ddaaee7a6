#include "scenarios/program/report/study/page.h"

#include "scenarios/program/report/pages.h"

static char *subtitle_of(const StudyView *view)
{
    GString *text = g_string_new(NULL);
    const Manifest *manifest = view->manifest;
    g_string_append_printf(text, "Study of %u points, design %s", manifest->points->len,
                           manifest->design);
    for (guint i = 0; i < manifest->dimensions->len; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : ", over ", view_factor(view, i)->name);
    if (manifest->scenario) g_string_append_printf(text, "; scenario %s", manifest->scenario);
    return g_string_free(text, FALSE);
}

Document *study_page(const char *directory, GError **error)
{
    g_auto(StudyView) view = {0};
    if (!study_view_open(&view, directory, error)) return NULL;
    const char *title = view.manifest->title;
    g_autofree char *subtitle = subtitle_of(&view);
    Document *document = document_new("study", title && *title ? title : directory, subtitle);
    study_show_state(document, &view);
    study_show_perfect(document, &view);
    study_show_loads(document, &view);
    study_show_lead(document, &view);
    study_show_effects(document, &view);
    study_show_knees(document, &view);
    study_show_sweeps(document, &view);
    study_show_heat(document, &view);
    study_show_fronts(document, &view);
    study_show_spread(document, &view);
    study_show_points(document, &view);
    study_show_failures(document, &view);
    study_show_settings(document, &view);
    return document;
}
