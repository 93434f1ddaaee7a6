/* The stages that a request's latency is divided into. A request is in exactly one stage at any
 * time, so they sum up. */
#pragma once

#include <stdbool.h>

/* WAIT: in a queue or behind others; it would be zero if the request were alone in the machine.
 * WAY: work and distance, which every request has. Where a stage is both (addresses that are
 * translated, the link between L2's halves, the ROP, rows of DRAM) it counts as WAY, so that what
 * is called waiting is no more than it was. The third is the part of the machine that has the
 * request or, of a miss in L2, that it waits for; the fourth the perfect component that shortens it
 * where nothing is full: a replay is then for a bank conflict; the sixth what it is called in a
 * sentence. */
#define STAGES(X)                                                                                  \
    X(ISSUE, WAY, L1, NULL, "issue", "issue",                                                      \
      "from warp issue until the load/store unit takes the instruction")                           \
    X(L1_QUEUE, WAIT, L1, NULL, "l1_queue", "wait for L1",                                         \
      "waiting for L1: in the load/store unit behind other instructions, or in L1's port")         \
    X(COALESCE, WAY, L1, NULL, "coalesce", "coalescing",                                           \
      "address generation, and earlier lines of the same instruction")                             \
    X(REPLAY, WAIT, REFUSED, "bank_conflicts", "replay", "replays",                                \
      "waiting to be replayed: bank conflicts, or refused by L1 (no way, no PRT entry, no room)")  \
    X(L1_TAG, WAY, L1, "l1_latency", "l1_tag", "L1 look-up",                                       \
      "L1 tag look-up, and the data array on a hit; of a request coalescer's cache likewise")      \
    X(TEXTURE_QUEUE, WAIT, TEXTURE, NULL, "texture_queue", "wait for the texture unit",            \
      "waiting for the texture unit: behind other instructions, or earlier quads of this one")     \
    X(TEXTURE_TAG, WAY, TEXTURE, "texture_latency", "texture_tag", "texture look-up",              \
      "texture addresses and tag look-up")                                                         \
    X(FRAGMENT_FIFO, WAIT, TEXTURE, NULL, "fragment_fifo", "fragment FIFO",                        \
      "in the fragment FIFO, behind earlier fragments or waiting for the own data")                \
    X(REORDER, WAIT, TEXTURE, NULL, "reorder", "reorder buffer",                                   \
      "texture data back from L2, in the reorder buffer until its turn")                           \
    X(FILTER, WAY, TEXTURE, "texture_latency", "filter", "texture filter",                         \
      "texture data array, and the filter")                                                        \
    X(TRANSLATE, WAY, TRANSLATION, "translation", "translate", "address translation",              \
      "virtual to physical address: TLBs and page walks")                                          \
    X(REQUEST_QUEUE, WAIT, REQUEST_NETWORK, "request_network", "request_queue",                    \
      "wait in the request network", "request network: waiting for a port or link")                \
    X(REQUEST_TRANSFER, WAY, REQUEST_NETWORK, "request_network", "request_transfer",               \
      "transfer in the request network", "request network: flits moving through links")            \
    X(REQUEST_WIRE, WAY, REQUEST_NETWORK, "request_network", "request_wire",                       \
      "wires of the request network", "request network: wire and pipeline delay")                  \
    X(L2_QUEUE, WAIT, L2, "l2_bandwidth", "l2_queue", "wait for L2",                               \
      "waiting in front of the L2 slice")                                                          \
    X(L2_TAG, WAY, L2, "l2_latency", "l2_tag", "L2 look-up", "L2 tag look-up and data array")      \
    X(L2_MISS_QUEUE, WAIT, DRAM, NULL, "l2_miss_queue", "misses in L2's load queue",               \
      "a miss waiting in the L2 slice's load queue")                                               \
    X(L2_ORDER, WAIT, L2, NULL, "l2_order", "order of L2's replies",                               \
      "done in the L2 slice, waiting for earlier requests' replies")                               \
    X(L2_CROSS, WAY, L2, "l2_halves", "l2_cross", "way between halves of L2",                      \
      "between halves of L2, both ways: the link's queue, transfer and wire")                      \
    X(ROP, WAY, ROP, "rop_atomics", "rop", "ROP",                                                  \
      "in the ROP, or on the way between it and its L2 slice")                                     \
    X(MEMORY_WIRE, WAY, DRAM, "dram_latency", "memory_wire", "way between L2 and DRAM",            \
      "between L2 slice, memory access scheduler and DRAM channel, both ways")                     \
    X(SCHEDULER_WAIT, WAIT, DRAM, "dram_timing", "scheduler_wait",                                 \
      "wait in the memory access scheduler", "in the memory access scheduler's queue")             \
    X(DRAM_PRECHARGE, WAY, DRAM, "dram_timing", "dram_precharge", "precharge of DRAM rows",        \
      "DRAM: closing another row")                                                                 \
    X(DRAM_ACTIVATE, WAY, DRAM, "dram_timing", "dram_activate", "activation of DRAM rows",         \
      "DRAM: opening the row")                                                                     \
    X(DRAM_COLUMN, WAY, DRAM, "dram_latency", "dram_column", "column access in DRAM",              \
      "DRAM: column access until the first data")                                                  \
    X(DRAM_BUS, WAY, DRAM, "dram_bandwidth", "dram_bus", "transfer on DRAM's bus",                 \
      "DRAM: data on the bus")                                                                     \
    X(REPLY_QUEUE, WAIT, REPLY_NETWORK, "reply_network", "reply_queue",                            \
      "wait in the reply network", "reply network: waiting for a port or link")                    \
    X(REPLY_TRANSFER, WAY, REPLY_NETWORK, "reply_network", "reply_transfer",                       \
      "transfer in the reply network", "reply network: flits moving through links")                \
    X(REPLY_WIRE, WAY, REPLY_NETWORK, "reply_network", "reply_wire", "wires of the reply network", \
      "reply network: wire and pipeline delay")                                                    \
    X(PRT_WAIT, WAIT, L1, NULL, "prt_wait", "order of returning misses",                           \
      "back from L2, waiting for earlier misses where they return in order")                       \
    X(FILL, WAY, L1, "l1_latency", "fill", "fill of L1 lines",                                     \
      "filling the L1 line and rescheduling the load")                                             \
    X(WRITEBACK, WAY, L1, "l1_latency", "writeback", "write-back to registers",                    \
      "on the way back to the register file")                                                      \
    X(PAGE, WAY, DRAM, "paging", "page", "wait for pages of the host",                             \
      "in front of the L2 slice, until the page comes from the host")                              \
    X(MEMORY_CACHE, WAY, DRAM, "memory_cache_latency", "memory_cache", "memory-side cache",        \
      "in the memory-side cache: tag look-up and data array")

