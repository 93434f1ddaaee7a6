/* `warpmem why`: bounds in layers, and that each gain is that of a run. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* Two SMs whose L1 holds 8 misses; with that out of the way, DRAM is what they wait for. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 32 KiB\n"
    "[variant prt-8]\nl1.prt_entries = 8\n";

/* With a cache of its own. */
static char *new_folder(void)
{
    char *folder = temporary_folder_with_cache();
    g_free(temporary_file(folder, "small.ini", small));
    return folder;
}

static JsonNode *ask(const char *folder, const char *options)
{
    g_autofree char *words = g_strdup_printf("why small.ini --json %s", options);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    JsonNode *why = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(why);
    return why;
}

static JsonArray *list_of(JsonNode *node, const char *member)
{
    JsonNode *list = result_member(node, member);
    ck_assert_msg(list && JSON_NODE_HOLDS_ARRAY(list), "no %s", member);
    return json_node_get_array(list);
}

static JsonNode *layer_of(JsonNode *why, guint number)
{
    ck_assert_uint_ge(json_array_get_length(list_of(why, "layers")), number);
    return json_array_get_element(list_of(why, "layers"), number - 1);
}

static JsonNode *first_of(JsonNode *layer, const char *member)
{
    ck_assert_uint_gt(json_array_get_length(list_of(layer, member)), 0);
    return json_array_get_element(list_of(layer, member), 0);
}

/* " --set A --set B" of the layer's machine and then of what was tried in it. */
static char *sets_of(JsonNode *layer, JsonNode *tried)
{
    JsonNode *const nodes[] = {layer, tried};
    GString *words = g_string_new(NULL);
    for (guint k = 0; k < G_N_ELEMENTS(nodes); k++) {
        JsonArray *sets = list_of(nodes[k], "set");
        for (guint i = 0; i < json_array_get_length(sets); i++)
            g_string_append_printf(words, " --set '%s'", json_array_get_string_element(sets, i));
    }
    return g_string_free(words, FALSE);
}

/* Of the last run by hand. */
static double number_by_hand(const char *folder, const char *variant, const char *path)
{
    g_autofree char *file = g_strdup_printf("hand/%s/result.json", variant);
    g_autoptr(JsonNode) result = json_file(folder, file);
    return result_number(result, path);
}

static double time_by_hand(const char *folder, const char *variant, const char *sets)
{
    g_autofree char *words =
        g_strdup_printf("run small.ini -q -o hand --variant %s%s", variant, sets);
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s: %s", words, outcome.errors);
    return number_by_hand(folder, variant, "summary.time_ns");
}

/* --- what it finds ---------------------------------------------------------------------------- */

START_TEST(the_bound_is_found_and_then_what_stands_behind_it)
{
    char *folder = new_folder();
    const Outcome outcome =
        warpmem(folder, "why small.ini --variant prt-8 --layers 2 --limit '1 h'");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    ck_assert_msg(g_str_has_prefix(outcome.out, "Small, prt-8: "), "%s", outcome.out);
    ck_assert_ptr_nonnull(strstr(outcome.out, "  1. pending_request_table "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "     l1.prt_entries 8 -> 16 gains "));
    ck_assert_ptr_nonnull(strstr(outcome.out, ": --set l1.prt_entries=16\n"));
    ck_assert_msg(strstr(outcome.out, "  2. then dram"), "%s", outcome.out);
    ck_assert_ptr_null(strstr(outcome.out, "  3. "));
    ck_assert_ptr_nonnull(strstr(outcome.out,
                                 "; all of them: warpmem why small.ini --variant prt-8 "
                                 "--layers 2 --limit '1 h' --details\n"));
    ck_assert_uint_le(strlen(outcome.out), 1000);
    temporary_remove(folder);
}
END_TEST

