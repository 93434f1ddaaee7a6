/* The insides of the SM: its state, and what its files share. Nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/cta.h"
#include "kit/gpu/occupancy.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/warp_access.h"
#include "parts/sm/cta_slots.h"
#include "parts/sm/register_file.h"
#include "parts/sm/register_ports.h"
#include "parts/sm/scoreboard.h"
#include "parts/sm/warp_pool.h"

typedef enum { PIPELINED, SINGLE_STAGE } RegisterAccess;

/* Loads of a warp: go on under those before, or begin when the one before has its data. */
typedef enum { LOADS_OVERLAP, LOADS_ONE_AT_A_TIME } LoadOrder;

/* What a scheduler's time goes to, in the order of the table; first issue to each pool, by its
 * number. What waits for an answer is counted twice: by where the request was meanwhile, and by who
 * served it. */
typedef enum {
    SLOT_CONTROL = POOL_NONE,
    SLOT_RESULT,
    SLOT_PIPE,
    SLOT_OPERANDS,
    SLOT_REFUSED, /* by L1 for a Refusal, in their order */
    SLOT_MEMORY_WAY = SLOT_REFUSED + REFUSED_NOT,
    SLOT_AT = SLOT_REFUSED + REFUSALS, /* a StagePlace, in their order */
    SLOT_SHARED = SLOT_AT + STAGE_AT_REFUSED,
    SLOT_CONSTANT,
    SLOT_STORES,
    SLOT_DRAIN,
    SLOT_BARRIER,
    SLOT_FEW,
    SLOT_LAUNCH,
    SLOT_TAIL,
    SLOT_BETWEEN,
    SLOT_OPEN,
    SLOT_ANSWERS,
    SLOT_L1 = SLOT_ANSWERS, /* in the order of ServedBy */
    SLOT_MERGED,
    SLOT_SHARED_L1,
    SLOT_L2,
    SLOT_MEMORY_CACHE,
    SLOT_DRAM,
    SLOT_SAMPLE,
    SLOT_USES
} SlotUse;

/* The cycle in which a scheduler issued last, as far as it is not counted yet. */
typedef struct {
    Time since, until;
    uint32_t use;
} IssueSlot;

enum { LEAD_CYCLES = 8, SCHEDULER_TURNS = WARP_POOL_SCHEDULERS * LEAD_CYCLES };
enum { WARP_LINES = 4 };
/* What a warp without lists, scratch or several results at once touches is four lines of the host's
 * cache, from its cursor's `cta` to the first result of its scoreboard. */
typedef struct {
    _Alignas(HOST_LINE) uint32_t last_value;
    _Alignas(HOST_LINE / 4) uint64_t polled; /* in a row, for this value, which did not change */
    WarpCursor cursor;

    const Kernel *kernel;
    Transaction *answer; /* to what it was held up by last; or NULL */
    Time started, waits_since;
    Time waited_until;  /* not before it started */
    uint32_t launch;    /* of those that run concurrently */
    uint16_t cta;       /* slot */
    uint8_t remaining;  /* of a run of dependent arithmetic, the one that issues next included */
    uint8_t waited_for; /* SlotUse: by what it was held up last that has no time in advance */
    uint8_t refused;    /* ... of which L1 had no room in this */
    bool waits;         /* for memory */
    bool probes;        /* its loads are measured apart */
    bool fenced;        /* what L1 kept when its fence came goes to L2, or is there */
    uint32_t registers; /* where its block begins in its part of the file */
    Instruction next;
    Scoreboard scoreboard;
} Warp;

/* These are fetched. */
static inline void warp_foresee(const Warp *warp)
{
    const char *line = (const char *)&warp->cursor.cta;
    for (uint32_t i = 0; i < WARP_LINES; i++) fetch_ahead(line + (size_t)i * HOST_LINE);
}

G_STATIC_ASSERT(offsetof(Warp, cursor.cta) % HOST_LINE == 0);
G_STATIC_ASSERT(offsetof(Warp, scoreboard.result[1]) - offsetof(Warp, cursor.cta)
                <= (size_t)WARP_LINES * HOST_LINE);
/* else the same lines of all warps would share the host's sets */
G_STATIC_ASSERT(sizeof(Warp) / HOST_LINE % 2);

