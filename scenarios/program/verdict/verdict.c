/* What bounded a run. First where the time of the schedulers' slots went: what has the largest
 * share of it could gain most. If that is memory, along the back-pressure to what is full. */
#include "scenarios/program/verdict/verdict.h"

#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/cause.h"
#include "scenarios/program/verdict/flow.h"
#include "scenarios/program/verdict/kernels.h"
#include "scenarios/program/verdict/latency.h"
#include "scenarios/program/verdict/residency.h"
#include "scenarios/program/verdict/slots.h"
#include "scenarios/program/verdict/units.h"
#include "scenarios/program/verdict/words.h"

/* With more of the warps that a core may have it is not them that are missing. */
static const double MANY = 0.75;
/* A bound behind another is worth a word if it has so much of the time. */
static const double LEAST = 0.05;
/* Of two that are as full as that either may be the first. Another bound is named if its share of
 * the time is so close. */
static const double ALIKE = 0.95, CLOSE_SHARE = 0.8;
/* Waits hide each other: when one is gone, others take its place for about half of the time. What
 * is lost at a barrier, or because no CTA is left, is gained whole. */
#define HIDDEN 0.5
/* Units that are full for so much of the time that instructions issue are the bound, not slots. */
static const double UNITS_COUNT = 0.25;
/* Behind what is said of launches. */
static const char ROOM[] = ", and an SM has no room for more to go on with";
/* What the bound is if it is no resource. */
typedef struct {
    const char *name, *words; /* behind "in 41 % of their time" */
    const char *component;    /* NULL: no part of the machine removes it */
    double gained;            /* of its share */
} Kind;
static const Kind kinds[SLOTS_KINDS] = {
    [SLOTS_RESULT] = {"latency of arithmetic", "schedulers wait for results of instructions",
                      "arithmetic_latency", HIDDEN},
    [SLOTS_BARRIER] = {"barriers", "schedulers wait for other warps at a barrier", NULL, 1},
    [SLOTS_LAUNCH] = {"CTA launch", "schedulers wait for the warps of the next CTA", "cta_launch",
                      HIDDEN},
    [SLOTS_TAIL] = {"tail of CTAs", "schedulers have no warp, and no CTA is left for them", NULL,
                    1},
};

/* A bound, or what comes next to it. */
typedef struct {
    double share; /* of the slots' time, that could be gained */
    char *name, *words;
    const char *component;
    const char *of_a_warp; /* that shortens what one warp waits, which more of them do not */
    const Pressure *end;   /* NULL: it is no resource */
    const Pressure *also;  /* nearly as busy, in front of it: either is held up by the other */
    const GPtrArray *way;
} Finding;

typedef struct {
    JsonNode *result;
    GPtrArray *list; /* of Pressure * */
    GArray *bounds;  /* of Bound */
    SlotShares slots;
    double active;    /* of all time, that of schedulers with warps */
    bool at_once;     /* there is room for all CTAs: none waits for another's end */
    GPtrArray *units; /* the way from a unit to what holds it up */
    GArray *findings; /* the first is the bound */
} Inquiry;

static void finding_clear(gpointer data)
{
    Finding *finding = data;
    g_free(finding->name);
    g_free(finding->words);
}

/* --- resources -------------------------------------------------------------------------------- */

/* A unit of the core, while there are warps: before and behind them none can have work for it. */
static double use_by_warps(const Inquiry *inquiry, const Pressure *unit)
{
    return fmin(1, unit->use / inquiry->active);
}

static double strain_of(const Inquiry *inquiry, const Pressure *pressure)
{
    return flow_executes(pressure) ? use_by_warps(inquiry, pressure) : pressure_strain(pressure);
}

/* How full it is, or what is before it on the way. */
static double strain_along(const Inquiry *inquiry, const Pressure *end, const GPtrArray *way)
{
    double strain = strain_of(inquiry, end);
    for (guint i = 0; way && i < way->len; i++)
        strain = fmax(strain, strain_of(inquiry, way->pdata[i]));
    return strain;
}

static void say_another(const Inquiry *inquiry, GString *words, const char *before,
                        const Pressure *other)
{
    if (!other) return;
    g_string_append(words, before);
    words_say_resource(words, inquiry->list, other);
}

static void name_resource(const Inquiry *inquiry, Finding *finding, const Pressure *end,
                          const Pressure *also)
{
    GString *words = g_string_new(NULL);
    words_say_resource(words, inquiry->list, end);
    say_another(inquiry, words, "; in front of it ", flow_find_fuller(end, finding->way));
    say_another(inquiry, words, "; and ", also);
    finding_clear(finding);
    finding->component = cause_relief(inquiry->result, inquiry->list, end, words);
    finding->name = pressure_words(end);
    finding->words = g_string_free(words, FALSE);
    finding->end = end;
    finding->also = also;
}

