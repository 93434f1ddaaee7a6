/* What the SM tells the dispatcher of stores and reductions that outlive their warps. */
#include "rig.h"

static void assert_acknowledged(const Rig *rig, guint number, uint64_t cycle, uint32_t launch)
{
    const CtaMessage *told = told_at(rig, number, cycle);
    ck_assert_uint_eq(told->cta, CTA_ALL_ACKNOWLEDGED);
    ck_assert_uint_eq(told->launch, launch);
}

START_TEST(what_a_cta_leaves_unacknowledged_is_told_of_when_it_is)
{
    static const Instruction code[] = {STORE, REDUCTION, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    ck_assert(told_at(rig, 0, 22 + LEFT + 1)->owes);
    assert_acknowledged(rig, 1, 22 + BACK + 1, 0);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 2);
}
END_TEST

START_TEST(a_cta_that_only_loads_leaves_nothing)
{
    static const Instruction code[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    launch(rig, add_script(rig, 32, code), 0, 20);
    run(rig);
    ck_assert(!told_at(rig, 0, 21 + BACK + 1)->owes);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 1);
}
END_TEST

/* The second CTA ends while the dispatcher knows that the first one's store is on its way: one
 * message is for both. */
START_TEST(an_SM_tells_once_for_all_ctas_of_a_launch)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    launch(rig, script, 0, 20);
    launch(rig, script, 1, 50);
    run(rig);
    ck_assert(told_at(rig, 0, 21 + LEFT + 1)->owes);
    ck_assert(!told_at(rig, 1, 51 + LEFT + 1)->owes);
    assert_acknowledged(rig, 2, 51 + BACK + 1, 0);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 3);
}
END_TEST

START_TEST(concurrent_launches_are_acknowledged_apart)
{
    static const Instruction code[] = {STORE, DO(EXIT)};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *script = add_script(rig, 32, code);
    for (uint32_t i = 0; i < 2; i++) {
        launch(rig, script, CTA_KERNEL_START, 10);
        rig->launch[i].number = i;
    }
    for (uint32_t i = 0; i < 2; i++) {
        launch(rig, script, i, 20 + 30 * i);
        rig->launch[2 + i].number = i;
    }
    run(rig);
    ck_assert(told_at(rig, 2, 21 + LEFT + 1)->owes);
    ck_assert(told_at(rig, 3, 51 + LEFT + 1)->owes);
    assert_acknowledged(rig, 4, 21 + BACK + 1, 0);
    assert_acknowledged(rig, 5, 51 + BACK + 1, 1);
}
END_TEST

HARNESS_MAIN("acknowledgements", what_a_cta_leaves_unacknowledged_is_told_of_when_it_is,
             a_cta_that_only_loads_leaves_nothing, an_SM_tells_once_for_all_ctas_of_a_launch,
             concurrent_launches_are_acknowledged_apart)
