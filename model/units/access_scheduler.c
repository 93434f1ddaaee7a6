/* The memory access scheduler of an L2 slice: decides which waiting request the DRAM serves next,
 * and when.
 *
 *   L2 slice ──from_l2──┬─ reads ──> [sorter] ─> [store] ─┐
 *                       └─ writes ─> [sorter] ─> [store] ─┴─> decision ──to_dram──> DRAM channel
 *
 * Reads and writes wait in tables of their own; written data stays in L2, so a write takes a place
 * for its address only. A line is served as one unit. A decision fixes all commands of a request at
 * their cycles and gives its place back; it is taken when the data bus is booked for less than
 * `horizon` cycles ahead, just enough to open a row behind the transfers of others. Policies:
 * `fr_fcfs` takes the request whose columns can go first (on a tie one of an open row, then the
 * oldest), reads before writes until the writes reach `drain_high`, then writes down to
 * `drain_low`; `fifo` takes the oldest read, or the oldest write in the same drains; `in_order`
 * takes requests as they came. Rows stay open.
 *
 * Not modelled: reads answered by waiting writes (they hit in L2), refresh commands on the command
 * bus, power-down. Sources: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor
 * Architectures", 2018, 4.3 (structure); GPGPU-Sim's SM7_QV100 (64 entries). */
#include "kit/unit.h"
#include "parts/coalescer.h"
#include "parts/dram_state.h"
#include "parts/row_sorter.h"

G_STATIC_ASSERT((int)DRAM_STEP_REFRESH_ALL == (int)DRAM_REFRESH_ALL);
G_STATIC_ASSERT((int)DRAM_STEPS_MAX <= (int)DRAM_COMMANDS_MAX);

typedef enum { POLICY_FR_FCFS, POLICY_FIFO, POLICY_IN_ORDER } Policy;
static const char *const policies[] = {"fr_fcfs", "fifo", "in_order", NULL};

enum { READS, WRITES, DIRECTIONS };

typedef struct {
    Unit unit;
    Port from_l2;
    Channel to_dram;
    const DramTiming *dram;
    const LineShape *line;

    uint32_t policy;
    uint64_t read_entries, read_sets, read_ways, write_entries, write_sets, write_ways;
    uint64_t drain_high, drain_low, horizon, patience;

    uint64_t reads, writes, row_hits, row_misses, row_conflicts, turnarounds, drains, idle_drains;
    uint64_t refused_reads, refused_writes, refused_rows, out_of_patience;
    Level reads_waiting, writes_waiting;
    Histogram wait;

    DramMap map;
    DramState state;
    RowSorter sorter[DIRECTIONS];
    uint64_t look_ahead; /* cycles the data bus is booked ahead at most ... */
    uint64_t look_again; /* ... and at least, when requests wait */
    uint64_t sequence, last_column;
    uint32_t seen; /* messages in the port that have been stamped */
    bool draining, last_was_write, refused;
} AccessScheduler;

