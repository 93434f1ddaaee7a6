/* Hit rates, what was refused, and the kernels. */
#include "scenarios/program/report/run/page.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* Each is a sum of statistics of all units of a class; NULL: not counted. */
typedef struct {
    const char *name, *accesses, *hits, *merged;
    const char *all; /* what these are a part of; not shown where they are all of it */
} Cache;

static const Cache levels[] = {
    {"L1, loads", "l1.accesses", "l1.hits", "l1.merged", NULL},
    {"L1, stores", "l1.writes", "l1.write_hits", NULL, NULL},
    {"L1, texels", "l1.texture_accesses", "l1.texture_hits", "l1.texture_merged", NULL},
    {"texture unit, lines", "texture.lines", "texture.hits", NULL, NULL},
    {"L2, loads", "l2_slice.reads", "l2_slice.load_hits", NULL, NULL},
    {"L2, all requests", "l2_slice.accesses", "l2_slice.hits", "l2_slice.merged", NULL},
    {"L2, of global data", "l2_slice.global_accesses", "l2_slice.global_hits", NULL,
     "l2_slice.accesses"},
    {"L2, of local data", "l2_slice.local_accesses", "l2_slice.local_hits", NULL,
     "l2_slice.accesses"},
    {"L2, of textures", "l2_slice.texture_accesses", "l2_slice.texture_hits", NULL,
     "l2_slice.accesses"},
    {"L2, of atomics", "l2_slice.atomics", "l2_slice.atomic_hits", NULL, "l2_slice.accesses"},
    {"ROP, lines", NULL, "rop.hits", "rop.merged", NULL},
    {"L1 TLB", NULL, "l1.tlb_hits", "l1.tlb_merged", NULL},
    {"MMU, TLBs", "mmu.requests", "mmu.hits", "mmu.merged", NULL},
};

static double total(JsonNode *result, const char *statistic)
{
    return statistic ? data_total(result, statistic) : 0;
}

/* Of those that count hits, merged ones and misses only. */
static double count_accesses(JsonNode *result, const Cache *level)
{
    if (level->accesses) return data_total(result, level->accesses);
    const size_t stem = strlen(level->hits) - strlen("hits");
    g_autofree char *misses = g_strdup_printf("%.*smisses", (int)stem, level->hits);
    return data_total(result, level->hits) + total(result, level->merged)
           + data_total(result, misses);
}

static Figure *hit_rates(JsonNode *result)
{
    Figure *figure = figure_new("hit_rates", NULL);
    figure_column(figure, "look-ups of", NULL);
    figure_column(figure, "hit rate", "%");
    figure_column(figure, "look-ups", NULL);
    figure_column(figure, "hits", NULL);
    figure_column(figure, "merged", NULL);
    figure_column(figure, "others", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        const double accesses = count_accesses(result, &levels[i]);
        const double hits = total(result, levels[i].hits), merged = total(result, levels[i].merged);
        if (!(accesses > 0) || accesses == total(result, levels[i].all)) continue;
        figure_row(figure);
        figure_text(figure, levels[i].name);
        figure_number(figure, data_percent(hits, accesses));
        figure_integer(figure, (gint64)accesses);
        figure_integer(figure, (gint64)hits);
        figure_integer(figure, (gint64)merged);
        figure_integer(figure, (gint64)(accesses - hits - merged));
    }
    return figure;
}

/* --- DRAM rows -------------------------------------------------------------------------------- */

static Figure *row_outcomes(JsonNode *result)
{
    static const struct {
        const char *name, *statistic;
    } outcomes[] = {
        {"row open", "access_scheduler.row_hits"},
        {"bank closed", "access_scheduler.row_misses"},
        {"another row open", "access_scheduler.row_conflicts"},
    };
    Figure *figure = figure_new("row_outcomes", NULL);
    double all = 0;
    for (guint i = 0; i < G_N_ELEMENTS(outcomes); i++)
        all += data_total(result, outcomes[i].statistic);
    figure_column(figure, "found", NULL);
    figure_column(figure, "requests", NULL);
    figure_column(figure, "share", "%");
    for (guint i = 0; all > 0 && i < G_N_ELEMENTS(outcomes); i++) {
        const double count = data_total(result, outcomes[i].statistic);
        figure_row(figure);
        figure_text(figure, outcomes[i].name);
        figure_integer(figure, (gint64)count);
        figure_number(figure, data_percent(count, all));
    }
    return figure;
}

