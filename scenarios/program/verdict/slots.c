#include "scenarios/program/verdict/slots.h"

#include <math.h>
#include <string.h>

#include "platform/machine/machine.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/counts.h"

typedef void (*SlotVisit)(const Stat *stat, double time, void *user);

/* What is 0 may be left out. */
static void visit_class(JsonNode *result, const UnitClass *class, SlotVisit visit, void *user)
{
    g_autofree char *path = g_strconcat("units.", class->name, ".total", NULL);
    JsonNode *total = result_member(result, path);
    for (const Stat *stat = class->stats; stat && stat->name; stat++) {
        if (stat->slots == SLOTS_NONE) continue;
        const double time = total ? result_number(total, stat->name) : 0;
        visit(stat, isfinite(time) ? time : 0, user);
    }
}

static void visit_slots(JsonNode *result, SlotVisit visit, void *user)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        visit_class(result, *class, visit, user);
}

/* A scheduler that never had a warp tells nothing of those that had. */
static gboolean counts(const Stat *stat)
{
    return stat->slots != SLOTS_FEW && stat->slots < SLOTS_OPEN;
}

static void add_up(const Stat *stat, double time, void *sums)
{
    ((SlotShares *)sums)->share[stat->slots] += time;
    if (counts(stat)) ((SlotShares *)sums)->share[SLOTS_NONE] += time;
}

gboolean slots_read(JsonNode *result, SlotShares *shares)
{
    *shares = (SlotShares){.share = {0}};
    visit_slots(result, add_up, shares);
    const double sum = shares->share[SLOTS_NONE];
    for (guint kind = 0; sum > 0 && kind < SLOTS_KINDS; kind++) shares->share[kind] /= sum;
    return sum > 0;
}

double slots_active(const SlotShares *slots)
{
    const double *share = slots->share;
    return (1 + share[SLOTS_OPEN] - share[SLOTS_LAUNCH] - share[SLOTS_TAIL])
           / (1 + share[SLOTS_FEW] + share[SLOTS_OPEN]);
}

static void leave_out(SlotShares *slots, SlotsKind first, SlotsKind second)
{
    const double rest = 1 - slots->share[first] - (second != first ? slots->share[second] : 0);
    slots->share[first] = slots->share[second] = 0;
    for (guint kind = 0; rest > 0 && kind < SLOTS_KINDS; kind++) slots->share[kind] /= rest;
}

void slots_leave_out_idle(SlotShares *slots)
{
    leave_out(slots, SLOTS_LAUNCH, SLOTS_TAIL);
}

void slots_leave_out_results(SlotShares *slots)
{
    leave_out(slots, SLOTS_RESULT, SLOTS_RESULT);
}

/* Of all cores, of which one has the CTA. */
typedef struct {
    double idle, all;
} Stay;

static void add_stay(const Stat *stat, double time, void *user)
{
    Stay *stay = user;
    if (stat->slots == SLOTS_LAUNCH || stat->slots == SLOTS_TAIL) stay->idle += time;
    if (stat->slots != SLOTS_OUTSIDE) stay->all += time;
}

static double count_cores(JsonNode *result)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++) {
        g_autofree char *path = g_strconcat("units.", (*class)->name, ".count", NULL);
        if (stats_have_slots((*class)->stats)) return result_number(result, path);
    }
    return NAN;
}

gboolean slots_stay_long(JsonNode *result)
{
    Stay stay = {0, 0};
    visit_slots(result, add_stay, &stay);
    const double share = (1 - stay.idle / stay.all) * count_cores(result);
    return !(share < 0.5);
}

/* Of the measured launch that has most; NAN: launches ran side by side, or nothing tells. */
static double most_ctas(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "summary.kernels");
    double most = NAN, ended = NAN;
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *kernel = json_array_get_element(kernels, i);
        if (!result_flag(kernel, "measured", true)) continue;
        if (result_number(kernel, "begin_ns") < ended) return NAN;
        most = fmax(most, result_number(kernel, "ctas"));
        ended = result_number(kernel, "memory_end_ns");
    }
    return most;
}

gboolean slots_fit_at_once(JsonNode *result, double ctas)
{
    return most_ctas(result) <= count_cores(result) * ctas;
}

void slots_leave_out_unused(SlotShares *slots, JsonNode *result)
{
    const double unused = 1 - most_ctas(result) / count_cores(result);
    const double all = 1 + slots->share[SLOTS_FEW] + slots->share[SLOTS_OPEN];
    const double tail = slots->share[SLOTS_TAIL], out = unused * all < tail ? unused * all : tail;
    if (!(unused > 0) || out >= 1) return;
    slots->share[SLOTS_TAIL] -= out;
    for (guint kind = 0; kind < SLOTS_KINDS; kind++) slots->share[kind] /= 1 - out;
}

double slots_results_of_warps(JsonNode *result, double warps)
{
    static const double ns = 1e6; /* in fs */
    const double all = warps * count_cores(result) * result_number(result, "summary.time_ns") * ns;
    return counts_of(result, MEANS_WARPS_AT_RESULTS)
           / (all - counts_of(result, MEANS_WARPS_AT_BARRIERS));
}

void slots_spread_few(SlotShares *slots)
{
    double *launch = &slots->share[SLOTS_LAUNCH], *tail = &slots->share[SLOTS_TAIL];
    const double idle = *launch + *tail, all = 1 + slots->share[SLOTS_FEW];
    const double busy = idle < 1 ? (1 - idle / all) / (1 - idle) : 1;
    for (guint kind = 0; kind < SLOTS_KINDS; kind++) {
        const bool of_idle = kind == SLOTS_LAUNCH || kind == SLOTS_TAIL;
        slots->share[kind] *= of_idle ? 1 / all : busy;
    }
}

void slots_count_late(SlotShares *slots)
{
    double *launch = &slots->share[SLOTS_LAUNCH], *tail = &slots->share[SLOTS_TAIL];
    const double late = fmin(*launch, *tail);
    *launch += late;
    *tail -= late;
}

typedef struct {
    const char *title;
    double time, sum;
} TitledTime;

static void add_titled(const Stat *stat, double time, void *user)
{
    TitledTime *titled = user;
    const gboolean executes = stat->slots == SLOTS_ISSUE || stat->slots == SLOTS_UNIT;
    if (counts(stat)) titled->sum += time;
    if (executes && !strcmp(stat->slot.of, titled->title)) titled->time += time;
}

double slots_of(JsonNode *result, const char *title)
{
    TitledTime titled = {title, 0, 0};
    visit_slots(result, add_titled, &titled);
    return titled.sum > 0 ? titled.time / titled.sum : 0;
}
