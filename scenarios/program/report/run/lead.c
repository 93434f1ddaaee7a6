/* The sentences that stand first: what bound the run, by how much, what next. */
#include <math.h>
#include <string.h>

#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/report/run/advice.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/result/verdict.h"
#include "scenarios/program/say/table.h"

static int compare_use(gconstpointer a, gconstpointer b)
{
    const Resource *x = a, *y = b;
    return x->utilisation < y->utilisation ? 1 : x->utilisation > y->utilisation ? -1 : 0;
}

/* Of Resource: what the result knows of, the busiest first. */
static GArray *busiest(JsonNode *result)
{
    GArray *resources = verdict_resources(result);
    for (guint i = resources->len; i-- > 0;)
        if (!isfinite(g_array_index(resources, Resource, i).utilisation))
            g_array_remove_index(resources, i);
    g_array_sort(resources, compare_use);
    return resources;
}

enum { RUNNERS_UP = 3 };

/* What is less busy is idle. */
#define WORTH_NAMING 0.01

/* "DRAM bus 91 %, request network 47 %, ..." */
static char *next_ones(JsonNode *result, const char *bound)
{
    g_autoptr(GArray) resources = busiest(result);
    GString *text = g_string_new(NULL);
    guint named = 0;
    for (guint i = 0; i < resources->len && named < RUNNERS_UP; i++) {
        const Resource *resource = &g_array_index(resources, Resource, i);
        if (!strcmp(resource->name, bound) || resource->utilisation < WORTH_NAMING) continue;
        g_string_append_printf(text, "%s%s %.0f %%", named++ ? ", " : "", resource->name,
                               resource->utilisation * 100);
    }
    return g_string_free(text, FALSE);
}

/* The shipped scenario of that title as a shell's word, or SCENARIO. */
static char *scenario_word(const char *title)
{
    g_autofree char *directory = catalogue_scenario_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    for (char **name = names; *name; name++) {
        g_autofree char *own = catalogue_title(directory, *name);
        if (!g_strcmp0(own, title)) return text_shell_word(*name);
    }
    return g_strdup("SCENARIO");
}

/* Plans a study of what each component costs the run at most. */
static char *perfect_command(JsonNode *result)
{
    const char *variant = result_text(result, "variant");
    g_autofree char *scenario = scenario_word(result_text(result, "scenario"));
    g_autofree char *set = g_strdup_printf("study.variant=%s", variant ? variant : "baseline");
    g_autofree char *word = text_shell_word(set);
    return g_strdup_printf("./run.sh study plan %s --design perfect -o perfect%s%s && ./run.sh "
                           "study run perfect && ./run.sh study perfect perfect",
                           scenario, g_strcmp0(variant, "baseline") ? " --set " : "",
                           g_strcmp0(variant, "baseline") ? word : "");
}

static void lead_next(Document *document, JsonNode *result)
{
    const char *component = verdict_component(result);
    if (!component) return;
    const char *sentence = advice_find(component);
    g_autofree char *command = perfect_command(result), *keys = advice_keys(component);
    g_autofree char *next =
        g_strdup_printf("%s%sVary %s.", sentence ? sentence : "", sentence ? " " : "", keys);
    g_autofree char *gain =
        g_strdup_printf("%s (row '%s': what perfect parts would gain at most)", command, component);
    document_lead(document, "Try next", next);
    document_lead(document, "How much it could gain", gain);
}

void run_lead(Document *document, JsonNode *result)
{
    char *sentence = NULL;
    g_autofree char *bound = verdict_bound(result, &sentence);
    g_autofree char *chain = verdict_chain(result);
    g_autofree char *others = next_ones(result, bound);
    g_autofree char *rest = rests_on_sentence(result);
    document_lead(document, "Bound by", sentence);
    g_free(sentence);
    if (rest) document_lead(document, "Not stated", rest);
    if (chain) document_lead(document, "Pressure comes along", chain);
    if (*others) document_lead(document, "Next in line", others);
    if (result_is_partial(result))
        document_lead(document, "Partial",
                      "the run was interrupted; all numbers are of the part that was simulated");
    lead_next(document, result);
}
