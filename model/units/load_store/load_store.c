/* The load/store unit: takes a warp's memory instruction with one address a lane and a mask,
 * generates the addresses and finds the cache lines they lie in.
 *
 *   SM ──from_sm──> [instruction queue] ─> address generation, coalescer ─┬─to_l1──> L1
 *   SM <──to_sm── constants; operands of reductions have been read        └─to_texture──> texture
 *
 * An interval takes one instruction, or several (`instructions_per_interval`); each goes to L1
 * whole, with its lines, or to the texture unit (`through_texture`); which lines and lanes can go
 * together is their business. Lanes of a reduction or atomic that want one address are serialized
 * here. Without room an instruction waits, and those behind it, wherever they go; when the queue is
 * full, the SM cannot issue them.
 *
 * Not modelled: a constant cache (constants take a fixed time). Sources: the pass rule:
 * Aamodt, Fung, Rogers 2018, 4.1; queue depth from the TITAN V trace of accel-sim's l1_mshr
 * benchmark; local memory interleaved by 4-byte words over the lanes of a warp: CUDA C programming
 * guide, "local memory". */
#include "kit/gpu/store_notice.h"
#include "units/load_store/private.h"

static const char *const layouts[] = {"interleaved", "linear", NULL};
static const char *const throughs[] = {"nothing", "read_only", "everything", NULL};

