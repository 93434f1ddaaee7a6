/* An answer in words: the conclusion first, then, if it is asked for, everything that was tried. */
#include <math.h>
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/launches.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/why/why.h"

static guint length_of(JsonNode *node, const char *member)
{
    return result_length(result_array(node, member));
}

/* --- pieces ----------------------------------------------------------------------------------- */

char *why_together(JsonNode *layer)
{
    JsonArray *names = result_array(layer, "together.perfect");
    const guint count = result_length(names);
    if (!count) return NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < count; i++) {
        if (i) g_string_append(text, i + 1 < count ? ", " : " and ");
        g_string_append(text, json_array_get_string_element(names, i));
    }
    g_string_append_printf(text, " together %.1f %%", 100 * result_number(layer, "together.gain"));
    return g_string_free(text, FALSE);
}

/* What is one behind the other gains much more together than its best part. */
static bool is_held_up(JsonNode *layer)
{
    return result_number(layer, "together.gain")
           > LAYER_HELD_UP * result_number(layer, "bound.gain");
}

char *why_sentence(JsonNode *why)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < length_of(why, "layers"); i++) {
        JsonNode *layer = json_array_get_element(result_array(why, "layers"), i);
        const char *name = result_text(layer, "bound.perfect");
        g_autofree char *together = why_together(layer);
        if (!name) continue;
        if (i) g_string_append(text, ", then ");
        if (is_held_up(layer))
            g_string_append_printf(text, "%s (%s", together, name);
        else
            g_string_append(text, name);
        g_string_append_printf(text, " %.1f %%", 100 * result_number(layer, "bound.gain"));
        if (is_held_up(layer))
            g_string_append_c(text, ')');
        else if (together)
            g_string_append_printf(text, " (%s)", together);
    }
    return g_string_free(text, !text->len);
}

char *why_part(JsonNode *layer)
{
    const char *title = result_text(layer, "bound.title");
    if (!title) return NULL;
    return g_strdup_printf("%s (%s), %.0f %% %s", title, result_text(layer, "bound.resource"),
                           100 * result_number(layer, "bound.strain"),
                           result_flag(layer, "bound.server", false) ? "busy" : "full");
}

static JsonNode *first_of(JsonNode *layer, const char *member)
{
    return length_of(layer, member) ? json_array_get_element(result_array(layer, member), 0) : NULL;
}

static int by_gain(const void *a, const void *b)
{
    const double x = result_number(*(JsonNode *const *)a, "gain"),
                 y = result_number(*(JsonNode *const *)b, "gain");
    return (x < y) - (x > y);
}

/* Those that gain enough, borrowed nodes, the greatest gain first: the best doubling, the best of
 * other designs, and all that is full together twice as large or fast. Returns how many. */
enum { WHY_STEPS = 3 };

static guint find_steps(JsonNode *layer, JsonNode *steps[WHY_STEPS])
{
    JsonNode *const best[WHY_STEPS] = {first_of(layer, "doublings"), first_of(layer, "choices"),
                                       result_member(layer, "together.twice")};
    guint count = 0;
    for (guint i = 0; i < WHY_STEPS; i++)
        if (best[i] && result_number(best[i], "gain") >= LAYER_LEAST_GAIN) steps[count++] = best[i];
    qsort(steps, count, sizeof *steps, by_gain);
    return count;
}

JsonNode *why_best_step(JsonNode *layer)
{
    JsonNode *steps[WHY_STEPS];
    return find_steps(layer, steps) ? steps[0] : NULL;
}

char *why_step_words(JsonNode *step)
{
    const char *parameter = result_text(step, "parameter");
    if (!parameter) return g_strdup("what is full, twice as large or fast,");
    return g_strdup_printf("%s %s -> %s", parameter, result_text(step, "from"),
                           result_text(step, "to"));
}

char *why_sets(JsonNode *node, const char *member)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < length_of(node, member); i++) {
        g_autofree char *word =
            text_shell_word(json_array_get_string_element(result_array(node, member), i));
        g_string_append_printf(text, " --set %s", word);
    }
    return g_string_free(text, FALSE);
}

/* --- the conclusion --------------------------------------------------------------------------- */

/* "18.2", "6,931" */
static char *short_number(double number)
{
    return fabs(number) < 999.5 ? g_strdup_printf("%.3g", number) : text_grouped(number, 0);
}

/* ", 18.2 % a mm2" */
static void print_gain(const char *before, double gain, const char *of, FILE *out)
{
    g_autofree char *percent = short_number(100 * gain);
    fprintf(out, "%s %s %% a %s", before, percent, of);
}