static const Param params[] = {
    PARAM_ONE_OF(AccessScheduler, policy, policies, "fr_fcfs", "which request is served next"),
    PARAM_NUMBER(AccessScheduler, read_entries, PARAM_COUNT, "64", 1, 4096,
                 "reads that can wait (read request store)"),
    PARAM_NUMBER(AccessScheduler, read_sets, PARAM_COUNT, "16", 1, 4096, "sets of the read sorter"),
    PARAM_NUMBER(AccessScheduler, read_ways, PARAM_COUNT, "8", 1, 4096,
                 "rows in each set of the read request sorter"),
    PARAM_NUMBER(AccessScheduler, write_entries, PARAM_COUNT, "128", 1, 4096,
                 "writes that can wait; their data is in L2"),
    PARAM_NUMBER(AccessScheduler, write_sets, PARAM_COUNT, "16", 1, 4096,
                 "sets of the write sorter"),
    PARAM_NUMBER(AccessScheduler, write_ways, PARAM_COUNT, "16", 1, 4096,
                 "rows in each set of the write request sorter"),
    PARAM_NUMBER(AccessScheduler, drain_high, PARAM_COUNT, "96", 1, 4096,
                 "waiting writes at which writing begins"),
    PARAM_NUMBER(AccessScheduler, drain_low, PARAM_COUNT, "32", 0, 4096,
                 "waiting writes at which reading resumes"),
    PARAM_NUMBER(
        AccessScheduler, horizon, PARAM_CYCLES, "0 cycles", 0, DRAM_HORIZON_MAX,
        "how far ahead columns are fixed; 0: what opening a line's rows takes, and 20 more"),
    PARAM_NUMBER(AccessScheduler, patience, PARAM_CYCLES, "0 cycles", 0, 1e9,
                 "fr_fcfs: a request that has waited longer goes first; 0: never"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(AccessScheduler, reads, STAT_COUNT, NULL, "read requests served"),
    STAT_NUMBER(AccessScheduler, writes, STAT_COUNT, NULL, "write requests served"),
    STAT_NUMBER(AccessScheduler, row_hits, STAT_COUNT, NULL, "requests that found their rows open"),
    STAT_NUMBER(AccessScheduler, row_misses, STAT_COUNT, NULL,
                "requests that opened a row of a closed bank"),
    STAT_NUMBER(AccessScheduler, row_conflicts, STAT_COUNT, NULL,
                "requests that closed another row first"),
    STAT_NUMBER(AccessScheduler, turnarounds, STAT_COUNT, NULL,
                "changes of direction of the data bus"),
    STAT_NUMBER(AccessScheduler, drains, STAT_COUNT, NULL, "times the writes reached drain_high"),
    STAT_NUMBER(AccessScheduler, idle_drains, STAT_COUNT, NULL,
                "times writing began because no read waited"),
    STAT_NUMBER(AccessScheduler, refused_reads, STAT_COUNT, NULL,
                "head waited: the read store is full"),
    STAT_NUMBER(AccessScheduler, refused_writes, STAT_COUNT, NULL,
                "head waited: the write store is full"),
    STAT_NUMBER(AccessScheduler, refused_rows, STAT_COUNT, NULL,
                "head waited: no way of the sorter for its row"),
    STAT_NUMBER(AccessScheduler, out_of_patience, STAT_COUNT, NULL,
                "requests that were served after their patience was over"),
    STAT_OCCUPANCY(AccessScheduler, reads_waiting, NULL, "reads that wait"),
    STAT_OCCUPANCY(AccessScheduler, writes_waiting, NULL, "writes that wait"),
    STAT_DISTRIBUTION(AccessScheduler, wait, NULL,
                      "from arrival until the first command of a read"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(AccessScheduler, from_l2, "fetches and write-backs"),
    PORT_OUTPUT(AccessScheduler, to_dram, "commands, a message a request"), PORT_END};

static const SharedRow shared[] = {SHARED(AccessScheduler, dram), SHARED(AccessScheduler, line),
                                   SHARED_END};

static bool check_shape(const AccessScheduler *self, GError **error)
{
    const uint64_t line = self->line->line_bytes;
    if (self->drain_low >= self->drain_high || self->drain_high > self->write_entries) {
        g_set_error(error, PARAM_ERROR, 0,
                    "access_scheduler.drain_low = %" G_GUINT64_FORMAT
                    ", drain_high = %" G_GUINT64_FORMAT
                    ": must be ascending and at most write_entries (%" G_GUINT64_FORMAT ")",
                    self->drain_low, self->drain_high, self->write_entries);
        return false;
    }
    if (line % self->dram->burst_bytes || line / self->dram->burst_bytes > DRAM_BURSTS_MAX
        || line > self->dram->interleaved_groups * self->dram->row_bytes) {
        g_set_error(
            error, PARAM_ERROR, 0,
            "dram: a line of %" G_GUINT64_FORMAT " B must be 1 to %d bursts of %" G_GUINT64_FORMAT
            " B (channel_width x burst_length) and fit into a row of the interleaved groups",
            line, DRAM_BURSTS_MAX, self->dram->burst_bytes);
        return false;
    }
    return true;
}

/* From a decision to the column of a request whose rows must be closed and opened first. */
static uint64_t opening_cycles(const DramTiming *dram)
{
    return dram->tRP + MAX(dram->tRCDRD, dram->tRCDWR)
           + (dram->interleaved_groups - 1) * dram->activate_gap[0];
}

static bool check_horizon(const AccessScheduler *self, GError **error)
{
    const uint64_t least = opening_cycles(self->dram);
    if (!self->horizon || self->horizon >= least) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "access_scheduler.horizon = %" G_GUINT64_FORMAT
                " cycles: must be 0 (derived) or at least the %" G_GUINT64_FORMAT
                " cycles that opening a row takes",
                self->horizon, least);
    return false;
}

static bool setup(Unit *unit, GError **error)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    if (!check_shape(self, error) || !check_horizon(self, error)) return false;
    const uint64_t opening = opening_cycles(self->dram);
    self->look_ahead = self->horizon ? self->horizon : opening + 20;
    self->look_again = self->look_ahead - MIN(16, self->look_ahead / 2);
    dram_map_setup(&self->map, self->dram);
    dram_state_init(&self->state, self->dram, self->look_ahead);
    dram_state_stagger(&self->state, unit->number);
    row_sorter_init(&self->sorter[READS], (uint32_t)self->read_sets, (uint32_t)self->read_ways,
                    (uint32_t)self->read_entries);
    row_sorter_init(&self->sorter[WRITES], (uint32_t)self->write_sets, (uint32_t)self->write_ways,
                    (uint32_t)self->write_entries);
    return true;
}

