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

enum { TRANSACTION_STAMPS = 40, SECTORS_MAX = 16, LINE_WORDS = 8 };
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
    WarpAccess *access;         /* NULL: not from a warp */
    AtomicOperands *operands;   /* of an atomic, or NULL */
    uint64_t virtual_line;      /* as L1 knows the line */
    struct Transaction *merged; /* L1, L2: the next request that waits for the same line */
    uint16_t sectors;           /* wanted sectors of the line, bit 0 = lowest address */
    uint16_t partial;           /* WRITE: of these, the sectors that are not written whole */
    uint16_t source;            /* SM that asked: the reply's port */
    uint16_t slice;             /* L2 slice that is asked: the request's port */
    uint16_t home;              /* L2 slice that has the line's DRAM channel */
    uint16_t requested_bytes;   /* asked for by lanes: 64 of 16 B, or a step's texels, at most */
    uint8_t type, served_by, space, hint;
    uint8_t stamp_count;
    bool stamps_lost : 1; /* it was in more stages than `stamps` holds */
    /* between an L2 slice and its ROP: the ROP's own fetch or write-back, or the slice's wish to
     * have a line back; in an atomic's result: the ROP still holds the line */
    bool for_rop : 1, kept_by_rop : 1;
    bool for_texture : 1; /* passes by L1: the texture unit's, which gets the reply */
    bool no_result : 1;   /* of an atomic: a reduction, whose reply only acknowledges it */
    /* whoever asked knows them again in the reply: passes of the data array that its lanes take,
     * the entry for the fill, and when it left */
    uint16_t passes;
    uint32_t sub_request;
    Time left;
    Time entered; /* for the present unit's own use: when it came */
    /* L2's own record of it, of a type that its private header has: from its slice, by way of the
     * other half, the ROP or DRAM, to its reply. All zero in a new one. */
    _Alignas(Time) unsigned char at_l2[TRANSACTION_AT_L2];
    /* time << 5 | stage: when each stage was entered; the first is the beginning */
    uint64_t stamps[TRANSACTION_STAMPS];
    /* behind what every unit touches */
    uint64_t
        written[LINE_WORDS]; /* WRITE, where `partial` is not 0: bytes, bit 0 = lowest address */
    NetworkTrip trip;
} Transaction;

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
    return stamp_time(transaction->stamps[0]);
}

/* Fills in `written` from the lanes of `access`. Of local memory, whose layout is the load/store
 * unit's, no byte is known. */
void transaction_note_written(Transaction *transaction, uint32_t line_bytes);

/* When a reply's data was read at its slice, in the order in which the slice serves requests. */
Time transaction_read_at(const Transaction *reply);
