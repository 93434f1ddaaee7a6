/* `warpmem why` where no part is too small or slow, but one is built in an unsuitable way. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* Rows of as many chunks as there are slices: without a hash, a column lies in one of them. */
static const char small[] = "[scenario]\ntitle = Column\nextends = v100\n"
                            "[machine]\nsms = 2\npartitions = 4\npeak_bandwidth_gbps = 0\n"
                            "[address_map]\nhash = none\n"
                            "[l1]\ncached = none\n"
                            "[workload]\npattern = strided\nlayout = given\n"
                            "iteration_stride = 2 KiB\nwarp_stride = 32 KiB\ncta_stride = 512 KiB\n"
                            "footprint = 1 MiB\nctas = 4\nthreads_per_cta = 512\n"
                            "iterations = 16\nlaunches = 2\nwarm_up_launches = 1\n";

/* Its bus is full; requests have no age from which on they go first, as one policy wants. */
static const char copy[] = "[scenario]\ntitle = Copy\nextends = v100\n"
                           "[machine]\nsms = 4\npartitions = 1\npeak_bandwidth_gbps = 0\n"
                           "[access_scheduler]\npatience = 0 cycles\n"
                           "[workload]\npattern = stream\narray_bytes = 256 KiB\n";

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder_with_cache();
    g_free(temporary_file(folder, "small.ini", small));
    g_free(temporary_file(folder, "copy.ini", copy));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static Outcome ask(const char *options)
{
    g_autofree char *words = g_strdup_printf("why small.ini --layers 1 %s", options);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    return outcome;
}

static double time_by_hand(const char *options)
{
    g_autofree char *words = g_strdup_printf("run small.ini -q -o hand %s", options);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) result = json_file(folder, "hand/baseline/result.json");
    return result_number(result, "summary.time_ns");
}

START_TEST(another_design_is_tried_and_gains_what_it_does_by_hand)
{
    const Outcome outcome = ask("--json");
    g_autoptr(JsonNode) why = json_from_string(outcome.out, NULL);
    JsonNode *layer = json_array_get_element(result_array(why, "layers"), 0);
    JsonArray *choices = result_array(layer, "choices");
    ck_assert_uint_ge(result_length(choices), 3);
    JsonNode *best = json_array_get_element(choices, 0);
    ck_assert_str_eq(result_text(best, "parameter"), "address_map.hash");
    ck_assert_str_eq(result_text(best, "from"), "none");
    ck_assert_double_ge(result_number(best, "gain"), 0.4);
    ck_assert_ptr_nonnull(result_member(best, "more_w"));
    g_autofree char *set = g_strdup_printf("--set address_map.hash=%s", result_text(best, "to"));
    const double before = time_by_hand(""), after = time_by_hand(set);
    ck_assert_double_eq(result_number(best, "time_ns"), after);
    ck_assert_double_eq_tol(result_number(best, "gain"), 1 - after / before, 1e-12);
}
END_TEST

/* Of the doublings the best gains less. */
START_TEST(the_step_that_gains_most_comes_first)
{
    const Outcome outcome = ask("");
    const char *choice = strstr(outcome.out, "\n     address_map.hash none -> "),
               *other = strstr(outcome.out, "\n     machine.partitions 4 -> 8 gains ");
    ck_assert_msg(choice && strstr(choice, ": --set address_map.hash="), "%s", outcome.out);
    ck_assert_msg(!other || other > choice, "%s", outcome.out);
}
END_TEST

START_TEST(every_choice_is_named_with_what_it_is_instead)
{
    const Outcome outcome = ask("--details");
    const char *table = strstr(outcome.out, "\n  another design ");
    ck_assert_msg(table, "%s", outcome.out);
    ck_assert_ptr_nonnull(strstr(table, "\n  address_map.hash none -> mix "));
    ck_assert_ptr_nonnull(strstr(table, "\n  address_map.hash none -> xor_fold "));
}
END_TEST

/* No router, no SimGrid that times packets, no switch in front of DRAM. */
START_TEST(what_says_nothing_of_the_machine_is_not_tried)
{
    static const char *const absent[] = {"router.",          "flow_network.",
                                         "half_link.",       "request_coalescer.",
                                         "channels.switch_", "channels.l1_to_coalescer"};
    const Outcome outcome = ask("--details --set address_map.hash=mix --set"
                                " 'network.reply_source_bandwidth=4 B/cycle'");
    ck_assert_msg(strstr(outcome.out, "crossbar.queueing"), "%s", outcome.out);
    for (guint i = 0; i < G_N_ELEMENTS(absent); i++)
        ck_assert_msg(!strstr(outcome.out, absent[i]), "%s: %s", absent[i], outcome.out);
}
END_TEST

START_TEST(a_design_that_needs_another_parameter_is_left_out)
{
    const Outcome outcome = warpmem(folder, "why copy.ini --layers 1 --details");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_msg(strstr(outcome.out, "\n  access_scheduler.policy fr_fcfs -> in_order "), "%s",
                  outcome.out);
    ck_assert_msg(!strstr(outcome.out, "fr_fcfs_age"), "%s", outcome.out);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("why_choices");
    tcase_add_unchecked_fixture(cases, make_folder, remove_folder);
    tcase_add_test(cases, another_design_is_tried_and_gains_what_it_does_by_hand);
    tcase_add_test(cases, the_step_that_gains_most_comes_first);
    tcase_add_test(cases, every_choice_is_named_with_what_it_is_instead);
    tcase_add_test(cases, what_says_nothing_of_the_machine_is_not_tried);
    tcase_add_test(cases, a_design_that_needs_another_parameter_is_left_out);
    return harness_run_cases("why_choices", cases);
}
