/* An answer in words. */

#include "rigs/harness.h"
#include "scenarios/program/why/why.h"

/* The first layer rests on a default and has others beside it, in the second no part helps. */
static const char answer[] =
    "{'scenario': 'Gather', 'variant': 'a100', 'runs': 40, 'end': 'runs', 'layers': [{"
    " 'time_ns': 1000, 'verdict': 'ports', 'set': [], 'not_tried': [],"
    " 'bound': {'perfect': 'translation', 'gain': 0.25, 'resource': 'mmu.tlb_ports',"
    "  'title': 'ports of the L2 TLB', 'server': true, 'strain': 0.98,"
    "  'rests': 'rests on mmu.lookups_per_cycle = 4, a default that a100 does not state',"
    "  'beside': [{'perfect': 'issue', 'gain': 0.2}, {'perfect': 'dram', 'gain': 0.125}]},"
    " 'perfect': [{'perfect': 'translation', 'time_ns': 750, 'gain': 0.25},"
    "  {'perfect': 'rop_atomics', 'problem': 'deadlock'}, {'perfect': 'l1_capacity',"
    "   'time_ns': 1000, 'gain': 0}, {'perfect': 'store_buffers', 'time_ns': 1100, 'gain': -0.1}],"
    " 'doublings': [{'parameter': 'mmu.lookups_per_cycle', 'from': '4', 'to': '8',"
    "  'time_ns': 800, 'gain': 0.2, 'set': ['mmu.lookups_per_cycle=8'], 'more_mm2': 0.5,"
    "  'gain_a_mm2': 0.4, 'more_w': -1}]},"
    "{'time_ns': 750, 'verdict': 'bus', 'chain': 'a > b', 'set': ['mmu.enabled=no'],"
    " 'bound': {'perfect': 'dram', 'gain': 0.5, 'beside': []},"
    " 'together': {'perfect': ['dram', 'l2_latency', 'network'], 'gain': 0.625, 'set': ['a=1'],"
    "  'twice': {'gain': 0.25, 'set': ['b=2', 'c=4'], 'more_mm2': 0.004, 'gain_a_mm2': 62.5,"
    "   'more_w': 1, 'gain_a_w': 0.25}},"
    " 'perfect': [{'perfect': 'dram', 'time_ns': 375, 'gain': 0.5}],"
    " 'doublings': [{'parameter': 'dram.tRP', 'from': '2 cycles', 'to': '1 cycle',"
    "  'time_ns': 745, 'gain': 0.0067, 'set': ['dram.tRP=1 cycle']}],"
    " 'not_tried': ['dram.a', 'dram.b', 'dram.c', 'dram.d', 'dram.e', 'dram.f', 'dram.g']}]}";

static JsonNode *parse(const char *json)
{
    g_autofree char *text = g_strdelimit(g_strdup(json), "'", '"');
    JsonNode *why = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(why);
    return why;
}

/* Newly allocated. */
static char *print(const char *json, gboolean details)
{
    g_autoptr(JsonNode) why = parse(json);
    const WhyPrint form = {"gather.ini -v a100", details};
    char *printed = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&printed, &length);
    why_print(why, &form, out);
    fclose(out);
    return printed;
}

START_TEST(the_conclusion_stands_first_a_layer_after_the_other)
{
    g_autofree char *text = print(answer, FALSE);
    ck_assert_str_eq(
        text,
        "Gather, a100: 1.00 us\n"
        "  1. translation 25.0 %: ports of the L2 TLB (mmu.tlb_ports), 98 % busy\n"
        "     rests on mmu.lookups_per_cycle = 4, a default that a100 does not state\n"
        "     mmu.lookups_per_cycle 4 -> 8 gains 20.0 %: --set mmu.lookups_per_cycle=8\n"
        "     for 0.5 mm2 of SRAM and -1 W: 40 % a mm2\n"
        "     also: issue 20.0 %, dram 12.5 %\n"
        "  2. then dram 50.0 %\n"
        "     dram, l2_latency and network together 62.5 %: each is held up by the others\n"
        "     what is full, twice as large or fast, gains 25.0 %: --set b=2 --set c=4\n"
        "     for 0.004 mm2 of SRAM and 1 W: 6,250 % a mm2, 25 % a W\n"
        "\n"
        "  At most so much of the time is gone when the part is perfect, those above it perfect\n"
        "  already. 40 runs; all of them: warpmem why gather.ini -v a100 --details\n"
        "  The limit of 40 runs ended it (--runs).\n"
        "  Not tried in layer 2: dram.a, dram.b, dram.c, dram.d, dram.e, dram.f and 1 more.\n");
}
END_TEST

