/* The time of a run is a product: of what the resource that bounds it has to do, how long it takes
 * for each, and one over the share of the time in which it does it. So the logarithm of a change of
 * time is a sum, and a factor that has half of it or more is the reason. */
#include "scenarios/program/compare/reason.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/role.h"
#include "scenarios/program/compare/choose.h"
#include "scenarios/program/compare/kernel_changes.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/launches.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/verdict/verdict.h"

/* So much of the change makes a factor the reason. */
static const double HALF_OF_IT = 0.5;

typedef struct {
    JsonNode *before, *after;
    double needed;            /* logarithm of the change of time */
    const Pressure *bound[2]; /* of the slower one, before and after; NULL: nothing is full */
    const Pressure *also[2];  /* what is nearly as busy in front of that; NULL: nothing is */
} Pair;

static double time_of(JsonNode *result)
{
    const double time = result_is_measured(result) ? summary_number(result, "time_ns") : NAN;
    return time > 0 ? time : NAN;
}

double reason_change(JsonNode *before, JsonNode *after)
{
    const ResultRank old = result_rank(before), new = result_rank(after);
    return old.latency == new.latency ? new.ns / old.ns - 1 : NAN;
}

bool reason_accounts(double needed, double before, double after)
{
    return before > 0 && after > 0 && log(after / before) / needed >= HALF_OF_IT;
}

static bool accounts(const Pair *pair, double before, double after)
{
    return reason_accounts(pair->needed, before, after);
}

/* ... or that is nothing in the faster one, or was: that is all of it. */
static bool accounts_or_ends(const Pair *pair, double before, double after)
{
    if (before == 0) return after > 0 && pair->needed > 0;
    return after == 0 ? pair->needed < 0 : accounts(pair, before, after);
}

static const char *more_or_fewer(double before, double after)
{
    return after < before ? "fewer" : "more";
}

/* --- the work, the clock ---------------------------------------------------------------------- */

static double requested_bytes(JsonNode *result)
{
    return summary_number(result, "requested_gbps") * time_of(result);
}

static char *other_work(const Pair *pair)
{
    const double before = requested_bytes(pair->before), after = requested_bytes(pair->after);
    if (!accounts(pair, before, after)) return NULL;
    g_autofree char *old = text_bytes(before), *new = text_bytes(after);
    return g_strdup_printf("%s work: lanes ask for %s instead of %s",
                           after < before ? "less" : "more", new, old);
}

/* A time that is about as many cycles is another time of the cycle. If the cycles moved as well, by
 * half of the change or more, the clock alone proves nothing: of two machines all may differ. */
static char *other_clock(const Pair *pair)
{
    const double cycles_before = summary_number(pair->before, "core_cycles"),
                 cycles_after = summary_number(pair->after, "core_cycles");
    const double before = time_of(pair->before) / cycles_before,
                 after = time_of(pair->after) / cycles_after;
    if (!accounts(pair, before, after) || accounts(pair, cycles_before, cycles_after)
        || accounts(pair, cycles_after, cycles_before))
        return NULL;
    return g_strdup_printf("%s clock: %.0f MHz -> %.0f MHz", after < before ? "faster" : "slower",
                           1e3 / before, 1e3 / after);
}

/* Measured launches that are under way at once, on average over the time in which any is. */
static double launches_at_once(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "summary.kernels");
    double sum = 0, any = 0, end = 0;
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *kernel = json_array_get_element(kernels, i);
        const double from = result_number(kernel, "begin_ns"),
                     to = result_number(kernel, "memory_end_ns");
        if (!result_flag(kernel, "measured", false) || !(to > from)) continue;
        sum += to - from;
        any += fmax(to - fmax(from, end), 0);
        end = fmax(end, to);
    }
    return sum / any;
}

static char *other_company(const Pair *pair)
{
    const double before = launches_at_once(pair->before), after = launches_at_once(pair->after);
    if (!accounts(pair, after, before)) return NULL;
    return g_strdup_printf("%s launches run together: %.2f at once instead of %.2f",
                           more_or_fewer(before, after), after, before);
}

/* --- the resource that bounds ----------------------------------------------------------------- */

