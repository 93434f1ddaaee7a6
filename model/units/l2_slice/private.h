/* What the files of the L2 slice share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/translation.h"
#include "parts/cache/array_ports.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/reorder_buffer.h"
#include "parts/cache/slice_cache.h"
#include "parts/cache/store_queue.h"
#include "parts/dram/timing.h"
#include "units/l2_slice/halves.h"
#include "units/l2_slice/pages.h"

/* When replies leave, and whether requests are served under outstanding misses. */
typedef enum { COMPLETION_OUT_OF_ORDER, COMPLETION_IN_ORDER, COMPLETION_BLOCKING } Completion;

/* Where the data of an evicted dirty line waits for its write. */
typedef enum { WRITTEN_SCHEDULER, WRITTEN_LINE, WRITTEN_STORE_QUEUE } WrittenData;

/* What is written back with an evicted dirty line. */
typedef enum { CLEAN_NONE, CLEAN_ROW } CleanAhead;

/* What happens to a store that does not cover whole sectors. */
typedef enum { PARTIAL_FETCH, PARTIAL_MASK, PARTIAL_BYPASS } PartialWrite;

/* A word has a bit of so many sets. */
enum { WORD_SETS = 64 };

/* Whose line it is. */
typedef enum {
    CLASS_GLOBAL,
    CLASS_LOCAL,
    CLASS_ATOMIC,
    CLASS_TEXTURE,
    CLASS_TABLE,
    CLASSES
} RequestClass;

/* What L2 keeps in a request (Transaction.at_l2). */
typedef struct {
    Time left;           /* when it left for another half */
    uint32_t reply_slot; /* its turn, where replies leave in order */
    uint8_t crossing;    /* a Crossing */
    uint8_t copies;      /* that it still has to have dropped, a bit each ... */
    uint16_t recall;     /* ... and its place among the home's invalidations */
} RequestState;

G_STATIC_ASSERT(sizeof(RequestState) <= TRANSACTION_AT_L2);

static inline RequestState *state_of(const Transaction *transaction)
{
    return (RequestState *)(void *)transaction->at_l2;
}

/* Of a fetch, by its entry. */
typedef struct {
    Time began;
    Time filled_since; /* the place, by this one; 0: it is another one's to say */
} FetchTimes;

