#include "scenarios/program/origin/rests_on.h"

#include <stdbool.h>
#include <string.h>

#include "kit/engine/wiring.h"
#include "scenarios/program/language/house_words.h"
#include "scenarios/program/origin/place.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/verdict.h"

/* --- names ------------------------------------------------------------------------------------ */

/* "request" of "crossbar[request].links", newly allocated; empty for other resources. */
static char *network_of(const Pressure *pressure)
{
    const char *network = strchr(pressure->name, '[');
    return network ? g_strndup(network + 1, strcspn(network + 1, "]")) : g_strdup("");
}

/* Words of a row are of its own class if they name no other group. */
static void add_words(GPtrArray *names, const Pressure *pressure, const char *text)
{
    g_autofree char *network = network_of(pressure);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word; word++) {
        g_auto(GStrv) parts = g_strsplit(*word, "*", 2);
        g_autofree char *own = g_strjoinv(network, parts);
        g_ptr_array_add(names, strchr(own, '.')
                                   ? g_steal_pointer(&own)
                                   : g_strdup_printf("%s.%s", pressure->class->name, own));
    }
}

/* "machine.l2_clock" */
static char *clock_parameter(const Pressure *pressure)
{
    g_autofree char *clock = g_ascii_strdown(unit_clock_name(pressure->class->clock), -1);
    return g_strconcat("machine.", g_strdelimit(clock, " ", '_'), NULL);
}

GPtrArray *rests_on_names(const Pressure *pressure)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const ResourceRow *row = pressure->row;
    const char *channel = pressure->channel ? pressure->channel->capacity.name : NULL;
    const Param *capacity = row ? class_find_capacity(pressure->class, row) : NULL;
    if (row && row->rests_on)
        add_words(names, pressure, row->rests_on);
    else if (capacity)
        add_words(names, pressure, capacity->name);
    else if (channel)
        add_words(names, pressure, channel);
    if (pressure->server) g_ptr_array_add(names, clock_parameter(pressure));
    return names;
}

/* --- what is not known ------------------------------------------------------------------------ */

static const char *member(JsonNode *result, const char *part, const char *name)
{
    g_autofree char *path = g_strconcat(part, ".", name, NULL);
    return result_text(result, path);
}

/* "v100" of "platform/presets/v100.ini:19", newly allocated. */
static char *file_word(const char *origin)
{
    g_autofree char *file = g_path_get_basename(origin);
    return g_strndup(file, strcspn(file, ".:"));
}

/* Who could have stated it: the preset that names the machine, or the scenario. */
static char *describe_machine(JsonNode *result)
{
    const char *origin = member(result, "origins", "machine.name");
    return origin && g_str_has_prefix(origin, "platform/") ? file_word(origin)
                                                           : g_strdup("the scenario");
}

static void unknown_clear(gpointer data)
{
    Unknown *unknown = data;
    g_free(unknown->value);
    g_free(unknown->whose);
}

/* A platform of the user's has links of its own. */
static bool is_overruled(JsonNode *result, const char *name)
{
    const char *platform = member(result, "parameters", "network.platform");
    return platform && *platform && g_str_has_prefix(name, "network.")
           && (g_str_has_suffix(name, "_bandwidth") || g_str_has_suffix(name, "_latency"));
}

/* Two ends may rest on the same. */
static bool has_value(const GArray *list, const char *value)
{
    for (guint i = 0; i < list->len; i++)
        if (!strcmp(g_array_index(list, Unknown, i).value, value)) return true;
    return false;
}

static void add_unknown(GArray *list, JsonNode *result, const char *name)
{
    const char *origin = member(result, "origins", name),
               *value = member(result, "parameters", name);
    if (!origin || !value || is_overruled(result, name)) return;
    const bool defaulted = !strcmp(origin, "default");
    if (!defaulted && !g_str_has_suffix(origin, PLACE_ASSUMED)) return;
    g_autofree char *text = g_strdup_printf("%s = %s", name, value);
    if (has_value(list, text)) return;
    const Unknown unknown = {.value = g_steal_pointer(&text),
                             .what = defaulted ? "a default" : "assumed",
                             .whose = defaulted ? describe_machine(result) : file_word(origin)};
    g_array_append_val(list, unknown);
}

GArray *rests_on_unknown(JsonNode *result, const Verdict *verdict)
{
    GArray *unknown = g_array_new(FALSE, FALSE, sizeof(Unknown));
    g_array_set_clear_func(unknown, unknown_clear);
    g_autoptr(GPtrArray) list = pressure_list(result);
    for (guint i = 0; i < list->len && !verdict->unlike; i++) {
        const Pressure *pressure = list->pdata[i];
        if (!g_strv_contains((const char *const *)verdict->ends, pressure->name)) continue;
        g_autoptr(GPtrArray) names = rests_on_names(pressure);
        for (guint k = 0; k < names->len; k++) add_unknown(unknown, result, names->pdata[k]);
    }
    return unknown;
}

char *rests_on_sentence(JsonNode *result, const Verdict *verdict)
{
    g_autoptr(GArray) list = rests_on_unknown(result, verdict);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < list->len; i++) {
        const Unknown *unknown = &g_array_index(list, Unknown, i);
        const bool assumed = !strcmp(unknown->what, "assumed");
        g_string_append_printf(text, "%s%s, %s %s%s", i ? "; " : "rests on ", unknown->value,
                               assumed ? "which" : "a default that", unknown->whose,
                               assumed ? " calls assumed" : " does not state");
    }
    return g_string_free(text, !text->len);
}
