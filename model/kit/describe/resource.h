/* Resources: everything that can be full. A server does so much at a time (a port, a pipe, a link,
 * a bank, an issue slot), a place holds so many (a queue, a table, a buffer, resident warps). Rows
 * of a class declare them where they are; `list resources`, the tables of a result, heat maps and
 * verdicts are made from the rows.
 *
 * A bounded channel between two units is a place too, and needs no row: the engine counts it.
 *
 * What is counted only rises, so that any two readings tell what was between them. */
#pragma once

#include "kit/describe/stat.h"

typedef enum {
    RESOURCE_SERVER,  /* Server */
    RESOURCE_SERVERS, /* ServerArray */
    RESOURCE_PLACE,   /* Level */
    RESOURCE_PLACES,  /* LevelArray */
} ResourceKind;

/* Work is counted when it is booked. The last pieces, those without a gap between them, take from
 * `since` to `until`, when all is done, so that a reading can leave out what lies behind it. */
typedef struct {
    Time busy; /* sum of what each piece of work takes; of several at once, one each */
    Time since, until;
} Server;

typedef struct {
    Server *at;
    uint32_t count;
    const char **names; /* of each, as the user knows it; NULL: they have none */
} ServerArray;

typedef struct {
    Level *at;
    uint32_t count;
} LevelArray;

/* Which links of a network a row's servers are, in the order of its description. */
typedef enum { LINKS_NONE, LINKS_INTO, LINKS_BETWEEN, LINKS_OUT } LinkPlace;

typedef struct {
    const char *name; /* listed as CLASS.NAME; no parameter or statistic of the class has it unless
                         it is the statistic that the row is about */
    ResourceKind kind;
    size_t offset;    /* of the field */
    size_t capacity;  /* of the uint64_t that says how many each holds, or serves at once; 0: one.
                        If that number is 0, a place has no bound, and a server is not counted */
    const char *unit; /* of what it holds, or of what it does: "entries", "look-ups" */
    /* Where what is in it goes next: names of outputs and resources of the class, separated by
     * spaces; NULL: nowhere else, it ends here. */
    const char *feeds;
    /* Who has to wait while it is full: inputs and resources of the class; NULL: nobody. */
    const char *refuses;
    const char *refusals; /* the statistic, a count, of how often it refused; NULL: not counted */
    const char *summary;  /* one line; what stands before the first comma or colon is its title */
    /* What summaries and tables of studies call it, "DRAM bus"; of networks behind "request" or
     * "reply"; NULL: it is in the tables of all resources only. */
    const char *headline;
    /* The perfect component that relieves it; NULL: the first one of the parameter that is its
     * capacity. */
    const char *component;
    /* Another one that is perfect where that is: what is always free has no timings either. NULL:
     * none is. */
    const char *includes;
    /* Parameters that make its rate, or how much it holds: "KEY" of the class or "GROUP.KEY",
     * separated by spaces; a * is the network that it is of; the clock need not be said. NULL: the
     * parameter that is its capacity. */
    const char *rests_on;
    /* What it has to do: statistics of the class that count it, separated by spaces, all in one
     * unit; NULL: none does. */
    const char *work;
    LinkPlace links;
    /* Of a place that no storage of the class is behind (kit/cost/storage.h): why. */
    const char *bitless;
    bool keeps;    /* of a place: what is in it stays there when all is done */
    bool in_parts; /* ... what comes needs room in its part, as in its set of a cache */
} ResourceRow;

static inline bool resource_is_server(const ResourceRow *row)
{
    return row->kind == RESOURCE_SERVER || row->kind == RESOURCE_SERVERS;
}

/* clang-format off */
#define RESOURCE_ROW(Type, field, ctype, what, text, ...)                                          \
    { .name = #field, .kind = what, .offset = STAT_FIELD(Type, field, ctype), .summary = text,     \
      __VA_ARGS__ }
