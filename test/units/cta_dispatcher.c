/* The rig: the CTA dispatcher and SMs that take a CTA, keep it for a while and report it done. The
 * notice of a boundary is 64 cycles and all paths take one:
 *     1     the dispatcher's first step
 *     65    the first kernel starts; SMs hear of it at 66 and offer room
 *     67    the first CTA is launched, and is at its SM at 68 */
#include "rigs/unit_rig.h"

#include "parts/sm/coalescer.h"

#include "kit/gpu/cta.h"

extern const UnitClass cta_dispatcher_class;

enum { SMS_MAX = 4, LAUNCHES_MAX = 3, NOTICE = 64, FIRST = 67 };

typedef struct {
    uint64_t cycle, cta;
    const void *stream;
    uint32_t launch;
} Started;

typedef struct {
    Unit unit;
    Port in;
    Channel out;
    uint32_t room, registers;
    uint64_t duration;       /* of a CTA; 0: for ever */
    uint64_t unacknowledged; /* so long after its end; 0: not at all, UINT64_MAX: for ever */
    GArray *started;         /* of Started */
    GArray *boundaries;      /* of uint64_t: cycle x 2 + kind */
} StandIn;

static bool stand_in_setup(Unit *unit, GError **error)
{
    (void)error;
    ((StandIn *)unit)->started = g_array_new(FALSE, FALSE, sizeof(Started));
    ((StandIn *)unit)->boundaries = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return true;
}

static void complete(StandIn *self, CtaMessage *message, Time now)
{
    const Clock *clock = self->unit.clock;
    const Time end = now + clock_cycles(clock, self->duration);
    const uint32_t launch = message->launch;
    message->owes = self->unacknowledged;
    message->began = now;
    message->ended = end;
    channel_send(&self->out, &message->message, end);
    if (!self->unacknowledged || self->unacknowledged == UINT64_MAX) return;
    message = unit_new(&self->unit, MESSAGE_CTA);
    message->cta = CTA_ALL_ACKNOWLEDGED;
    message->launch = launch;
    message->keeps = false;
    channel_send(&self->out, &message->message, end + clock_cycles(clock, self->unacknowledged));
}

static void stand_in_step(Unit *unit, Time now)
{
    StandIn *self = (StandIn *)unit;
    CtaMessage *message;
    while ((message = (CtaMessage *)port_take(&self->in, now))) {
        if (message->cta == CTA_KERNEL_START) {
            message->limits = (OccupancyLimits){.ctas = self->room,
                                                .threads = 2048,
                                                .warps = 64,
                                                .registers = self->registers,
                                                .register_granularity = 256,
                                                .shared_bytes = 98304};
            channel_send(&self->out, &message->message, now);
            continue;
        }
        const Started started = {now / unit->clock->period, message->cta, message->stream,
                                 message->launch};
        g_array_append_val(self->started, started);
        if (self->duration) complete(self, message, now);
    }
}

static Counted stand_in_boundary(Unit *unit, const Boundary *boundary)
{
    const uint64_t entry = boundary->at / unit->clock->period * 2 + boundary->kind;
    g_array_append_val(((StandIn *)unit)->boundaries, entry);
    return COUNTED_NOTHING;
}

static void stand_in_teardown(Unit *unit)
{
    g_array_unref(((StandIn *)unit)->started);
    g_array_unref(((StandIn *)unit)->boundaries);
}

static const Param no_params[] = {PARAM_END};
static const Stat no_stats[] = {STAT_END};
static const PortRow stand_in_ports[] = {PORT_INPUT(StandIn, in, "from the dispatcher"),
                                         PORT_OUTPUT(StandIn, out, "back"), PORT_END};
static const UnitClass stand_in_class = {.name = "stand_in",
                                         .summary = "an SM without insides",
                                         .size = sizeof(StandIn),
                                         .params = no_params,
                                         .stats = no_stats,
                                         .ports = stand_in_ports,
                                         .setup = stand_in_setup,
                                         .step = stand_in_step,
                                         .teardown = stand_in_teardown,
                                         .boundary = stand_in_boundary};

typedef struct {
    Harness *harness;
    Unit *dispatcher;
    StandIn *sm[SMS_MAX];
    LaunchList *launches;
    LaunchRecord record[LAUNCHES_MAX];
} Rig;