START_TEST(gains_are_those_of_runs_by_hand_with_the_same_settings)
{
    char *folder = new_folder();
    g_autoptr(JsonNode) why = ask(folder, "--variant prt-8 --layers 2");
    double before = time_by_hand(folder, "prt-8", "");
    const double mm2 = number_by_hand(folder, "prt-8", "storage.area_mm2"),
                 watts = number_by_hand(folder, "prt-8", "consumption.power_w");
    for (guint number = 1; number <= 2; number++) {
        JsonNode *layer = layer_of(why, number);
        static const char *const members[] = {"perfect", "doublings"};
        ck_assert_double_eq(result_number(layer, "time_ns"), before);
        for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
            JsonNode *best = first_of(layer, members[i]);
            g_autofree char *sets = sets_of(layer, best);
            const double after = time_by_hand(folder, "prt-8", sets);
            ck_assert_double_eq(result_number(best, "time_ns"), after);
            ck_assert_double_eq_tol(result_number(best, "gain"), 1 - after / before, 1e-12);
            ck_assert_int_eq(result_member(best, "more_mm2") != NULL, number == 1 && i);
            if (number > 1 || !i) continue;
            const double more = number_by_hand(folder, "prt-8", "storage.area_mm2") - mm2;
            ck_assert_double_eq_tol(result_number(best, "more_mm2"), more, 1e-9);
            ck_assert_double_eq_tol(result_number(best, "gain_a_mm2") * more, 1 - after / before,
                                    1e-6);
            ck_assert_double_eq_tol(number_by_hand(folder, "prt-8", "consumption.power_w") - watts,
                                    result_number(best, "more_w"), 1e-9);
        }
        before *= 1 - result_number(layer, "bound.gain");
        before = round(before * 1e6) / 1e6; /* of a whole number of fs */
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(nobody_names_a_parameter_and_all_of_the_machine_is_tried)
{
    char *folder = new_folder();
    g_autoptr(JsonNode) why = ask(folder, "--variant prt-8 --layers 1");
    JsonNode *layer = layer_of(why, 1);
    ck_assert_str_eq(result_text(why, "scenario"), "Small");
    ck_assert_str_eq(result_text(why, "file"), "small.ini");
    ck_assert_str_eq(result_text(why, "end"), "complete");
    ck_assert_str_eq(result_text(layer, "bound.perfect"), "pending_request_table");
    ck_assert_str_eq(result_text(layer, "bound.resource"), "l1.prt");
    ck_assert_uint_ge(json_array_get_length(list_of(layer, "perfect")), 20);
    ck_assert_uint_eq(json_array_get_length(list_of(layer, "not_tried")), 0);
    ck_assert_uint_eq(json_array_get_length(list_of(layer, "set")), 0);
    double before = 1;
    for (guint i = 0; i < json_array_get_length(list_of(layer, "perfect")); i++) {
        JsonNode *tried = json_array_get_element(list_of(layer, "perfect"), i);
        ck_assert_double_le(result_number(tried, "gain"), before);
        before = result_number(tried, "gain");
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(what_gains_nearly_as_much_stands_beside_the_bound)
{
    char *folder = new_folder();
    g_autoptr(JsonNode) why = ask(folder, "--layers 1 --runs 40");
    JsonNode *layer = layer_of(why, 1);
    JsonArray *beside = list_of(layer, "bound.beside");
    const double bound = result_number(layer, "bound.gain");
    ck_assert_str_eq(result_text(layer, "bound.perfect"), "dram");
    ck_assert_uint_gt(json_array_get_length(beside), 0);
    for (guint i = 0; i < json_array_get_length(beside); i++) {
        JsonNode *other = json_array_get_element(beside, i);
        ck_assert_double_ge(result_number(other, "gain"), 0.4 * bound);
        ck_assert(!g_str_has_prefix(result_text(other, "perfect"), "dram"));
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(details_list_everything_that_was_tried)
{
    char *folder = new_folder();
    const Outcome outcome = warpmem(folder, "why small.ini --variant prt-8 --layers 1 --details");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "\nLayer 1: "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  verdict: "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  perfect "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  twice as large or fast "));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  Less than 0.1 %: "));
    temporary_remove(folder);
}
END_TEST

/* --- what it costs ---------------------------------------------------------------------------- */

START_TEST(the_answer_is_the_same_however_many_runs_there_are_at_a_time)
{
    char *folder = new_folder();
    const Outcome two = warpmem(folder, "why small.ini --layers 2 --runs 50 -j 2 --details");
    g_autofree char *other = g_build_filename(folder, "other", NULL);
    g_setenv("XDG_CACHE_HOME", other, TRUE);
    const Outcome one = warpmem(folder, "why small.ini --layers 2 --runs 50 -j 1 --details");
    ck_assert_int_eq(one.status, 0);
    ck_assert_str_eq(one.out, two.out);
    temporary_remove(folder);
}
END_TEST

/* Writes the text into every file of the folder; how many there are. */
static guint fill_files(const char *folder, const char *text)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    ck_assert_ptr_nonnull(files);
    for (const char *name; (name = g_dir_read_name(files));) g_ptr_array_add(names, g_strdup(name));
    for (guint i = 0; i < names->len; i++) g_free(temporary_file(folder, names->pdata[i], text));
    return names->len;
}

/* Of each known run the file says how long it took: here that they all took a nanosecond. */
START_TEST(what_was_asked_before_is_not_simulated_again)
{
    char *folder = new_folder();
    g_autofree char *known = g_build_filename(folder, "cache", "warpmem", "why", NULL);
    const Outcome first = warpmem(folder, "why small.ini --layers 1 --runs 10");
    const Outcome again = warpmem(folder, "why small.ini --layers 1 --runs 10");
    ck_assert_int_eq(again.status, 0);
    ck_assert_str_eq(first.out, again.out);
    ck_assert_uint_eq(fill_files(known, "{\"time_ns\":1,\"verdict\":\"known\"}"), 10);
    const Outcome told = warpmem(folder, "why small.ini --layers 1 --runs 10 -d");
    ck_assert_msg(strstr(told.out, "verdict: known"), "%s", told.out);
    ck_assert_ptr_nonnull(strstr(told.out, "Small, baseline: 1"));
    temporary_remove(folder);
}
END_TEST

START_TEST(what_a_damaged_file_held_is_simulated_again)
{
    char *folder = new_folder();
    g_autofree char *known = g_build_filename(folder, "cache", "warpmem", "why", NULL);
    const Outcome first = warpmem(folder, "why small.ini --layers 1 --runs 3");
    ck_assert_uint_eq(fill_files(known, "{\"time_ns\""), 3);
    const Outcome again = warpmem(folder, "why small.ini --layers 1 --runs 3");
    ck_assert_str_eq(first.out, again.out);
    ck_assert_str_eq(again.errors, "");
    temporary_remove(folder);
}
END_TEST

START_TEST(a_cache_that_cannot_be_written_costs_a_warning)
{
    char *folder = new_folder();
    g_free(temporary_file(folder, "cache", "no folder"));
    const Outcome outcome = warpmem(folder, "why small.ini --layers 1 --runs 3");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.errors, "cannot be written, so nothing is kept"));
    ck_assert_ptr_eq(strchr(outcome.errors, '\n') + 1, outcome.errors + strlen(outcome.errors));
    temporary_remove(folder);
}
END_TEST