/* "     for 0.56 mm2 of SRAM and 3.1 W: 18 % a mm2, 3.2 % a W" */
static void print_price(JsonNode *step, FILE *out)
{
    const double mm2 = result_number(step, "more_mm2"), w = result_number(step, "more_w"),
                 a_mm2 = result_number(step, "gain_a_mm2"), a_w = result_number(step, "gain_a_w");
    if (!isfinite(mm2) || !isfinite(w)) return;
    g_autofree char *more_mm2 = short_number(mm2), *more_w = short_number(w);
    fprintf(out, "     for %s mm2 of SRAM and %s W", more_mm2, more_w);
    if (isfinite(a_mm2)) print_gain(":", a_mm2, "mm2", out);
    if (isfinite(a_w)) print_gain(isfinite(a_mm2) ? "," : ":", a_w, "W", out);
    fprintf(out, "\n");
}

static void print_steps(JsonNode *layer, FILE *out)
{
    JsonNode *steps[WHY_STEPS];
    const guint count = find_steps(layer, steps);
    for (guint i = 0; i < count; i++) {
        g_autofree char *words = why_step_words(steps[i]), *sets = why_sets(steps[i], "set");
        fprintf(out, "     %s gains %.1f %%:%s\n", words, 100 * result_number(steps[i], "gain"),
                sets);
        print_price(steps[i], out);
    }
    if (!count && length_of(layer, "doublings"))
        fprintf(out, "     no single part of it, twice as large or fast, gains 1 %%\n");
}

static void print_beside(JsonNode *layer, FILE *out)
{
    for (guint i = 0; i < length_of(layer, "bound.beside"); i++) {
        JsonNode *other = json_array_get_element(result_array(layer, "bound.beside"), i);
        fprintf(out, "%s %s %.1f %%", i ? "," : "     also:", result_text(other, "perfect"),
                100 * result_number(other, "gain"));
    }
    if (length_of(layer, "bound.beside")) fprintf(out, "\n");
}

static const char *by_whom(JsonNode *layer)
{
    return length_of(layer, "together.perfect") > 2 ? "each is held up by the others"
                                                    : "each is held up by the other";
}

/* Together first, where that is the answer. */
static void print_bound(JsonNode *layer, FILE *out)
{
    const bool held_up = is_held_up(layer);
    g_autofree char *together = why_together(layer), *part = why_part(layer);
    if (held_up) fprintf(out, "%s: %s\n     ", together, by_whom(layer));
    fprintf(out, "%s%s %.1f %%%s%s\n", result_text(layer, "bound.perfect"), held_up ? " alone" : "",
            100 * result_number(layer, "bound.gain"), part ? ": " : "", part ? part : "");
    if (together && !held_up) fprintf(out, "     %s: %s\n", together, by_whom(layer));
}

static void print_layer(JsonNode *layer, guint number, FILE *out)
{
    const char *rests = result_text(layer, "bound.rests");
    fprintf(out, "  %u. %s", number, number > 1 ? "then " : "");
    if (!result_text(layer, "bound.perfect")) {
        fprintf(out, "nothing%s: no perfect component by itself gains 1 %%\n",
                length_of(layer, "not_tried") ? " of what was tried" : "");
        return;
    }
    print_bound(layer, out);
    if (rests) fprintf(out, "     %s\n", rests);
    print_steps(layer, out);
    print_beside(layer, out);
}

/* More names than that are for who asks for details. */
enum { NAMES = 6 };

static void print_not_tried(JsonNode *layer, guint number, bool details, FILE *out)
{
    const guint count = length_of(layer, "not_tried"), shown = details ? count : MIN(count, NAMES);
    if (!count) return;
    fprintf(out, "  Not tried in layer %u:", number);
    for (guint i = 0; i < shown; i++)
        fprintf(out, "%s %s", i ? "," : "",
                json_array_get_string_element(result_array(layer, "not_tried"), i));
    if (shown < count) fprintf(out, " and %u more", count - shown);
    fprintf(out, ".\n");
}

static void print_end(JsonNode *why, bool details, FILE *out)
{
    const char *end = result_text(why, "end");
    if (!g_strcmp0(end, "runs"))
        fprintf(out, "  The limit of %.0f runs ended it (--runs).\n", result_number(why, "runs"));
    else if (!g_strcmp0(end, "time"))
        fprintf(out, "  The time limit ended it; asked again, it goes on from here.\n");
    else if (!g_strcmp0(end, "interrupted"))
        fprintf(out, "  Interrupted; asked again, it goes on from here.\n");
    for (guint i = 0; i < length_of(why, "layers"); i++)
        print_not_tried(json_array_get_element(result_array(why, "layers"), i), i + 1, details,
                        out);
}

/* --- what was tried --------------------------------------------------------------------------- */

/* What is less is named in a line. */
static const double SHOWN = 0.001;

static void add_number(Table *table, double number, const char *unit)
{
    g_autofree char *words = short_number(number);
    if (isfinite(number))
        table_cell(table, "%s%s", words, unit);
    else
        table_cell(table, "-");
}

