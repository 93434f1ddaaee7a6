#include "scenarios/program/verdict/kernels.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/result.h"

/* So many are named; the rest, and what has less of the time, are others. */
enum { NAMED = 5 };
static const double LEAST = 0.05;
/* What bounds kernels of so much of the time bounds all of them. */
static const double MOST = 0.5;

/* Kernels that the same thing bounds. */
typedef struct {
    const char *bound, *kernel; /* of the first; borrowed */
    guint kernels;
    double share;
} Alike;

static int by_share(gconstpointer a, gconstpointer b)
{
    const Alike *x = a, *y = b;
    return x->share < y->share ? 1 : x->share > y->share ? -1 : 0;
}

static void add_kernel(GArray *list, JsonNode *kernel)
{
    const char *bound = result_text(kernel, "bound");
    const double share = result_number(kernel, "time_share");
    if (!bound || !isfinite(share)) return;
    for (guint i = 0; i < list->len; i++) {
        Alike *alike = &g_array_index(list, Alike, i);
        if (strcmp(alike->bound, bound) != 0) continue;
        alike->share += share;
        alike->kernels++;
        return;
    }
    const Alike alike = {bound, result_text(kernel, "name"), 1, share};
    g_array_append_val(list, alike);
}

/* Of Alike, what has most of the time first. */
static GArray *read_kernels(JsonNode *result)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Alike));
    JsonArray *whole = result_array(result, "whole.kernel_names"),
              *names = whole ? whole : result_array(result, "kernel_names");
    for (guint i = 0; i < result_length(names); i++)
        add_kernel(list, json_array_get_element(names, i));
    g_array_sort(list, by_share);
    return list;
}

/* Of kernels of further names, of which only a sum is known. */
static double share_of_rest(JsonNode *result)
{
    const bool whole = result_member(result, "whole");
    const double share =
        result_number(result, whole ? "whole.others_share" : "kernel_rest.others.time_share");
    return isfinite(share) ? share : 0;
}

/* `rest` of the time is that of others. */
static bool is_common(const GArray *list, const char *bound, double rest)
{
    double all = rest, own = 0;
    for (guint i = 0; i < list->len; i++) {
        const Alike *alike = &g_array_index(list, Alike, i);
        all += alike->share;
        if (!strcmp(alike->bound, bound)) own = alike->share;
    }
    return list->len < 2 || own >= MOST * all;
}

static void say(GString *words, const Alike *alike, bool first)
{
    g_string_append_printf(words, "%s%s in %s", first ? "" : ", ", alike->bound, alike->kernel);
    if (alike->kernels > 1) g_string_append_printf(words, " and %u more", alike->kernels - 1);
    g_string_append_printf(words, " (%.0f %%%s)", alike->share * 100, first ? " of the time" : "");
}

static char *describe(const GArray *list, double rest)
{
    GString *words = g_string_new(NULL);
    double others = rest;
    for (guint i = 0; i < list->len; i++) {
        const Alike *alike = &g_array_index(list, Alike, i);
        if (i < NAMED && (i == 0 || alike->share >= LEAST))
            say(words, alike, i == 0);
        else
            others += alike->share;
    }
    if (others > 0) g_string_append_printf(words, ", others (%.0f %%)", others * 100);
    return g_string_free(words, FALSE);
}

void kernels_tell(JsonNode *result, Verdict *verdict)
{
    g_autoptr(GArray) list = read_kernels(result);
    const double rest = share_of_rest(result);
    if (is_common(list, verdict->bound, rest)) return;
    g_clear_pointer(&verdict->chain, g_free);
    g_free(verdict->sentence);
    g_free(verdict->bound);
    verdict->sentence = describe(list, rest);
    verdict->bound = g_strdup("unlike kernels");
    verdict->unlike = true;
    verdict->kernel = g_strdup(g_array_index(list, Alike, 0).kernel);
}
