#include "kit/engine/wiring.h"

#include "kit/observe/region.h"

static uint32_t count_inputs(const Unit *unit)
{
    uint32_t count = 0;
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        if (row->kind == PORT_IN) count++;
        if (row->kind == PORT_IN_ARRAY)
            count += ((const PortArray *)(const void *)((const char *)unit + row->offset))->count;
    }
    return count;
}

const PortRow *class_find_port(const UnitClass *unit_class, const char *name)
{
    for (const PortRow *row = unit_class->ports; row->name; row++)
        if (g_str_equal(row->name, name)) return row;
    return NULL;
}

const Param *class_find_capacity(const UnitClass *unit_class, const ResourceRow *row)
{
    for (const Param *param = unit_class->params; row->capacity && param->name; param++)
        if (param->offset == row->capacity) return param;
    return NULL;
}

static const PortRow *find_row(const Unit *unit, const char *name)
{
    const PortRow *row = class_find_port(unit->class, name);
    if (!row) g_error("%s has no port '%s'", unit->path, name);
    return row;
}

void unit_size_ports(Unit *unit, const char *array, uint32_t count)
{
    const PortRow *row = find_row(unit, array);
    if (row->kind == PORT_IN_ARRAY) {
        PortArray *ports = (PortArray *)(void *)((char *)unit + row->offset);
        *ports =
            (PortArray){.at = g_aligned_alloc0(count, sizeof(Port), HOST_LINE), .count = count};
    } else {
        g_assert(row->kind == PORT_OUT_ARRAY);
        ChannelArray *channels = (ChannelArray *)(void *)((char *)unit + row->offset);
        *channels = (ChannelArray){g_aligned_alloc0(count, sizeof(Channel), HOST_LINE), count};
    }
}

static Channel *find_channel(Unit *unit, const char *name, uint32_t index)
{
    const PortRow *row = find_row(unit, name);
    void *field = (char *)unit + row->offset;
    if (row->kind == PORT_OUT) return field;
    g_assert(row->kind == PORT_OUT_ARRAY && index < ((ChannelArray *)field)->count);
    return &((ChannelArray *)field)->at[index];
}

void unit_number_ports(Unit *unit)
{
    if (unit->ports) return;
    const uint32_t inputs = count_inputs(unit);
    /* in one piece: of few ports both are a line of the host's cache, as all steps want both */
    unit->ports = g_aligned_alloc0(inputs + 1, sizeof(Port *) + sizeof *unit->fresh, HOST_LINE);
    unit->fresh = (uint16_t *)(void *)(unit->ports + inputs);
    inbox_make_room(&unit->inbox, inputs);
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)unit + row->offset;
        if (row->kind == PORT_IN) unit->ports[unit->port_count++] = field;
        if (row->kind != PORT_IN_ARRAY) continue;
        PortArray *array = field;
        array->first = unit->port_count;
        for (uint32_t i = 0; i < array->count; i++) unit->ports[unit->port_count++] = &array->at[i];
    }
}

static uint32_t find_port(Unit *unit, const char *name, uint32_t index)
{
    const PortRow *row = find_row(unit, name);
    void *field = (char *)unit + row->offset;
    Port *port = row->kind == PORT_IN ? field : &((PortArray *)field)->at[index];
    for (uint32_t i = 0; i < unit->port_count; i++)
        if (unit->ports[i] == port) return i;
    g_error("%s has no input '%s[%u]'", unit->path, name, index);
}

static uint32_t round_up_power(uint32_t value)
{
    uint32_t power = 1;
    while (power < value) power *= 2;
    return power;
}

/* Where there is a bound, as many slots as the receiver has places: each of them is free, taken or
 * on its way back, so that a ring of that size never overflows. */
static void lead_to(Port *port, Channel *channel)
{
    port->channel = channel;
    port->credit_delay = channel->credit_delay;
    port->same_clock = channel->same_clock;
    port->bounded = channel->bounded;
    port_make_room(port, port->bounded ? round_up_power(channel->capacity) : PORT_ROOM);
}

