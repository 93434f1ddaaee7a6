/* Whole machines whose vector memory goes through the texture unit: what programs ask for and what
 * L2 gets is as through L1, and the books of both sides agree. */
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

#define EVERYTHING                                                                                 \
    "load_store.through_texture = everything; texture.cache = own; texture.capacity = 4 KiB;"
#define READ_ONLY                                                                                  \
    "load_store.through_texture = read_only; texture.cache = own; texture.capacity = 4 KiB;"

static const char *const workloads[] = {
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 48 KiB;"
    "workload.threads_per_cta = 128",
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 32 KiB;"
    "workload.element_bytes = 4 B; workload.base = 4 B; workload.alignment = 4 B;"
    "workload.threads_per_cta = 64; channels.texture_input_queue = 1; texture.miss_fifo = 1;"
    "texture.reorder_entries = 3; texture.fragment_fifo = 2; network.l2_input_buffer = 3",
    "workload.pattern = strided; workload.ctas = 6; workload.lane_stride = 100 B;"
    "workload.footprint = 1 MiB; machine.l2_clock = 1200 MHz; machine.network_clock = 900 MHz",
    "workload.pattern = strided; workload.ctas = 6; workload.operation = store;"
    "workload.element_bytes = 1 B; workload.layout = given; workload.lane_stride = 3 B;"
    "workload.iteration_stride = 96 B; workload.warp_stride = 2 KiB; workload.footprint = 256 KiB",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "256 KiB; workload.operation = load_store; texture.run_ahead = no; texture.stored_line = none",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint = "
    "8 KiB; workload.operation = load_store; texture.stored_line = present; mmu.enabled = yes;"
    "l1.tlb_entries = 4; l1.tlb_entry_bytes = 4 KiB; l1.tlb_pending = 4; pages.frames = scattered;"
    "mmu.tlb_entries = 8; mmu.tlb_entry_bytes = 16 KiB",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic",
    "workload.pattern = pointer_chase; workload.working_set = 64 KiB; workload.loads = 300",
    /* local memory, shared memory, atomics with and without result, hints */
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 64; workload.code = "
    "global c[1]\nglobal a[4096]\nlocal l[8]\nshared s[64]\nfor i in 0..4 {\n"
    "x = load.nc a[random(4096)]\ny = load.cg a[random(4096)]\nz = int x, y\n"
    "store l[i * 2], z\nstore s[thread], z\nbarrier\nw = load l[random(8)]\nv = load s[63 - thread]\n"
    "u = int w, v\nstore a[cta * 64 + thread], u\nreduce a[random(4096)]\n"
    "if thread == 0 {\nt = atomic c[0]\nint t\n}\nbarrier\n}",
};

/* What must not depend on the way. */
typedef struct {
    uint64_t requested, l2_writes, l2_bytes_written, l2_atomics, loads, loads_through;
    uint64_t texture_instructions, texture_hits, l1_hits, dram_read, end;
} Totals;

typedef struct {
    const char *settings, *workload;
} Plan;

static uint64_t sum(Machine *machine, const char *unit_class, const char *name)
{
    return small_machine_sum(machine, unit_class, name);
}

static uint64_t class_count(Machine *machine, const char *name)
{
    uint64_t count = 0;
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (strcmp(unit->class->name, "texture") != 0) continue;
        count += ((const StageSums *)small_machine_stat(unit->class, unit, name))->count;
    }
    return count;
}

/* Stages add up, Little's law holds, nothing is left. */
static void check_texture_unit(const Unit *unit)
{
    for (const Stat *stat = unit->class->stats; stat->name; stat++) {
        const void *field = (const char *)unit + stat->offset;
        if (stat->type == STAT_LEVEL) {
            const Level *level = field;
            ck_assert_msg(level->integral == level->stay, "%s.%s", unit->path, stat->name);
            ck_assert_uint_eq(level->now, 0);
        } else if (stat->type == STAT_STAGES) {
            const StageSums *sums = field;
            Time total = 0;
            for (unsigned i = 0; i < STAGE_COUNT; i++) total += sums->stage[i];
            ck_assert_msg(total == sums->latency, "%s.%s", unit->path, stat->name);
        }
    }
}

/* What the load/store unit has sent is what the texture unit has served, and what that has asked
 * for is what L1 has passed on. */
static void check_books(Machine *m)
{
    const uint64_t requests = sum(m, "texture", "requests");
    ck_assert_uint_eq(sum(m, "texture", "replies"), requests);
    ck_assert_uint_eq(sum(m, "l1", "texture_requests"), requests);
    ck_assert_uint_eq(sum(m, "l1", "texture_replies"), requests);
    ck_assert_uint_eq(sum(m, "texture", "misses") + sum(m, "texture", "past_cache")
                          + sum(m, "texture", "stores") + sum(m, "texture", "atomics"),
                      requests);
    ck_assert_uint_eq(sum(m, "texture", "data_instructions"),
                      sum(m, "load_store", "texture_instructions"));
    ck_assert_uint_eq(sum(m, "texture", "data_hits") + sum(m, "texture", "data_misses"),
                      sum(m, "texture", "lines"));
    ck_assert_uint_eq(class_count(m, "stages_data_store"), sum(m, "texture", "stores"));
    const Simulation *simulation = machine_simulation(m);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        if (!strcmp(simulation_unit(simulation, i)->class->name, "texture"))
            check_texture_unit(simulation_unit(simulation, i));
}

