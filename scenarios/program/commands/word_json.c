#include "scenarios/program/commands/word_json.h"

#include <math.h>
#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/records/number.h"

/* What there is not has no member. */
static void put_if(JsonBuilder *json, const char *name, const char *text)
{
    if (text) json_put_text(json, name, text);
}

/* Words with `between` between them; NULL: none. */
static void put_list(JsonBuilder *json, const char *name, const char *words, const char *between)
{
    if (!words) return;
    g_auto(GStrv) list = g_strsplit(words, between, -1);
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
    for (char **word = list; *word; word++) json_builder_add_string_value(json, *word);
    json_builder_end_array(json);
}

/* Where result.json has it. */
static void put_path(JsonBuilder *json, const char *before, const char *name)
{
    g_autofree char *path = g_strconcat(before, name, NULL);
    json_put_text(json, "path", path);
}

/* --- parameters ------------------------------------------------------------------------------- */

static const char *type_name(ParamType type)
{
    switch (type) {
    case PARAM_COUNT: return "count";
    case PARAM_CYCLES: return "cycles";
    case PARAM_BYTES: return "bytes";
    case PARAM_TIME: return "time";
    case PARAM_FREQUENCY: return "frequency";
    case PARAM_BANDWIDTH: return "bandwidth";
    case PARAM_DURATION: return "duration";
    case PARAM_RATIO: return "ratio";
    case PARAM_BOOL: return "switch";
    case PARAM_CHOICE: return "choice";
    case PARAM_TEXT: return "text";
    }
    return "?";
}

static void put_amount(JsonBuilder *json, const char *name, double amount)
{
    if (amount == floor(amount) && fabs(amount) < 1e15)
        json_put_integer(json, name, (gint64)amount);
    else
        json_put_real(json, name, amount);
}

/* Numbers are in `unit`, as those of a study's dimensions are. */
static void put_range(JsonBuilder *json, const Param *param)
{
    const bool quantity = param_is_quantity(param->type);
    if (!quantity && param->type != PARAM_RATIO) return;
    double number;
    json_put_text(json, "unit", quantity ? number_unit(param->type) : "");
    put_amount(json, "minimum",
               quantity ? number_of_stored(param->type, fmax(param->minimum, 0)) : param->minimum);
    put_amount(json, "maximum",
               quantity ? number_of_stored(param->type, param->maximum) : param->maximum);
    if (number_read(param->default_text, &number, NULL)) put_amount(json, "default_number", number);
    g_autofree char *units = quantity ? quantity_list_units(param->type) : NULL;
    if (units && *units) put_list(json, "units", units, ", ");
}

static void put_choices(JsonBuilder *json, const Param *param)
{
    g_auto(GStrv) choices = param_others(param, "");
    if (!*choices) return;
    json_builder_set_member_name(json, "choices");
    json_builder_begin_array(json);
    for (char **choice = choices; *choice; choice++) json_builder_add_string_value(json, *choice);
    json_builder_end_array(json);
}