static const Param params[] = {
    PARAM_NUMBER(LoadStore, interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "address generation, from instructions_per_interval instructions to the next",
                 .perfect = PERFECT(IN("issue", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(LoadStore, instructions_per_interval, PARAM_COUNT, "1", 1, 64,
                 "instructions whose addresses are generated side by side",
                 .perfect = PERFECT(IN("issue", "64")), .doubling = TWICE),
    PARAM_NUMBER(LoadStore, constant_latency, PARAM_CYCLES, "15 cycles", 1, 1000,
                 "cycles a constant load takes here",
                 .perfect = PERFECT(IN("l1_latency", "1 cycle")), .doubling = HALF),
    PARAM_ONE_OF(LoadStore, local_layout, layouts, "interleaved",
                 "local memory: 4-byte words of a warp's lanes side by side, or a block a thread"),
    PARAM_NUMBER(LoadStore, local_bytes, PARAM_BYTES, "2 KiB", 4, 524288,
                 "local memory of a thread; offsets wrap around at it"),
    PARAM_NUMBER(LoadStore, local_base, PARAM_BYTES, "1024 GiB", 0, 0x1p48,
                 "where the local memory of all threads begins"),
    PARAM_NUMBER(LoadStore, local_warps, PARAM_COUNT, "64", 1, 64,
                 "warps of an SM that local memory is laid out for: its resident warps",
                 .perfect = PERFECT(IN("occupancy", ">= 64"))),
    PARAM_ONE_OF(LoadStore, through_texture, throughs, "nothing",
                 "what goes to the texture unit instead of L1: nothing, loads that are read only, "
                 "or all of global and local memory",
                 .turns_on = USE_TEXTURES),
    PARAM_REAL(LoadStore, atomic_interval, "1", 0, 1000,
               "global atomics: cycles for each lane beyond the first that wants one address",
               .perfect = PERFECT(IN("sm_atomics", "0", .serves = USE_ATOMICS)), .doubling = HALF),
    PARAM_NUMBER(LoadStore, atomic_replay_latency, PARAM_CYCLES, "0 cycles", 0, 1000,
                 "global atomics: from the first lane that wants one address to the second, a "
                 "replay, which takes an interval; 0: none, lanes keep address generation",
                 .perfect = PERFECT(IN("sm_atomics", "0 cycles")), .doubling = HALF),
    PARAM_NUMBER(LoadStore, atomic_groups, PARAM_COUNT, "32", 1, LANES_MAX,
                 "lanes congruent modulo this that want one address are combined first"),
    PARAM_NUMBER(LoadStore, atomic_latency, PARAM_CYCLES, "20 cycles", 0, 1000,
                 "until the operands of a global reduction have been read, with one pass",
                 .perfect = PERFECT(IN("sm_atomics", "0 cycles")), .doubling = HALF),
    PARAM_REAL(LoadStore, shared_atomic_interval, "2", 0, 1000,
               "shared atomics: cycles for each further lane at one word or in one bank",
               .perfect = PERFECT(IN("sm_atomics", "1")), .doubling = HALF),
    PARAM_NUMBER(LoadStore, shared_atomic_latency, PARAM_CYCLES, "1 cycle", 0, 1000,
                 "until the operands of a shared reduction have been read, with one pass",
                 .perfect = PERFECT(IN("sm_atomics", "0 cycles")), .doubling = HALF),
    PARAM_SWITCH(LoadStore, shared_lock_loop, "no",
                 "shared atomics are a loop of load with lock, and store with unlock",
                 .perfect = PERFECT(IN("sm_atomics", "no"))),
    PARAM_END};

/* An address of each lane: two sums of 32 bits. */
static double energy_of_addresses(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_logic(figures, 2 * figures->integer * figures->machine.lanes);
}

static const Stat stats[] = {
    STAT_NUMBER(LoadStore, instructions, STAT_COUNT, "smsp__inst_executed_pipe_lsu.sum",
                "memory instructions taken", ENERGY(IN_STAGE(COALESCE, energy_of_addresses))),
    STAT_NUMBER(LoadStore, transactions, STAT_COUNT, "l1tex__t_requests_pipe_lsu.sum",
                "lines found in global and local instructions",
                RULES(GIVES("loads and stores are looked up in L1"))),
    STAT_NUMBER(LoadStore, uncoalesced, STAT_COUNT, NULL,
                "instructions that touch more lines than their bytes would need"),
    STAT_NUMBER(LoadStore, requested_bytes, STAT_BYTES, NULL, "bytes asked for by lanes"),
    STAT_NUMBER(LoadStore, stalls, STAT_COUNT, NULL, "times L1's port was full"),
    STAT_NUMBER(LoadStore, texture_stalls, STAT_COUNT, NULL,
                "times the texture unit's port was full"),
    STAT_NUMBER(LoadStore, shared_instructions, STAT_COUNT, "smsp__inst_executed_op_shared.sum",
                "shared-memory instructions"),
    STAT_NUMBER(LoadStore, local_instructions, STAT_COUNT, "smsp__inst_executed_op_local.sum",
                "local-memory instructions: spills and the stack"),
    STAT_NUMBER(LoadStore, constant_instructions, STAT_COUNT, "smsp__inst_executed_op_ldc.sum",
                "constant loads"),
    STAT_NUMBER(LoadStore, texture_instructions, STAT_COUNT, NULL,
                "instructions sent to the texture unit with their lines"),
    STAT_NUMBER(LoadStore, atomic_passes, STAT_COUNT, NULL,
                "passes of atomics and reductions: most lanes at one address, summed"),
    STAT_NUMBER(LoadStore, conflicting_stores, STAT_COUNT, NULL,
                "stores in which several lanes write the same bytes",
                .suspect = "conflicting stores"),
    STAT_OCCUPANCY(LoadStore, queue, NULL, "instructions waiting here"),
    STAT_END};

static const ResourceRow resources[] = {
    RESOURCE_ONE_SERVER(LoadStore, addresses, "address generation",
                        RESOURCE_CAPACITY(LoadStore, instructions_per_interval),
                        .unit = "instructions", .component = "issue",
                        .rests_on = "interval instructions_per_interval", .work = "instructions",
                        .feeds = "same_address held to_l1 to_texture", .refuses = "from_sm"),
    RESOURCE_ONE_SERVER(LoadStore, same_address,
                        "lanes of global atomics at one address: each behind the first",
                        .unit = "lanes", .component = "sm_atomics", .rests_on = "atomic_interval",
                        .feeds = "held to_l1 to_texture", .refuses = "addresses"),
    RESOURCE_ONE_PLACE(LoadStore, held,
                       "head of the load/store unit: an instruction that finds no room behind it",
                       .unit = "instructions", .feeds = "to_l1 to_texture", .refuses = "from_sm"),
    RESOURCE_END};

static StorageSize size_access(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = storage_access_bits(machine)};
}

static const StorageRow storage[] = {
    STORAGE("head_bits", size_access, "head: an instruction with its addresses", .places = "held"),
    STORAGE("input_bits", size_access, "instructions in front of the load/store unit",
            .input = "from_sm"),
    STORAGE_END};

static const PortRow ports[] = {
    PORT_INPUT(LoadStore, from_sm, "memory instructions"),
    PORT_OUTPUT(LoadStore, to_l1, "instructions with their lines"),
    PORT_OUTPUT(LoadStore, to_texture, "instructions with their lines, for the texture unit"),
    PORT_OUTPUT(LoadStore, to_sm, "constants, and operands of reductions that have been read"),
    PORT_END};

static const SharedRow shared[] = {SHARED_AS(LoadStore, line, "l1_line"),
                                   SHARED(LoadStore, warp_lanes), SHARED_END};

/* What goes to the texture unit needs a cache of that unit's own. */
static const NeedRow needs[] = {{"through_texture", "nothing", "to_texture", "cache", "own"},
                                NEED_END};

/* --- instructions ----------------------------------------------------------------------------- */

static bool leaves(const Instruction *instruction)
{
    return instruction->mask && instruction->space != SPACE_CONSTANT;
}

static bool is_read_only(const Instruction *instruction)
{
    return instruction->operation == OPERATION_LOAD && instruction->space == SPACE_GLOBAL
           && instruction->hint == CACHE_READ_ONLY;
}

/* A trace's texture instructions, which have addresses instead of coordinates, always do. */
static bool goes_to_texture(const LoadStore *self, const Instruction *instruction)
{
    switch ((Space)instruction->space) {
    case SPACE_TEXTURE: return true;
    case SPACE_SHARED:
    case SPACE_CONSTANT: return false;
    case SPACE_GLOBAL:
    case SPACE_LOCAL: break;
    }
    switch ((ThroughTexture)self->through_texture) {
    case TEXTURE_NOTHING: return false;
    case TEXTURE_READ_ONLY: return is_read_only(instruction);
    case TEXTURE_EVERYTHING: return true;
    }
    g_assert_not_reached();
}

/* Tells the SM when the reduction's operands will have been read. */
G_GNUC_NO_INLINE static void release(LoadStore *self, const WarpAccess *access, Time at, Time now)
{
    StoreNotice *notice = store_notice_new(&self->unit.messages, access, at + self->to_sm.delay);
    channel_send(&self->to_sm, &notice->message, now);
}

static void complete_here(LoadStore *self, WarpAccess *access, Time now)
{
    self->constant_instructions += access->instruction.space == SPACE_CONSTANT;
    channel_send(&self->to_sm, &access->message,
                 now + clock_cycles(self->unit.clock, self->constant_latency));
}

/* Of the next instruction; its lanes that want one address keep all of it for so much longer, up to
 * the next edge. */
static void generate(LoadStore *self, Time lanes, Time now)
{
    const Time interval = clock_cycles(self->unit.clock, self->interval),
               edge = clock_ceil(self->unit.clock, now + lanes) - (now + lanes);
    const uint64_t at_once = self->instructions_per_interval;
    const Time share = lanes + edge + time_share(interval, at_once);
    server_book_known(&self->addresses, now, share * at_once, share);
}

static void prepare(LoadStore *self, WarpAccess *access, Time now)
{
    const Instruction *instruction = &access->instruction;
    access->reached = access->issued + self->from_sm.channel->delay;
    access->lines = 0;
    self->release_after = TIME_NEVER;
    Time busy = 0;
    if (instruction->space == SPACE_SHARED)
        self->shared_instructions++;
    else
        load_store_find_lines(self, access);
    if (instruction->operation == OPERATION_ATOMIC)
        busy = load_store_serialize_atomic(self, access);
    if (busy) server_book(&self->same_address, now, busy);
    generate(self, busy, now);
    self->current = access;
    self->way = goes_to_texture(self, instruction) ? &self->to_texture : &self->to_l1;
    self->held_since = TIME_NEVER;
}

static void hold(LoadStore *self, Time now)
{
    if (self->held_since != TIME_NEVER) return;
    self->held_since = now;
    level_enter(&self->held, now);
}

/* False: the port is full. */
static bool send(LoadStore *self, Time now)
{
    const bool texture = self->way == &self->to_texture;
    if (!channel_ready(self->way, now)) {
        *(texture ? &self->texture_stalls : &self->stalls) += 1;
        channel_await(self->way, now);
        hold(self, now);
        return false;
    }
    self->texture_instructions += texture;
    self->held_for = REFUSED_NOT;
    if (self->held_since != TIME_NEVER) {
        level_leave(&self->held, now, self->held_since);
        self->held_for = channel_reason(self->way, self->held_since);
    }
    if (self->release_after != TIME_NEVER)
        release(self, self->current, now + self->release_after, now);
    self->current->began = now;
    channel_send(self->way, &self->current->message, now);
    self->current = NULL;
    return true;
}

static void take_next(LoadStore *self, Time now)
{
    WarpAccess *access = (WarpAccess *)port_take(&self->from_sm, now);
    const Time came = access->issued + self->from_sm.channel->delay;
    self->seen--;
    level_leave(&self->queue, now, came);
    if (came < now) port_give_reason(&self->from_sm, self->held_for);
    const Instruction *instruction = &access->instruction;
    self->instructions++;
    self->requested_bytes += (uint64_t)instruction->width * count_lanes(instruction->mask);
    if (leaves(instruction)) {
        prepare(self, access, now);
    } else {
        complete_here(self, access, now);
        generate(self, 0, now);
    }
}

static bool setup(Unit *unit, GError **error)
{
    LoadStore *self = (LoadStore *)unit;
    if (self->instructions_per_interval > 1) self->slack = unit->clock->period - 1;
    const bool is_base = self->local_bytes % 4 == 0;
    if (is_base && self->local_base % 4 == 0) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "load_store.%s = %" G_GUINT64_FORMAT " B: not a whole number of 4-byte words",
                is_base ? "local_base" : "local_bytes",
                is_base ? self->local_base : self->local_bytes);
    return false;
}

/* When the next instruction can be taken. */
static Time next_at(const LoadStore *self)
{
    const Time free = self->addresses.until - self->slack;
    return self->slack ? clock_ceil(self->unit.clock, free) : free;
}

static void step(Unit *unit, Time now)
{
    LoadStore *self = (LoadStore *)unit;
    for (; self->seen < self->from_sm.count; self->seen++) level_enter(&self->queue, now);
    if (self->current && !send(self, now)) return;
    while (port_peek(&self->from_sm) && self->addresses.until <= now + self->slack) {
        take_next(self, now);
        if (self->current && !send(self, now)) return;
    }
    if (port_peek(&self->from_sm)) unit_wake_at(unit, next_at(self));
}

static bool unfinished(Unit *unit, GString *what)
{
    LoadStore *self = (LoadStore *)unit;
    if (!self->current) return false;
    g_string_append_printf(what, "an instruction of %u lines that %s has no room for",
                           self->current->lines,
                           self->way == &self->to_l1 ? "L1" : "the texture unit");
    unit_waits_for(unit, channel_receiver(self->way));
    return true;
}

const UnitClass load_store_class = {
    .name = "load_store",
    .summary = "load/store unit: addresses of a warp's memory instruction, and their lines",
    .per = PER_SM,
    .clock = CLOCK_CORE,
    .place = PLACE_CORE,
    .path = "sm[%u].load_store",
    .size = sizeof(LoadStore),
    .params = params,
    .stats = stats,
    .ports = ports,
    .resources = resources,
    .storage = storage,
    .shared = shared,
    .needs = needs,
    .setup = setup,
    .step = step,
    .unfinished = unfinished};
