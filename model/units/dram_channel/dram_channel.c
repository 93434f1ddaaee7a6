/* A DRAM channel (of HBM2: a pseudo-channel): banks with row buffers, and the data bus.
 *
 *   memory access scheduler ──from_scheduler──> [banks: open row] ─> [data bus] ──to_l2──> L2 slice
 *
 * Commands come with the cycles at which the scheduler issues them; the channel sees each one the
 * wire's delay later. It follows every bank's row on its own, refuses to be wrong (a column of a
 * closed row, two bursts at once on the data bus end the run) and returns the transaction when its
 * last burst has passed. With `verify` every command is also checked against all of the timing by
 * an independent checker, sorted by cycle.
 *
 * Not modelled: data and errors, temperature, power-down, mode registers, and the other
 * pseudo-channel on the row command bus (it keeps its share). Refreshes of a bank that nobody uses
 * are counted when it is used next. Sources: JESD235 (HBM), JESD212 (GDDR5); the numbers are those
 * of `dram`. */
#include "units/dram_channel/private.h"

static const Param params[] = {
    PARAM_SWITCH(DramChannel, verify, "no",
                 "every command is checked against all of the timing (slower)"),
    PARAM_END};

/* With the precharge that follows it. */
static double energy_of_activate(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return figures->dram_activate * figures->machine.row_bytes / 1024;
}

/* A byte from the sense amplifiers to the pins. */
static double energy_of_column(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return 8 * figures->dram_column;
}

/* ... and over the wire to the GPU. */
static double energy_of_wire(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return 8 * figures->dram_io;
}

/* It opens as many rows of a bank, or of all, as have their turn. */
static double energy_of_refresh(const Unit *unit, const EnergyFigures *figures)
{
    return figures->dram_rows * energy_of_activate(unit, figures);
}

static const Stat stats[] = {
    STAT_NUMBER_OVER_TIME(DramChannel, activates, STAT_COUNT, NULL, "rows opened",
                          .means = MEANS_ACTIVATES,
                          ENERGY(IN_STAGE(DRAM_ACTIVATE, energy_of_activate))),
    STAT_NUMBER(DramChannel, precharges, STAT_COUNT, NULL, "rows closed by a precharge"),
    STAT_NUMBER(DramChannel, auto_precharges, STAT_COUNT, NULL,
                "... that a column brought along, and no command"),
    STAT_NUMBER(DramChannel, reads, STAT_COUNT, NULL, "read bursts"),
    STAT_NUMBER(DramChannel, writes, STAT_COUNT, NULL, "write bursts"),
    STAT_NUMBER(DramChannel, refreshes, STAT_COUNT, NULL, "refreshes, of one bank or of all",
                ENERGY(IN_NO_STAGE(energy_of_refresh)), .steady = true),
    STAT_NUMBER_OVER_TIME(
        DramChannel, bytes_read, STAT_BYTES, "dram__bytes_read.sum", "bytes read",
        .means = MEANS_BYTES_FROM_DRAM, CURVES(CURVE("DRAM read")), .map = {"channel", "bandwidth"},
        .figure = "dram_map", .track = {NULL, "DRAM read"}, RULES(GIVES("bytes from DRAM to L2")),
        ENERGY(IN_STAGE(DRAM_COLUMN, energy_of_column), IN_STAGE(DRAM_BUS, energy_of_wire))),
    STAT_NUMBER_OVER_TIME(
        DramChannel, bytes_written, STAT_BYTES, "dram__bytes_write.sum", "bytes written",
        .means = MEANS_BYTES_TO_DRAM, CURVES(CURVE("DRAM write")), .map = {"channel", "bandwidth"},
        .track = {NULL, "DRAM write"}, RULES(TAKES("bytes from L2 to DRAM")),
        ENERGY(IN_STAGE(DRAM_COLUMN, energy_of_column), IN_STAGE(DRAM_BUS, energy_of_wire))),
    STAT_NUMBER(DramChannel, data_written, STAT_BYTES, NULL,
                "of these, sectors of lines: neither codes (dram.ecc) nor what bursts have besides",
                .means = MEANS_DATA_TO_DRAM),
    STAT_NUMBER_OVER_TIME(DramChannel, bus_busy, STAT_TIME, "dram__cycles_active.sum",
                          "time with data on the bus; none where dram.ideal = bandwidth",
                          CURVES(CURVE("DRAM bus"))),
    STAT_NUMBER(DramChannel, row_open, STAT_TIME, NULL,
                "sum of the times that rows were open, when they close"),
    STAT_NUMBER(DramChannel, turns_to_write, STAT_COUNT, NULL,
                "bursts that the data bus had to be turned for, from reads to writes"),
    STAT_NUMBER(DramChannel, turns_to_read, STAT_COUNT, NULL, "... from writes to reads"),
    STAT_NUMBER(DramChannel, refresh_turns, STAT_COUNT, NULL,
                "refreshes that may have held up somebody: of those while nobody used the bank, or "
                "any, the last"),
    STAT_PER_BANK(DramChannel, bank_accesses, "read and write bursts of each bank",
                  .map = {"channel", "bursts"}),
    STAT_PER_BANK(DramChannel, bank_activates, "rows opened in each bank",
                  .map = {"channel", "rows opened"}),
    STAT_END};

