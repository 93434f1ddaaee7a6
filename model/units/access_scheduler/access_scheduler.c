/* The memory access scheduler of a DRAM channel: decides which waiting request is served next, and
 * when.
 *
 *   L2 slice ──from_l2──┬─ reads ──> [sorter] ─> [store] ─┐
 *                       └─ writes ─> [sorter] ─> [store] ─┴─> decision ──to_dram──> DRAM channel
 *
 * Reads and writes wait in tables of their own. A read of what is to be written is answered with
 * that data, which lies here, or in L2 (l2_slice.written_data). A line is served as one unit.
 * A decision fixes all commands of a request at their cycles and gives its place back; it is taken
 * when the data bus is booked for less than `horizon` cycles ahead, just enough to open a row
 * behind the transfers of others. All policies but `in_order` serve reads until the writes reach
 * `drain_high`, then writes down to `drain_low`. The policies are described in the unit's page and
 * are found in access_scheduler/choose.c, those of rows that nobody waits for in
 * access_scheduler/serve.c.
 *
 * Not modelled: refresh commands on a command bus, power-down. Sources: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor
 * Architectures", 2018, 4.3 (sorter, store, separate write logic); Rixner et al., "Memory Access
 * Scheduling", ISCA 2000 (first ready, open and closed pages); Xu, Agarwal, Davis, "Prediction in
 * Dynamic SDRAM Controller Policies", SAMOS 2009 (pages by history); sizes:
 * gpgpu_frfcfs_dram_sched_queue_size 64 of GPGPU-Sim's SM7_QV100. */
#include "units/access_scheduler/private.h"

static const char *const policies[] = {"in_order",    "fifo",         "fr_fcfs",
                                       "fr_fcfs_age", "sorter_store", NULL};
static const char *const page_policies[] = {"open", "closed", "adaptive", NULL};

