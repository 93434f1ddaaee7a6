/* What the files of the load/store unit share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/warp_access.h"
#include "parts/sm/coalescer.h"

typedef enum { LOCAL_INTERLEAVED, LOCAL_LINEAR } LocalLayout;
typedef enum { TEXTURE_NOTHING, TEXTURE_READ_ONLY, TEXTURE_EVERYTHING } ThroughTexture;

typedef struct {
    Unit unit;
    Port from_sm;
    Channel to_l1, to_sm, to_texture;
    const LineShape *line;
    const uint64_t *warp_lanes;

    uint64_t interval, instructions_per_interval, constant_latency, local_bytes, local_base,
        local_warps;
    uint64_t atomic_latency, atomic_replay_latency, atomic_groups, shared_atomic_latency;
    double atomic_interval, shared_atomic_interval;
    bool shared_lock_loop;
    uint32_t local_layout, through_texture;

    uint64_t instructions, transactions, uncoalesced, requested_bytes, stalls, texture_stalls,
        shared_instructions, local_instructions, constant_instructions, texture_instructions,
        atomic_passes, conflicting_stores;
    Level queue;
    Server addresses, same_address;
    Level held;

    CoalescedLine lines[COALESCER_LINES];
    Time slack;          /* the rest of a cycle in which further addresses may be generated */
    WarpAccess *current; /* has its lines; waits while there is no room for it */
    Channel *way;        /* that it goes */
    Time release_after;  /* current is a reduction: until its operands have been read */
    Time held_since;     /* TIME_NEVER: current has not been refused */
    uint8_t held_for;    /* Refusal: why the last one was held, if L1 said so */
    uint32_t seen;       /* instructions in the port whose arrival has been noted */
} LoadStore;

/* The lines that the access wants, of global or local memory. */
void load_store_find_lines(LoadStore *self, WarpAccess *access);

/* Of an atomic; returns how long the lanes that want one address keep address generation. */
Time load_store_serialize_atomic(LoadStore *self, WarpAccess *access);
