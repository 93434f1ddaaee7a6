#include "scenarios/program/timeline/banks.h"

#include "scenarios/program/say/json_text.h"

/* So many states a request, of all its banks together: result and trace are bounded. */
enum { STATES_A_REQUEST = 16 };

/* While a request was in the scheduler or the DRAM. */
typedef struct {
    uint16_t channel;
    uint8_t bank;
    Time from, to;
} Stay;

struct BankLogs {
    const DramTiming *dram;
    Time period;
    GPtrArray *channels; /* by number: GArray of BankCommand, by time; NULL: none */
    GPtrArray *units;    /* by number: of const Unit */
    uint64_t left_out;   /* commands that were not kept */
    GArray *stays;       /* of Stay, in the order of the requests */
};

static gint compare_commands(gconstpointer a, gconstpointer b)
{
    const Time x = ((const BankCommand *)a)->at, y = ((const BankCommand *)b)->at;
    return (x > y) - (x < y);
}

static void free_channel(gpointer channel)
{
    if (channel) g_array_unref(channel);
}

BankLogs *bank_logs_new(const Run *run, const Timeline *timeline)
{
    BankLogs *logs = g_new0(BankLogs, 1);
    logs->dram = machine_dram(run->machine);
    logs->period = machine_clock(run->machine, "dram")->period;
    logs->channels = g_ptr_array_new_with_free_func(free_channel);
    logs->units = g_ptr_array_new();
    logs->stays = g_array_new(FALSE, FALSE, sizeof(Stay));
    for (guint i = 0; i < timeline->bank_logs->len; i++) {
        const BankLog *log = timeline->bank_logs->pdata[i];
        const guint number = log->unit->number;
        if (number >= logs->channels->len) {
            g_ptr_array_set_size(logs->channels, (gint)number + 1);
            g_ptr_array_set_size(logs->units, (gint)number + 1);
        }
        logs->left_out += log->left_out;
        logs->channels->pdata[number] = g_array_copy(log->commands);
        logs->units->pdata[number] = (gpointer)(uintptr_t)log->unit;
        g_array_sort(logs->channels->pdata[number], compare_commands); /* is stable */
    }
    return logs;
}

void bank_logs_free(BankLogs *logs)
{
    g_ptr_array_unref(logs->channels);
    g_ptr_array_unref(logs->units);
    g_array_unref(logs->stays);
    g_free(logs);
}

/* --- whose command it was --------------------------------------------------------------------- */

/* The first command at `at` or later. */
static guint find_time(const GArray *commands, Time at)
{
    guint low = 0, high = commands->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(commands, BankCommand, middle).at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The column command at this time; a channel's column bus has one at a time, but for ideal ones. */
static const BankCommand *find_column(const GArray *commands, Time at)
{
    const BankCommand *found = NULL;
    for (guint i = find_time(commands, at); i < commands->len; i++) {
        const BankCommand *command = &g_array_index(commands, BankCommand, i);
        if (command->at != at) break;
        if (command->kind != DRAM_STEP_READ && command->kind != DRAM_STEP_WRITE) continue;
        if (found) return NULL;
        found = command;
    }
    return found;
}

/* When it entered the first of these stages from `from` on; TIME_NEVER: in none. */
static Time entered(const TimelineRow *row, Stage stage)
{
    for (guint i = 0; i < row->stamp_count; i++)
        if (stamp_stage(row->stamps[i]) == stage) return stamp_time(row->stamps[i]);
    return TIME_NEVER;
}

/* The end of the stage; of one that it never was in, TIME_NEVER. */
static Time left(const TimelineRow *row, Stage stage)
{
    for (guint i = 0; i < row->stamp_count; i++)
        if (stamp_stage(row->stamps[i]) == stage)
            return i + 1 < row->stamp_count ? stamp_time(row->stamps[i + 1]) : row->end;
    return TIME_NEVER;
}

static Time came_to_dram(const TimelineRow *row, Time column)
{
    static const Stage first[] = {STAGE_SCHEDULER_WAIT, STAGE_DRAM_PRECHARGE, STAGE_DRAM_ACTIVATE};
    for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
        const Time at = entered(row, first[i]);
        if (at < column) return at;
    }
    return column;
}

void bank_logs_write_place(JsonWriter *request, BankLogs *logs, const TimelineRow *row)
{
    const Time column = entered(row, STAGE_DRAM_COLUMN);
    const GArray *commands = row->served_by == SERVED_DRAM && row->home < logs->channels->len
                                 ? logs->channels->pdata[row->home]
                                 : NULL;
    const BankCommand *command =
        commands && column != TIME_NEVER ? find_column(commands, column) : NULL;
    if (!command) return;
    const Stay stay = {row->home, command->bank, came_to_dram(row, column),
                       MIN(left(row, STAGE_DRAM_BUS), row->end)};
    json_write_integer(request, "channel", row->home);
    json_write_integer(request, "bank", command->bank);
    json_write_integer(request, "dram_row", command->row);
    json_write_text(request, "command", command->kind == DRAM_STEP_READ ? "read" : "write");
    g_array_append_val(logs->stays, stay);
}

/* --- states of banks -------------------------------------------------------------------------- */

typedef enum { CLOSED, ACTIVATING, OPEN, PRECHARGING, REFRESHING } BankState;

