#include "scenarios/program/time/say.h"

#include "scenarios/program/say/table.h"
#include "scenarios/program/time/stack.h"

enum { BAR_WIDTH = 30, BRIEF_PARTS = 5 };
/* Parts below this share are told together. */
static const double SMALL = 0.005;

static double share_of(const GArray *parts, guint index)
{
    return (double)g_array_index(parts, TimePart, index).fs / (double)time_stack_sum(parts);
}

/* "time went to  data: DRAM 37 %, wait for a result 12 %, ..." */
void time_spent_print_brief(JsonNode *result, FILE *out)
{
    g_autoptr(GArray) parts = time_stack_new(result);
    if (!parts || !time_stack_sum(parts)) return;
    double rest = 1;
    fprintf(out, "\n  time went to");
    for (guint i = 0; i < MIN(parts->len, BRIEF_PARTS) && share_of(parts, i) > SMALL; i++) {
        const TimePart *part = &g_array_index(parts, TimePart, i);
        fprintf(out, "%s %s %.0f %%", i ? ";" : "", part->title, 100 * share_of(parts, i));
        rest -= share_of(parts, i);
    }
    if (rest > SMALL) fprintf(out, "; others %.0f %%", 100 * rest);
    fprintf(out, "\n");
}

static void add_part(Table *table, const char *title, gint64 fs, double share)
{
    g_autofree char *bar = text_bar(share, BAR_WIDTH), *time = text_grouped((double)fs * 1e-6, 1);
    table_row(table);
    table_cell(table, "    %s", title);
    table_cell(table, "%s", time);
    table_cell(table, "%.1f %%", share * 100);
    table_note(table, "%s", bar);
}

void time_spent_print(JsonNode *result, FILE *out)
{
    g_autoptr(GArray) parts = time_stack_new(result);
    const gint64 sum = parts ? time_stack_sum(parts) : 0;
    g_autoptr(Table) table = table_new();
    gint64 rest = sum;
    if (!sum) return;
    fprintf(out, "\n  where the time went, ns of a scheduler, of which there are %.0f\n",
            result_number(result, "time.schedulers"));
    for (guint i = 0; i < parts->len && share_of(parts, i) > SMALL; i++) {
        const TimePart *part = &g_array_index(parts, TimePart, i);
        add_part(table, part->title, part->fs, share_of(parts, i));
        rest -= part->fs;
    }
    if (rest) add_part(table, "others", rest, (double)rest / (double)sum);
    add_part(table, "sum", sum, 1);
    table_print(table, out);
}
