/* What the run cost in energy, of its report. */
#include "scenarios/program/cost/energy.h"

#include <math.h>

#include "scenarios/program/cost/assumed.h"
#include "scenarios/program/cost/power.h"
#include "scenarios/program/cost/stack.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"

Figure *run_energy_stages(JsonNode *result)
{
    Figure *figure = figure_new("energy_stages", NULL);
    g_autoptr(GArray) parts = energy_stack_new(result);
    figure_column(figure, "stage", NULL);
    figure_column(figure, "energy", "uJ");
    figure_axis(figure, FIGURE_X, "energy", "uJ", FALSE);
    for (guint i = 0; i < parts->len; i++) {
        const EnergyPart *part = &g_array_index(parts, EnergyPart, i);
        figure_row(figure);
        figure_text(figure, part->name);
        figure_number(figure, part->after);
    }
    return figure;
}

/* --- by event --------------------------------------------------------------------------------- */

static void add_event(Figure *figure, const EnergyEntry *entry, double total)
{
    if (!(entry->uj > 0)) return;
    figure_row(figure);
    figure_text(figure, entry->unit);
    figure_text(figure, entry->event);
    figure_count(figure, entry->count);
    figure_number(figure, entry->pj);
    figure_number(figure, entry->uj);
    figure_number(figure, 100 * entry->uj / total);
}

Figure *run_energy(JsonNode *result)
{
    Figure *figure = figure_new("energy", NULL);
    JsonNode *energy = result_member(result, "consumption");
    const double total = energy ? result_number(energy, "total_uj") : 0,
                 idle = energy ? result_number(energy, "idle_uj") : 0,
                 active = energy ? result_number(energy, "active_uj") : 0;
    g_autoptr(GArray) entries = energy_events(energy);
    figure_column(figure, "unit", NULL);
    figure_column(figure, "event", NULL);
    figure_column(figure, "how often", NULL);
    figure_column(figure, "each", "pJ");
    figure_column(figure, "together", "uJ");
    figure_column(figure, "share", "%");
    if (!(total > 0)) return figure;
    const EnergyEntry rest = {"idle", "power over the measured time", 1, idle * 1e6, idle},
                      cores = {"active SMs", "power while they have CTAs", 1, active * 1e6, active};
    g_array_append_val(entries, rest);
    g_array_append_val(entries, cores);
    energy_sort(entries);
    for (guint i = 0; i < entries->len; i++)
        add_event(figure, &g_array_index(entries, EnergyEntry, i), total);
    const double bit = result_number(energy, "dram_pj_a_bit");
    g_autofree char *dram = isfinite(bit)
                                ? g_strdup_printf("; %.3g pJ for each bit that DRAM moved", bit)
                                : g_strdup("");
    g_autofree char *assumed = energy_assumed_sentence(result);
    g_autofree char *power = power_text(result);
    figure_note(figure, "%.4g uJ, %s%s%s.", total, power, dram, assumed);
    return figure;
}
