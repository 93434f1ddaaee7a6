/* The header of every message, and the kinds there are; what a message says is in a header a
 * protocol, beside this one. Messages come from pools; sending gives a message away, a handler owns
 * what it takes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Kind, name, type, and what makes a new one of it (NULL: its fields are unspecified until its
 * maker has filled them in). A further kind is a row here; message.c includes its header. */
#define MESSAGES(ROW)                                                                              \
    ROW(TRANSACTION, "transaction", Transaction, transaction_init)                                 \
    ROW(WARP_ACCESS, "warp access", WarpAccess, warp_access_init)                                  \
    ROW(STORE_NOTICE, "store notice", StoreNotice, NULL)                                           \
    ROW(CTA, "CTA", CtaMessage, NULL)                                                              \
    ROW(DRAM_COMMANDS, "DRAM commands", DramCommands, NULL)                                        \
    ROW(TRANSLATION, "translation", Translation, NULL)                                             \
    ROW(ACCESS_REPORT, "access report", AccessReport, NULL)                                        \
    ROW(ATOMIC_OPERANDS, "atomic operands", AtomicOperands, NULL)                                  \
    ROW(SAMPLES, "samples", Samples, NULL)                                                         \
    ROW(TEXTURE_FETCH, "texture fetch", TextureFetch, NULL)

typedef enum {
#define KIND(kind, name, type, init) MESSAGE_##kind,
    MESSAGES(KIND)
#undef KIND
        MESSAGE_KINDS
} MessageKind;

typedef struct Message {
    struct Message *next; /* free list of the pool, or a list of the present owner */
    /* (origin unit << 40 | sequence): part of the order hash, never a pointer */
    uint64_t id;
    uint32_t kind;
} Message;

typedef struct {
    const char *name;
    size_t size;
    void (*init)(Message *message);
} MessageRow;

extern const MessageRow message_rows[MESSAGE_KINDS];
