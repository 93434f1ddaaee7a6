/* A request for a cache line: from L1, the texture unit or L2 itself, through networks, slices and
 * DRAM, and back; and the log of the stages in which it was. */
#pragma once

#include "kit/describe/stage.h"
#include "kit/describe/stat.h"
#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"

typedef struct WarpAccess WarpAccess;
typedef struct AtomicOperands AtomicOperands;

typedef enum { TRANSACTION_READ, TRANSACTION_WRITE, TRANSACTION_ATOMIC } TransactionType;
/* who had the data; PRT: merged into a miss */
typedef enum { SERVED_L1, SERVED_PRT, SERVED_L2, SERVED_DRAM } ServedBy;

enum { TRANSACTION_STAMPS = 40, STAGE_WORDS = 54, SECTORS_MAX = 16, LINE_WORDS = 8 };
enum { TRANSACTION_AT_L2 = 16 }; /* bytes */

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
typedef struct Transaction {
    Message message;
    uint64_t line; /* byte address of the line, physical */
    /* address within the slice's DRAM channel, set by the sender into the network */
    uint64_t local;
    WarpAccess *access; /* NULL: not from a warp */
    Time entered;       /* for the present unit's own use: when it came */
    uint8_t type, served_by, space, hint;
    uint8_t stage, stages, stage_words; /* the present one; all of them; of `passed` */
    bool stages_lost : 1;               /* it was in more than it can note */
    bool stages_back : 1;               /* their times decrease somewhere */
    /* between an L2 slice and its ROP: the ROP's own fetch or write-back, or the slice's wish to
     * have a line back; in an atomic's result: the ROP still holds the line */
    bool for_rop : 1, kept_by_rop : 1;
    bool for_texture : 1; /* passes by L1: the texture unit's, which gets the reply */
    bool no_result : 1;   /* of an atomic: a reduction, whose reply only acknowledges it */

    struct Transaction *merged; /* L1, L2: the next request that waits for the same line */
    uint16_t sectors;           /* wanted sectors of the line, bit 0 = lowest address */
    uint16_t partial;           /* WRITE: of these, the sectors that are not written whole */
    uint16_t source;            /* SM that asked: the reply's port */
    uint16_t slice;             /* L2 slice that is asked: the request's port */
    uint16_t home;              /* L2 slice that has the line's DRAM channel */
    uint16_t requested_bytes;   /* asked for by lanes: 64 of 16 B, or a step's texels, at most */
    /* whoever asked knows them again in the reply: the entry for the fill, when it left, and passes
     * of the data array that its lanes take */
    uint32_t sub_request;
    Time left;
    uint64_t virtual_line;    /* as L1 knows the line */
    AtomicOperands *operands; /* of an atomic, or NULL */
    Time began, stage_began;  /* the first stage, the present one */

    /* L2's own record of it, of a type that its private header has: from its slice, by way of the
     * other half, the ROP or DRAM, to its reply. All zero in a new one. */
    _Alignas(Time) unsigned char at_l2[TRANSACTION_AT_L2];
    uint16_t passes;
    /* the stages before the present one: stage << 27, and how long it was in it */
    uint32_t passed[STAGE_WORDS];

    /* behind what every unit touches */
    uint64_t
        written[LINE_WORDS]; /* WRITE, where `partial` is not 0: bytes, bit 0 = lowest address */
    NetworkTrip trip;
} Transaction;

/* Of a word of `passed`, the stage is in its upper bits and its length below; of a longer one, with
 * this bit set, the next word has the rest. */
enum { STAGE_SHIFT = 27, STAGE_TIME_BITS = 26 };
#define STAGE_LONG (UINT32_C(1) << STAGE_TIME_BITS)

G_STATIC_ASSERT((int)STAGE_COUNT <= 32);

/* It was in no stage yet. */
static inline void transaction_begin_stages(Transaction *transaction)
{
    transaction->stages = transaction->stage_words = 0;
    transaction->stages_lost = transaction->stages_back = false;
}

/* The first stage, or one that is entered later than the last, and is another. */
void transaction_note_stage(Transaction *transaction, Stage stage, Time now);

/* The transaction is in `stage` from `now` on. A full log keeps its last stage, and says so when it
 * is accounted for. Times never decrease. */
static inline void transaction_enter(Transaction *transaction, Stage stage, Time now)
{
    if (!transaction->stages)
        transaction_note_stage(transaction, stage, now);
    else if (transaction->stage == stage)
        return;
    else if (transaction->stage_began == now)
        transaction->stage = (uint8_t)stage; /* nothing was spent in the last one */
    else
        transaction_note_stage(transaction, stage, now);
}

/* The stages of a transaction in their order. The last one's length is not known. */
typedef struct {
    const Transaction *transaction;
    const uint32_t *next;
    unsigned left;
    Time at, length;
    Stage stage;
} StageWalk;

static inline StageWalk stage_walk(const Transaction *transaction)
{
    return (StageWalk){.transaction = transaction,
                       .next = transaction->passed,
                       .left = transaction->stages,
                       .at = transaction->began};
}

/* False: there are no more. */
static inline bool stage_walk_next(StageWalk *walk)
{
    if (!walk->left) return false;
    walk->at += walk->length;
    walk->stage = (Stage)walk->transaction->stage;
    walk->length = 0;
    if (!--walk->left) return true;
    const uint32_t word = *walk->next++;
    walk->stage = (Stage)(word >> STAGE_SHIFT);
    walk->length = word & (STAGE_LONG - 1);
    if (word & STAGE_LONG) walk->length += (Time)*walk->next++ << STAGE_TIME_BITS;
    return true;
}

/* When each was entered, as time << 5 | stage: what is kept of a request that has ended. */
void transaction_stamps(const Transaction *transaction, uint64_t stamps[TRANSACTION_STAMPS]);

static inline Time stamp_time(uint64_t stamp)
{
    return stamp >> 5;
}

static inline Stage stamp_stage(uint64_t stamp)
{
    return (Stage)(stamp & 31);
}

/* No stamps, no access and no operands; nobody waits behind it. */
void transaction_init(Message *message);

/* Else it is an acknowledgement. */
static inline bool transaction_reply_has_data(const Transaction *transaction)
{
    if (transaction->type == TRANSACTION_ATOMIC) return !transaction->no_result;
    return transaction->type == TRANSACTION_READ;
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
    return transaction->began;
}

/* Fills in `written` from the lanes of `access`. Of local memory, whose layout is the load/store
 * unit's, no byte is known. */
void transaction_note_written(Transaction *transaction, uint32_t line_bytes);

/* When a reply's data was read at its slice, in the order in which the slice serves requests. */
Time transaction_read_at(const Transaction *reply);
