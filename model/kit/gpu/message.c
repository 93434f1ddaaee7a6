#include "kit/gpu/message.h"

#include "kit/gpu/access_report.h"
#include "kit/gpu/atomic.h"
#include "kit/gpu/cta.h"
#include "kit/gpu/dram_commands.h"
#include "kit/gpu/store_notice.h"
#include "kit/gpu/texture.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/translation.h"
#include "kit/gpu/warp_access.h"
#include "parts/sparse.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <string.h>

/* Whoever touches one that was freed is caught, and what is not set in one used again is junk. */
static void hide(Message *message, size_t size)
{
    ASAN_POISON_MEMORY_REGION(message + 1, size - sizeof *message);
}

static void show(Message *message, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(message + 1, size - sizeof *message);
    memset(message + 1, 0xA5, size - sizeof *message);
}
#else
#define hide(message, size) ((void)0)
#define show(message, size) ((void)0)
#endif

const MessageRow message_rows[MESSAGE_KINDS] = {
#define ROW(kind, name, type, init, finish) {name, sizeof(type), init, finish},
    MESSAGES(ROW)
#undef ROW
};

/* Messages in a pool's first chunk and in its largest; each has twice those of the one before, for
 * a large message of which few are ever under way would be much memory to touch. */
enum { POOL_FIRST_CHUNK = 8, POOL_CHUNK = 256 };

/* So that each begins one. */
static size_t whole_lines(size_t size)
{
    return (size + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
}

void pools_init(Pools *pools)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
        pools->kind[kind] = (MessagePool){.chunks = g_ptr_array_new_with_free_func(sparse_free),
                                          .size = whole_lines(message_rows[kind].size)};
}

void pools_finish(Pools *pools)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++)
        g_ptr_array_unref(pools->kind[kind].chunks);
}

G_GNUC_NO_INLINE static void refill(MessagePool *pool)
{
    const unsigned count = MIN(POOL_FIRST_CHUNK << MIN(pool->chunks->len, 8u), POOL_CHUNK);
    char *chunk = sparse_new_dense(pool->size * count);
    g_ptr_array_add(pool->chunks, chunk);
    pool->messages += count;
    for (unsigned i = 0; i < count; i++) {
        Message *message = (Message *)(void *)(chunk + i * pool->size);
        message->next = pool->free;
        pool->free = message;
    }
}

/* There is one. The next one is fetched for whoever comes next. */
static inline Message *take(MessagePool *pool, MessageKind kind)
{
    Message *message = pool->free;
    pool->free = message->next;
    message_foresee(pool->free);
    show(message, pool->size);
    message->next = NULL;
    message->kind = kind;
    return message;
}

void *message_new_part(MessageSource *source, MessageKind kind)
{
    MessagePool *pool = &source->pools->kind[kind];
    if (!pool->free) refill(pool);
    return take(pool, kind);
}

G_GNUC_NO_INLINE static void *refill_and_make(MessageSource *source, MessageKind kind)
{
    refill(&source->pools->kind[kind]);
    return message_new(source, kind);
}

/* With little to keep over what it calls: it is called often. */
void *message_new(MessageSource *source, MessageKind kind)
{
    MessagePool *pool = &source->pools->kind[kind];
    if (!pool->free) return refill_and_make(source, kind);
    Message *message = take(pool, kind);
    message->id = message_source_id(source);
    if (message_rows[kind].init) message_rows[kind].init(message);
    return message;
}

static inline void put_back(MessageSource *source, Message *message)
{
    MessagePool *pool = &source->pools->kind[message->kind];
    hide(message, pool->size);
    message->next = pool->free;
    pool->free = message;
}

G_GNUC_NO_INLINE static void finish(MessageSource *source, Message *message)
{
    message_rows[message->kind].finish(source, message);
    put_back(source, message);
}

/* Most have no parts. */
void message_free(MessageSource *source, Message *message)
{
    if (message_rows[message->kind].finish)
        finish(source, message);
    else
        put_back(source, message);
}
