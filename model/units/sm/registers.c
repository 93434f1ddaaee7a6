/* The SM: its register file, in stages, banks and ports.
 *
 *   base + number ──> [read stages: banks] ──> unit ──> execution ──> [write stages: banks]
 *                                    operands a cycle      └─────────────── forwarding ──> unit
 *
 * Operands and results are booked in the slots of their banks, so that warps whose blocks begin
 * elsewhere meet in other banks. A unit is occupied until its operands are there. */
#include "units/sm/private.h"

/* From issue until a dependent instruction may issue: operands are read, the last lanes start, they
 * are done, their results are written. Forwarded, those that depend have read the others of their
 * operands by then. */
static void set_latencies(SM *self)
{
    const uint64_t latency[EXECUTION_UNITS] = {
        self->fp32_latency,    self->fp64_latency,  self->sfu_latency,  self->int_latency,
        self->texture_latency, self->other_latency, self->other_latency};
    static const uint8_t pool_of[EXECUTION_UNITS] = {
        POOL_CORE, POOL_FP64, POOL_SFU, POOL_INT, POOL_TEXTURE, POOL_LOAD_STORE, POOL_OTHER};
    const Time cycle = self->unit.clock->period;
    const bool single = self->register_access == SINGLE_STAGE, forwards = self->register_forwarding;
    const Time read = (single ? 1 : self->register_read_stages) * cycle;
    const Time write = (single ? 1 : self->register_write_stages) * cycle;
    self->write_delay = forwards ? 0 : write;
    self->forwarded = forwards ? read + write : 0;
    self->load_forwarded = forwards ? write : 0;
    for (uint32_t u = 0; u < EXECUTION_UNITS; u++) {
        const uint8_t pool = pool_of[u];
        const bool on_cores =
            !self->units.pool[pool].units && (pool == POOL_INT || pool == POOL_OTHER);
        self->pool_of[u] = on_cores ? POOL_CORE : pool;
        self->latency[u] = latency[u] * cycle + self->units.pool[self->pool_of[u]].occupancy - cycle
                           + (forwards ? 0 : read + write);
    }
    self->path[PATH_LOAD_STORE] =
        (MemoryPath){.to = &self->to_load_store,
                     .delay = read + self->units.pool[POOL_LOAD_STORE].occupancy - cycle};
    self->path[PATH_TEXTURE] = (MemoryPath){
        .to = &self->to_texture, .delay = read + self->units.pool[POOL_TEXTURE].occupancy - cycle};
}

/* As the parameters say it; the register file has them in whole warps. */
OccupancyLimits sm_limits(const Unit *unit)
{
    const SM *self = (const SM *)unit;
    const bool fixed = self->register_access == SINGLE_STAGE;
    return (OccupancyLimits){.ctas = self->max_ctas,
                             .threads = self->max_threads,
                             .warps = self->max_warps,
                             .registers = self->registers,
                             .register_granularity = self->register_granularity,
                             .register_partitions = self->register_partitions,
                             .registers_per_warp = fixed ? self->registers / self->max_warps : 0,
                             .shared_bytes = self->shared_memory,
                             .shared_granularity = self->shared_granularity,
                             .shared_reserved = self->shared_reserved};
}

/* Schedulers share parts where there are fewer of them. They have them in turns, and so do the
 * warps of a CTA: an empty SM has room for all that its limits promise. */
static bool divide(SM *self, uint32_t *parts, GError **error)
{
    const uint32_t schedulers = MIN((uint32_t)self->schedulers, WARP_POOL_SCHEDULERS);
    *parts = sm_parts(self);
    for (uint32_t s = 0; s < schedulers; s++) self->part_of[s] = (uint8_t)(s % *parts);
    if (schedulers % *parts == 0) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "sm.register_partitions = %u: cannot be divided equally among sm.schedulers = %u",
                *parts, schedulers);
    return false;
}

