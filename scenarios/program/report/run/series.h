/* Statistics over time, `profile.series` of a result. */
#pragma once

#include "kit/describe/meaning.h"
#include "scenarios/program/report/document/figure.h"

typedef struct {
    JsonNode *result, *classes;
    double interval, span; /* fs */
    guint intervals;
} ProfileSeries;

/* FALSE: the result has none. */
gboolean series_read(JsonNode *result, ProfileSeries *series);

/* An interval's length and its middle, from the beginning of the region of interest, in fs. The
 * last interval may be shorter than the others. */
double series_length(const ProfileSeries *series, guint interval);
double series_middle(const ProfileSeries *series, guint interval);

/* "dram_channel.bytes_read": its number an interval; of one unit, or NULL where that was idle
 * throughout. NULL: not collected. */
JsonArray *series_total(const ProfileSeries *series, const char *statistic);
JsonArray *series_unit(const ProfileSeries *series, const char *statistic, guint index);
/* The total of the statistic with this meaning. */
JsonArray *series_meaning(const ProfileSeries *series, StatMeaning meaning);
guint series_units(const ProfileSeries *series, const char *statistic);
gboolean series_moved(JsonArray *values); /* of NULL: no */

/* Marks where kernels begin, if there is more than one; those that begin together by one mark. */
void series_mark_kernels(const ProfileSeries *series, Figure *figure);