static Rig *rig_new(uint32_t sms, const char *settings)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->launches = launch_list_new();
    simulation_share(rig->harness->simulation, "launches", rig->launches);
    simulation_share(rig->harness->simulation, "record", rig->record);
    simulation_set_boundary_delay(rig->harness->simulation, NOTICE * TIME_NS);
    g_autofree char *all =
        g_strconcat("launch_interval = 2 cycles; kernel_gap = 1000 cycles; ", settings, NULL);
    rig->dispatcher = harness_add(rig->harness, &cta_dispatcher_class, "cta_dispatcher", all);
    unit_size_ports(rig->dispatcher, "to_sm", sms);
    unit_size_ports(rig->dispatcher, "from_sm", sms);
    for (uint32_t i = 0; i < sms; i++) {
        StandIn *sm = (StandIn *)harness_add(rig->harness, &stand_in_class, "sm", NULL);
        sm->room = 2;
        sm->registers = 65536;
        sm->duration = 100;
        rig->sm[i] = sm;
        harness_connect(rig->harness, rig->dispatcher, "to_sm", &sm->unit, "in",
                        (Path){.output_index = i});
        harness_connect(rig->harness, &sm->unit, "out", rig->dispatcher, "from_sm",
                        (Path){.input_index = i});
    }
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    launch_list_free(rig->launches);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* --- kernels --- */

typedef struct {
    Kernel kernel;
    uint64_t given; /* streams: of the CTAs 7, 5, 3 ... */
    uint64_t fails_after;
    uint64_t closed;
} Script;

static const KernelClass generator = {.fetch = NULL};

/* The n-th block of a stream is known by its address; the third CTA's number is 3 x 1000. */
static void *open_cta(Kernel *kernel, uint64_t *cta, GError **error)
{
    static const char blocks[8];
    Script *script = (Script *)kernel;
    if (script->given == script->fails_after) {
        g_set_error(error, PARAM_ERROR, 0, "kernel.trace:17: no such instruction");
        return NULL;
    }
    if (script->given == kernel->ctas) return NULL;
    *cta = 1000 * ++script->given;
    return (void *)(uintptr_t)&blocks[script->given];
}

static void close_cta(Kernel *kernel, void *stream)
{
    ck_assert_ptr_nonnull(stream);
    ((Script *)kernel)->closed++;
}

static const KernelClass stream = {.open_cta = open_cta, .close_cta = close_cta};

static Script *add_launch(Rig *rig, const KernelClass *kernel_class, uint64_t ctas)
{
    Script *script = g_new0(Script, 1);
    script->fails_after = UINT64_MAX;
    script->kernel = (Kernel){.class = kernel_class,
                              .name = g_strdup("script"),
                              .ctas = ctas,
                              .threads_per_cta = 32,
                              .warp_lanes = 32};
    launch_list_add_kernel(rig->launches, &script->kernel);
    g_array_append_val(rig->launches->launches, (Launch){.kernel = &script->kernel});
    return script;
}

static void run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(unit_booked(rig->dispatcher, "launch_port"),
                      unit_level(rig->dispatcher, "running")->arrivals
                          * unit_number(rig->dispatcher, "launch_interval", PARAM_CYCLES));
    assert_little(rig->dispatcher, "running");
}

static void assert_started(const Rig *rig, uint32_t sm, const Started *expected, guint count)
{
    const GArray *started = rig->sm[sm]->started;
    ck_assert_uint_eq(started->len, count);
    for (guint i = 0; i < count; i++) {
        ck_assert_uint_eq(g_array_index(started, Started, i).cycle, expected[i].cycle);
        ck_assert_uint_eq(g_array_index(started, Started, i).cta, expected[i].cta);
        ck_assert_uint_eq(g_array_index(started, Started, i).launch, expected[i].launch);
    }
}

static void assert_ends(const Rig *rig, guint launch, uint64_t issued, uint64_t end)
{
    ck_assert_uint_eq(rig->record[launch].issued, issued * TIME_NS);
    ck_assert_uint_eq(rig->record[launch].end, end * TIME_NS);
}

static void assert_record(const Rig *rig, guint launch, uint64_t start, uint64_t end)
{
    ck_assert_uint_eq(rig->record[launch].start, start * TIME_NS);
    assert_ends(rig, launch, end, end);
}

START_TEST(ctas_go_to_the_SMs_in_turn_an_interval_apart)
{
    g_autoptr(Rig) rig = rig_new(3, NULL);
    add_launch(rig, &generator, 6);
    run(rig);
    for (uint32_t i = 0; i < 3; i++) {
        const Started expected[] = {{68 + 2 * i, i, NULL, 0}, {68 + 2 * (i + 3), i + 3, NULL, 0}};
        assert_started(rig, i, expected, 2);
    }
    assert_record(rig, 0, FIRST, 68 + 2 * 5 + 100 + 1);
    ck_assert_uint_eq(unit_count(rig->dispatcher, "waits_for_room"), 0);
}
END_TEST

START_TEST(launches_have_their_share_of_the_interval)
{
    g_autoptr(Rig) rig = rig_new(1, "launch_interval = 7 cycles; launches_per_interval = 4");
    add_launch(rig, &generator, 2);
    run(rig);
    const Started expected[] = {{68, 0, NULL, 0}, {69, 1, NULL, 0}};
    assert_started(rig, 0, expected, 2);
}
END_TEST

