/* What nobody has stated, of the parameters that a bound rests on. */
#include <string.h>

#include "program/compare/result_pair.h"
#include "rigs/program.h"
#include "scenarios/program/origin/place.h"
#include "scenarios/program/origin/rests_on.h"

#define ORIGIN(text) "\"mmu\": {\"lookups_per_cycle\": \"" text "\"}"
#define MACHINE(text) ", \"machine\": {\"name\": \"" text "\"}"

static const struct {
    double use;
    const char *origins, *sentence;
} rows[] = {
    {0.99, ORIGIN("default") MACHINE("platform/presets/v100.ini:19"),
     "rests on mmu.lookups_per_cycle = 4, a default that v100 does not state"},
    {0.99, ORIGIN("default") MACHINE("default"),
     "rests on mmu.lookups_per_cycle = 4, a default that the scenario does not state"},
    {0.99, ORIGIN("platform/presets/a100.ini:31 (assumed)"),
     "rests on mmu.lookups_per_cycle = 4, which a100 calls assumed"},
    {0.99, ORIGIN("platform/presets/a100.ini:31"), NULL},
    {0.99, ORIGIN("set"), NULL},
    {0.99, NULL, NULL},
    {0.1, ORIGIN("default"), NULL}, /* bounds nothing */
};

START_TEST(a_bound_says_what_it_rests_on_that_nobody_has_stated)
{
    const Case one = {.time_us = 100,
                      .use = rows[_i].use,
                      .unit = "mmu",
                      .resource = "tlb_ports",
                      .parameters = "\"mmu\": {\"lookups_per_cycle\": \"4\"}",
                      .origins = rows[_i].origins};
    g_autoptr(JsonNode) result = result_of(&one);
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autofree char *sentence = rests_on_sentence(result, verdict);
    ck_assert_msg(!g_strcmp0(sentence, rows[_i].sentence), "'%s'", sentence ? sentence : "none");
}
END_TEST

#define LINKS                                                                                      \
    ", \"destination_links\": {\"kind\": \"server\", \"instances\": 4, \"capacity\": 1,"           \
    " \"mean\": 0.99, \"use\": 0.99, \"full\": 0.99, \"refused\": 0}"

START_TEST(what_two_bounds_rest_on_is_said_once)
{
    static char first[] = "crossbar[reply].source_links",
                second[] = "crossbar[reply].destination_links";
    char *ends[] = {first, second, NULL};
    const Case one = {.time_us = 100,
                      .use = 0.99,
                      .unit = "crossbar[reply]",
                      .resource = "source_links",
                      .parameters = "\"machine\": {\"network_clock\": \"1 GHz\"}",
                      .origins = "\"machine\": {\"network_clock\": \"a100.ini:3 (assumed)\"}",
                      .more = LINKS};
    g_autoptr(JsonNode) result = result_of(&one);
    g_autofree char *sentence = rests_on_sentence(result, &(Verdict){.ends = ends});
    ck_assert_str_eq(sentence, "rests on machine.network_clock = 1 GHz, which a100 calls assumed");
}
END_TEST

START_TEST(a_comment_belongs_to_what_stands_below_it)
{
    static const char text[] = "# assumed: two of them,\n"
                               "# as usual\n"
                               "a = 1\n"
                               "b = 2\n"
                               "# measured, not unassumed\n"
                               "c = 3\n"
                               "# measured; which it is is assumed\n"
                               "d = 4\n"
                               "\n"
                               "e = 5\n"
                               "# assumed\n"
                               "[group]\n"
                               "f = 6\n";
    static const struct {
        int line;
        bool assumed;
    } settings[] = {{3, true},   {4, true},   {6, false}, {8, true},
                    {10, false}, {13, false}, {0, false}, {99, false}};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "machine.ini", text);
    g_autoptr(Places) places = places_new();
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const Setting setting = {.file = file, .line = settings[i].line};
        ck_assert_msg(places_assumed(places, &setting) == settings[i].assumed, "line %d",
                      settings[i].line);
    }
    ck_assert(!places_assumed(places, NULL));
    ck_assert(!places_assumed(places, &(Setting){.file = NULL}));
    temporary_remove(folder);
}
END_TEST