/* --- refusals --------------------------------------------------------------------------------- */

/* NULL: this program has no such statistic. */
static const char *describe(const char *unit_class, const char *name)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        if (strcmp((*unit)->name, unit_class) != 0) continue;
        for (const Stat *stat = (*unit)->stats; stat->name; stat++)
            if (!strcmp(stat->name, name)) return stat->summary;
    }
    return NULL;
}

static void add_refusals(Figure *figure, JsonNode *result, const char *unit_class)
{
    g_autofree char *path = g_strdup_printf("units.%s.total", unit_class);
    g_autofree char *all = g_strdup_printf("%s.accesses", unit_class);
    g_autoptr(GList) names = data_names(result, path);
    for (GList *name = names; name; name = name->next) {
        if (!g_str_has_prefix(name->data, "refused_")) continue;
        JsonNode *node = data_child(result, path, name->data);
        const double count = json_node_get_double(node), accesses = data_total(result, all);
        if (!(count > 0)) continue;
        g_autofree char *statistic = g_strdup_printf("%s.%s", unit_class, (char *)name->data);
        figure_row(figure);
        figure_text(figure, statistic);
        figure_integer(figure, (gint64)count);
        figure_number(figure, accesses > 0 ? count / accesses : NAN);
        figure_text(figure, describe(unit_class, name->data));
    }
}

static Figure *refusals(JsonNode *result)
{
    Figure *figure = figure_new("refusals", NULL);
    g_autoptr(GList) classes = data_names(result, "units");
    figure_column(figure, "statistic", NULL);
    figure_column(figure, "attempts", NULL);
    figure_column(figure, "for each look-up", NULL);
    figure_column(figure, "why", NULL);
    for (GList *class = classes; class; class = class->next)
        add_refusals(figure, result, class->data);
    return figure;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void add_kernel(Figure *figure, JsonNode *kernel)
{
    const gboolean measured = result_flag(kernel, "measured", FALSE);
    const gboolean finished = result_flag(kernel, "finished", FALSE);
    figure_row(figure);
    figure_text(figure, result_text(kernel, "name"));
    figure_text(figure, measured ? "yes" : "no");
    figure_number(figure, result_number(kernel, "time_ns") * 1e-3);
    figure_count(figure, result_number(kernel, "cycles"));
    figure_count(figure, result_number(kernel, "ctas"));
    figure_count(figure, result_number(kernel, "threads_per_cta"));
    figure_number(figure, result_number(kernel, "gbps"));
    figure_number(figure, result_number(kernel, "cycles_per_load"));
    figure_text(figure, finished ? "yes" : "no, interrupted");
}

static Figure *kernels(JsonNode *result)
{
    Figure *figure = figure_new("kernels", NULL);
    JsonArray *rows = data_array(result, "summary.kernels");
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "measured", NULL);
    figure_column(figure, "time", "us");
    figure_column(figure, "time", "core cycles");
    figure_column(figure, "CTAs", NULL);
    figure_column(figure, "threads a CTA", NULL);
    figure_column(figure, "counted", "GB/s");
    figure_column(figure, "a dependent load", "core cycles");
    figure_column(figure, "finished", NULL);
    for (guint i = 0; i < data_length(rows); i++) add_kernel(figure, data_element(rows, i));
    return figure;
}

void run_caches(Document *document, JsonNode *result)
{
    document_section(document, "caches", "Caches, rows and refusals", NULL);
    document_add(document, hit_rates(result));
    document_add(document, row_outcomes(result));
    document_add(document, refusals(result));
    document_section(document, "kernels", "Kernels", NULL);
    document_add(document, kernels(result));
}