/* " (machine.dram_clock 877 MHz -> 1100 MHz)": of the parameters that it rests on those that
 * differ, newly allocated; NULL: none does. */
static char *changed_parameters(const Pair *pair, const Pressure *bound)
{
    g_autoptr(GPtrArray) names = rests_on_names(bound);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++) {
        const char *old = result_parameter(pair->before, names->pdata[i]),
                   *new = result_parameter(pair->after, names->pdata[i]);
        if (old && new &&strcmp(old, new) != 0)
            g_string_append_printf(text, "%s%s %s -> %s", text->len ? ", " : " (",
                                   (char *)names->pdata[i], old, new);
    }
    if (text->len) g_string_append_c(text, ')');
    return g_string_free(text, !text->len);
}

static double units_total(JsonNode *result, const Pressure *pressure, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.%s.total.%s", pressure->class->name, name);
    return result_number(result, path);
}

/* Statistics of its work; of a network both are in one class, and these are sums over it. */
typedef struct {
    double before, after;         /* sums */
    double own_before, own_after; /* of the one that moved most */
    const Stat *most;
} Work;

static Work work_of(const Pair *pair)
{
    const Pressure *bound = pair->bound[0];
    const bool counted = bound->row && bound->row->work;
    g_auto(GStrv) words = g_strsplit(counted ? bound->row->work : "", " ", -1);
    Work work = {.most = NULL};
    for (char **word = words; *word; word++) {
        const double before = units_total(pair->before, bound, *word),
                     after = units_total(pair->after, bound, *word);
        work.before += before;
        work.after += after;
        if (work.most && fabs(after - before) <= fabs(work.own_after - work.own_before)) continue;
        work.most = stat_with_role(bound->class->stats, ROLE(name), *word);
        work.own_before = before;
        work.own_after = after;
    }
    return work;
}

static char *describe_count(const Stat *stat, double count)
{
    return stat->type == STAT_BYTES ? text_bytes(count) : text_grouped(count, 0);
}

/* "fewer bytes written (7.78 MB -> 1.46 MB)" */
static char *describe_work(const Work *work)
{
    g_autofree char *old = describe_count(work->most, work->own_before),
                    *new = describe_count(work->most, work->own_after);
    const char *summary =
        work->most->means ? stat_meaning_words(work->most->means) : work->most->summary;
    return g_strdup_printf("%s %.*s (%s -> %s)", more_or_fewer(work->own_before, work->own_after),
                           (int)strcspn(summary, ",:;("), summary, old, new);
}

static double instances_of(JsonNode *result, const Pressure *pressure)
{
    g_autofree char *path = g_strdup_printf("resources.%s.instances", pressure->name);
    return result_number(result, path);
}

static bool is_server(const Pressure *const bound[2])
{
    return bound[0] && bound[1] && bound[0]->server;
}

/* It was at work for less time, or longer, and that accounts for the change. */
static bool worked_otherwise(const Pair *pair, const Pressure *const bound[2])
{
    return is_server(bound)
           && accounts_or_ends(pair, bound[0]->use * time_of(pair->before),
                               bound[1]->use * time_of(pair->after));
}

/* " and L1 data (l1.data_ports 1 -> 2)": what stood in the way as well, and is another one, too;
 * newly allocated. */
static char *describe_other_one(const Pair *pair)
{
    if (!worked_otherwise(pair, pair->also)) return g_strdup("");
    g_autofree char *name = pressure_words(pair->also[0]),
                    *changed = changed_parameters(pair, pair->also[0]);
    return changed ? g_strconcat(" and ", name, changed, NULL) : g_strdup("");
}

/* The work that is counted has at most half of it. */
static bool is_for_as_much(const Work *work, double ratio)
{
    return work->most && fabs(log(work->after / work->before)) <= HALF_OF_IT * fabs(log(ratio));
}

/* It was at work for `ratio` of the time before, and nothing tells why: as a bus that is turned
 * more often. */
