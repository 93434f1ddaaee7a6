/* What every unit of a machine keeps to, whatever it is: no unit's name is in here. */
#include "rigs/contract.h"

#include <math.h>

#include "kit/describe/decimal.h"
#include "platform/machine/private.h"
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static const UnitClass *const *classes(void)
{
    return machine_unit_classes();
}

static int class_count(void)
{
    int count = 0;
    while (classes()[count]) count++;
    return count;
}

START_TEST(a_class_keeps_to_the_contract)
{
    g_autoptr(GPtrArray) complaints = contract_complaints(classes()[_i], machine_channel_rows());
    g_ptr_array_add(complaints, NULL);
    g_autofree char *text = g_strjoinv("\n", (char **)complaints->pdata);
    ck_assert_msg(complaints->len == 1, "%s", text);
}
END_TEST

/* --- nonsense --------------------------------------------------------------------------------- */

/* The nearest value that the range does not have, newly allocated; NULL: every number is in it. */
static char *just_outside(const Param *param, bool above)
{
    if (param->type == PARAM_RATIO)
        return decimal_text(above ? nextafter(param->maximum, INFINITY)
                                  : nextafter(param->minimum, -INFINITY));
    if (above)
        return param->maximum < 0x1p63 ? quantity_format(param->type, (uint64_t)param->maximum + 1)
                                       : NULL;
    if (param->minimum >= 1) return quantity_format(param->type, (uint64_t)param->minimum - 1);
    g_autofree char *one = quantity_format(param->type, 1);
    return g_strdup_printf("-%s", one);
}

static bool is_number(const Param *param)
{
    return param_is_quantity(param->type) || param->type == PARAM_RATIO;
}

START_TEST(a_number_outside_of_its_range_is_refused)
{
    for (const Param *param = classes()[_i]->params; param->name; param++)
        for (int above = 0; above < 2 && is_number(param); above++) {
            g_autofree char *text = just_outside(param, above);
            g_autofree char *refusal = text ? contract_refusal(param, text) : NULL;
            ck_assert_msg(!text || (refusal && strstr(refusal, "allowed")), "%s.%s = %s: %s",
                          classes()[_i]->name, param->name, text, refusal);
        }
}
END_TEST

/* With all that can be switched on. */
static const char ONE_OF_EACH[] = "machine.sms = 1; machine.partitions = 1; mmu.enabled = yes;"
                                  "coherence_monitor.enabled = yes";

/* A machine with the value can be made, or a parameter of the unit is said to be why not. */
static void check_extreme(const UnitClass *class, const Param *param, double extreme)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *value = quantity_format(param->type, (uint64_t)extreme);
    g_autofree char *group = g_strdup_printf("%s.", class->name);
    g_autoptr(Configuration) configuration = small_machine_configuration(ONE_OF_EACH);
    configuration_set(configuration, class->name, param->name, value, NULL, 0);
    ck_assert_msg(machine_check(configuration, &error) || strstr(error->message, group),
                  "%s%s = %s: %s", group, param->name, value, error ? error->message : "");
}

START_TEST(a_unit_is_set_up_with_each_extreme_or_says_why_not)
{
    for (const Param *param = classes()[_i]->params; param->name; param++) {
        if (!param_is_quantity(param->type)) continue;
        check_extreme(classes()[_i], param, param->minimum);
        check_extreme(classes()[_i], param, param->maximum);
    }
}
END_TEST

/* --- a step ----------------------------------------------------------------------------------- */

static void count_sent(Channel *channel, void *user)
{
    *(uint64_t *)user += channel->sequence + channel->refused;
}

static uint64_t sent_by(const Unit *unit)
{
    uint64_t sent = 0;
    unit_visit_channels(unit, count_sent, &sent);
    return sent;
}

