/* `warpmem why` where one link of a network is what all wait for: it alone, twice as fast, is
 * tried. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

enum { ENDS = 8 };

/* Two dies. Four SMs offer 0.8 packets a cycle to the other one, over a link that takes 0.5. */
static const char scenario[] =
    "[scenario]\ntitle = Dies\nextends = v100\n[machine]\nsms = 8\npartitions = 8\n"
    "slices_per_partition = 1\npeak_bandwidth_gbps = 0\nnetwork_clock = 1 GHz\n"
    "[network]\ntopology = dies\nlink_buffer = 256\ninput_buffer = 512\n"
    "request_link_bandwidth = 4 B/cycle\n"
    "[workload]\npattern = network_traffic\ndestinations = matrix\nfile = matrix.txt\n"
    "load = 20 %\nwarm_up = 200 cycles\nduration = 500 cycles\n";

static char *folder;

/* All of die 0 to the slices of die 1. */
static void make_folder(void)
{
    folder = temporary_folder_with_cache();
    g_autoptr(GString) matrix = g_string_new(NULL);
    for (unsigned i = 0; i < ENDS; i++)
        for (unsigned j = 0; j < ENDS; j++)
            g_string_append_printf(matrix, "%g%s", i < ENDS / 2 && j >= ENDS / 2 ? 0.25 : 0,
                                   j < ENDS - 1 ? " " : "\n");
    g_free(temporary_file(folder, "matrix.txt", matrix->str));
    g_free(temporary_file(folder, "dies.ini", scenario));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static JsonNode *ask(const char *options)
{
    g_autofree char *words = g_strdup_printf("why dies.ini --json --layers 1 %s", options);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    JsonNode *why = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(why);
    return why;
}

/* The doubling of a parameter; NULL: it was not tried. */
static JsonNode *doubling_of(JsonNode *why, const char *parameter)
{
    JsonNode *layer = json_array_get_element(result_array(why, "layers"), 0);
    JsonArray *tried = result_array(layer, "doublings");
    for (guint i = 0; i < json_array_get_length(tried); i++) {
        JsonNode *one = json_array_get_element(tried, i);
        if (!strcmp(result_text(one, "parameter"), parameter)) return one;
    }
    return NULL;
}

static const char *only_set_of(JsonNode *doubling)
{
    ck_assert_uint_eq(json_array_get_length(result_array(doubling, "set")), 1);
    return json_array_get_string_element(result_array(doubling, "set"), 0);
}

#define LINK "link request-stop-0-to-1.bandwidth_scale"

START_TEST(the_link_that_all_wait_for_is_doubled_alone)
{
    g_autoptr(JsonNode) why = ask("");
    JsonNode *link = doubling_of(why, LINK);
    ck_assert_ptr_nonnull(link);
    ck_assert_str_eq(result_text(link, "from"), "1");
    ck_assert_str_eq(result_text(link, "to"), "2");
    ck_assert_str_eq(only_set_of(link), LINK "=2");
    g_autofree char *words = g_strdup_printf("run dies.ini -q -o hand --set '" LINK "=2'");
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) result = json_file(folder, "hand/baseline/result.json");
    ck_assert_double_eq(result_number(link, "time_ns"),
                        result_number(result, "summary.traffic_latency.mean_ns"));
}
END_TEST

/* What all links together gain is no more than what it does, which is named. */
START_TEST(one_link_is_named_before_all_of_them)
{
    const Outcome outcome = warpmem(folder, "why dies.ini --layers 1");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_msg(strstr(outcome.out, "     " LINK " 1 -> 2 gains "), "%s", outcome.out);
    ck_assert_msg(strstr(outcome.out, ": --set '" LINK "=2'\n"), "%s", outcome.out);
}
END_TEST

/* Of its own group the factor is doubled; of a pattern's, that of the link comes on top. */
START_TEST(a_link_that_the_scenario_names_is_doubled_from_there)
{
    g_autoptr(JsonNode) own = ask("--set '" LINK "=0.5'");
    ck_assert_str_eq(only_set_of(doubling_of(own, LINK)), LINK "=1");
    g_autoptr(JsonNode) all = ask("--set 'link request-stop-*.bandwidth_scale=0.5'");
    ck_assert_str_eq(only_set_of(doubling_of(all, LINK)), LINK "=2");
    ck_assert_ptr_nonnull(doubling_of(all, "link request-stop-*.bandwidth_scale"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("why_links");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_test(cases, the_link_that_all_wait_for_is_doubled_alone);
    tcase_add_test(cases, one_link_is_named_before_all_of_them);
    tcase_add_test(cases, a_link_that_the_scenario_names_is_doubled_from_there);
    return harness_run_cases("why_links", cases);
}