START_TEST(details_say_what_is_better_what_is_worse_and_what_failed)
{
    g_autofree char *text = print(answer, TRUE);
    ck_assert_ptr_nonnull(strstr(text, "already. 40 runs.\n"));
    ck_assert_ptr_nonnull(strstr(text, "dram.f, dram.g.\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nLayer 2: 750 ns with --set mmu.enabled=no\n"
                                       "  verdict: bus\n  pressure: a > b\n"));
    ck_assert_ptr_nonnull(strstr(text, "  rop_atomics: not done: deadlock\n"));
    ck_assert_ptr_nonnull(strstr(text, "  Less than 0.1 %: l1_capacity.\n"));
    ck_assert_ptr_nonnull(strstr(text, "-10.0 %  worse\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n  dram, l2_latency and network together 62.5 %: --set a=1\n\n"));
    ck_assert_ptr_nonnull(strstr(text, "20.0 %  0.5   40 %  -1    -  ######\n"));
}
END_TEST

/* Together much more than the best of them, and of the steps another design gains most. */
START_TEST(what_gains_most_comes_first)
{
    static const char held_up[] =
        "{'scenario': 'Column', 'variant': 'none', 'runs': 9, 'end': 'complete', 'layers':"
        "[{'time_ns': 1000, 'set': [], 'bound': {'perfect': 'issue', 'gain': 0.125, 'resource':"
        " 'sm.a', 'title': 'slots', 'strain': 0.75, 'server': true, 'beside': []},"
        " 'together': {'perfect': ['issue', 'dram'], 'gain': 0.5, 'set': [],"
        "  'twice': {'gain': 0.25, 'set': ['b=2']}}, 'perfect': [],"
        " 'doublings': [{'parameter': 'l1.a', 'from': '1', 'to': '2', 'gain': 0.02,"
        "  'set': ['l1.a=2']}],"
        " 'choices': [{'parameter': 'l1.b', 'from': 'x', 'to': 'y', 'gain': 0.375,"
        "  'set': ['l1.b=y']}]}]}";
    g_autofree char *text = print(held_up, FALSE);
    g_autoptr(JsonNode) why = parse(held_up);
    g_autofree char *line = why_sentence(why);
    ck_assert_ptr_nonnull(
        strstr(text, "  1. issue and dram together 50.0 %: each is held up by the other\n"
                     "     issue alone 12.5 %: slots (sm.a), 75 % busy\n"
                     "     l1.b x -> y gains 37.5 %: --set l1.b=y\n"
                     "     what is full, twice as large or fast, gains 25.0 %: --set b=2\n"
                     "     l1.a 1 -> 2 gains 2.0 %: --set l1.a=2\n"));
    ck_assert_str_eq(line, "issue and dram together 50.0 % (issue 12.5 %)");
}
END_TEST

START_TEST(where_nothing_gains_that_is_the_answer)
{
    g_autofree char *text = print("{'scenario': 'Idle', 'variant': 'baseline', 'runs': 3,"
                                  " 'end': 'complete', 'layers': [{'time_ns': 10}]}",
                                  FALSE);
    ck_assert_ptr_nonnull(strstr(text, "  1. nothing: no perfect component by itself gains 1 %\n"));
}
END_TEST

START_TEST(a_line_has_the_layers_and_what_gains_more_together)
{
    g_autoptr(JsonNode) why = parse(answer);
    g_autofree char *line = why_sentence(why);
    ck_assert_str_eq(line, "translation 25.0 %, then dram 50.0 % (dram, l2_latency and network "
                           "together 62.5 %)");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("why_text");
    TCase *cases = tcase_create("why_text");
    tcase_add_test(cases, the_conclusion_stands_first_a_layer_after_the_other);
    tcase_add_test(cases, details_say_what_is_better_what_is_worse_and_what_failed);
    tcase_add_test(cases, what_gains_most_comes_first);
    tcase_add_test(cases, where_nothing_gains_that_is_the_answer);
    tcase_add_test(cases, a_line_has_the_layers_and_what_gains_more_together);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