/* All statistics as they are; of a level all that the mere passing of time does not change. */
static GBytes *statistics_of(const Unit *unit)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    for (const Stat *stat = unit->class->stats; stat->name; stat++) {
        const guint8 *field = (const guint8 *)unit + stat->offset;
        const guint size =
            stat->type == STAT_LEVEL ? offsetof(Level, since) : stat_size(stat->type);
        g_byte_array_append(bytes, field, size);
    }
    return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

static void step_without_input(Unit *unit)
{
    g_autoptr(GBytes) before = statistics_of(unit);
    const uint64_t hash = unit->hash, made = unit->messages.next_id;
    unit->inbox.now = 1000 * unit->clock->period;
    unit->inbox.wake = TIME_NEVER; /* what setup has asked for is over */
    unit->class->step(unit, unit->inbox.now);
    g_autoptr(GBytes) after = statistics_of(unit);
    ck_assert_msg(g_bytes_equal(before, after), "%s has counted", unit->path);
    ck_assert_msg(unit->hash == hash && unit->messages.next_id == made && !sent_by(unit),
                  "%s has sent", unit->path);
    ck_assert_msg(unit->inbox.wake == TIME_NEVER, "%s will go on", unit->path);
}

/* In each kind of network; nothing has been launched. */
static const char *const networks[] = {"network.topology = crossbar", "network.topology = ring",
                                       "network.timing = flow"};

START_TEST(a_step_without_input_does_nothing)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(ONE_OF_EACH);
    small_machine_set(configuration, networks[_i]);
    g_autoptr(Machine) machine = machine_new(configuration, NULL, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    machine_wire(machine);
    Simulation *simulation = machine_simulation(machine);
    ck_assert(simulation_setup(simulation, &error));
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        step_without_input(simulation_unit(simulation, i));
}
END_TEST

/* --- runs ------------------------------------------------------------------------------------- */

#define RANDOM_ACCESSES                                                                            \
    "workload.pattern = random; workload.ctas = 6; workload.iterations = 4;"                       \
    "workload.footprint = 256 KiB;"
#define FULL_TABLES                                                                                \
    "l1.prt_entries = 6; l1.prt_merges = 1; l2_slice.pending_entries = 5;"                         \
    "l2_slice.pending_merges = 1; network.l2_input_buffer = 3; channels.scheduler_input_queue = 2;"

#define TRAFFIC                                                                                    \
    "workload.warm_up = 100 cycles; workload.duration = 500 cycles; workload.write_share = 0.3;"

