/* What the files of the L1 unit share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/line_request.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/store_notice.h"
#include "kit/gpu/texture.h"
#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/address/translation_queue.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/pending_request_table.h"
#include "parts/cache/tag_array.h"
#include "parts/sm/bank_arbiter.h"
#include "parts/sm/coalescer.h"
#include "parts/sm/write_port.h"

typedef enum {
    CACHED_ALL,
    CACHED_LOCAL,
    CACHED_LOCAL_AND_READ_ONLY,
    CACHED_READ_ONLY,
    CACHED_NONE
} CachedMode;
typedef enum { ACCESS_PARALLEL, ACCESS_SERIAL } AccessOrder;
typedef enum { TAG_BANK_XOR, TAG_BANK_MODULO } TagBankIndex;
typedef enum { SELECT_ONE_HOT, SELECT_ENCODED } WaySelect;
typedef enum { PASSING_ARRAY, PASSING_BESIDE } PassingData;
typedef enum { CHECK_ON_MISS, CHECK_FIRST } ResourceCheck;
typedef enum { RETURN_OUT_OF_ORDER, RETURN_IN_ORDER } ReturnOrder;
typedef enum { FETCH_SECTORS, FETCH_LINE } FetchUnit;
typedef enum { PARTIAL_MASKED, PARTIAL_FETCH_FIRST } PartialStore;
/* Of the data array, for what writes it; unbounded: loads and shared memory have the only one. */
typedef enum { ARRAY_UNBOUNDED, ARRAY_1R1W, ARRAY_1RW } ArrayPortsOfL1;
typedef enum { FULL_LINE_BYPASS, FULL_LINE_ALLOCATE } FullLineStore;
typedef enum { GLOBAL_THROUGH, GLOBAL_BACK } GlobalWrite;
typedef enum { GLOBAL_ALLOCATE_NO, GLOBAL_ALLOCATE_PARTIAL, GLOBAL_ALLOCATE_YES } GlobalAllocate;

typedef enum { OWNER_LOAD_STORE, OWNER_TEXTURE } Owner; /* whose line it is */

/* A place of the write data buffer: until when its data is there. */
typedef struct {
    Time entered, leaves;
} BufferedStore;

/* For a later step: a reply that waits for the array's port; lines that the SM wants in L2. */
enum { FILLS_LEFT = 1, ORDER_LEFT = 2 };

/* Lines of which is known that they were asked for since an access was refused. */
enum { FETCHED_LAST = 4 };

/* What came of an access in one pass. */
typedef enum { SERVED_NOTHING, SERVED_PARTLY, SERVED_WHOLLY } Served;

/* What L1 keeps in an access that it has (WarpAccess.own). What the arbiter looks at is a line of
 * the host's cache. */
typedef struct {
    Time replay_at;   /* TIME_NEVER: when something has changed */
    uint32_t changes; /* of L1, when it was refused */
    uint32_t fetches; /* ... and of these, if a line was `absent` that it could not ask for */
    /* Of a load that replays its misses: lines that are here, in order of their return. */
    Transaction *first_back;
    Time served_at, refused_at; /* TIME_NEVER: not yet */
    Time buffered_at;
    uint32_t passes;    /* data array passes of all lanes together */
    uint32_t next;      /* lines or passes accepted */
    uint16_t conflicts; /* cycles more than without two lines or words in one bank */
    uint16_t missing;   /* lines asked for that a replay has not read yet */
    bool waits;         /* all its lines have been looked up */
    bool shared;        /* of shared memory */
    bool stores;        /* no load */
    bool absent;        /* its next line, which the way to L2 had no room for */
    Time arrived;
} AccessState;

G_STATIC_ASSERT(sizeof(AccessState) <= ACCESS_OWN);
G_STATIC_ASSERT(offsetof(WarpAccess, own) % HOST_LINE == 0);
G_STATIC_ASSERT(offsetof(AccessState, arrived) <= HOST_LINE);

/* When it comes to the arbiter is known; else it has been refused, and comes when something has
 * changed, or waits for its lines. */
static inline bool l1_is_timed(const AccessState *state)
{
    return state->replay_at != TIME_NEVER || state->first_back;
}