/* What is counted of a pool of units, and what an instruction takes of one of them. */
typedef struct {
    Server server;
    uint64_t accepted, lost;
    Time length, share; /* its part of all of them */
} Pipe;

/* Of a launch: what its warps here have stored and reduced, ended ones included, and nobody has
 * acknowledged; the dispatcher waits to hear that there is no more of it. */
typedef struct {
    uint64_t count;
    bool awaited;
} Outstanding;

/* Units of a part of the register file were held for operands without a gap. */
typedef struct {
    Time since, until;
} OperandWait;

/* Where memory instructions go. */
typedef enum { PATH_LOAD_STORE, PATH_TEXTURE, MEMORY_PATHS } PathName;
typedef struct {
    Channel *to;
    Time delay; /* from issue until the last lanes leave */
    Time sent;  /* when the last instruction left */
} MemoryPath;

typedef struct {
    Unit unit;
    Port from_dispatcher, from_l1, from_shared, from_stores, from_load_store, from_texture,
        from_texture_stores;
    Channel to_dispatcher, to_load_store, to_texture, to_l1;
    const uint64_t *warp_lanes;

    uint64_t schedulers, dispatches, warps_per_cycle, dispatches_per_warp;
    uint32_t scheduler_policy, unit_full, loads, wiring, register_access;
    uint64_t max_threads, max_warps, max_ctas, registers, register_granularity, register_partitions;
    uint64_t shared_memory, shared_granularity, shared_reserved;
    uint64_t register_read_stages, register_write_stages;
    uint64_t register_banks, register_bank_reads, register_bank_writes, register_operands;
    uint64_t core_units, int_units, fp64_units, sfu_units, load_store_units, texture_units,
        other_units;
    uint64_t core_lanes, int_lanes, fp64_lanes, sfu_lanes, load_store_lanes, texture_lanes,
        other_lanes;
    uint32_t core_sharing, int_sharing, fp64_sharing, sfu_sharing, load_store_sharing,
        texture_sharing, other_sharing;
    uint64_t fp32_latency, int_latency, fp64_latency, sfu_latency, texture_latency, other_latency;
    uint64_t warp_launch_interval, barrier_latency, poll_interval, poll_limit;
    bool cta_waits_for_stores, register_forwarding;

    uint64_t warp_instructions, thread_instructions, memory_instructions, requested_bytes, ctas,
        barriers, issue_cycles;
    uint64_t load_instructions, store_instructions, texture_instructions;
    Pipe pipe[EXECUTION_POOLS];
    uint64_t stalled_results, stalled_unit, stalled_slot, stalled_other, lost_no_ready_warp;
    uint64_t fragmented, bank_conflicts, operand_waits, write_conflicts, polls, polls_repeated;
    uint64_t slot_time[SLOT_USES];
    uint64_t limited_by_registers, limited_by_shared, limited_by_warps, limited_by_ctas;
    Level resident_warps, waiting_for_loads, resident_ctas, registers_allocated;
    ServerArray issue_slots;
    Level resident_threads, shared_allocated;
    Server warp_launches, register_waits;
    uint64_t register_parts; /* 0: no operand waits */
    uint64_t shared_in_force;
    const LaunchList *launch_list;

    Warp *warp;
    uint64_t *addresses; /* LANES_MAX of each warp */
    WarpPool pool;
    ExecutionUnits units;
    uint8_t part_of[WARP_POOL_SCHEDULERS]; /* of the registers, by scheduler */
    Time operands_until;                   /* units are held for them until then, in any part */
    OperandWait operand_wait[REGISTER_PARTS];
    CtaSlots ctas_resident;   /* of CtaMessage */
    Outstanding *outstanding; /* by launch, of those that run concurrently */
    uint32_t launches;
    IssueSlot slot[WARP_POOL_SCHEDULERS];
    uint32_t slot_row; /* of the first use; the others follow */
    Time emptied;      /* when its last warp ended */
    uint32_t kernels;  /* that run */
    Time launch_share; /* what a warp takes of the set-up of warps */
    Time slot_share;   /* of a cycle, that an instruction takes of its scheduler's slots */
    Time latency[EXECUTION_UNITS];  /* until a dependent instruction may issue */
    Time write_delay;               /* ... of what memory brings */
    Time forwarded, load_forwarded; /* from then on until it is in the register file */
    MemoryPath path[MEMORY_PATHS];
    uint32_t sampling; /* instructions that the texture unit has */
    uint8_t pool_of[EXECUTION_UNITS];
    uint8_t needs[OPERATIONS]; /* of what is outstanding of the warp, all */
    OccupancyLimits limits;
    uint64_t shared_most; /* that a launch could have carved out */
    WarpCensus census;    /* since `looked` */
    Time looked;
    uint32_t turn, turns;
    uint8_t order[SCHEDULER_TURNS][WARP_POOL_SCHEDULERS]; /* of the schedulers, in each turn */
    bool cta_waits_for_registers, registers_freed;
    bool l1_keeps; /* L1 has kept written global lines since the kernels began */

    /* large, and touched now and then: behind what every event touches */
    Histogram load_latency, dependent_load_latency, sample_latency;
    Time *slots_measured; /* slot_time when measured kernels had ended and others ran on; or NULL */
    RegisterPorts ports;
    RegisterFile file[REGISTER_PARTS];
} SM;