static const Param params[] = {
    PARAM_ONE_OF(AccessScheduler, policy, policies, "fr_fcfs", "which request is served next",
                 .relieves = "dram_bandwidth dram_timing dram_latency dram scheduler_queue"),
    PARAM_ONE_OF(AccessScheduler, page_policy, page_policies, "open",
                 "rows that nobody waits for: stay open, are closed at once, or as their past "
                 "says",
                 .relieves = "dram_bandwidth dram_timing dram_latency dram scheduler_queue"),
    PARAM_NUMBER(AccessScheduler, read_entries, PARAM_COUNT, "64", 1, 4096,
                 "reads that can wait (read request store)",
                 .perfect = PERFECT(IN("scheduler_queue", ">= 4096")), .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, read_sets, PARAM_COUNT, "16", 1, 4096, "sets of the read sorter",
                 .perfect = PERFECT(IN("scheduler_queue", ">= 64")), .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, read_ways, PARAM_COUNT, "8", 1, 4096,
                 "rows in each set of the read request sorter",
                 .perfect = PERFECT(IN("scheduler_queue", ">= 64")), .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, write_entries, PARAM_COUNT, "128", 1, 4096,
                 "writes that can wait", .perfect = PERFECT(IN("scheduler_queue", ">= 4096")),
                 .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, write_sets, PARAM_COUNT, "16", 1, 4096,
                 "sets of the write sorter", .perfect = PERFECT(IN("scheduler_queue", ">= 64")),
                 .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, write_ways, PARAM_COUNT, "16", 1, 4096,
                 "rows in each set of the write request sorter",
                 .perfect = PERFECT(IN("scheduler_queue", ">= 64")), .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, drain_high, PARAM_COUNT, "96", 1, 4096,
                 "waiting writes at which writing begins"),
    PARAM_NUMBER(AccessScheduler, drain_low, PARAM_COUNT, "32", 0, 4096,
                 "waiting writes at which reading resumes"),
    PARAM_NUMBER(AccessScheduler, drain_idle, PARAM_CYCLES, "0 cycles", 0, 1e9,
                 "no read waits, and the last column was so long ago: fewer writes go, too"),
    PARAM_NUMBER(
        AccessScheduler, horizon, PARAM_CYCLES, "0 cycles", 0, DRAM_HORIZON_MAX,
        "how far ahead columns are fixed; 0: what opening a line's rows takes, and 20 more"),
    PARAM_NUMBER(
        AccessScheduler, patience, PARAM_CYCLES, "0 cycles", 0, 1e9,
        "fr_fcfs_age, sorter_store: a request that has waited longer goes first; 0: never"),
    PARAM_NUMBER(AccessScheduler, window, PARAM_COUNT, "0", 0, 4096,
                 "fr_fcfs, fr_fcfs_age: so many of the oldest are compared; 0: all that wait",
                 .perfect = PERFECT(IN("scheduler_queue", "0")), .doubling = TWICE),
    PARAM_NUMBER(AccessScheduler, row_burst, PARAM_COUNT, "0", 0, 4096,
                 "sorter_store: requests of one row in a run at most; 0: all that wait"),
    PARAM_NUMBER(AccessScheduler, ecc_entries, PARAM_COUNT, "128", 0, 1024,
                 "dram.ecc = inline: bursts of codes that are kept; 0: each line's are moved with "
                 "it",
                 .doubling = TWICE, .only_if = "dram.ecc = inline"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(AccessScheduler, reads, STAT_COUNT, NULL, "read requests served, or answered",
                RULES(TAKES("fetches of L2 reach a scheduler")),
                ENERGY(IN_STAGE(SCHEDULER_WAIT, access_scheduler_energy_of_read))),
    STAT_NUMBER(AccessScheduler, writes, STAT_COUNT, NULL, "write requests served",
                RULES(TAKES("write-backs of L2 reach a scheduler")),
                ENERGY(IN_STAGE(SCHEDULER_WAIT, access_scheduler_energy_of_write))),
    STAT_NUMBER(AccessScheduler, bytes_written, STAT_BYTES, NULL, "bytes of sectors to be written",
                ENERGY(IN_STAGE(SCHEDULER_WAIT, access_scheduler_energy_of_byte_written))),
    STAT_NUMBER(AccessScheduler, row_hits, STAT_COUNT, NULL, "requests that found their rows open",
                .outcome = "row open", .means = MEANS_ROW_HITS),
    STAT_NUMBER(AccessScheduler, row_misses, STAT_COUNT, NULL,
                "requests that opened a row of a closed bank", .outcome = "bank closed"),
    STAT_NUMBER(AccessScheduler, row_conflicts, STAT_COUNT, NULL,
                "requests that closed another row first", .outcome = "another row open"),
    STAT_PER_BANK(AccessScheduler, bank_conflicts,
                  "row_conflicts of each bank; of a request for several banks, at the first",
                  .map = {"channel", "row conflicts"}),
    STAT_NUMBER(AccessScheduler, row_closes, STAT_COUNT, NULL,
                "precharges of rows that nobody waited for"),
    STAT_NUMBER(AccessScheduler, forwarded, STAT_COUNT, NULL,
                "reads answered with data that waited to be written"),
    STAT_NUMBER(AccessScheduler, bytes_forwarded, STAT_BYTES, NULL,
                "bytes read that waited to be written", RULES(GIVES("bytes from DRAM to L2")),
                ENERGY(IN_STAGE(SCHEDULER_WAIT, access_scheduler_energy_of_byte_forwarded))),
    STAT_NUMBER(AccessScheduler, bytes_overfetched, STAT_BYTES, NULL,
                "of read bursts, bytes beyond the sectors that were asked for",
                RULES(TAKES("bytes from DRAM to L2"))),
    STAT_NUMBER(AccessScheduler, bytes_masked, STAT_BYTES, NULL,
                "of write bursts, bytes beyond the sectors that were written",
                RULES(GIVES("bytes from L2 to DRAM"))),
    STAT_NUMBER(AccessScheduler, ecc_reads, STAT_COUNT, NULL,
                "dram.ecc = inline: bursts of codes read"),
    STAT_NUMBER(AccessScheduler, ecc_writes, STAT_COUNT, NULL, "... written"),
    STAT_NUMBER(AccessScheduler, ecc_hits, STAT_COUNT, NULL,
                "requests whose codes were kept, and were not moved with them",
                ENERGY(IN_STAGE(SCHEDULER_WAIT, access_scheduler_energy_of_codes))),
    STAT_NUMBER(AccessScheduler, merges, STAT_COUNT, NULL,
                "dram.ecc: writes of parts, for which the rest was read first"),
    STAT_NUMBER(AccessScheduler, own_requests, STAT_COUNT, NULL,
                "dram.ecc: requests for codes alone, and reads of the rest of what is written"),
    STAT_NUMBER(AccessScheduler, bytes_ecc_read, STAT_BYTES, NULL,
                "read for codes: bursts of them, and the rest of what was written in part",
                RULES(TAKES("bytes from DRAM to L2"))),
    STAT_NUMBER(AccessScheduler, bytes_ecc_written, STAT_BYTES, NULL, "bursts of codes written",
                RULES(GIVES("bytes from L2 to DRAM"))),
    STAT_NUMBER(AccessScheduler, turnarounds, STAT_COUNT, NULL,
                "changes of direction of the data bus"),
    STAT_NUMBER(AccessScheduler, drains, STAT_COUNT, NULL, "times the writes reached drain_high"),
    STAT_NUMBER(AccessScheduler, idle_drains, STAT_COUNT, NULL,
                "times writing began because no read waited and the bus was idle"),
    STAT_NUMBER(AccessScheduler, refused_reads, STAT_COUNT, NULL,
                "head waited: the read store is full", .refusal = "read store"),
    STAT_NUMBER(AccessScheduler, refused_writes, STAT_COUNT, NULL,
                "head waited: the write store is full", .refusal = "write store"),
    STAT_NUMBER(AccessScheduler, refused_rows, STAT_COUNT, NULL,
                "head waited: no way of the sorter for its row", .refusal = "sorter"),
    STAT_NUMBER(AccessScheduler, out_of_patience, STAT_COUNT, NULL,
                "requests that were served after their patience was over"),
    STAT_OCCUPANCY_OVER_TIME(AccessScheduler, reads_waiting, NULL, "reads that wait",
                             CURVES(CURVE("scheduler: reads")),
                             .map = {"scheduler", "reads that wait"}, .figure = "scheduler_map",
                             .track = {"a scheduler", "reads waiting"}),
    STAT_OCCUPANCY_OVER_TIME(AccessScheduler, writes_waiting, NULL, "writes that wait",
                             CURVES(CURVE("scheduler: writes")),
                             .track = {"a scheduler", "writes waiting"}),
    STAT_DISTRIBUTION(AccessScheduler, wait, NULL,
                      "from arrival until the first command of a read"),
    STAT_END};

static const ResourceRow resources[] = {
    RESOURCE_ONE_PLACE(AccessScheduler, reads_waiting, "read request store",
                       RESOURCE_CAPACITY(AccessScheduler, read_entries), .unit = "reads",
                       .feeds = "to_dram", .refuses = "from_l2", .refusals = "refused_reads"),
    RESOURCE_ONE_PLACE(AccessScheduler, writes_waiting, "write request store",
                       RESOURCE_CAPACITY(AccessScheduler, write_entries), .unit = "writes",
                       .feeds = "to_dram", .refuses = "from_l2", .refusals = "refused_writes"),
    RESOURCE_ONE_PLACE(AccessScheduler, read_rows, "ways of the read sorter",
                       RESOURCE_CAPACITY(AccessScheduler, read_rows_most), .unit = "rows",
                       .feeds = "to_dram", .refuses = "from_l2", .refusals = "refused_rows",
                       .rests_on = "read_sets read_ways"),
    RESOURCE_ONE_PLACE(AccessScheduler, write_rows, "ways of the write sorter",
                       RESOURCE_CAPACITY(AccessScheduler, write_rows_most), .unit = "rows",
                       .feeds = "to_dram", .refuses = "from_l2",
                       .rests_on = "write_sets write_ways"),
    RESOURCE_END};

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
                    "access_scheduler.drain_high = %" G_GUINT64_FORMAT
                    ": must be greater than drain_low (%" G_GUINT64_FORMAT
                    ") and at most write_entries (%" G_GUINT64_FORMAT ")",
                    self->drain_high, self->drain_low, self->write_entries);
        return false;
    }
    if (line % self->dram->burst_bytes || line / self->dram->burst_bytes > DRAM_BURSTS_MAX
        || line > self->dram->interleaved_groups * self->dram->row_bytes) {
        g_set_error(error, PARAM_ERROR, 0,
                    "dram.row_bytes = %" G_GUINT64_FORMAT ": a line of %" G_GUINT64_FORMAT
                    " B (machine.l2_line_bytes or machine.line_bytes) must be 1 to %d bursts of "
                    "%" G_GUINT64_FORMAT
                    " B (channel_width x burst_length) and fit into a row of the "
                    "interleaved_groups",
                    self->dram->row_bytes, line, DRAM_BURSTS_MAX, self->dram->burst_bytes);
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
                " cycles that opening a row takes (dram.tRP + dram.tRCDRD or dram.tRCDWR, and "
                "dram.tRRD_S for each of dram.interleaved_groups but one)",
                self->horizon, least);
    return false;
}

