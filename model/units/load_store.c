/* The load/store unit: takes a warp's memory instruction with one address a lane, and splits it
 * into line transactions.
 *
 *   SM ──from_sm──> [instruction queue] ─> coalescer ──to_l1──> L1, one line a cycle
 *
 * k distinct lines take k passes of one cycle. What L1 refuses waits in L1's port; when that is
 * full, the instruction waits here, and when the instruction queue is full, the SM cannot issue
 * memory instructions.
 *
 * Not modelled: shared and local memory, bank conflicts, the replay buffer. Shared-memory
 * instructions complete after a fixed time. Sources: the pass rule is spec row L2; queue depth
 * from the TITAN V trace of accel-sim's l1_mshr benchmark (about 17). */
#include "kit/unit.h"
#include "parts/coalescer.h"

typedef struct {
    Unit unit;
    Port from_sm;
    Channel to_l1;
    Channel to_sm;
    const LineShape *line;

    uint64_t pass_interval, lines_ahead, shared_latency;

    uint64_t instructions, transactions, uncoalesced, requested_bytes, stalls, shared_instructions;
    Level queue;

    CoalescedLine lines[COALESCER_LINES];
    WarpAccess *current;
    uint32_t line_count, next_line;
    Time free_at;  /* the coalescer may start the next pass */
    Time began;    /* with the present instruction, or to go on with it after L1 was full */
    uint32_t seen; /* instructions in the port whose arrival has been noted */
} LoadStore;