static const char *const state_names[] = {"closed", "activating", "open", "precharging",
                                          "refreshing"};

/* A bank's, while they are written. */
typedef struct {
    JsonWriter list; /* of states */
    const Stay *stay,
        *stays_end; /* of this bank, by their beginning; those that are over are left */
    guint room;
    uint64_t left_out;
} States;

static gint compare_stays(gconstpointer a, gconstpointer b)
{
    const Stay *x = a, *y = b;
    if (x->channel != y->channel) return x->channel - y->channel;
    if (x->bank != y->bank) return x->bank - y->bank;
    return (x->from > y->from) - (x->from < y->from);
}

/* Some request was there then. Stays that ended before `begin` concern no later state either. */
static bool is_wanted(States *states, Time begin, Time end)
{
    for (const Stay *stay = states->stay; stay < states->stays_end && stay->from < end; stay++)
        if (stay->to > begin) return true;
    return false;
}

static void write_state(States *states, BankState state, uint32_t row, Time begin, Time end)
{
    if (begin >= end || !is_wanted(states, begin, end)) return;
    if (!states->room) {
        states->left_out++;
        return;
    }
    states->room--;
    JsonWriter writer = json_open(&states->list, NULL, '{');
    json_write_text(&writer, "state", state_names[state]);
    if (state == OPEN || state == ACTIVATING) json_write_integer(&writer, "row", row);
    json_write_integer(&writer, "begin", (gint64)begin);
    json_write_integer(&writer, "end", (gint64)end);
    json_end(&writer, '}');
}

/* What the command makes of the bank: a state for `cycles`, then the one behind it until the next
 * command. False: it leaves the bank as it is. */
static bool states_of(const DramTiming *dram, const BankCommand *command, BankState *first,
                      uint64_t *cycles, BankState *then)
{
    switch ((DramStepKind)command->kind) {
    case DRAM_STEP_ACTIVATE: *first = ACTIVATING, *cycles = dram->tRCDRD, *then = OPEN; return true;
    case DRAM_STEP_PRECHARGE:
    case DRAM_STEP_AUTO_PRECHARGE:
        *first = PRECHARGING, *cycles = dram->tRP, *then = CLOSED;
        return true;
    case DRAM_STEP_REFRESH_BANK:
    case DRAM_STEP_REFRESH_ALL:
        *first = REFRESHING, *cycles = dram->refresh_cycles, *then = CLOSED;
        return true;
    case DRAM_STEP_READ:
    case DRAM_STEP_WRITE: return false;
    }
    g_assert_not_reached();
}

static void write_states_of(States *states, const BankLogs *logs, const BankCommand *command,
                            Time next)
{
    BankState first, then;
    uint64_t cycles;
    if (!states_of(logs->dram, command, &first, &cycles, &then)) return;
    const Time between = MIN(command->at + cycles * logs->period, next);
    write_state(states, first, command->row, command->at, between);
    write_state(states, then, command->row, between, next);
}

/* Until the end of the last stay; what the bank was before its first command that was kept nobody
 * knows. */
static void write_bank(States *states, const BankLogs *logs, const GArray *commands, uint8_t bank)
{
    const BankCommand *last = NULL;
    Time end = 0;
    for (const Stay *stay = states->stay; stay < states->stays_end; stay++)
        end = MAX(end, stay->to);
    for (guint i = 0; i < commands->len; i++) {
        const BankCommand *command = &g_array_index(commands, BankCommand, i);
        const bool changes = command->kind != DRAM_STEP_READ && command->kind != DRAM_STEP_WRITE;
        if (!changes || (command->bank != bank && command->bank != DRAM_ALL_BANKS)) continue;
        if (last) write_states_of(states, logs, last, MIN(command->at, end));
        last = command;
        if (command->at >= end) return;
    }
    if (last) write_states_of(states, logs, last, end);
}

static void write_one(JsonWriter *banks, States *states, const BankLogs *logs)
{
    const Stay *stay = states->stay;
    const Unit *unit = logs->units->pdata[stay->channel];
    JsonWriter writer = json_open(banks, NULL, '{');
    json_write_integer(&writer, "channel", stay->channel);
    json_write_text(&writer, "path", unit->path);
    json_write_integer(&writer, "bank", stay->bank);
    states->list = json_open(&writer, "states", '[');
    write_bank(states, logs, logs->channels->pdata[stay->channel], stay->bank);
    json_end(&states->list, ']');
    json_end(&writer, '}');
}

void bank_logs_write_states(JsonWriter *writer, const BankLogs *logs, guint rows)
{
    const Stay *stays = (const Stay *)(void *)logs->stays->data;
    const guint count = logs->stays->len;
    States states = {.room = rows * STATES_A_REQUEST};
    g_array_sort(logs->stays, compare_stays);
    JsonWriter banks = json_open(writer, "banks", '[');
    for (guint first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && stays[end].channel == stays[first].channel
                              && stays[end].bank == stays[first].bank;)
            end++;
        states.stay = &stays[first];
        states.stays_end = &stays[end];
        write_one(&banks, &states, logs);
    }
    json_end(&banks, ']');
    json_write_integer(writer, "left_out", (gint64)states.left_out);
    json_write_integer(writer, "commands_left_out", (gint64)logs->left_out);
}