/* What the policy does not look at must not be set, or a study of it would show nothing. */
static bool check_policy(const AccessScheduler *self, GError **error)
{
    const bool first_ready = self->policy == POLICY_FR_FCFS || self->policy == POLICY_FR_FCFS_AGE;
    const bool row_by_row = self->policy == POLICY_SORTER_STORE;
    const struct {
        const char *key, *of;
        uint64_t value;
        bool used;
    } keys[] = {{"patience", "fr_fcfs_age and sorter_store", self->patience,
                 self->policy == POLICY_FR_FCFS_AGE || row_by_row},
                {"window", "fr_fcfs and fr_fcfs_age", self->window, first_ready},
                {"row_burst", "sorter_store", self->row_burst, row_by_row}};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i].used || !keys[i].value) continue;
        g_set_error(error, PARAM_ERROR, 0,
                    "access_scheduler.%s = %" G_GUINT64_FORMAT
                    ": has no effect with policy = %s, only with %s; set 0 or another policy",
                    keys[i].key, keys[i].value, policies[self->policy], keys[i].of);
        return false;
    }
    if (self->policy != POLICY_FR_FCFS_AGE || self->patience) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "access_scheduler.patience = 0 cycles: policy = fr_fcfs_age needs an age from "
                "which on a request goes first, 1 to 1000000000 cycles; without one it is fr_fcfs");
    return false;
}