/* No source has what a pass takes on Fermi. */
START_TEST(conflicts_rest_on_what_a_pass_takes)
{
    char *folder = temporary_folder();
    const Outcome run = warpmem(folder, "run bank-conflicts --variant many-8-way "
                                        "--set scenario.extends=gtx480 --set machine.sms=1");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert_ptr_nonnull(
        strstr(run.out, "l1.replay_interval = 2 cycles, which gtx480 calls assumed\n"));
    temporary_remove(folder);
}
END_TEST

/* Without a preset: what drives the bus is said by the second variant only. */
static const char own[] = "[scenario]\ntitle = Own\n"
                          "[machine]\nsms = 4\npartitions = 1\nslices_per_partition = 1\n"
                          "core_clock = 1000 MHz\nnetwork_clock = 1000 MHz\n"
                          "l2_clock = 1000 MHz\ndram_clock = 800 MHz\n"
                          "[workload]\npattern = stream\narray_bytes = 64 KiB\n"
                          "[variant stated]\ndram.data_rate = 2\ndram.channel_width = 8 B\n";

START_TEST(a_run_flags_a_default_and_nothing_that_the_scenario_states)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "own.ini", own);
    const Outcome unsaid = warpmem(folder, "run own.ini --variant baseline"),
                  stated = warpmem(folder, "run own.ini --variant stated"),
                  both = warpmem(folder, "run own.ini -o out"),
                  page = warpmem(folder, "report out/baseline -o page.html"),
                  pair = warpmem(folder, "report out -o pair.html");
    ck_assert_msg(unsaid.status == 0 && stated.status == 0 && page.status == 0, "%s",
                  unsaid.errors);
    ck_assert_msg(strstr(unsaid.out, "\n    which rests on dram.data_rate = 2, a default that the "
                                     "scenario does not state; dram.channel_width = 8 B, "),
                  "%s", unsaid.out);
    ck_assert_ptr_nonnull(strstr(stated.out, "bound by DRAM bus"));
    ck_assert_ptr_null(strstr(stated.out, "rests on"));
    ck_assert_ptr_nonnull(strstr(both.out, "\n  not stated: the bound of baseline rests on dram."));
    g_autofree char *html = contents(folder, "page.html");
    ck_assert_ptr_nonnull(strstr(html, "rests on dram.data_rate = 2, a default"));
    ck_assert_int_eq(pair.status, 0);
    g_autofree char *compared = contents(folder, "pair.html");
    ck_assert_ptr_nonnull(strstr(compared, "the bound of baseline rests on dram.data_rate = 2"));
    temporary_remove(folder);
}
END_TEST

/* Of the V100: two rows below one comment. */
START_TEST(show_says_what_is_assumed)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "v100.ini",
                                           "[scenario]\nextends = v100\n"
                                           "[workload]\npattern = stream\n");
    const Outcome shown = warpmem(folder, "show v100.ini");
    ck_assert(g_regex_match_simple(" l1_to_texture +1 cycle +platform/presets/v100\\.ini:\\d+ "
                                   "\\(assumed\\)\n",
                                   shown.out, 0, 0));
    ck_assert(
        g_regex_match_simple(" sms +80 +platform/presets/v100\\.ini:\\d+\n", shown.out, 0, 0));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rests_on");
    tcase_add_loop_test(cases, a_bound_says_what_it_rests_on_that_nobody_has_stated, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, what_two_bounds_rest_on_is_said_once);
    tcase_add_test(cases, a_comment_belongs_to_what_stands_below_it);
    tcase_add_test(cases, conflicts_rest_on_what_a_pass_takes);
    tcase_add_test(cases, a_run_flags_a_default_and_nothing_that_the_scenario_states);
    tcase_add_test(cases, show_says_what_is_assumed);
    return harness_run_cases("rests_on", cases);
}