START_TEST(a_limit_of_runs_says_what_was_not_tried)
{
    char *folder = new_folder();
    const Outcome outcome = warpmem(folder, "why small.ini --runs 6");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "The limit of 6 runs ended it (--runs).\n"));
    ck_assert_msg(strstr(outcome.out, "  Not tried in layer 1: "), "%s", outcome.out);
    g_autoptr(JsonNode) why = ask(folder, "--runs 6");
    JsonNode *layer = layer_of(why, 1);
    ck_assert_str_eq(result_text(why, "end"), "runs");
    ck_assert_double_eq(result_number(why, "runs"), 6);
    ck_assert_uint_eq(json_array_get_length(list_of(layer, "perfect")), 5);
    ck_assert_uint_ge(json_array_get_length(list_of(layer, "not_tried")), 15);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_time_limit_answers_with_what_is_known)
{
    char *folder = new_folder();
    const Outcome known = warpmem(folder, "why small.ini --runs 3 -q");
    ck_assert_int_eq(known.status, 0);
    ck_assert_str_eq(known.out, "");
    const Outcome outcome = warpmem(folder, "why small.ini --limit 1ms");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "The time limit ended it; asked again, it goes on"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "Not tried in layer 1: "));
    g_autoptr(JsonNode) why = ask(folder, "--limit 1ms --runs 10"); /* no room for its doublings */
    ck_assert_str_eq(result_text(why, "end"), "time");
    ck_assert_double_eq(result_number(why, "runs"), 3);
    temporary_remove(folder);
}
END_TEST

