/* Where latency moved: a waterfall from the first result to each other one, exact to the
 * femtosecond. */
#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/say/table.h"

enum { STEPS = 14 };
/* A step that is less than this share of all that moved is not worth a bar. */
static const double SMALL = 0.002;

static gint64 delta(const StageChange *change)
{
    return change->after - change->before;
}

/* The largest first. Of equal ones by name, so that a page is the same on every run. */
static gint compare_steps(gconstpointer a, gconstpointer b)
{
    const StageChange *x = a, *y = b;
    const gint64 left = ABS(delta(x)), right = ABS(delta(y));
    if (left != right) return left < right ? 1 : -1;
    const int order = g_strcmp0(x->request_class, y->request_class);
    return order ? order : g_strcmp0(x->stage, y->stage);
}

static void add_change(Figure *figure, const StageChange *change)
{
    g_autofree char *name = g_strdup_printf("%s: %s", change->request_class, change->stage);
    waterfall_add_change(figure, name, change->before, change->after);
}

static double sum_of_sizes(const GArray *changes)
{
    double sum = 0;
    for (guint i = 0; i < changes->len; i++)
        sum += (double)ABS(delta(&g_array_index(changes, StageChange, i)));
    return sum;
}

/* Returns the sum of all steps. */
static gint64 add_steps(Figure *figure, const GArray *changes)
{
    const double least = SMALL * sum_of_sizes(changes);
    gint64 sum = 0, rest = 0;
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        sum += delta(change);
        if (i < STEPS && delta(change) && (double)ABS(delta(change)) >= least)
            add_change(figure, change);
        else
            rest += delta(change);
    }
    if (rest) waterfall_add_sum(figure, "all others", "change", rest);
    return sum;
}

static char *mean_latency(gint64 sum_fs, gint64 requests)
{
    return text_grouped(requests ? (double)sum_fs / (double)requests * 1e-6 : 0, 1);
}

Figure *comparison_change(JsonNode *before, JsonNode *after, const char *const names[2])
{
    Figure *figure = figure_new("latency_change", names[1]);
    waterfall_add_columns(figure);
    g_autoptr(GArray) changes = attribution_new(before, after);
    const gint64 old = attribution_total(before), new = attribution_total(after);
    if (!changes->len) return figure;
    g_array_sort(changes, compare_steps);
    waterfall_add_sum(figure, names[0], "total", old);
    const gint64 explained = add_steps(figure, changes);
    if (explained != new - old)
        waterfall_add_sum(figure, "in no stage", "change", new - old - explained);
    waterfall_add_sum(figure, names[1], "total", new);
    const gint64 requests[] = {attribution_requests(before), attribution_requests(after)};
    g_autofree char *earlier = text_grouped((double)requests[0], 0);
    g_autofree char *later = text_grouped((double)requests[1], 0);
    g_autofree char *mean_before = mean_latency(old, requests[0]),
                    *mean_after = mean_latency(new, requests[1]);
    figure_note(figure, "%s requests before, %s after; mean latency %s ns before, %s ns after.",
                earlier, later, mean_before, mean_after);
    return figure;
}

void comparison_add_changes(Document *document, const Comparison *comparison)
{
    waterfall_add_all(document, comparison, comparison_change);
}
