/* What the files of the texture unit share; nobody else includes this.
 *
 * Times are computed when the first of them is known and may lie in the future: a hit needs no
 * event of its own from its look-up to the registers. What waits for something that is not known
 * yet (a reply, a credit) is taken up again by the step in which it comes. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/line_request.h"
#include "kit/gpu/texture.h"
#include "parts/address/frames.h"
#include "parts/cache/evicted_tags.h"
#include "parts/cache/reorder_buffer.h"
#include "parts/cache/tag_array.h"
#include "parts/sm/coalescer.h"
#include "parts/sm/lane_groups.h"
#include "parts/texture/timed_fifo.h"

/* Where texels are kept: in the unit's own arrays, or in the SM's L1. */
typedef enum { TEXTURE_CACHE_OWN, TEXTURE_CACHE_L1 } TextureCache;

/* What becomes of a line in the cache when it is stored to: kept when it is written whole, and then
 * also brought; written where it is present; dropped. */
typedef enum { STORED_WHOLE, STORED_PRESENT, STORED_NONE } StoredLine;

/* What a fragment does at the head of the FIFO: texels go through the filter, loads and the values
 * of atomics to the registers, stores into the data array. */
typedef enum { FRAGMENT_TEXELS, FRAGMENT_LOAD, FRAGMENT_STORE, FRAGMENT_ATOMIC } FragmentKind;

/* What came of a line: looked up; not yet, something is not known; its fragment must end first. */
typedef enum { LOOKED_UP, BLOCKED, FRAGMENT_ENDS } LookUp;

/* Lines that one fragment reads: a quad of four bilinear samples. */
enum { FRAGMENT_LINES = 16, QUAD_LANES = 4 };
enum { QUAD_ELEMENTS = QUAD_LANES * STEP_TEXELS, QUADS_MAX = LANES_MAX / QUAD_LANES };

/* What the unit keeps in an instruction that it has (WarpAccess.own). */
typedef struct {
    Time arrived;
    uint32_t done; /* of its lines: stored, or done at L2 */
} AccessState;

G_STATIC_ASSERT(sizeof(AccessState) <= ACCESS_OWN);

static inline AccessState *state_of(const WarpAccess *access)
{
    return (AccessState *)(void *)access->own;
}

/* Who takes turns: `each` in an interval, which begins with the first of them. */
typedef struct {
    Time began, interval;
    uint32_t each, used;
} Pace;

static inline Time pace_next(const Pace *pace, Time from)
{
    const Time next = pace->used < pace->each ? pace->began : pace->began + pace->interval;
    return MAX(next, from);
}

/* Takes the first turn from `from` on, which never decreases. */
static inline Time pace_take(Pace *pace, Time from)
{
    const Time at = pace_next(pace, from);
    if (at >= pace->began + pace->interval) {
        pace->began = at;
        pace->used = 0;
    }
    pace->used++;
    return at;
}

/* The turn that was taken last is at `at` instead, which is later. */
static inline void pace_delay(Pace *pace, Time at)
{
    if (at < pace->began + pace->interval) return;
    pace->began = at;
    pace->used = 1;
}

/* Takes several; returns the last. */
static inline Time pace_take_many(Pace *pace, Time from, uint32_t turns)
{
    Time at = from;
    while (turns--) at = pace_take(pace, at);
    return at;
}

/* A line that a fragment wants, and where: the data array has the places of the tag array. */
typedef struct {
    uint64_t line; /* as texture_line_number says */
    uint32_t place;
    uint16_t sectors;
    bool hit;
} FragmentLine;

/* An entry of the fragment FIFO: what is read together from the data array. Usually a step of a
 * quad, or a group of lanes; of one whose lines would be in each other's way, or are too many, a
 * part. */
typedef struct {
    WarpAccess *access; /* NULL: a store's, which nobody waits for */
    FragmentKind kind;
    /* of a group: on the way to the registers; of a step: its texels. All with its last part */
    uint32_t bytes;
    Time began, tagged; /* its address generation, the look-up of its last line */
    uint32_t lines;
    uint32_t misses;       /* of these, lines that the reorder buffer brings, in order */
    uint32_t filter_turns; /* 0: a part of a step that goes on in the next fragment */
    bool last;             /* of its instruction */
    FragmentLine line[FRAGMENT_LINES];
} Fragment;

/* What a place of the data array holds. */
typedef struct {
    uint64_t line;
    uint16_t sectors;
} DataPlace;