static void teardown(Unit *unit)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    if (!self->state.timing) return;
    dram_state_finish(&self->state);
    row_sorter_finish(&self->sorter[READS]);
    row_sorter_finish(&self->sorter[WRITES]);
}

/* --- taking requests --- */

/* The bursts that hold the wanted sectors: a sector smaller than a burst costs a whole one. */
static uint32_t bursts_of(const AccessScheduler *self, uint32_t sectors)
{
    const uint32_t sector = self->line->sector_bytes, burst = (uint32_t)self->dram->burst_bytes;
    if (sector == burst) return sectors;
    uint32_t bursts = 0;
    for (uint32_t i = 0; sectors >> i; i++) {
        if (!(sectors >> i & 1)) continue;
        const uint32_t first = i * sector / burst, last = ((i + 1) * sector - 1) / burst;
        bursts |= ((2u << last) - 1) & ~((1u << first) - 1);
    }
    return bursts;
}

static void count_refusal(AccessScheduler *self, bool write)
{
    if (self->refused) return;
    self->refused = true;
    const RowSorter *sorter = &self->sorter[write];
    if (sorter->count < sorter->entries)
        self->refused_rows++;
    else if (write)
        self->refused_writes++;
    else
        self->refused_reads++;
}

static bool take(AccessScheduler *self, Transaction *transaction, Time now)
{
    DramAccess access = {.write = transaction->type == TRANSACTION_WRITE};
    const uint64_t line = transaction->local & ~(uint64_t)(self->line->line_bytes - 1);
    dram_map_access(&self->map, line, bursts_of(self, transaction->sectors), &access);
    RowRequest *request = row_sorter_add(&self->sorter[access.write], &access);
    if (!request) {
        count_refusal(self, access.write);
        return false;
    }
    request->owner = transaction;
    request->came = now;
    request->sequence = self->sequence++;
    level_enter(access.write ? &self->writes_waiting : &self->reads_waiting, now);
    return true;
}

static void accept(AccessScheduler *self, Time now)
{
    while (self->from_l2.count && take(self, (Transaction *)port_peek(&self->from_l2), now)) {
        port_take(&self->from_l2, now);
        self->seen--;
        self->refused = false;
    }
}