/* Each unit works in one of them, and what bounds it is full in some. */
static const char *const runs[] = {
    RANDOM_ACCESSES "workload.operation = load_store; mmu.enabled = yes; l1.tlb_entries = 4;"
                    "l1.tlb_entry_bytes = 4 KiB; mmu.tlb_entries = 8; mmu.miss_entries = 4;"
                    "mmu.tlb_entry_bytes = 16 KiB; mmu.walkers = 2; pages.frames = scattered",
    RANDOM_ACCESSES FULL_TABLES
    "workload.operation = load_store; machine.request_coalescers = 2;"
    "request_coalescer.entries = 4; request_coalescer.path_bandwidth = 8 B/cycle;"
    "channels.coalescer_input_queue = 2; coherence_monitor.enabled = yes; network.topology = ring",
    RANDOM_ACCESSES FULL_TABLES "workload.operation = load_store; network.timing = flow",
    RANDOM_ACCESSES FULL_TABLES
    "workload.operation = atomic; rop.cache_entries = 2; rop.ways = 1; rop.pending_entries = 2;"
    "channels.rop_output_queue = 4; channels.rop_input_queue = 1; machine.partitions = 4;"
    "machine.l2_halves = 4",
    "workload.pattern = texture_random; workload.ctas = 6; workload.threads_per_cta = 128;"
    "machine.request_coalescers = 2; request_coalescer.capacity = 4 KiB;"
    "request_coalescer.lookups = 1; request_coalescer.data_bandwidth = 4 B/cycle;"
    "workload.iterations = 4; workload.texture_width = 256; texture.cache = own;"
    "texture.capacity = 2 KiB; texture.fragment_fifo = 5; texture.miss_fifo = 1",
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 96 KiB;"
    "workload.threads_per_cta = 256; workload.launches = 2; workload.warm_up_launches = 1;"
    "machine.slices_per_partition = 2; machine.channels_per_partition = 1; dram.ecc = inline;"
    "access_scheduler.ecc_entries = 2; channels.switch_input_queue = 2",
    "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"
    "workload.iterations = 2; workload.operation = load_store; workload.footprint = 1 MiB;"
    "paging.mode = demand; paging.memory_bytes = 256 KiB; paging.page_bytes = 16 KiB;"
    "paging.block_bytes = 64 KiB; pager.fault_latency = 1 us; pager.move_latency = 0 us;"
    "l2_slice.page_entries = 2; l2_slice.page_requests = 20; host_link.gbps = 1000",
    RANDOM_ACCESSES "workload.operation = load_store; machine.memory_caches = yes;"
                    "memory_cache.capacity = 4 KiB; memory_cache.ways = 2;"
                    "memory_cache.pending_entries = 3; channels.memory_cache_input_queue = 2;"
                    "channels.scheduler_input_queue = 2; l2_slice.capacity = 8 KiB",
    TRAFFIC "workload.pattern = memory_traffic; workload.order = random; workload.load = 120 %;"
            "workload.array_bytes = 1 MiB; channels.scheduler_input_queue = 2",
    TRAFFIC FULL_TABLES "workload.pattern = network_traffic; workload.way = round_trip;"
                        "workload.data_bytes = 128 B; network.topology = mesh",
    TRAFFIC FULL_TABLES
    "workload.pattern = network_traffic; workload.way = replies; network.timing = flow"};

enum { CLASSES_MOST = 64 };

typedef struct {
    const char *settings, *deployment;
} Plan;

/* What is known of a run in another process. */
typedef struct {
    RunReport report;
    uint64_t events[CLASSES_MOST];
} Ran;

static Machine *machine_of(const Plan *plan)
{
    g_autofree char *settings = g_strdup_printf("simulation.deployment = %s", plan->deployment);
    return small_machine_new(settings, plan->settings);
}

static uint64_t events_of(const GPtrArray *units)
{
    uint64_t events = 0;
    for (guint i = 0; i < units->len; i++) events += ((const Unit *)units->pdata[i])->events;
    return events;
}

static void run_machine(const void *input, void *result)
{
    Ran *ran = result;
    g_autoptr(Machine) machine = machine_of(input);
    ran->report = small_machine_run(machine);
    for (int c = 0; c < class_count(); c++)
        ran->events[c] = events_of(machine_instances(machine, classes()[c]->name));
}

START_TEST(every_class_works_in_some_run)
{
    uint64_t events[CLASSES_MOST] = {0};
    for (guint r = 0; r < G_N_ELEMENTS(runs); r++) {
        Ran ran = {0};
        run_apart(run_machine, &(Plan){runs[r], "auto"}, &ran, sizeof ran);
        for (int c = 0; c < class_count(); c++) events[c] += ran.events[c];
    }
    for (int c = 0; c < class_count(); c++)
        ck_assert_msg(events[c], "%s does nothing in all of them", classes()[c]->name);
}
END_TEST

/* Where SimGrid carries the packets there is one. */
START_TEST(each_deployment_runs_alike)
{
    if (strstr(runs[_i], "timing = flow")) return;
    Ran one = {0}, other = {0};
    run_apart(run_machine, &(Plan){runs[_i], "auto"}, &one, sizeof one);
    run_apart(run_machine, &(Plan){runs[_i], "unit"}, &other, sizeof other);
    ck_assert_uint_eq(one.report.hash, other.report.hash);
    ck_assert_uint_eq(one.report.end, other.report.end);
    ck_assert(!memcmp(one.events, other.events, sizeof one.events));
}
END_TEST