static void set_up_memory_of_rows(AccessScheduler *self)
{
    self->bank_conflicts.banks = self->dram->banks;
    self->history = g_new0(RowHistory, DRAM_BANKS_MAX);
    for (uint32_t i = 0; i < DRAM_BANKS_MAX; i++) self->history[i].confidence = 2;
    /* one column a write at least, in the cycles that can be booked now and could be when the
     * oldest of them was */
    const uint64_t cycles = 2 * dram_state_reach(self->dram, self->look_ahead);
    for (self->decided_room = 2; self->decided_room < cycles / self->dram->column_gap[0];)
        self->decided_room *= 2;
    self->decided = g_new(DecidedWrite, self->decided_room);
}

static bool setup(Unit *unit, GError **error)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    if (!check_shape(self, error) || !access_scheduler_check_ecc(self, error)
        || !check_horizon(self, error) || !check_policy(self, error))
        return false;
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
    self->read_rows_most = self->read_sets * self->read_ways;
    self->write_rows_most = self->write_sets * self->write_ways;
    set_up_memory_of_rows(self);
    self->codes = g_new0(EccEntry, self->ecc_entries);
    self->own =
        g_new(OwnRequest, access_scheduler_own_most(self, self->dram->ecc != DRAM_ECC_NONE));
    return true;
}

static void teardown(Unit *unit)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    if (!self->state.timing) return;
    dram_state_finish(&self->state);
    row_sorter_finish(&self->sorter[READS]);
    row_sorter_finish(&self->sorter[WRITES]);
    g_free(self->history);
    g_free(self->decided);
    g_free(self->codes);
    g_free(self->own);
}

