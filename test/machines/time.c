/* Where the time went: of random programs on random machines every femtosecond is told once. */
#include "kit/observe/series.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

enum { PROGRAMS = 200, STOPPED = 60 };

/* --- programs --- */

static const char *pick(GRand *random, const char *const *words)
{
    return words[g_rand_int_range(random, 0, (gint32)g_strv_length((char **)words))];
}

/* Every warp passes all of it: a barrier hangs nobody. */
static void add_statement(GString *code, GRand *random, guint number)
{
    static const char *const indices[] = {"(cta * threads + thread) % 4096", "thread", "lane * 32",
                                          "(thread * 129 + cta * 7) % 4096", "cta",    NULL};
    static const char *const units[] = {"fp32", "fma", "int", "sfu", NULL};
    const char *index = pick(random, indices);
    switch (g_rand_int_range(random, 0, 9)) {
    case 0: g_string_append(code, "barrier\n"); break;
    case 1: g_string_append_printf(code, "store a[%s], x\n", index); break;
    case 2: g_string_append_printf(code, "reduce a[%s]\n", index); break;
    case 3: g_string_append_printf(code, "x = atomic a[%s]\n", index); break;
    case 4: g_string_append_printf(code, "store tile[thread * 4 %% 256], x\n"); break;
    case 5: g_string_append_printf(code, "x = load tile[thread * 2 %% 256]\n"); break;
    case 6: g_string_append_printf(code, "y%u = load a[%s]\n", number, index); break;
    case 7: g_string_append_printf(code, "x = load a[%s]\n", index); break;
    default: g_string_append_printf(code, "x = %s x\n", pick(random, units)); break;
    }
}

static char *random_code(GRand *random)
{
    GString *code = g_string_new("global a[4096]\nshared tile[256]\nx = int\n");
    const bool loops = g_rand_boolean(random);
    if (loops) g_string_append_printf(code, "for i in 0..%d {\n", g_rand_int_range(random, 2, 6));
    for (gint i = g_rand_int_range(random, 2, 12); i; i--) add_statement(code, random, (guint)i);
    if (loops) g_string_append(code, "}\n");
    g_string_append(code, "x = int x\n");
    return g_string_free(code, FALSE);
}

/* --- machines --- */

static char *random_settings(GRand *random)
{
    static const char *const more[] = {
        "",
        "l1.prt_entries = 2; l1.replay_entries = 2",
        "sm.cta_waits_for_stores = yes",
        "sm.schedulers = 2; sm.dispatches = 2; sm.dispatches_per_warp = 2",
        "sm.register_banks = 1; sm.dispatches = 2; sm.warps_per_cycle = 2; sm.core_units = 8",
        "l1.cached = none",
        "mmu.enabled = yes; l1.tlb_entries = 4; l1.tlb_pending = 1; mmu.tlb_entries = 8",
        "sm.scheduler_policy = loose_round_robin; sm.max_ctas = 2",
        "machine.l2_clock = 1200 MHz; machine.network_clock = 900 MHz",
        NULL};
    return g_strdup_printf(
        "%s; workload.ctas = %d; workload.threads_per_cta = %d; workload.launches = %d",
        pick(random, more), g_rand_int_range(random, 1, 16), 32 * g_rand_int_range(random, 1, 9),
        g_rand_int_range(random, 1, 3));
}

/* So many instructions after which the run is stopped; 0: it is not. */
typedef struct {
    guint32 seed;
    guint stop_after;
} Course;

static Simulation *running;
static const KernelClass *own;
static guint left;

static void fetch_and_stop(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    if (!--left) simulation_interrupt(running);
    own->fetch(kernel, cursor, instruction);
}

/* Of each of the launches; all of them are of one class. */
static void stop_in(LaunchList *launches, KernelClass *stopping)
{
    own = launch_list_at(launches, 0)->kernel->class;
    *stopping = *own;
    stopping->fetch = fetch_and_stop;
    for (guint i = 0; i < launches->launches->len; i++)
        launch_list_at(launches, i)->kernel->class = stopping;
}