typedef struct {
    Unit unit;
    Port from_network, from_dram, from_rop, from_mmu, from_pager;
    PortArray from_far_requests, from_far_replies;
    Channel to_reply_network, to_scheduler, to_monitor, to_rop, to_rop_data, to_mmu, to_pager;
    ChannelArray to_far_requests, to_far_replies;
    const HalvesLinks *halves;
    const DramTiming *dram;
    const LineShape *line;
    const AddressMap *address_map;

    /* of each look-up and each fill, a line of the host's cache; what few do comes behind */
    _Alignas(HOST_LINE) uint64_t hit_latency;
    uint64_t miss_latency, fill_latency, lookup_interval, load_queue_entries;
    uint32_t completion, written_data, array_ports, partial_write, clean_ahead, line_shift;
    Time port_time[SECTORS_MAX + 1]; /* in which a port moves so many sectors */
    uint64_t capacity, ways, data_bandwidth;
    uint64_t fill_bytes, pending_entries, pending_merges, candidates;
    uint64_t reply_entries, store_queue_entries, store_queue_threshold, store_data_sectors,
        clean_ways, clean_rows, write_buffer, address_bits, cross_bandwidth, cross_links,
        cross_entries, page_entries, page_requests;
    uint32_t replacement;

    /* the same: what every miss counts is a line, and what hits do the next */
    _Alignas(HOST_LINE) uint64_t accesses;
    uint64_t reads, global_accesses, misses, fills, bytes_filled, bytes_read, replies;
    uint64_t hits, load_hits, global_hits, data_busy, write_busy, refused_scheduler, refused_reply,
        merged, bytes_array_read, bytes_array_written;
    uint64_t writes, atomics, partial_writes, masked_writes, bypassed, write_backs, cleaned_ahead;
    uint64_t local_accesses, local_hits, texture_accesses, texture_hits, bytes_texture_read,
        bytes_texture_filled, atomic_hits, table_accesses, table_hits, evicted_by_other_class,
        brought, brought_back;
    uint64_t store_queue_bits, store_queue_hits, store_queue_joined, store_queue_recalled;
    uint64_t refused_set, refused_pending, refused_merge, refused_blocking, refused_order,
        refused_load_queue, refused_store_queue, refused_store_data, refused_written, refused_ports,
        refused_cross, refused_rop, refused_line;
    uint64_t bytes_written, bytes_dirtied, bytes_written_back, bytes_replaced;
    uint64_t near_hits, near_copies, near_skipped, far_reads, forwarded, far_hits, invalidations,
        crossings, bytes_crossed, rop_requests, recalls;
    uint64_t cross_busy, page_faults, page_waits, refused_page;
    _Alignas(HOST_LINE) Level queue, pending;

    Level set_fills; /* l2_slice/resources.c: this, and what few touch behind it */
    Server look_ups, read_ports, write_port;
    uint64_t lookups_per_interval, data_ports, read_port_count;
    FetchTimes *fetches;
    Level write_backs_outstanding, load_queue, store_queue, store_data, reply_queue, crossing,
        absent_pages, waiting_for_pages;
    Server request_link, reply_link;
    Level set_writes, merge_room, far_fetches, far_forwards, far_recalls;
    uint64_t lines, fetches_most, merges_most, store_data_most;
    Time *written_since; /* by place; 0: it is not */

    /* of each step */
    _Alignas(HOST_LINE) Time free_at;
    Time fill_ready; /* of the fill at the head: when its data may leave ... */
    /* for room in front of the scheduler and no more, ... */
    const Transaction *waits_for_room;
    bool load_waits;                /* ... and it is a load */
    uint64_t clean_due;             /* lines of rows to be cleaned that may be written now */
    uint32_t seen;                  /* requests in the port whose arrival has been noted */
    uint32_t admitted;              /* requests whose page has come */
    uint32_t loads, atomics_at_rop; /* in the load queue; under way there */
    bool filling,
        forwards;      /* ... it is on the array's port; the first request gets it from there */
    bool refused;      /* the head waits for something from DRAM, another half or the ROP ... */
    bool rop_refused;  /* ... and so does the ROP's request */
    bool walk_refused; /* ... and so does the MMU's */
    bool paged;        /* memory may be with the host (l2_slice/pages.c) */
    bool twins;        /* there are other halves */
    bool queues;       /* more waits in it than what is in ports: loads, stores, replies, rows */
    uint32_t queued_rows;
    ArrayPorts ports;
    ReorderBuffer order; /* completion = in_order */
    WordTable at_rop;    /* by line number: what l2_slice/rop.c knows of it */
    StoreQueue stores;   /* written_data = store_queue */
    SliceCache cache;
    EvictedTags evicted;
    MessageList queued_loads;       /* the load queue */
    uint64_t row_lines;             /* lines of the slice that share a row of DRAM */
    uint64_t clean_next, clean_end; /* of the row that is being written; equal: none */
    uint64_t *rows;                 /* that come next: their first lines, a ring */
    uint32_t first_row;
    uint64_t *unclean;              /* written_data = line: sets that have to write, a bit each; */
    uint64_t queued_sets, next_set; /* ... how many, and whose turn it is */
    Time turns_end;          /* of several look-ups in an interval, each with its share of it */
    Time last_turn;          /* in_order: when the reply before leaves */
    Time write_reach;        /* how far ahead the write port may be taken */
    FarHalf far;             /* machine.l2_halves above 1 */
    uint64_t waits_for_line; /* id of the head, for the ROP to give its line back */

    /* large, and touched now and then: behind what every event touches */
    HostedPages pages;
    Histogram fill_latency_seen;
    _Alignas(HOST_LINE) HeavyHitters hottest;
} L2Slice;

/* l2_slice/params.c: the check says which of them do not go together. */
extern const Param l2_slice_params[];
bool l2_slice_check(const L2Slice *self, GError **error);

extern const Stat l2_slice_stats[];

/* With halves, the line is at home in another one. */
static inline bool l2_slice_is_far(const L2Slice *self, const Transaction *transaction)
{
    return self->twins && transaction->home != self->unit.number;
}

/* Which of the other halves a slice is in, which is at the same place there: by it tables and
 * channels are numbered. */
