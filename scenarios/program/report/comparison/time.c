/* Where time went in each result, and where the change of time comes from: a waterfall from the
 * first result to each other one, exact to the femtosecond. */
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/time/change.h"
#include "scenarios/program/time/stack.h"

enum { STEPS = 14 };
/* A step that is less than this share of the first result's time is not worth a bar. */
static const double SMALL = 0.002;

static const TimePart *part_named(const GArray *parts, const char *name)
{
    for (guint i = 0; i < parts->len; i++)
        if (g_str_equal(g_array_index(parts, TimePart, i).name, name))
            return &g_array_index(parts, TimePart, i);
    return NULL;
}

/* Of TimePart: every part that one of the results has, in the order of the first that has it. */
static GArray *parts_of_all(const Comparison *comparison)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(TimePart));
    for (guint r = 0; r < comparison_drawn(comparison); r++) {
        g_autoptr(GArray) own = time_stack_new(comparison->results[r]);
        for (guint i = 0; own && i < own->len; i++)
            if (!part_named(all, g_array_index(own, TimePart, i).name))
                g_array_append_val(all, g_array_index(own, TimePart, i));
    }
    return all;
}

static void add_bar(Figure *figure, const char *label, const GArray *columns, const GArray *parts)
{
    figure_row(figure);
    figure_text(figure, label);
    for (guint i = 0; i < columns->len; i++) {
        const TimePart *part = part_named(parts, g_array_index(columns, TimePart, i).name);
        figure_number(figure, part ? (double)part->fs * 1e-6 : 0);
    }
}

Figure *comparison_time(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_time", NULL);
    g_autoptr(GArray) columns = parts_of_all(comparison);
    figure_column(figure, "result", NULL);
    for (guint i = 0; i < columns->len; i++)
        figure_column(figure, g_array_index(columns, TimePart, i).title, "ns");
    figure_axis(figure, FIGURE_X, "time", "ns", FALSE);
    for (guint r = 0; r < comparison_drawn(comparison); r++) {
        g_autoptr(GArray) parts = time_stack_new(comparison->results[r]);
        if (parts) add_bar(figure, compare_label(comparison, r), columns, parts);
    }
    comparison_note_left_out(figure, comparison);
    return figure;
}

/* --- the change ------------------------------------------------------------------------------- */

static void add_change(Figure *figure, const TimeChange *change)
{
    waterfall_add_change(figure, change->title, change->before, change->after);
}

static void add_steps(Figure *figure, const GArray *changes, double least)
{
    TimeChange rest = {"others", "all others", 0, 0};
    for (guint i = 0; i < changes->len; i++) {
        const TimeChange *change = &g_array_index(changes, TimeChange, i);
        if (i < STEPS && (double)ABS(time_change(change)) > least) {
            add_change(figure, change);
            continue;
        }
        rest.before += change->before;
        rest.after += change->after;
    }
    if (time_change(&rest)) add_change(figure, &rest);
}

Figure *comparison_time_change(JsonNode *before, JsonNode *after, const char *const names[2])
{
    Figure *figure = figure_new("time_change", names[1]);
    g_autoptr(GArray) changes = time_changes_new(before, after);
    if (!changes) return figure;
    const TimeChange sum = time_changes_sum(changes);
    waterfall_add_columns(figure);
    waterfall_add_sum(figure, names[0], "total", sum.before);
    add_steps(figure, changes, SMALL * (double)sum.before);
    waterfall_add_sum(figure, names[1], "total", sum.after);
    return figure;
}

void comparison_add_time_changes(Document *document, const Comparison *comparison)
{
    waterfall_add_all(document, comparison, comparison_time_change);
}
