/* What is told of single kernels adds up to the whole: every statistic and every resource, to the
 * last unit, whatever the launches are. */
#include "kit/gpu/network.h"
#include "rigs/harness.h"
#include "rigs/texture_kernel.h"

/* --- adding up -------------------------------------------------------------------------------- */

static void add(PhaseSums *all, const PhaseSums *sums)
{
    if (sums) phase_sums_merge(all, sums);
}

static PhaseSums *add_up(const Phases *phases)
{
    PhaseSums *all = phase_sums_new(phases_layout(phases));
    for (guint i = 0; i < phases_names(phases)->len; i++)
        add(all, g_array_index(phases_names(phases), PhaseName, i).sums);
    add(all, phases_others(phases));
    add(all, phases_unmeasured(phases));
    add(all, phases_between(phases));
    return all;
}

typedef struct {
    const PhaseGroup *group;
    void *statistics;
    LevelTime *integral;
} Expected;

static bool is_in(const Unit *unit, const PhaseGroup *group)
{
    const uint32_t part = unit->class->place == PLACE_NETWORK ? unit->number % NETWORKS : 0;
    return unit->class->stats == group->stats && part == group->part;
}

static void add_unit(Expected *expected, const void *measured)
{
    LevelTime *integral = expected->integral;
    stats_merge(expected->group->stats, expected->statistics, measured);
    for (const Stat *stat = expected->group->stats; stat->name; stat++)
        if (stat->type == STAT_LEVEL)
            *integral++ +=
                ((const Level *)(const void *)((const char *)measured + stat->offset))->integral;
}

static Expected measure(Machine *machine, const PhaseGroup *group)
{
    const Simulation *simulation = machine_simulation(machine);
    const Expected expected = {group, g_malloc0(group->size),
                               g_new0(LevelTime, MAX(group->levels, 1))};
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (is_in(unit, group)) add_unit((Expected *)&expected, unit_measured(unit));
    }
    return expected;
}

/* Of levels the integral is told elsewhere, and what they were full of only as resources; rankings
 * are not divided. */
static void forget_what_is_not_divided(const Stat *stat, void *object)
{
    void *field = (char *)object + stat->offset;
    if (stat->type == STAT_LEVEL)
        ((Level *)field)->now = ((Level *)field)->integral = ((Level *)field)->full = 0;
    if (stat->type == STAT_RANKING || stat->type == STAT_HEAVY)
        memset(field, 0, stat_size(stat->type));
}

static void expect_group(const GroupSums *got, const Expected *expected)
{
    const PhaseGroup *group = expected->group;
    for (const Stat *stat = group->stats; stat->name; stat++) {
        forget_what_is_not_divided(stat, expected->statistics);
        forget_what_is_not_divided(stat, got->statistics);
        ck_assert_msg(!memcmp((char *)got->statistics + stat->offset,
                              (char *)expected->statistics + stat->offset, stat_size(stat->type)),
                      "%s of group %p, part %u", stat->name, (const void *)group->stats,
                      group->part);
    }
    for (uint32_t i = 0; i < group->levels; i++)
        ck_assert_msg(got->integral[i] == expected->integral[i], "integral of level %u", i);
}

static void expect_groups(Machine *machine, const PhaseSums *all)
{
    for (guint i = 0; i < all->layout->groups->len; i++) {
        const Expected expected = measure(machine, phase_layout_group(all->layout, i));
        expect_group(&all->group[i], &expected);
        g_free(expected.statistics);
        g_free(expected.integral);
    }
}

static void expect_meters(const Unit *unit, const PhaseSums *all)
{
    const MeterList *list = unit_meters(unit);
    const MeterSum *sums = &all->meter[unit_phase_place(unit)->meter];
    for (uint32_t i = 0; i < list->count; i++) {
        const Meter *meter = &list->at[i];
        ck_assert_msg(sums[i].work == meter->counted.work, "work of %s.%s", unit->path,
                      meter->name);
        ck_assert_msg(sums[i].full == meter->counted.full, "full time of %s.%s", unit->path,
                      meter->name);
        if (!meter->refused) /* else a statistic has them */
            ck_assert_msg(sums[i].refused == meter->counted.refused, "refusals of %s.%s",
                          unit->path, meter->name);
    }
    ck_assert_uint_eq(all->length, list->length);
}