typedef enum {
#define STAGE_ENUM(id, kind, place, component, name, words, text) STAGE_##id,
    STAGES(STAGE_ENUM)
#undef STAGE_ENUM
        STAGE_COUNT
} Stage;

typedef enum { STAGE_WAY, STAGE_WAIT } StageKind;

/* REFUSED: by L1. */
typedef enum {
    STAGE_AT_L1,
    STAGE_AT_TEXTURE,
    STAGE_AT_TRANSLATION,
    STAGE_AT_REQUEST_NETWORK,
    STAGE_AT_L2,
    STAGE_AT_ROP,
    STAGE_AT_DRAM,
    STAGE_AT_REPLY_NETWORK,
    STAGE_AT_REFUSED,
    STAGE_PLACES
} StagePlace;

const char *stage_name(Stage stage);
const char *stage_words(Stage stage); /* "L1 look-up" */
const char *stage_summary(Stage stage);
StageKind stage_kind(Stage stage);

static inline StagePlace stage_place(Stage stage)
{
    static const unsigned char places[] = {
#define STAGE_PLACE(id, kind, place, component, name, words, text) STAGE_AT_##place,
        STAGES(STAGE_PLACE)
#undef STAGE_PLACE
    };
    return (StagePlace)places[stage];
}

/* Left out of results in which no request was in it: of parts that few machines have. */
static inline bool stage_if_any(Stage stage)
{
    return stage > STAGE_PAGE;
}

/* NULL: none does. */
const char *stage_component(Stage stage);