static char *describe_effort(const Work *work, const char *name, double ratio)
{
    const double percent = fabs(ratio - 1) * 100;
    if (ratio == 0) return g_strdup_printf("%s with nothing to do", name);
    if (isinf(ratio)) return g_strdup_printf("%s with something to do", name);
    if (is_for_as_much(work, ratio))
        return g_strdup_printf("%s at work %.0f %% %s for as much", name, percent,
                               ratio < 1 ? "shorter" : "longer");
    return g_strdup_printf("%s with %.0f %% %s to do", name, percent, ratio < 1 ? "less" : "more");
}

/* A server was at work for less time, or longer: it is another one, or has other work. */
static char *other_time_at_work(const Pair *pair)
{
    if (!worked_otherwise(pair, pair->bound)) return NULL;
    const double before = pair->bound[0]->use * time_of(pair->before),
                 after = pair->bound[1]->use * time_of(pair->after);
    g_autofree char *name = pressure_words(pair->bound[0]),
                    *changed = changed_parameters(pair, pair->bound[0]);
    const Work work = work_of(pair);
    if (work.most && accounts_or_ends(pair, work.before, work.after)) return describe_work(&work);
    const double old = instances_of(pair->before, pair->bound[0]),
                 new = instances_of(pair->after, pair->bound[1]);
    const bool as_many = !isfinite(new - old) || new == old;
    if (!as_many && accounts(pair, new, old))
        return g_strdup_printf("%s: %.0f of them instead of %.0f", name, new, old);
    if (changed && (as_many || accounts(pair, before * old, after * new))) {
        g_autofree char *other = describe_other_one(pair);
        return g_strdup_printf("%s %s%s%s", after < before ? "faster" : "slower", name, changed,
                               other);
    }
    if (changed)
        return g_strdup_printf("%s: %.0f of them instead of %.0f, and others%s", name, new, old,
                               changed);
    return describe_effort(&work, name, after / before);
}

/* A server did as much in another time. */
static char *other_use(const Pair *pair)
{
    if (!is_server(pair->bound)) return NULL;
    const double before = pair->bound[0]->use, after = pair->bound[1]->use;
    if (!accounts(pair, after, before)) return NULL;
    const bool uneven = pressure_is_uneven(pair->bound[1]);
    const bool spread = uneven != pressure_is_uneven(pair->bound[0]);
    g_autofree char *name = pressure_words(pair->bound[0]);
    return g_strdup_printf("%s busy %.0f %% of the time instead of %.0f %%%s", name, after * 100,
                           before * 100,
                           !spread  ? ""
                           : uneven ? ", since one has most of the work"
                                    : ", since one no longer has most of the work");
}

/* Of a place only its size says anything: that it is full is a matter of what it waits for. */
static char *other_room(const Pair *pair)
{
    if (!pair->bound[0] || !pair->bound[1] || pair->bound[0]->server) return NULL;
    g_autofree char *changed = changed_parameters(pair, pair->bound[0]);
    const double before = pair->bound[0]->capacity, after = pair->bound[1]->capacity;
    if (!changed || (after > before) != (pair->needed < 0)) return NULL;
    g_autofree char *name = pressure_words(pair->bound[0]);
    return g_strdup_printf("%s room: %s%s", after > before ? "more" : "less", name, changed);
}

/* That more of a place is taken tells something where it bounds, and nothing behind it is full. */
static char *other_filling(const Pair *pair)
{
    if (!pair->bound[0] || !pair->bound[1] || pair->bound[0]->server) return NULL;
    const double before = pair->bound[0]->mean, after = pair->bound[1]->mean;
    if (!accounts(pair, before, after)) return NULL;
    g_autofree char *name = pressure_words(pair->bound[0]);
    return g_strdup_printf("%.3g of %.0f places in %s are taken instead of %.3g", after,
                           pair->bound[1]->capacity, name, before);
}

/* --- residency -------------------------------------------------------------------------------- */

/* The measured kernel that took longest; NULL: nothing is known of CTAs. */
static JsonNode *longest_kernel(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "summary.kernels");
    JsonNode *longest = NULL;
    double most = 0;
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *kernel = json_array_get_element(kernels, i);
        const double time = result_number(kernel, "time_ns");
        if (!result_flag(kernel, "measured", false) || !(time > most)) continue;
        longest = kernel;
        most = time;
    }
    return longest;
}

