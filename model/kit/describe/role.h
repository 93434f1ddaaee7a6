/* Roles of statistics: what a row of a table says of itself, for the tables and figures that are
 * made of rows. */
#pragma once

#include "kit/describe/param.h"
#include "kit/describe/stat.h"

/* A role whose value is text, by its place in the row: ROLE(hits_of). */
#define ROLE(field) offsetof(Stat, field)

static inline const char *stat_role(const Stat *stat, size_t role)
{
    return *(const char *const *)(const void *)((const char *)stat + role);
}

/* The first row from `stat` on, in the order of the table, that has the role; of those, if `words`
 * is not NULL, with these words. NULL: there is none. */
const Stat *stat_with_role(const Stat *stat, size_t role, const char *words);

/* The same of a meaning. */
const Stat *stat_that_means(const Stat *stat, StatMeaning meaning);

/* Whether any of them is time of schedulers' slots. */
bool stats_have_slots(const Stat *stats);

/* A COUNT, BYTES or TIME of an object that the table is over. */
static inline uint64_t stat_number(const Stat *stat, const void *object)
{
    return *(const uint64_t *)(const void *)((const char *)object + stat->offset);
}

/* Of all rows with the role and these words, or with the meaning; they are numbers. */
uint64_t stats_count_role(const Stat *stats, size_t role, const char *words, const void *object);
uint64_t stats_count_meaning(const Stat *stats, StatMeaning meaning, const void *object);

const char *stat_meaning_words(StatMeaning meaning);

/* All roles for people: "hits of L1, loads"; newly allocated, empty if there are none. */
char *stat_describe_roles(const Stat *stat);

#define STAT_ERROR (g_quark_from_static_string("warpmem-statistic"))

/* Whether the roles of a table fit together: hits are of something that is looked up, a part is
 * part of a row, what is drawn over time is collected. `params` stand beside the statistics in the
 * same class. The error names the row. */
bool stats_check(const Stat *stats, const Param *params, GError **error);