static void expect_all_credits(Channel *channel, void *user)
{
    const Unit *unit = user;
    ck_assert_msg(!channel->capacity || channel_room(channel, TIME_NEVER) == channel->capacity,
                  "%s.%s: of %u places %u are free", unit->path, channel->name, channel->capacity,
                  channel->credits);
}

static void expect_no_messages(const Unit *unit)
{
    ck_assert_msg(!inbox_expects(&unit->inbox), "%s: messages are on their way", unit->path);
    for (uint32_t i = 0; i < unit->port_count; i++)
        ck_assert_msg(!unit->ports[i]->count, "%s: messages wait in port %u", unit->path, i);
}

/* Behind the last event a server may still be busy for so long. */
enum { REST_NS = 1000 };

static void expect_place_was_not_overfull(const Unit *unit, const Meter *meter)
{
    const Level *level = meter->field;
    ck_assert_msg(!level->now || meter->row->keeps, "%s.%s[%u] is not empty", unit->path,
                  meter->name, meter->index);
    ck_assert_msg(!meter->capacity || level->maximum <= meter->capacity, "%s.%s[%u] held too many",
                  unit->path, meter->name, meter->index);
}

static void expect_within_capacity(const Unit *unit, const Meter *meter, Time end)
{
    const Time length = unit_meters(unit)->length;
    if (meter->row && meter->row->kind >= RESOURCE_PLACE)
        expect_place_was_not_overfull(unit, meter);
    else if (meter->row)
        ck_assert_msg(((const Server *)meter->field)->until <= end + REST_NS * TIME_NS,
                      "%s.%s[%u] is busy behind the end", unit->path, meter->name, meter->index);
    if (meter->capacity)
        ck_assert_msg(meter->counted.work <= (LevelTime)meter->capacity * length
                          && meter->counted.full <= length,
                      "%s.%s[%u] did more than it can", unit->path, meter->name, meter->index);
}

static void expect_full_pools(const Pools *pools)
{
    for (unsigned kind = 0; kind < MESSAGE_KINDS; kind++) {
        uint64_t free = 0;
        for (const Message *m = pools->kind[kind].free; m; m = m->next) free++;
        ck_assert_msg(free == pools->kind[kind].messages,
                      "%s: of %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " came back",
                      message_rows[kind].name, pools->kind[kind].messages, free);
    }
}

START_TEST(a_run_leaves_nothing_behind)
{
    g_autoptr(Machine) machine = machine_of(&(Plan){runs[_i], "auto"});
    const RunReport report = small_machine_run(machine);
    Simulation *simulation = machine_simulation(machine);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        Unit *unit = simulation_unit(simulation, i);
        const MeterList *meters = unit_meters(unit);
        expect_no_messages(unit);
        for (uint32_t m = 0; m < meters->count; m++)
            expect_within_capacity(unit, &meters->at[m], report.end);
        unit_visit_channels(unit, expect_all_credits, unit);
    }
    expect_full_pools(simulation_unit(simulation, 0)->messages.pools);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("contract");
    tcase_add_loop_test(cases, a_class_keeps_to_the_contract, 0, class_count());
    tcase_add_loop_test(cases, a_number_outside_of_its_range_is_refused, 0, class_count());
    tcase_add_loop_test(cases, a_unit_is_set_up_with_each_extreme_or_says_why_not, 0,
                        class_count());
    tcase_add_loop_test(cases, a_step_without_input_does_nothing, 0, G_N_ELEMENTS(networks));
    tcase_add_test(cases, every_class_works_in_some_run);
    tcase_add_loop_test(cases, each_deployment_runs_alike, 0, G_N_ELEMENTS(runs));
    tcase_add_loop_test(cases, a_run_leaves_nothing_behind, 0, G_N_ELEMENTS(runs));
    return harness_run_cases("contract", cases);
}