static void expect_sum(Machine *machine)
{
    const Simulation *simulation = machine_simulation(machine);
    const Phases *phases = simulation_phases(simulation);
    ck_assert_ptr_nonnull(phases);
    PhaseSums *all = add_up(phases);
    expect_groups(machine, all);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        expect_meters(simulation_unit(simulation, i), all);
    phase_sums_free(all);
}

/* `outside`: with what lies before and behind a kernel. */
static uint64_t slot_time_of(const PhaseSums *sums, bool outside)
{
    uint64_t time = 0;
    for (guint i = 0; i < sums->layout->groups->len; i++)
        for (const Stat *stat = phase_layout_group(sums->layout, i)->stats; stat->name; stat++)
            if (stat->slots != SLOTS_NONE && (outside || stat->slots != SLOTS_OUTSIDE))
                time += *(const uint64_t *)(const void *)((const char *)sums->group[i].statistics
                                                          + stat->offset);
    return time;
}

static uint64_t slot_time(const PhaseSums *sums)
{
    return slot_time_of(sums, true);
}

/* From the first CTA of launches that run together until the last of them has ended that is
 * measured. `beside`: others run on. */
static Time time_of(const Machine *machine, const KernelPhase *kernel, bool *beside)
{
    const GArray *times = machine_kernel_times(machine);
    Time start = TIME_NEVER, end = 0, last = 0;
    for (guint i = kernel->first; i < kernel->first + kernel->launches; i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        start = MIN(start, time->start);
        last = MAX(last, time->end);
        if (time->launch->measured || !kernel->measured) end = MAX(end, time->end);
    }
    *beside = last > end;
    return end - start;
}

/* Of a kernel and of what lies between them; what runs on has the time until all have heard. */
static void expect_time_inside(Machine *machine, const KernelPhase *kernel, uint64_t schedulers)
{
    bool beside;
    const Time time = time_of(machine, kernel, &beside);
    const uint64_t inside = slot_time_of(kernel->sums, false);
    if (beside)
        ck_assert_uint_ge(inside, schedulers * time);
    else
        ck_assert_uint_eq(inside, schedulers * time);
    const Unit *unit = simulation_unit(machine_simulation(machine), 0);
    const Time delay = clock_ceil(machine_clock(machine, "core"), unit_boundary_delay(unit));
    ck_assert_uint_le(inside, schedulers * (time + delay));
}

/* The time of schedulers passes in each phase as in the whole, also where nothing happens. */
static void expect_time(const PhaseSums *sums, const PhaseSums *all)
{
    if (sums) ck_assert_uint_eq(slot_time(sums), slot_time(all) / all->length * sums->length);
}

static void expect_times(Machine *machine)
{
    const Phases *phases = simulation_phases(machine_simulation(machine));
    PhaseSums *all = add_up(phases);
    ck_assert_uint_eq(slot_time(all) % all->length, 0);
    for (guint i = 0; i < phases_kernels(phases)->len; i++) {
        const KernelPhase *kernel = phases_kernel(phases, i);
        expect_time(kernel->sums, all);
        if (kernel->sums && !kernel->stopped)
            expect_time_inside(machine, kernel, slot_time(all) / all->length);
    }
    ck_assert_uint_eq(slot_time_of(phases_between(phases), false), 0);
    expect_time(phases_unmeasured(phases), all);
    expect_time(phases_between(phases), all);
    phase_sums_free(all);
}

/* --- lists of kernels ------------------------------------------------------------------------- */

#define SEVERAL "workload.launches = 4; cta_dispatcher.kernel_gap = 200 cycles;"

