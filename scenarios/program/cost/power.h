/* Power over time: of the series that are kept of what takes energy (kit/observe/series.h). */
#pragma once

#include "scenarios/program/result/aggregate.h"
#include "scenarios/program/result/result.h"

/* Into the open object: peak_w, the most that an interval had on average, with idle power;
 * peak_interval_ns, how long that was, and peak_at_ns, from when on in the region. Of a whole
 * result `series` { start, interval, span: fs; idle_w; classes: { CLASS: W in each interval } },
 * too. Nothing of phases, which have no series. */
void power_put(JsonBuilder *json, const Aggregate *aggregate, ResultExtent extent);

/* "97.8 W on average, 113.1 in 512 ns at most", of the member `consumption`; newly allocated. */
char *power_text(JsonNode *energy);

/* Calls for each class of such a result, in order, with its W in each interval. */
typedef void (*PowerVisit)(const char *class, JsonArray *watts, void *user);
void power_visit(JsonNode *result, PowerVisit visit, void *user);
