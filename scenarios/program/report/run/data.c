#include "scenarios/program/report/run/data.h"

#include <math.h>

#include "kit/describe/role.h"
#include "platform/machine/machine.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/result/result.h"

JsonNode *data_element(JsonArray *array, guint index)
{
    return json_array_get_element(array, index);
}

const char *data_word(JsonNode *row, const char *name)
{
    const char *text = result_text(row, name);
    return text ? text : "?";
}

GList *data_names(JsonNode *node, const char *path)
{
    JsonNode *found = result_member(node, path);
    return found && JSON_NODE_HOLDS_OBJECT(found)
               ? json_object_get_members(json_node_get_object(found))
               : NULL;
}

JsonNode *data_child(JsonNode *node, const char *path, const char *name)
{
    return json_object_get_member(json_node_get_object(result_member(node, path)), name);
}

double data_core_cycles(JsonNode *result, double ns)
{
    return ns / result_core_cycle_ns(result);
}

const UnitClass *data_class(StatMeaning meaning)
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        if (stat_that_means((*unit)->stats, meaning)) return *unit;
    g_assert_not_reached();
}

char *data_unit_path(JsonNode *result, const char *unit_class, guint index)
{
    g_autofree char *member = g_strdup_printf("units.%s.instances", unit_class);
    JsonArray *units = result_array(result, member);
    const char *path =
        index < result_length(units) ? result_text(data_element(units, index), "path") : NULL;
    return path ? g_strdup(path) : g_strdup_printf("%u", index);
}

Figure *data_figure(const UnitClass *unit, const Stat *stat, const char *other)
{
    const char *topic = stat->figure ? stat->figure : stat->name;
    if (figure_topic(topic)) return figure_new(topic, NULL);
    g_autofree char *name = g_strdup_printf("%s.%s", unit->name, stat->name);
    return figure_new(other, name);
}

double data_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* --- stages ----------------------------------------------------------------------------------- */

double stage_of(const StageColumns *columns, JsonNode *row, Stage stage)
{
    JsonNode *stages = columns->member ? result_member(row, columns->member) : row;
    const double time = stages ? result_number(stages, stage_name(stage)) : NAN;
    return isfinite(time) ? time : 0;
}

void stage_columns_count(StageColumns *columns, JsonNode *row)
{
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (stage_of(columns, row, (Stage)stage) > 0) columns->any[stage] = TRUE;
}

Stage stage_longest(JsonNode *row)
{
    const StageColumns columns = {.member = "stages"};
    Stage longest = STAGE_COUNT;
    double most = 0;
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        const double time = stage_of(&columns, row, (Stage)stage);
        if (!(time > most)) continue;
        most = time;
        longest = (Stage)stage;
    }
    return longest;
}

/* --- addresses -------------------------------------------------------------------------------- */

static gboolean read_address(JsonNode *row, const char *name, guint64 *address)
{
    const char *text = result_text(row, name);
    const double number = text ? 0 : result_number(row, name);
    if (!(number >= 0 && number < 0x1p64)) return FALSE;
    *address = text ? g_ascii_strtoull(text, NULL, 0) : (guint64)number;
    return TRUE;
}

char *data_address(JsonNode *row, const char *name)
{
    guint64 address;
    if (!read_address(row, name, &address)) return NULL;
    return g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address);
}

char *data_place(JsonNode *result, JsonNode *row)
{
    guint64 address, first;
    JsonArray *arrays = result_array(result, "profile.arrays");
    if (!read_address(row, "address", &address)) return NULL;
    for (guint i = 0; i < result_length(arrays); i++) {
        JsonNode *array = data_element(arrays, i);
        const char *name = result_text(array, "name");
        if (!name || !*name || !read_address(array, "address", &first)) continue;
        if (address >= first && (double)(address - first) < result_number(array, "size"))
            return g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", name, address - first);
    }
    return data_address(row, "address");
}