static void check_everything(Machine *m)
{
    const uint64_t shared = 4 * 32 * sum(m, "load_store", "shared_instructions");
    ck_assert_uint_eq(sum(m, "texture", "bytes_data") + shared,
                      sum(m, "load_store", "requested_bytes"));
    ck_assert_uint_eq(sum(m, "l1", "accesses") + sum(m, "l1", "writes") + sum(m, "l1", "atomics"),
                      0);
    ck_assert_uint_eq(sum(m, "l1", "requests"), sum(m, "texture", "requests"));
}

static void run_plan(const void *input, void *result)
{
    const Plan *plan = input;
    Machine *m = small_machine_new(plan->settings, plan->workload);
    const RunReport report = small_machine_run(m);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    check_books(m);
    if (!strcmp(plan->settings, EVERYTHING)) check_everything(m);
    *(Totals *)result = (Totals){.requested = sum(m, "sm", "requested_bytes"),
                                 .l2_writes = sum(m, "l2_slice", "writes"),
                                 .l2_bytes_written = sum(m, "l2_slice", "bytes_written"),
                                 .l2_atomics = sum(m, "l2_slice", "atomics"),
                                 .texture_instructions = sum(m, "texture", "data_instructions"),
                                 .texture_hits = sum(m, "texture", "data_hits"),
                                 .l1_hits = sum(m, "l1", "hits"),
                                 .dram_read = sum(m, "dram_channel", "bytes_read"),
                                 .end = report.end};
    machine_free(m);
}

static Totals totals_of(const char *settings, const char *workload)
{
    Totals totals;
    const Plan plan = {settings, workload};
    run_apart(run_plan, &plan, &totals, sizeof totals);
    return totals;
}

/* L1 writes local memory back and not through, so it is kept from caching it. */
START_TEST(L2_gets_the_same_stores_and_atomics_through_either_unit)
{
    g_autofree char *workload = g_strconcat(workloads[_i], "; l1.cached = none", NULL);
    const Totals l1 = totals_of("", workload), texture = totals_of(EVERYTHING, workload);
    ck_assert_uint_eq(l1.texture_instructions, 0);
    ck_assert_uint_gt(texture.texture_instructions, 0);
    ck_assert_uint_eq(texture.requested, l1.requested);
    ck_assert_uint_eq(texture.l2_writes, l1.l2_writes);
    ck_assert_uint_eq(texture.l2_bytes_written, l1.l2_bytes_written);
    ck_assert_uint_eq(texture.l2_atomics, l1.l2_atomics);
}
END_TEST

static const char table[] =
    "workload.pattern = program; workload.ctas = 6; workload.threads_per_cta = 128; workload.code ="
    "global table[256]\nglobal out[768]\ns = int\nfor i in 0..8 {\nx = load.nc table[random(256)]\ns = int s, x\n}\n"
    "store out[cta * 128 + thread], s\n";

/* A table of 1 KiB, read only: whichever cache has it, it comes from DRAM once, and the store goes
 * through L1. */
START_TEST(read_only_loads_hit_the_texture_cache_in_place_of_L1)
{
    const Totals l1 = totals_of("", table), texture = totals_of(READ_ONLY, table);
    ck_assert_uint_eq(l1.texture_hits, 0);
    ck_assert_uint_gt(l1.l1_hits, 0);
    ck_assert_uint_gt(texture.texture_hits, 0);
    ck_assert_uint_eq(texture.l1_hits, 0);
    ck_assert_uint_eq(texture.dram_read, l1.dram_read);
    ck_assert_uint_eq(texture.l2_bytes_written, l1.l2_bytes_written);
    ck_assert_uint_eq(texture.texture_instructions, 6 * 4 * 8);
}
END_TEST

START_TEST(data_needs_a_texture_cache)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration =
        small_machine_configuration("load_store.through_texture = everything; texture.cache = l1");
    ck_assert_ptr_null(machine_new(configuration, NULL, &error));
    ck_assert_str_eq(error->message, "load_store.through_texture = everything: needs "
                                     "texture.cache = own, or nothing");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_machine"), *repeating = tcase_create("other workloads");
    tcase_add_loop_test(cases, L2_gets_the_same_stores_and_atomics_through_either_unit, 0, 3);
    tcase_add_loop_test(repeating, L2_gets_the_same_stores_and_atomics_through_either_unit, 3,
                        G_N_ELEMENTS(workloads));
    tcase_add_test(cases, read_only_loads_hit_the_texture_cache_in_place_of_L1);
    tcase_add_test(cases, data_needs_a_texture_cache);
    return harness_run_repeating("texture_machine", cases, repeating);
}
