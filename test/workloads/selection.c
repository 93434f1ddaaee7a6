/* Which launches of a list run. */
#include "workloads/selection.h"
#include "rigs/harness.h"
#include "rigs/instructions.h"

#define LIST                                                                                       \
    "workload.sequence=a, b, a, c\nkernel a.pattern=stream\nkernel a.launches=2\n"                 \
    "kernel a.warm_up_launches=1\nkernel b.pattern=random\nkernel c.pattern=stream\n"              \
    "kernel c.operation=triad\nkernel c.concurrent=yes\n"

/* In the list: read, read, random, read, read, triad; the last starts together with the fifth. The
 * first and the fourth warm up. */
static const struct {
    const char *choice, *numbers, *measured;
} rows[] = {
    {"", "1 2 3 4 5 6", "2 3 5 6"},
    {"workload.kernels=2-3, 5", "2 3 5", "2 3 5"},
    {"workload.kernels= 6 ,1", "1 6", "6"},
    {"workload.kernels=1", "1", "1"},
    {"workload.kernels=1,4", "1 4", "1 4"},
    {"workload.kernel_name=random", "3", "3"},
    {"workload.kernel_name=stream*", "1 2 4 5 6", "2 5 6"},
    {"workload.kernels=1-5\nworkload.kernel_name=stream ????", "1 2 4 5", "2 5"},
    {"workload.kernels=3 in place", "1 2 3", "3"},
    {"workload.kernels=  2 ,4 in place", "1 2 3 4", "2"},
    {"workload.kernels=4 in place", "1 2 3 4", "4"},
    {"workload.kernels=5 in place", "1 2 3 4 5 6", "5"},
    {"workload.kernels=in place\nworkload.kernel_name=random", "1 2 3", "3"},
    {"workload.kernels=in place", "1 2 3 4 5 6", "2 3 5 6"},
};

static char *numbers_of(const LaunchList *list, bool measured)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < list->launches->len; i++) {
        const Launch *launch = &g_array_index(list->launches, Launch, i);
        if (measured && !launch->measured) continue;
        g_string_append_printf(text, "%s%u", text->len ? " " : "", launch->number);
    }
    return g_string_free(text, FALSE);
}

START_TEST(launches_that_are_chosen_keep_their_numbers)
{
    g_autofree char *text = g_strconcat(LIST, rows[_i].choice, NULL);
    g_autoptr(LaunchList) list = launches_of(text);
    g_autofree char *numbers = numbers_of(list, false), *measured = numbers_of(list, true);
    ck_assert_str_eq(numbers, rows[_i].numbers);
    ck_assert_str_eq(measured, rows[_i].measured);
    ck_assert_uint_eq(list->total, 6);
}
END_TEST

START_TEST(a_launch_whose_neighbour_does_not_run_starts_alone)
{
    g_autoptr(LaunchList) both = launches_of(LIST "workload.kernels=5-6"),
                          alone = launches_of(LIST "workload.kernels=4,6"),
                          placed = launches_of(LIST "workload.kernels=6 in place");
    ck_assert(g_array_index(both->launches, Launch, 1).concurrent);
    ck_assert(g_array_index(placed->launches, Launch, 5).concurrent);
    ck_assert(!g_array_index(alone->launches, Launch, 1).concurrent);
}
END_TEST

START_TEST(what_prepares_for_a_launch_runs_with_it)
{
    g_autoptr(Configuration) configuration =
        configure("workload.pattern=offered_load\nworkload.fill=64 KiB\nworkload.kernels=2");
    const WorkloadContext context = {.seed = 1,
                                     .warp_lanes = 32,
                                     .sms = 2,
                                     .core_clock = 1000000000,
                                     .dram_bandwidth = UINT64_C(100000000000)};
    g_autoptr(GError) error = NULL;
    g_autoptr(LaunchList) list = workload_build(configuration, &context, &error);
    ck_assert_msg(list, "%s", error ? error->message : "");
    ck_assert_uint_eq(list->launches->len, 2);
    ck_assert(g_array_index(list->launches, Launch, 0).prepares);
    ck_assert(g_array_index(list->launches, Launch, 1).measured);
}
END_TEST

