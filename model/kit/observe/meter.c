#include "kit/observe/meter.h"

#include <glib.h>

static uint64_t refusals(const Meter *meter)
{
    return meter->refused ? *meter->refused : 0;
}

ResourceCount meter_read_known(const Meter *meter, Time at)
{
    ResourceCount count = meter->kind == METER_SERVER
                              ? server_count(meter->field, meter->capacity, at)
                              : level_count(meter->field, at);
    count.refused = refusals(meter);
    return count;
}

void meter_list_add(MeterList *list, const Meter *meter)
{
    list->at = g_renew(Meter, list->at, list->count + 1);
    list->at[list->count] = *meter;
    list->at[list->count++].name = g_intern_string(meter->name);
}

static uint64_t capacity_of(const ResourceRow *row, const void *unit)
{
    if (!row->capacity) return 1;
    return *(const uint64_t *)(const void *)((const char *)unit + row->capacity);
}

static void add_server(MeterList *list, Meter meter, Server *server)
{
    if (!meter.capacity) return;
    meter.kind = METER_SERVER;
    meter.field = server;
    meter.done = &server->busy;
    meter_list_add(list, &meter);
}

/* The place has to know its capacity, to see when it is full; without bound it never is. */
static void add_place(MeterList *list, Meter meter, Level *level)
{
    level->full_at = meter.capacity ? (int64_t)meter.capacity : INT64_MAX;
    meter.kind = METER_PLACE;
    meter.field = level;
    meter.done = &level->arrivals;
    meter_list_add(list, &meter);
}

void meter_list_add_resource(MeterList *list, const ResourceRow *row, const uint64_t *refused,
                             void *unit)
{
    void *field = (char *)unit + row->offset;
    Meter meter = {.name = row->name,
                   .row = row,
                   .many = row->kind == RESOURCE_SERVERS || row->kind == RESOURCE_PLACES,
                   .capacity = capacity_of(row, unit),
                   .refused = refused};
    switch (row->kind) {
    case RESOURCE_SERVER: add_server(list, meter, field); break;
    case RESOURCE_PLACE: add_place(list, meter, field); break;
    case RESOURCE_SERVERS:
        for (; meter.index < ((ServerArray *)field)->count; meter.index++) {
            const ServerArray *servers = field;
            meter.label = servers->names ? servers->names[meter.index] : NULL;
            add_server(list, meter, &servers->at[meter.index]);
        }
        break;
    case RESOURCE_PLACES:
        for (; meter.index < ((LevelArray *)field)->count; meter.index++)
            add_place(list, meter, &((LevelArray *)field)->at[meter.index]);
        break;
    }
}

void meter_list_finish(MeterList *list)
{
    g_free(list->at);
}

void meter_list_open(MeterList *list, Time at)
{
    list->opened = at;
    for (uint32_t i = 0; i < list->count; i++) list->at[i].opened = meter_read(&list->at[i], at);
}

void meter_list_keep(MeterList *list, Time at)
{
    list->length = at - list->opened;
    for (uint32_t i = 0; i < list->count; i++)
        list->at[i].counted =
            resource_count_since(meter_read(&list->at[i], at), list->at[i].opened);
}
