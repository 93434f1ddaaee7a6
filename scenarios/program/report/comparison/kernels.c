/* Which kernel a change is of. */
#include <math.h>

#include "scenarios/program/compare/kernel_changes.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/result/result.h"

/* Us; NaN where one has no such kernel. */
static double time_of(JsonNode *kernel)
{
    return kernel ? result_number(kernel, "time_ns") * 1e-3 : NAN;
}

static void add_row(Figure *figure, const Comparison *comparison, guint index,
                    const KernelPair *pair)
{
    const double before = time_of(pair->before), after = time_of(pair->after);
    figure_row(figure);
    figure_text(figure, compare_label(comparison, index));
    figure_text(figure, pair->name);
    figure_count(figure, pair->number ? pair->number : NAN);
    figure_number(figure, before);
    figure_number(figure, after);
    figure_number(figure, (after / before - 1) * 100);
    figure_number(
        figure, 100 * kernel_pair_share(pair, comparison->results[0], comparison->results[index]));
    figure_text(figure, pair->before ? result_text(pair->before, "bound") : NULL);
    figure_text(figure, pair->after ? result_text(pair->after, "bound") : NULL);
}

Figure *comparison_kernels(const Comparison *comparison)
{
    Figure *figure = figure_new("comparison_kernels", NULL);
    figure_column(figure, "result", NULL);
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "launch", NULL);
    figure_column(figure, "time before", "us");
    figure_column(figure, "time", "us");
    figure_column(figure, "change", "%");
    figure_column(figure, "of the whole change", "%");
    figure_column(figure, "bound before", NULL);
    figure_column(figure, "bound by", NULL);
    for (guint i = 1; i < comparison->count; i++) {
        g_autoptr(GArray) pairs = kernel_pairs(comparison->results[0], comparison->results[i]);
        for (guint k = 0; k < pairs->len; k++)
            add_row(figure, comparison, i, &g_array_index(pairs, KernelPair, k));
    }
    const char *shown = result_text(comparison->results[0], "shown");
    if (shown) figure_note(figure, "Only %s; all else on this page is of the whole runs.", shown);
    return figure;
}
