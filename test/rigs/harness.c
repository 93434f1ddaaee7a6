#include "harness.h"

#include <string.h>

#include "case_cost.h"
#include "platform/network/platform.h"
#include "temporary.h"

typedef struct {
    Unit unit;
    Channel out;
    Maker maker;
    void *user;
    const Step *steps;
    uint32_t step_count;
    uint64_t made;
    Message *next; /* made, not yet sent */
    Time next_at;
} Source;

typedef struct {
    Unit unit;
    Port in;
    uint64_t withheld_until; /* cycle */
    Watch watch;
    void *user;
    GArray *arrivals; /* of Arrived */
    uint64_t count;
    bool forgets;
} Sink;

static const Param no_params[] = {PARAM_END};
static const Stat no_stats[] = {STAT_END};

/* --- source --- */

static bool source_setup(Unit *unit, GError **error)
{
    (void)error;
    unit_wake_at(unit, unit->clock->period);
    return true;
}

static void source_step(Unit *unit, Time now)
{
    Source *self = (Source *)unit;
    while (self->next
           || (self->next = self->maker(unit, self->made++, &self->next_at, self->user))) {
        if (self->next_at > now) {
            unit_wake_at(unit, clock_ceil(unit->clock, self->next_at));
            return;
        }
        if (!channel_ready(&self->out, now)) {
            channel_await(&self->out, now);
            return;
        }
        channel_send(&self->out, g_steal_pointer(&self->next), now);
    }
}

static Message *make_nothing(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)source, (void)number, (void)at, (void)user;
    return NULL;
}