static void put_perfect(JsonBuilder *json, const Param *param)
{
    if (!param->perfect) return;
    json_builder_set_member_name(json, "perfect");
    json_builder_begin_array(json);
    for (const PerfectRole *role = param->perfect; role->component; role++) {
        json_builder_begin_object(json);
        json_put_text(json, "perfect", role->component);
        json_put_text(json, "value", role->value);
        put_if(json, "only_if", role->only_if);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_param(JsonBuilder *json, const Word *word)
{
    const Param *param = word->param;
    g_autofree char *key = word_key(word), *allowed = param_describe_range(param);
    g_autofree char *group = g_strndup(key, strcspn(key, "."));
    g_autofree char *only_if = param_qualify(group, param->only_if);
    json_put_text(json, "key", key);
    json_put_text(json, "type", type_name(param->type));
    json_put_text(json, "default", param->default_text);
    json_put_text(json, "allowed", allowed);
    put_range(json, param);
    put_choices(json, param);
    put_if(json, "only_if", only_if);
    put_perfect(json, param);
    if (param->doubling) json_put_text(json, "doubling", doubling_name(param->doubling));
    put_list(json, "relieves", param->relieves, " ");
}

/* --- units ------------------------------------------------------------------------------------ */

static void put_ports(JsonBuilder *json, const UnitClass *unit)
{
    json_builder_set_member_name(json, "ports");
    json_builder_begin_array(json);
    for (const PortRow *port = unit->ports; port && port->name; port++) {
        g_autofree char *ends = port_ends(unit, port);
        json_builder_begin_object(json);
        json_put_text(json, "name", port->name);
        json_put_text(json, "direction", port_direction(port->kind));
        put_list(json, "ends", *ends ? ends : NULL, ", ");
        json_put_text(json, "summary", port->summary);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_unit(JsonBuilder *json, const UnitClass *unit)
{
    g_autofree char *path = unit_path_pattern(unit);
    json_put_text(json, "per", unit_per_name(unit->per));
    json_put_text(json, "clock", unit_clock_name(unit->clock));
    json_put_text(json, "place", unit_place_name(unit->place));
    json_put_text(json, "path", path);
    put_ports(json, unit);
}

/* One with a capacity is a place that can be full, and has a resource in results. */
static void put_channel(JsonBuilder *json, const Word *word)
{
    const ChannelRow *row = word->channel;
    g_autofree char *end = channel_end(row), *others = channel_others(row);
    json_put_text(json, "to", end);
    json_put_text(json, "between", channel_mapping_name(row->mapping));
    put_if(json, "unless", *others ? others : NULL);
    put_if(json, "delay", row->delay.name);
    put_if(json, "credit", row->credit.name);
    if (!row->capacity.name) return;
    json_put_text(json, "kind", "place");
    json_put_text(json, "capacity", row->capacity.name);
    put_path(json, "resources.", word->name);
}

/* --- what results have ------------------------------------------------------------------------ */

static void put_resource(JsonBuilder *json, const Word *word)
{
    const ResourceRow *row = word->resource;
    g_autofree char *capacity = resource_capacity(word->unit, row);
    json_put_text(json, "kind", resource_is_server(row) ? "server" : "place");
    json_put_text(json, "capacity", capacity);
    json_put_text(json, "unit", row->unit);
    put_list(json, "refuses", row->refuses, " ");
    put_if(json, "refusals", row->refusals);
    put_list(json, "feeds", row->feeds, " ");
    put_list(json, "rests_on", row->rests_on, " ");
    put_list(json, "work", row->work, " ");
    put_if(json, "perfect", row->component);
    put_if(json, "headline", row->headline);
    put_path(json, "resources.", word->name);
}

static void put_storage(JsonBuilder *json, const Word *word)
{
    put_list(json, "places", word->storage->places, " ");
    put_if(json, "input", word->storage->input);
    put_path(json, "storage.units.", word->name);
}

static void put_stat(JsonBuilder *json, const Stat *stat)
{
    g_autofree char *roles = stat_describe_roles(stat);
    json_put_text(json, "kind", stat_type_name(stat->type));
    json_put_bool(json, "series", stat->over_time);
    put_if(json, "nsight", stat->nsight);
    put_if(json, "roles", *roles ? roles : NULL);
}

static void put_class(JsonBuilder *json, const Word *word)
{
    g_autofree char *counted = g_strdup_printf("%s.%s", word->unit->name, word->stat->name);
    json_put_text(json, "counted_by", counted);
    put_path(json, "stages.", word->name);
}

static void put_result(JsonBuilder *json, const ResultColumn *result)
{
    json_put_text(json, "unit", result->unit);
    json_put_text(json, "better", better_name(result->better));
    put_if(json, "path", result->path);
}

static void put_figure(JsonBuilder *json, const FigureTopic *figure)
{
    json_put_text(json, "title", figure->title);
    json_put_text(json, "unit", figure->unit);
    json_put_text(json, "read", figure->read);
}

static void put_known(JsonBuilder *json, const Word *word)
{
    switch (word->kind) {
    case WORD_UNIT: put_unit(json, word->unit); break;
    case WORD_GROUP: json_put_bool(json, "named", word->group->named); break;
    case WORD_PARAMETER: put_param(json, word); break;
    case WORD_STATISTIC: put_stat(json, word->stat); break;
    case WORD_CLASS: put_class(json, word); break;
    case WORD_RESULT: put_result(json, word->result); break;
    case WORD_FIGURE: put_figure(json, word->figure); break;
    case WORD_CHANNEL: put_channel(json, word); break;
    case WORD_STORAGE: put_storage(json, word); break;
    case WORD_RESOURCE: put_resource(json, word); break;
    case WORD_PATTERN:
    case WORD_STAGE:
    case WORD_PRESET:
    case WORD_PART:
    case WORD_SCENARIO: break;
    }
}

void word_add_json(JsonBuilder *json, const Word *word)
{
    json_builder_begin_object(json);
    json_put_text(json, "name", word->name);
    put_known(json, word);
    json_put_text(json, "summary", word->summary);
    json_builder_end_object(json);
}