static const char *const lists[] = {
    SEVERAL "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 48 KiB;"
            "workload.threads_per_cta = 128",
    SEVERAL "workload.warm_up_launches = 1; workload.pattern = random; workload.ctas = 9;"
            "workload.threads_per_cta = 96; workload.iterations = 4;"
            "workload.footprint = 512 KiB; workload.operation = load_store",
    SEVERAL "workload.pattern = random; workload.ctas = 5; workload.threads_per_cta = 64;"
            "workload.iterations = 3; workload.footprint = 4 KiB; workload.operation = atomic;"
            "simulation.deployment = sm",
    SEVERAL "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"
            "workload.iterations = 2; workload.footprint = 64 KiB; workload.operation = load_store;"
            "network.topology = ring; network.concentration = 1; network.link_buffer = 2",
    SEVERAL "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
            "workload.iterations = 4; workload.footprint = 24 KiB; machine.l2_halves = 2;"
            "machine.partitions = 4; channels.l2_cross = 40 cycles; channels.l2_cross_queue = 2;"
            "l2_slice.cross_entries = 3; workload.operation = load_store",
    SEVERAL "workload.pattern = raster; workload.scene = soup; workload.screen_width = 40;"
            "workload.screen_height = 30; workload.texture_width = 64; workload.textures = 3;"
            "workload.triangles_per_draw = 5; workload.threads_per_cta = 64;"
            "workload.output = blend; texture.cache = own; texture.capacity = 1 KiB",
    /* texture units have nothing to do in the second and third */
    "workload.sequence = a, b, b, a; texture.cache = own; texture.capacity = 1 KiB;"
    "kernel a.pattern = raster; kernel a.scene = soup; kernel a.screen_width = 40;"
    "kernel a.screen_height = 30; kernel a.texture_width = 64; kernel a.textures = 3;"
    "kernel a.triangles_per_draw = 5; kernel a.threads_per_cta = 64;"
    "kernel b.pattern = pointer_chase; kernel b.working_set = 4 KiB; kernel b.loads = 20",
    SEVERAL "workload.pattern = stream; workload.array_bytes = 48 KiB; mmu.enabled = yes;"
            "mmu.tlb_entries = 8; mmu.tlb_entry_bytes = 16 KiB; l1.tlb_entries = 4;"
            "l1.tlb_entry_bytes = 4 KiB; coherence_monitor.enabled = yes",
    /* most SMs have nothing to do through several kernels: one of a warp, two of them side by side,
     * one that finds L1 as it was */
    SEVERAL "workload.pattern = pointer_chase; workload.working_set = 4 KiB; workload.loads = 20",
    "workload.sequence = a, b, a, a, b, c, a; cta_dispatcher.kernel_gap = 300 cycles;"
    "kernel a.pattern = pointer_chase; kernel a.working_set = 4 KiB; kernel a.loads = 30;"
    "kernel b.pattern = random; kernel b.ctas = 1; kernel b.threads_per_cta = 32;"
    "kernel b.iterations = 2; kernel b.footprint = 4 KiB; kernel b.operation = load_store;"
    "kernel b.concurrent = yes; kernel c.pattern = pointer_chase; kernel c.working_set = 4 KiB;"
    "kernel c.loads = 9; kernel c.keep_l1 = yes",
    /* one runs on beside the measured ones, and when they have ended */
    "workload.sequence = a, b, c, a; cta_dispatcher.kernel_gap = 300 cycles;"
    "kernel a.pattern = stream; kernel a.array_bytes = 16 KiB; kernel a.threads_per_cta = 64;"
    "kernel b.pattern = pointer_chase; kernel b.working_set = 4 KiB; kernel b.loads = 200;"
    "kernel b.measure = no; kernel c.pattern = stream; kernel c.array_bytes = 16 KiB;"
    "kernel c.concurrent = yes",
    /* those that run together end at about the same time */
    "workload.sequence = a, b, a; kernel a.pattern = stream; kernel a.array_bytes = 16 KiB;"
    "kernel b.pattern = random; kernel b.ctas = 4; kernel b.iterations = 2;"
    "kernel b.launches = 5; kernel b.concurrent = yes",
};

