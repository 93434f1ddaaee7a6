#include "scenarios/program/compare/conclusion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scenarios/program/compare/reason.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/verdict/verdict.h"

enum { LINES = 5, NAMES_SHOWN = 6 };

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
    const char *label = compare_label(comparison, 0);
    const ResultRank rank = result_rank(first);
    if (!isfinite(rank.ns)) return;
    g_autofree char *time = text_time(rank.ns);
    g_autoptr(Verdict) verdict = verdict_new(first);
    fprintf(out, "  %s %s%s, bound by %s\n", label,
            rank.latency ? fastest ? "has the least latency: " : "has a latency of "
            : fastest    ? "is fastest: "
                         : "takes ",
            time, verdict->sentence);
}

/* "read, write: interrupted, not ranked" */
static void print_unranked(const Comparison *comparison, bool partial, FILE *out)
{
    g_autoptr(GString) labels = g_string_new(NULL);
    for (guint i = 0; i < comparison->count; i++) {
        JsonNode *result = comparison->results[i];
        if (isfinite(result_rank(result).ns) || result_is_partial(result) != partial) continue;
        text_append_name(labels, compare_label(comparison, i));
    }
    if (labels->len)
        fprintf(out, "  %s%s\n", labels->str,
                partial ? ": interrupted, not ranked" : " measured nothing");
}

/* What bounds the result where the bound is another one than the first result's, newly allocated;
 * NULL: it is the same. */
static char *other_bound(const Comparison *comparison, guint index)
{
    g_autoptr(Verdict) first = verdict_new(comparison->results[0]);
    g_autoptr(Verdict) own = verdict_new(comparison->results[index]);
    return strcmp(first->bound, own->bound) ? g_steal_pointer(&own->bound) : NULL;
}

static void print_mover(const Comparison *comparison, const Mover *mover, bool fastest, FILE *out)
{
    JsonNode *result = comparison->results[mover->index];
    g_autofree char *reason = reason_new(comparison->results[0], result);
    g_autofree char *bound = other_bound(comparison, mover->index);
    fprintf(out, "  %s%s %+.1f %%", compare_label(comparison, mover->index),
            !fastest                      ? ""
            : result_rank(result).latency ? " has the least latency,"
                                          : " is fastest,",
            mover->change * 100);
    if (reason) fprintf(out, ": %s", reason);
    if (bound) fprintf(out, "%s bound by %s", reason ? "; now" : ": now", bound);
    fprintf(out, "\n");
}

/* In so many lines. */
static void print_movers(const Comparison *comparison, const GArray *movers, guint lines, FILE *out)
{
    const bool all = movers->len <= lines;
    const guint shown = all ? movers->len : lines - 1;
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
    char *facts;
    GString *labels;
} Doubt;

static void doubt_clear(gpointer data)
{
    Doubt *doubt = data;
    g_free(doubt->facts);
    g_string_free(doubt->labels, TRUE);
}

/* Newly allocated; NULL: all that its bound rests on is stated. */
static char *describe_unknown(JsonNode *result)
{
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autoptr(GArray) unknown = rests_on_unknown(result, verdict);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < unknown->len; i++) {
        const Unknown *one = &g_array_index(unknown, Unknown, i);
        g_string_append_printf(text, "%s%s, %s", i ? ", and " : "", one->value, one->what);
    }
    return g_string_free(text, !text->len);
}

static void add_doubt(GArray *doubts, JsonNode *result, const char *label)
{
    g_autofree char *facts = describe_unknown(result);
    if (!facts) return;
    for (guint i = 0; i < doubts->len; i++) {
        const Doubt *doubt = &g_array_index(doubts, Doubt, i);
        if (strcmp(doubt->facts, facts) != 0) continue;
        g_string_append_printf(doubt->labels, ", %s", label);
        return;
    }
    const Doubt doubt = {g_steal_pointer(&facts), g_string_new(label)};
    g_array_append_val(doubts, doubt);
}

/* Of Doubt: what several results rest on is said once. */
static GArray *find_doubts(const Comparison *comparison)
{
    GArray *doubts = g_array_new(FALSE, FALSE, sizeof(Doubt));
    g_array_set_clear_func(doubts, doubt_clear);
    for (guint i = 0; i < comparison->count; i++)
        add_doubt(doubts, comparison->results[i], compare_label(comparison, i));
    return doubts;
}

char *conclusion_doubts(const Comparison *comparison)
{
    g_autoptr(GArray) doubts = find_doubts(comparison);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < doubts->len; i++) {
        const Doubt *doubt = &g_array_index(doubts, Doubt, i);
        g_string_append_printf(text, "%sthe bound of %s rests on %s", i ? "; " : "",
                               doubt->labels->str, doubt->facts);
    }
    return g_string_free(text, !text->len);
}

void conclusion_print(const Comparison *comparison, FILE *out)
{
    g_autoptr(GArray) movers = find_movers(comparison, true),
                      others = find_movers(comparison, false);
    g_autofree char *doubts = conclusion_doubts(comparison);
    const bool fastest = movers->len && g_array_index(movers, Mover, 0).change > 0;
    print_first(comparison, fastest, out);
    print_movers(comparison, movers, LINES - 1 - (others->len > 0) - (doubts != NULL), out);
    print_without_effect(comparison, others, out);
    print_unranked(comparison, true, out);
    print_unranked(comparison, false, out);
    if (doubts) fprintf(out, "  not stated: %s\n", doubts);
}
