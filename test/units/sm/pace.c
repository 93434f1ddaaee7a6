/* The SM's clock for warps that are paced, and the loads of a probe. */
#include "rig.h"

/* A chase has a chain in each CTA, whose first warp is timed; a probe's warps are all of CTA 0. */
START_TEST(loads_of_a_probe_are_measured_apart)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 96, code);
    script->kernel.probe_warps = 2;
    launch(rig, script, 0, 20);
    launch(rig, script, 1, 21);
    run(rig);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->count, 6);
    ck_assert_uint_eq(unit_histogram(rig->sm, "dependent_load_latency")->count, 2);
}
END_TEST

/* The warp starts at 21. Two paces sleep, the third is late. */
START_TEST(a_paced_warp_sleeps_until_its_time)
{
    static const Instruction code[] = {PACE(50, 0),       ALU(INT, 1, 1, 1), PACE(60, 0), LOAD(2),
                                       ALU(INT, 1, 3, 2), PACE(70, 0),       DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21 + 50},        {0, 0, 1, 21 + 51},
                                      {0, 0, 2, 21 + 60},        {0, 0, 3, 21 + 61},
                                      {0, 0, 4, 21 + 61 + BACK}, {0, 0, 5, 21 + 62 + BACK}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
}
END_TEST

/* At 21 + 30 it goes on, at 21 + 40 it ends, which needs its load of 21 + 31. */
START_TEST(a_paced_warp_ends_when_its_time_is_up)
{
    static const Instruction code[] = {PACE(30, 40), LOAD(1), PACE(40, 40), LOAD(2), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21 + 30}, {0, 0, 1, 21 + 31}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    run(rig);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 21 + 31 + BACK + 1);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("sm_pace");
    tcase_add_test(cases, loads_of_a_probe_are_measured_apart);
    tcase_add_test(cases, a_paced_warp_sleeps_until_its_time);
    tcase_add_test(cases, a_paced_warp_ends_when_its_time_is_up);
    Suite *suite = suite_create("sm_pace");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
