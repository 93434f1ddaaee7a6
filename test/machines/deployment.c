/* The same events, hash, end and statistics from every deployment, quantum and number of
 * threads. */
#include <check.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/harness.h"
#include "rigs/texture_kernel.h"

/* --- everything that a run leaves behind, as text --- */

static void put_level(GString *text, const Level *level)
{
    g_string_append_printf(
        text,
        " now %" G_GUINT64_FORMAT " maximum %" G_GUINT64_FORMAT " since %" G_GUINT64_FORMAT
        " integral %" G_GUINT64_FORMAT " arrivals %" G_GUINT64_FORMAT " stay %" G_GUINT64_FORMAT,
        level->now, level->maximum, level->since, level->integral, level->arrivals, level->stay);
}

static void put_histogram(GString *text, const Histogram *histogram)
{
    g_string_append_printf(text,
                           " count %" G_GUINT64_FORMAT " sum %" G_GUINT64_FORMAT
                           " extremes %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                           histogram->count, histogram->sum, histogram->minimum,
                           histogram->maximum);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        if (histogram->bucket[i]) g_string_append_printf(text, " %u:%u", i, histogram->bucket[i]);
}

static void put_stages(GString *text, const StageSums *sums)
{
    g_string_append_printf(text, " count %" G_GUINT64_FORMAT " latency %" G_GUINT64_FORMAT,
                           sums->count, sums->latency);
    for (unsigned i = 0; i < STAGE_COUNT; i++)
        g_string_append_printf(text, " %" G_GUINT64_FORMAT, sums->stage[i]);
}

