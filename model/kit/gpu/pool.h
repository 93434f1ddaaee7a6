/* Messages come from pools, one a kind, and go back to them: no event allocates. A pool is a
 * list of free messages, the one that came back last first, for that one is still in the cache. */
#pragma once

#include "kit/gpu/message.h"

#include <glib.h>

typedef struct {
    Message *free;
    GPtrArray *chunks;
    size_t size;
} MessagePool;

typedef struct {
    MessagePool kind[MESSAGE_KINDS];
} Pools;

void pools_init(Pools *pools);
void pools_finish(Pools *pools);

/* What a unit makes messages with. Ids are (unit << 40 | how many it made before): they are part of
 * the hash that says whether two runs were the same, so nothing in them may depend on how units are
 * grouped, which a counter of the whole run or an address in memory would. */
typedef struct {
    Pools *pools;
    uint64_t next_id;
} MessageSource;

static inline MessageSource message_source(Pools *pools, uint32_t unit)
{
    return (MessageSource){pools, (uint64_t)unit << 40};
}

static inline uint64_t message_source_made(const MessageSource *source)
{
    return source->next_id & ((UINT64_C(1) << 40) - 1);
}

/* As its row in MESSAGES says. Of any source of the run it may be freed. */
void *message_new(MessageSource *source, MessageKind kind);
void message_free(MessageSource *source, Message *message);
