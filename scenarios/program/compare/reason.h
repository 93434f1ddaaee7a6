/* Why one result takes another time than the other, in words that the two of them prove. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

/* Changes of time below this share are no effect. */
#define REASON_NO_EFFECT 0.01

/* What `after` is ranked by (result_rank) over what `before` is, less 1; NaN where there is nothing
 * to compare. */
double reason_change(JsonNode *before, JsonNode *after);

/* Whether a factor that went from `before` to `after` has half of a change whose logarithm is
 * `needed`. */
bool reason_accounts(double needed, double before, double after);

/* The latency of all requests together, of a run; the mean of each, of traffic at a set rate. Newly
 * allocated; NULL: it does not account for the change. */
char *reason_of_latency(JsonNode *before, JsonNode *after, double needed);
char *reason_of_mean(JsonNode *before, JsonNode *after, double needed);

/* "fewer bytes written (7.78 MB -> 1.46 MB)", newly allocated; NULL: nothing in the results accounts
 * for half of the change by itself.
 *
 * What is looked at, in this order: the work that was asked for; the clock; of the resource that
 * bounds the slower of the two what it had to do, how fast it did it and its room; how many CTAs an
 * SM holds; how busy the resource was; the latency of requests and its stages. Of unlike kernels
 * the one that has half of the change is looked at. */
char *reason_new(JsonNode *before, JsonNode *after);
