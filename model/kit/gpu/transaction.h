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
/* who had the data; PRT: merged into a miss; SHARED_L1: a request coalescer's cache */
typedef enum {
    SERVED_L1,
    SERVED_PRT,
    SERVED_SHARED_L1,
    SERVED_L2,
    SERVED_MEMORY_CACHE,
    SERVED_DRAM
} ServedBy;

enum { STAGE_WORDS = 66, TRANSACTION_STAMPS = STAGE_WORDS + 1, SECTORS_MAX = 16, LINE_WORDS = 8 };
enum { TRANSACTION_AT_L2 = 16 }; /* bytes */

/* On its way through a network of routers; the first router begins it. */
typedef struct {
    Time began;           /* came to the first router */
    Time ready;           /* may ask the present router for its output */
    Time complete;        /* its last byte is there */
    Time queued;          /* in all routers so far */
    uint16_t hops, ahead; /* links it has taken; cycles that the first of them gives it back */
    uint32_t next;        /* what it takes here, in RouterNetwork.output */
} NetworkTrip;

/* One request for (part of) a cache line. L2's own fills and write-backs are transactions too
 * (`access` NULL). */
typedef struct Transaction {
    Message message;
    Time entered;     /* for the present unit's own use: when it came */
    Time stage_began; /* the present one */
    uint8_t stage;
    uint8_t stages; /* words of `passed`, and one more; 0: it was in no stage yet */
    uint8_t type, served_by, space, hint;
    union {
        struct {
            bool stages_lost : 1; /* it was in more, or longer in one, than it can note */
            bool stages_back : 1; /* their times decrease somewhere */
            /* between an L2 slice and its ROP: the ROP's own fetch or write-back, or the slice's
             * wish to have a line back; in an atomic's result: the ROP still holds the line */
            bool for_rop : 1, kept_by_rop : 1;
            bool for_texture : 1; /* passes by L1: the texture unit's, which gets the reply */
            bool for_walker : 1;  /* reads the page table: the MMU's, which gets the reply */
            bool no_result : 1;   /* of an atomic: a reduction, whose reply only acknowledges it */
            bool bears_data : 1;  /* between halves of L2: with the data of its sectors */
            bool row_goes_on : 1; /* WRITE to DRAM: more of its row comes behind it */
            bool for_memory_cache : 1; /* a memory-side cache's own fetch or write-back */
        };
        uint16_t flags; /* all of them */
    };
    uint16_t sectors; /* wanted sectors of the line, bit 0 = lowest address */
    uint16_t source;  /* SM that asked: the reply's port */
    uint16_t slice;   /* L2 slice that is asked: the request's port */
    uint16_t home;    /* L2 slice that has the line's DRAM channel */
    /* address within the slice's DRAM channel, set by the sender into the network */
    uint64_t local;

    /* behind what networks and queues touch */
    uint64_t line;              /* byte address of the line, physical */
    uint64_t virtual_line;      /* as L1 knows the line */
    WarpAccess *access;         /* NULL: not from a warp */
    AtomicOperands *operands;   /* of an atomic, or NULL */
    struct Transaction *merged; /* L1, L2: the next request that waits for the same line */
    Time left;                  /* whoever asked knows it again in the reply: when it left */
    /* L2's own record of it, of a type that its private header has: from its slice, by way of
     * another half, the ROP or DRAM, to its reply. All zero in a new one. */
    _Alignas(Time) unsigned char at_l2[TRANSACTION_AT_L2];

    Time began;               /* the first stage */
    uint16_t passes;          /* of the data array that its lanes take, on the way back as well */
    uint16_t partial;         /* WRITE: of `sectors`, those that are not written whole */
    uint16_t requested_bytes; /* asked for by lanes: 64 of 16 B, or a step's texels, at most */
    uint16_t coalesced; /* READ, of a request coalescer: where others join it, and 1; 0: nowhere */
    /* The stages before the present one: stage << 27, and how long it was in it. A full log tells
     * what is long ago by stage. */
    uint32_t passed[STAGE_WORDS];

    /* behind what every request touches */
    union {
        uint64_t
            written[LINE_WORDS]; /* WRITE, if any is `partial`: bytes, bit 0 = lowest address */
        Time read_at; /* SERVED_SHARED_L1, for the coherence monitor: transaction_read_at */
    };
    NetworkTrip trip;
} Transaction;

/* Of a word of `passed`, the stage is in its upper bits and its length below; of a longer one, with
 * this bit set, the next word has the rest. There, too, is the highest bit of a stage that has not
 * room above: it always takes two words, and is left by transaction_enter_slowly. */
enum { STAGE_SHIFT = 27, STAGE_TIME_BITS = 26, STAGES_IN_WORD = 32, STAGE_REST_BITS = 31 };
#define STAGE_LONG (UINT32_C(1) << STAGE_TIME_BITS)

G_STATIC_ASSERT((int)STAGE_COUNT <= 2 * STAGES_IN_WORD);