static const Param params[] = {
    PARAM_NUMBER(LoadStore, pass_interval, PARAM_CYCLES, "1 cycle", 1, 64,
                 "cycles from one line of an instruction to the next"),
    PARAM_NUMBER(LoadStore, lines_ahead, PARAM_COUNT, "8", 0, 64,
                 "lines that address generation may have ready before L1 takes them"),
    PARAM_NUMBER(LoadStore, shared_latency, PARAM_CYCLES, "15 cycles", 1, 1000,
                 "cycles a shared-memory instruction takes here (no bank conflicts yet)"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(LoadStore, instructions, STAT_COUNT, "smsp__inst_executed_pipe_lsu.sum",
                "memory instructions taken"),
    STAT_NUMBER(LoadStore, transactions, STAT_COUNT, "l1tex__t_requests_pipe_lsu.sum",
                "line transactions sent to L1"),
    STAT_NUMBER(LoadStore, uncoalesced, STAT_COUNT, NULL,
                "instructions that touch more lines than their bytes would need"),
    STAT_NUMBER(LoadStore, requested_bytes, STAT_BYTES, NULL, "bytes asked for by lanes"),
    STAT_NUMBER(LoadStore, stalls, STAT_COUNT, "l1tex__lsuin_requests.sum",
                "times L1's port was full"),
    STAT_NUMBER(LoadStore, shared_instructions, STAT_COUNT, "smsp__inst_executed_op_shared.sum",
                "shared-memory instructions"),
    STAT_OCCUPANCY(LoadStore, queue, NULL, "instructions waiting or being split"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(LoadStore, from_sm, "memory instructions"),
    PORT_OUTPUT(LoadStore, to_l1, "line transactions"),
    PORT_OUTPUT(LoadStore, to_sm, "completed shared-memory instructions"), PORT_END};

static const SharedRow shared[] = {SHARED(LoadStore, line), SHARED_END};

static void split(LoadStore *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    self->current = access;
    self->next_line = 0;
    self->line_count = instruction->addresses
                           ? coalesce_addresses(self->line, access->address,
                                                (uint32_t)__builtin_popcount(instruction->mask),
                                                instruction->width, self->lines)
                           : coalesce_affine(self->line, instruction->base, instruction->stride,
                                             instruction->mask, instruction->width, self->lines);
    access->lines = self->line_count;
    access->lines_sent = access->lines_done = 0;
    access->released = false;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < self->line_count; i++) bytes += self->lines[i].bytes;
    self->requested_bytes += bytes;
    self->instructions++;
    if (self->line_count > (bytes + self->line->line_bytes - 1) / self->line->line_bytes + 1)
        self->uncoalesced++;
}

static TransactionType type_of(const Instruction *instruction)
{
    if (instruction->operation == OPERATION_STORE) return TRANSACTION_WRITE;
    return instruction->operation == OPERATION_ATOMIC ? TRANSACTION_ATOMIC : TRANSACTION_READ;
}

static void send_line(LoadStore *self, Time when)
{
    const CoalescedLine *line = &self->lines[self->next_line++];
    Transaction *transaction = unit_new_transaction(&self->unit);
    transaction->line = line->line;
    transaction->sectors = line->sectors;
    transaction->partial = line->partial;
    transaction->requested_bytes = line->bytes;
    transaction->type = (uint8_t)type_of(&self->current->instruction);
    transaction->space = self->current->instruction.space;
    transaction->hint = self->current->instruction.hint;
    transaction->access = self->current;
    transaction->source = (uint16_t)self->unit.number;
    transaction_enter(transaction, STAGE_ISSUE, self->current->issued);
    transaction_enter(transaction, STAGE_L1_QUEUE,
                      self->current->issued + self->from_sm.channel->delay);
    transaction_enter(transaction, STAGE_COALESCE, self->began);
    self->transactions++;
    channel_send(&self->to_l1, &transaction->message, when);
}

/* False: L1's port is full. */
static bool send_lines(LoadStore *self, Time now)
{
    self->began = MAX(now, self->free_at);
    while (self->next_line < self->line_count) {
        if (!channel_ready(&self->to_l1, now)) {
            self->stalls++;
            channel_await(&self->to_l1, now);
            return false;
        }
        const Time when = MAX(now, self->free_at);
        send_line(self, when);
        self->free_at = when + clock_cycles(self->unit.clock, self->pass_interval);
    }
    self->current = NULL;
    return true;
}

static bool reaches_l1(const Instruction *instruction)
{
    return instruction->mask && instruction->space != SPACE_SHARED
           && instruction->space != SPACE_CONSTANT;
}

static void complete_here(LoadStore *self, WarpAccess *access, Time now)
{
    self->shared_instructions++;
    const Time when = MAX(now, self->free_at);
    self->free_at = when + clock_cycles(self->unit.clock, self->pass_interval);
    channel_send(&self->to_sm, &access->message,
                 when + clock_cycles(self->unit.clock, self->shared_latency));
}

static void take_next(LoadStore *self, Time now)
{
    WarpAccess *access = (WarpAccess *)port_take(&self->from_sm, now);
    self->seen--;
    level_leave(&self->queue, now, access->issued + self->from_sm.channel->delay);
    if (reaches_l1(&access->instruction))
        split(self, access);
    else
        complete_here(self, access, now);
}

static void step(Unit *unit, Time now)
{
    LoadStore *self = (LoadStore *)unit;
    for (; self->seen < self->from_sm.count; self->seen++) level_enter(&self->queue, now);
    const Time ahead = clock_cycles(unit->clock, self->lines_ahead);
    for (;;) {
        if (self->current && !send_lines(self, now)) return;
        if (!port_peek(&self->from_sm)) return;
        if (self->free_at > now + ahead) {
            unit_wake_at(unit, self->free_at - ahead);
            return;
        }
        take_next(self, now);
    }
}

static bool unfinished(Unit *unit, GString *what)
{
    LoadStore *self = (LoadStore *)unit;
    if (!self->current) return false;
    g_string_append_printf(what, "an instruction with %u lines still to send",
                           self->line_count - self->next_line);
    return true;
}

const UnitClass load_store_class = {
    .name = "load_store",
    .summary = "load/store unit: splits a warp's memory instruction into line transactions",
    .size = sizeof(LoadStore),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .step = step,
    .unfinished = unfinished};
