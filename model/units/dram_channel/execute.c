/* The DRAM channel: what each command does to its banks and to the data bus. */
#include "units/dram_channel/private.h"

/* --- resources --- */

static void book(const DramChannel *self, Server *server, uint64_t cycle, uint64_t cycles)
{
    const Time period = self->unit.clock->period;
    server_book(server, (cycle + self->lag) * period, cycles * period);
}

static void book_activate(DramChannel *self, const DramStep *command)
{
    const DramTiming *dram = self->dram;
    const Time period = self->unit.clock->period, start = (command->cycle + self->lag) * period;
    const Time of_4 = dram->tFAW * period, of_32 = dram->t32AW * period;
    server_book(&self->command_buses.at[0], start, dram->activate_slots * period);
    server_book(&self->activate_gap, start, dram->activate_gap[0] * period);
    server_book_known(&self->activates_of_4, start, of_4, of_4 / 4);
    server_book_known(&self->activates_of_32, start, of_32, of_32 / 32);
    server_book(&self->row_cycles.at[command->bank], start, self->row_cycle * period);
}

/* Of those that a bank had while nobody used it the last; the others held up nobody. */
static void book_refresh(DramChannel *self, const DramStep *command)
{
    const bool all = command->bank == DRAM_ALL_BANKS;
    const Time period = self->unit.clock->period, length = self->dram->refresh_cycles * period;
    server_book_share(&self->refresh, (command->cycle + self->lag) * period,
                      length * (all ? self->banks : 1), self->banks);
    if (all) book(self, &self->data_bus, command->cycle, self->dram->refresh_cycles);
}

/* Cycles that it cannot carry. */
static uint64_t turn_bus(DramChannel *self, bool write)
{
    if (self->bus_writes == write) return 0;
    *(write ? &self->turns_to_write : &self->turns_to_read) += 1;
    self->bus_writes = write;
    return self->turn[!write];
}

/* Columns that are close together, but none closer than a cycle of the command bus: they end there
 * as if they had been booked one by one. */
static void book_columns(DramChannel *self, uint64_t last_cycle, uint64_t count)
{
    Server *bus = &self->command_buses.at[self->dram->command_buses - 1];
    book(self, bus, last_cycle - (count - 1), count);
}

/* Behind all that is on the bus. */
static void book_last_data(DramChannel *self, uint64_t begin, uint64_t end, bool write)
{
    const uint64_t lost = turn_bus(self, write);
    self->bus_end = end;
    book(self, &self->data_bus, begin - MIN(begin, lost), lost + end - begin);
}

/* A burst that goes in between others goes with one of them. */
static void book_data(DramChannel *self, uint64_t begin, uint64_t end, bool write)
{
    if (begin < self->bus_end)
        book(self, &self->data_bus, begin, end - begin);
    else
        book_last_data(self, begin, end, write);
}

/* --- rows --- */

static void open_row(DramChannel *self, const DramStep *command)
{
    if (self->row[command->bank] != DRAM_NO_ROW)
        unit_fail(&self->unit, "activate of bank %u, where row %u is open", command->bank,
                  self->row[command->bank]);
    self->row[command->bank] = command->row;
    self->opened[command->bank] = command->cycle;
    book_activate(self, command);
    self->activates++;
    self->bank_activates.bank[command->bank]++;
}

static void close_row(DramChannel *self, uint32_t bank, uint64_t cycle)
{
    if (self->row[bank] == DRAM_NO_ROW) return;
    self->row[bank] = DRAM_NO_ROW;
    self->row_open += (cycle - self->opened[bank]) * self->unit.clock->period;
}

static void refresh(DramChannel *self, const DramStep *command)
{
    self->refreshes += command->row;
    self->refresh_turns++;
    book_refresh(self, command);
    if (command->bank != DRAM_ALL_BANKS) {
        close_row(self, command->bank, command->cycle);
        return;
    }
    for (uint32_t i = 0; i < self->dram->banks; i++) close_row(self, i, command->cycle);
}

/* --- columns --- */

/* Of one message, in one direction, one behind the other. */
typedef struct {
    const DramStep *first;
    const DramPattern *pattern; /* of the others; NULL: they are steps as well */
    uint32_t count;
    bool write;
    bool without_gap; /* each one's data follows on that of the one before it */
    uint64_t last;    /* cycle */
} Columns;

static uint64_t latency(const DramTiming *dram, bool write)
{
    return write ? dram->CWL : dram->CL;
}

static void check_row(DramChannel *self, uint32_t bank, uint32_t row)
{
    if (self->row[bank] != row && self->dram->ideal == DRAM_IDEAL_NO)
        unit_fail(&self->unit, "column of row %u of bank %u, which is not open", row, bank);
}

/* Those that begin with the first command, each for its bank. */
G_GNUC_NO_INLINE static Columns use_banks(DramChannel *self, const DramStep *first,
                                          const DramStep *end)
{
    const DramTiming *dram = self->dram;
    const Time period = self->unit.clock->period, gap = dram->column_gap[1] * period;
    const uint64_t lag = self->lag, burst = dram->burst_cycles;
    Server *groups = dram->ideal == DRAM_IDEAL_BANDWIDTH ? NULL : self->bank_groups.at;
    Columns columns = {first, NULL, 0, first->kind == DRAM_STEP_WRITE, true, 0};
    uint64_t next = first->cycle;
    const DramStep *column = first;
    for (; column < end && column->kind == first->kind; column++) {
        const uint64_t cycle = column->cycle;
        check_row(self, column->bank, column->row);
        self->bank_accesses.bank[column->bank]++;
        if (groups)
            server_book(&groups[column->bank >> dram->group_shift], (cycle + lag) * period, gap);
        columns.without_gap = columns.without_gap && cycle == next;
        columns.last = MAX(columns.last, cycle);
        next = cycle + burst;
    }
    columns.count = (uint32_t)(column - first);
    return columns;
}

