#include "scenarios/program/study/records/statistic_column.h"
#include "kit/describe/nearest.h"

#include <string.h>

/* Members that a level and a distribution have in result.json; the first is what is meant when
 * none is named. */
typedef struct {
    const char *name, *unit;
} Member;

static const Member number_members[] = {{NULL, NULL}};
static const Member level_members[] = {
    {"mean", ""}, {"max", ""}, {"arrivals", ""}, {"stay_fs", "fs"}, {NULL, NULL},
};
static const Member histogram_members[] = {
    {"mean", "fs"},   {"count", ""},    {"sum_fs", "fs"}, {"min_fs", "fs"}, {"p50_fs", "fs"},
    {"p95_fs", "fs"}, {"p99_fs", "fs"}, {"max_fs", "fs"}, {NULL, NULL},
};

/* NULL: not a number and made of none. */
static const Member *members_of(const Stat *stat)
{
    switch (stat->type) {
    case STAT_COUNT:
    case STAT_BYTES:
    case STAT_TIME: return number_members;
    case STAT_LEVEL: return level_members;
    case STAT_HISTOGRAM: return histogram_members;
    case STAT_STAGES:
    case STAT_RANKING:
    case STAT_HEAVY:
    case STAT_BANKS: return NULL;
    }
    g_assert_not_reached();
}

static const char *unit_of(const Stat *stat)
{
    if (stat->type == STAT_BYTES) return "B";
    return stat->type == STAT_TIME ? "fs" : "";
}

/* --- errors ----------------------------------------------------------------------------------- */

static bool reject_name(const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat && stat->name; stat++)
            if (members_of(stat))
                g_ptr_array_add(names, g_strdup_printf("%s.%s", (*unit)->name, stat->name));
    g_ptr_array_add(names, NULL);
    const char *near = nearest_word(name, (const char *const *)names->pdata);
    g_set_error(error, STUDY_ERROR, 0, "%s: there is no such statistic; %s%s%s", name,
                near ? "did you mean '" : "'warpmem list statistics' names them", near ? near : "",
                near ? "'?" : "");
    return false;
}

static bool reject_kind(const char *name, const Stat *stat, GError **error)
{
    const char *what = stat->type == STAT_STAGES
                           ? "stages need not be named; a study keeps all of them"
                       : stat->type == STAT_BANKS ? "a list of counts, not a number"
                                                  : "a list of addresses, not a number";
    g_set_error(error, STUDY_ERROR, 0, "%s: %s", name, what);
    return false;
}

static bool reject_member(const char *name, const Member *members, GError **error)
{
    g_autoptr(GString) all = g_string_new(NULL);
    for (const Member *member = members; member->name; member++)
        g_string_append_printf(all, "%s.%s", member == members ? "" : ", ", member->name);
    g_set_error(error, STUDY_ERROR, 0, "%s: %s%s", name,
                all->len ? "of this statistic there are " : "the statistic is a number itself",
                all->str);
    return false;
}

/* --- finding ---------------------------------------------------------------------------------- */

static bool find_member(const char *name, const char *member, StatisticColumn *column,
                        GError **error)
{
    const Member *members = members_of(column->stat);
    if (!members) return reject_kind(name, column->stat, error);
    column->member = member ? member : members->name;
    column->measured_in = unit_of(column->stat);
    if (!column->member) return true;
    for (const Member *known = members; known->name; known++) {
        if (strcmp(known->name, column->member) != 0) continue;
        column->member = known->name;
        column->measured_in = known->unit;
        return true;
    }
    return reject_member(name, members, error);
}

bool statistic_column_find(const char *name, StatisticColumn *column, GError **error)
{
    g_auto(GStrv) words = g_strsplit(name, ".", 3);
    const guint count = g_strv_length(words);
    if (count < 2) return reject_name(name, error);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        if (strcmp((*unit)->name, words[0]) != 0) continue;
        for (const Stat *stat = (*unit)->stats; stat && stat->name; stat++) {
            if (strcmp(stat->name, words[1]) != 0) continue;
            *column = (StatisticColumn){*unit, stat, NULL, NULL};
            return find_member(name, count > 2 ? words[2] : NULL, column, error);
        }
    }
    return reject_name(name, error);
}

bool outcome_check_statistic(const char *name, ResultColumn *column, GError **error)
{
    StatisticColumn found;
    if (!statistic_column_find(name, &found, error)) return false;
    if (column)
        *column =
            (ResultColumn){name, found.measured_in, NULL, BETTER_NEITHER, found.stat->summary};
    return true;
}
