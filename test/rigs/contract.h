/* What every class of units has to keep to, whatever it is: what its tables say is possible and
 * points at something. Each breach is a line of text; a sound class has none. */
#pragma once

#include <string.h>

#include "kit/describe/role.h"
#include "platform/machine/channels.h"
#include "platform/machine/machine.h"

typedef struct {
    const UnitClass *class;
    GPtrArray *complaints; /* of char * */
} Contract;

G_GNUC_PRINTF(2, 3)
static inline void contract_complain(const Contract *contract, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_ptr_array_add(contract->complaints, g_strdup_printf("%s: %s", contract->class->name, text));
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A row of any table. */
typedef struct {
    const char *name, *summary;
    size_t offset, size;
} ContractRow;

static inline size_t contract_param_size(ParamType type)
{
    if (param_is_quantity(type)) return sizeof(uint64_t);
    switch (type) {
    case PARAM_RATIO: return sizeof(double);
    case PARAM_BOOL: return sizeof(bool);
    case PARAM_CHOICE: return sizeof(uint32_t);
    default: return sizeof(char *);
    }
}

static inline size_t contract_port_size(PortKind kind)
{
    static const size_t sizes[] = {[PORT_IN] = sizeof(Port),
                                   [PORT_OUT] = sizeof(Channel),
                                   [PORT_IN_ARRAY] = sizeof(PortArray),
                                   [PORT_OUT_ARRAY] = sizeof(ChannelArray)};
    return sizes[kind];
}

static inline size_t contract_resource_size(ResourceKind kind)
{
    static const size_t sizes[] = {[RESOURCE_SERVER] = sizeof(Server),
                                   [RESOURCE_SERVERS] = sizeof(ServerArray),
                                   [RESOURCE_PLACE] = sizeof(Level),
                                   [RESOURCE_PLACES] = sizeof(LevelArray)};
    return sizes[kind];
}

/* All rows that have a field of their own: of resources, those that are no statistic as well. */
static inline GArray *contract_rows(const UnitClass *class)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ContractRow));
    for (const Param *p = class->params; p && p->name; p++)
        g_array_append_val(
            rows, ((ContractRow){p->name, p->summary, p->offset, contract_param_size(p->type)}));
    for (const Stat *s = class->stats; s && s->name; s++)
        g_array_append_val(rows,
                           ((ContractRow){s->name, s->summary, s->offset, stat_size(s->type)}));
    for (const PortRow *p = class->ports; p && p->name; p++)
        g_array_append_val(
            rows, ((ContractRow){p->name, p->summary, p->offset, contract_port_size(p->kind)}));
    for (const ResourceRow *r = class->resources; r && r->name; r++) {
        const Stat *stat = stat_with_role(class->stats, ROLE(name), r->name);
        if (!stat || stat->offset != r->offset)
            g_array_append_val(rows, ((ContractRow){r->name, r->summary, r->offset,
                                                    contract_resource_size(r->kind)}));
    }
    return rows;
}

static inline bool contract_is_line(const char *text)
{
    return text && *text && !strchr(text, '\n');
}