static inline AccessState *state_of(const WarpAccess *access)
{
    return (AccessState *)(void *)access->own;
}

typedef struct {
    Unit unit;
    Port from_load_store, from_texture, from_texture_misses, from_reply_network, from_mmu, from_sm;
    Channel to_request_network, to_sm, to_sm_shared, to_sm_notices, to_mmu, to_monitor, to_texture,
        to_texture_fills;
    const LineShape *line;
    const LineFit *fit;
    const AddressMap *address_map;
    const Frames *pages;

    /* of each pass */
    _Alignas(HOST_LINE) uint64_t shared_latency;
    uint64_t data_ports, lookup_interval, lookups_per_interval, replay_entries, replay_latency,
        replay_interval, register_ports;
    uint32_t resource_check, set_index, replacement, cached, access_order, way_select, return_order,
        array_ports, passing_data, fetch, global_partial, local_full_line, tag_bank_index;
    bool overlap, ideal_banks, shared_pairs, miss_replay;
    bool several; /* accesses may be served in a cycle, or look-ups in an interval */
    uint64_t data_backlog, hit_latency, miss_latency, store_latency, miss_interval, serial_latency,
        misses_per_interval, tlb_hit_latency;
    uint64_t capacity, sets, ways, tag_banks, data_banks, data_bank_bytes, shared_banks,
        shared_bank_bytes, prt_entries, prt_merges, write_buffer_entries, candidates,
        scattered_bytes;
    uint64_t tlb_entries, tlb_ways, tlb_entry_bytes, tlb_pending;
    uint32_t global_write, global_allocate;

    /* of each pass, each look-up, each reply; what few do comes behind */
    _Alignas(HOST_LINE) uint64_t array_reads;
    uint64_t data_passes, replays, wasted_replays, register_lanes, shared_accesses, shared_passes,
        shared_reads, shared_writes, conflict_cycles, bytes_array_read, bytes_shared_read,
        bytes_shared_written;
    uint64_t accesses, hits, misses, merged, wavefronts, tlb_hits, requests, bytes_to_network;
    uint64_t replies, fills, array_writes, line_transactions, bytes_requested, bytes_from_network,
        writes, write_hits, bytes_array_written, bytes_stored;
    uint64_t local_writes, store_fetches, write_backs, atomics, invalidations, dropped_dirty,
        bytes_local, write_passes, replayed_lines, held_in_order, register_writes, cancelled_writes,
        refused_registers, tlb_misses, tlb_merged, global_write_backs, cleaned, flushed;
    uint64_t brought, brought_back;
    uint64_t texture_accesses, texture_hits, texture_misses, texture_merged, texture_requests,
        texture_replies, texture_refused, texture_bytes, texels_evicted, evicted_by_texels;
    uint64_t refused_set, refused_prt, refused_merge, refused_write_buffer, refused_network,
        refused_tlb, refused_mmu, refused_room; /* in the order of Refusal */
    uint64_t merges_most;                       /* of all entries of the PRT together */
    _Alignas(HOST_LINE) Server arbiter;
    Server data_array, conflicts, miss_port;
    Level queue, replay_room, prt, merge_room, texture_queue, write_buffer, write_room,
        stores_outstanding, translating;
    Server array_write, texture_port, result_bus;

    /* of each step */
    _Alignas(HOST_LINE) MessageList buffered; /* the instruction buffer, oldest first */
    uint32_t in_buffer, timed; /* ... of these, of which is known when they come to the arbiter */
    Refusal left_refused;      /* of the access that left the buffer last */
    Message *asleep;  /* of the buffer: the last of the oldest ones that were refused since ... */
    uint32_t changes; /* ... a reply or credit came, after which they are tried again */
    uint32_t translated;        /* ... the last translation came */
    Time tag_free;              /* when they take the next */
    Time vain_from;             /* each cycle one of the buffer comes to the arbiter in vain */
    Time left_from, left_until; /* ... but for these retries, not yet counted; 0: none are left */
    uint32_t seen, reads_seen;  /* accesses in their ports whose arrival has been noted */
    uint32_t requests_seen;     /* the same of requests */
    uint32_t leaving_count;
    bool network_full, mmu_full; /* it had no room: the credit will wake us */
    bool load_waits;             /* one was refused for the network: a place is left to it */
    bool load_went;              /* ... and has taken it while stores waited: it is their turn */
    uint8_t left;                /* FILLS_LEFT, ORDER_LEFT */
    bool translated_waits;       /* a line whose translation has come, for the network */
    bool buffer_refused;         /* an access since a place was free last */
    bool texture_next; /* of accesses, the texture unit's is taken before the load/store's */
    MessageList queued_writes; /* the write data buffer */
    uint32_t stuck_since;      /* `changes` when its head could not go */
    /* What L1's own could not have of the way to L2 (which counter of refusals): the access that
     * was refused last, until it is tried again, and the head of the write data buffer. */
    const WarpAccess *claimant;
    const uint64_t *claim, *write_claim;
    uint64_t turn_rest[2]; /* cycles x turns not yet spent: of look-ups, of shared memory */
    uint64_t rest_before;  /* ... before the last turn, which may be given back */
    Time array_backlog; /* that the data array may be behind the tags, the rest of a cycle included
                           in which further ports are free */

    EvictedTags evicted; /* which lines have gone */
    uint64_t hit_cycles; /* hit_latency, and what serial access adds to it */
    Time depart_free;    /* when the way to L2 takes the next */
    Time returned,
        texture_returned; /* the last value on its way to the registers, the texture unit */
    Time *read_at;        /* at its slice, each sector of each line; NULL: nobody wants to know */
    /* of each line: bytes of global stores that are in it; if they are dirty, L2 lacks them. NULL:
     * all are written through, and have no place */
    uint64_t *bytes;
    DataBanks cache_array, shared_array;
    uint32_t oldest_miss, youngest_miss; /* PRT entries in order of request */
    BufferedStore *leaving; /* a ring: data on its way to the array or the network, in order */
    uint32_t leaving_first, writes_waiting, writes_reserved;
    uint64_t tag_seed;
    uint32_t kernels;    /* that run */
    uint32_t words;      /* of `bytes`, in a line */
    uint32_t kept;       /* lines with bytes of global stores that L2 lacks */
    uint32_t going;      /* write-backs that L2 has not acknowledged */
    uint32_t clean_from; /* where the walk for the order is */
    StoreNotice *order;  /* the SM's, to write all of them back; or NULL */
    bool texture_went;   /* the last that took the way to L2 was a request of the texture unit */
    bool texture_yields; /* the next one of them leaves it to L1's own */
    bool texture_behind; /* ... comes behind what L1 keeps of its line, or has in its buffer */
    uint32_t texture_changes; /* `changes` when it was refused */
    TagArray tags;
    PendingRequestTable table;
    uint32_t fetches;               /* lines that got a place in one of these two */
    uint32_t fetched[FETCHED_LAST]; /* ... the last of them: low bits of their addresses */
    TranslationQueue translations;
    WritePort write_port; /* of the registers, where its ports are bounded */

    /* large, and touched now and then: behind what every event touches */
    Histogram miss_latency_seen;
    StageSums stages_load_l1_hit, stages_load_merged, stages_load_shared_l1, stages_load_l2_hit,
        stages_load_memory_cache, stages_load_dram, stages_store, stages_atomic, stages_shared;
} L1;

