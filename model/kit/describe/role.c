#include "kit/describe/role.h"

#include <string.h>

static const struct {
    const char *name; /* in front of its words */
    size_t role;
} roles[] = {
    {"accesses of", ROLE(accesses_of)}, {"hits of", ROLE(hits_of)}, {"merged of", ROLE(merged_of)},
    {"misses of", ROLE(misses_of)},     {"part of", ROLE(part_of)}, {"refused by", ROLE(refusal)},
    {"found", ROLE(outcome)},
};

const Stat *stat_with_role(const Stat *stat, size_t role, const char *words)
{
    for (; stat && stat->name; stat++) {
        const char *own = stat_role(stat, role);
        if (own && (!words || !strcmp(own, words))) return stat;
    }
    return NULL;
}

char *stat_describe_roles(const Stat *stat)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
        const char *words = stat_role(stat, roles[i].role);
        if (!words) continue;
        g_string_append_printf(text, "%s%s %s", text->len ? "; " : "", roles[i].name, words);
    }
    return g_string_free(text, FALSE);
}

/* --- check ------------------------------------------------------------------------------------ */

static bool reject(const Stat *stat, const char *why, const char *words, GError **error)
{
    g_set_error(error, STAT_ERROR, 0, "%s: %s '%s'", stat->name, why, words);
    return false;
}

static bool has_row(const Stat *stats, const char *name)
{
    for (; stats->name; stats++)
        if (!strcmp(stats->name, name)) return true;
    return false;
}

/* Hits without look-ups have no rate; look-ups without hits are in no table. */
static bool check_cache(const Stat *stats, const Stat *stat, GError **error)
{
    static const size_t others[] = {ROLE(accesses_of), ROLE(merged_of), ROLE(misses_of)};
    if (stat->hits_of && !stat_with_role(stats, ROLE(accesses_of), stat->hits_of)
        && !stat_with_role(stats, ROLE(misses_of), stat->hits_of))
        return reject(stat, "neither accesses nor misses are of", stat->hits_of, error);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        const char *words = stat_role(stat, others[i]);
        if (words && !stat_with_role(stats, ROLE(hits_of), words))
            return reject(stat, "no hits are of", words, error);
    }
    return true;
}

static bool check_row(const Stat *stats, const Stat *stat, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
        const char *words = stat_role(stat, roles[i].role);
        if (words && stat->type != STAT_COUNT)
            return reject(stat, "only a count can be", roles[i].name, error);
    }
    if (stat->part_of && !has_row(stats, stat->part_of))
        return reject(stat, "part of no statistic", stat->part_of, error);
    return check_cache(stats, stat, error);
}

bool stats_check(const Stat *stats, GError **error)
{
    for (const Stat *stat = stats; stat && stat->name; stat++)
        if (!check_row(stats, stat, error)) return false;
    return true;
}
