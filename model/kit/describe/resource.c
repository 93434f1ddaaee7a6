#include "kit/describe/resource.h"

#include <glib.h>

ResourceCount server_count(const Server *server, uint64_t at_once, Time at)
{
    const Time busy = server_work(server, at_once, at);
    return (ResourceCount){.work = busy, .full = server_full(busy, at_once)};
}

ResourceCount level_count(const Level *level, Time at)
{
    return (ResourceCount){.work = level_work(level, at),
                           .full = level_full(level, at),
                           .came = level->arrivals,
                           .stayed = level->stay,
                           .inside = level->now};
}

ServerArray server_array_new(uint32_t count)
{
    return (ServerArray){.at = g_new0(Server, count), .count = count};
}

LevelArray level_array_new(uint32_t count)
{
    return (LevelArray){g_new0(Level, count), count};
}
