#include "kit/describe/role.h"

#include <string.h>

#define TYPE(name) (1u << STAT_##name)
#define NUMBERS (TYPE(COUNT) | TYPE(BYTES) | TYPE(TIME))

static const struct {
    const char *name; /* in front of its words */
    size_t role;
    unsigned types; /* that may have it */
} roles[] = {
    {"accesses of", ROLE(accesses_of), TYPE(COUNT)},
    {"loads of", ROLE(loads_of), TYPE(COUNT)},
    {"hits of", ROLE(hits_of), TYPE(COUNT)},
    {"merged of", ROLE(merged_of), TYPE(COUNT)},
    {"misses of", ROLE(misses_of), TYPE(COUNT)},
    {"part of", ROLE(part_of), TYPE(COUNT) | TYPE(RANKING) | TYPE(HEAVY)},
    {"refused by", ROLE(refusal), TYPE(COUNT)},
    {"found", ROLE(outcome), TYPE(COUNT)},
    {"if any, told as", ROLE(suspect), TYPE(COUNT)},
    {"taken by", ROLE(taken_of), TYPE(COUNT)},
    {"lost by", ROLE(lost_of), TYPE(COUNT)},
    {"warps are limited by", ROLE(limit), TYPE(COUNT)},
    {"at most", ROLE(most), TYPE(COUNT) | TYPE(LEVEL)},
    {"in the summary as", ROLE(member), TYPE(COUNT)},
    {"heat map of", ROLE(map.what), NUMBERS | TYPE(LEVEL) | TYPE(BANKS)},
    {"in figure", ROLE(figure), NUMBERS | TYPE(LEVEL) | TYPE(HEAVY)},
    {"counter of a timeline", ROLE(track.what), NUMBERS | TYPE(LEVEL)},
    {"warps are", ROLE(state.of), TYPE(TIME) | TYPE(LEVEL)},
};

const Stat *stat_with_role(const Stat *stat, size_t role, const char *words)
{
    for (; stat && stat->name; stat++) {
        const char *own = stat_role(stat, role);
        if (own && (!words || !strcmp(own, words))) return stat;
    }
    return NULL;
}

uint64_t stats_count_role(const Stat *stats, size_t role, const char *words, const void *object)
{
    uint64_t count = 0;
    const Stat *stat = stat_with_role(stats, role, words);
    for (; stat; stat = stat_with_role(stat + 1, role, words)) count += stat_number(stat, object);
    return count;
}

uint64_t stats_count_meaning(const Stat *stats, StatMeaning meaning, const void *object)
{
    uint64_t count = 0;
    const Stat *stat = stat_that_means(stats, meaning);
    for (; stat; stat = stat_that_means(stat + 1, meaning)) count += stat_number(stat, object);
    return count;
}

const Stat *stat_that_means(const Stat *stat, StatMeaning meaning)
{
    while (stat && stat->name && stat->means != meaning) stat++;
    return stat && stat->name ? stat : NULL;
}

bool stats_have_slots(const Stat *stats)
{
    while (stats && stats->name && stats->slots == SLOTS_NONE) stats++;
    return stats && stats->name;
}

/* --- meanings --------------------------------------------------------------------------------- */

const char *stat_meaning_words(StatMeaning meaning)
{
    static const char *const words[] = {"nothing in particular",
#define MEANING_WORDS(name, kind, text) text,
                                        STAT_MEANINGS(MEANING_WORDS)
#undef MEANING_WORDS
    };
    g_return_val_if_fail((unsigned)meaning < STAT_MEANING_COUNT, "?");
    return words[meaning];
}

static MeaningKind meaning_kind(StatMeaning meaning)
{
    static const MeaningKind kinds[] = {MEANING_NUMBER,
#define MEANING_KIND(name, kind, text) MEANING_##kind,
                                        STAT_MEANINGS(MEANING_KIND)
#undef MEANING_KIND
    };
    g_return_val_if_fail((unsigned)meaning < STAT_MEANING_COUNT, MEANING_NUMBER);
    return kinds[meaning];
}

/* --- words ------------------------------------------------------------------------------------ */

static void add_words(GString *text, const char *role, const char *words)
{
    g_string_append_printf(text, "%s%s '%s'", text->len ? "; " : "", role, words);
}

static void add_energy(GString *text, const StatEnergy *part)
{
    if (part->stage == STAGE_COUNT)
        g_string_append_printf(text, "%stakes energy at no stage", text->len ? "; " : "");
    else
        add_words(text, "takes energy at", stage_name(part->stage));
    if (part->reply != part->stage)
        g_string_append_printf(text, ", of replies at '%s'", stage_name(part->reply));
}

static const char *side_name(RuleSide side)
{
    switch (side) {
    case RULE_GIVES: return "one side of";
    case RULE_TAKES: return "other side of";
    case RULE_EXCUSES: return "excuse of";
    }
    g_assert_not_reached();
}