extern const Param l1_params[];
extern const Stat l1_stats[];
extern const ResourceRow l1_resources[];
extern const StorageRow l1_storage[];
StorageSize l1_data_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_shared_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_tag_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_prt_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_write_buffer_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_instruction_buffer_size(const Unit *unit, const StorageMachine *machine);
StorageSize l1_tlb_size(const Unit *unit, const StorageMachine *machine);

/* Lines know which bytes global stores have brought. */
static inline bool l1_keeps_bytes(const L1 *self)
{
    return self->global_write != GLOBAL_THROUGH || self->global_allocate != GLOBAL_ALLOCATE_NO;
}

/* Tags of a set, of an L1 that holds so many lines. */
static inline uint64_t l1_ways(const L1 *self, uint64_t lines)
{
    return self->ways ? MAX(self->ways, (lines + self->sets - 1) / self->sets) : lines / self->sets;
}

static inline uint64_t line_number(const L1 *self, uint64_t address)
{
    return address >> __builtin_ctz(self->line->line_bytes);
}

static inline uint16_t all_sectors(const L1 *self)
{
    return (uint16_t)((1u << (self->line->line_bytes / self->line->sector_bytes)) - 1);
}

/* The line may be here, or be asked for, from now on. */
static inline void l1_note_fetched(L1 *self, uint64_t line)
{
    self->fetched[self->fetches++ % FETCHED_LAST] = (uint32_t)line;
}