static void expect_sum_of(const char *workload)
{
    g_autoptr(Machine) machine = small_machine_new(NULL, workload);
    const RunReport report = small_machine_run(machine);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    expect_sum(machine);
    expect_times(machine);
}

START_TEST(kernels_and_what_lies_between_add_up_to_the_whole)
{
    expect_sum_of(lists[_i]);
}
END_TEST

/* --- lists drawn by chance -------------------------------------------------------------------- */

static const char *const kinds[] = {
    "pattern = stream; operation = copy; array_bytes = 16 KiB; threads_per_cta = 64",
    "pattern = random; ctas = 5; threads_per_cta = 96; iterations = 3; footprint = 64 KiB;"
    "operation = load_store",
    "pattern = random; ctas = 4; threads_per_cta = 64; iterations = 2; footprint = 2 KiB;"
    "operation = atomic",
    "pattern = pointer_chase; working_set = 32 KiB; loads = 60",
    "pattern = strided; ctas = 3; threads_per_cta = 64; iterations = 3; lane_stride = 100 B;"
    "footprint = 256 KiB",
    "pattern = program; ctas = 4; threads_per_cta = 64; code = shared S[256]\n"
    "for i in 0..4 {\nx = load S[thread % 8 * 32]\nint x\nbarrier\n}",
};

static void add_kernel(GString *list, GRand *random, guint number)
{
    g_auto(GStrv) settings =
        g_strsplit(kinds[g_rand_int_range(random, 0, G_N_ELEMENTS(kinds))], ";", -1);
    for (char **setting = settings; *setting; setting++)
        g_string_append_printf(list, "; kernel k%u.%s", number, g_strstrip(*setting));
    if (number && g_rand_int_range(random, 0, 3) == 0)
        g_string_append_printf(list, "; kernel k%u.concurrent = yes", number);
    if (number && number < 3 && g_rand_int_range(random, 0, 2) == 0)
        g_string_append_printf(list, "; kernel k%u.measure = no", number);
}

enum { KERNELS = 5, LAUNCHES = 9 };

/* k0 and k4 are always measured, and k0 never begins together with another. */
static char *draw_list(guint32 seed)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    GString *list = g_string_new("workload.sequence = k0");
    for (guint i = 1; i < LAUNCHES; i++)
        g_string_append_printf(list, ", k%d",
                               i < KERNELS ? (int)i : g_rand_int_range(random, 0, 5));
    g_string_append(list, ", k0");
    for (guint k = 0; k < KERNELS; k++) add_kernel(list, random, k);
    g_string_append_printf(list, "; cta_dispatcher.kernel_gap = %d cycles",
                           g_rand_int_range(random, 64, 900));
    return g_string_free(list, FALSE);
}

START_TEST(any_list_of_kernels_adds_up)
{
    g_autofree char *list = draw_list((guint32)_i);
    expect_sum_of(list);
}
END_TEST

/* --- which are kept --------------------------------------------------------------------------- */

START_TEST(sums_stay_of_the_longest_launches_and_figures_of_all)
{
    g_autoptr(Machine) machine = small_machine_new(
        NULL, "workload.sequence = long, short, long; kernel long.pattern = stream;"
              "kernel long.array_bytes = 64 KiB; kernel long.threads_per_cta = 64;"
              "kernel short.pattern = stream; kernel short.operation = copy;"
              "kernel short.array_bytes = 2 KiB;"
              "kernel short.threads_per_cta = 64; kernel short.launches = 50;"
              "cta_dispatcher.kernel_gap = 64 cycles");
    small_machine_run(machine);
    expect_sum(machine);
    const Phases *phases = simulation_phases(machine_simulation(machine));
    guint kept = 0;
    ck_assert_uint_eq(phases_kernels(phases)->len, 52);
    for (guint i = 0; i < 52; i++) {
        kept += phases_kernel(phases, i)->sums != NULL;
        ck_assert_uint_gt(phases_kernel(phases, i)->figures.instructions, 0);
    }
    ck_assert_uint_eq(kept, PHASES_KEPT);
    ck_assert_ptr_nonnull(phases_kernel(phases, 0)->sums);
    ck_assert_ptr_nonnull(phases_kernel(phases, 51)->sums);
    ck_assert_uint_eq(phases_names(phases)->len, 2);
}
END_TEST

