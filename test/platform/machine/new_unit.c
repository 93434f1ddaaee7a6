/* Units that nobody has thought of: a file, a name in the list of units, two channel rows in place
 * of one. The list and the table are this program's own, which the model's library takes instead of
 * its own ones. */
#include <dlfcn.h>

#include "platform/machine/channels.h"
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"
#include "scenarios/program/language/vocabulary.h"
#include "scenarios/program/picture/picture.h"

/* --- a gate, in two places -------------------------------------------------------------------- */

typedef struct {
    Unit unit;
    Port in;
    Channel out;

    uint64_t latency, queue;

    uint64_t passed;
} Gate;

static const Param params[] = {
    PARAM_NUMBER(Gate, latency, PARAM_CYCLES, "4 cycles", 1, 1000, "to the next unit"),
    PARAM_NUMBER(Gate, queue, PARAM_COUNT, "8", 1, 1000, "messages that wait here"), PARAM_END};
static const Stat stats[] = {STAT_NUMBER(Gate, passed, STAT_COUNT, NULL, "messages that passed"),
                             STAT_END};
static const PortRow ports[] = {PORT_INPUT(Gate, in, "messages"),
                                PORT_OUTPUT(Gate, out, "the same, later"), PORT_END};
static const SharedRow shared[] = {SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)unit, (void)error;
    return true;
}

static void step(Unit *unit, Time now)
{
    Gate *self = (Gate *)unit;
    while (port_peek(&self->in)) {
        if (!channel_ready(&self->out, now)) {
            channel_await(&self->out, now);
            return;
        }
        self->passed++;
        channel_send(&self->out, port_take(&self->in, now), now);
    }
}

static void teardown(Unit *unit)
{
    (void)unit;
}

#define GATE(its_name, how_many, its_clock, its_place, its_path)                                   \
    {                                                                                              \
        .name = its_name, .summary = "lets everything pass", .per = how_many, .clock = its_clock,  \
        .place = its_place, .path = its_path, .size = sizeof(Gate), .params = params,              \
        .stats = stats, .ports = ports, .shared = shared, .setup = setup, .step = step,            \
        .teardown = teardown                                                                       \
    }
static const UnitClass core_gate = GATE("core_gate", PER_SM, CLOCK_CORE, PLACE_CORE, "sm[%u].gate"),
                       gate = GATE("gate", PER_SLICE, CLOCK_L2, PLACE_MEMORY,
                                   "partition[%u].slice[%u].gate");

/* --- the list and the table ------------------------------------------------------------------- */

static const struct {
    const char *after; /* the unit that it stands behind in the list */
    const UnitClass *class;
    const char *from, *output, *to, *input; /* what it comes between */
} news[] = {
    {"load_store", &core_gate, "load_store", "to_l1", "l1", "from_load_store"},
    {"l2_slice", &gate, "l2_slice", "to_scheduler", "access_scheduler", "from_l2"},
};

const UnitClass *const *machine_unit_classes(void)
{
    static const UnitClass *classes[64];
    const UnitClass *const *(*before)(void) = NULL;
    if (classes[0]) return classes;
    *(void **)&before = dlsym(RTLD_NEXT, "machine_unit_classes");
    guint count = 0;
    for (const UnitClass *const *class = before(); *class; class ++) {
        classes[count++] = *class;
        for (guint i = 0; i < G_N_ELEMENTS(news); i++)
            if (!strcmp((*class)->name, news[i].after)) classes[count++] = news[i].class;
    }
    return classes;
}

static const ChannelParam delays[] = {{.name = "core_gate.latency"}, {.name = "gate.latency"}},
                          rooms[] = {{.name = "core_gate.queue"}, {.name = "gate.queue"}};