/* In the ports; as far as they have been seen, that is all. */
static inline bool l1_any_access(const L1 *self)
{
    return self->seen || self->reads_seen;
}

/* Whoever was refused may be served now. */
static inline void l1_note_change(L1 *self)
{
    self->changes++;
    self->asleep = NULL;
}

static inline uint64_t sector_bytes_of(const L1 *self, uint16_t sectors)
{
    return (uint64_t)__builtin_popcount(sectors) * self->line->sector_bytes;
}

/* Of a reply, whose sectors are those of L2. */
static inline uint64_t reply_bytes_of(const L1 *self, const Transaction *reply)
{
    return (uint64_t)__builtin_popcount(reply->sectors) * self->fit->sector_bytes;
}

/* --- l1.c --- */

/* A line of the access as a transaction that is looked up now. */
Transaction *l1_new_transaction(L1 *self, WarpAccess *access, const AccessLine *line, Time now);

/* A request of L1's own: a fetch for a store, or a write-back. */
Transaction *l1_new_request(L1 *self, uint64_t line, TransactionType type, Time now);

/* The line's part of the access is done; the last one lets the access go back to the SM. */
void l1_complete(L1 *self, Transaction *transaction, Time ready);

/* What came of the access until it was here. */
static inline void l1_enter_first_stages(const WarpAccess *access, Transaction *transaction)
{
    const bool samples = instruction_samples(&access->instruction);
    transaction_enter_first(transaction, STAGE_ISSUE, access->issued);
    transaction_enter(transaction, samples ? STAGE_TEXTURE_QUEUE : STAGE_L1_QUEUE, access->reached);
    transaction_enter(transaction, samples ? STAGE_TEXTURE_TAG : STAGE_COALESCE, access->began);
    if (samples)
        transaction_enter(transaction, STAGE_L1_QUEUE, ((const TextureFetch *)access)->ready);
    transaction_enter(transaction, STAGE_L1_QUEUE, state_of(access)->arrived);
}

/* --- l1/passes.c --- */

/* Finds the wavefronts and data array passes of an access that has come. */
void l1_arrange(const L1 *self, WarpAccess *access);

/* --- l1/arbiter.c --- */

void l1_step(Unit *unit, Time now);

/* The line will be looked up soon. */
void l1_foresee_look_up(const L1 *self, uint64_t line);

/* Not now: the access is tried again when something has changed. Returns SERVED_NOTHING. */
Served l1_refuse(L1 *self, WarpAccess *access, uint64_t *counter, Time now);

/* --- l1/registers.c --- */

/* Values of `passes`, which follow each other, the first ready for the registers at `ready`. */
typedef struct {
    const Channel *channel; /* to the registers */
    Time ready;
    uint32_t passes;
} Values;

/* Books the registers' port for an access that is to be accepted now. False: it is taken then, and
 * the access comes again so much later. */
bool l1_book_registers(L1 *self, WarpAccess *access, const Values *values, Time now);

/* What was booked for values that do not come: only the first `passes` of them do. */
void l1_cancel_registers(L1 *self, const Values *values, uint32_t passes);

/* Values that nothing was booked for, after the first `booked`: returns when the last one can be
 * sent to the registers. */
Time l1_find_registers(L1 *self, const Values *values, uint32_t booked, Time now);

/* The registers of the instruction's active lanes are written. */
void l1_count_lanes(L1 *self, const Instruction *instruction);

/* --- l1/load.c --- */

/* Looks up the next wavefront of a load. */
Served l1_load(L1 *self, WarpAccess *access, Time now);

/* Reads the line that came back first for an access that replays its misses. */
Served l1_read_back(L1 *self, WarpAccess *access, Time now);

/* Values that passes of the array from now on bring to the registers; of texels none. */
Values l1_values_of(const L1 *self, const WarpAccess *access, uint32_t passes, Time now);