#define RESOURCE_ONE_SERVER(Type, field, text, ...)                                                \
    RESOURCE_ROW(Type, field, Server, RESOURCE_SERVER, text, __VA_ARGS__)
#define RESOURCE_MANY_SERVERS(Type, field, text, ...)                                              \
    RESOURCE_ROW(Type, field, ServerArray, RESOURCE_SERVERS, text, __VA_ARGS__)
#define RESOURCE_ONE_PLACE(Type, field, text, ...)                                                 \
    RESOURCE_ROW(Type, field, Level, RESOURCE_PLACE, text, __VA_ARGS__)
#define RESOURCE_MANY_PLACES(Type, field, text, ...)                                               \
    RESOURCE_ROW(Type, field, LevelArray, RESOURCE_PLACES, text, __VA_ARGS__)
#define RESOURCE_CAPACITY(Type, field) .capacity = STAT_FIELD(Type, field, uint64_t)
#define RESOURCE_END { .name = NULL }
/* clang-format on */

/* A piece of work of this length begins at `start`, or when what it has to wait for is done;
 * `share` is its length divided by how many the server does at once, and never more. */
static inline void server_book_known(Server *server, Time start, Time length, Time share)
{
    if (start > server->until) server->since = server->until = start;
    server->busy += length;
    server->until += share;
}

static inline void server_book(Server *server, Time start, Time length)
{
    server_book_known(server, start, length, length);
}

/* Of a server that does `at_once` pieces at once, each takes its length all the same. */
static inline void server_book_share(Server *server, Time start, Time length, uint64_t at_once)
{
    /* a division takes as long as the rest of it */
    server_book_known(server, start, length, at_once == 1 ? length : length / at_once);
}

/* What a resource has done, or held, and what it was full and refused. */
typedef struct {
    uint64_t work;    /* of a server fs, of a place what is in it x fs */
    Time full;        /* time in which it could take nothing more */
    uint64_t refused; /* how often something had to wait for it */
    /* Of a place, to count its work a second time: how many came, what all stayed that have left,
     * by their own times, and how many were in it, at both ends of a difference together. */
    uint64_t came;
    Time stayed;
    uint64_t inside;
} ResourceCount;

static inline ResourceCount resource_count_since(ResourceCount now, ResourceCount then)
{
    return (ResourceCount){.work = now.work - then.work,
                           .full = now.full - then.full,
                           .refused = now.refused - then.refused,
                           .came = now.came - then.came,
                           .stayed = now.stayed - then.stayed,
                           .inside = now.inside + then.inside};
}

/* What is done by `at`, which never becomes less: without the last pieces as far as they lie behind
 * it. Earlier ones, before a gap that lies behind it too, count as done. */
static inline uint64_t server_work(const Server *server, uint64_t at_once, Time at)
{
    const Time from = at > server->since ? at : server->since;
    const Time ahead = server->until > from ? (server->until - from) * at_once : 0;
    return server->busy - (ahead < server->busy ? ahead : server->busy);
}

/* How long a server has been full that has done so much. */
static inline Time server_full(uint64_t work, uint64_t at_once)
{
    /* read often, and most do one thing at a time: a division would cost more than the rest */
    return at_once > 1 ? work / at_once : work;
}

/* It has kept its value since it was settled. */
static inline Time level_full(const Level *level, Time at)
{
    const bool full = level_is_full(level) && at > level->since;
    return level->full + (full ? at - level->since : 0);
}

static inline uint64_t level_work(const Level *level, Time at)
{
    return level->integral + (at > level->since ? level->now * (at - level->since) : 0);
}

/* What a server has done by `at`, and a place has held; `at` is not before the last change. */
ResourceCount server_count(const Server *server, uint64_t at_once, Time at);
ResourceCount level_count(const Level *level, Time at);

ServerArray server_array_new(uint32_t count);
LevelArray level_array_new(uint32_t count);
