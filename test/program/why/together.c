/* `warpmem why` where two parts that take one access a cycle stand one behind the other. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* Warps that read shared memory: an address, and a pass of the array, each a cycle an access. */
static const char small[] = "[scenario]\ntitle = Small\nextends = v100\n"
                            "[machine]\nsms = 1\npartitions = 1\npeak_bandwidth_gbps = 0\n"
                            "[sm]\nload_store_lanes = 32\n"
                            "[workload]\npattern = program\nctas = 2\nthreads_per_cta = 1024\n"
                            "code =\n"
                            "  shared s[1024]\n"
                            "  for i in 0..128 unroll 8 { x = load s[lane] }\n"
                            "[variant both]\n"
                            "[variant array]\nload_store.instructions_per_interval = 64\n"
                            "channels.l1_input_queue = 64\n";

/* A reply network whose links are as wide as the DRAM bus, which states what it carries at most. */
static const char links[] =
    "[scenario]\ntitle = Links\nextends = v100\n"
    "[machine]\nsms = 8\npartitions = 1\npeak_bandwidth_gbps = 28\n"
    "[network]\nreply_source_bandwidth = 10 B/cycle\n"
    "[workload]\npattern = stream\noperation = read\narray_bytes = 256 KiB\n";

/* Loads of a sector that L2 has: a packet each way, a look-up and a read, each a cycle. */
static const char slice[] =
    "[scenario]\ntitle = Slice\nextends = v100\n"
    "[machine]\nsms = 8\npartitions = 1\npeak_bandwidth_gbps = 0\n"
    "[network]\nreply_source_bandwidth = 40 B/cycle\n[l1]\ncached = none\n"
    "[mmu]\nenabled = no\n"
    "[workload]\npattern = random\nctas = 8\niterations = 16\nfootprint = 16 KiB\n";

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder_with_cache();
    g_free(temporary_file(folder, "small.ini", small));
    g_free(temporary_file(folder, "links.ini", links));
    g_free(temporary_file(folder, "slice.ini", slice));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static JsonNode *ask(const char *what)
{
    g_autofree char *words = g_strdup_printf("why --json %s", what);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    JsonNode *why = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(why);
    return why;
}

static JsonNode *layer_of(JsonNode *why, guint number)
{
    ck_assert_uint_ge(result_length(result_array(why, "layers")), number);
    return json_array_get_element(result_array(why, "layers"), number - 1);
}

static double alone(JsonNode *layer, const char *component)
{
    JsonArray *tried = result_array(layer, "perfect");
    for (guint i = 0; i < result_length(tried); i++) {
        JsonNode *one = json_array_get_element(tried, i);
        if (!strcmp(result_text(one, "perfect"), component)) return result_number(one, "gain");
    }
    ck_abort_msg("%s was not tried", component);
}

static double time_by_hand(JsonArray *sets)
{
    GString *words = g_string_new("run small.ini -q -o hand -v both");
    for (guint i = 0; i < result_length(sets); i++)
        g_string_append_printf(words, " --set '%s'", json_array_get_string_element(sets, i));
    const Outcome outcome = warpmem(folder, words->str);
    ck_assert_msg(outcome.status == 0, "%s: %s", words->str, outcome.errors);
    g_string_free(words, TRUE);
    g_autoptr(JsonNode) result = json_file(folder, "hand/both/result.json");
    return result_number(result, "summary.time_ns");
}

static bool has(JsonArray *texts, const char *wanted)
{
    for (guint i = 0; i < result_length(texts); i++)
        if (!strcmp(json_array_get_string_element(texts, i), wanted)) return true;
    return false;
}

