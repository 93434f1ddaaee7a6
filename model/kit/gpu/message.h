/* The header of every message, and the kinds there are; what a message says is in a header a
 * protocol, beside this one. Messages come from pools; sending gives a message away, a handler owns
 * what it takes. */
#pragma once

#include "parts/fetch_ahead.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* Kind, name, type, what makes a new one of it (NULL: its fields are unspecified until its maker
 * has filled them in), and what frees its parts (NULL: it has none). A further kind is a row here;
 * message.c includes its header. */
#define MESSAGES(ROW)                                                                              \
    ROW(TRANSACTION, "transaction", Transaction, transaction_init, NULL)                           \
    ROW(WARP_ACCESS, "warp access", WarpAccess, warp_access_init, warp_access_finish)              \
    ROW(ACCESS_LINES, "lines of an access", AccessLines, NULL, NULL)                               \
    ROW(ACCESS_LANES, "lanes of an access", AccessLanes, NULL, NULL)                               \
    ROW(STORE_NOTICE, "store notice", StoreNotice, NULL, NULL)                                     \
    ROW(CTA, "CTA", CtaMessage, NULL, NULL)                                                        \
    ROW(DRAM_COMMANDS, "DRAM commands", DramCommands, NULL, NULL)                                  \
    ROW(TRANSLATION, "translation", Translation, NULL, NULL)                                       \
    ROW(PAGE_NOTICE, "page notice", PageNotice, NULL, NULL)                                        \
    ROW(ACCESS_REPORT, "access report", AccessReport, NULL, NULL)                                  \
    ROW(ATOMIC_OPERANDS, "atomic operands", AtomicOperands, NULL, NULL)                            \
    ROW(SAMPLES, "samples", Samples, NULL, NULL)                                                   \
    ROW(TEXTURE_FETCH, "texture fetch", TextureFetch, warp_access_init, warp_access_finish)

/* Bytes of a line of the host's cache. What an event touches begins at one. */
enum { HOST_LINE = 64 };

typedef enum {
#define KIND(kind, name, type, init, finish) MESSAGE_##kind,
    MESSAGES(KIND)
#undef KIND
        MESSAGE_KINDS
} MessageKind;

typedef struct Message {
    struct Message *next; /* free list of the pool, or a list of the present owner */
    /* (origin unit << 40 | sequence): part of the order hash, never a pointer */
    uint64_t id;
    uint32_t kind;
    uint32_t entry; /* where whoever asks waits for the answer */
} Message;

/* What most who handle one touch of it is fetched: of a request what networks, then what caches
 * read, and the log of its stages. NULL does no harm. */
static inline void message_foresee(const Message *message)
{
    const uintptr_t line = (uintptr_t)message;
    for (uintptr_t i = 0; i < 3; i++) fetch_ahead((const void *)(line + i * HOST_LINE));
}

struct MessageSource;

typedef struct {
    const char *name;
    size_t size;
    void (*init)(Message *message);
    void (*finish)(struct MessageSource *source, Message *message);
} MessageRow;

extern const MessageRow message_rows[MESSAGE_KINDS];

/* --- pools ------------------------------------------------------------------------------------ */

/* Messages come from pools, one a kind, and go back to them: no event allocates. A pool is a
 * list of free messages, the one that came back last first, for that one is still in the cache. */
typedef struct {
    Message *free;
    GPtrArray *chunks;
    size_t size;
    uint64_t messages; /* free or not */
} MessagePool;

typedef struct {
    MessagePool kind[MESSAGE_KINDS];
} Pools;

void pools_init(Pools *pools);
void pools_finish(Pools *pools);

/* What a unit makes messages with. Ids are (unit << 40 | how many it made before): they are part of
 * the hash that says whether two runs were the same, so nothing in them may depend on how units are
 * grouped, which a counter of the whole run or an address in memory would. */
typedef struct MessageSource {
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

/* For a message that goes on as another one. */
static inline uint64_t message_source_id(MessageSource *source)
{
    return source->next_id++;
}

/* As its row in MESSAGES says. Of any source of the run it may be freed. */
void *message_new(MessageSource *source, MessageKind kind);
void message_free(MessageSource *source, Message *message);

/* A part of a message, which travels inside it and has no id. */
void *message_new_part(MessageSource *source, MessageKind kind);
