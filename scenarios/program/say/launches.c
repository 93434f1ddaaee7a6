#include "scenarios/program/say/launches.h"

#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

enum { LAUNCH_LINES = 12 };

/* "registers, warps and the grid", of the limits at so many CTAs. */
static char *name_limits(const Residency *residency, uint64_t ctas)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (residency->by[i] == ctas)
            g_ptr_array_add(names, (gpointer)residency_limit_names[i].words);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s",
                               !i                    ? ""
                               : i + 1 == names->len ? " and "
                                                     : ", ",
                               (const char *)names->pdata[i]);
    return g_string_free(text, FALSE);
}

/* "8.0", "1.04", "just over 1.0": a last wave of one CTA may take as long as a full one. Newly
 * allocated. */
static char *waves_text(double waves)
{
    const double whole = round(waves);
    if (waves == whole) return g_strdup_printf("%.1f", waves);
    if (waves < 0.005) return g_strdup("under 0.01");
    if (fabs(waves - whole) >= 0.005) return g_strdup_printf("%.2f", waves);
    return g_strdup_printf("just %s %.1f", waves > whole ? "over" : "under", whole);
}

/* "2 CTAs an SM, limited by registers (then 4, by warps); 1.6 waves"; newly allocated. */
static char *launches_residency(const Residency *residency)
{
    g_autofree char *now = name_limits(residency, residency->ctas),
                    *next = name_limits(residency, residency->next),
                    *waves = waves_text(residency->waves);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%" G_GUINT64_FORMAT " CTA%s an SM, limited by %s", residency->ctas,
                    residency->ctas == 1 ? "" : "s", now);
    if (residency->next != OCCUPANCY_ANY)
        g_string_append_printf(text, " (then %" G_GUINT64_FORMAT ", by %s)", residency->next, next);
    g_string_append_printf(text, "; %s waves", waves);
    return g_string_free(text, FALSE);
}

/* "triad: 2 CTAs an SM, ..." */
static char *describe(const Machine *machine, const Launch *launch)
{
    const Residency residency = machine_residency(machine, launch);
    g_autofree char *text = launches_residency(&residency);
    return g_strdup_printf("%s: %s", launch->kernel->name, text);
}

/* The first launch behind `first` that has other words or is not the next of the list. */
static guint end_of_like(const Machine *machine, const LaunchList *launches, guint first,
                         const char *words)
{
    for (guint i = first + 1; i < launches->launches->len; i++) {
        g_autofree char *others = describe(machine, launch_list_at(launches, i));
        const bool follows =
            launch_list_at(launches, i)->number == launch_list_at(launches, i - 1)->number + 1;
        if (!follows || !g_str_equal(others, words)) return i;
    }
    return launches->launches->len;
}

static char *number_of(const LaunchList *launches, guint first, guint end)
{
    const guint number = launch_list_at(launches, first)->number;
    return end - first == 1 ? g_strdup_printf("kernel %u", number)
                            : g_strdup_printf("kernels %u-%u", number, number + end - first - 1);
}

GPtrArray *launches_describe(const Machine *machine, const LaunchList *launches)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const guint length = launches->launches->len;
    for (guint first = 0, end; first < length; first = end) {
        if (lines->len == LAUNCH_LINES) {
            g_ptr_array_add(lines, g_strdup_printf("and %u more kernels", length - first));
            break;
        }
        g_autofree char *words = describe(machine, launch_list_at(launches, first));
        end = end_of_like(machine, launches, first, words);
        g_autofree char *number = number_of(launches, first, end);
        g_ptr_array_add(lines, g_strdup_printf("%s, %s", number, words));
    }
    return lines;
}

/* --- of a result ------------------------------------------------------------------------------ */