/* What is not full all the time cannot have kept all of the waiting warps waiting. */
static void add_resource(Inquiry *inquiry, double share, const Pressure *end, const GPtrArray *way)
{
    const double strain = strain_along(inquiry, end, way);
    Finding finding = {.share = share * strain * (strain >= MANY ? 1 : HIDDEN), .way = way};
    name_resource(inquiry, &finding, end, flow_find_as_busy(end, way));
    g_array_append_val(inquiry->findings, finding);
}

/* --- latency ---------------------------------------------------------------------------------- */

/* What else schedulers wait for takes the place of memory as often; but for other warps. */
static double not_hidden(const Inquiry *inquiry, double share)
{
    const double *slots = inquiry->slots.share,
                 idle = slots[SLOTS_LAUNCH] + slots[SLOTS_TAIL] + slots[SLOTS_BARRIER];
    return idle < 1 ? share / (1 - idle) : 0;
}

static void add_latency(Inquiry *inquiry, double share)
{
    const Pressure *warps = residency_find(inquiry->list, "warps");
    const gboolean few = residency_is_few(inquiry->list);
    const LatencyPart part = latency_part(inquiry->result, inquiry->list);
    g_autofree char *what = latency_words(inquiry->result, few ? warps : NULL);
    Finding finding = {.share = share, .name = g_strdup("latency")};
    finding.component = finding.of_a_warp = part.component;
    finding.words = part.component ? g_strdup_printf("%s; %.0f %% of that is %s", what,
                                                     part.stage * 100, part.words)
                                   : g_strdup(what);
    if (warps && !latency_is_of_one_cta(inquiry->result)
        && (!part.component || (few && residency_keeps_out(inquiry->result, inquiry->list, MANY))))
        finding.component = pressure_component(warps);
    finding.share *= part.component ? not_hidden(inquiry, share) * part.share : HIDDEN;
    g_array_append_val(inquiry->findings, finding);
}

/* --- findings --------------------------------------------------------------------------------- */

/* Two that are as full as each other are both told. */
static void add_memory(Inquiry *inquiry, double share)
{
    const Pressure *first = NULL;
    for (guint i = 0, found = 0; i < inquiry->bounds->len && found < 2; i++) {
        const Bound *bound = &g_array_index(inquiry->bounds, Bound, i);
        if (flow_executes(bound->end) || flow_issues(inquiry->list, bound->end)) continue;
        if (first && flow_strain_of_end(bound->end) < ALIKE * flow_strain_of_end(first)) break;
        add_resource(inquiry, share, bound->end, bound->way);
        if (!first) first = bound->end;
        found++;
    }
    if (!first) add_latency(inquiry, share);
}

static gboolean is_full(const Inquiry *inquiry, const Pressure *unit)
{
    return unit && fmax(pressure_strain(unit), use_by_warps(inquiry, unit)) >= MANY;
}

static void add_unit(Inquiry *inquiry, double share, const Pressure *unit)
{
    const Pressure *behind =
        units_find_behind(inquiry->result, inquiry->list, unit, inquiry->slots.share[SLOTS_UNIT]);
    g_ptr_array_add(inquiry->units, (gpointer)(uintptr_t)unit);
    if (behind) g_ptr_array_add(inquiry->units, (gpointer)(uintptr_t)behind);
    add_resource(inquiry, share, behind ? behind : unit, behind ? inquiry->units : NULL);
}

/* The results that warps wait for are what a full unit works on, unless slots are as full. */
static void add_execution(Inquiry *inquiry)
{
    const double issue = inquiry->slots.share[SLOTS_ISSUE], unit = inquiry->slots.share[SLOTS_UNIT];
    const Pressure *slots = units_most_strained(inquiry->list, FALSE),
                   *own = units_most_strained(inquiry->list, TRUE);
    const gboolean full = is_full(inquiry, own) && !is_full(inquiry, slots),
                   units = unit >= UNITS_COUNT * issue;
    const Pressure *most = full || units ? own : slots;
    if (!most) return;
    double share = most == own ? unit + slots_of(inquiry->result, most->title) : issue;
    if (full) share += inquiry->slots.share[SLOTS_RESULT];
    if (most == own)
        add_unit(inquiry, share, own);
    else
        add_resource(inquiry, share, most, NULL);
}

/* A warp that has its result at once comes to its other waits the sooner: these take the place of
 * the waits for results for as much of the time as they have of the warps'. */