static inline uint32_t l2_slice_half_of(const L2Slice *self, uint32_t slice)
{
    const uint32_t slices = (uint32_t)self->address_map->slices;
    const uint32_t on =
        slice > self->unit.number ? slice - self->unit.number : slice + slices - self->unit.number;
    return on * (uint32_t)self->address_map->halves / slices - 1;
}

/* Lines of other halves lie in the same tags; their numbers say whose they are. */
enum { FAR_SHIFT = 60 };

static inline uint64_t l2_slice_line_number(const L2Slice *self, const Transaction *transaction)
{
    const uint64_t line = transaction->local >> self->line_shift;
    if (!l2_slice_is_far(self, transaction)) return line;
    return line | (uint64_t)(l2_slice_half_of(self, transaction->home) + 1) << FAR_SHIFT;
}

/* In which a port moves the sectors. */
static inline Time l2_slice_port_time(const L2Slice *self, uint16_t sectors)
{
    return self->port_time[__builtin_popcount(sectors)];
}

static inline RequestClass l2_slice_class_of(const Transaction *transaction)
{
    if (transaction->type == TRANSACTION_ATOMIC || transaction->for_rop) return CLASS_ATOMIC;
    if (transaction->space == SPACE_LOCAL) return CLASS_LOCAL;
    if (transaction->for_walker) return CLASS_TABLE;
    return transaction->space == SPACE_TEXTURE ? CLASS_TEXTURE : CLASS_GLOBAL;
}

/* The head cannot go on before something comes back. Always false. */
bool l2_slice_refuse(L2Slice *self, uint64_t *counter);
/* ... for room in a part of the place. */
static inline bool l2_slice_refuse_part(L2Slice *self, Level *place, uint64_t *counter, Time now)
{
    level_refuse(place, now);
    return l2_slice_refuse(self, counter);
}

/* Before the sectors are written. */
void l2_slice_note_dirty(L2Slice *self, uint32_t place, uint16_t written);

/* Something came back: what was refused is tried again. */
static inline void l2_slice_resume(L2Slice *self)
{
    self->refused = self->rop_refused = self->walk_refused = false;
    if (self->twins) self->far.refused = false;
}

/* l2_slice/resources.c: what can be full, and the keeping of its books. */
extern const ResourceRow l2_slice_resources[];
extern const StorageRow l2_slice_storage[];
extern const BatchRow l2_slice_batches[];
StorageSize l2_slice_data_size(const Unit *unit, const StorageMachine *machine);
StorageSize l2_slice_tag_size(const Unit *unit, const StorageMachine *machine);
StorageSize l2_slice_pending_size(const Unit *unit, const StorageMachine *machine);
StorageSize l2_slice_store_address_size(const Unit *unit, const StorageMachine *machine);
StorageSize l2_slice_store_data_size(const Unit *unit, const StorageMachine *machine);

/* l2_slice/energy.c */
double l2_slice_energy_of_look_up(const Unit *unit, const EnergyFigures *figures);
double l2_slice_energy_of_byte(const Unit *unit, const EnergyFigures *figures);
double l2_slice_energy_of_fetch(const Unit *unit, const EnergyFigures *figures);
double l2_slice_energy_of_queue_search(const Unit *unit, const EnergyFigures *figures);
double l2_slice_energy_of_queued_line(const Unit *unit, const EnergyFigures *figures);
double l2_slice_energy_of_queued_byte(const Unit *unit, const EnergyFigures *figures);
void l2_slice_set_up_resources(L2Slice *self);

/* The tags are taken from now on. */
void l2_slice_look_up_takes(L2Slice *self, Time now);

void l2_slice_set_up_ports(L2Slice *self);

/* Occupies a port of the array from `ready` on; from when it does. */
Time l2_slice_read_port(L2Slice *self, Time ready, uint16_t sectors);
Time l2_slice_write_port(L2Slice *self, Time ready, uint16_t sectors);

/* A fetch has begun, or is about to end, by its entry. */
void l2_slice_fill_begins(L2Slice *self, uint32_t fetch, Time now);
void l2_slice_fill_ends(L2Slice *self, uint32_t fetch, Time now);

/* The place holds its data until it is written. */
void l2_slice_write_begins(L2Slice *self, uint32_t place, Time now);
void l2_slice_write_ends(L2Slice *self, uint32_t place, Time now);