START_TEST(what_one_by_one_gains_little_is_tried_together)
{
    g_autoptr(JsonNode) why = ask("small.ini -v both --layers 2");
    JsonNode *first = layer_of(why, 1), *second = layer_of(why, 2);
    JsonArray *names = result_array(first, "together.perfect");
    const double gain = result_number(first, "together.gain");
    ck_assert_uint_eq(result_length(names), 2);
    ck_assert_str_eq(json_array_get_string_element(names, 0), "issue");
    ck_assert_str_eq(json_array_get_string_element(names, 1), "l1_bandwidth");
    ck_assert_double_le(fmax(alone(first, "issue"), 0) + fmax(alone(first, "l1_bandwidth"), 0),
                        gain - 0.05);
    ck_assert_double_eq_tol(time_by_hand(result_array(first, "together.set")),
                            (1 - gain) * result_number(first, "time_ns"), 1e-3);
    /* what is full of them, twice as large or fast */
    JsonArray *sets = result_array(first, "together.twice.set");
    const double step = result_number(first, "together.twice.gain");
    ck_assert(has(sets, "load_store.instructions_per_interval=2"));
    ck_assert(has(sets, "l1.data_ports=2"));
    ck_assert_double_ge(step, 0.3);
    ck_assert_double_eq_tol(time_by_hand(sets), (1 - step) * result_number(first, "time_ns"), 1e-3);
    ck_assert_double_gt(result_number(first, "together.twice.more_mm2"), 0);
    /* one of them is the bound, and the other what stands behind it */
    const char *bound = result_text(first, "bound.perfect"),
               *behind = result_text(second, "bound.perfect");
    ck_assert_msg((!strcmp(bound, "issue") && !strcmp(behind, "l1_bandwidth"))
                      || (!strcmp(bound, "l1_bandwidth") && !strcmp(behind, "issue")),
                  "%s, then %s", bound, behind);
}
END_TEST

/* Its width cannot be doubled, its clock can: then what the machine states of it is forgotten. */
START_TEST(a_server_that_nothing_makes_wider_has_a_clock)
{
    g_autoptr(JsonNode) why = ask("links.ini --layers 1");
    JsonArray *sets = result_array(layer_of(why, 1), "together.twice.set");
    ck_assert(has(sets, "network.reply_source_bandwidth=20 B/cycle"));
    ck_assert(has(sets, "machine.dram_clock=1754 MHz"));
    ck_assert(has(sets, "machine.peak_bandwidth_gbps=0"));
    ck_assert_double_ge(result_number(layer_of(why, 1), "together.twice.gain"), 0.3);
}
END_TEST

/* One parameter makes either network ideal: perfect, the one takes up what the other says. */
START_TEST(both_networks_are_tried_with_the_slice_between_them)
{
    g_autoptr(JsonNode) why = ask("slice.ini --layers 1");
    JsonNode *layer = layer_of(why, 1);
    JsonArray *names = result_array(layer, "together.perfect");
    ck_assert_uint_eq(result_length(names), 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_double_le(alone(layer, json_array_get_string_element(names, i)), 0.1);
    ck_assert(has(names, "request_network") && has(names, "reply_network"));
    ck_assert(has(names, "l2_bandwidth"));
    ck_assert(has(result_array(layer, "together.set"), "network.ideal=both"));
    ck_assert_double_ge(result_number(layer, "together.gain"), 0.5);
}
END_TEST

START_TEST(what_is_bound_by_one_part_is_not)
{
    g_autoptr(JsonNode) why = ask("small.ini -v array --layers 1");
    JsonNode *layer = layer_of(why, 1);
    ck_assert_str_eq(result_text(layer, "bound.perfect"), "l1_bandwidth");
    ck_assert_ptr_null(result_member(layer, "together"));
}
END_TEST

/* Perfect components, all of what is strained, and then one: nothing is known of the others. */
START_TEST(what_a_limit_ends_is_not_told)
{
    g_autoptr(JsonNode) why = ask("small.ini -v both --layers 1");
    const guint tried = result_length(result_array(layer_of(why, 1), "perfect"));
    g_autofree char *limit = g_strdup_printf("small.ini -v both --layers 1 --runs %u", tried + 1);
    g_autoptr(JsonNode) ended = ask(limit);
    ck_assert_str_eq(result_text(ended, "end"), "runs");
    ck_assert_ptr_null(result_member(layer_of(ended, 1), "together"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("why_together");
    tcase_add_unchecked_fixture(cases, make_folder, remove_folder);
    tcase_add_test(cases, what_one_by_one_gains_little_is_tried_together);
    tcase_add_test(cases, a_server_that_nothing_makes_wider_has_a_clock);
    tcase_add_test(cases, both_networks_are_tried_with_the_slice_between_them);
    tcase_add_test(cases, what_is_bound_by_one_part_is_not);
    tcase_add_test(cases, what_a_limit_ends_is_not_told);
    return harness_run_cases("why_together", cases);
}
