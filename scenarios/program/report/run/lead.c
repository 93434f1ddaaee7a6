/* The sentences that stand first: what bound the run, by how much, what next. */
#include <math.h>
#include <string.h>

#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/report/run/advice.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/again.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/verdict.h"
#include "scenarios/program/why/why.h"

static int compare_use(gconstpointer a, gconstpointer b)
{
    const Headline *x = a, *y = b;
    return x->utilisation < y->utilisation ? 1 : x->utilisation > y->utilisation ? -1 : 0;
}

/* Of Resource: what the result knows of, the busiest first. */
static GArray *busiest(JsonNode *result, const Verdict *verdict)
{
    GArray *resources = headlines_with(result, (const char *const *)verdict->ends);
    for (guint i = resources->len; i-- > 0;)
        if (!isfinite(g_array_index(resources, Headline, i).utilisation))
            g_array_remove_index(resources, i);
    g_array_sort(resources, compare_use);
    return resources;
}

enum { RUNNERS_UP = 3 };

/* What is less busy is idle. */
#define WORTH_NAMING 0.01

/* Or its network is. */
static bool is_the_bound(const Headline *resource, const Verdict *verdict)
{
    return g_str_has_prefix(verdict->bound, resource->name);
}

/* "DRAM bus 91 %, request network 47 %, ..." */
static char *next_ones(JsonNode *result, const Verdict *verdict)
{
    g_autoptr(GArray) resources = busiest(result, verdict);
    GString *text = g_string_new(NULL);
    guint named = 0;
    for (guint i = 0; i < resources->len && named < RUNNERS_UP; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (is_the_bound(resource, verdict) || resource->utilisation < WORTH_NAMING) continue;
        g_string_append_printf(text, "%s%s %.0f %%", named++ ? ", " : "", resource->name,
                               resource->utilisation * 100);
    }
    return g_string_free(text, FALSE);
}

/* What `why` has measured of the first layer: its best step, and the command that takes it. */
static char *measured_step(JsonNode *result)
{
    JsonNode *layers = result_member(result, "why.layers");
    JsonArray *list = layers ? json_node_get_array(layers) : NULL;
    JsonNode *best =
        list && json_array_get_length(list) ? why_best_step(json_array_get_element(list, 0)) : NULL;
    if (!best) return NULL;
    g_autofree char *step = why_step_words(best), *sets = why_sets(best, "set"),
                    *words = again_words(result, NULL);
    return g_strdup_printf("%s gains %.1f %%: warpmem run %s%s", step,
                           100 * result_number(best, "gain"), words, sets);
}

static void lead_measured(Document *document, JsonNode *result)
{
    g_autofree char *layers = why_sentence(result_member(result, "why"));
    g_autofree char *step = measured_step(result);
    document_lead(document, "Bounds in layers",
                  layers ? layers : "no perfect component by itself gains 1 %");
    if (step) document_lead(document, "Try next", step);
}

/* The resource that the verdict names first; NULL: it names none. */
static const Pressure *find_end(const GPtrArray *list, const Verdict *verdict)
{
    for (guint i = 0; verdict->ends && *verdict->ends && i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (!strcmp(pressure->name, *verdict->ends)) return pressure;
    }
    return NULL;
}

static char *next_step(const Verdict *verdict, const GPtrArray *list, JsonNode *result)
{
    const Pressure *end = verdict->unlike ? NULL : find_end(list, verdict);
    const char *own = advice_of(end);
    /* a part that is the longest of a latency is not full */
    if (!own && !strcmp(verdict->bound, "latency")) own = advice_find("occupancy");
    /* what no part of the machine removes is known by its name, whatever helps besides */
    if (!own && !end && (own = advice_find(verdict->bound))) return g_strdup(own);
    const char *sentence = own ? own : advice_find(verdict->component);
    g_autofree char *keys = advice_keys(verdict->component, end, result);
    if (!*keys) return g_strdup(sentence);
    return g_strdup_printf("%s%sVary %s.", sentence ? sentence : "", sentence ? " " : "", keys);
}

static void lead_next(Document *document, JsonNode *result, const Verdict *verdict,
                      const GPtrArray *list)
{
    g_autofree char *next = next_step(verdict, list, result),
                    *words = again_words(result, verdict->kernel);
    g_autofree char *command = words ? g_strdup_printf("warpmem why %s", words) : NULL;
    if (next) document_lead(document, "Try next", next);
    if (command) document_lead(document, "How much it gains", command);
}

static void lead_suspects(Document *document, JsonNode *result)
{
    g_autoptr(GArray) counters = result_counters(result, machine_unit_classes());
    for (guint i = 0; i < counters->len; i++) {
        const Counter *counter = &g_array_index(counters, Counter, i);
        if (!counter->stat->suspect) continue;
        g_autofree char *count = text_grouped(counter->sum, 0),
                        *text = g_strdup_printf("%s %s: %s", count, counter->stat->suspect,
                                                counter->stat->summary);
        document_lead(document, "Suspect", text);
    }
}

void run_lead(Document *document, JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(Verdict) verdict = verdict_new_with(result, list);
    g_autofree char *others = next_ones(result, verdict);
    g_autofree char *rest = rests_on_sentence(result, verdict);
    document_lead(document, "Bound by", verdict->sentence);
    if (rest) document_lead(document, "Not stated", rest);
    if (verdict->chain) document_lead(document, "Pressure comes along", verdict->chain);
    if (*others) document_lead(document, "Next in line", others);
    lead_suspects(document, result);
    if (result_is_partial(result))
        document_lead(document, "Partial",
                      "the run was interrupted; all numbers are of the part that was simulated");
    if (result_member(result, "why"))
        lead_measured(document, result);
    else
        lead_next(document, result, verdict, list);
}