void wire_connect(const Wire *wire)
{
    unit_number_ports(wire->from);
    unit_number_ports(wire->to);
    Channel *channel = find_channel(wire->from, wire->output, wire->output_index);
    const uint32_t index = find_port(wire->to, wire->input, wire->input_index);
    Port *port = wire->to->ports[index];
    if (channel->to || port->channel)
        g_error("%s.%s is connected twice", wire->from->path, wire->output);
    const Clock *from = wire->from->clock, *to = wire->to->clock;
    const Time delay = MAX(wire->delay, from->period);
    const Time credit_delay = MAX(wire->credit_delay, to->period);
    /* with equal clocks no time needs rounding, which would be a division for each message */
    *channel = (Channel){.from = &wire->from->inbox,
                         .to = &wire->to->inbox,
                         .from_clock = from,
                         .to_clock = to,
                         .port = port,
                         .name = wire->output,
                         .talk = wire->talk,
                         .delay = delay,
                         .credit_delay = credit_delay,
                         .port_index = (uint16_t)index,
                         .bounded = wire->capacity > 0,
                         .capacity = wire->capacity,
                         .credits = wire->capacity,
                         .same_clock = from->period == to->period && delay % from->period == 0
                                       && credit_delay % from->period == 0};
    lead_to(port, channel);
}

void unit_visit_channels(const Unit *unit, ChannelVisit visit, void *user)
{
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)(uintptr_t)unit + row->offset;
        if (row->kind == PORT_OUT && ((Channel *)field)->to) visit(field, user);
        if (row->kind != PORT_OUT_ARRAY) continue;
        ChannelArray *array = field;
        for (uint32_t i = 0; i < array->count; i++)
            if (array->at[i].to) visit(&array->at[i], user);
    }
}

static ResourceCount read_channel(void *channel, Time at)
{
    return channel_count(channel, at);
}

/* One that nothing is in, and nothing is sent on, refuses nobody: its sender would wait forever. */
static void meter_channel(MeterList *list, const PortRow *row, Channel *channel, uint32_t index)
{
    if (!channel->to || !channel->capacity) return;
    meter_list_add(list, &(Meter){.name = row->name,
                                  .index = index,
                                  .many = row->kind == PORT_OUT_ARRAY,
                                  .capacity = channel->capacity,
                                  .read = read_channel,
                                  .field = channel,
                                  .done = &channel->sequence});
}

static void meter_outputs(Unit *unit, MeterList *list)
{
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)unit + row->offset;
        if (row->kind == PORT_OUT) meter_channel(list, row, field, 0);
        if (row->kind != PORT_OUT_ARRAY) continue;
        ChannelArray *array = field;
        for (uint32_t i = 0; i < array->count; i++) meter_channel(list, row, &array->at[i], i);
    }
}

static ResourceCount read_input(void *port, Time at)
{
    return port_count(port, at);
}

static void meter_inputs(const Unit *unit, MeterList *list)
{
    for (uint32_t i = 0; i < unit->port_count; i++) {
        Port *port = unit->ports[i];
        if (!port->channel || !port->channel->capacity) continue;
        meter_list_add(list,
                       &(Meter){.name = port->channel->name, .read = read_input, .field = port});
    }
}

static const uint64_t *find_refusals(const Unit *unit, const ResourceRow *row)
{
    if (!row->refusals) return NULL;
    const Stat *stat = unit->class->stats;
    while (stat->name && !g_str_equal(stat->name, row->refusals)) stat++;
    if (!stat->name) g_error("%s has no statistic '%s'", unit->path, row->refusals);
    return (const uint64_t *)(const void *)((const char *)unit + stat->offset);
}

void unit_meter(Unit *unit)
{
    MeterList *list = &unit->observation->meters;
    for (const ResourceRow *row = unit->class->resources; row && row->name; row++)
        meter_list_add_resource(list, row, find_refusals(unit, row), unit);
    meter_outputs(unit, list);
    meter_inputs(unit, &unit->observation->inputs);
}

static void free_channel(Channel *channel, void *user)
{
    (void)user;
    g_free(channel->reason);
}

static void free_arrays(Unit *unit)
{
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)unit + row->offset;
        if (row->kind == PORT_IN_ARRAY) g_aligned_free(((PortArray *)field)->at);
        if (row->kind == PORT_OUT_ARRAY) g_aligned_free(((ChannelArray *)field)->at);
    }
}

void unit_free_ports(Unit *unit)
{
    unit_visit_channels(unit, free_channel, NULL);
    for (uint32_t i = 0; i < unit->port_count; i++) g_aligned_free(unit->ports[i]->slot);
    free_arrays(unit);
    g_aligned_free(unit->ports);
}