/* A command before each of three launches, and one behind them. */
START_TEST(what_the_host_did_before_a_launch_stays_with_it)
{
    static const struct {
        const char *kernels;
        guint bytes[3], before[3], length;
    } cases[] = {
        {"2", {1}, {0}, 1}, {"1,3", {0, 2, 3}, {0, 1, 2}, 3}, {"2 in place", {0, 1}, {0, 1}, 2}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(LaunchList) list = launch_list_new();
        g_autoptr(Configuration) configuration = configuration_new();
        configuration_set(configuration, "workload", "kernels", cases[i].kernels, NULL, 0);
        g_array_set_size(list->launches, 3);
        for (guint k = 0; k < 4; k++)
            g_array_append_val(list->commands, ((HostCommand){.before = k, .bytes = k}));
        ck_assert(selection_apply(configuration, list, NULL));
        ck_assert_uint_eq(list->commands->len, cases[i].length);
        for (guint k = 0; k < list->commands->len; k++) {
            const HostCommand *command = &g_array_index(list->commands, HostCommand, k);
            ck_assert_uint_eq(command->bytes, cases[i].bytes[k]);
            ck_assert_uint_eq(command->before, cases[i].before[k]);
        }
    }
}
END_TEST

static const struct {
    const char *choice, *message;
} mistakes[] = {
    {"workload.kernels=2-9",
     "test.ini:9: workload.kernels = 2-9: '2-9' is none of the kernels 1 to 6; allowed are numbers "
     "and ranges, '3-7, 9'"},
    {"workload.kernels=1, 4-3",
     "test.ini:9: workload.kernels = 1, 4-3: '4-3' is none of the kernels 1 to 6; allowed are "
     "numbers and ranges, '3-7, 9'"},
    {"workload.kernels=7 in place",
     "test.ini:9: workload.kernels = 7 in place: '7' is none of the kernels 1 to 6; allowed are "
     "numbers and ranges, '3-7, 9'"},
    {"workload.kernels=3in place",
     "test.ini:9: workload.kernels = 3in place: '3in place' is none of the kernels 1 to 6; allowed "
     "are numbers and ranges, '3-7, 9'"},
    {"workload.kernels=0",
     "test.ini:9: workload.kernels = 0: '0' is none of the kernels 1 to 6; allowed are numbers and "
     "ranges, '3-7, 9'"},
    {"workload.kernel_name=randon",
     "test.ini:9: workload.kernel_name = randon: no kernel that is chosen has this name, did you "
     "mean 'random'?"},
    {"workload.kernels=1-2\nworkload.kernel_name=xyz",
     "test.ini:10: workload.kernel_name = xyz: no kernel that is chosen has this name; the first "
     "one's is 'stream read'"},
    /* it has, but not those that are chosen */
    {"workload.kernels=1\nworkload.kernel_name=random",
     "test.ini:10: workload.kernel_name = random: no kernel that is chosen has this name; the first "
     "one's is 'stream read'"},
    {"kernel a.kernels=1", "test.ini:9: kernel a.kernels = 1: only [workload] may have it"},
};

START_TEST(what_is_not_in_the_list_is_one_error)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(LIST, mistakes[_i].choice, NULL);
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_str_eq(error->message, mistakes[_i].message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("selection");
    tcase_add_loop_test(cases, launches_that_are_chosen_keep_their_numbers, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, a_launch_whose_neighbour_does_not_run_starts_alone);
    tcase_add_test(cases, what_prepares_for_a_launch_runs_with_it);
    tcase_add_test(cases, what_the_host_did_before_a_launch_stays_with_it);
    tcase_add_loop_test(cases, what_is_not_in_the_list_is_one_error, 0, G_N_ELEMENTS(mistakes));
    return harness_run_cases("selection", cases);
}
