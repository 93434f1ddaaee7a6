/* Checks that a reader can make of a run: counters that know nothing of each other agree. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"

/* Means are printed to some 16 digits; what differs by more differs. */
static const double ROUNDING = 1e-9;

static gboolean agree(double left, double right)
{
    return fabs(left - right) <= ROUNDING * fmax(fabs(left), fabs(right));
}

static const char *judge(double left, double right, gboolean by_ends)
{
    return agree(left, right) ? "passes" : by_ends ? "passes but for its ends" : "differs";
}

/* In percent of the greater one. */
static void add_difference(Figure *figure, double left, double right)
{
    const double size = fmax(fabs(left), fabs(right));
    figure_number(figure, agree(left, right) ? 0 : (left - right) / size * 100);
}

/* --- Little's law ----------------------------------------------------------------------------- */

/* Who is inside when the measurement begins or ends counts in the mean for the part of its stay
 * that is measured, in the stays for all or nothing: as many as there ever were, a mean stay
 * each. */
static gboolean ends_account_for(double difference, double most, double mean_stay, double time)
{
    return fabs(difference) * time <= most * mean_stay;
}

/* Levels whose stays nobody reports, as of registers, say nothing. */
static gboolean add_queue(Figure *figure, JsonNode *result, const char *name)
{
    g_autofree char *mean = g_strconcat(name, ".mean", NULL),
                    *arrivals = g_strconcat(name, ".arrivals", NULL),
                    *stay = g_strconcat(name, ".stay_fs", NULL),
                    *highest = g_strconcat(name, ".max", NULL);
    const char *point = strchr(name, '.');
    g_autofree char *unit = g_strndup(name, (gsize)(point - name));
    const double time_fs = result_number(result, "summary.time_ns") * 1e6;
    const double came = number_total(result, arrivals), stayed = number_total(result, stay);
    if (!(came > 0) || !(stayed > 0) || !(time_fs > 0)) return TRUE;
    const double inside = number_total(result, mean) * number_units(result, unit);
    figure_row(figure);
    figure_text(figure, name);
    figure_number(figure, inside);
    figure_number(figure, came / (time_fs * 1e-6));
    figure_number(figure, stayed / came * 1e-6);
    figure_number(figure, stayed / time_fs);
    add_difference(figure, stayed / time_fs, inside);
    const double most = number_total(result, highest) * number_units(result, unit);
    figure_text(figure,
                judge(stayed / time_fs, inside,
                      ends_account_for(stayed / time_fs - inside, most, stayed / came, time_fs)));
    return agree(stayed / time_fs, inside);
}

static gboolean add_queues(Figure *figure, JsonNode *result, const char *unit)
{
    g_autofree char *path = g_strdup_printf("units.%s.total", unit);
    JsonNode *total = result_member(result, path);
    if (!total || !JSON_NODE_HOLDS_OBJECT(total)) return TRUE;
    g_autoptr(GList) members = json_object_get_members(json_node_get_object(total));
    gboolean good = TRUE;
    for (const GList *member = members; member; member = member->next) {
        g_autofree char *name = g_strdup_printf("%s.%s", unit, (char *)member->data);
        good = add_queue(figure, result, name) && good;
    }
    return good;
}

/* Where launches that are not measured ran between others, what one unit gave before them another
 * may have taken while they ran. */
static bool is_of_one_stretch(JsonNode *result)
{
    return !result_member(result, "kernel_rest.unmeasured");
}

Figure *run_littles_law(JsonNode *result)
{
    Figure *figure = figure_new("littles_law", NULL);
    figure_column(figure, "queue", NULL);
    figure_column(figure, "inside, mean", NULL);
    figure_column(figure, "arrivals", "1/ns");
    figure_column(figure, "mean stay", "ns");
    figure_column(figure, "arrivals x stay", NULL);
    figure_column(figure, "difference", "%");
    figure_column(figure, "check", NULL);
    JsonNode *units = result_member(result, "units");
    if (!units || !JSON_NODE_HOLDS_OBJECT(units) || !is_of_one_stretch(result)) return figure;
    g_autoptr(GList) names = json_object_get_members(json_node_get_object(units));
    gboolean good = TRUE;
    for (const GList *name = names; name; name = name->next)
        good = add_queues(figure, result, name->data) && good;
    if (!good)
        figure_note(figure,
                    "A queue that passes but for its ends was not empty when the measurement began "
                    "or ended: who is inside then counts in the mean, and leaves, or came, outside "
                    "of it. The difference is no more than as many as were ever inside make of it, "
                    "a mean stay each; what differs by more is an error of the model.");
    return figure;
}

/* --- conservation ----------------------------------------------------------------------------- */

/* What places held when the measurement began or ended, all together. */
static double count_inside(JsonNode *result)
{
    double inside = 0;
    JsonNode *units = result_member(result, "resources");
    g_autoptr(GList) names = units ? json_object_get_members(json_node_get_object(units)) : NULL;
    for (const GList *name = names; name; name = name->next) {
        JsonObject *unit = json_object_get_object_member(json_node_get_object(units), name->data);
        g_autoptr(GList) places = json_object_get_values(unit);
        for (const GList *place = places; place; place = place->next) {
            const double own = result_number(place->data, "inside");
            if (own > 0) inside += own;
        }
    }
    return inside;
}

