/* Where the energy went in each result: a bar for each, of the same parts. */
#include "scenarios/program/cost/stack.h"

#include <string.h>

#include "scenarios/program/report/comparison/comparison.h"

static const EnergyPart *part_named(const GArray *parts, const char *name)
{
    for (guint i = 0; i < parts->len; i++)
        if (!strcmp(g_array_index(parts, EnergyPart, i).name, name))
            return &g_array_index(parts, EnergyPart, i);
    return NULL;
}

/* Of EnergyPart: every part that one of the results has, in the order of the first that has it. */
static GArray *parts_of_all(const Comparison *comparison)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(EnergyPart));
    for (guint r = 0; r < comparison_drawn(comparison); r++) {
        g_autoptr(GArray) own = energy_stack_new(comparison->results[r]);
        for (guint i = 0; i < own->len; i++)
            if (!part_named(all, g_array_index(own, EnergyPart, i).name))
                g_array_append_val(all, g_array_index(own, EnergyPart, i));
    }
    return all;
}

static void add_bar(Figure *figure, const char *label, const GArray *columns, const GArray *parts)
{
    figure_row(figure);
    figure_text(figure, label);
    for (guint i = 0; i < columns->len; i++) {
        const EnergyPart *part = part_named(parts, g_array_index(columns, EnergyPart, i).name);
        figure_number(figure, part ? part->after : 0);
    }
}

Figure *comparison_energy(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_energy", NULL);
    g_autoptr(GArray) columns = parts_of_all(comparison);
    figure_column(figure, "result", NULL);
    for (guint i = 0; i < columns->len; i++)
        figure_column(figure, g_array_index(columns, EnergyPart, i).name, "uJ");
    figure_axis(figure, FIGURE_X, "energy", "uJ", FALSE);
    for (guint r = 0; r < comparison_drawn(comparison); r++) {
        g_autoptr(GArray) parts = energy_stack_new(comparison->results[r]);
        if (parts->len) add_bar(figure, compare_label(comparison, r), columns, parts);
    }
    comparison_note_left_out(figure, comparison);
    return figure;
}