char *stat_describe_roles(const Stat *stat)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
        const char *words = stat_role(stat, roles[i].role);
        if (words) add_words(text, roles[i].name, words);
    }
    for (const StatEnergy *part = stat->energy; part && part->of; part++) add_energy(text, part);
    if (stat->means) add_words(text, "means", stat_meaning_words(stat->means));
    for (const StatCurve *curve = stat->curves; curve && curve->words; curve++)
        add_words(text, "curve", curve->words);
    for (const StatRule *rule = stat->rules; rule && rule->words; rule++)
        add_words(text, side_name(rule->side), rule->words);
    return g_string_free(text, FALSE);
}

/* --- check ------------------------------------------------------------------------------------ */

/* One statistic of a table, and the parameters beside it. */
typedef struct {
    const Stat *stats, *stat;
    const Param *params;
} Row;

G_GNUC_PRINTF(3, 4)
static bool reject(const Row *row, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, STAT_ERROR, 0, "%s: %s", row->stat->name, why);
    return false;
}

static bool check_types(const Row *row, GError **error)
{
    static const MeaningKind kinds[] = {
        [STAT_LEVEL] = MEANING_LEVEL, [STAT_HISTOGRAM] = MEANING_TIMES};
    const Stat *stat = row->stat;
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++)
        if (stat_role(stat, roles[i].role) && !(roles[i].types & 1u << stat->type))
            return reject(row, error, "of its kind nothing is '%s'", roles[i].name);
    if (!stat->means) return true;
    if (stat->type > STAT_HISTOGRAM || kinds[stat->type] != meaning_kind(stat->means))
        return reject(row, error, "of its kind nothing means %s", stat_meaning_words(stat->means));
    return true;
}

/* A role whose words a row of the table must have in another role, or in a third one. */
static const struct {
    size_t role, wanted, or ;
    const char *missing;
} pairs[] = {
    {ROLE(hits_of), ROLE(accesses_of), ROLE(misses_of), "neither accesses nor misses are of"},
    {ROLE(accesses_of), ROLE(hits_of), ROLE(hits_of), "no hits are of"},
    {ROLE(merged_of), ROLE(hits_of), ROLE(hits_of), "no hits are of"},
    {ROLE(misses_of), ROLE(hits_of), ROLE(hits_of), "no hits are of"},
    {ROLE(loads_of), ROLE(accesses_of), ROLE(accesses_of), "no accesses are of"},
    {ROLE(taken_of), ROLE(lost_of), ROLE(lost_of), "nothing is lost by"},
    {ROLE(lost_of), ROLE(taken_of), ROLE(taken_of), "nothing is taken by"},
    {ROLE(part_of), ROLE(name), ROLE(name), "there is no statistic"},
};

static bool check_pairs(const Row *row, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        const char *words = stat_role(row->stat, pairs[i].role);
        if (words && !stat_with_role(row->stats, pairs[i].wanted, words)
            && !stat_with_role(row->stats, pairs[i].or, words))
            return reject(row, error, "%s '%s'", pairs[i].missing, words);
    }
    return true;
}

static bool is_param(const Param *params, const char *name)
{
    while (params && params->name && strcmp(params->name, name) != 0) params++;
    return params && params->name;
}

static bool check_most(const Row *row, GError **error)
{
    if (!row->stat->most) return true;
    g_auto(GStrv) names = g_strsplit(row->stat->most, " * ", -1);
    for (char **name = names; *name; name++)
        if (!is_param(row->params, *name))
            return reject(row, error, "there is no parameter '%s'", *name);
    return true;
}

/* A share needs something that it is a share of, for each interval. */
static bool check_curves(const Row *row, GError **error)
{
    const Stat *stat = row->stat;
    if (!stat->curves || stat->type != STAT_COUNT) return true;
    const Stat *all =
        stat->hits_of ? stat_with_role(row->stats, ROLE(accesses_of), stat->hits_of) : NULL;
    if (stat->hits_of ? all && all->over_time : stat->most != NULL) return true;
    return reject(row, error, "its curve is a share of nothing");
}

static bool check_over_time(const Row *row, GError **error)
{
    const Stat *stat = row->stat;
    const bool drawn = stat->curves || stat->track.what || stat->map.what || stat->slot.of;
    if (drawn && !stat->over_time && stat->type != STAT_BANKS)
        return reject(row, error, "is drawn over time and not collected over time");
    if (stat->map.what && !stat->map.of) return reject(row, error, "is a map of nothing");
    if (stat->track.what && stat->type == STAT_LEVEL && !stat->track.of)
        return reject(row, error, "is a track of nothing");
    if (stat->figure && !stat->map.what && !stat->part_of)
        return reject(row, error, "has a figure and nothing to draw");
    return check_curves(row, error);
}

bool stats_check(const Stat *stats, const Param *params, GError **error)
{
    for (const Stat *stat = stats; stat && stat->name; stat++) {
        const Row row = {stats, stat, params};
        if (!check_types(&row, error) || !check_pairs(&row, error) || !check_most(&row, error)
            || !check_over_time(&row, error))
            return false;
    }
    return true;
}