/* A miss: what its place of the reorder buffer knows, by slot. */
typedef struct {
    uint64_t line;
    uint32_t place;
    uint16_t sectors;
    bool replaces; /* the first of a line that was given its place: what it held is gone */
    Time sent;     /* TIME_NEVER: not yet */
} Miss;

/* A quad of an instruction, and its steps. */
typedef struct {
    const WarpAccess *access;
    uint32_t quad;        /* the present one; all have had their turn: QUADS_MAX */
    uint32_t step, steps; /* of the quad: the next, and how many */
    uint32_t level;       /* of the mip chain, of the elements that were found last */
    TextureDetail detail[QUAD_LANES];
} QuadWalk;

/* The instruction whose lines are being looked up, and how far it is. */
typedef struct {
    WarpAccess *access; /* NULL: none */
    Time from;          /* its first look-up, at the earliest */
    QuadWalk walk;
    /* the present step */
    bool open;            /* not all of its lines have been looked up */
    uint32_t lines, next; /* the next to be looked up */
    uint32_t filter_turns;
    Time began; /* its address generation */
    Time at;    /* its next look-up, at the earliest */
    CoalescedLine line[COALESCER_LINES];
    /* the same of a memory instruction, whose steps are groups of lanes */
    FragmentKind kind;
    uint32_t bytes;                  /* of the present group's values */
    uint8_t number[COALESCER_LINES]; /* store, atomic: of the instruction's lines */
} AddressCursor;

/* How far a memory instruction is. A line of a store or atomic is sent when all of its bytes have
 * been addressed. */
typedef struct {
    uint64_t address[LANES_MAX];
    uint32_t lane;               /* the next one */
    uint32_t line, word;         /* local memory: the next of its lines, and word of that */
    uint32_t rest[ACCESS_LINES]; /* bytes that have not been addressed */
} LaneCursor;

/* Where L1 is the cache: quads that are read together, 32 lanes. */
enum { READ_QUADS = 8, READ_ELEMENTS = READ_QUADS * QUAD_ELEMENTS };

/* The instruction whose reads are being prepared. */
typedef struct {
    WarpAccess *access; /* NULL: none */
    Time from;          /* its first lines are known, at the earliest */
    uint32_t first_quad;
    uint32_t step, steps; /* of these quads: the next, and how many the longest of them takes */
    QuadWalk walk[READ_QUADS];
} ReadCursor;

/* A step of these quads: an entry of the FIFO. */
typedef struct {
    WarpAccess *access;    /* the instruction ... */
    TextureFetch *message; /* ... and what L1 has of it */
    Time at, back;         /* its lines are known; L1 has read them, TIME_NEVER: not yet */
    uint32_t filter_turns;
    uint32_t bytes; /* of its texels */
    bool last;      /* of its instruction */
} TextureRead;