/* SM 0 takes one CTA, SM 1 three. The fifth waits for the first to be known as done: 68 + 100 + 1;
 * it is launched at once. */
START_TEST(an_SM_without_room_is_passed_over)
{
    g_autoptr(Rig) rig = rig_new(2, NULL);
    rig->sm[0]->room = 1;
    rig->sm[1]->room = 3;
    add_launch(rig, &generator, 5);
    run(rig);
    const Started first[] = {{68, 0, NULL, 0}, {170, 4, NULL, 0}};
    const Started second[] = {{70, 1, NULL, 0}, {72, 2, NULL, 0}, {74, 3, NULL, 0}};
    assert_started(rig, 0, first, 2);
    assert_started(rig, 1, second, 3);
    ck_assert_uint_eq(rig->record[0].spread.after, (1 + 97) * TIME_NS);
}
END_TEST

/* The first kernel ends at 69 + 100 = 169; the second starts 1000 later, and has its offers after
 * two more. Boundaries: starts at 65 and 1169, ends 64 after the end is known. */
START_TEST(kernels_run_in_a_row_with_a_gap_between_them)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    rig->sm[0]->room = 1;
    add_launch(rig, &generator, 1);
    add_launch(rig, &generator, 2);
    run(rig);
    const Started expected[] = {{68, 0, NULL, 0}, {1172, 0, NULL, 0}, {1274, 1, NULL, 0}};
    assert_started(rig, 0, expected, 3);
    assert_record(rig, 0, FIRST, 169);
    assert_record(rig, 1, 1171, 1375);
    const uint64_t boundaries[] = {
        65 * 2 + BOUNDARY_KERNEL_START, (169 + NOTICE) * 2 + BOUNDARY_KERNEL_END,
        1169 * 2 + BOUNDARY_KERNEL_START, (1375 + NOTICE) * 2 + BOUNDARY_KERNEL_END};
    ck_assert_uint_eq(rig->sm[0]->boundaries->len, 4);
    ck_assert_mem_eq(rig->sm[0]->boundaries->data, boundaries, sizeof boundaries);
    ck_assert_uint_eq(unit_count(rig->dispatcher, "kernels"), 2);
}
END_TEST

/* Known to be complete at 169 and 171; acknowledged 500 and 20 later. The next one starts 1000
 * after that, has its offers after two more, and is done 1 + 100 + 1 later. */
START_TEST(a_kernel_ends_when_its_stores_are_acknowledged_and_the_next_one_starts_after_it)
{
    g_autoptr(Rig) rig = rig_new(2, NULL);
    rig->sm[0]->unacknowledged = 500;
    rig->sm[1]->unacknowledged = 20;
    add_launch(rig, &generator, 2);
    add_launch(rig, &generator, 1);
    run(rig);
    assert_ends(rig, 0, 171, 669);
    assert_ends(rig, 1, 1773, 2273);
    ck_assert_uint_eq(unit_busy(rig->dispatcher, "waited_for_memory"), 498 + 500);
}
END_TEST

START_TEST(a_concurrent_kernel_does_not_wait_for_the_stores_of_the_other)
{
    g_autoptr(Rig) rig = rig_new(2, NULL);
    rig->sm[0]->unacknowledged = 500;
    add_launch(rig, &generator, 1);
    add_launch(rig, &generator, 1);
    g_array_index(rig->launches->launches, Launch, 1).concurrent = true;
    run(rig);
    assert_ends(rig, 0, 169, 669);
    assert_ends(rig, 1, 171, 171);
}
END_TEST

START_TEST(a_stream_says_which_ctas_there_are_and_gets_them_back)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    Script *script = add_launch(rig, &stream, 3);
    run(rig);
    const Started expected[] = {{68, 1000, NULL, 0}, {70, 2000, NULL, 0}, {170, 3000, NULL, 0}};
    assert_started(rig, 0, expected, 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(g_array_index(rig->sm[0]->started, Started, i).stream);
    ck_assert_uint_eq(script->closed, 3);
    assert_record(rig, 0, FIRST, 271);
}
END_TEST

START_TEST(a_kernel_without_ctas_takes_no_time)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    add_launch(rig, &stream, 0);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    assert_record(rig, 0, FIRST, FIRST);
}
END_TEST

/* Two kernels of three CTAs and a third after them. Both announce their start at 65 and are offered
 * room at 66, in this order. An SM has room for three CTAs; from 169 on more follow. The last
 * is known to be done at 275; the third kernel starts 1000 later. */
