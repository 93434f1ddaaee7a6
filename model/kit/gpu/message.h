/* What travels between units. Messages come from pools; sending gives a message away, a handler
 * owns what it takes. */
#pragma once

#include "kit/describe/stage.h"
#include "kit/describe/stat.h"
#include "kit/engine/time.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/occupancy.h"

typedef enum {
    MESSAGE_TRANSACTION,
    MESSAGE_WARP_ACCESS,
    MESSAGE_CTA,
    MESSAGE_DRAM_COMMANDS,
    MESSAGE_TRANSLATION,
    MESSAGE_ACCESS_REPORT,
    MESSAGE_ATOMIC_OPERANDS,
    MESSAGE_SAMPLES,
    MESSAGE_KINDS
} MessageKind;

typedef struct Message {
    struct Message *next; /* free list of the pool, or a list of the present owner */
    /* (origin unit << 40 | sequence): part of the order hash, never a pointer */
    uint64_t id;
    uint32_t kind;
} Message;

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

/* Where a texture instruction samples: goes with it to the texture unit. */
typedef struct {
    Message message;
    SampleCoordinates at;
} Samples;

typedef struct Transaction Transaction;

/* A warp's load or store on its way from the SM through the load/store unit and L1; returns to
 * the SM when its registers are written. */
typedef struct {
    Message message;
    Instruction instruction;
    const Kernel *kernel; /* whose instruction it is; NULL: unknown */
    /* of active lanes, lowest first, when the instruction is not affine */
    uint64_t address[LANES_MAX];
    Samples *samples; /* of an instruction with a binding, or NULL */
    Time issued;      /* when its last lanes leave the SM */
    uint32_t warp;    /* slot in the SM */
    /* which of the slot's successive warps: a warp may end before its stores do */
    uint64_t warp_age;
    bool dependent; /* its latency counts as one of a chain */
    /* a notice of the load/store unit or of L1: the operands of a store or reduction have been
     * read by `released_at`; unless it goes to shared memory, the acknowledgement comes later */
    bool released;
    Time released_at;
    /* set by the load/store unit */
    Time reached, began;   /* when it came there, when its address generation began */
    uint32_t lines;        /* of a global or local access */
    uint32_t same_address; /* atomics: turns of lanes that want one address */
    uint32_t turn_passes;  /* ... and of how many passes such a turn is */
    Time pass_interval;    /* between passes; 0: as L1 has it */
    /* L1's own */
    Time arrived, served_at, refused_at; /* TIME_NEVER: not yet */
    Time replay_at;                      /* TIME_NEVER: when something has changed */
    Time buffered_at;
    bool tried;
    uint64_t changes;          /* ... since then */
    uint32_t passes;           /* data array passes of all lanes together */
    uint32_t next, done;       /* lines or passes accepted, lines completed */
    uint32_t value[LANES_MAX]; /* back from an atomic: what each active lane's word was before */
    /* where the texture unit reads through L1: which of its fragments, and the line that came last,
     * which has the stages of the read */
    uint32_t fragment;
    Time ready; /* its lines were known */
    Transaction *record;
    AccessLine line[ACCESS_LINES];
} WarpAccess;

/* The number of its kernel; UINT32_MAX: unknown. */
static inline uint32_t warp_access_kernel(const WarpAccess *access)
{
    return access->kernel ? access->kernel->number : UINT32_MAX;
}

/* Copies the instruction and its list of addresses, which the warp's cursor will overwrite. */
void warp_access_begin(WarpAccess *access, const Instruction *instruction, Time issued);

/* The address of each active lane, by lane; those of other lanes keep what was there. */
void warp_access_lane_addresses(const WarpAccess *access, uint64_t address[LANES_MAX]);

/* Makes `notice` say that the operands of `access` have been read by `at`. */
void warp_access_notice(WarpAccess *notice, const WarpAccess *access, Time at);

/* What the lanes of an atomic want done in one line: goes with the transaction to the ROP, and
 * back with the values that the words had before. */
typedef struct {
    Message message;
    uint8_t operation, width; /* AtomicOperation; bytes a lane */
    TileMix tiles;
    uint64_t lanes; /* those whose word is in the line */
    uint32_t operand, compare;
    int32_t operand_stride;
    uint16_t offset[LANES_MAX]; /* of a lane's word in the line, bytes */
    uint32_t value[LANES_MAX];
} AtomicOperands;