/* Long enough for a signal. */
static const char large[] =
    "[scenario]\ntitle = Large\nextends = v100\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 MiB\n";

START_TEST(an_interrupted_question_is_answered_with_what_is_known)
{
    g_free(new_folder());
    const Started run = start_command(large, "why small.ini -j 1");
    interrupt_run(&run);
    temporary_remove(run.folder);
}
END_TEST

/* --- what it leaves behind -------------------------------------------------------------------- */

START_TEST(with_a_folder_the_result_is_that_of_a_run_and_has_the_answer_in_it)
{
    char *folder = new_folder();
    const Outcome asked = warpmem(folder, "why small.ini -v prt-8 --layers 1 -o out");
    const Outcome run = warpmem(folder, "run small.ini -v prt-8 -q -o run");
    ck_assert_msg(asked.status == 0 && run.status == 0, "%s%s", asked.errors, run.errors);
    ck_assert_ptr_nonnull(strstr(asked.out, "  results: out\n"));
    g_autoptr(JsonNode) result = json_file(folder, "out/prt-8/result.json");
    g_autofree char *plain = contents(folder, "run/prt-8/result.json");
    g_autoptr(JsonNode) expected = json_from_string(plain, NULL);
    ck_assert_str_eq(result_text(layer_of(result_member(result, "why"), 1), "bound.perfect"),
                     "pending_request_table");
    json_object_remove_member(json_node_get_object(result), "why");
    ck_assert(json_node_equal(result, expected));
    const Outcome report = warpmem(folder, "report out --json");
    ck_assert_msg(report.status == 0, "%s", report.errors);
    ck_assert_ptr_nonnull(strstr(report.out, "\"why_layers\""));
    ck_assert_ptr_nonnull(strstr(report.out, "warpmem run small.ini --variant prt-8 "
                                             "--set l1.prt_entries=16"));
    temporary_remove(folder);
}
END_TEST

/* --- of a kernel in its place --- */

/* L2 keeps all that the first kernel has read, so that the third one hits. */
static const char list[] =
    "[scenario]\ntitle = List\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\nsequence = fill, other, main, after\n"
    "[kernel fill]\npattern = stream\noperation = read\narray_bytes = 64 KiB\n"
    "[kernel other]\npattern = random\nctas = 2\niterations = 2\nfootprint = 16 KiB\n"
    "[kernel main]\npattern = stream\noperation = read\narray_bytes = 64 KiB\n"
    "[kernel after]\npattern = random\nctas = 2\niterations = 2\nfootprint = 1 MiB\n";

START_TEST(a_kernel_is_asked_of_in_its_place_or_alone)
{
    char *folder = new_folder();
    g_free(temporary_file(folder, "small.ini", list));
    g_autoptr(JsonNode) place = ask(folder, "--kernels 3 --layers 1 --runs 2"),
                        named = ask(folder, "--kernels 3-4 --kernel 'stream*' --layers 1 --runs 2"),
                        alone = ask(folder, "--kernels 3 --alone --layers 1 --runs 2");
    const Outcome run = warpmem(folder, "run small.ini -q -o run"),
                  only = warpmem(folder, "run small.ini --kernels 3 -q -o only");
    ck_assert_msg(run.status == 0 && only.status == 0, "%s%s", run.errors, only.errors);
    g_autoptr(JsonNode) whole = json_file(folder, "run/baseline/result.json"),
                        cold = json_file(folder, "only/baseline/result.json");
    JsonNode *third = json_array_get_element(list_of(whole, "summary.kernels"), 2);
    const double warm = result_number(layer_of(place, 1), "time_ns");
    ck_assert_double_eq(warm, result_number(third, "time_ns"));
    ck_assert_double_eq(result_number(layer_of(named, 1), "time_ns"), warm);
    ck_assert_double_eq(result_number(layer_of(alone, 1), "time_ns"),
                        result_number(cold, "summary.time_ns"));
    ck_assert_double_lt(warm, result_number(cold, "summary.time_ns"));
    ck_assert_str_eq(result_text(named, "chosen.kernels"), "3");
    ck_assert(result_flag(place, "chosen.in_place", false));
    ck_assert(!result_flag(alone, "chosen.in_place", false));
    temporary_remove(folder);
}
END_TEST