static Message *make_step(Unit *unit, uint64_t number, Time *at, void *user)
{
    const Source *self = user;
    if (number >= self->step_count) return NULL;
    const Step *step = &self->steps[number];
    *at = step->at * unit->clock->period;
    Transaction *transaction = unit_new(unit, MESSAGE_TRANSACTION);
    transaction->line = transaction->local = step->address;
    transaction->type = (uint8_t)step->type;
    transaction->sectors = step->sectors;
    transaction->partial = step->partial;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

static const PortRow source_ports[] = {PORT_OUTPUT(Source, out, "the script"), PORT_END};
static const UnitClass source_class = {.name = "source",
                                       .summary = "sends what a test says",
                                       .size = sizeof(Source),
                                       .params = no_params,
                                       .stats = no_stats,
                                       .ports = source_ports,
                                       .setup = source_setup,
                                       .step = source_step};

Unit *harness_source(Harness *harness, const char *path)
{
    Unit *unit = harness_add(harness, &source_class, path, NULL);
    harness_generate(unit, make_nothing, NULL);
    return unit;
}

void harness_generate(Unit *source, Maker maker, void *user)
{
    Source *self = (Source *)source;
    self->maker = maker;
    self->user = user;
}

void harness_script(Unit *source, const Step *steps, uint32_t count)
{
    Source *self = (Source *)source;
    self->steps = steps;
    self->step_count = count;
    harness_generate(source, make_step, self);
}

/* --- sink --- */

/* One block of memory. */
static WarpAccess *copy_access(const WarpAccess *access)
{
    const size_t size = message_rows[access->message.kind].size;
    char *block = g_malloc(size + sizeof *access->lanes + sizeof *access->many);
    WarpAccess *copy = memcpy(block, access, size);
    if (access->lanes) copy->lanes = memcpy(block + size, access->lanes, sizeof *access->lanes);
    if (access->many)
        copy->many =
            memcpy(block + size + sizeof *access->lanes, access->many, sizeof *access->many);
    copy->line = copy->many ? copy->many->line : copy->few;
    return copy;
}

void *harness_copy(const Message *message)
{
    if (message->kind == MESSAGE_WARP_ACCESS || message->kind == MESSAGE_TEXTURE_FETCH)
        return copy_access((const WarpAccess *)message);
    return g_memdup2(message, message_rows[message->kind].size);
}

static void record(Sink *self, const Message *message, Time now)
{
    self->count++;
    if (self->forgets && self->arrivals->len) {
        g_free(g_array_index(self->arrivals, Arrived, 0).message);
        g_array_set_size(self->arrivals, 0);
    }
    const Arrived arrived = {now, now / self->unit.clock->period, harness_copy(message)};
    g_array_append_val(self->arrivals, arrived);
}

static void sink_step(Unit *unit, Time now)
{
    Sink *self = (Sink *)unit;
    const Time from = self->withheld_until * unit->clock->period;
    if (now < from) {
        unit_wake_at(unit, from);
        return;
    }
    Message *message;
    while ((message = port_take(&self->in, now))) {
        record(self, message, now);
        if (!self->watch || !self->watch(unit, message, now, self->user))
            unit_free_message(unit, message);
    }
}

static bool sink_setup(Unit *unit, G_GNUC_UNUSED GError **error)
{
    ((Sink *)unit)->arrivals = g_array_new(FALSE, FALSE, sizeof(Arrived));
    return true;
}

static void sink_teardown(Unit *unit)
{
    Sink *self = (Sink *)unit;
    for (guint i = 0; i < self->arrivals->len; i++)
        g_free(g_array_index(self->arrivals, Arrived, i).message);
    g_array_unref(self->arrivals);
}

static const PortRow sink_ports[] = {PORT_INPUT(Sink, in, "what is recorded"), PORT_END};
static const UnitClass sink_class = {.name = "sink",
                                     .summary = "records what comes",
                                     .size = sizeof(Sink),
                                     .params = no_params,
                                     .stats = no_stats,
                                     .ports = sink_ports,
                                     .setup = sink_setup,
                                     .step = sink_step,
                                     .teardown = sink_teardown};

Unit *harness_sink(Harness *harness, const char *path)
{
    return harness_add(harness, &sink_class, path, NULL);
}

void harness_withhold(Unit *sink, uint64_t until)
{
    ((Sink *)sink)->withheld_until = until;
}

void harness_watch(Unit *sink, Watch watch, void *user)
{
    ((Sink *)sink)->watch = watch;
    ((Sink *)sink)->user = user;
}

void harness_forget(Unit *sink)
{
    ((Sink *)sink)->forgets = true;
}

uint64_t harness_arrivals(const Unit *sink)
{
    return ((const Sink *)sink)->count;
}

const Arrived *harness_arrival(const Unit *sink, uint64_t index)
{
    const Sink *self = (const Sink *)sink;
    const uint64_t kept_from = self->count - self->arrivals->len;
    ck_assert_msg(index >= kept_from && index < self->count,
                  "%s: arrival %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, sink->path, index,
                  self->count);
    return &g_array_index(self->arrivals, Arrived, index - kept_from);
}

const Transaction *harness_transaction(const Unit *sink, uint64_t index)
{
    const Message *message = harness_arrival(sink, index)->message;
    ck_assert_uint_eq(message->kind, MESSAGE_TRANSACTION);
    return (const Transaction *)message;
}

/* --- the whole --- */

void harness_set_warp_lanes(Harness *harness, uint64_t lanes)
{
    harness->warp_lanes = lanes;
    simulation_share(harness->simulation, "warp_lanes", &harness->warp_lanes);
}

Harness *harness_new(void)
{
    Harness *harness = g_new0(Harness, 1);
    harness->made = g_ptr_array_new_with_free_func(g_free);
    harness->simulation = simulation_new(1);
    harness_clock(harness, "clock", UINT64_C(1000000000));
    harness_set_warp_lanes(harness, 32);
    simulation_share(harness->simulation, "halves", &harness->halves);
    simulation_share(harness->simulation, "paging", &harness->paging);
    harness->dram = (DramTiming){.row_bytes = 1024, .interleaved_groups = 1};
    simulation_share(harness->simulation, "dram", &harness->dram);
    harness->fit = (LineFit){.sector_bytes = 32, .same = true};
    simulation_share(harness->simulation, "fit", &harness->fit);
    return harness;
}

void harness_free(Harness *harness)
{
    simulation_free(harness->simulation);
    g_ptr_array_unref(harness->made);
    g_free(harness);
}

const Clock *harness_clock(Harness *harness, const char *name, uint64_t hertz)
{
    return harness->clock = simulation_add_clock(harness->simulation, name, hertz);
}

static void apply_setting(const Param *params, const char *setting, void *object)
{
    g_auto(GStrv) pair = g_strsplit(setting, "=", 2);
    const char *key = g_strstrip(pair[0]);
    const Param *row = params;
    while (row->name && !g_str_equal(row->name, key)) row++;
    ck_assert_msg(row->name && pair[1], "there is no parameter '%s'", setting);
    g_autoptr(GError) error = NULL;
    ck_assert_msg(param_parse(row, g_strstrip(pair[1]), object, &error), "%s: %s", key,
                  error ? error->message : "");
}

void harness_set(const Param *params, const char *settings, void *object)
{
    g_auto(GStrv) list = g_strsplit(settings ? settings : "", ";", -1);
    for (char **setting = list; *setting; setting++)
        if (*g_strstrip(*setting)) apply_setting(params, *setting, object);
}

static bool has_input_array(const UnitClass *unit_class)
{
    const PortRow *row = unit_class->ports;
    while (row->name && row->kind != PORT_IN_ARRAY) row++;
    return row->name != NULL;
}

/* The port lies behind the unit's own struct. */
static const UnitClass *put_a_port_first(Harness *harness, const UnitClass *unit_class)
{
    guint rows = 0;
    while (unit_class->ports[rows].name) rows++;
    const size_t offset = (unit_class->size + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
    PortRow *ports = g_new0(PortRow, rows + 2);
    ports[0] = (PortRow){"from_nobody", PORT_IN, offset, "nobody feeds it"};
    memcpy(ports + 1, unit_class->ports, rows * sizeof *ports);
    UnitClass *class = g_memdup2(unit_class, sizeof *unit_class);
    class->size = offset + sizeof(Port);
    class->ports = ports;
    g_ptr_array_add(harness->made, ports);
    g_ptr_array_add(harness->made, class);
    return class;
}

Unit *harness_add(Harness *harness, const UnitClass *unit_class, const char *path,
                  const char *settings)
{
    if (has_input_array(unit_class)) unit_class = put_a_port_first(harness, unit_class);
    Unit *unit = simulation_add_unit(harness->simulation, unit_class, path, 0, harness->clock);
    harness_set(unit->class->params, settings, unit);
    return unit;
}

void harness_connect(Harness *harness, Unit *from, const char *output, Unit *to, const char *input,
                     Path path)
{
    (void)harness;
    const Wire wire = {.from = from,
                       .output = output,
                       .output_index = path.output_index,
                       .to = to,
                       .input = input,
                       .input_index = path.input_index,
                       .capacity = path.capacity,
                       .delay = clock_cycles(from->clock, MAX(path.delay, 1)),
                       .credit_delay = clock_cycles(to->clock, MAX(path.credit_delay, 1))};
    wire_connect(&wire);
}

bool harness_start_engine(Simulation *simulation, const NetworkRoutes routes[NETWORKS],
                          uint32_t tiles, GError **error)
{
    g_autofree char *text = network_describe_stars(routes, tiles);
    return simulation_start_engine_on(simulation, text, error);
}

GError *harness_run_for_error(Harness *harness)
{
    GError *error = NULL;
    const guint units = simulation_unit_count(harness->simulation);
    g_autofree Seat *seat = g_new0(Seat, units);
    const RunPlan plan = {.seat = seat, .tiles = 1};
    if (simulation_setup(harness->simulation, &error)
        && harness_start_engine(harness->simulation, NULL, 1, &error))
        simulation_run(harness->simulation, &plan, &harness->report, &error);
    return error;
}

RunOutcome harness_run(Harness *harness)
{
    g_autoptr(GError) error = harness_run_for_error(harness);
    ck_assert_msg(!error, "%s", error ? error->message : "");
    return harness->report.outcome;
}

char *harness_stages(const Transaction *transaction, Time end, const Clock *clock)
{
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t stamps[TRANSACTION_STAMPS];
    const unsigned count = transaction_stamps(transaction, stamps);
    for (unsigned i = 0; i < count; i++) {
        const bool last = i + 1u == count;
        const Time until = last ? end : stamp_time(stamps[i + 1]);
        const double cycles = time_to_cycles(clock, until - stamp_time(stamps[i]));
        if (cycles == 0) continue;
        g_string_append_printf(text, "%s%s %g", text->len ? " " : "",
                               stage_name(stamp_stage(stamps[i])), cycles);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* GLib must not have been asked for its folder before: it would go on with that. */
static char *enter_own_folder(void)
{
    const char *above = g_getenv("TMPDIR");
    char *folder = g_build_filename(above ? above : "/tmp", "warpmem-test-XXXXXX", NULL);
    if (!g_mkdtemp(folder)) g_error("no folder for the tests' files: %s", folder);
    g_setenv("TMPDIR", folder, TRUE);
    return folder;
}

int harness_run_suite(Suite *suite)
{
    char *folder = enter_own_folder();
    cases_leave_at_once();
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    temporary_remove(folder);
    return failed != 0;
}

int harness_run_cases(const char *name, TCase *cases)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}

int harness_run_repeating(const char *name, TCase *cases, TCase *repeating)
{
    Suite *suite = suite_create(name);
    tcase_set_tags(repeating, "repeating");
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, repeating);
    return harness_run_suite(suite);
}

int harness_main(const char *name, const TTest *const *tests, guint count)
{
    TCase *cases = tcase_create(name);
    for (guint i = 0; i < count; i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases(name, cases);
}