/* A line has no more bytes. */
enum { LINE_BYTES_MOST = 512 };

/* What one side of a rule counts, and the names of the statistics that it adds up. */
typedef struct {
    double sum;  /* NaN: nothing is counted, or the result lacks a statistic */
    double ends; /* so much of it may be of what was under way then */
    GString *names;
} Side;

static void side_clear(Side *side)
{
    g_string_free(side->names, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_clear)

/* "l1.requests"; of units with `part` in their path, "crossbar[reply].packets". */
static double read_term(JsonNode *result, const UnitClass *unit, const Stat *stat, const char *part,
                        GString *names)
{
    g_autofree char *statistic = g_strdup_printf("%s.%s", unit->name, stat->name);
    if (names->len) g_string_append(names, " + ");
    if (!part) {
        g_string_append(names, statistic);
        return number_statistic(result, unit, stat);
    }
    g_string_append_printf(names, "%s[%s].%s", unit->name, part, stat->name);
    return number_of_part(result, part, statistic);
}

static void add_term(Side *side, JsonNode *result, const UnitClass *unit, const Stat *stat,
                     const char *part)
{
    const bool first = !side->names->len;
    const double term = read_term(result, unit, stat, part, side->names);
    side->sum = first ? term : side->sum + term;
    side->ends = count_inside(result) * (stat->type == STAT_BYTES ? LINE_BYTES_MOST : 1);
}

static const StatRule *find_rule(const Stat *stat, const char *words, RuleSide side)
{
    for (const StatRule *rule = stat->rules; rule && rule->words; rule++)
        if (rule->side == side && g_str_equal(rule->words, words)) return rule;
    return NULL;
}

/* All the classes that the machine has. */
static Side read_side(JsonNode *result, const UnitClass *const *classes, const char *words,
                      RuleSide which)
{
    Side side = {NAN, 0, g_string_new(NULL)};
    for (const UnitClass *const *unit = classes; *unit; unit++) {
        if (isnan(number_units(result, (*unit)->name))) continue;
        for (const Stat *stat = (*unit)->stats; stat && stat->name; stat++) {
            const StatRule *rule = find_rule(stat, words, which);
            if (rule) add_term(&side, result, *unit, stat, rule->part);
        }
    }
    return side;
}

static gboolean is_excused(JsonNode *result, const UnitClass *const *classes, const char *words)
{
    g_auto(Side) excuse = read_side(result, classes, words, RULE_EXCUSES);
    return excuse.sum > 0;
}

static gboolean add_rule(Figure *figure, const char *words, const Side *left, const Side *right)
{
    if (!isfinite(left->sum) || !isfinite(right->sum)) return TRUE;
    if (left->sum == 0 && right->sum == 0) return TRUE;
    figure_row(figure);
    figure_text(figure, words);
    figure_text(figure, judge(left->sum, right->sum, fabs(left->sum - right->sum) <= left->ends));
    figure_integer(figure, (gint64)left->sum);
    figure_integer(figure, (gint64)right->sum);
    add_difference(figure, left->sum, right->sum);
    figure_text(figure, left->names->str);
    figure_text(figure, right->names->str);
    return left->sum == right->sum;
}

static gboolean check_rule(Figure *figure, JsonNode *result, const UnitClass *const *classes,
                           const char *words)
{
    if (is_excused(result, classes, words)) return TRUE;
    g_auto(Side) left = read_side(result, classes, words, RULE_GIVES),
                 right = read_side(result, classes, words, RULE_TAKES);
    return add_rule(figure, words, &left, &right);
}

/* Of char *, borrowed: each rule once, in the order of the rows that give. */
static GPtrArray *list_rules(const UnitClass *const *classes)
{
    GPtrArray *rules = g_ptr_array_new();
    for (const UnitClass *const *unit = classes; *unit; unit++)
        for (const Stat *stat = (*unit)->stats; stat && stat->name; stat++)
            for (const StatRule *rule = stat->rules; rule && rule->words; rule++)
                if (rule->side == RULE_GIVES
                    && !g_ptr_array_find_with_equal_func(rules, rule->words, g_str_equal, NULL))
                    g_ptr_array_add(rules, (char *)rule->words);
    return rules;
}

Figure *run_conservation(JsonNode *result, const UnitClass *const *classes)
{
    Figure *figure = figure_new("conservation", NULL);
    figure_column(figure, "rule", NULL);
    figure_column(figure, "check", NULL);
    figure_column(figure, "one side", NULL);
    figure_column(figure, "other side", NULL);
    figure_column(figure, "difference", "%");
    figure_column(figure, "counted by", NULL);
    figure_column(figure, "and by", NULL);
    if (!is_of_one_stretch(result)) return figure;
    g_autoptr(GPtrArray) rules = list_rules(classes);
    gboolean good = TRUE;
    for (guint i = 0; i < rules->len; i++)
        good = check_rule(figure, result, classes, rules->pdata[i]) && good;
    if (!good)
        figure_note(figure, "What was between the two counters when the measurement began or "
                            "ended is counted by one of them only.");
    return figure;
}