static void note_arrivals(AccessScheduler *self, Time now)
{
    for (; self->seen < self->from_l2.count; self->seen++) {
        Transaction *transaction = (Transaction *)port_peek_at(&self->from_l2, self->seen);
        transaction_enter(transaction, STAGE_SCHEDULER_WAIT, now);
        transaction->entered = now;
    }
}

/* --- deciding --- */

/* Writes go while a drain lasts, and when no read waits: at once if the bus writes already, else
 * when it is idle. */
static bool choose_writes(AccessScheduler *self)
{
    const uint32_t reads = self->sorter[READS].count, writes = self->sorter[WRITES].count;
    if (writes >= self->drain_high && !self->draining) {
        self->draining = true;
        self->drains++;
    }
    if (writes <= self->drain_low) self->draining = false;
    if (self->draining) return true;
    if (reads || !writes) return false;
    if (self->last_was_write) return true;
    if (self->last_column > self->state.now) return false;
    self->idle_drains++;
    return true;
}

/* The direction to serve next; false when nothing may be served now. */
static bool choose_direction(AccessScheduler *self, bool *write)
{
    const RowRequest *read = self->sorter[READS].oldest, *written = self->sorter[WRITES].oldest;
    if (!read && !written) return false;
    if (self->policy == POLICY_IN_ORDER)
        *write = !read || (written && written->sequence < read->sequence);
    else
        *write = choose_writes(self);
    return self->sorter[*write].count > 0;
}

static RowRequest *choose_first_ready(AccessScheduler *self, bool write, const DramOutlook *outlook)
{
    const RowSorter *sorter = &self->sorter[write];
    RowRequest *best = NULL;
    uint64_t best_at = UINT64_MAX;
    bool best_open = false;
    for (uint64_t left = sorter->waiting; left; left &= left - 1) {
        RowRequest *request = row_sorter_next(sorter, (uint32_t)__builtin_ctzll(left));
        const uint64_t at = dram_state_estimate(&self->state, &request->access, outlook);
        if (at > best_at) continue;
        const bool open = row_sorter_is_open(sorter, request);
        const bool wins = open != best_open ? open : best && request->sequence < best->sequence;
        if (at == best_at && !wins) continue;
        best = request;
        best_at = at;
        best_open = open;
    }
    return best;
}

static bool is_overdue(const AccessScheduler *self, const RowRequest *request, Time now)
{
    const Time patience = self->patience * self->unit.clock->period;
    return patience && now - request->came >= patience;
}

static RowRequest *choose(AccessScheduler *self, bool write, const DramOutlook *outlook, Time now)
{
    RowRequest *oldest = self->sorter[write].oldest;
    if (self->policy != POLICY_FR_FCFS) return oldest;
    return is_overdue(self, oldest, now) ? oldest : choose_first_ready(self, write, outlook);
}

/* --- serving --- */

static void stamp(const AccessScheduler *self, Transaction *transaction, const DramBooking *booking)
{
    const Time period = self->unit.clock->period;
    const bool write = transaction->type == TRANSACTION_WRITE;
    const uint64_t latency = write ? self->dram->CWL : self->dram->CL;
    if (booking->precharge != UINT64_MAX)
        transaction_enter(transaction, STAGE_DRAM_PRECHARGE, booking->precharge * period);
    if (booking->activate != UINT64_MAX)
        transaction_enter(transaction, STAGE_DRAM_ACTIVATE, booking->activate * period);
    transaction_enter(transaction, STAGE_DRAM_COLUMN, booking->column * period);
    transaction_enter(transaction, STAGE_DRAM_BUS, (booking->column + latency) * period);
    transaction_enter(transaction, STAGE_MEMORY_WIRE, booking->data_end * period);
}

static void send(AccessScheduler *self, Transaction *transaction, const DramBooking *booking,
                 Time now)
{
    DramCommands *commands = unit_new_commands(&self->unit);
    commands->transaction = transaction;
    commands->count = booking->count;
    for (uint32_t i = 0; i < booking->count; i++) {
        const DramStep *step = &booking->step[i];
        commands->command[i] =
            (DramCommand){step->cycle, step->row, step->column, step->kind, step->bank};
    }
    channel_send(&self->to_dram, &commands->message, now);
}

