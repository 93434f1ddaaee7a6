/* Which tile units run on. */
#include <signal.h>

#include "platform/machine/deployment.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static Machine *make(const char *settings)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    return machine_new(configuration, NULL, NULL);
}

START_TEST(each_deployment_has_its_tiles)
{
    static const uint32_t expected[] = {
        [DEPLOY_AUTO] = 1, [DEPLOY_SM] = 1 + 3 + 3, [DEPLOY_UNIT] = 1 + 3 * 4 + 2 + 6 * 4 + 2};
    g_autoptr(Machine) machine = make("machine.slices_per_partition = 2");
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        uint32_t tiles;
        g_free(deployment_lay_out(machine_simulation(machine), (Deployment)i, 2, &tiles));
        ck_assert_uint_eq(tiles, expected[i]);
    }
}
END_TEST

START_TEST(each_core_has_a_tile_of_its_own)
{
    g_autoptr(Machine) machine = make(NULL);
    const Simulation *simulation = machine_simulation(machine);
    uint32_t tiles, seen = 0;
    g_autofree Seat *seat = deployment_lay_out(simulation, DEPLOY_SM, 1, &tiles);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (!g_str_has_prefix(unit->path, "sm[")) continue;
        ck_assert_uint_eq(seat[i].tile, 1 + unit->number);
        seen++;
    }
    ck_assert_uint_eq(seen, 3 * 4);
}
END_TEST

/* One that says nothing is none of memory. */
START_TEST(a_unit_without_a_place_is_on_no_tile)
{
    static const Param params[] = {PARAM_END};
    static const UnitClass nowhere = {.name = "nowhere", .size = sizeof(Unit), .params = params};
    uint32_t tiles;
    g_autoptr(Simulation) simulation = simulation_new(1);
    const Clock *clock = simulation_add_clock(simulation, "core", 1000000000);
    simulation_add_unit(simulation, &nowhere, "nowhere", 0, clock);
    deployment_lay_out(simulation, (Deployment)_i, 1, &tiles);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("deployment");
    tcase_add_test(cases, each_deployment_has_its_tiles);
    tcase_add_test(cases, each_core_has_a_tile_of_its_own);
    tcase_add_loop_test_raise_signal(cases, a_unit_without_a_place_is_on_no_tile, SIGTRAP,
                                     DEPLOY_AUTO, DEPLOY_UNIT);
    return harness_run_cases("deployment", cases);
}