static void put_ranking(GString *text, const Ranking *ranking)
{
    for (uint64_t i = 0; i < ranking->rows; i++)
        g_string_append_printf(text, " %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                               ranking->row[i].address, ranking->row[i].count);
}

static void put_hottest(GString *text, const HeavyHitters *hitters)
{
    for (uint64_t i = 0; i < hitters->rows; i++)
        g_string_append_printf(
            text, " %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
            hitters->row[i].address, hitters->row[i].count, hitters->row[i].error);
}

static void put_banks(GString *text, const BankCounts *counts)
{
    for (uint64_t i = 0; i < counts->banks; i++)
        g_string_append_printf(text, " %" G_GUINT64_FORMAT, counts->bank[i]);
}

static void put_stats(GString *text, const char *name, const Stat *stats, const void *object)
{
    for (const Stat *stat = stats; stat->name; stat++) {
        const void *field = (const char *)object + stat->offset;
        g_string_append_printf(text, "%s.%s", name, stat->name);
        switch (stat->type) {
        case STAT_COUNT:
        case STAT_BYTES:
        case STAT_TIME:
            g_string_append_printf(text, " %" G_GUINT64_FORMAT, *(const uint64_t *)field);
            break;
        case STAT_LEVEL: put_level(text, field); break;
        case STAT_HISTOGRAM: put_histogram(text, field); break;
        case STAT_STAGES: put_stages(text, field); break;
        case STAT_RANKING: put_ranking(text, field); break;
        case STAT_HEAVY: put_hottest(text, field); break;
        case STAT_BANKS: put_banks(text, field); break;
        }
        g_string_append_c(text, '\n');
    }
}

static void put_unit(GString *text, const Unit *unit, const void *object)
{
    g_string_append_printf(text, "%s hash %" G_GUINT64_FORMAT " events %" G_GUINT64_FORMAT "\n",
                           unit->path, unit->hash, unit->events);
    put_stats(text, unit->path, unit->class->stats, object);
}

static void put_sums(GString *text, const char *name, const PhaseSums *sums)
{
    if (!sums) return;
    for (guint i = 0; i < sums->layout->groups->len; i++)
        put_stats(text, name, phase_layout_group(sums->layout, i)->stats,
                  sums->group[i].statistics);
    for (uint32_t i = 0; i < sums->layout->meters; i++)
        g_string_append_printf(
            text,
            "%s.meter[%u] %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
            name, i, sums->meter[i].work, sums->meter[i].full, sums->meter[i].refused);
}

static void put_kernel(GString *text, const KernelPhase *kernel)
{
    g_string_append_printf(text, "kernel %u: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           kernel->first, kernel->from, kernel->until);
    put_sums(text, "kernel", kernel->sums);
}

/* NULL: there was one kernel. */
static void put_phases(GString *text, const Phases *phases)
{
    if (!phases) return;
    for (guint i = 0; i < phases_kernels(phases)->len; i++)
        put_kernel(text, phases_kernel(phases, i));
    for (guint i = 0; i < phases_names(phases)->len; i++)
        put_sums(text, "name", g_array_index(phases_names(phases), PhaseName, i).sums);
    put_sums(text, "between", phases_between(phases));
}

static char *describe_run(Machine *machine, const RunReport *report)
{
    GString *text = g_string_new(NULL);
    const Simulation *simulation = machine_simulation(machine);
    const GArray *times = machine_kernel_times(machine);
    g_string_append_printf(text,
                           "outcome %d end %" G_GUINT64_FORMAT " events %" G_GUINT64_FORMAT
                           " hash %" G_GUINT64_FORMAT "\n",
                           report->outcome, report->end, report->events, report->hash);
    for (guint i = 0; i < times->len; i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        g_string_append_printf(text, "kernel %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                               time->start, time->end);
    }
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        put_unit(text, unit, unit);
        put_unit(text, unit, unit_measured(unit));
    }
    put_phases(text, simulation_phases(simulation));
    return g_string_free(text, FALSE);
}

/* --- a run in a process of its own, because each has one engine --- */

static void run_here(const char *settings, const char *workload, int out)
{
    g_autoptr(Machine) machine = texture_machine_new(settings, workload);
    const RunReport report = small_machine_run(machine);
    g_autofree char *text = describe_run(machine, &report);
    const size_t length = strlen(text);
    for (size_t done = 0; done < length;) {
        const ssize_t count = write(out, text + done, length - done);
        if (count <= 0) _exit(2);
        done += (size_t)count;
    }
}

static char *run_apart(const char *settings, const char *workload)
{
    int ends[2], state;
    char block[65536];
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        close(ends[0]);
        run_here(settings, workload, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    GString *text = g_string_new(NULL);
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0;)
        g_string_append_len(text, block, count);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(state, 0);
    return g_string_free(text, FALSE);
}

static void expect_same(const char *got, const char *expected, const char *settings)
{
    if (!strcmp(got, expected)) return;
    g_auto(GStrv) a = g_strsplit(got, "\n", -1), b = g_strsplit(expected, "\n", -1);
    for (guint i = 0; a[i] && b[i]; i++)
        ck_assert_msg(!strcmp(a[i], b[i]), "%s:\n  %s\n  %s", settings, a[i], b[i]);
    ck_abort_msg("%s: another number of lines", settings);
}

/* --- tests --- */

/* With delays that leave room for the longest quantum of the plans below. */
#define MMU                                                                                        \
    "mmu.enabled = yes; mmu.tlb_entries = 8; mmu.tlb_entry_bytes = 16 KiB; mmu.walkers = 2;"       \
    "mmu.walk_cache_entries = 4; mmu.walk_cache_entry_bytes = 32 KiB; l1.tlb_entries = 4;"         \
    "l1.tlb_entry_bytes = 4 KiB; channels.l1_to_mmu = 9 cycles; channels.mmu_to_l1 = 8 cycles"
#define WALKS                                                                                      \
    "; mmu.walks_read_l2 = yes; pages.page_bytes = 4 KiB; mmu.directory_entries = 1;"              \
    "mmu.directory_entry_bytes = 64 KiB; channels.mmu_to_l2 = 9 cycles;"                           \
    "channels.l2_to_mmu = 8 cycles"

static const char *const workloads[] = {
    "workload.pattern = stream; workload.operation = read; workload.array_bytes = 48 KiB;"
    "workload.threads_per_cta = 128",
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 64 KiB;"
    "workload.threads_per_cta = 256; workload.launches = 4; workload.warm_up_launches = 1;"
    "cta_dispatcher.kernel_gap = 300 cycles",
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 32 KiB;"
    "workload.threads_per_cta = 64; network.l2_input_buffer = 4; l1.prt_entries = 8;"
    "channels.scheduler_input_queue = 4",
    "workload.pattern = pointer_chase; workload.working_set = 64 KiB; workload.loads = 300",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store",
    "workload.pattern = random; workload.ctas = 5; workload.threads_per_cta = 64;"
    "workload.iterations = 3; workload.footprint = 4 KiB; workload.operation = atomic;"
    "workload.launches = 2",
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[1]\nglobal s[4096] surface constant 20 quarter 30 half 20\nfor i in 0..3 {\n"
    "blend s[(i * ctas + cta) * 200 + thread]\nx = load s[random(4096)]\nint x\nif thread == 0 {\n"
    "fence\nreduce c[0]\nwait c[0] >= (i + 1) * ctas\n}\nbarrier\n}; rop.cache_entries = 4;"
    "rop.ways = 2; rop.compression = yes; rop.metadata_base = 1 MiB; channels.l2_to_rop = 9 cycles;"
    "channels.rop_to_l2 = 8 cycles",
    "workload.pattern = strided; workload.ctas = 6; workload.threads_per_cta = 64;"
    "workload.iterations = 4; workload.lane_stride = 100 B; workload.footprint = 1 MiB;"
    "machine.l2_clock = 1200 MHz; machine.network_clock = 900 MHz; network.input_buffer = 3",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;" MMU,
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "machine.l2_clock = 1200 MHz;" MMU WALKS,
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "machine.l2_halves = 2; machine.partitions = 4; channels.l2_cross = 40 cycles;" MMU WALKS,
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 64 KiB;"
    "workload.threads_per_cta = 256; workload.launches = 2; mmu.miss_entries = 2;"
    "l1.tlb_pending = 3; channels.mmu_input_queue = 1; pages.frames = scattered;"
    "pages.page_bytes = 4 KiB;" MMU,
    "workload.pattern = random; workload.ctas = 12; workload.threads_per_cta = 96;"
    "workload.iterations = 8; workload.footprint = 6 KiB; workload.operation = load_store;"
    "machine.request_coalescers = 2; request_coalescer.entries = 4; l1.prt_merges = 1;"
    "request_coalescer.path_bandwidth = 20 B/cycle; channels.coalescer_input_queue = 2;"
    "machine.network_clock = 900 MHz",
    "workload.pattern = random; workload.ctas = 12; workload.threads_per_cta = 96;"
    "workload.iterations = 8; workload.footprint = 6 KiB; workload.operation = load_store;"
    "machine.request_coalescers = 2; request_coalescer.capacity = 4 KiB; l1.capacity = 2 KiB;"
    "request_coalescer.lookups = 1; request_coalescer.data_bandwidth = 20 B/cycle;"
    "machine.network_clock = 900 MHz; coherence_monitor.enabled = yes; workload.launches = 2",
    "workload.pattern = random; workload.ctas = 12; workload.threads_per_cta = 96;"
    "workload.iterations = 8; workload.footprint = 6 KiB; workload.operation = load_store;"
    "coherence_monitor.enabled = yes; machine.l2_clock = 1200 MHz",
    "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"
    "workload.iterations = 2; workload.footprint = 64 KiB; workload.operation = load_store;"
    "network.topology = ring; network.concentration = 1; network.link_buffer = 2;"
    "machine.network_clock = 900 MHz; router.arbitration = round_robin",
    "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"
    "workload.iterations = 2; workload.footprint = 64 KiB; workload.operation = load_store;"
    "network.topology = mesh; network.concentration = 1; network.link_buffer = 2",
    "workload.sequence = one, other; kernel one.pattern = stream; kernel one.array_bytes = 32 KiB;"
    "kernel one.threads_per_cta = 64; kernel one.registers_per_thread = 40;"
    "kernel other.pattern = stream; kernel other.operation = scale;"
    "kernel other.array_bytes = 24 KiB; kernel other.threads_per_cta = 96;"
    "kernel other.concurrent = yes; kernel other.registers_per_thread = 100;"
    "sm.registers = 16384",
    "workload.pattern = random; workload.ctas = 12; workload.threads_per_cta = 96;"
    "workload.iterations = 8; workload.footprint = 24 KiB; workload.operation = load_store;"
    "machine.l2_halves = 2; machine.partitions = 4; channels.l2_cross = 40 cycles;"
    "channels.l2_cross_queue = 2; l2_slice.cross_entries = 3",
    "workload.pattern = random; workload.ctas = 6; workload.threads_per_cta = 64;"
    "workload.iterations = 6; workload.footprint = 24 KiB; workload.operation = atomic;"
    "machine.l2_halves = 2; machine.partitions = 4; channels.l2_cross = 40 cycles;"
    "channels.l2_cross_queue = 1; l2_slice.cross_entries = 2; rop.cache_entries = 2; rop.ways = 1;"
    "channels.l2_to_rop = 9 cycles; channels.rop_to_l2 = 8 cycles",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "crossbar.queueing = virtual_output; crossbar.arbitration = islip; crossbar.speedup = 3;"
    "crossbar.output_buffer = 2; machine.network_clock = 900 MHz; network.flit_bytes = 32 B",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "crossbar.queueing = virtual_output; crossbar.arbitration = oldest_first;"
    "network.input_buffer = 5; network.l2_input_buffer = 4",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "network.ideal = both; network.l2_input_buffer = 4; l1.ideal_banks = yes; dram.ideal = timing",
    "workload.pattern = random; workload.ctas = 3; workload.threads_per_cta = 64;"
    "workload.iterations = 2; workload.footprint = 64 KiB; workload.operation = load_store;"
    "network.topology = ring; network.concentration = 1; network.link_buffer = 2;"
    "network.ideal = requests; dram.ideal = bandwidth; machine.network_clock = 900 MHz",
    "texture.cache = l1; " MMU,
    "texture.cache = own; texture.capacity = 2 KiB; l1.tlb_pending = 3;" MMU,
    "texture.cache = own; texture.capacity = 2 KiB; texture.miss_fifo = 2;"
    "network.topology = ring; network.concentration = 1; network.link_buffer = 2;"
    "machine.network_clock = 900 MHz",
    "texture.cache = l1; machine.l2_halves = 4; machine.partitions = 4;"
    "half_link.bandwidth = 7 B/cycle; channels.l2_cross = 40 cycles; channels.l2_cross_queue = 2; l2_slice.cross_entries = 3",
    "workload.pattern = random; workload.ctas = 9; workload.threads_per_cta = 96;"
    "workload.iterations = 4; workload.footprint = 512 KiB; workload.operation = load_store;"
    "load_store.through_texture = everything; texture.cache = own; texture.capacity = 4 KiB;"
    "coherence_monitor.enabled = yes;" MMU,
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[1]\nglobal a[4096]\nlocal l[8]\nfor i in 0..3 {\nx = load.nc a[random(4096)]\n"
    "y = load.cg a[random(4096)]\nz = int x, y\nstore l[i * 2], z\nw = load l[random(8)]\nint w\n"
    "reduce a[random(4096)]\nif thread == 0 {\nfence\nreduce c[0]\n"
    "wait c[0] >= (i + 1) * ctas\n}\nbarrier\n}; load_store.through_texture = everything;"
    "texture.cache = own; texture.capacity = 2 KiB; texture.miss_fifo = 2;"
    "texture.reorder_entries = 5; channels.texture_input_queue = 1; machine.l2_clock = 1200 MHz",
    "workload.pattern = offered_load; workload.load = 90 %; workload.write_share = 40 %;"
    "workload.order = random; workload.duration = 1200 cycles; workload.settle = 300 cycles;"
    "workload.fill = 16 KiB; workload.probe_bytes = 64 KiB; workload.array_bytes = 256 KiB",
    "machine.warp_lanes = 64; workload.pattern = program; workload.ctas = 6;"
    "workload.threads_per_cta = 160; workload.code = global c[64]\nglobal A[4096]\n"
    "local L[8]\nstore L[lane % 8]\nx = load A[random(4096)]\nif thread % 3 == cta % 3 {\n"
    "y = load L[warp]\n} else {\nstore A[thread], x\n}\nif warp == 0 {\nreduce c[lane]\n"
    "wait c[lane] >= ctas\n}\nbarrier",
    "workload.pattern = raster; workload.scene = soup; workload.screen_width = 40;"
    "workload.screen_height = 30; workload.texture_width = 64; workload.textures = 3;"
    "workload.triangles_per_draw = 5; workload.threads_per_cta = 64; workload.output = blend;"
    "texture.cache = own; texture.capacity = 1 KiB",
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 64 KiB;"
    "workload.caches = dirty; l2_slice.capacity = 4 KiB; l2_slice.replacement = sampled_lru;"
    "l2_slice.clean_ahead = row; access_scheduler.page_policy = adaptive",
};

static const char *const plans[] = {
    NULL, /* the same once more */
    "simulation.deployment = auto; simulation.quantum = 3 ns",
    "simulation.deployment = auto; simulation.quantum = 17 ns",
    "simulation.deployment = sm",
    "simulation.deployment = sm; simulation.quantum = 5432100 fs",
    "simulation.deployment = unit",
    "simulation.deployment = unit; simulation.quantum = 400 ps",
    "simulation.threads = 2",
    "simulation.threads = 5; simulation.quantum = 17 ns",
};

START_TEST(every_deployment_quantum_and_number_of_threads_gives_the_same_run)
{
    /* actors that are threads take ten times as long: one of the plans for each workload */
    const bool careful = g_getenv("WARPMEM_SIMGRID_CONTEXTS") != NULL;
    const char *workload = workloads[_i];
    g_autofree char *expected = run_apart("simulation.deployment = auto", workload);
    ck_assert_ptr_nonnull(strstr(expected, "outcome 0 end "));
    ck_assert_ptr_nonnull(strstr(expected, "partition[2].slice[0].accesses"));
    for (guint i = 0; i < G_N_ELEMENTS(plans); i++) {
        if (careful && i != (guint)_i % G_N_ELEMENTS(plans)) continue;
        g_autofree char *got = run_apart(plans[i], workload);
        expect_same(got, expected, plans[i] ? plans[i] : "again");
    }
}
END_TEST

static uint64_t stretches_of(const char *settings)
{
    g_autoptr(Machine) machine = texture_machine_new(settings, workloads[1]);
    return small_machine_run(machine).stretches;
}

START_TEST(threads_run_groups_side_by_side)
{
    ck_assert_uint_gt(stretches_of("simulation.threads = 2"), 100);
}
END_TEST

/* One list of requests for all, in the order in which they come. */
START_TEST(while_single_requests_are_kept_one_thread_runs_all)
{
    ck_assert_uint_eq(stretches_of("simulation.threads = 2; simulation.timeline = 10"), 0);
}
END_TEST

/* Were the dump blind, the comparisons above would say nothing. */
START_TEST(another_latency_gives_another_run)
{
    g_autofree char *first = run_apart(NULL, workloads[3]);
    g_autofree char *second = run_apart("network.reply_source_latency = 49 cycles", workloads[3]);
    ck_assert(strcmp(first, second) != 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("deployment");
    tcase_add_loop_test(cases, every_deployment_quantum_and_number_of_threads_gives_the_same_run, 0,
                        G_N_ELEMENTS(workloads));
    tcase_add_test(cases, threads_run_groups_side_by_side);
    tcase_add_test(cases, while_single_requests_are_kept_one_thread_runs_all);
    tcase_add_test(cases, another_latency_gives_another_run);
    return harness_run_cases("deployment", cases);
}