/* What stage_began is then: whatever the time is, what has passed since takes more than a word. */
#define BEFORE_ALL_STAGES (TIME_NEVER / 2 + 1)

/* It was in no stage yet. */
static inline void transaction_begin_stages(Transaction *transaction)
{
    transaction->stages = 0;
    transaction->stage_began = BEFORE_ALL_STAGES;
    transaction->stages_lost = transaction->stages_back = false;
}

/* The first stage of one that has just begun its stages. */
static inline void transaction_enter_first(Transaction *transaction, Stage stage, Time now)
{
    transaction->began = transaction->stage_began = now;
    transaction->stage = (uint8_t)stage;
    transaction->stages = 1;
}

/* The first stage, one after a long one or after one that has not room in a word (STAGE_PAGE and
 * those behind it), or one that there is no room for; any other, too. */
void transaction_enter_slowly(Transaction *transaction, Stage stage, Time now);

/* The transaction is in `stage` from `now` on. Times never decrease. */
static inline void transaction_enter(Transaction *transaction, Stage stage, Time now)
{
    const Time length = now - transaction->stage_began;
    if (!length) { /* nothing was spent in the present one */
        transaction->stage = (uint8_t)stage;
        return;
    }
    const size_t stages = transaction->stages;
    if (stages > STAGE_WORDS || length >= STAGE_LONG) {
        transaction_enter_slowly(transaction, stage, now);
        return;
    }
    if (transaction->stage == stage) return;
    transaction->passed[stages - 1] =
        (uint32_t)transaction->stage << STAGE_SHIFT | (uint32_t)length;
    transaction->stages = (uint8_t)(stages + 1);
    transaction->stage_began = now;
    transaction->stage = (uint8_t)stage;
}

/* A stage that it was in before the present one. */
typedef struct {
    uint32_t stage;
    Time length;
} PassedStage;

/* From `*next`, which is behind it then: of `passed`, up to transaction_passed_end. */
static inline PassedStage passed_stage_read(const uint32_t **next)
{
    const uint32_t word = *(*next)++;
    PassedStage passed = {word >> STAGE_SHIFT, word & (STAGE_LONG - 1)};
    if (word & STAGE_LONG) {
        const uint32_t rest = *(*next)++;
        passed.stage += (rest >> STAGE_REST_BITS) * STAGES_IN_WORD;
        passed.length += (Time)(rest & INT32_MAX) << STAGE_TIME_BITS;
    }
    return passed;
}

static inline const uint32_t *transaction_passed_end(const Transaction *transaction)
{
    return transaction->passed + MAX(transaction->stages, 1) - 1;
}

/* Where the one begins that ends at `end`, and may be of two words. */
const uint32_t *passed_stage_begin(const Transaction *transaction, const uint32_t *end);

/* The one that ends at `*end`, which is where it begins then. */
static inline PassedStage passed_stage_read_back(const Transaction *transaction,
                                                 const uint32_t **end)
{
    const uint32_t *last = *end - 1;
    if (last != transaction->passed && last[-1] & STAGE_LONG) {
        const uint32_t *begin = *end = passed_stage_begin(transaction, *end);
        return passed_stage_read(&begin);
    }
    *end = last;
    return (PassedStage){*last >> STAGE_SHIFT, *last & (STAGE_LONG - 1)};
}

/* The stages of a transaction in their order. The last one's length is not known. */
typedef struct {
    const uint32_t *next, *end; /* NULL: there are no more */
    Time at, length;
    uint8_t stage, last;
} StageWalk;

static inline StageWalk stage_walk(const Transaction *transaction)
{
    return (StageWalk){.next = transaction->stages ? transaction->passed : NULL,
                       .end = transaction_passed_end(transaction),
                       .at = transaction->began,
                       .last = transaction->stage};
}

/* False: there are no more. */
static inline bool stage_walk_next(StageWalk *walk)
{
    if (!walk->next) return false;
    walk->at += walk->length;
    const bool passed = walk->next != walk->end;
    const PassedStage stage =
        passed ? passed_stage_read(&walk->next) : (PassedStage){walk->last, 0};
    if (!passed) walk->next = NULL;
    walk->stage = (uint8_t)stage.stage;
    walk->length = stage.length;
    return true;
}

/* When each was entered, as time << 6 | stage: what is kept of a request that has ended. Returns
 * how many. */
unsigned transaction_stamps(const Transaction *transaction, uint64_t stamps[TRANSACTION_STAMPS]);

static inline Time stamp_time(uint64_t stamp)
{
    return stamp >> 6;
}

static inline Stage stamp_stage(uint64_t stamp)
{
    return (Stage)(stamp & 63);
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
static inline TransactionType transaction_type(const Instruction *instruction)
{
    if (instruction->operation == OPERATION_STORE) return TRANSACTION_WRITE;
    return instruction->operation == OPERATION_ATOMIC ? TRANSACTION_ATOMIC : TRANSACTION_READ;
}

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

/* When a reply's data, or the oldest of it, was read at its slice, in the order in which the slice
 * serves requests. */
Time transaction_read_at(const Transaction *reply);
