/* Power over time: of the series that are kept of what takes energy (kit/observe/series.h). */
#pragma once

#include "scenarios/program/result/aggregate.h"
#include "scenarios/program/result/result.h"

/* The member `power` { start, interval, span: fs; idle_w; classes: { CLASS: W
 * in each interval }; peak_w, the most that an interval had on average, with idle power;
 * peak_interval_ns, how long that was, and peak_at_ns, from when on in the region }. Nothing where
 * there are no intervals. */
void power_write(JsonWriter *profile, const Aggregate *aggregate);

/* "97.8 W on average, 113.1 in 512 ns at most"; newly allocated. */
char *power_text(JsonNode *result);

/* Calls for each class of such a result, in order, with its W in each interval. */
typedef void (*PowerVisit)(const char *class, JsonArray *watts, void *user);
void power_visit(JsonNode *result, PowerVisit visit, void *user);
