/* A warp's load or store, and its lines. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"

typedef struct Samples Samples;
typedef struct Transaction Transaction;

/* What L1 had no room in, in the order of its counters. */
typedef enum {
    REFUSED_NOT,
    REFUSED_SET,
    REFUSED_PRT,
    REFUSED_MERGE,
    REFUSED_WRITE_BUFFER,
    REFUSED_NETWORK,
    REFUSED_TLB,
    REFUSED_MMU,
    REFUSALS
} Refusal;

/* One line of a warp's access, as the load/store unit found it. */
typedef struct {
    uint64_t line;    /* byte address, virtual */
    uint32_t bytes;   /* asked for by lanes, each lane counted */
    uint16_t sectors; /* touched, bit 0 = lowest address */
    uint16_t partial; /* of these, not covered whole */
    /* set by L1: lines of one wavefront are looked up together; data array passes of this line's
     * lanes alone and, in a wavefront's first line, of all its lanes */
    uint8_t wavefront;
    uint16_t passes, wavefront_passes;
} AccessLine;

/* 64 lanes with 16 B each of local memory, which may be in four lines */
enum { ACCESS_LINES = 256 };
enum { ACCESS_FEW = 6, ACCESS_OWN = 72 }; /* lines, bytes */

/* Parts of an access that few have, which come and go with it. */
typedef struct {
    Message message;
    AccessLine line[ACCESS_LINES];
} AccessLines;

typedef struct {
    Message message;
    /* of active lanes, lowest first, when the instruction is not affine */
    uint64_t address[LANES_MAX];
    uint32_t value[LANES_MAX]; /* back from an atomic: what each active lane's word was before */
} AccessLanes;

/* A warp's load or store on its way from the SM through the load/store unit and L1; returns to
 * the SM when its registers are written. What its end touches are the first two lines of the host's
 * cache; how long that takes is long enough for them to have left it. */
typedef struct WarpAccess {
    Message message;
    /* of what has a result, on its way back: the line that came last, with its stages; NULL: it is
     * of shared memory or a constant. Whoever has the access has this one, too. */
    Transaction *answer;
    Time issued; /* when its last lanes leave the SM */
    /* which of the slot's successive warps: a warp may end before its stores do */
    uint64_t warp_age;
    uint32_t warp;     /* slot in the SM */
    uint32_t launch;   /* of those that run concurrently, its CTA's */
    uint16_t lines;    /* of a global or local access, set by the load/store unit */
    uint16_t done;     /* of these, what L1 has completed */
    bool dependent;    /* its latency counts as one of a chain */
    bool parts;        /* it has `lanes` or `many` */
    uint8_t served_by; /* set by L1: who had the line that came last */
    uint8_t refused;   /* set by L1: Refusal, the last one */

    const Kernel *kernel; /* whose instruction it is; NULL: unknown */
    Instruction instruction;

    Samples *samples; /* of an instruction with a binding, or NULL */
    AccessLine *line;
    Time reached, began; /* when it came to the load/store unit, when address generation began */
    /* The present owner's own record of it, of a type that its private header has: no look-up, no
     * allocation, and nobody else reads it. Whoever takes the access finds anything in here. */
    _Alignas(Time) unsigned char own[ACCESS_OWN];
    AccessLine few[ACCESS_FEW];
    AccessLanes *lanes; /* of an atomic, or one that is not affine; else NULL */
    AccessLines *many;  /* NULL: all are in `few` */

    /* of a store to shared memory: when its operands have been read */
    Time released_at;
    /* of atomics, set by the load/store unit */
    uint32_t same_address; /* turns of lanes that want one address */
    uint32_t turn_passes;  /* of how many passes such a turn is */
    Time pass_interval;    /* between passes; 0: as L1 has it */
} WarpAccess;

/* The number of its kernel; UINT32_MAX: unknown. */
static inline uint32_t warp_access_kernel(const WarpAccess *access)
{
    return access->kernel ? access->kernel->number : UINT32_MAX;
}

/* Of no known kernel, without lines, refused by nobody. */
void warp_access_init(Message *message);

/* Its parts go back to their pools, before it does. */
void warp_access_finish(MessageSource *messages, Message *message);

/* Copies the instruction and its list of addresses, which the warp's cursor will overwrite. */
void warp_access_begin(MessageSource *messages, WarpAccess *access, const Instruction *instruction,
                       Time issued);

/* Makes room for so many lines, which the caller fills in; it had none. */
void warp_access_take_lines(MessageSource *messages, WarpAccess *access, uint32_t lines);

/* The address of each active lane, by lane; those of other lanes keep what was there. */
void warp_access_lane_addresses(const WarpAccess *access, uint64_t address[LANES_MAX]);

/* The bytes of a line that lanes want, bit 0 of the first word = lowest address; not of local
 * memory, whose layout is the load/store unit's. */
void warp_access_bytes(const WarpAccess *access, uint64_t line, uint32_t line_bytes,
                       uint64_t *bytes);