typedef struct {
    Unit unit;
    Port from_sm, from_load_store, from_l1, from_l1_fills;
    Channel to_sm, to_sm_stores, to_l1, to_l1_misses, to_monitor;
    const LineShape *line;
    const LineFit *fit;
    const Frames *pages;

    uint64_t capacity, caches, sets, candidates, quads, quad_interval, address_latency, tag_lines;
    uint64_t fragment_fifo, fragment_delay, miss_fifo, reorder_entries;
    uint64_t requests_per_cycle, data_lines, fill_bytes, fill_ports, filter_bytes, filter_latency,
        return_bytes, return_ports;
    uint64_t coalesced_lanes, scattered_lanes, load_latency;
    uint32_t cache, set_index, replacement, stored_line;
    bool run_ahead;

    uint64_t instructions, samples, quad_count, steps, texels, fragments, lines, hits, misses,
        sector_misses, splits, requests, replies, l1_reads, l1_replies, held_out_of_order,
        invalidations, brought, brought_back, filter_turns, fill_turns, return_turns;
    uint64_t data_instructions, data_groups, data_lines_read, data_hits, data_misses, past_cache,
        stores, stores_kept, lines_dropped, atomics;
    uint64_t bytes_texels, bytes_data, bytes_local, bytes_returned, bytes_array_read,
        bytes_array_written, bytes_from_network, bytes_to_network;
    uint64_t lines_level_0, lines_level_1, lines_level_2, lines_level_3;
    uint64_t bytes_level_0, bytes_level_1, bytes_level_2, bytes_level_3;
    uint64_t stalls_fragment_fifo, stalls_miss_fifo, stalls_reorder, stalls_blocking;
    Time stalled_fragment_fifo, stalled_miss_fifo, stalled_reorder, stalled_blocking;
    Level queue, fragment_room, miss_room, reorder_room, stores_outstanding;
    Server address_stage, tag_ports, miss_port, fill_port, data_ports, filters, return_port;

    TagArray tags;
    EvictedTags evicted; /* which lines have gone */
    DataPlace *data;
    Time *read_at; /* at its slice, each sector of each place; NULL: nobody wants to know */
    AddressCursor cursor;
    LaneCursor lanes;
    LaneRates rates;
    bool data_next; /* of the two ports, the load/store unit's has its turn */
    uint32_t data_seen;
    Pace quad_pace, tag_pace, miss_pace, data_pace, filter_pace;
    uint32_t seen; /* accesses in the port whose arrival has been noted */
    Time tagged;   /* the last look-up */
    Fragment
        *ring; /* of the fragment FIFO: those that have not been read, oldest at `ring_first` */
    Fragment *filling; /* the one behind them, whose lines are being looked up; NULL: none */
    uint32_t ring_first, ring_used;
    TimedFifo fragment_places, miss_places, reorder_places;
    Transaction **unsent; /* of the miss request FIFO: those that have not left */
    uint32_t unsent_first, unsent_used;
    ReorderBuffer reorder;   /* of Transaction; a miss's slot is its number modulo the capacity */
    Miss *miss;              /* by slot */
    uint64_t missed, filled; /* misses so far; of these, the first ones that were filled */
    uint64_t answered;       /* ... and the first ones that have all come back */
    uint32_t head_filled;    /* misses of the fragment at the FIFO's head that were filled */
    Transaction *latest;     /* ... and the reply that came last; NULL: none */
    Time read;               /* the last read of the data array */
    Time fill_free, return_free; /* of several ports, on average */
    Time filled_at;              /* the last fill is in the array */
    Time miss_read;         /* of the last fragment with a miss: what a blocking cache waits for */
    uint32_t unread_misses; /* fragments with a miss that have not been read */
    Transaction record;     /* the fragment's that is being accounted for */
    ReadCursor reader;
    TextureRead *reads; /* ring of `fragment_fifo`, oldest at `read_first` */
    uint32_t read_first, reads_used, unsent_reads; /* the youngest have not been sent */

    /* large, and touched now and then: behind what every event touches */
    Histogram hit_latency, miss_latency, miss_latency_seen;
    StageSums stages_texture_hit, stages_texture_merged, stages_texture_shared_l1,
        stages_texture_l2_hit, stages_texture_memory_cache, stages_texture_dram;
    StageSums stages_data_hit, stages_data_shared_l1, stages_data_l2_hit, stages_data_memory_cache,
        stages_data_dram, stages_data_store, stages_data_atomic;
} TextureUnit;

static inline uint64_t texture_sector_bytes(const TextureUnit *self, uint16_t sectors)
{
    return (uint64_t)__builtin_popcount(sectors) * self->line->sector_bytes;
}

