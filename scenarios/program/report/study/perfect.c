/* Perfect components: the most that each real one can cost. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/perfect/words.h"
#include "scenarios/program/study/table/columns.h"

enum { MOST_GROUPS = 12, LEADS = 4 };

/* One note for each reason. */
static void note_skipped(const BoundGroup *group, Figure *figure)
{
    for (guint i = 0; i < group->skipped->len; i++) {
        const char *reason = group->reasons->pdata[i];
        guint first = 0;
        while (strcmp(group->reasons->pdata[first], reason) != 0) first++;
        if (first < i) continue;
        g_autoptr(GString) names = g_string_new(NULL);
        for (guint k = i; k < group->skipped->len; k++)
            if (!strcmp(group->reasons->pdata[k], reason))
                text_append_name(names, group->skipped->pdata[k]);
        figure_note(figure, "Left out, %s: %s.", reason, names->str);
    }
}

static void note_rest(const BoundGroup *group, Figure *figure)
{
    g_autoptr(GString) idle = g_string_new(NULL);
    for (guint i = 0; i < group->bounds->len; i++) {
        const Bound *bound = group->bounds->pdata[i];
        if (bound->problem)
            figure_note(figure, "%s is not done: %s.", bound->component, bound->problem);
        else if (!bound_is_shown(bound))
            text_append_name(idle, bound->component);
    }
    if (idle->len) figure_note(figure, "Less than 0.1 %%: %s.", idle->str);
    note_skipped(group, figure);
}

static void add_bars(Document *document, const char *name, const BoundGroup *group)
{
    Figure *figure = figure_new("study_perfect", *name ? name : NULL);
    figure_column(figure, "perfect component", "");
    figure_column(figure, "share of the time", "%");
    for (guint i = 0; i < group->bounds->len; i++) {
        const Bound *bound = group->bounds->pdata[i];
        if (!bound_is_shown(bound)) continue;
        figure_row(figure);
        figure_text(figure, bound->component);
        figure_number(figure, 100 * bound->share);
    }
    note_rest(group, figure);
    document_add(document, figure);
}

static void add_bound(Figure *figure, const char *name, const Bound *bound)
{
    const PerfectComponent *component = perfect_find(bound->component);
    figure_row(figure);
    figure_text(figure, name);
    figure_text(figure, bound->component);
    figure_text(figure, component ? component->summary : "the machine as it is");
    figure_number(figure, bound->value);
    figure_number(figure, bound->others[BOUND_LATENCY]);
    figure_number(figure, bound->others[BOUND_BANDWIDTH]);
    figure_number(figure, bound->speedup);
    figure_number(figure, 100 * bound->share);
}

static Figure *new_table(void)
{
    Figure *figure = figure_new("study_bounds", NULL);
    figure_column(figure, "of", "");
    figure_column(figure, "perfect", "");
    figure_column(figure, "what is perfect", "");
    figure_column(figure, "time", "ns");
    figure_column(figure, "load latency", "cycles");
    figure_column(figure, "requested", "GB/s");
    figure_column(figure, "factor", "");
    figure_column(figure, "at most", "%");
    return figure;
}

static void show_groups(Document *document, const StudyView *view, const ResultColumn *time,
                        const GPtrArray *groups)
{
    Figure *table = new_table();
    for (guint i = 0; i < MIN(groups->len, MOST_GROUPS); i++) {
        const BoundGroup *group = groups->pdata[i];
        g_autofree char *name = bound_group_name(view->manifest, group);
        g_autofree char *verdict = bound_group_verdict(time, group);
        if (i < LEADS) document_lead(document, *name ? name : "Bound by", verdict);
        add_bars(document, name, group);
        add_bound(table, name, &group->baseline);
        for (guint k = 0; k < group->bounds->len; k++)
            add_bound(table, name, group->bounds->pdata[k]);
    }
    if (groups->len > MOST_GROUPS)
        figure_note(table, "%u of %u groups are shown; 'study perfect' has all.", MOST_GROUPS,
                    groups->len);
    document_add(document, table);
}

void study_show_perfect(Document *document, const StudyView *view)
{
    if (manifest_find_dimension(view->manifest, PERFECT_DIMENSION) < 0) return;
    const ResultColumn *time = &result_columns()[result_column_find("time_ns")];
    g_autoptr(GPtrArray) groups = perfect_bounds(view->manifest, view->database, time, NULL);
    if (!groups) return;
    document_section(document, "perfect", "What bounds the runs",
                     "Each bar is a run of its own with that component perfect. The shares do not "
                     "add up: two components may hide the same time.");
    show_groups(document, view, time, groups);
}