/* Of those lanes whose address is in the line. */
void atomic_operands_fill(AtomicOperands *operands, const WarpAccess *access, uint64_t line,
                          uint32_t line_bytes);

typedef enum { TRANSACTION_READ, TRANSACTION_WRITE, TRANSACTION_ATOMIC } TransactionType;
/* who had the data; PRT: merged into a miss */
typedef enum { SERVED_L1, SERVED_PRT, SERVED_L2, SERVED_DRAM } ServedBy;

/* What a transaction does on the link between the two halves of L2: a fetch of a line whose home is
 * in the other half, with data that may be kept or not; a store or atomic on its way to and from
 * its home; what makes the other half drop its copy, and the same on its way back. */
typedef enum {
    CROSSING_NONE,
    CROSSING_FETCH,
    CROSSING_FETCH_ONCE,
    CROSSING_FORWARD,
    CROSSING_INVALIDATE,
    CROSSING_INVALIDATED,
    CROSSING_EVICT,
    CROSSING_EVICTED
} Crossing;

enum { TRANSACTION_STAMPS = 40, SECTORS_MAX = 16, LINE_WORDS = 8 };

/* On its way through a network of routers; the first router begins it. */
typedef struct {
    Time began;    /* came to the first router */
    Time ready;    /* may ask the present router for its output */
    Time complete; /* its last byte is there */
    Time queued;   /* in all routers so far */
    uint32_t hops;
} NetworkTrip;

/* One request for (part of) a cache line. L2's own fills and write-backs are transactions too
 * (`access` NULL). */
struct Transaction {
    Message message;
    uint64_t line; /* byte address of the line, physical */
    /* address within the slice's DRAM channel, set by the sender into the network */
    uint64_t local;
    WarpAccess *access;         /* NULL: not from a warp */
    AtomicOperands *operands;   /* of an atomic, or NULL */
    uint64_t virtual_line;      /* as L1 knows the line */
    struct Transaction *merged; /* L1, L2: the next request that waits for the same line */
    uint16_t sectors;           /* wanted sectors of the line, bit 0 = lowest address */
    uint16_t partial;           /* WRITE: of these, the sectors that are not written whole */
    uint16_t source;            /* SM that asked: the reply's port */
    uint16_t slice;             /* L2 slice that is asked: the request's port */
    uint16_t home;              /* L2 slice that has the line's DRAM channel */
    uint32_t requested_bytes;   /* asked for by lanes */
    uint32_t sub_request;       /* PRT entry at L1, for the fill */
    uint32_t reply_slot;        /* L2's own: its turn, where replies leave in order */
    uint16_t passes;            /* data array passes of its lanes at L1 */
    uint8_t type, served_by, space, hint;
    uint8_t crossing; /* L2's own: a Crossing */
    uint8_t stamp_count;
    /* between an L2 slice and its ROP: the ROP's own fetch or write-back, or the slice's wish to
     * have a line back; in an atomic's result: the ROP still holds the line */
    bool for_rop, kept_by_rop;
    bool for_texture; /* L1's own: asked for by the texture unit, which gets the reply */
    bool stamps_lost; /* it was in more stages than `stamps` holds */
    /* L1's and the texture unit's own: when it missed, or its store was taken */
    Time left;
    Time entered; /* for the present unit's own use: when it came */
    /* time << 5 | stage: when each stage was entered; the first is the beginning */
    uint64_t stamps[TRANSACTION_STAMPS];
    /* behind what every unit touches */
    Time crossed; /* L2's own: when it left for the other half */
    uint64_t
        written[LINE_WORDS]; /* WRITE, where `partial` is not 0: bytes, bit 0 = lowest address */
    NetworkTrip trip;
};

static inline Time stamp_time(uint64_t stamp)
{
    return stamp >> 5;
}

static inline Stage stamp_stage(uint64_t stamp)
{
    return (Stage)(stamp & 31);
}

/* It was in no stage yet. */
static inline void transaction_begin_stages(Transaction *transaction)
{
    transaction->stamp_count = 0;
    transaction->stamps_lost = false;
}

/* The transaction is in `stage` from `now` on. A full log keeps its last stage, and says so when it
 * is accounted for. Times never decrease. */
