#include "scenarios/program/compare/conclusion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scenarios/program/compare/reason.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/result/verdict.h"
#include "scenarios/program/say/table.h"

enum { MOVERS_SHOWN = 3, NAMES_SHOWN = 6, DOUBTS_SHOWN = 2 };

typedef struct {
    guint index;
    double change;
} Mover;

static int compare_movers(gconstpointer a, gconstpointer b)
{
    const Mover *x = a, *y = b;
    if (x->change < y->change || x->change > y->change) return x->change < y->change ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Of Mover, the fastest first: all but the first result, those with an effect or those without. */
static GArray *find_movers(const Comparison *comparison, bool effect)
{
    GArray *movers = g_array_new(FALSE, FALSE, sizeof(Mover));
    for (guint i = 1; i < comparison->count; i++) {
        const Mover mover = {i, reason_change(comparison->results[0], comparison->results[i])};
        if (isfinite(mover.change) && (fabs(mover.change) >= REASON_NO_EFFECT) == effect)
            g_array_append_val(movers, mover);
    }
    g_array_sort(movers, compare_movers);
    return movers;
}

static void print_first(const Comparison *comparison, bool fastest, FILE *out)
{
    JsonNode *first = comparison->results[0];
    const bool measured = result_is_measured(first);
    g_autofree char *time =
        text_time(result_number(first, measured ? "summary.time_ns" : "summary.end_ns"));
    g_autofree char *bound = verdict_sentence(first);
    fprintf(out, "  %s %s%s", compare_label(comparison, 0), fastest ? "is fastest: " : "takes ",
            time);
    if (measured)
        fprintf(out, ", bound by %s\n", bound);
    else
        fprintf(out, " of simulated time, and nothing was measured\n");
}

/* What bounds the result where the bound is another one than the first result's, newly allocated;
 * NULL: it is the same. */
static char *other_bound(const Comparison *comparison, guint index)
{
    g_autofree char *first = verdict_bound(comparison->results[0], NULL);
    g_autofree char *own = verdict_bound(comparison->results[index], NULL);
    return g_strcmp0(first, own) ? g_steal_pointer(&own) : NULL;
}

static void print_mover(const Comparison *comparison, const Mover *mover, bool fastest, FILE *out)
{
    JsonNode *result = comparison->results[mover->index];
    g_autofree char *reason = reason_new(comparison->results[0], result);
    g_autofree char *bound = other_bound(comparison, mover->index);
    fprintf(out, "  %s%s %+.1f %%", compare_label(comparison, mover->index),
            fastest ? " is fastest," : "", mover->change * 100);
    if (result_is_partial(result)) fprintf(out, " (partial)");
    if (reason) fprintf(out, ": %s", reason);
    if (bound) fprintf(out, "%s bound by %s", reason ? "; now" : ": now", bound);
    fprintf(out, "\n");
}

static void print_movers(const Comparison *comparison, const GArray *movers, FILE *out)
{
    const bool all = movers->len <= MOVERS_SHOWN;
    const guint shown = all ? movers->len : MOVERS_SHOWN - 1;
    for (guint i = 0; i < shown; i++) {
        const Mover *mover = &g_array_index(movers, Mover, i);
        print_mover(comparison, mover, !i && mover->change < 0, out);
    }
    if (all) return;
    fprintf(out, "  and %u more, from %+.1f %% to %+.1f %%\n", movers->len - shown,
            g_array_index(movers, Mover, shown).change * 100,
            g_array_index(movers, Mover, movers->len - 1).change * 100);
}

/* "prt-64, prt-128 and 3 more: no effect (less than 1 %)" */
static void print_without_effect(const Comparison *comparison, const GArray *movers, FILE *out)
{
    if (!movers->len) return;
    const guint shown = MIN(movers->len, NAMES_SHOWN);
    for (guint i = 0; i < shown; i++)
        fprintf(out, "%s%s", i ? ", " : "  ",
                compare_label(comparison, g_array_index(movers, Mover, i).index));
    if (movers->len > shown) fprintf(out, " and %u more", movers->len - shown);
    fprintf(out, ": no effect (less than %.0f %%)\n", REASON_NO_EFFECT * 100);
}

/* --- what is not known ------------------------------------------------------------------------ */

/* "baseline, a100" of "mmu.lookups_per_cycle = 4, a default" */
typedef struct {
    char *fact;
    GString *labels;
} Doubt;

static void doubt_clear(gpointer data)
{
    Doubt *doubt = data;
    g_free(doubt->fact);
    g_string_free(doubt->labels, TRUE);
}

static void add_doubt(GArray *doubts, const Unknown *unknown, const char *label)
{
    g_autofree char *fact = g_strdup_printf("%s, %s", unknown->value, unknown->what);
    guint i = 0;
    while (i < doubts->len && strcmp(g_array_index(doubts, Doubt, i).fact, fact)) i++;
    if (i < doubts->len) {
        g_string_append_printf(g_array_index(doubts, Doubt, i).labels, ", %s", label);
        return;
    }
    const Doubt doubt = {g_steal_pointer(&fact), g_string_new(label)};
    g_array_append_val(doubts, doubt);
}

/* What several results rest on is said once. */
static void print_doubts(const Comparison *comparison, FILE *out)
{
    g_autoptr(GArray) doubts = g_array_new(FALSE, FALSE, sizeof(Doubt));
    g_array_set_clear_func(doubts, doubt_clear);
    for (guint i = 0; i < comparison->count; i++) {
        g_autoptr(GArray) unknown = rests_on_unknown(comparison->results[i]);
        for (guint k = 0; k < unknown->len; k++)
            add_doubt(doubts, &g_array_index(unknown, Unknown, k), compare_label(comparison, i));
    }
    for (guint i = 0; i < MIN(doubts->len, DOUBTS_SHOWN); i++) {
        const Doubt *doubt = &g_array_index(doubts, Doubt, i);
        fprintf(out, "  not stated: the bound of %s rests on %s\n", doubt->labels->str,
                doubt->fact);
    }
}

void conclusion_print(const Comparison *comparison, FILE *out)
{
    g_autoptr(GArray) movers = find_movers(comparison, true),
                      others = find_movers(comparison, false);
    const bool fastest =
        result_is_measured(comparison->results[0])
        && (!movers->len ? others->len > 0 : g_array_index(movers, Mover, 0).change > 0);
    print_first(comparison, fastest && movers->len, out);
    print_movers(comparison, movers, out);
    print_without_effect(comparison, others, out);
    print_doubts(comparison, out);
}