/* What takes more than a cycle is counted where the command is seen, at the command's own cycle. */
#define TIMING(times) .refuses = "from_scheduler", .component = "dram_timing", .rests_on = times
#define ROWS(time) .unit = "activates", .feeds = "row_cycles", TIMING("dram." time)
static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(DramChannel, command_buses,
                          "command buses: of rows, of columns, or of all", .unit = "commands",
                          .feeds = "row_cycles bank_groups", TIMING("dram.command_buses")),
    RESOURCE_ONE_SERVER(DramChannel, activate_gap, "gap between activates (tRRD_S)",
                        ROWS("tRRD_S")),
    RESOURCE_ONE_SERVER(DramChannel, activates_of_4, "windows of four activates (tFAW)",
                        RESOURCE_CAPACITY(DramChannel, four), ROWS("tFAW")),
    RESOURCE_ONE_SERVER(DramChannel, activates_of_32, "windows of 32 activates (t32AW)",
                        RESOURCE_CAPACITY(DramChannel, thirty_two), ROWS("t32AW")),
    RESOURCE_ONE_SERVER(DramChannel, refresh,
                        "refresh of banks: the last of those due while nobody used one",
                        RESOURCE_CAPACITY(DramChannel, banks), .unit = "refreshes",
                        .feeds = "row_cycles", TIMING("dram.tRFCpb dram.tREFIpb")),
    RESOURCE_MANY_SERVERS(DramChannel, row_cycles, "row cycles of banks: between activates (tRC)",
                          .unit = "activates", .feeds = "bank_groups", .work = "activates",
                          TIMING("dram.tRC dram.bank_groups dram.banks_per_group")),
    RESOURCE_MANY_SERVERS(DramChannel, bank_groups, "bank groups: columns of one (tCCD_L)",
                          .unit = "columns", .feeds = "data_bus", TIMING("dram.tCCD_L")),
    RESOURCE_ONE_SERVER(
        DramChannel, data_bus, "data bus: bursts, changes of direction, refreshes of all banks",
        RESOURCE_CAPACITY(DramChannel, buses), .unit = "bursts", .headline = "DRAM bus",
        .component = "dram_bandwidth", .includes = "dram_timing", .feeds = "to_l2",
        .refuses = "from_scheduler", .rests_on = "dram.data_rate dram.channel_width",
        .work = "bytes_read bytes_written"),
    RESOURCE_END};

static const PortRow ports[] = {
    PORT_INPUT(DramChannel, from_scheduler, "commands, a message a request"),
    PORT_OUTPUT(DramChannel, to_l2, "requests whose data has passed"), PORT_END};

static const SharedRow shared[] = {SHARED(DramChannel, dram), SHARED_END};

_Static_assert((int)DRAM_BANKS_MAX <= (int)BANK_COUNTS_MAX, "each bank is counted");

/* What the gaps between columns of two directions leave idle between their bursts. */
static void set_up_resources(DramChannel *self)
{
    const DramTiming *dram = self->dram;
    self->turn[false] = dram->read_to_write + dram->CWL - dram->CL - dram->burst_cycles;
    self->turn[true] = dram->write_to_read[0] + dram->CL - dram->CWL - dram->burst_cycles;
    self->command_buses = server_array_new((uint32_t)dram->command_buses);
    self->row_cycles = server_array_new((uint32_t)dram->banks);
    self->bank_groups = server_array_new((uint32_t)dram->bank_groups);
    self->row_cycle = MAX(dram->tRC, dram->tRAS + dram->tRP);
    self->four = 4;
    self->buses = dram->ideal != DRAM_IDEAL_BANDWIDTH;
    self->thirty_two = 32;
    self->banks = dram->banks;
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    DramChannel *self = (DramChannel *)unit;
    const Time delay = self->from_scheduler.channel ? self->from_scheduler.channel->delay : 0;
    self->lag = clock_ceil(unit->clock, delay) / unit->clock->period;
    self->bank_accesses.banks = self->bank_activates.banks = self->dram->banks;
    for (uint32_t i = 0; i < DRAM_BANKS_MAX; i++) self->row[i] = DRAM_NO_ROW;
    set_up_resources(self);
    const uint64_t latency = MAX(self->dram->CL, self->dram->CWL) + self->dram->burst_cycles;
    slot_ring_init(&self->bus, dram_state_reach(self->dram, DRAM_HORIZON_MAX) + latency, 1);
    self->room = 16;
    self->transfer = g_new(Transfer, self->room);
    if (self->verify) {
        self->checker = dram_checker_new(self->dram);
        self->log = g_array_new(FALSE, FALSE, sizeof(DramStep));
    }
    return true;
}

static void teardown(Unit *unit)
{
    DramChannel *self = (DramChannel *)unit;
    slot_ring_finish(&self->bus);
    g_free(self->command_buses.at);
    g_free(self->row_cycles.at);
    g_free(self->bank_groups.at);
    g_free(self->transfer);
    dram_checker_free(self->checker);
    if (self->log) g_array_unref(self->log);
}

