#include "rigs/harness.h"
#include "rigs/instructions.h"

START_TEST(the_first_launches_warm_up)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=stream\nworkload.launches=3\nworkload.warm_up_launches=1\n"
                    "workload.keep_l1=yes\nworkload.caches=warm\nworkload.concurrent=yes\n");
    ck_assert_uint_eq(list->launches->len, 3);
    ck_assert_uint_eq(list->kernels->len, 1);
    for (guint i = 0; i < 3; i++) {
        const Launch *launch = &g_array_index(list->launches, Launch, i);
        ck_assert_int_eq(launch->measured, i > 0);
        ck_assert(launch->keep_l1);
        ck_assert_int_eq(launch->concurrent, i != 1); /* the warm-up alone, and what is measured */
        ck_assert_uint_eq(launch->caches, CACHES_WARM);
        ck_assert_ptr_eq(launch->kernel, list->kernels->pdata[0]);
    }
}
END_TEST

START_TEST(a_kernel_named_twice_is_built_once)
{
    g_autoptr(LaunchList) list = launches_of(
        "workload.sequence=a,b , a\nkernel a.pattern=stream\nkernel b.pattern=random\n");
    ck_assert_uint_eq(list->launches->len, 3);
    ck_assert_uint_eq(list->kernels->len, 2);
    ck_assert_ptr_eq(kernel_of(list, 0), kernel_of(list, 2));
    ck_assert_str_eq(kernel_of(list, 1)->name, "random");
    ck_assert_uint_eq(kernel_of(list, 0)->number, 0);
    ck_assert_uint_eq(kernel_of(list, 1)->number, 1);
}
END_TEST

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"",
     "workload.pattern is not set: there are pointer_chase, stream, strided, random, offered_load, texture_chase, texture_random, "
     "texture_lookup, blit, convolution, raster, program, trace, network_traffic, memory_traffic, memory_list"},
    {"workload.launches=2\nkernel a.pattern=stream",
     "test.ini:1: workload.pattern is not set: there are pointer_chase, stream, strided, random, offered_load, texture_chase, "
     "texture_random, texture_lookup, blit, convolution, raster, program, trace, network_traffic, memory_traffic, memory_list"},
    {"workload.pattern=straem",
     "test.ini:1: workload.pattern = straem: no such pattern, did you mean 'stream'? There are "
     "pointer_chase, stream, strided, random, offered_load, texture_chase, texture_random, "
     "texture_lookup, blit, convolution, raster, program, trace, network_traffic, memory_traffic, memory_list"},
    {"workload.pattern=stream\nworkload.arry_bytes=1 MiB",
     "test.ini:2: workload.arry_bytes = 1 MiB: pattern 'stream' has no parameter 'arry_bytes'; did "
     "you mean 'array_bytes'?"},
    {"workload.sequence=warm, main\nkernel main.pattern=stream",
     "test.ini:1: workload.sequence = warm, main: there is no group [kernel warm]"},
    {"workload.sequence=man\nkernel main.pattern=stream",
     "test.ini:1: workload.sequence = man: there is no group [kernel man], did you mean 'main'?"},
    {"workload.sequence=main\nkernel main.pattern=stream\nkernel other.pattern=stream",
     "test.ini:3: kernel other.pattern = stream: has no effect: workload.sequence (main) does not "
     "name [kernel other]"},
    {"workload.sequence=main\nworkload.launches=2\nkernel main.pattern=stream",
     "test.ini:2: workload.launches = 2: has no effect beside 'sequence'; it belongs into a [kernel "
     "NAME] group"},
    {"workload.pattern=stream\nworkload.warm_up_launches=1",
     "test.ini:2: workload.warm_up_launches = 1: of 1 launches, so none would be measured; measure = "
     "no says that"},
    {"workload.pattern=stream\nworkload.measure=no",
     "test.ini:2: workload.measure = no: every kernel has that, so nothing would be measured"},
    {"workload.pattern=stream\nworkload.array_bytes=100 B",
     "test.ini:2: workload.array_bytes = 100 B: not a multiple of the element's 8 B"},
    {"workload.pattern=stream\nworkload.element_bytes=3 B",
     "test.ini:2: workload.element_bytes = 3 B: not a power of two"},
    {"workload.pattern=strided\nworkload.element_bytes=8 B",
     "test.ini:1: workload.lane_stride = 4 B (the default): not a multiple of the element's 8 B"},
    {"workload.pattern=strided\nworkload.cta_stride=64 B",
     "test.ini:2: workload.cta_stride = 64 B: has an effect only with layout = given, not "
     "interleaved"},
    {"workload.pattern=random\nworkload.footprint=64 B\nworkload.grain=warp",
     "test.ini:2: workload.footprint = 64 B: smaller than one warp's block of 32 elements"},
    {"workload.pattern=pointer_chase\nworkload.working_set=32 B",
     "test.ini:2: workload.working_set = 32 B: smaller than node_pitch (64 B)"},
    {"workload.pattern=pointer_chase\nworkload.node_pitch=12 B",
     "test.ini:2: workload.node_pitch = 12 B: not a multiple of the element's 8 B"},
    {"workload.pattern=pointer_chase\nworkload.active_lanes=33",
     "test.ini:2: workload.active_lanes = 33: a warp of this machine has 32 lanes"},
    {"workload.pattern=trace",
     "test.ini:1: workload.file is not set: a trace needs its kernelslist.g"},
    {"workload.pattern=trace\nworkload.file=nowhere/kernelslist.g",
     "test.ini:2: workload.file = nowhere/kernelslist.g: there is no nowhere/kernelslist.g"},
    {"workload.pattern=trace\nworkload.file=/dev/null",
     "test.ini:2: workload.file = /dev/null: /dev/null is no regular file"},
};

START_TEST(a_mistake_is_named_with_its_place)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure(mistakes[_i].text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_str_eq(error->message, mistakes[_i].message);
}
END_TEST

START_TEST(a_trace_is_refused_by_a_machine_of_64_lanes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration =
        configure("workload.pattern=trace\nworkload.file=kernelslist.g");
    const WorkloadContext context = {.seed = 1, .warp_lanes = 64};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_str_eq(error->message,
                     "test.ini:1: workload.pattern = trace: a trace has warps of 32 lanes, the "
                     "machine's have 64 (machine.warp_lanes)");
}
END_TEST

START_TEST(the_tables_of_all_patterns_are_sound)
{
    for (const WorkloadClass *const *class = workload_classes(); *class; class ++) {
        g_autofree void *object = g_malloc0((*class)->size);
        param_set_defaults((*class)->params, object);
        param_clear((*class)->params, object);
        ck_assert_ptr_eq(workload_find((*class)->name), *class);
        ck_assert(strlen((*class)->summary) > 0);
    }
    ck_assert_ptr_null(workload_find("nothing"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("workload");
    tcase_add_test(cases, the_first_launches_warm_up);
    tcase_add_test(cases, a_kernel_named_twice_is_built_once);
    tcase_add_loop_test(cases, a_mistake_is_named_with_its_place, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, a_trace_is_refused_by_a_machine_of_64_lanes);
    tcase_add_test(cases, the_tables_of_all_patterns_are_sound);
    Suite *suite = suite_create("workload");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