static void wake_at_cycle(AccessScheduler *self, uint64_t cycle)
{
    unit_wake_at(&self->unit, scheduler_time_of(self, cycle));
}

/* The cycle from which on the request's columns can go. */
static uint64_t find_column(AccessScheduler *self, bool write, const Candidate *next, uint64_t from)
{
    if (next->certain) return next->at;
    Favourite *favourite = &self->favourite[write];
    const bool is_favourite =
        favourite->best.request == next->request && favourite->changes == self->state.changes;
    if (is_favourite && favourite->column && self->state.now <= favourite->column_holds)
        return favourite->column;
    const uint64_t column = dram_state_earliest(&self->state, &next->request->access, from);
    if (is_favourite) {
        favourite->column = column;
        favourite->column_holds = self->state.holds;
    }
    return column;
}

/* Serves one request, if its columns lie within the next `reach` cycles. */
static bool decide(AccessScheduler *self, bool write, uint64_t reach, Time now)
{
    const uint64_t from = access_scheduler_keeps_order(self) ? self->last_column : 0;
    DramOutlook *outlook = &self->outlook[write];
    dram_state_look(&self->state, write, from, outlook);
    if (outlook->first_column > self->state.now + reach) {
        wake_at_cycle(self, outlook->first_column - self->look_again);
        return false;
    }
    const Candidate next = access_scheduler_choose(self, write, outlook, now);
    const uint64_t column = next.goes_first ? 0 : find_column(self, write, &next, from);
    if (column > self->state.now + self->look_ahead) {
        wake_at_cycle(self, column - self->look_ahead);
        return false;
    }
    access_scheduler_serve(self, &next, from, now);
    return true;
}

static void step(Unit *unit, Time now)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    dram_state_advance(&self->state, now / unit->clock->period);
    access_scheduler_accept(self, now);
    bool write;
    for (uint64_t reach = self->look_again; access_scheduler_choose_direction(self, &write);
         reach = self->look_ahead) {
        if (!channel_ready(&self->to_dram, now)) {
            channel_await(&self->to_dram, now);
            return;
        }
        if (!decide(self, write, reach, now)) return;
        access_scheduler_accept(self, now);
    }
    if (self->sorter[WRITES].count) wake_at_cycle(self, self->last_column + self->drain_idle);
}

static bool unfinished(Unit *unit, GString *what)
{
    AccessScheduler *self = (AccessScheduler *)unit;
    const uint32_t reads = self->sorter[READS].count,
                   writes = self->sorter[WRITES].count + self->own_count;
    if (!reads && !writes) return false;
    g_string_append_printf(what, "%u reads and %u writes wait", reads, writes);
    unit_waits_for(unit, channel_receiver(&self->to_dram));
    return true;
}

enum { FORESEEN = 8 };

/* In a visit so many go at most, and others of the port take their places: of a full store those
 * that wait there longest, and not what comes now. */
static void foresee_own(const Unit *unit)
{
    const AccessScheduler *self = (const AccessScheduler *)unit;
    const Port *port = &self->from_l2;
    const uint32_t coming = MIN(port->sent - port->head, FORESEEN);
    for (uint32_t i = 0; i < coming; i++) message_foresee(port_peek_at(port, i));
    for (int i = 0; i < DIRECTIONS; i++)
        if (coming || self->sorter[i].count) row_sorter_foresee(&self->sorter[i]);
}

const UnitClass access_scheduler_class = {.name = "access_scheduler",
                                          .summary = "memory access scheduler of a DRAM channel",
                                          .per = PER_CHANNEL,
                                          .clock = CLOCK_DRAM,
                                          .place = PLACE_MEMORY,
                                          .runs = IN_WHOLE | IN_MEMORY_ALONE,
                                          .path = "partition[%u].slice[%u].scheduler",
                                          .size = sizeof(AccessScheduler),
                                          .params = params,
                                          .stats = stats,
                                          .resources = resources,
                                          .storage = access_scheduler_storage,
                                          .ports = ports,
                                          .shared = shared,
                                          .setup = setup,
                                          .step = step,
                                          .foresee_own = foresee_own,
                                          .teardown = teardown,
                                          .unfinished = unfinished};