/* All lines may have changed. */
void l2_slice_count_lines(L2Slice *self, Time now);

/* One more waits for a fetch that is under way; all who do go on. */
void l2_slice_join(L2Slice *self, PendingRequest *entry, Time now);
void l2_slice_part(L2Slice *self, const PendingRequest *entry, Time now);

/* l2_slice/reply.c: the data array's read side and what goes back to SMs. */

/* The reply network has room; if not, the slice is stepped again when it has. */
bool l2_slice_await_reply(L2Slice *self, Time now); /* always false */
static inline bool l2_slice_reply_ready(L2Slice *self, Time now)
{
    return channel_ready(&self->to_reply_network, now) || l2_slice_await_reply(self, now);
}

/* Room for the reply of a request that is about to be looked up: its turn, where replies leave in
 * order, else a place in the network. It is given back if the request stays. */
bool l2_slice_reserve_reply(L2Slice *self, Transaction *transaction, Time now);
void l2_slice_retract_reply(L2Slice *self);

/* Occupies a read port for the sectors from `ready` on; the reply leaves as its first one is read.
 * `forwarded`: the data comes from a fill that is on the port already. */
void l2_slice_reply(L2Slice *self, Transaction *transaction, Time ready, bool forwarded);

/* To the reply network, which has room. */
void l2_slice_send_reply(L2Slice *self, Transaction *transaction, Time ready);

/* The request is done and its reply may leave at `ready`, in its turn or at once. */
void l2_slice_complete(L2Slice *self, Transaction *transaction, Time ready);

/* Sends what is done and has its turn. */
void l2_slice_release_replies(L2Slice *self, Time now);

/* l2_slice/foresee.c: as UnitClass.foresee. */

void l2_slice_foresee(const Unit *unit, const Message *message, uint32_t port, Foresee round);
/* A request of the network has left; those behind it may have come long ago. */
void l2_slice_foresee_waiting(const L2Slice *self);

/* l2_slice/memory.c: the side of DRAM. */

void l2_slice_take_from_dram(L2Slice *self, Time now);

/* A request of the slice's own for sectors of a line. */
Transaction *l2_slice_new_memory_request(L2Slice *self, TransactionType type, uint64_t line,
                                         uint16_t sectors);
/* What goes to memory for the request that began the fetch: most reads go themselves. */
Transaction *l2_slice_fetch_for(L2Slice *self, Transaction *wanted, uint32_t index, Time now);
void l2_slice_send_to_scheduler(L2Slice *self, Transaction *request, Time now);

/* The same of the scheduler. */
bool l2_slice_await_scheduler(L2Slice *self, Time now);
static inline bool l2_slice_scheduler_ready(L2Slice *self, Time now)
{
    return channel_ready(&self->to_scheduler, now) || l2_slice_await_scheduler(self, now);
}

/* A miss finds room in the load queue or, without one, in front of the scheduler. */
bool l2_slice_has_room_for_miss(L2Slice *self, Time now);
void l2_slice_send_miss(L2Slice *self, Transaction *request, Time now);

/* What waits in queues: before a look-up what has precedence over it, after it everything that
 * may go. */
void l2_slice_serve_urgent(L2Slice *self, Time now);
void l2_slice_serve_queues(L2Slice *self, Time now);

/* l2_slice/victim.c: a place for a line, and what becomes of the data that was there. */

/* The place, now the line's, or TAG_NONE: not now. A fetch needs room for itself as well: where
 * there is none, the victim stays, clean. */
uint32_t l2_slice_allocate(L2Slice *self, const Transaction *transaction, bool fetches, Time now);

/* After a store: where lines hold written data, the set may have to write some. */
void l2_slice_keep_clean(L2Slice *self, uint32_t place);

/* Begins the writes of sets that have to. */
void l2_slice_clean_sets(L2Slice *self, Time now);

/* Writes one of the written lines of rows that are to be written, which takes a look-up. */
void l2_slice_clean_rows(L2Slice *self, Time now);

void l2_slice_count_write_back(L2Slice *self, uint16_t sectors, Time now);

/* l2_slice/near.c: requests for lines that are at home in another half. */

void l2_slice_set_up_far(L2Slice *self);