static inline bool contract_overlap(const ContractRow *a, const ContractRow *b)
{
    return a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

static inline void contract_check_rows(const Contract *contract)
{
    g_autoptr(GArray) rows = contract_rows(contract->class);
    for (guint i = 0; i < rows->len; i++) {
        const ContractRow *a = &g_array_index(rows, ContractRow, i);
        if (!contract_is_line(a->summary))
            contract_complain(contract, "%s says nothing in one line", a->name);
        if (a->offset < sizeof(Unit) || a->offset + a->size > contract->class->size)
            contract_complain(contract, "%s is no field of its struct", a->name);
        for (guint k = 0; k < i; k++) {
            const ContractRow *b = &g_array_index(rows, ContractRow, k);
            if (!strcmp(a->name, b->name))
                contract_complain(contract, "%s has two rows", a->name);
            else if (contract_overlap(a, b))
                contract_complain(contract, "%s and %s are one field", b->name, a->name);
        }
    }
}

/* --- parameters ------------------------------------------------------------------------------- */

/* NULL: the parameter can have this value; else what it says. */
static inline char *contract_refusal(const Param *param, const char *text)
{
    union {
        uint64_t quantity;
        double ratio;
        char *text;
    } object = {0};
    g_autoptr(GError) error = NULL;
    Param row = *param;
    row.offset = 0;
    const bool taken = param_parse(&row, text, &object, &error);
    if (param->type == PARAM_TEXT) g_free(object.text);
    return taken ? NULL : g_strdup(error->message);
}

static inline const Param *contract_find_param(const Param *param, const char *name)
{
    while (param && param->name && strcmp(param->name, name)) param++;
    return param && param->name ? param : NULL;
}

/* "GROUP.KEY", or "KEY" of the class, or "OUTPUT.KEY" of the one behind it. */
static inline const Param *contract_find_key(const Contract *contract, const char *key)
{
    if (!strchr(key, '.')) return contract_find_param(contract->class->params, key);
    g_autofree char *name = machine_condition(contract->class->name, key);
    g_auto(GStrv) words = g_strsplit(name, ".", 2);
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        if (!strcmp((*group)->name, words[0]))
            return contract_find_param((*group)->params, words[1]);
    return NULL;
}

/* "KEY = VALUE" or "KEY != VALUE". */
static inline void contract_check_condition(const Contract *contract, const char *condition)
{
    if (!condition) return;
    g_auto(GStrv) words = g_strsplit(condition, " ", 3);
    const Param *param = contract_find_key(contract, words[0]);
    const bool compares =
        words[1] && words[2] && (!strcmp(words[1], "=") || !strcmp(words[1], "!="));
    g_autofree char *refusal =
        param && compares ? contract_refusal(param, words[2]) : g_strdup("cannot be asked");
    if (refusal) contract_complain(contract, "'%s': %s", condition, refusal);
}

static inline void contract_check_role(const Contract *contract, const Param *param,
                                       const PerfectRole *role)
{
    const char *value = role->value ? role->value : param->default_text;
    g_autofree char *refusal =
        contract_refusal(param, g_str_has_prefix(value, ">= ") ? value + 3 : value);
    if (refusal) contract_complain(contract, "%s in %s: %s", param->name, role->component, refusal);
    contract_check_condition(contract, role->only_if);
    contract_check_condition(contract, role->needs);
}

static inline void contract_check_param(const Contract *contract, const Param *param)
{
    g_autofree char *refusal = contract_refusal(param, param->default_text);
    if (refusal) contract_complain(contract, "%s: its default: %s", param->name, refusal);
    contract_check_condition(contract, param->only_if);
    for (const PerfectRole *role = param->perfect; role && role->component; role++)
        contract_check_role(contract, param, role);
}

/* --- statistics, resources and what else points at rows --------------------------------------- */

static inline void contract_check_stats(const Contract *contract)
{
    g_autoptr(GError) error = NULL;
    if (!stats_check(contract->class->stats, contract->class->params, &error))
        contract_complain(contract, "%s", error->message);
}

static inline const PortRow *contract_find_port(const UnitClass *class, const char *name, bool out)
{
    const PortRow *port = class_find_port(class, name);
    return port && (port->kind == PORT_OUT || port->kind == PORT_OUT_ARRAY) == out ? port : NULL;
}

static inline bool contract_is_resource(const UnitClass *class, const char *name)
{
    const ResourceRow *row = class->resources;
    while (row && row->name && strcmp(row->name, name)) row++;
    return row && row->name;
}

/* Names of outputs, or inputs, and resources, separated by spaces. */
static inline void contract_check_neighbours(const Contract *contract, const ResourceRow *row,
                                             const char *names, bool out)
{
    g_auto(GStrv) words = g_strsplit(names ? names : "", " ", -1);
    for (char **word = words; *word; word++)
        if (!strcmp(*word, row->name)
            || (!contract_is_resource(contract->class, *word)
                && !contract_find_port(contract->class, *word, out)))
            contract_complain(contract, "%s %s '%s', which is no other resource and no %s",
                              row->name, out ? "feeds" : "refuses", *word,
                              out ? "output" : "input");
}

/* "KEY" of the class, or "GROUP.KEY", where a * is either network. */
static inline bool contract_is_parameter(const UnitClass *class, const char *word)
{
    const char *point = strchr(word, '.');
    if (!point) return contract_find_param(class->params, word);
    g_autofree char *group_name = g_strndup(word, (gsize)(point - word));
    g_auto(GStrv) parts = g_strsplit(point + 1, "*", 2);
    g_autofree char *key = g_strjoinv("request", parts);
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        if (!strcmp((*group)->name, group_name) && contract_find_param((*group)->params, key))
            return true;
    return false;
}

static inline void contract_check_rate(const Contract *contract, const ResourceRow *row)
{
    g_auto(GStrv) words = g_strsplit(row->rests_on ? row->rests_on : "", " ", -1);
    for (char **word = words; *word; word++)
        if (!contract_is_parameter(contract->class, *word))
            contract_complain(contract, "%s rests on '%s', which is no parameter", row->name,
                              *word);
}

static inline void contract_check_work(const Contract *contract, const ResourceRow *row)
{
    g_auto(GStrv) words = g_strsplit(row->work ? row->work : "", " ", -1);
    StatType type = STAT_COUNT;
    for (char **word = words; *word; word++) {
        const Stat *stat = stat_with_role(contract->class->stats, ROLE(name), *word);
        if (!stat || (stat->type != STAT_COUNT && stat->type != STAT_BYTES)
            || (word != words && stat->type != type))
            contract_complain(contract, "%s: '%s' is no such count of its work", row->name, *word);
        if (stat) type = stat->type;
    }
}

static inline void contract_check_resource(const Contract *contract, const ResourceRow *row)
{
    const UnitClass *class = contract->class;
    const Stat *own = stat_with_role(class->stats, ROLE(name), row->name);
    contract_check_neighbours(contract, row, row->feeds, true);
    contract_check_neighbours(contract, row, row->refuses, false);
    if (own && own->offset == row->offset
        && (own->type != STAT_LEVEL || row->kind != RESOURCE_PLACE))
        contract_complain(contract, "%s is a statistic that is not an occupancy", row->name);
    if (row->capacity
        && (row->capacity < sizeof(Unit) || row->capacity + sizeof(uint64_t) > class->size
            || row->capacity % sizeof(uint64_t)))
        contract_complain(contract, "%s: its capacity is no field of its struct", row->name);
    const Stat *refusals =
        row->refusals ? stat_with_role(class->stats, ROLE(name), row->refusals) : NULL;
    if (row->refusals && (!refusals || refusals->type != STAT_COUNT))
        contract_complain(contract, "%s: '%s' is no count of refusals", row->name, row->refusals);
    if (!contract_is_line(row->unit))
        contract_complain(contract, "%s does not say of what", row->name);
    contract_check_rate(contract, row);
    contract_check_work(contract, row);
}

/* --- storage ---------------------------------------------------------------------------------- */

static inline bool contract_has_word(const char *words, const char *word)
{
    g_auto(GStrv) all = g_strsplit(words ? words : "", " ", -1);
    return g_strv_contains((const char *const *)all, word);
}

static inline bool contract_stores(const UnitClass *class, const char *place, bool input)
{
    for (const StorageRow *row = class->storage; row && row->name; row++)
        if (contract_has_word(input ? row->input : row->places, place)) return true;
    return false;
}

/* What can hold something says in which bits, or why in none. */
static inline void contract_check_place(const Contract *contract, const ResourceRow *row)
{
    const bool stored = contract_stores(contract->class, row->name, false);
    if (!resource_is_server(row) && !stored && !contract_is_line(row->bitless))
        contract_complain(contract, "%s does not say what its content is stored in", row->name);
    if (row->bitless && (stored || resource_is_server(row)))
        contract_complain(contract, "%s says why it needs no bits, and has some or is no place",
                          row->name);
}

/* So do inputs whose room is not reserved by who sends. */
static inline void contract_check_inputs(const Contract *contract, const ChannelRow *rows)
{
    for (const ChannelRow *row = rows; row->to; row++)
        if (!strcmp(row->to, contract->class->name) && row->capacity.name
            && !contract_stores(contract->class, row->input, true))
            contract_complain(contract, "%s does not say what waits in it is stored in",
                              row->input);
}

static inline void contract_check_storage(const Contract *contract, const StorageRow *row)
{
    const UnitClass *class = contract->class;
    g_auto(GStrv) places = g_strsplit(row->places ? row->places : "", " ", -1);
    if (!contract_is_line(row->summary) || !row->size)
        contract_complain(contract, "%s says nothing in one line, or has no size", row->name);
    if (contract_find_param(class->params, row->name)
        || stat_with_role(class->stats, ROLE(name), row->name)
        || contract_is_resource(class, row->name))
        contract_complain(contract, "%s has two rows", row->name);
    for (char **place = places; *place; place++)
        if (!contract_is_resource(class, *place))
            contract_complain(contract, "%s is of '%s', which is no resource", row->name, *place);
    if (row->input && !contract_find_port(class, row->input, false))
        contract_complain(contract, "%s is of '%s', which is no input", row->name, row->input);
}

static inline void contract_check_needs(const Contract *contract)
{
    const UnitClass *class = contract->class;
    for (const NeedRow *need = class->needs; need && need->name; need++) {
        const Param *param = contract_find_param(class->params, need->name);
        g_autofree char *refusal = param ? contract_refusal(param, need->free) : NULL;
        if (!param || param->type != PARAM_CHOICE || refusal)
            contract_complain(contract, "needs something for %s, which is no such choice",
                              need->name);
        if (!contract_find_port(class, need->output, true))
            contract_complain(contract, "needs something behind %s, which is no output",
                              need->output);
    }
    const DividedCache *divided = class->divided;
    if (divided
        && (!contract_find_param(class->params, divided->capacity)
            || !contract_find_param(class->params, divided->sets)
            || !contract_find_param(class->params, divided->ways)))
        contract_complain(contract, "is divided by parameters that it does not have");
}

/* --- channels --------------------------------------------------------------------------------- */

static inline bool contract_row_has(const ChannelRow *row, const UnitClass *class,
                                    const PortRow *port)
{
    return (row->from && !strcmp(row->from, class->name) && !strcmp(row->output, port->name))
           || (!strcmp(row->to, class->name) && !strcmp(row->input, port->name));
}

/* A unit that stands between two others and is in no row is in no machine. */
static inline void contract_check_channels(const Contract *contract, const ChannelRow *rows)
{
    for (const PortRow *port = contract->class->ports; port && port->name; port++) {
        const ChannelRow *row = rows;
        while (row->to && !contract_row_has(row, contract->class, port)) row++;
        if (!row->to) contract_complain(contract, "%s is in no row of channels", port->name);
    }
}

/* --- all -------------------------------------------------------------------------------------- */

static inline void contract_check_class(const Contract *contract)
{
    const UnitClass *class = contract->class;
    const char *lacks = unit_class_lacks(class);
    if (lacks) contract_complain(contract, "does not say %s", lacks);
    if (!contract_is_line(class->summary)) contract_complain(contract, "says nothing in one line");
    if (!class->params || !class->stats || !class->ports || !class->step)
        contract_complain(contract, "lacks a table or what it does");
    if (class->size < sizeof(Unit)) contract_complain(contract, "its struct holds no unit");
    const Param *enabled = contract_find_param(class->params, "enabled"); /* is looked for there */
    if (enabled && enabled != class->params)
        contract_complain(contract, "enabled is not its first parameter");
}

/* Newly allocated; `rows` is the table of channels. */
static inline GPtrArray *contract_complaints(const UnitClass *class, const ChannelRow *rows)
{
    const Contract contract = {class, g_ptr_array_new_with_free_func(g_free)};
    contract_check_class(&contract);
    contract_check_rows(&contract);
    for (const Param *p = class->params; p && p->name; p++) contract_check_param(&contract, p);
    contract_check_stats(&contract);
    for (const ResourceRow *r = class->resources; r && r->name; r++)
        contract_check_resource(&contract, r), contract_check_place(&contract, r);
    for (const StorageRow *s = class->storage; s && s->name; s++)
        contract_check_storage(&contract, s);
    contract_check_inputs(&contract, rows);
    contract_check_needs(&contract);
    contract_check_channels(&contract, rows);
    return contract.complaints;
}
