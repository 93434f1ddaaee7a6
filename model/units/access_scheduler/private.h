/* What the files of the memory access scheduler share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/dram_commands.h"
#include "parts/dram/row_sorter.h"
#include "parts/sm/coalescer.h"

typedef enum {
    POLICY_IN_ORDER,
    POLICY_FIFO,
    POLICY_FR_FCFS,
    POLICY_FR_FCFS_AGE,
    POLICY_SORTER_STORE
} SchedulerPolicy;

typedef enum { PAGE_OPEN, PAGE_CLOSED, PAGE_ADAPTIVE } PagePolicy;

enum { READS, WRITES, DIRECTIONS };

/* A write that has left the store, whose columns may still lie ahead. */
typedef struct {
    uint64_t line, last_column;
    uint32_t sectors; /* that it has whole */
} DecidedWrite;

/* Of a bank set: whether it pays to leave a row open that nobody waits for. */
typedef struct {
    uint32_t row;       /* the last one */
    uint8_t confidence; /* 0..3, a saturating counter; from 2 on the row stays open */
    bool left;          /* nobody waited for the row when its last request had been served */
} RowHistory;

typedef struct {
    RowRequest *request; /* NULL: none */
    uint64_t at;         /* its columns can go, or not before */
    uint64_t holds;      /* ... which is true until the present is behind this cycle */
    uint32_t sequence;   /* its own */
    bool open;           /* its row is */
    bool certain;
    bool goes_first; /* in the first cycle of any */
} Candidate;

/* The best of all bank sets, and after which changes of the channel. */
typedef struct {
    Candidate best;
    uint64_t changes;
    uint64_t column;       /* where its columns can go; 0: that was not worked out */
    uint64_t column_holds; /* ... until the present is behind this cycle */
} Favourite;

/* The row whose requests are served one behind the other. */
typedef struct {
    SortedRow *row; /* NULL: none, or none left */
    uint64_t length;
} RowRun;

/* What a request is for. */
typedef enum {
    FOR_L2,
    FOR_CODES, /* nobody waits for it */
    FOR_MERGE  /* a read of what a write changes in part; the write is its owner */
} Purpose;

/* What a request is for, and of which line. */
typedef struct {
    Transaction *owner; /* NULL: nobody's */
    uint64_t line;
    uint32_t sectors; /* of a write: that it has whole */
    uint8_t purpose;  /* a Purpose */
    bool moves_codes; /* a burst of codes is among its own */
} RequestFor;

/* A request of the scheduler's own, or a write whose rest has been read. */
typedef struct {
    DramAccess access;
    RequestFor what;
} OwnRequest;

/* A burst of codes that is kept. */
typedef struct {
    uint64_t at; /* its first byte */
    uint64_t used;
    bool changed;
} EccEntry;

typedef struct {
    Unit unit;
    Port from_l2;
    Channel to_dram;
    const DramTiming *dram;
    const LineShape *line;

    /* what every request asks about comes first */
    uint32_t policy, page_policy;
    uint64_t drain_high, drain_low, drain_idle, patience, window;
    uint64_t read_entries, read_sets, read_ways, write_entries, write_sets, write_ways;
    uint64_t horizon, row_burst, ecc_entries;

    uint64_t reads, row_hits, row_misses, row_conflicts, row_closes, writes, turnarounds;
    uint64_t drains, idle_drains, refused_reads, refused_writes, refused_rows, out_of_patience;
    uint64_t forwarded, bytes_written, bytes_forwarded, bytes_overfetched, bytes_masked;
    uint64_t ecc_reads, ecc_writes, ecc_hits, merges, own_requests, bytes_ecc_read,
        bytes_ecc_written;
    Level reads_waiting, writes_waiting;

    Level read_rows, write_rows; /* that have requests */
    uint64_t read_rows_most, write_rows_most;

    uint64_t look_ahead; /* cycles the data bus is booked ahead at most ... */
    uint64_t look_again; /* ... and at least, when requests wait */
    uint64_t last_column;
    uint32_t sequence;
    uint32_t own_count;
    uint32_t first_decided, decided_count;
    bool draining, idle_drain, last_was_write;
    bool refused;    /* the first in the port, or an own request, has been counted */
    bool head_waits; /* the first in the port, or an own request, until one has been served */

    DramState state;
    RowSorter sorter[DIRECTIONS];
    Favourite favourite[DIRECTIONS];
    DramOutlook outlook[DIRECTIONS];
    RowRun run[DIRECTIONS];
    DramMap map;
    RowHistory *history;   /* [bank set], for PAGE_ADAPTIVE */
    DecidedWrite *decided; /* ring */
    uint32_t decided_room;

    EccEntry *codes; /* [ecc_entries] */
    OwnRequest *own; /* that wait for a place in the stores, in order */
    uint64_t ecc_uses;
    uint32_t ecc_kept;

    /* large, and touched now and then: behind what every event touches */
    Histogram wait;
    BankCounts bank_conflicts;
} AccessScheduler;