void launches_print_chosen(JsonNode *node, FILE *out)
{
    const char *kernels = result_text(node, "chosen.kernels");
    if (!kernels) return;
    fprintf(out, "kernels %s of %.0f: %s%s\n", kernels, result_number(node, "chosen.of"),
            result_flag(node, "chosen.in_place", false)
                ? "those before ran, too, unmeasured; caches were as they left them"
                : "the others did not run, caches were cold at the first",
            result_flag(node, "chosen.beside", false)
                ? "; what started together with them ran beside and is counted with them"
                : "");
}

static const char *words_of(const char *key)
{
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (!g_strcmp0(residency_limit_names[i].key, key)) return residency_limit_names[i].words;
    return key;
}

char *launches_limits(JsonNode *launch)
{
    JsonArray *keys = result_array(launch, "limited_by");
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < result_length(keys); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "",
                               words_of(json_array_get_string_element(keys, i)));
    return g_string_free(text, FALSE);
}

static void add_share(Table *table, JsonNode *launch, const char *name)
{
    const double share = result_number(launch, name);
    table_cell(table, isfinite(share) ? "%.1f %%" : "-", 100 * share);
}

static void add_launch(Table *table, JsonNode *kernel, JsonNode *launch, guint more)
{
    const double next = result_number(launch, "next_ctas_per_sm"),
                 least = result_number(launch, "least_ctas_of_an_sm"),
                 most = result_number(launch, "most_ctas_of_an_sm");
    g_autofree char *limits = launches_limits(launch),
                    *waves = waves_text(result_number(launch, "waves"));
    table_row(table);
    table_cell(table, "  %s", result_text(kernel, "name"));
    table_cell(table, "%.0f", result_number(launch, "ctas_per_sm"));
    table_note(table, "%s", limits);
    table_cell(table, isfinite(next) ? "%.0f" : "-", next);
    table_cell(table, "%s", waves);
    table_cell(table, least < most ? "%.0f to %.0f" : "%.0f", least, most);
    add_share(table, launch, "mean_sm_share");
    add_share(table, launch, "longest_sm_share");
    add_share(table, launch, "head_share");
    add_share(table, launch, "tail_share");
    add_share(table, launch, "drain_share");
    add_share(table, launch, "full_wave_gain");
    if (more) table_note(table, "and %u more", more);
}

static JsonNode *launch_of(JsonNode *kernel)
{
    JsonNode *launch = result_member(kernel, "launch");
    return launch && JSON_NODE_HOLDS_OBJECT(launch) ? launch : NULL;
}

/* The first of the kernels that have it: GPtrArray of JsonNode. */
static GPtrArray *find_launches(JsonArray *kernels)
{
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < result_length(kernels) && found->len < LAUNCH_LINES; i++)
        if (launch_of(json_array_get_element(kernels, i)))
            g_ptr_array_add(found, json_array_get_element(kernels, i));
    return found;
}

void launches_print(JsonNode *result, FILE *out)
{
    static const char *const heads[] = {"CTAs an SM", "by",   "else", "waves", "SMs had",   "busy",
                                        "longest",    "head", "tail", "drain", "full waves"};
    g_autoptr(GPtrArray) kernels = find_launches(result_array(result, "summary.kernels"));
    const guint more = result_count_launches(result) - kernels->len;
    g_autoptr(Table) table = table_new();
    if (!kernels->len) return;
    table_row(table);
    table_cell(table, "launches");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
        if (i == 1)
            table_note(table, "%s", heads[i]);
        else
            table_cell(table, "%s", heads[i]);
    for (guint i = 0; i < kernels->len; i++)
        add_launch(table, kernels->pdata[i], launch_of(kernels->pdata[i]),
                   i + 1 == kernels->len ? more : 0);
    table_print(table, out);
    fprintf(out,
            "  busy: an SM has CTAs, the mean and the longest; head, tail: it has none yet, or "
            "no more;\n  drain: nobody has, and stores are under way.\n"
            "  full waves: what each CTA would save at most if all SMs always had 'CTAs an SM' of "
            "them, and it took\n  no longer then; where CTAs share pipes or buses that are full, "
            "about the tail\n\n");
}
