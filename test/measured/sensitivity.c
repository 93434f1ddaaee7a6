/* What moves the quickstart's machine: the shipped studies, planned, run and ranked. */
#include "rigs/harness.h"
#include "rigs/program.h"

/* The lines of the ranking by time, the strongest dimension first, after a line of heads. */
static GStrv ranking_of(const char *scenario)
{
    char *folder = temporary_folder();
    g_autofree char *plan = g_strdup_printf("study plan %s -o study", scenario);
    const char *const commands[] = {plan, "study run study -j 2 -q",
                                    "study sensitivity study --on time_ns --csv"};
    g_auto(GStrv) lines = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        const Outcome run = warpmem(folder, commands[i]);
        ck_assert_msg(run.status == 0, "%s: %s", commands[i], run.errors);
        g_strfreev(lines);
        lines = g_strsplit(run.out, "\n", -1);
    }
    temporary_remove(folder);
    return g_steal_pointer(&lines);
}

static void assert_rank(char **lines, guint rank, const char *dimension)
{
    g_autofree char *begin = g_strdup_printf("%u,%s,", rank, dimension);
    ck_assert_msg(g_str_has_prefix(lines[rank], begin), "not '%s': %s", begin, lines[rank]);
}

START_TEST(the_clock_of_DRAM_moves_a_stream_most)
{
    g_auto(GStrv) lines = ranking_of("sensitivity");
    assert_rank(lines, 1, "machine.dram_clock");
}
END_TEST

/* And what lies behind L2 does not move it at all. */
START_TEST(the_latency_of_L2_moves_a_chase_through_L2_most)
{
    g_auto(GStrv) lines = ranking_of("sensitivity-chase");
    assert_rank(lines, 1, "l2_slice.hit_latency");
    assert_rank(lines, 2, "machine.network_clock");
    for (char **line = lines + 1; **line; line++)
        if (strstr(*line, ",machine.dram_clock,")) ck_assert(strstr(*line, ",0,0,,3,0,yes,no"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("study_sensitivity");
    tcase_set_timeout(cases, 280);
    tcase_add_test(cases, the_clock_of_DRAM_moves_a_stream_most);
    tcase_add_test(cases, the_latency_of_L2_moves_a_chase_through_L2_most);
    Suite *suite = suite_create("study_sensitivity");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