extern const Stat texture_stats[];
extern const ResourceRow texture_resources[];
extern const StorageRow texture_storage[];
double texture_energy_of_fragment(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_look_up(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_byte(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_request(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_reply_byte(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_way(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_return(const Unit *unit, const EnergyFigures *figures);
double texture_energy_of_texel(const Unit *unit, const EnergyFigures *figures);

/* Times lie ahead, with gaps between them, so work counts as soon as it is booked. */
static inline void texture_book(Server *server, Time length)
{
    server->busy += length;
}

/* What the tags know a line as: its part of the cache is the lowest digit, and with it that of the
 * set. */
static inline uint64_t texture_line_number(const TextureUnit *self, const WarpAccess *access,
                                           uint64_t line)
{
    return line / self->line->line_bytes * self->caches + access->warp % self->caches;
}

static inline uint64_t texture_line_address(const TextureUnit *self, uint64_t number)
{
    return number / self->caches * self->line->line_bytes;
}

/* --- texture/address.c: from coordinates to lines --- */

/* Makes `access` the one that the cursor walks. */
void texture_begin(TextureUnit *self, WarpAccess *access);

/* The next step of the access: its lines are in the cursor. False: there is none. */
bool texture_next_step(TextureUnit *self);

/* The present step is the last of the access. */
bool texture_is_last_step(const TextureUnit *self);

/* All steps have been taken: its coordinates go. Without an active lane there was none, and it
 * returns at `at`. */
void texture_leave(TextureUnit *self, WarpAccess *access, Time at);

/* The cursor lets go of the access. */
void texture_end(TextureUnit *self, Time now);

/* Begins with the quad's first step; false: none of its lanes is active. */
bool texture_open_quad(QuadWalk *walk);

/* Where the elements are that its lanes read in this step; returns how many. */
uint32_t texture_find_elements(QuadWalk *walk, uint64_t address[static QUAD_ELEMENTS]);

/* Of a quad's step with texels of this format. */
uint32_t texture_filter_turns(const TextureUnit *self, const TextureFormat *format);

/* --- texture/data.c: from a memory instruction's lanes to lines --- */

/* As the ones above, for the cursor's memory instruction. */
void texture_begin_data(TextureUnit *self);
bool texture_next_group(TextureUnit *self);
bool texture_is_last_group(const TextureUnit *self);

/* Where L1 is the cache, what comes from the load/store unit goes on to it. */
void texture_pass_data(TextureUnit *self, Time now);

/* --- texture/write.c: stores and atomics --- */

/* The cursor's next line, of a store or an atomic. */
LookUp texture_store_line(TextureUnit *self, Time now);
LookUp texture_atomic_line(TextureUnit *self, Time now);

/* What the cache held of a line is gone. */
void texture_drop_line(TextureUnit *self, uint32_t place);

/* The line takes the place of what was there. */
void texture_replace(TextureUnit *self, uint32_t place, uint64_t number);

/* All lines of the store have been looked up: the SM hears of it. */
void texture_release(TextureUnit *self, Time now);

/* L2 has a store, or has done a reduction. */
void texture_acknowledge(TextureUnit *self, Transaction *reply, Time now);

/* --- texture/tag.c: the run-ahead tags --- */

/* The front end is a pipeline that stops as a whole: it takes an instruction when the last step of
 * the one before has gone on. NULL: not now. */
WarpAccess *texture_take_instruction(TextureUnit *self, Time now);

/* Looks up lines until something has to be waited for. */
void texture_look_up(TextureUnit *self, Time now);

/* The next entry of the FIFO, unless there is one open; false: nobody knows when it has a place. */
bool texture_open_fragment(TextureUnit *self);

/* Looks up the cursor's next line, from `from` on. */
void texture_look_up_at(TextureUnit *self, Time from);

/* Counts a line of texels of this mip level; `lacking`: its sectors that L2 is asked for. */
void texture_count_level(TextureUnit *self, uint32_t level, uint16_t lacking);

/* The open fragment has a line at that place. */
bool texture_uses_place(const TextureUnit *self, uint32_t place);

/* The cursor's line is one more of the open fragment. */
FragmentLine *texture_add_line(TextureUnit *self, uint64_t number, uint32_t place);

/* A look-up may be at `from` and its place is free at `free`: when it is; counts the wait. */
Time texture_stall(Time from, Time free, uint64_t *stalls, Time *stalled);

/* --- texture/memory.c: miss request FIFO and reorder buffer --- */

/* When a line that misses may be looked up, `from` or later, counting stalls; TIME_NEVER: nobody
 * knows yet. */
Time texture_miss_room(TextureUnit *self, Time from);

/* A request for the fragment's instruction, looked up at the cursor's time. */
void texture_request(TextureUnit *self, const Miss *miss, Time now);

/* The same with a transaction that is there. */
void texture_request_with(TextureUnit *self, Transaction *request, const Miss *miss, Time now);

/* Room for a request without a place in the reorder buffer, and such a request. */
Time texture_request_room(TextureUnit *self, Time from);
void texture_request_only(TextureUnit *self, Transaction *request, Time now);
void texture_send_requests(TextureUnit *self, Time now);
void texture_take_replies(TextureUnit *self, Time now);

/* What came of a memory instruction until the unit took it. */
void texture_enter_first_stages(const WarpAccess *access, Transaction *transaction, Time began);

/* --- texture/l1.c: instead of tags and data array, where L1 is the cache --- */

void texture_step_with_l1(TextureUnit *self, Time now);

/* --- texture/control.c: data array, filter, return --- */

/* Reads the fragments at the head of the FIFO whose data is here. */
void texture_read_fragments(TextureUnit *self);

/* A step whose last line is read at `from` goes through the filter; returns when its result is
 * there. */
Time texture_filter(TextureUnit *self, Time from, uint32_t turns);

/* The instruction's results are there at `end`: it goes to the registers. */
void texture_return(TextureUnit *self, WarpAccess *access, Time end);