static guint divide_row(ChannelRow *rows, const ChannelRow *row)
{
    rows[0] = *row;
    for (guint i = 0; i < G_N_ELEMENTS(news); i++) {
        if (!row->from || strcmp(row->from, news[i].from) || strcmp(row->output, news[i].output))
            continue;
        const char *name = news[i].class->name;
        rows[1] = *row;
        rows[0].to = rows[1].from = name;
        rows[0].input = "in";
        rows[1].output = "out";
        rows[1].delay = delays[i];
        rows[0].capacity = rooms[i];
        return 2;
    }
    return 1;
}

const ChannelRow *machine_channel_rows(void)
{
    static ChannelRow rows[128];
    const ChannelRow *(*before)(void) = NULL;
    if (rows[0].to) return rows;
    *(void **)&before = dlsym(RTLD_NEXT, "machine_channel_rows");
    guint count = 0;
    for (const ChannelRow *row = before(); row->to; row++) count += divide_row(&rows[count], row);
    return rows;
}

/* --- what comes of it ------------------------------------------------------------------------- */

static const char stream[] = "workload.pattern = stream; workload.array_bytes = 48 KiB;"
                             "workload.threads_per_cta = 64";

/* In the order of instances: an SM's units, then the next SM's. */
START_TEST(it_is_in_the_machine)
{
    g_autoptr(Machine) machine = small_machine_new(NULL, stream);
    const Simulation *simulation = machine_simulation(machine);
    static const struct {
        guint index;
        const char *path;
    } expected[] = {{3, "sm[0].gate"},
                    {4, "sm[0].l1"},
                    {8, "sm[1].gate"},
                    {18, "partition[0].slice[0]"},
                    {19, "partition[0].slice[0].gate"}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        ck_assert_str_eq(simulation_unit(simulation, expected[i].index)->path, expected[i].path);
}
END_TEST

static void run(const void *deployment, void *hash)
{
    g_autofree char *settings =
        g_strdup_printf("simulation.deployment = %s", (const char *)deployment);
    g_autoptr(Machine) machine = small_machine_new(settings, stream);
    const RunReport report = small_machine_run(machine);
    const uint64_t accesses = small_machine_sum(machine, "load_store", "instructions"),
                   requests = small_machine_sum(machine, "access_scheduler", "reads")
                              + small_machine_sum(machine, "access_scheduler", "writes");
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    ck_assert_uint_gt(accesses, 0);
    ck_assert_uint_gt(requests, 0);
    ck_assert_uint_eq(small_machine_sum(machine, "core_gate", "passed"), accesses);
    ck_assert_uint_eq(small_machine_sum(machine, "gate", "passed"), requests);
    *(uint64_t *)hash = report.hash;
}

START_TEST(it_works_and_is_the_same_in_every_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    uint64_t hash[G_N_ELEMENTS(deployments)];
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++)
        run_apart(run, deployments[i], &hash[i], sizeof hash[i]);
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_uint_eq(hash[0], hash[2]);
}
END_TEST

START_TEST(it_is_drawn_and_named)
{
    g_autoptr(Machine) machine = small_machine_new(NULL, stream);
    g_autoptr(GPtrArray) words = vocabulary_new();
    GString *svg = picture_of_machine(machine);
    ck_assert_ptr_nonnull(strstr(svg->str, "<title>l2_slice.to_scheduler to gate.in"));
    ck_assert_ptr_nonnull(strstr(svg->str, "<title>gate.out to access_scheduler.from_l2"));
    g_string_free(svg, TRUE);
    static const char *const names[] = {"gate", "gate.latency", "gate.passed", "core_gate.out"};
    for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
        guint found = 0;
        for (guint i = 0; i < words->len; i++) found += word_is_called(words->pdata[i], names[k]);
        ck_assert_msg(found, "%s", names[k]);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("new_unit");
    tcase_add_test(cases, it_is_in_the_machine);
    tcase_add_test(cases, it_works_and_is_the_same_in_every_deployment);
    tcase_add_test(cases, it_is_drawn_and_named);
    return harness_run_cases("new_unit", cases);
}
