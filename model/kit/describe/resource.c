#include "kit/describe/resource.h"

#include <glib.h>

ResourceCount server_count(const Server *server, uint64_t at_once, Time at)
{
    const Time busy = server_work(server, at_once, at);
    /* read often, and most do one thing at a time: a division would cost more than the rest */
    return (ResourceCount){.work = busy, .full = at_once > 1 ? busy / at_once : busy};
}

ResourceCount level_count(const Level *level, Time at)
{
    const Time since = at > level->since ? at - level->since : 0;
    return (ResourceCount){.work = level_work(level, at),
                           .full = level->full + (level->now == level->capacity ? since : 0),
                           .came = level->arrivals,
                           .stayed = level->stay,
                           .inside = level->now};
}

ServerArray server_array_new(uint32_t count)
{
    return (ServerArray){g_new0(Server, count), count};
}

LevelArray level_array_new(uint32_t count)
{
    return (LevelArray){g_new0(Level, count), count};
}