static void assert_two_kernels(const char *settings, const Started *expected)
{
    g_autoptr(Rig) rig = rig_new(1, settings);
    rig->sm[0]->room = 3;
    for (guint i = 0; i < 3; i++) add_launch(rig, &generator, i < 2 ? 3 : 1);
    g_array_index(rig->launches->launches, Launch, 1).concurrent = true;
    run(rig);
    assert_started(rig, 0, expected, 7);
    for (guint k = 0; k < 2; k++) { /* a cycle to the SM, 100 there, a cycle back */
        guint first = 0, last = 5;
        while (expected[first].launch != k) first++;
        while (expected[last].launch != k) last--;
        assert_record(rig, k, expected[first].cycle - 1, expected[last].cycle + 101);
    }
    ck_assert_uint_eq(unit_count(rig->dispatcher, "kernels"), 3);
    const GArray *boundaries = rig->sm[0]->boundaries;
    ck_assert_uint_eq(boundaries->len, 6);
    ck_assert_uint_eq(g_array_index(boundaries, uint64_t, 0), 65 * 2 + BOUNDARY_KERNEL_START);
    ck_assert_uint_eq(g_array_index(boundaries, uint64_t, 1), 65 * 2 + BOUNDARY_KERNEL_START);
}

START_TEST(concurrent_kernels_send_a_cta_in_turn)
{
    static const Started expected[] = {{68, 0, NULL, 0},  {70, 0, NULL, 1},  {72, 1, NULL, 0},
                                       {170, 1, NULL, 1}, {172, 2, NULL, 0}, {174, 2, NULL, 1},
                                       {1278, 0, NULL, 0}};
    assert_two_kernels("kernel_order = in_turn", expected);
}
END_TEST

START_TEST(a_later_kernel_may_take_what_an_earlier_one_leaves)
{
    static const Started expected[] = {{68, 0, NULL, 0},  {70, 1, NULL, 0},  {72, 2, NULL, 0},
                                       {170, 0, NULL, 1}, {172, 1, NULL, 1}, {174, 2, NULL, 1},
                                       {1278, 0, NULL, 0}};
    assert_two_kernels("kernel_order = in_order", expected);
}
END_TEST

/* Of 4096 registers a CTA of the first kernel takes 3072, of the second 1024. The second finds room
 * where the first does not. */
START_TEST(an_SM_may_have_room_for_one_kernel_only)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    rig->sm[0]->room = 32;
    rig->sm[0]->registers = 4096;
    add_launch(rig, &generator, 2)->kernel.registers_per_thread = 96;
    add_launch(rig, &generator, 2)->kernel.registers_per_thread = 32;
    g_array_index(rig->launches->launches, Launch, 1).concurrent = true;
    run(rig);
    static const Started expected[] = {
        {68, 0, NULL, 0}, {70, 0, NULL, 1}, {170, 1, NULL, 0}, {172, 1, NULL, 1}};
    assert_started(rig, 0, expected, 4);
}
END_TEST

START_TEST(a_broken_stream_is_bad_input)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    add_launch(rig, &stream, 3)->fails_after = 2;
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_str_eq(
        error->message,
        "kernel.trace:17: no such instruction (launch 1 of 1; 2 of its CTAs were launched)");
    ck_assert_int_eq(rig->harness->report.outcome, RUN_BAD_INPUT);
}
END_TEST

static void assert_deadlock(Rig *rig, const char *words)
{
    add_launch(rig, &generator, 1);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_ptr_nonnull(strstr(text, words));
}

START_TEST(a_cta_that_never_ends_is_a_deadlock)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    rig->sm[0]->duration = 0;
    assert_deadlock(rig, "kernel script: 0 of 1 launched CTAs completed; waits for sm");
}
END_TEST

START_TEST(stores_that_are_never_acknowledged_are_a_deadlock)
{
    g_autoptr(Rig) rig = rig_new(1, NULL);
    rig->sm[0]->unacknowledged = UINT64_MAX;
    assert_deadlock(rig, "1 of 1 launched CTAs completed, stores or reductions of 1 SMs are not");
}
END_TEST

HARNESS_MAIN("cta_dispatcher", ctas_go_to_the_SMs_in_turn_an_interval_apart,
             launches_have_their_share_of_the_interval, an_SM_without_room_is_passed_over,
             kernels_run_in_a_row_with_a_gap_between_them,
             a_kernel_ends_when_its_stores_are_acknowledged_and_the_next_one_starts_after_it,
             a_concurrent_kernel_does_not_wait_for_the_stores_of_the_other,
             stores_that_are_never_acknowledged_are_a_deadlock,
             a_stream_says_which_ctas_there_are_and_gets_them_back,
             a_kernel_without_ctas_takes_no_time, concurrent_kernels_send_a_cta_in_turn,
             a_later_kernel_may_take_what_an_earlier_one_leaves,
             an_SM_may_have_room_for_one_kernel_only, a_broken_stream_is_bad_input,
             a_cta_that_never_ends_is_a_deadlock)
