/* Where the time of the schedulers' slots went, by kind: what removing a wait can gain is the share
 * that it has. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/describe/stat.h"

typedef struct {
    double
        share[SLOTS_KINDS]; /* of the time of schedulers that had warps, or whose core had none */
} SlotShares;

/* FALSE: the result has none. */
gboolean slots_read(JsonNode *result, SlotShares *shares);

/* Of all time, as it was read, that in which schedulers have warps. */
double slots_active(const SlotShares *shares);

/* Of the time in which SMs had CTAs. */
void slots_leave_out_idle(SlotShares *shares);

/* Of traffic at a set rate: who makes it waits for its clock, as for results. */
void slots_leave_out_results(SlotShares *shares);

/* Of the time in which warps, of which a core has so many on average, wait for no other warps, how
 * much they wait for results; NAN: nothing tells. */
double slots_results_of_warps(JsonNode *result, double warps);

/* Of the cores for which the grid has CTAs: that the others are idle is no tail. */
void slots_leave_out_unused(SlotShares *shares, JsonNode *result);

/* Of a kernel of one CTA: that needs no longer to come to its core, and to be over, than it is
 * there, or the result does not say how many cores there are. */
gboolean slots_stay_long(JsonNode *result);

/* No launch has more CTAs than the cores have room for, each for `ctas`. FALSE: nothing tells. */
gboolean slots_fit_at_once(JsonNode *result, double ctas);

/* A core is no less at work while some of its schedulers have no warp. */
void slots_spread_few(SlotShares *shares);

/* Of a grid of which no CTA waits for another's end: which comes last is done as much later, and
 * the others wait in the tail for as long as it did for its launch. */
void slots_count_late(SlotShares *shares);

/* The share of the time that goes to what has this title: in which schedulers issue to units, "FP32
 * cores", or wait for what holds these up, "register file". */
double slots_of(JsonNode *result, const char *title);