static void set_file(SM *self, uint32_t parts)
{
    const uint32_t lanes = (uint32_t)*self->warp_lanes;
    const uint32_t entries = (uint32_t)self->registers / lanes;
    const uint32_t granularity = (uint32_t)(self->register_granularity + lanes - 1) / lanes;
    const uint32_t share =
        self->register_access == SINGLE_STAGE ? entries / (uint32_t)self->max_warps : 0;
    for (uint32_t p = 0; p < parts; p++)
        register_file_init(&self->file[p],
                           &(RegisterFileShape){entries / parts, granularity, share});
    self->limits = sm_limits(&self->unit);
    self->limits.registers = (uint64_t)entries * lanes;
    self->limits.register_granularity = (uint64_t)granularity * lanes;
    self->limits.registers_per_warp = (uint64_t)share * lanes;
}

static void set_ports(SM *self, uint32_t parts)
{
    register_ports_init(
        &self->ports,
        &(RegisterPortsShape){.parts = parts,
                              .banks = (uint32_t)self->register_banks,
                              .reads = (uint32_t)self->register_bank_reads,
                              .writes = (uint32_t)self->register_bank_writes,
                              .cycle = self->unit.clock->period,
                              .once = parts == self->schedulers && self->dispatches == 1});
}

bool sm_set_registers(SM *self, GError **error)
{
    uint32_t parts;
    set_latencies(self);
    if (!divide(self, &parts, error)) return false;
    self->register_parts = self->register_banks || self->register_operands ? parts : 0;
    set_file(self, parts);
    set_ports(self, parts);
    return true;
}

/* Cycles beyond those of its lanes in which a unit gets its operands. */
static uint32_t wait_for_bandwidth(const SM *self, const Instruction *next, ExecutionPool pool)
{
    const uint32_t operands = (uint32_t)self->register_operands;
    if (!operands || next->source_count <= operands) return 0;
    const uint32_t passes = (uint32_t)(self->units.pool[pool].occupancy / self->unit.clock->period);
    return (next->source_count * passes + operands - 1) / operands - passes;
}

/* A unit is held for its operands behind the passes of its lanes. Of several of a part that are at
 * the same time it is one time. */
static void book_wait(SM *self, uint32_t part, Time from, Time until)
{
    OperandWait *wait = &self->operand_wait[part];
    const Time start = MAX(from, wait->until);
    if (until <= start) return;
    if (start > wait->until) wait->since = start;
    wait->until = until;
    self->operands_until = MAX(self->operands_until, until);
    server_book_share(&self->register_waits, start, until - start, self->register_parts);
}

Time sm_read_operands(SM *self, uint32_t s, uint32_t w, Time now)
{
    const Instruction *next = &self->warp[w].next;
    const uint32_t part = self->part_of[s];
    uint32_t cycles = 0;
    if (self->register_banks) {
        const RegisterSpan span = {.part = part,
                                   .base = self->warp[w].registers,
                                   .number = next->sources,
                                   .count = next->source_count};
        cycles = register_ports_read(&self->ports, &span, now);
        self->bank_conflicts += cycles;
    }
    const ExecutionPool pool = (ExecutionPool)self->pool.pool[w];
    const uint32_t longer = wait_for_bandwidth(self, next, pool);
    if (longer > cycles) {
        self->operand_waits += longer - cycles;
        cycles = longer;
    }
    const Time wait = clock_cycles(self->unit.clock, cycles),
               passed = now + self->units.pool[pool].occupancy;
    if (wait) book_wait(self, part, passed, passed + wait);
    return wait;
}

Time sm_write_results(SM *self, uint32_t w, const Instruction *done, Time at, Time forwarded)
{
    if (!done->destination_count || done->destination == REGISTER_NONE) return at;
    const uint32_t part = sm_part_of(self, w);
    const RegisterSpan span = {.part = part,
                               .base = self->warp[w].registers,
                               .first = done->destination,
                               .count = done->destination_count};
    const uint32_t cycles =
        register_ports_write(&self->ports, &span, at + forwarded, self->unit.inbox.now);
    self->write_conflicts += cycles;
    return self->register_forwarding ? at : at + clock_cycles(self->unit.clock, cycles);
}
