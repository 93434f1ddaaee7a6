/* What a comparison comes to, in five lines. */
#include <string.h>

#include "program/compare/result_pair.h"
#include "rigs/program.h"
#include "scenarios/program/compare/conclusion.h"

static char *conclude(const Case *cases, guint count)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    for (guint i = 0; i < count; i++) g_ptr_array_add(results, result_of(&cases[i]));
    return printed((JsonNode *const *)results->pdata, count, conclusion_print);
}

#define DRAM(name, time)                                                                           \
    {                                                                                              \
        .variant = name, .time_us = time, .use = 0.9                                               \
    }
#define DRAM_SAYS(time, start)                                                                     \
    "  baseline " start time " us, bound by DRAM bus (dram_channel.data_bus): busy 90 % of the "   \
    "time\n"

START_TEST(the_fastest_comes_first_and_what_has_no_effect_last)
{
    static const Case cases[] = {DRAM("baseline", 100), DRAM("same", 100.5), DRAM("better", 90),
                                 DRAM("best", 80), DRAM("as-good", 99.5)};
    g_autofree char *text = conclude(cases, G_N_ELEMENTS(cases));
    ck_assert_str_eq(
        text,
        DRAM_SAYS("100", "takes ") "  best is fastest, -20.0 %: DRAM bus with 20 % less to do\n"
                                   "  better -10.0 %: DRAM bus with 10 % less to do\n"
                                   "  as-good, same: no effect (less than 1 %)\n");
}
END_TEST

START_TEST(a_first_result_that_nothing_beats_is_said_to_be_fastest)
{
    static const Case cases[] = {
        DRAM("baseline", 100),
        {.variant = "slow", .time_us = 150, .use = 0.95, .unit = "mmu", .resource = "tlb_ports"}};
    g_autofree char *text = conclude(cases, G_N_ELEMENTS(cases));
    ck_assert_str_eq(
        text,
        DRAM_SAYS("100", "is fastest: ") "  slow +50.0 %: now bound by ports of the L2 TLB\n");
}
END_TEST

/* One that rests on what nobody has stated leaves a line less to what moved. */
START_TEST(many_results_take_five_lines)
{
    static const Case cases[] = {DRAM("baseline", 100), DRAM("a", 99.9), DRAM("b", 60),
                                 DRAM("c", 70),         DRAM("d", 80),   DRAM("e", 120),
                                 DRAM("f", 100.1),      DRAM("g", 140)};
    g_autofree char *text = conclude(cases, G_N_ELEMENTS(cases));
    ck_assert_str_eq(
        text, DRAM_SAYS("100", "takes ") "  b is fastest, -40.0 %: DRAM bus with 40 % less to do\n"
                                         "  c -30.0 %: DRAM bus with 30 % less to do\n"
                                         "  and 3 more, from -20.0 % to +40.0 %\n"
                                         "  a, f: no effect (less than 1 %)\n");
    Case doubtful[G_N_ELEMENTS(cases)];
    memcpy(doubtful, cases, sizeof cases);
    doubtful[1].parameters = "\"dram\": {\"data_rate\": \"2\"}";
    doubtful[1].origins = "\"dram\": {\"data_rate\": \"default\"}";
    g_autofree char *other = conclude(doubtful, G_N_ELEMENTS(cases));
    ck_assert_str_eq(
        other,
        DRAM_SAYS(
            "100",
            "takes ") "  b is fastest, -40.0 %: DRAM bus with 40 % less to do\n"
                      "  and 4 more, from -30.0 % to +40.0 %\n"
                      "  a, f: no effect (less than 1 %)\n"
                      "  not stated: the bound of a rests on dram.data_rate = 2, a default\n");
}
END_TEST

#define PORTS(name, time, value, origin)                                                           \
    {                                                                                              \
        .variant = name, .time_us = time, .use = 0.99, .unit = "mmu", .resource = "tlb_ports",     \
        .parameters = "\"mmu\": {\"lookups_per_cycle\": \"" value "\"}",                           \
        .origins = "\"mmu\": {\"lookups_per_cycle\": \"" origin "\"}"                              \
    }

START_TEST(what_nobody_has_stated_is_said_once_of_all_that_rest_on_it)
{
    static const Case cases[] = {PORTS("baseline", 100, "4", "default"),
                                 PORTS("other", 100, "4", "default"),
                                 PORTS("guess", 100, "8", "platform/presets/a100.ini:7 (assumed)"),
                                 PORTS("stated", 100, "4", "platform/presets/k80.ini:7")};
    g_autofree char *text = conclude(cases, G_N_ELEMENTS(cases));
    const char *rest = strstr(text, "  not stated");
    ck_assert_msg(rest != NULL, "%s", text);
    ck_assert_str_eq(rest, "  not stated: the bound of baseline, other rests on "
                           "mmu.lookups_per_cycle = 4, a default; the bound of guess rests on "
                           "mmu.lookups_per_cycle = 8, assumed\n");
}
END_TEST

/* What has changed is one kernel's of several that are unlike. */
START_TEST(a_run_concludes_as_a_comparison_of_its_results_does)
{
    char *folder = temporary_folder();
    g_autofree char *five = g_strdup_printf(
        "[scenario]\ntitle = Five\nextends = %s/scenarios/own-code/five-kernels.ini\n"
        "[variant wide]\nnetwork.reply_source_bandwidth = 80 B/cycle\n",
        g_getenv("WARPMEM_ROOT"));
    g_free(temporary_file(folder, "five.ini", five));
    const Outcome run = warpmem(folder, "run five.ini -o out"),
                  pair = warpmem(folder, "compare out");
    const char *end = strstr(run.out, "  baseline takes "),
               *same = strstr(pair.out, "  baseline takes ");
    ck_assert_msg(end && strstr(end, "\n  wide is fastest, ")
                      && strstr(end, ": in gather, faster "),
                  "%s", run.out);
    ck_assert_str_eq(end, same);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {the_fastest_comes_first_and_what_has_no_effect_last,
                                  a_first_result_that_nothing_beats_is_said_to_be_fastest,
                                  many_results_take_five_lines,
                                  what_nobody_has_stated_is_said_once_of_all_that_rest_on_it,
                                  a_run_concludes_as_a_comparison_of_its_results_does};
    TCase *cases = tcase_create("conclusion");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases("conclusion", cases);
}