/* More of SRAM and power, and the gain for each of it. */
static void add_prices(Table *table, JsonNode *tried)
{
    add_number(table, result_number(tried, "more_mm2"), "");
    add_number(table, 100 * result_number(tried, "gain_a_mm2"), " %");
    add_number(table, result_number(tried, "more_w"), "");
    add_number(table, 100 * result_number(tried, "gain_a_w"), " %");
}

static void add_row(Table *table, JsonNode *tried, const char *name)
{
    g_autofree char *time = text_time(result_number(tried, "time_ns"));
    const double gain = result_number(tried, "gain");
    table_row(table);
    table_cell(table, "%s", name);
    table_cell(table, "%s", time);
    table_cell(table, "%.1f %%", 100 * gain);
    if (result_text(tried, "parameter")) add_prices(table, tried);
    g_autofree char *bar = text_bar(CLAMP(gain, 0, 1), 30);
    table_note(table, "%s", gain < 0 ? "worse" : bar);
}

static char *tried_name(JsonNode *tried)
{
    const bool step = result_text(tried, "parameter");
    return step ? why_step_words(tried) : g_strdup(result_text(tried, "perfect"));
}

static void print_tried(JsonNode *layer, const char *member, const char *title, FILE *out)
{
    g_autoptr(Table) table = table_new();
    g_autoptr(GString) idle = g_string_new(NULL);
    static const char *const prices[] = {"mm2", "a mm2", "W", "a W"};
    const bool priced = strcmp(member, "perfect") != 0;
    const guint count = length_of(layer, member);
    if (!count) return;
    table_row(table);
    table_cell(table, "%s", title);
    table_cell(table, "time");
    table_cell(table, "gain");
    for (guint i = 0; priced && i < G_N_ELEMENTS(prices); i++) table_cell(table, "%s", prices[i]);
    for (guint i = 0; i < count; i++) {
        JsonNode *tried = json_array_get_element(result_array(layer, member), i);
        g_autofree char *name = tried_name(tried);
        const double gain = result_number(tried, "gain");
        if (fabs(gain) >= SHOWN)
            add_row(table, tried, name);
        else if (isfinite(gain))
            text_append_name(idle, name);
        else
            fprintf(out, "  %s: not done: %s\n", name, result_text(tried, "problem"));
    }
    table_print(table, out);
    if (idle->len) fprintf(out, "  Less than 0.1 %%: %s.\n", idle->str);
    fprintf(out, "\n");
}

static void print_details(JsonNode *layer, guint number, FILE *out)
{
    const char *chain = result_text(layer, "chain");
    g_autofree char *time = text_time(result_number(layer, "time_ns"));
    g_autofree char *sets = why_sets(layer, "set"), *together = why_together(layer),
                    *together_sets = why_sets(layer, "together.set");
    fprintf(out, "\nLayer %u: %s%s%s\n", number, time, *sets ? " with" : "", sets);
    fprintf(out, "  verdict: %s\n", result_text(layer, "verdict"));
    if (chain) fprintf(out, "  pressure: %s\n", chain);
    fprintf(out, "\n");
    print_tried(layer, "perfect", "perfect", out);
    if (together) fprintf(out, "  %s:%s\n\n", together, together_sets);
    print_tried(layer, "doublings", "twice as large or fast", out);
    print_tried(layer, "choices", "another design", out);
}

/* ---------------------------------------------------------------------------------------------- */

void why_print(JsonNode *why, const WhyPrint *print, FILE *out)
{
    const guint layers = length_of(why, "layers");
    JsonNode *first = layers ? json_array_get_element(result_array(why, "layers"), 0) : NULL;
    g_autofree char *time =
        first ? text_time(result_number(first, "time_ns")) : g_strdup("no run is done");
    const bool latency = first && result_flag(first, "latency", false);
    fprintf(out, "%s, %s: %s%s\n", result_text(why, "scenario"), result_text(why, "variant"), time,
            latency ? ", mean latency of the traffic" : "");
    launches_print_chosen(why, out);
    for (guint i = 0; i < layers; i++)
        print_layer(json_array_get_element(result_array(why, "layers"), i), i + 1, out);
    if (layers)
        fprintf(
            out,
            "\n  At most so much of the %s is gone when the part is perfect, those above it perfect\n"
            "  already. %.0f runs%s%s%s\n",
            latency ? "latency" : "time", result_number(why, "runs"),
            print->details ? "" : "; all of them: warpmem why ", print->details ? "" : print->words,
            print->details ? "." : " --details");
    print_end(why, print->details, out);
    for (guint i = 0; print->details && i < layers; i++)
        print_details(json_array_get_element(result_array(why, "layers"), i), i + 1, out);
}
