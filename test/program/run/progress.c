/* How far a run is: from what its units have counted, set here as if they had. */
#include "scenarios/program/run/progress.h"

#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* What the machine's units of a class have counted; the first one has it all. */
static void set_count(Machine *machine, const char *unit_class, const char *name, uint64_t count)
{
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (strcmp(unit->class->name, unit_class) != 0) continue;
        *(uint64_t *)(uintptr_t)small_machine_stat(unit->class, unit, name) = count;
        count = 0;
    }
}

/* 128 KiB are 16,384 elements of 8 B, 256 a CTA: 64 CTAs. A chase of a warp has its 1,000 loads. */
static const struct {
    const char *workload, *unit_class, *counted;
    uint64_t counts[4];
    double shares[4];
} runs[] = {
    {"workload.pattern = stream; workload.operation = read; workload.array_bytes = 128 KiB;"
     "workload.threads_per_cta = 256",
     "cta_dispatcher",
     "ctas",
     {0, 16, 24, 72},
     {0, 0.25, 0.375, 1}},
    /* the region of interest begins between the second and the third */
    {"workload.pattern = stream; workload.operation = read; workload.array_bytes = 128 KiB;"
     "workload.threads_per_cta = 256",
     "cta_dispatcher",
     "ctas",
     {8, 16, 4, 12},
     {0.125, 0.25, 0.3125, 0.4375}},
    {"workload.pattern = pointer_chase; workload.warps = 1; workload.loads = 1000",
     "sm",
     "load_instructions",
     {0, 250, 500, 1000},
     {0, 0.25, 0.5, 1}},
};

START_TEST(what_was_counted_since_is_a_share_of_all)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(runs[_i].workload);
    LaunchList *launches = small_machine_launches(configuration);
    g_autoptr(Machine) machine = machine_new(configuration, launches, &error);
    ck_assert_ptr_nonnull(machine);
    const RunRequest request = {.number = 1};
    g_autoptr(Progress) progress = progress_new(&request, machine, launches);
    for (guint i = 0; i < G_N_ELEMENTS(runs->counts); i++) {
        set_count(machine, runs[_i].unit_class, runs[_i].counted, runs[_i].counts[i]);
        ck_assert_double_eq(progress_share(progress), runs[_i].shares[i]);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("progress");
    tcase_add_loop_test(cases, what_was_counted_since_is_a_share_of_all, 0, G_N_ELEMENTS(runs));
    return harness_run_cases("progress", cases);
}