extern const Param sm_params[];
extern const Stat sm_stats[];
extern const ResourceRow sm_resources[];
extern const StorageRow sm_storage[];
StorageSize sm_register_size(const Unit *unit, const StorageMachine *machine);

/* sm/energy.c */
double sm_energy_of_issue(const Unit *unit, const EnergyFigures *figures);
double sm_energy_of_registers(const Unit *unit, const EnergyFigures *figures);
double sm_energy_of_core(const Unit *unit, const EnergyFigures *figures);
double sm_energy_of_int(const Unit *unit, const EnergyFigures *figures);
double sm_energy_of_fp64(const Unit *unit, const EnergyFigures *figures);
double sm_energy_of_sfu(const Unit *unit, const EnergyFigures *figures);

/* Derives pools, latencies and the register file from the parameters. */
bool sm_setup(Unit *unit, GError **error);

/* sm/registers.c: latencies and the register file, of which each part is one by itself. */
static inline uint32_t sm_parts(const SM *self)
{
    return (uint32_t)MIN(self->register_partitions, self->schedulers);
}
static inline uint32_t sm_part_of(const SM *self, uint32_t w)
{
    return self->part_of[self->pool.scheduler[w]];
}
bool sm_set_registers(SM *self, GError **error);
OccupancyLimits sm_limits(const Unit *unit);
/* How much longer the operands of the warp's next instruction take than usual. */
Time sm_read_operands(SM *self, uint32_t s, uint32_t w, Time now);
/* When those who wait for the warp's results can have them, which take their way to the registers:
 * at `at`, unless these take them later. */
Time sm_write_results(SM *self, uint32_t w, const Instruction *done, Time at, Time forwarded);

static inline PathName sm_path_of(const Instruction *instruction)
{
    return instruction_samples(instruction) ? PATH_TEXTURE : PATH_LOAD_STORE;
}

/* sm/warps.c: what operations wait for, by the parameters. */
void sm_set_needs(SM *self);
/* Decides what the warp's next instruction waits for; it may issue at `earliest` at the
 * soonest. */
void sm_classify(SM *self, uint32_t w, Time earliest, Time now);
void sm_fetch_next(SM *self, uint32_t w, Time earliest, Time now);
/* False: there are no registers in one piece for its warps. */
bool sm_start_cta(SM *self, CtaMessage *message, Time now);
void sm_arrive_at_barrier(SM *self, uint32_t w, Time now);
void sm_end_warp(SM *self, uint32_t w, Time now);

/* sm/issue.c: the schedulers' cycle, in which some warp is ready. */
void sm_issue(SM *self, Time now);

/* sm/slots.c: what the slot did from its last instruction on, until the warp issues at `now`. */
void sm_slots_add_all(SM *self, IssueSlot *slot, uint32_t w, Time now);

/* What a unit that has been full since then waited for itself, as far as it is known. */
SlotUse sm_full_way(const SM *self, ExecutionPool pool, Time since);
/* Of the time in which the warp's unit was full, that in which it was held for operands. */
void sm_slots_tell_operands(SM *self, uint32_t w, Time from, Time to);