static double gain_of(const Inquiry *inquiry, SlotsKind slots)
{
    const double share = inquiry->slots.share[slots];
    if (slots == SLOTS_LAUNCH && inquiry->at_once) return share;
    const Pressure *warps = slots == SLOTS_RESULT ? residency_find(inquiry->list, "warps") : NULL;
    const double own = warps ? slots_results_of_warps(inquiry->result, warps->mean) : NAN;
    return share * (isfinite(own) ? fmin(own, 1) : kinds[slots].gained);
}

/* What is full for longer than schedulers wait for the next CTA keeps out others that would have
 * been there. */
static gboolean lacks_room(const Inquiry *inquiry, SlotsKind slots)
{
    return slots == SLOTS_LAUNCH && residency_is_few(inquiry->list)
           && residency_keeps_out(inquiry->result, inquiry->list, inquiry->slots.share[slots]);
}

/* The share of the slots is what no resource tells. */
static void add_kind(Inquiry *inquiry, SlotsKind slots)
{
    const Kind *kind = &kinds[slots];
    const double share = inquiry->slots.share[slots];
    const gboolean room = lacks_room(inquiry, slots);
    const Finding finding = {
        .share = gain_of(inquiry, slots),
        .name = g_strdup(kind->name),
        .words = g_strdup_printf("%s: %s in %.0f %% of their time%s", kind->name, kind->words,
                                 share * 100, room ? ROOM : ""),
        .component =
            room ? pressure_component(residency_find(inquiry->list, "warps")) : kind->component};
    g_array_append_val(inquiry->findings, finding);
}

static gboolean is_tail(const Finding *finding)
{
    return !g_strcmp0(finding->name, kinds[SLOTS_TAIL].name);
}

/* How much of the time it has work of its own, or all of its places are taken. Without a tail the
 * cores would have as much work as each other, and so would their parts. */
static double load_beside_of(const Finding *finding, const Pressure *other)
{
    const gboolean even = is_tail(finding) && other->class->per == PER_SM;
    return other->server && !even ? pressure_strain(other) : other->use;
}

/* That of the busiest other one: without its work becoming less, of which this has no part, no more
 * than the rest of the time can be gained. */
static double load_beside(const Inquiry *inquiry, const Finding *finding)
{
    const Pressure *end = finding->end;
    double load = 0;
    for (guint i = 0; i < inquiry->bounds->len; i++) {
        const Pressure *other = g_array_index(inquiry->bounds, Bound, i).end;
        const bool own = end
                         && (!g_strcmp0(pressure_component(other), pressure_component(end))
                             || pressure_refuses(end, other));
        if (other != end && !own) load = fmax(load, load_beside_of(finding, other));
    }
    return load;
}

static void limit_shares(Inquiry *inquiry)
{
    for (guint i = 0; i < inquiry->findings->len; i++) {
        Finding *finding = &g_array_index(inquiry->findings, Finding, i);
        finding->share = fmin(finding->share, 1 - load_beside(inquiry, finding));
    }
}

/* Either may be the first. */
static gboolean is_alike(const Finding *finding)
{
    return finding->also && pressure_strain(finding->also) >= ALIKE * pressure_strain(finding->end);
}

/* What the component would gain where nothing else is as busy. */
static double share_beside(const Inquiry *inquiry, const char *component)
{
    double share = 0;
    for (guint i = 0; i < inquiry->findings->len; i++) {
        const Finding *finding = &g_array_index(inquiry->findings, Finding, i);
        if (!is_alike(finding) && !g_strcmp0(finding->component, component))
            share += finding->share;
    }
    return share;
}

/* Either of two that are as busy is held up by the other: first comes the one that, made faster,
 * would gain something elsewhere as well. */
static void order_as_busy(Inquiry *inquiry)
{
    for (guint i = 0; i < inquiry->findings->len; i++) {
        Finding *one = &g_array_index(inquiry->findings, Finding, i);
        if (is_alike(one)
            && share_beside(inquiry, pressure_component(one->also))
                   > share_beside(inquiry, one->component))
            name_resource(inquiry, one, one->also, one->end);
    }
}