/* Is the line cached for such an instruction? */
bool l1_caches(const L1 *self, const Instruction *instruction);

/* Data of the line waits there for the way to L2. */
bool l1_is_in_write_buffer(const L1 *self, uint64_t line);

/* The table has an entry, the line is not in the write data buffer, and the way to L2 is free;
 * otherwise the access is refused. */
bool l1_may_fetch(L1 *self, WarpAccess *access, uint64_t line, Time now);

/* A place for the line, its dirty victim in the write data buffer; TAG_NONE: refused. */
uint32_t l1_allocate(L1 *self, WarpAccess *access, uint64_t line, uint32_t present, Time now);

/* Asks L2 for sectors of a line; the transaction is the first that waits for them. The caller has
 * seen room in the table and that nothing is in the way. Returns the PRT entry. */
uint32_t l1_fetch(L1 *self, Transaction *transaction, uint32_t place, uint16_t sectors, Time now);

/* One more waits for the entry's sectors. */
static inline void l1_join(L1 *self, PendingRequest *entry, Time now)
{
    entry->merged++;
    entry->joined += now;
    level_enter(&self->merge_room, now);
}

/* --- l1/fill.c --- */

void l1_take_replies(L1 *self, Time now);

/* --- l1/store.c --- */

/* Takes the next line of a store, reduction or atomic. */
Served l1_store(L1 *self, WarpAccess *access, Time now);
bool l1_write_room(const L1 *self);
Served l1_refuse_room(L1 *self, WarpAccess *access, Time now);

/* Data that entered the write data buffer and leaves it for the array or the network, behind those
 * before it. */
void l1_leave_buffer(L1 *self, Time entered, Time leaves, Time now);

/* Places whose data has left are free. */
void l1_free_places(L1 *self, Time now);

void l1_write_back(L1 *self, uint32_t launch, uint32_t place, Time now);
void l1_end_write_back(L1 *self, Transaction *transaction, Time now);
void l1_drain_writes(L1 *self, Time now); /* where some wait */

/* A load or fetch finds the way to L2 blocked. */
void l1_refuse_way(L1 *self, WarpAccess *access, uint64_t *counter, Time now);

/* The fetch that a store waited for is here: its bytes are merged. */
void l1_finish_store(L1 *self, Transaction *waiting, uint32_t place, Time now);

/* --- l1/keep.c: only where there are `bytes` --- */

/* A line has the store's bytes; where they are written back, L2 lacks them. */
void l1_keep_bytes(L1 *self, const Transaction *store, uint32_t place, Time now);
void l1_forget_bytes(L1 *self, uint32_t place);

/* The write-back of the place has its bytes, which are clean then, or gone if their sector is not
 * there. False: it is of local memory. */
bool l1_take_bytes(L1 *self, Transaction *write_back, uint32_t place);

/* Of the sectors that a load lacks, those of which it wants bytes that no store has brought. */
uint16_t l1_lacks(const L1 *self, const WarpAccess *access, const AccessLine *line, uint32_t place,
                  uint16_t lacking);

/* What passes L1 by finds in L2 what L1 has of its line, which goes there first. True: it has to
 * wait, and is refused. */
bool l1_flush_first(L1 *self, WarpAccess *access, uint64_t line, Time now);

/* The same of a request of the texture unit, which also waits for what is in the write data buffer:
 * for a change. */
bool l1_holds_back(L1 *self, const Transaction *request, Time now);

/* Writes a line back for the SM's order; is there something to do now? */
void l1_clean(L1 *self, Time now);
bool l1_cleans(const L1 *self);

/* --- l1/texture.c --- */

/* Requests of the texture unit's own cache, on their way to L2: they have come; they go on. */
void l1_note_requests(L1 *self, Time now);
void l1_pass_requests(L1 *self, Time now);

/* When the next of them may be taken, or TIME_NEVER. */
Time l1_next_request(const L1 *self, Time now);

void l1_return_request(L1 *self, Transaction *reply, Time now);

/* A line of a read for the texture unit is here by `ready`; the last one lets it go back. */
void l1_complete_read(L1 *self, Transaction *transaction, Time ready);
