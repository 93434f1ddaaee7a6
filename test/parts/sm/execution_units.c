#include "parts/sm/execution_units.h"

#include <check.h>

#include "rigs/harness.h"

enum { CYCLE = 10 };

static ExecutionUnits cores_of(PoolShape shape, UnitSharing wiring, uint32_t schedulers)
{
    ExecutionUnits units;
    execution_units_init(&units);
    ck_assert(execution_units_set(&units, POOL_CORE, &shape, wiring, schedulers, CYCLE));
    return units;
}

/* Warps that scheduler s gets into the cores in `cycles` cycles from 100 on. */
static uint32_t accepted_by(ExecutionUnits *units, uint32_t s, uint32_t cycles)
{
    uint32_t accepted = 0;
    for (uint32_t k = 0; k < cycles; k++)
        for (uint64_t now = 100 + k * CYCLE; execution_units_accept(units, POOL_CORE, s, now);
             accepted++)
            execution_units_enter(units, POOL_CORE, s, 0, now);
    return accepted;
}

START_TEST(two_units_of_16_lanes_accept_as_many_as_four_of_8)
{
    ExecutionUnits wide = cores_of((PoolShape){2, 16, UNITS_PRIVATE, 32}, UNITS_PRIVATE, 1);
    ExecutionUnits narrow = cores_of((PoolShape){4, 8, UNITS_PRIVATE, 32}, UNITS_PRIVATE, 1);
    ck_assert_uint_eq(wide.pool[POOL_CORE].occupancy, 2 * CYCLE);
    ck_assert_uint_eq(narrow.pool[POOL_CORE].occupancy, 4 * CYCLE);
    ck_assert_uint_eq(accepted_by(&wide, 0, 40), 40);
    ck_assert_uint_eq(accepted_by(&narrow, 0, 40), 40);
}
END_TEST

START_TEST(lanes_that_do_not_divide_a_warp_leave_some_idle)
{
    const ExecutionUnits units = cores_of((PoolShape){1, 12, UNITS_PRIVATE, 32}, UNITS_PRIVATE, 1);
    ck_assert_uint_eq(units.pool[POOL_CORE].occupancy, 3 * CYCLE);
}
END_TEST

START_TEST(a_warp_of_64_lanes_passes_16_lanes_in_four_cycles)
{
    ExecutionUnits units = cores_of((PoolShape){1, 16, UNITS_PRIVATE, 64}, UNITS_PRIVATE, 1);
    ck_assert_uint_eq(units.pool[POOL_CORE].occupancy, 4 * CYCLE);
    ck_assert_uint_eq(accepted_by(&units, 0, 40), 10);
}
END_TEST

/* Eight units of 32 lanes; scheduler 0 takes all it reaches, then scheduler 1, 2 and 3. */
START_TEST(a_scheduler_reaches_its_own_the_halfs_or_all_units)
{
    static const struct {
        UnitSharing sharing, wiring;
        uint32_t got[4];
    } rows[] = {
        {UNITS_PRIVATE, UNITS_PRIVATE, {2, 2, 2, 2}}, {UNITS_OF_HALF, UNITS_PRIVATE, {4, 0, 4, 0}},
        {UNITS_PRIVATE, UNITS_OF_HALF, {4, 0, 4, 0}}, {UNITS_OF_SM, UNITS_PRIVATE, {8, 0, 0, 0}},
        {UNITS_OF_HALF, UNITS_OF_SM, {8, 0, 0, 0}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        ExecutionUnits units = cores_of((PoolShape){8, 32, rows[i].sharing, 32}, rows[i].wiring, 4);
        for (uint32_t s = 0; s < 4; s++)
            ck_assert_msg(accepted_by(&units, s, 1) == rows[i].got[s], "row %u, scheduler %u", i,
                          s);
    }
}
END_TEST

START_TEST(an_odd_scheduler_is_a_half_of_its_own)
{
    ck_assert_uint_eq(execution_units_groups(UNITS_OF_HALF, 3), 2);
    ExecutionUnits units = cores_of((PoolShape){2, 32, UNITS_OF_HALF, 32}, UNITS_PRIVATE, 3);
    ck_assert_uint_eq(accepted_by(&units, 1, 1), 1);
    ck_assert_uint_eq(accepted_by(&units, 0, 1), 0);
    ck_assert_uint_eq(accepted_by(&units, 2, 1), 1);
}
END_TEST

START_TEST(units_must_divide_equally)
{
    const PoolShape three = {3, 16, UNITS_OF_HALF, 32};
    ExecutionUnits units;
    execution_units_init(&units);
    ck_assert(!execution_units_set(&units, POOL_SFU, &three, UNITS_PRIVATE, 4, CYCLE));
    ck_assert(execution_units_set(&units, POOL_SFU, &three, UNITS_OF_SM, 4, CYCLE));
}
END_TEST

START_TEST(the_unit_that_is_free_first_is_next)
{
    ExecutionUnits units = cores_of((PoolShape){2, 8, UNITS_OF_SM, 32}, UNITS_PRIVATE, 4);
    execution_units_enter(&units, POOL_CORE, 0, 0, 100);
    ck_assert_uint_eq(execution_units_free_at(&units, POOL_CORE, 3), 0);
    execution_units_enter(&units, POOL_CORE, 3, 7, 110);
    ck_assert_uint_eq(execution_units_free_at(&units, POOL_CORE, 0), 140);
    execution_units_enter(&units, POOL_CORE, 1, 0, 140);
    ck_assert_uint_eq(execution_units_free_at(&units, POOL_CORE, 0), 157);
}
END_TEST

HARNESS_MAIN("execution_units", two_units_of_16_lanes_accept_as_many_as_four_of_8,
             lanes_that_do_not_divide_a_warp_leave_some_idle,
             a_warp_of_64_lanes_passes_16_lanes_in_four_cycles,
             a_scheduler_reaches_its_own_the_halfs_or_all_units,
             an_odd_scheduler_is_a_half_of_its_own, units_must_divide_equally,
             the_unit_that_is_free_first_is_next)
