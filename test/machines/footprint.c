/* More memory than DRAM has is an error, wherever a pattern's parameters say how much it uses. */
#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* The small machine has three channels of 256 MiB. */
static const struct {
    const char *workload;
    const char *message; /* NULL: it fits */
} rows[] = {
    {"workload.pattern = stream; workload.operation = triad; workload.array_bytes = 256 MiB", NULL},
    {"workload.pattern = stream; workload.operation = triad; workload.array_bytes = 257 MiB",
     "workload: the arrays of kernel 'stream triad' take 771 MiB, but the DRAM of NVIDIA Tesla V100 "
     "holds 768 MiB"},
    {"workload.pattern = stream; workload.operation = read; workload.array_bytes = 768 MiB", NULL},
    {"workload.pattern = random; workload.footprint = 768 MiB", NULL},
    {"workload.pattern = random; workload.footprint = 1 GiB", "take 1 GiB"},
    {"workload.pattern = strided; workload.footprint = 1 GiB", "take 1 GiB"},
    /* 160 CTAs x 256 threads x 16 accesses: 655,360 of 1 KiB each, but for the last one's end */
    {"workload.pattern = strided; workload.lane_stride = 1 KiB", NULL},
    {"workload.pattern = strided; workload.lane_stride = 2 KiB", "take 1342175236 B"},
    {"workload.pattern = strided; workload.layout = given; workload.cta_stride = 1 TiB",
     "kernel 'strided' take"},
    {"workload.pattern = pointer_chase; workload.node_pitch = 256 MiB; workload.working_set = 768 MiB",
     NULL},
    {"workload.pattern = pointer_chase; workload.node_pitch = 256 MiB; workload.working_set = 1 GiB",
     "take 805306376 B"}, /* three pitches and a pointer */
    {"workload.pattern = program; workload.ctas = 1; workload.threads_per_cta = 32;"
     "workload.code = global a[512 MiB] of 1 B\n global b[256 MiB] of 1 B\n x = load.1 a[0]",
     NULL},
    {"workload.pattern = program; workload.ctas = 1; workload.threads_per_cta = 32;"
     "workload.code = global a[512 MiB] of 1 B\n global b[257 MiB] of 1 B\n x = load.1 a[0]",
     "the arrays of kernel 'program' take 769 MiB"},
    {"workload.pattern = stream; workload.array_bytes = 1 GiB; dram.rows = 32768", NULL},
};

START_TEST(arrays_larger_than_DRAM_are_refused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(rows[_i].workload);
    const WorkloadContext context = {.directory = ".", .seed = 1, .warp_lanes = 32};
    LaunchList *launches = workload_build(configuration, &context, &error);
    ck_assert_msg(launches != NULL, "%s", error ? error->message : "");
    g_autoptr(Machine) machine = machine_new(configuration, launches, &error);
    ck_assert_msg(!machine == !!rows[_i].message, "%s: %s", rows[_i].workload,
                  error ? error->message : "fits");
    if (rows[_i].message)
        ck_assert_msg(strstr(error->message, rows[_i].message), "%s", error->message);
}
END_TEST

/* Its addresses are the program's choice: a sparse walk over more than there is remains
 * possible. */
START_TEST(arrays_at_given_addresses_are_warned_about)
{
    g_autoptr(Machine) machine = small_machine_new(
        NULL, "workload.pattern = program; workload.ctas = 1; workload.threads_per_cta = 32;"
              "workload.code = global a[8 GiB] of 1 B at 4 GiB\n x = load.1 a[0]");
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, 1);
    ck_assert_ptr_nonnull(strstr(warnings->pdata[0], "span 8 GiB, DRAM holds 768 MiB"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("footprint");
    tcase_add_loop_test(cases, arrays_larger_than_DRAM_are_refused, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, arrays_at_given_addresses_are_warned_about);
    Suite *suite = suite_create("footprint");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