static double ctas_held(JsonNode *kernel)
{
    return result_number(kernel, "launch.ctas_per_sm");
}

static double threads_held(JsonNode *kernel)
{
    return ctas_held(kernel) * result_number(kernel, "threads_per_cta");
}

/* "10"; NULL: the result does not say. */
static const char *cores_of(JsonNode *result)
{
    return result_parameter(result, "machine.sms");
}

/* Of all cores; as for one where nothing says how many there are. */
static double threads_of(JsonNode *result, JsonNode *kernel)
{
    const char *text = cores_of(result);
    double cores = 1;
    if (text) decimal_read(text, &cores);
    return threads_held(kernel) * cores;
}

/* There is room for other numbers of threads: of these is what can be on its way at once. */
static char *other_residency(const Pair *pair)
{
    JsonNode *old = longest_kernel(pair->before), *new = longest_kernel(pair->after);
    if (!old || !new || g_strcmp0(result_text(old, "name"), result_text(new, "name"))) return NULL;
    const double before = ctas_held(old), after = ctas_held(new),
                 threads_before = threads_of(pair->before, old),
                 threads_after = threads_of(pair->after, new);
    const bool other_cores = g_strcmp0(cores_of(pair->before), cores_of(pair->after)) != 0;
    if (!accounts(pair, threads_after, threads_before)) return NULL;
    if (before == after && !other_cores) return NULL;
    if (before == after)
        return g_strdup_printf("%s SMs: %s instead of %s",
                               more_or_fewer(threads_before, threads_after), cores_of(pair->after),
                               cores_of(pair->before));
    g_autofree char *limits = launches_limits(result_member(after < before ? new : old, "launch"));
    return g_strdup_printf("%s CTAs an SM: %.0f instead of %.0f (%s)", more_or_fewer(before, after),
                           after, before, limits);
}

/* --- all -------------------------------------------------------------------------------------- */

static const Pressure *find_pressure(const GPtrArray *list, const char *name)
{
    for (guint i = 0; name && i < list->len; i++)
        if (!strcmp(((const Pressure *)list->pdata[i])->name, name)) return list->pdata[i];
    return NULL;
}

static char *other_latency(const Pair *pair)
{
    return reason_of_latency(pair->before, pair->after, pair->needed);
}

/* Kernels are unlike: what one of them was that has half of the change. */
static char *of_a_kernel(JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) pairs = kernel_pairs(before, after);
    for (guint i = 0; i < pairs->len; i++) {
        const KernelPair *pair = &g_array_index(pairs, KernelPair, i);
        if (!(kernel_pair_share(pair, before, after) >= HALF_OF_IT)) continue;
        g_autoptr(JsonNode) old = kernel_alone(before, pair->before),
                            new = kernel_alone(after, pair->after);
        g_autofree char *reason = old && new ? reason_new(old, new) : NULL;
        if (reason) return g_strdup_printf("in %s, %s", pair->name, reason);
    }
    return NULL;
}

char *reason_new(JsonNode *before, JsonNode *after)
{
    const double change = reason_change(before, after);
    if (!isfinite(change) || fabs(change) < REASON_NO_EFFECT) return NULL;
    if (result_rank(after).latency) return reason_of_mean(before, after, log1p(change));
    g_autoptr(GPtrArray) old = pressure_list(before), new = pressure_list(after);
    g_autoptr(Verdict) slower = verdict_new(change > 0 ? after : before);
    char *reason = slower->unlike ? of_a_kernel(before, after) : NULL;
    const char *end = slower->unlike ? NULL : *slower->ends,
               *also = slower->unlike ? NULL : slower->also;
    const Pair pair = {before,
                       after,
                       log1p(change),
                       {find_pressure(old, end), find_pressure(new, end)},
                       {find_pressure(old, also), find_pressure(new, also)}};
    static char *(*const reasons[])(const Pair *pair) = {
        other_work,      other_clock, other_company, other_time_at_work, other_room,
        other_residency, other_use,   other_latency, other_filling};
    for (guint i = 0; i < G_N_ELEMENTS(reasons) && !reason; i++) reason = reasons[i](&pair);
    return reason;
}
