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

static void add_verdict(Figure *figure, double left, double right)
{
    figure_text(figure, agree(left, right) ? "passes" : "differs");
}

/* In percent of the greater one. */
static void add_difference(Figure *figure, double left, double right)
{
    const double size = fmax(fabs(left), fabs(right));
    figure_number(figure, agree(left, right) ? 0 : (left - right) / size * 100);
}

/* --- Little's law ----------------------------------------------------------------------------- */

/* Levels whose stays nobody reports, as of registers, say nothing. */
static gboolean add_queue(Figure *figure, JsonNode *result, const char *name)
{
    g_autofree char *mean = g_strconcat(name, ".mean", NULL),
                    *arrivals = g_strconcat(name, ".arrivals", NULL),
                    *stay = g_strconcat(name, ".stay_fs", NULL);
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
    add_verdict(figure, stayed / time_fs, inside);
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
    if (!units || !JSON_NODE_HOLDS_OBJECT(units)) return figure;
    g_autoptr(GList) names = json_object_get_members(json_node_get_object(units));
    gboolean good = TRUE;
    for (const GList *name = names; name; name = name->next)
        good = add_queues(figure, result, name->data) && good;
    if (!good)
        figure_note(figure,
                    "A queue that differs was not empty when the measurement began or ended: who "
                    "is inside then counts in the mean, and leaves, or came, outside of it.");
    return figure;
}

/* --- conservation ----------------------------------------------------------------------------- */

typedef struct {
    const char *what;
    const char *left, *right; /* sums, as numbers.h has them */
    const char *unless;       /* a sum that must be 0 for the rule to hold; NULL: none */
} Rule;

/* Atomics send operands, which are no data of L2, and reductions take no value back; halves of L2
 * send each other what no SM asked for; memory instructions may go through the texture units.
 * What is asked of shared memory is no byte of L1. */
static const Rule rules[] = {
    {"L1's requests have replies", "l1.requests", "l1.replies", NULL},
    {"L2's requests have replies", "l2_slice.accesses", "l2_slice.replies", NULL},
    {"requests of L1 arrive in L2", "l1.requests", "l2_slice.accesses", "l2_slice.crossings"},
    {"requests pass the crossbar", "l1.requests", "crossbar[request].packets", NULL},
    {"replies pass the crossbar", "l1.replies", "crossbar[reply].packets", NULL},
    {"bytes that lanes ask for, SM and L1", "sm.requested_bytes", "l1.bytes_requested",
     "texture.bytes_data + l1.shared_accesses"},
    {"bytes from L2 to L1", "l2_slice.bytes_read", "l1.bytes_from_network",
     "l1.atomics + texture.atomics + l2_slice.crossings"},
    {"bytes from L1 to L2", "l1.bytes_to_network", "l2_slice.bytes_written",
     "l1.atomics + texture.atomics + l2_slice.crossings"},
    {"loads and stores are looked up in L1", "load_store.transactions + l1.texture_accesses",
     "l1.accesses + l1.writes + l1.atomics", "texture.data_instructions"},
    {"L1's loads hit, miss or join", "l1.accesses", "l1.hits + l1.misses + l1.merged", NULL},
    {"atomics of L2 reach the ROPs", "l2_slice.atomics", "rop.requests", NULL},
    {"fetches of L2 reach a scheduler", "l2_slice.fills", "access_scheduler.reads", NULL},
    {"write-backs of L2 reach a scheduler", "l2_slice.write_backs", "access_scheduler.writes",
     NULL},
    {"bytes from DRAM to L2", "dram_channel.bytes_read + access_scheduler.bytes_forwarded",
     "l2_slice.bytes_filled", NULL},
    {"bytes from L2 to DRAM", "l2_slice.bytes_written_back", "dram_channel.bytes_written", NULL},
    {"translations are answered", "mmu.requests", "mmu.replies", NULL},
};

static gboolean add_rule(Figure *figure, JsonNode *result, const Rule *rule)
{
    const double left = number_sum(result, rule->left), right = number_sum(result, rule->right);
    if (!isfinite(left) || !isfinite(right) || (left == 0 && right == 0)) return TRUE;
    if (rule->unless && number_sum(result, rule->unless) > 0) return TRUE;
    figure_row(figure);
    figure_text(figure, rule->what);
    add_verdict(figure, left, right);
    figure_integer(figure, (gint64)left);
    figure_integer(figure, (gint64)right);
    add_difference(figure, left, right);
    figure_text(figure, rule->left);
    figure_text(figure, rule->right);
    return left == right;
}

Figure *run_conservation(JsonNode *result)
{
    Figure *figure = figure_new("conservation", NULL);
    figure_column(figure, "rule", NULL);
    figure_column(figure, "check", NULL);
    figure_column(figure, "one side", NULL);
    figure_column(figure, "other side", NULL);
    figure_column(figure, "difference", "%");
    figure_column(figure, "counted by", NULL);
    figure_column(figure, "and by", NULL);
    gboolean good = TRUE;
    for (unsigned i = 0; i < G_N_ELEMENTS(rules); i++)
        good = add_rule(figure, result, &rules[i]) && good;
    if (!good)
        figure_note(figure, "What was between the two counters when the measurement began or "
                            "ended is counted by one of them only.");
    return figure;
}