/* --- the log of `verify` --- */

static void log_command(DramChannel *self, const DramStep *command)
{
    guint at = self->log->len;
    while (at && g_array_index(self->log, DramStep, at - 1).cycle > command->cycle) at--;
    g_array_insert_vals(self->log, at, command, 1);
}

/* Shows the checker what lies before `cycle`. */
static void check_log(DramChannel *self, uint64_t cycle)
{
    guint seen = 0;
    for (; seen < self->log->len; seen++) {
        const DramStep *step = &g_array_index(self->log, DramStep, seen);
        if (step->cycle >= cycle) break;
        const char *wrong = dram_checker_feed(self->checker, step);
        if (wrong) unit_fail(&self->unit, "DRAM timing: %s", wrong);
    }
    if (seen) g_array_remove_range(self->log, 0, seen);
}

/* A refresh that has become due may still come with a cycle in the past: at most one interval
 * ago. */
static void verify(DramChannel *self, DramCommands *commands, uint64_t issued)
{
    dram_steps_spell_out(&commands->steps);
    for (uint32_t i = 0; i < commands->steps.count; i++)
        log_command(self, &commands->steps.step[i]);
    const uint64_t late = self->dram->refresh_interval + self->dram->refresh_cycles;
    if (self->dram->refresh == DRAM_REFRESH_OFF)
        check_log(self, issued);
    else if (issued > late)
        check_log(self, issued - late);
}

/* --- returning transactions --- */

static Transfer *transfer_at(DramChannel *self, uint32_t index)
{
    return &self->transfer[(self->first + index) & (self->room - 1)];
}

static void grow(DramChannel *self)
{
    Transfer *larger = g_new(Transfer, 2 * self->room);
    for (uint32_t i = 0; i < self->transfers; i++) larger[i] = *transfer_at(self, i);
    g_free(self->transfer);
    self->transfer = larger;
    self->room *= 2;
    self->first = 0;
}

static void await_end(DramChannel *self, Time at, Transaction *transaction)
{
    if (self->transfers == self->room) grow(self);
    uint32_t i = self->transfers++;
    for (; i && transfer_at(self, i - 1)->at > at; i--)
        *transfer_at(self, i) = *transfer_at(self, i - 1);
    *transfer_at(self, i) = (Transfer){at, transaction};
}

/* What ends before the data of any later read could is sent ahead of its time: it saves wake-ups.
 * (A later write could be faster by the difference of the latencies; its acknowledgement then comes
 * in order.) */
static void return_finished(DramChannel *self, uint64_t issued, Time now)
{
    const uint64_t burst = self->dram->burst_cycles;
    const uint64_t gap = slot_ring_first_gap(&self->bus, 0, issued + self->dram->CL, burst);
    const Time sure = (gap + self->lag + burst) * self->unit.clock->period;
    while (self->transfers && transfer_at(self, 0)->at <= sure) {
        if (!channel_ready(&self->to_l2, now)) {
            channel_await(&self->to_l2, now);
            return;
        }
        const Transfer ended = *transfer_at(self, 0);
        self->first++;
        self->transfers--;
        channel_send(&self->to_l2, &ended.transaction->message, MAX(ended.at, now));
    }
    if (self->transfers) unit_wake_at(&self->unit, transfer_at(self, 0)->at);
}

static void step(Unit *unit, Time now)
{
    DramChannel *self = (DramChannel *)unit;
    const uint64_t issued = now / unit->clock->period - self->lag; /* in the scheduler's time */
    slot_ring_advance(&self->bus, issued);
    DramCommands *commands;
    while ((commands = (DramCommands *)port_take(&self->from_scheduler, now))) {
        const uint64_t end = dram_channel_execute(self, &commands->steps);
        self->data_written += commands->data_bytes;
        unit_note_commands(unit, &commands->steps);
        if (self->verify) verify(self, commands, issued);
        if (commands->transaction)
            await_end(self, (end + self->lag) * unit->clock->period, commands->transaction);
        unit_free_message(unit, &commands->message);
    }
    return_finished(self, issued, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    DramChannel *self = (DramChannel *)unit;
    if (self->verify) check_log(self, UINT64_MAX);
    if (!self->transfers) return false;
    g_string_append_printf(what, "%u requests to return", self->transfers);
    unit_waits_for(unit, channel_receiver(&self->to_l2));
    return true;
}

const UnitClass dram_channel_class = {.name = "dram_channel",
                                      .summary = "DRAM channel: banks, row buffers, data bus",
                                      .per = PER_CHANNEL,
                                      .clock = CLOCK_DRAM,
                                      .place = PLACE_MEMORY,
                                      .runs = IN_WHOLE | IN_MEMORY_ALONE,
                                      .path = "partition[%u].slice[%u].dram",
                                      .size = sizeof(DramChannel),
                                      .params = params,
                                      .stats = stats,
                                      .resources = resources,
                                      .ports = ports,
                                      .shared = shared,
                                      .setup = setup,
                                      .step = step,
                                      .teardown = teardown,
                                      .unfinished = unfinished};