/* Those that take turns as in the pattern: of a group none is closer to the one before it than the
 * gap, so that they take it as one. */
static Columns use_banks_in_turn(DramChannel *self, const DramStep *first, const DramSteps *steps)
{
    const DramTiming *dram = self->dram;
    const DramPattern *pattern = steps->pattern;
    const Time period = self->unit.clock->period, gap = dram->column_gap[1] * period;
    const Time begin = (first->cycle + self->lag) * period + gap;
    for (uint32_t i = 0; i < pattern->banks; i++) {
        const uint32_t bank = steps->access.bank[i];
        const Time length = pattern->bursts_of[i] * gap;
        check_row(self, bank, first->row);
        self->bank_accesses.bank[bank] += pattern->bursts_of[i];
        server_book(&self->bank_groups.at[bank >> dram->group_shift],
                    begin + pattern->last[i] * period - length, length);
    }
    return (Columns){.first = first,
                     .pattern = pattern,
                     .count = pattern->bursts,
                     .write = first->kind == DRAM_STEP_WRITE,
                     .without_gap = pattern->without_gap,
                     .last = first->cycle + pattern->end};
}

static uint64_t cycle_of(const Columns *columns, uint32_t index)
{
    const DramPattern *pattern = columns->pattern;
    return pattern ? columns->first->cycle + pattern->offset[index] : columns->first[index].cycle;
}

static void use_bus(DramChannel *self, uint64_t cycle, bool write)
{
    const uint64_t begin = cycle + latency(self->dram, write);
    const uint64_t end = begin + self->dram->burst_cycles;
    if (end > slot_ring_limit(&self->bus)) {
        unit_fail(&self->unit, "data at cycle %" G_GUINT64_FORMAT ": too far ahead", begin);
        return;
    }
    if (!slot_ring_is_free(&self->bus, 0, begin) || !slot_ring_is_free(&self->bus, 0, end - 1))
        unit_fail(&self->unit, "two bursts on the data bus at cycle %" G_GUINT64_FORMAT, begin);
    slot_ring_take(&self->bus, 0, begin, end);
    book_columns(self, cycle, 1);
    book_data(self, begin, end, write);
}

/* Data without a gap, behind all that is on the bus, takes it as one. False: it is not. */
static bool use_bus_at_once(DramChannel *self, const Columns *columns)
{
    const uint64_t begin = columns->first->cycle + latency(self->dram, columns->write);
    const uint64_t end = begin + columns->count * self->dram->burst_cycles;
    if (!columns->without_gap || begin < self->bus_end || end > slot_ring_limit(&self->bus))
        return false;
    slot_ring_take(&self->bus, 0, begin, end);
    book_columns(self, columns->last, columns->count);
    book_last_data(self, begin, end, columns->write);
    return true;
}

/* Returns when the last one's data has passed. */
static uint64_t transfer(DramChannel *self, const Columns *columns)
{
    const DramTiming *dram = self->dram;
    const bool write = columns->write;
    if (dram->ideal != DRAM_IDEAL_BANDWIDTH) {
        if (!use_bus_at_once(self, columns))
            for (uint32_t i = 0; i < columns->count; i++)
                use_bus(self, cycle_of(columns, i), write);
        self->bus_busy += columns->count * dram->burst_cycles * self->unit.clock->period;
    }
    *(write ? &self->writes : &self->reads) += columns->count;
    *(write ? &self->bytes_written : &self->bytes_read) += columns->count * dram->burst_bytes;
    return columns->last + latency(dram, write) + dram->burst_cycles;
}

G_GNUC_NO_INLINE static void execute(DramChannel *self, const DramStep *command)
{
    const bool automatic = command->kind == DRAM_STEP_AUTO_PRECHARGE;
    switch ((DramStepKind)command->kind) {
    case DRAM_STEP_PRECHARGE:
    case DRAM_STEP_AUTO_PRECHARGE:
        if (!automatic)
            book(self, &self->command_buses.at[0], command->cycle, self->dram->precharge_slots);
        self->precharges++;
        self->auto_precharges += automatic;
        close_row(self, command->bank, command->cycle);
        break;
    case DRAM_STEP_ACTIVATE: open_row(self, command); break;
    case DRAM_STEP_REFRESH_BANK:
    case DRAM_STEP_REFRESH_ALL: refresh(self, command); break;
    case DRAM_STEP_READ:
    case DRAM_STEP_WRITE: break; /* with its neighbours */
    }
}

uint64_t dram_channel_execute(DramChannel *self, const DramSteps *steps)
{
    uint64_t last = 0;
    const DramStep *step = steps->step, *end = step + steps->count;
    while (step < end) {
        if (dram_step_is_column(step)) {
            const Columns columns =
                steps->pattern ? use_banks_in_turn(self, step, steps) : use_banks(self, step, end);
            const uint64_t until = transfer(self, &columns);
            last = MAX(last, until);
            step += columns.pattern ? 1 : columns.count;
        } else {
            execute(self, step++);
        }
    }
    return last;
}
