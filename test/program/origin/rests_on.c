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
    g_autofree char *sentence = rests_on_sentence(result);
    ck_assert_msg(!g_strcmp0(sentence, rows[_i].sentence), "'%s'", sentence ? sentence : "none");
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

/* Random accesses, all of which miss the L1 TLBs. */
static const char gather[] = "[scenario]\ntitle = Gather\nextends = v100\n"
                             "[machine]\nsms = 16\npartitions = 8\npeak_bandwidth_gbps = 0\n"
                             "[mmu]\nlookups_per_cycle = 1\n"
                             "[workload]\npattern = random\nfootprint = 256 MiB\n"
                             "element_bytes = 4 B\nctas = 32\nthreads_per_cta = 256\n"
                             "iterations = 2\nin_flight = 8\n"
                             "[variant unsaid]\nmmu.lookups_per_cycle = 1\n";

/* The presets leave room for a hit latency, which no preset of another name states. */
START_TEST(a_run_flags_a_default_and_nothing_that_the_scenario_states)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "gather.ini", gather);
    const Outcome stated = warpmem(folder, "run gather.ini --variant baseline");
    ck_assert_msg(stated.status == 0, "%s", stated.errors);
    ck_assert_msg(strstr(stated.out, "bound by ports of the L2 TLB") != NULL, "%s", stated.out);
    ck_assert_ptr_null(strstr(stated.out, "rests on"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rests_on");
    tcase_add_loop_test(cases, a_bound_says_what_it_rests_on_that_nobody_has_stated, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, a_comment_belongs_to_what_stands_below_it);
    tcase_add_test(cases, a_run_flags_a_default_and_nothing_that_the_scenario_states);
    return harness_run_cases("rests_on", cases);
}
