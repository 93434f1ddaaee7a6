/* Why one result takes another time than the other, in words that the two of them prove. */
#pragma once

#include <json-glib/json-glib.h>

/* Changes of time below this share are no effect. */
#define REASON_NO_EFFECT 0.01

/* The time of `after` over that of `before`, less 1; NaN where there is nothing to compare. */
double reason_change(JsonNode *before, JsonNode *after);

/* "fewer bytes written (7.78 MB -> 1.46 MB)", newly allocated; NULL: nothing in the results accounts
 * for half of the change by itself.
 *
 * What is looked at, in this order: the work that was asked for; the clock; of the resource that
 * bounds the slower of the two what it had to do, how fast it did it and its room; how many CTAs an
 * SM holds; how busy the resource was; the latency of requests and its stages. */
char *reason_new(JsonNode *before, JsonNode *after);