static void count_request(AccessScheduler *self, const RowRequest *request,
                          const DramBooking *booking, Time now)
{
    const bool write = request->access.write;
    if (booking->precharges)
        self->row_conflicts++;
    else if (booking->activates)
        self->row_misses++;
    else
        self->row_hits++;
    if (write)
        self->writes++;
    else
        self->reads++;
    if (write != self->last_was_write) self->turnarounds++;
    if (is_overdue(self, request, now)) self->out_of_patience++;
    level_leave(write ? &self->writes_waiting : &self->reads_waiting, now, request->came);
}

/* Where the bank of the last burst began to work for the request. */
static uint64_t first_cycle(const DramBooking *booking)
{
    return MIN(MIN(booking->precharge, booking->activate), booking->column);
}

static void serve(AccessScheduler *self, RowRequest *request, uint64_t from, Time now)
{
    DramBooking booking;
    dram_state_book(&self->state, &request->access, from, &booking);
    Transaction *transaction = request->owner;
    count_request(self, request, &booking, now);
    if (!request->access.write)
        histogram_add(&self->wait,
                      first_cycle(&booking) * self->unit.clock->period - transaction->entered);
    stamp(self, transaction, &booking);
    send(self, transaction, &booking, now);
    self->last_was_write = request->access.write;
    self->last_column = MAX(self->last_column, booking.last_column);
    for (int i = 0; i < DIRECTIONS; i++)
        row_sorter_open(&self->sorter[i], request->access.bank_set, request->access.row);
    row_sorter_remove(&self->sorter[request->access.write], request);
}

static void wake_at_cycle(AccessScheduler *self, uint64_t cycle)
{
    unit_wake_at(&self->unit, cycle * self->unit.clock->period);
}

/* Serves one request, if its columns lie within the next `reach` cycles. */
static bool decide(AccessScheduler *self, bool write, uint64_t reach, Time now)
{
    const uint64_t from = self->policy == POLICY_FR_FCFS ? 0 : self->last_column;
    DramOutlook outlook;
    dram_state_look(&self->state, write, from, &outlook);
    if (outlook.first_column > self->state.now + reach) {
        wake_at_cycle(self, outlook.first_column - self->look_again);
        return false;
    }
    RowRequest *request = choose(self, write, &outlook, now);
    const uint64_t column = dram_state_earliest(&self->state, &request->access, from);
    if (column > self->state.now + self->look_ahead) {
        wake_at_cycle(self, column - self->look_ahead);
        return false;
    }
    serve(self, request, from, now);
    return true;
}

static void step(Unit *unit, Time now)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    dram_state_advance(&self->state, now / unit->clock->period);
    note_arrivals(self, now);
    accept(self, now);
    bool write;
    for (uint64_t reach = self->look_again; choose_direction(self, &write);
         reach = self->look_ahead) {
        if (!channel_ready(&self->to_dram, now)) {
            channel_await(&self->to_dram, now);
            return;
        }
        if (!decide(self, write, reach, now)) return;
        accept(self, now);
    }
    if (self->sorter[WRITES].count) wake_at_cycle(self, self->last_column);
}

static bool unfinished(Unit *unit, GString *what)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    const uint32_t reads = self->sorter[READS].count, writes = self->sorter[WRITES].count;
    if (!reads && !writes) return false;
    g_string_append_printf(what, "%u reads and %u writes wait", reads, writes);
    unit_waits_for(unit, channel_receiver(&self->to_dram));
    return true;
}

const UnitClass access_scheduler_class = {.name = "access_scheduler",
                                          .summary = "memory access scheduler of an L2 slice",
                                          .size = sizeof(AccessScheduler),
                                          .params = params,
                                          .stats = stats,
                                          .ports = ports,
                                          .shared = shared,
                                          .setup = setup,
                                          .step = step,
                                          .teardown = teardown,
                                          .unfinished = unfinished};
