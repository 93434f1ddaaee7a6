#include "scenarios/program/say/facts.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* --- to JSON ---------------------------------------------------------------------------------- */

static void put_fact(const char *name, double value, const char *unit, void *user)
{
    JsonBuilder *json = user;
    json_builder_begin_object(json);
    json_put_text(json, "name", name);
    json_put_real(json, "value", value);
    json_put_text(json, "unit", unit);
    json_builder_end_object(json);
}

JsonNode *facts_json(const Machine *machine)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    machine_visit_facts(machine, put_fact, json);
    json_builder_end_array(json);
    return json_builder_get_root(json);
}

/* --- to text ---------------------------------------------------------------------------------- */

/* Bytes in the unit that leaves a number below 1024. */
static char *describe_bytes(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    guint step = 0;
    for (; bytes >= 1024 && step + 1 < G_N_ELEMENTS(units); step++) bytes /= 1024;
    return g_strdup_printf("%.4g %s", bytes, units[step]);
}

char *facts_value(double value, const char *unit)
{
    if (!strcmp(unit, "B")) return describe_bytes(value);
    const int decimals = *unit && value < 100 ? 1 : 0;
    return g_strdup_printf("%.*f%s%s", decimals, value, *unit ? " " : "", unit);
}

static JsonArray *array_of(JsonNode *facts)
{
    return facts && JSON_NODE_HOLDS_ARRAY(facts) ? json_node_get_array(facts) : NULL;
}

static char *value_of(JsonNode *fact)
{
    const char *unit = result_text(fact, "unit");
    return facts_value(result_number(fact, "value"), unit ? unit : "");
}

char *facts_line(JsonNode *facts)
{
    JsonArray *array = array_of(facts);
    GString *line = g_string_new(NULL);
    for (guint i = 0; i < result_length(array); i++) {
        JsonNode *fact = json_array_get_element(array, i);
        g_autofree char *value = value_of(fact);
        g_string_append_printf(line, "%s%s %s", i ? ", " : "", result_text(fact, "name"), value);
    }
    return g_string_free(line, FALSE);
}

char *facts_find(JsonNode *result, const char *name)
{
    JsonArray *array = array_of(result_member(result, "machine"));
    for (guint i = 0; i < result_length(array); i++) {
        JsonNode *fact = json_array_get_element(array, i);
        if (!g_strcmp0(result_text(fact, "name"), name)) return value_of(fact);
    }
    return NULL;
}

GStrv facts_names(JsonNode *result)
{
    JsonArray *array = array_of(result_member(result, "machine"));
    const guint length = result_length(array);
    GStrv names = g_new0(char *, length + 1);
    for (guint i = 0, count = 0; i < length; i++) {
        const char *name = result_text(json_array_get_element(array, i), "name");
        if (name) names[count++] = g_strdup(name);
    }
    return names;
}
