/* Messages come from pools: no event allocates. */
#include "kit/engine/internal.h"

/* Messages in a pool's first chunk and in its largest; each has twice those of the one before, for
 * a large message of which few are ever under way would be much memory to touch. */
enum { POOL_FIRST_CHUNK = 8, POOL_CHUNK = 256 };

void pools_init(Simulation *simulation)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
        simulation->pool[kind] = (Pool){.chunks = g_ptr_array_new_with_free_func(g_free),
                                        .size = message_rows[kind].size};
}

void pools_finish(Simulation *simulation)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
        g_ptr_array_unref(simulation->pool[kind].chunks);
    for (Bundle *bundle = simulation->free_bundles; bundle;) {
        Bundle *next = bundle->next;
        g_free(bundle->parcel);
        g_free(bundle);
        bundle = next;
    }
}

static void refill(Pool *pool)
{
    const unsigned count = MIN(POOL_FIRST_CHUNK << MIN(pool->chunks->len, 8u), POOL_CHUNK);
    char *chunk = g_malloc0(pool->size * count);
    g_ptr_array_add(pool->chunks, chunk);
    for (unsigned i = 0; i < count; i++) {
        Message *message = (Message *)(void *)(chunk + i * pool->size);
        message->next = pool->free;
        pool->free = message;
    }
}

void *unit_new(Unit *unit, MessageKind kind)
{
    Pool *pool = &unit->simulation->pool[kind];
    if (!pool->free) refill(pool);
    Message *message = pool->free;
    pool->free = message->next;
    message->next = NULL;
    message->kind = kind;
    message->id = (uint64_t)unit->index << 40 | unit->messages++;
    if (message_rows[kind].init) message_rows[kind].init(message);
    return message;
}

void unit_free_message(Unit *unit, Message *message)
{
    Pool *pool = &unit->simulation->pool[message->kind];
    message->next = pool->free;
    pool->free = message;
}