extern const StorageRow access_scheduler_storage[];
double access_scheduler_energy_of_read(const Unit *unit, const EnergyFigures *figures);
double access_scheduler_energy_of_codes(const Unit *unit, const EnergyFigures *figures);
double access_scheduler_energy_of_write(const Unit *unit, const EnergyFigures *figures);
double access_scheduler_energy_of_byte_written(const Unit *unit, const EnergyFigures *figures);
double access_scheduler_energy_of_byte_forwarded(const Unit *unit, const EnergyFigures *figures);

static inline Time scheduler_time_of(const AccessScheduler *self, uint64_t cycle)
{
    return cycle * self->unit.clock->period;
}

static inline Level *access_scheduler_rows(AccessScheduler *self, bool write)
{
    return write ? &self->write_rows : &self->read_rows;
}

/* access_scheduler/take.c: from the port into the stores; reads of what waits to be written are
 * answered at once. */
void access_scheduler_take_all(AccessScheduler *self, Time now);
uint32_t access_scheduler_bursts_of(const AccessScheduler *self, uint32_t sectors);

/* Of so many sectors. */
static inline uint32_t access_scheduler_bytes(const AccessScheduler *self, uint32_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors) * self->line->sector_bytes;
}

/* The bursts that hold the wanted sectors: a sector smaller than a burst costs a whole one. */
static inline uint32_t access_scheduler_bursts(const AccessScheduler *self, uint32_t sectors)
{
    const bool same = self->line->sector_bytes == self->dram->burst_bytes;
    return same ? sectors : access_scheduler_bursts_of(self, sectors);
}

static inline void access_scheduler_accept(AccessScheduler *self, Time now)
{
    if (self->own_count || (self->from_l2.count && !self->head_waits))
        access_scheduler_take_all(self, now);
}

/* False: there is no room. */
bool access_scheduler_store(AccessScheduler *self, const DramAccess *access, const RequestFor *what,
                            Time now);

/* Where the line of a request lies. */
uint64_t access_scheduler_request_line(const AccessScheduler *self, const RowRequest *request);

/* access_scheduler/ecc.c */

/* A write for each read that it had to wait for, and two bursts of codes for the one that comes
 * into the stores. */
static inline uint64_t access_scheduler_own_most(const AccessScheduler *self, bool ecc)
{
    return ecc ? self->read_entries + 4 : 0;
}

bool access_scheduler_check_ecc(const AccessScheduler *self, GError **error);

/* They lie among the data: the three functions behind this one are of that. */
static inline bool access_scheduler_has_codes(const AccessScheduler *self)
{
    return self->dram->ecc == DRAM_ECC_INLINE;
}

uint64_t access_scheduler_line_among_codes(const AccessScheduler *self, uint64_t local);
/* Adds the burst with the line's codes where it has to be moved with the data; whether it did. */
bool access_scheduler_add_codes(AccessScheduler *self, DramAccess *access, uint64_t line);
/* The access has gone into the store; with the burst of codes, if it was added. */
void access_scheduler_use_codes(AccessScheduler *self, uint64_t line, bool write, bool moved);

/* Where the line of a channel's address lies. */
static inline uint64_t access_scheduler_line(const AccessScheduler *self, uint64_t local)
{
    if (access_scheduler_has_codes(self)) return access_scheduler_line_among_codes(self, local);
    return local & -(uint64_t)self->line->line_bytes;
}

/* The scheduler's own requests, of which there are some, go into the stores. False: some have found
 * no room. */
bool access_scheduler_store_own(AccessScheduler *self, Time now);
/* Bursts that a write changes in part, so that codes need the rest. */
uint32_t access_scheduler_lacking(const AccessScheduler *self, const Transaction *write);
void access_scheduler_write_merged(AccessScheduler *self, const RowRequest *read);

/* access_scheduler/choose.c */

/* Where some write waits. */
bool access_scheduler_choose_between(AccessScheduler *self, bool *write);

/* The direction to serve next; false when nothing may be served now. */
static inline bool access_scheduler_choose_direction(AccessScheduler *self, bool *write)
{
    if (self->sorter[WRITES].count) return access_scheduler_choose_between(self, write);
    if (!self->sorter[READS].count) return false;
    *write = self->draining = self->idle_drain = false;
    return true;
}

/* No column may go before the one of the request before it. */
static inline bool access_scheduler_keeps_order(const AccessScheduler *self)
{
    return self->policy == POLICY_IN_ORDER || self->policy == POLICY_FIFO;
}

/* The next request of a direction in which requests wait. */
Candidate access_scheduler_choose(AccessScheduler *self, bool write, DramOutlook *outlook,
                                  Time now);

static inline bool access_scheduler_is_overdue(const AccessScheduler *self,
                                               const RowRequest *request, Time now)
{
    return self->patience && now - request->came >= scheduler_time_of(self, self->patience);
}

/* access_scheduler/serve.c: books a request's commands, no column before `from`, and sends them. */
void access_scheduler_serve(AccessScheduler *self, const Candidate *next, uint64_t from, Time now);

/* A message to the channel about the transaction, without commands as yet. */
DramCommands *access_scheduler_new_commands(AccessScheduler *self, Transaction *transaction);