static Machine *run_random(Course course)
{
    static KernelClass stopping;
    GRand *random = g_rand_new_with_seed(course.seed);
    g_autofree char *code = random_code(random), *settings = random_settings(random);
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    g_autoptr(GError) error = NULL;
    configuration_set(configuration, "workload", "pattern", "program", NULL, 0);
    configuration_set(configuration, "workload", "code", code, NULL, 0);
    LaunchList *launches = small_machine_launches(configuration);
    left = course.stop_after;
    if (left) stop_in(launches, &stopping);
    Machine *machine = machine_new(configuration, launches, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    running = machine_simulation(machine);
    RunReport report;
    ck_assert_msg(machine_run(machine, &report, &error), "%s: %s", code, error->message);
    ck_assert_int_eq(report.outcome, course.stop_after ? RUN_INTERRUPTED : RUN_FINISHED);
    g_rand_free(random);
    return machine;
}

/* --- sums --- */

static uint64_t number_of(const Stat *stat, const void *unit)
{
    return *(const uint64_t *)(const void *)((const char *)unit + stat->offset);
}

/* A wait for data has been in some place, or was refused by L1. */
static void assert_answers(const UnitClass *class, const void *measured)
{
    uint64_t served = 0, at = 0, refused = 0;
    for (const Stat *stat = class->stats; stat->name; stat++) {
        if (stat->served.of) served += number_of(stat, measured);
        if (g_str_has_prefix(stat->name, "slot_at_")) at += number_of(stat, measured);
        if (g_str_has_prefix(stat->name, "slot_refused_")) refused += number_of(stat, measured);
    }
    ck_assert_uint_le(at, served);
    ck_assert_uint_le(served, at + refused);
}

/* Interval by interval, too. */
static void assert_series(const Unit *unit, uint64_t schedulers)
{
    const SeriesKept *kept = &unit_series(unit)->kept;
    const Time span = unit_meters(unit)->length;
    uint64_t told = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
        uint32_t row = 0;
        uint64_t sum = 0;
        for (const Stat *stat = unit->class->stats; stat->name; row += stat->over_time, stat++)
            if (stat->slot.of) sum += series_value(kept, row, i);
        ck_assert_uint_eq(sum, schedulers * MIN(kept->interval, span - i * kept->interval));
        told += sum;
    }
    ck_assert_uint_eq(told, schedulers * span);
}

/* `ends`: the measured kernels have ended. */
static void assert_time(Machine *machine, const Unit *unit, uint64_t schedulers, bool ends)
{
    const void *measured = unit_measured(unit);
    uint64_t inside = 0, outside = 0;
    for (const Stat *stat = unit->class->stats; stat->name; stat++)
        *(stat->slots == SLOTS_OUTSIDE ? &outside : &inside) +=
            stat->slots == SLOTS_NONE ? 0 : number_of(stat, measured);
    ck_assert_uint_eq(inside + outside, schedulers * unit_meters(unit)->length);
    if (ends) ck_assert_uint_eq(inside, schedulers * machine_measured_span(machine, NULL));
    assert_answers(unit->class, measured);
    assert_series(unit, schedulers);
}

static void assert_all_time(Course course)
{
    Machine *machine = run_random(course);
    const GPtrArray *cores = machine_instances(machine, "sm");
    ck_assert_uint_gt(cores->len, 0);
    for (guint i = 0; i < cores->len; i++) {
        const Unit *core = cores->pdata[i];
        const uint64_t schedulers = unit_number(core, "schedulers", PARAM_COUNT);
        assert_time(machine, core, schedulers, !course.stop_after);
    }
    machine_free(machine);
}

START_TEST(all_time_of_a_random_program_is_told_once)
{
    assert_all_time((Course){.seed = (guint32)_i});
}
END_TEST

/* Warps wait for something then, and schedulers for warps. */
START_TEST(all_time_until_a_run_is_stopped_is_told_once)
{
    assert_all_time((Course){.seed = (guint32)_i, .stop_after = 1 + (guint)_i % 20});
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("time");
    tcase_add_loop_test(cases, all_time_of_a_random_program_is_told_once, 0, PROGRAMS);
    tcase_add_loop_test(cases, all_time_until_a_run_is_stopped_is_told_once, 0, STOPPED);
    return harness_run_cases("time", cases);
}