static int compare_shares(gconstpointer a, gconstpointer b)
{
    const double x = ((const Finding *)a)->share, y = ((const Finding *)b)->share;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Without slots everything is memory: the result is of another program. */
static Inquiry *inquire(JsonNode *result, GPtrArray *list)
{
    Inquiry *inquiry = g_new0(Inquiry, 1);
    *inquiry = (Inquiry){.result = result, .list = list, .active = 1};
    inquiry->bounds = flow_bounds(inquiry->list);
    inquiry->units = g_ptr_array_new();
    inquiry->findings = g_array_new(FALSE, FALSE, sizeof(Finding));
    g_array_set_clear_func(inquiry->findings, finding_clear);
    if (!slots_read(result, &inquiry->slots)) {
        add_memory(inquiry, 1);
        return inquiry;
    }
    inquiry->active = slots_active(&inquiry->slots);
    const bool set_rate = result_rank(result).latency;
    if (set_rate) slots_leave_out_results(&inquiry->slots);
    if (set_rate || latency_is_of_a_chain(result)
        || (latency_is_of_one_cta(result) && slots_stay_long(result)))
        slots_leave_out_idle(&inquiry->slots);
    else
        slots_leave_out_unused(&inquiry->slots, result);
    slots_spread_few(&inquiry->slots);
    inquiry->at_once = residency_holds_grid(result, list);
    if (inquiry->at_once) slots_count_late(&inquiry->slots);
    add_memory(inquiry, inquiry->slots.share[SLOTS_MEMORY]);
    add_execution(inquiry);
    for (guint slots = 0; slots < SLOTS_KINDS; slots++)
        if (kinds[slots].name) add_kind(inquiry, (SlotsKind)slots);
    limit_shares(inquiry);
    order_as_busy(inquiry);
    g_array_sort(inquiry->findings, compare_shares);
    return inquiry;
}

static void inquiry_free(Inquiry *inquiry)
{
    g_array_unref(inquiry->findings);
    g_array_unref(inquiry->bounds);
    g_ptr_array_unref(inquiry->units);
    g_free(inquiry);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Inquiry, inquiry_free)

static const Finding *finding_at(const Inquiry *inquiry, guint index)
{
    return &g_array_index(inquiry->findings, Finding, index);
}

/* Two at most: of a finding that has two itself no other. */
static guint count_named(const Inquiry *inquiry)
{
    if (inquiry->findings->len < 2 || finding_at(inquiry, 0)->also) return 1;
    if (finding_at(inquiry, 1)->also) return 1;
    return finding_at(inquiry, 1)->share >= CLOSE_SHARE * finding_at(inquiry, 0)->share ? 2 : 1;
}

/* Who waits for others waits for what these wait for: of a bound that no part removes the first one
 * behind it that a part does. By how much these are sooner done of their own time, beside the
 * bound's, the wait for them is shorter. NULL: the bound has a component itself, or none has. */
static const Finding *find_behind(const Inquiry *inquiry)
{
    const Finding *first = finding_at(inquiry, 0);
    if (first->component) return NULL;
    for (guint i = 1; i < inquiry->findings->len; i++) {
        const Finding *finding = finding_at(inquiry, i);
        if (finding->component && finding->share >= LEAST * (1 - first->share)) return finding;
    }
    return NULL;
}

/* With more warps none is sooner done that others wait for. */
static const char *choose_component(const Inquiry *inquiry)
{
    const Finding *behind = find_behind(inquiry);
    if (!behind) return finding_at(inquiry, 0)->component;
    return behind->of_a_warp ? behind->of_a_warp : behind->component;
}

/* --- what is told ----------------------------------------------------------------------------- */

static char *describe_named(const Inquiry *inquiry)
{
    GString *words = g_string_new(NULL);
    for (guint i = 0; i < count_named(inquiry); i++)
        g_string_append_printf(words, "%s%s", i ? "; and " : "", finding_at(inquiry, i)->words);
    const Finding *behind = find_behind(inquiry);
    if (behind && behind != finding_at(inquiry, count_named(inquiry) - 1))
        g_string_append_printf(words, "; the others are bound by %s", behind->words);
    return g_string_free(words, FALSE);
}

static GStrv list_ends(const Inquiry *inquiry)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (guint i = 0; i < count_named(inquiry); i++) {
        const Finding *finding = finding_at(inquiry, i);
        if (finding->end) g_strv_builder_add(names, finding->end->name);
        if (finding->also) g_strv_builder_add(names, finding->also->name);
    }
    return g_strv_builder_end(names);
}

Verdict *verdict_new(JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    return verdict_new_with(result, list);
}

Verdict *verdict_new_with(JsonNode *result, GPtrArray *list)
{
    g_autoptr(Inquiry) inquiry = inquire(result, list);
    const Finding *first = finding_at(inquiry, 0);
    Verdict *verdict = g_new(Verdict, 1);
    *verdict = (Verdict){.bound = g_strdup(first->name),
                         .sentence = describe_named(inquiry),
                         .chain = words_of_way(first->way),
                         .component = choose_component(inquiry),
                         .also = first->also ? g_strdup(first->also->name) : NULL,
                         .ends = list_ends(inquiry)};
    kernels_tell(result, verdict);
    return verdict;
}

void verdict_free(Verdict *verdict)
{
    g_free(verdict->bound);
    g_free(verdict->sentence);
    g_free(verdict->chain);
    g_free(verdict->also);
    g_free(verdict->kernel);
    g_strfreev(verdict->ends);
    g_free(verdict);
}