static inline void transaction_enter(Transaction *transaction, Stage stage, Time now)
{
    const unsigned n = transaction->stamp_count;
    if (n && stamp_stage(transaction->stamps[n - 1]) == stage) return;
    /* nothing was spent in the last one */
    if (n && stamp_time(transaction->stamps[n - 1]) == now) {
        transaction->stamps[n - 1] = (now << 5) | stage;
        return;
    }
    if (n == TRANSACTION_STAMPS) {
        transaction->stamps_lost = true;
        return;
    }
    transaction->stamps[n] = (now << 5) | stage;
    transaction->stamp_count = (uint8_t)(n + 1);
}

/* What a memory instruction's requests are. */
TransactionType transaction_type(const Instruction *instruction);

/* From `now` on the transaction waits for a line, behind those of the list first..last, which are
 * linked through `merged`. */
static inline void transaction_join(Transaction *transaction, void **first, void **last, Time now)
{
    transaction->entered = now;
    transaction->merged = NULL;
    if (*first)
        ((Transaction *)*last)->merged = transaction;
    else
        *first = transaction;
    *last = transaction;
}

/* From `merged_at` on the transaction has spent its time where `primary` was. */
void transaction_inherit(Transaction *transaction, const Transaction *primary, Time merged_at);

/* Every femtosecond from the first stamp to `end` goes to the stage the transaction was in. False:
 * its times decrease somewhere, or it was in more stages than it could note. */
bool transaction_account(const Transaction *transaction, Time end, StageSums *sums);
/* The same, to three different sums at once. */
bool transaction_account_thrice(const Transaction *transaction, Time end, StageSums *const sums[3]);

static inline Time transaction_began(const Transaction *transaction)
{
    return stamp_time(transaction->stamps[0]);
}

/* Fills in `written` from the lanes of `access`. Of local memory, whose layout is the load/store
 * unit's, no byte is known. */
void transaction_note_written(Transaction *transaction, uint32_t line_bytes);

/* When a reply's data was read at its slice, in the order in which the slice serves requests. */
Time transaction_read_at(const Transaction *reply);

/* CTA dispatcher to SM: a kernel starts, or a CTA to run; back: what the SM has room for, or a
 * completed CTA. */
typedef struct {
    Message message;
    const Kernel *kernel;
    void *stream;           /* of kernel->class->open_cta */
    uint64_t cta;           /* linear index, or CTA_KERNEL_START */
    uint32_t launch;        /* of those that run concurrently */
    OccupancyLimits limits; /* back, when a kernel starts */
    Time launched;
} CtaMessage;

#define CTA_KERNEL_START UINT64_MAX

typedef enum {
    DRAM_PRECHARGE,
    DRAM_ACTIVATE,
    DRAM_READ,
    DRAM_WRITE,
    DRAM_REFRESH_BANK,
    DRAM_REFRESH_ALL,
    DRAM_AUTO_PRECHARGE
} DramCommandType;

typedef struct {
    uint64_t cycle; /* of the DRAM command clock, absolute */
    uint32_t row;
    uint16_t column;
    uint8_t type, bank; /* bank = group x banks_per_group + bank in the group */
} DramCommand;

enum { DRAM_COMMANDS_MAX = 48 };

/* Memory access scheduler to DRAM channel: the commands that serve one transaction, each at its
 * cycle. */
typedef struct {
    Message message;
    Transaction *transaction;
    uint32_t count;
    DramCommand command[DRAM_COMMANDS_MAX];
} DramCommands;

/* L1 to the MMU and back: a virtual address whose translation L1's TLB lacks. The answer says
 * only that it is known now; where the page lies everybody can compute. */
typedef struct {
    Message message;
    uint64_t address; /* first byte of what an entry of L1's TLB covers */
    uint32_t source;  /* SM: the answer's port */
    Time requested;   /* when it left L1 */
    Time entered;     /* the MMU's own: when it came, then when its look-up ended */
} Translation;

typedef enum { REPORT_HIT, REPORT_WRITE, REPORT_ATOMIC } ReportKind;

/* To the coherence monitor: a load that hit L1, or a write as L2 did it. */
typedef struct {
    Message message;
    uint64_t line;    /* physical address of the line */
    Time at;          /* of the hit, or of the write at its slice */
    uint16_t source;  /* SM */
    uint16_t sectors; /* hit or written */
    uint16_t partial; /* WRITE: of these, the sectors that were not written whole */
    uint8_t kind;
    /* HIT: when each sector was read at its slice */
    Time read_at[SECTORS_MAX];
} AccessReport;