/* False when the request stays at the head of its port. */
bool l2_slice_handle_far(L2Slice *self, Transaction *transaction, Time now);
void l2_slice_take_far_replies(L2Slice *self, Time now);
/* What is being fetched from other halves is for those who wait for it only. */
void l2_slice_keep_no_copies(L2Slice *self);
/* Memory was written from outside: of other halves no copy is good any more. */
void l2_slice_accept_copies(L2Slice *self, const Boundary *boundary);

/* l2_slice/home.c: what other halves want of lines that are at home here. */

/* The half whose request is looked up next, in turn; as many as there are: none waits. */
uint32_t l2_slice_first_far(const L2Slice *self);

/* True: the reply went to another half, or makes others drop their copies first. */
bool l2_slice_reply_crosses(L2Slice *self, Transaction *transaction, Time ready);
/* To the half that asked: what it fetches, or that what it sent is done. */
void l2_slice_reply_to_twin(L2Slice *self, Transaction *transaction, Time ready);
/* The line leaves, and so do its copies in other halves. False: not now. */
bool l2_slice_recall_copies(L2Slice *self, TagLine *line, Time now);
/* A store or atomic finds room for dropping the copies of its line, before its look-up and, as
 * copies are made while it waits for its line, before it is done; the latter is asked again when
 * one has been dropped. */
bool l2_slice_may_begin_store(L2Slice *self, const Transaction *transaction);
bool l2_slice_may_end_store(L2Slice *self, const Transaction *transaction);
/* Room for one more; if not, the head waits until something comes back. */
bool l2_slice_may_cross(L2Slice *self, uint32_t under_way);
/* To a slice of another half, from `ready` on. */
void l2_slice_cross(L2Slice *self, NetworkRole way, uint32_t slice, Transaction *transaction,
                    uint32_t bytes, Time ready);
/* All have been dropped. */
void l2_slice_end_recall(L2Slice *self, const Transaction *transaction, Time now);
/* What another half dropped its copy for is back: to the next one that has to, or done. */
bool l2_slice_next_copy(L2Slice *self, Transaction *transaction, Time ready);

/* l2_slice/request.c: false when the request stays at the head of its port. */
bool l2_slice_handle(L2Slice *self, Transaction *transaction, Time now);
/* The head is a load that would be refused as it was before, for room: it need not be touched. */
bool l2_slice_load_waits(L2Slice *self, const Transaction *head, Time now);
/* The same of one that has not been counted in the queue and is at home here. */
bool l2_slice_handle_here(L2Slice *self, Transaction *transaction, Time now);
bool l2_slice_serve_hit(L2Slice *self, Transaction *transaction, uint32_t place, Time now);

/* What is counted of a request, which may have left when it is. */
typedef struct {
    TransactionType type;
    RequestClass class;
    uint16_t sectors;
    uint64_t virtual_line;
} CountedRequest;

CountedRequest l2_slice_note_request(const Transaction *transaction);
void l2_slice_count_request(L2Slice *self, const CountedRequest *request);
/* Room for what a request writes in front of the write port. */
bool l2_slice_has_write_port(L2Slice *self, const Transaction *transaction, Time now);
/* Of a load or store, or of the ROP's fetch or write-back. */
bool l2_slice_look_up(L2Slice *self, Transaction *transaction, Time now);

/* l2_slice/rop.c */

bool l2_slice_hand_to_rop(L2Slice *self, Transaction *atomic, Time now);
/* False: the ROP has the line, or atomics on it; the slice is stepped when that changes. */
bool l2_slice_has_line(L2Slice *self, const Transaction *transaction, Time now);
/* The sectors that the ROP fetched can be sent at `ready`, or what it wrote back is written. */
void l2_slice_answer_rop(L2Slice *self, Transaction *request, Time ready);
void l2_slice_take_from_rop(L2Slice *self, Time now);

/* l2_slice/walk.c: reads of the page table. */

void l2_slice_take_from_mmu(L2Slice *self, Time now);

/* l2_slice/pages.c: requests for pages that are with the host. */

void l2_slice_set_up_pages(L2Slice *self);
void l2_slice_free_pages(L2Slice *self);

/* Looks up a request of the near SMs; those whose page is absent go aside. False: none was. */
bool l2_slice_serve_with_page(L2Slice *self, Time now);
void l2_slice_take_from_pager(L2Slice *self, Time now);