#define THREE(how_the_second_begins)                                                               \
    "workload.sequence = one, two, three; kernel one.pattern = stream;"                            \
    "kernel one.operation = copy; kernel one.array_bytes = 32 KiB;"                                \
    "kernel one.threads_per_cta = 64; kernel two.pattern = stream; kernel two.operation = read;"   \
    "kernel two.array_bytes = 32 KiB; kernel two.threads_per_cta = 64; kernel three.pattern ="     \
    "strided; kernel three.ctas = 3; kernel three.threads_per_cta = 64;"                           \
    "kernel three.iterations = 20;" how_the_second_begins

START_TEST(launches_that_run_together_are_one_kernel)
{
    g_autoptr(Machine) machine = small_machine_new(NULL, THREE("kernel two.concurrent = yes"));
    small_machine_run(machine);
    expect_sum(machine);
    const Phases *phases = simulation_phases(machine_simulation(machine));
    ck_assert_uint_eq(phases_kernels(phases)->len, 2);
    ck_assert_uint_eq(phases_kernel(phases, 0)->launches, 2);
    ck_assert_str_eq(g_array_index(phases_names(phases), PhaseName, 0).name,
                     "stream copy + stream read");
}
END_TEST

/* --- a run that is stopped -------------------------------------------------------------------- */

static Simulation *stopped;
static const KernelClass *own;
static guint fetched;

static void fetch_and_stop(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    if (++fetched == 20) simulation_interrupt(stopped);
    own->fetch(kernel, cursor, instruction);
}

/* The third kernel has begun, and the region has no end. */
START_TEST(of_a_run_that_is_stopped_the_last_kernel_has_what_came_until_then)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(THREE(""));
    LaunchList *launches = small_machine_launches(configuration);
    Kernel *third = launch_list_at(launches, 2)->kernel;
    KernelClass stopping = *third->class;
    own = third->class;
    stopping.fetch = fetch_and_stop;
    third->class = &stopping;
    g_autoptr(Machine) machine = machine_new(configuration, launches, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    stopped = machine_simulation(machine);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_INTERRUPTED);
    expect_sum(machine);
    const Phases *phases = simulation_phases(stopped);
    ck_assert_uint_eq(phases_kernels(phases)->len, 3);
    ck_assert(phases_kernel(phases, 2)->stopped);
    ck_assert_uint_gt(phases_kernel(phases, 2)->figures.instructions, 0);
}
END_TEST

START_TEST(one_measured_kernel_has_no_phases)
{
    g_autoptr(Machine) machine = small_machine_new(
        NULL, "workload.pattern = stream; workload.array_bytes = 16 KiB; workload.launches = 3;"
              "workload.threads_per_cta = 64; workload.warm_up_launches = 2");
    small_machine_run(machine);
    ck_assert_ptr_null(simulation_phases(machine_simulation(machine)));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("kernels");
    tcase_add_loop_test(cases, kernels_and_what_lies_between_add_up_to_the_whole, 0,
                        G_N_ELEMENTS(lists));
    tcase_add_loop_test(cases, any_list_of_kernels_adds_up, 0, 40);
    tcase_add_test(cases, sums_stay_of_the_longest_launches_and_figures_of_all);
    tcase_add_test(cases, launches_that_run_together_are_one_kernel);
    tcase_add_test(cases, of_a_run_that_is_stopped_the_last_kernel_has_what_came_until_then);
    tcase_add_test(cases, one_measured_kernel_has_no_phases);
    Suite *suite = suite_create("kernels");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