START_TEST(which_was_done_stands_under_the_title)
{
    static const struct {
        const char *arguments, *line;
    } rows[] = {
        {"why small.ini --kernels 3 --runs 1",
         "\nkernels 3 of 4: those before ran, too, unmeasured"},
        {"why small.ini --kernels '1-2, 4 in place' --runs 1",
         "\nkernels 1-2, 4 of 4: those before"},
        {"why small.ini --kernels 3 --alone --runs 1", "\nkernels 3 of 4: the others did not run"},
        {"run small.ini --kernel random --kernels '2-3 in place'",
         "\nkernels 2 of 4: those before"},
    };
    char *folder = new_folder();
    g_free(temporary_file(folder, "small.ini", list));
    const Outcome outcome = warpmem(folder, rows[_i].arguments);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_msg(strstr(outcome.out, rows[_i].line) != NULL, "%s", outcome.out);
    temporary_remove(folder);
}
END_TEST

/* --- what cannot be asked --- */

START_TEST(a_question_that_makes_no_sense_is_one_clear_error)
{
    static const struct {
        const char *arguments, *says;
    } bad[] = {
        {"why", "SCENARIO"},
        {"why none.ini", "none.ini"},
        {"why small.ini -v prt-9", "prt-8"},
        {"why small.ini -j 0", "--jobs 0: allowed: whole number from 1 to"},
        {"why small.ini --layers 0", "--layers 0: allowed: whole number from 1 to"},
        {"why small.ini --runs 0", "--runs 0: allowed: whole number from 1 to"},
        {"why small.ini --limit 5", "--limit 5: not a time"},
        {"why small.ini --alone", "--alone: of which kernels? --kernels or --kernel says it"},
        {"why small.ini --kernels 2", "'2' is none of the kernels 1 to 1"},
        {"why small.ini -o ''", "-o ''"},
        {"why small.ini --set l1.nothing=1", "l1.nothing"},
        {"why small.ini --set workload.array_bytes=1B", "array_bytes"},
    };
    char *folder = new_folder();
    const Outcome outcome = warpmem(folder, bad[_i].arguments);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_str_eq(outcome.out, "");
    ck_assert_msg(strstr(outcome.errors, bad[_i].says), "%s", outcome.errors);
    ck_assert_ptr_eq(strchr(outcome.errors, '\n') + 1, outcome.errors + strlen(outcome.errors));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("why");
    TCase *cases = tcase_create("why");
    tcase_add_test(cases, the_bound_is_found_and_then_what_stands_behind_it);
    tcase_add_test(cases, gains_are_those_of_runs_by_hand_with_the_same_settings);
    tcase_add_test(cases, nobody_names_a_parameter_and_all_of_the_machine_is_tried);
    tcase_add_test(cases, what_gains_nearly_as_much_stands_beside_the_bound);
    tcase_add_test(cases, details_list_everything_that_was_tried);
    tcase_add_test(cases, the_answer_is_the_same_however_many_runs_there_are_at_a_time);
    tcase_add_test(cases, what_was_asked_before_is_not_simulated_again);
    tcase_add_test(cases, what_a_damaged_file_held_is_simulated_again);
    tcase_add_test(cases, a_cache_that_cannot_be_written_costs_a_warning);
    tcase_add_test(cases, a_limit_of_runs_says_what_was_not_tried);
    tcase_add_test(cases, a_time_limit_answers_with_what_is_known);
    tcase_add_test(cases, an_interrupted_question_is_answered_with_what_is_known);
    tcase_add_test(cases, with_a_folder_the_result_is_that_of_a_run_and_has_the_answer_in_it);
    tcase_add_loop_test(cases, a_question_that_makes_no_sense_is_one_clear_error, 0, 12);
    tcase_add_test(cases, a_kernel_is_asked_of_in_its_place_or_alone);
    tcase_add_loop_test(cases, which_was_done_stands_under_the_title, 0, 4);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