/* Mostly the warp was there, as was all that it needs from elsewhere, has waited for results and
 * its unit only, and all of it lies in the open interval. */
static inline bool sm_slot_is_open(const SM *self, const IssueSlot *slot, uint32_t w)
{
    return slot->since >= self->unit.observe_from && self->warp[w].waited_until <= slot->until;
}

/* The warp issues to the pool. */
static inline void sm_slots_issue(SM *self, uint32_t s, uint32_t w, Time now)
{
    IssueSlot *slot = &self->slot[s];
    const Time from = slot->until;
    if (now < from) return; /* another one of this cycle */
    const ExecutionPool pool = (ExecutionPool)self->pool.pool[w];
    if (sm_slot_is_open(self, slot, w)) {
        const Time ready = MIN(MAX(self->pool.ready_at[w], from), now);
        self->slot_time[slot->use] += from - slot->since;
        self->slot_time[SLOT_RESULT] += ready - from;
        if (ready < now) {
            self->slot_time[sm_full_way(self, pool, ready)] += now - ready;
            if (ready < self->operands_until) sm_slots_tell_operands(self, w, ready, now);
        }
    } else {
        sm_slots_add_all(self, slot, w, now);
    }
    slot->since = now;
    slot->until = now + self->pool.width.cycle;
    slot->use = pool;
}

/* A CTA starts; a boundary is crossed. */
void sm_slots_start_cta(SM *self, const CtaMessage *message, Time now);
/* The warp waits no more: for this access, which may keep its answer, or for something else. */
void sm_slots_keep_answer(SM *self, uint32_t w, WarpAccess *access, SlotUse waited_for, Time now);
void sm_slots_drop_answer(SM *self, uint32_t w);
/* Which rows over time there are. */
void sm_slots_setup(SM *self);
Counted sm_slots_cross(SM *self, const Boundary *boundary);

/* Shared memory that the launch has: its part of a divided array, or the SM's own. */
static inline uint64_t sm_shared_bytes(const SM *self, const Launch *launch)
{
    return launch->l1_capacity ? launch->shared_carve_out : self->shared_memory;
}

uint64_t sm_shared_in_force(const SM *self); /* sm/residency.c: ... that measured launches have */

/* sm/residency.c: tells the dispatcher what the SM has, as a kernel starts. */
void sm_offer_room(SM *self, CtaMessage *message, Time now);

/* Threads and shared memory of a CTA: it has them until its last warp has ended. */
void sm_cta_starts(SM *self, const Kernel *kernel, Time now);
void sm_cta_ends(SM *self, const Kernel *kernel, Time started, Time now);

/* Registers for the warps of a CTA, in the slots that they will have; all or none. */
bool sm_take_registers(SM *self, const Kernel *kernel, Time now);
/* The warp has its place; its registers get their first values behind those of the warps before it.
 * Returns when its first instruction may issue. */
Time sm_set_up_warp(SM *self, Warp *warp, Time now);
void sm_release_registers(SM *self, uint32_t w, Time now);

/* Tells the dispatcher that the CTA's last warp has ended. */
void sm_complete_cta(SM *self, CtaMessage *message, Time started, Time now);
bool sm_unfinished(Unit *unit, GString *what);

/* sm/memory.c: of all launches. */
uint64_t sm_count_outstanding(const SM *self);

/* The launch is done but for what L1 keeps of global stores, which is to be written back; the
 * dispatcher will hear when it is. */
void sm_end_launch(SM *self, CtaMessage *message, Time now);

/* What L1 keeps of the warp's stores others cannot see: it is written back first, and the fence
 * comes again. */
bool sm_fence_waits(SM *self, uint32_t w, Time earliest, Time now);
/* The pools whose way is full accept nothing. */
void sm_note_room(SM *self, Time now);
/* Wakes the SM when a way has room that a ready warp waits for. */
void sm_await_room(SM *self, Time now);
void sm_take_completed(SM *self, Port *port, Time now);

/* sm/poll.c: the value that the warp's next instruction waits for is there. If not, the lanes
 * without it ask again. */
bool sm_end_poll(SM *self, const WarpAccess *access);
void sm_reject_instruction(SM *self, const Kernel *kernel, ExecutionPool pool);
