/* What the machine stores, of a run's report. */
#include "scenarios/program/cost/storage.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"

static void add_entry(Figure *figure, const StorageEntry *entry)
{
    g_autofree char *title = storage_title(entry);
    figure_row(figure);
    figure_text(figure, entry->unit);
    figure_text(figure, entry->name);
    figure_number(figure, entry->bits / 8 / 1024);
    figure_number(figure, entry->mm2);
    figure_count(figure, entry->units);
    figure_number(figure, entry->entries / entry->units);
    figure_count(figure, entry->entry_bits);
    figure_count(figure, entry->banks);
    figure_text(figure, entry->ports);
    figure_count(figure, entry->compared);
    figure_text(figure, title);
}

Figure *run_storage(JsonNode *result)
{
    Figure *figure = figure_new("storage", NULL);
    JsonNode *storage = result_member(result, "storage");
    g_autoptr(GArray) entries = storage_entries(storage);
    figure_column(figure, "unit", NULL);
    figure_column(figure, "storage", NULL);
    figure_column(figure, "all together", "KiB");
    figure_column(figure, "area", "mm2");
    figure_column(figure, "units", NULL);
    figure_column(figure, "entries of one", NULL);
    figure_column(figure, "an entry", "bits");
    figure_column(figure, "banks", NULL);
    figure_column(figure, "ports", NULL);
    figure_column(figure, "compared", "bits");
    figure_column(figure, "what", NULL);
    for (guint i = 0; i < entries->len; i++)
        add_entry(figure, &g_array_index(entries, StorageEntry, i));
    g_autofree char *area = storage_area_text(storage);
    if (*area) figure_note(figure, "%s.", area);
    return figure;
}
