/* Places of SMs and slices, and the wires between them in SimGrid's platform. */
#include "platform/network/links/places.h"

#include <simgrid/link.h>

#include "rigs/harness.h"

static const Clock clock_1ghz = {.period = TIME_NS};

typedef struct {
    Configuration *configuration;
    NetworkParams params;
    NetworkRoutes routes[NETWORKS];
    GError *error;
} Plan;

static void set_places(Plan *plan, const char *key, const char *text)
{
    configuration_set(plan->configuration, "network", key, text, "places.ini", 7);
}

/* Four SMs and eight slices, of so many halves. NULL: not set. */
static bool plan_init(Plan *plan, const char *sms, const char *slices, uint64_t halves)
{
    *plan = (Plan){.configuration = configuration_new()};
    if (sms) set_places(plan, "sm_places", sms);
    if (slices) set_places(plan, "slice_places", slices);
    ck_assert(configuration_apply(plan->configuration, &network_group, &plan->params, NULL));
    network_routes_init(plan->routes, 4, 8);
    return places_init(plan->routes, &plan->params, halves, plan->configuration, &clock_1ghz,
                       &plan->error);
}

static void plan_finish(Plan *plan)
{
    network_routes_finish(plan->routes);
    param_clear(network_group.params, &plan->params);
    configuration_free(plan->configuration);
    g_clear_error(&plan->error);
}

static double wire_ns(const Plan *plan, NetworkRole role, uint32_t source, uint32_t destination)
{
    const NetworkWires *wires = &plan->routes[role].wires;
    return wires->wire[network_wire(wires, source, destination)].latency;
}

START_TEST(a_wire_is_as_long_as_two_places_are_apart)
{
    Plan plan;
    ck_assert(plan_init(&plan, "2 cycles, 12 ns", "0 ns, 4.5 ns, 9 ns, 13 ns", 1));
    static const double first[] = {2, 2.5, 7, 11}, last[] = {12, 7.5, 3, 1};
    for (uint32_t slice = 0; slice < 8; slice++) {
        ck_assert_double_eq_tol(wire_ns(&plan, NETWORK_REQUEST, 1, slice), first[slice / 2], 1e-9);
        ck_assert_double_eq_tol(wire_ns(&plan, NETWORK_REQUEST, 2, slice), last[slice / 2], 1e-9);
        ck_assert_double_eq_tol(wire_ns(&plan, NETWORK_REPLY, slice, 3), last[slice / 2], 1e-9);
    }
    plan_finish(&plan);
}
END_TEST

/* SMs 0 and 1 are of the one half, slices 0 to 3, too. */
START_TEST(each_half_has_all_places)
{
    Plan plan;
    ck_assert(plan_init(&plan, "0 ns, 10 ns", "0 ns, 2 ns", 2));
    const NetworkWires *wires = &plan.routes[NETWORK_REQUEST].wires;
    static const uint32_t slices[] = {0, 0, 1, 1, 0, 0, 1, 1};
    for (uint32_t sm = 0; sm < 4; sm++) ck_assert_uint_eq(wires->source_place[sm], sm % 2);
    for (uint32_t slice = 0; slice < 8; slice++)
        ck_assert_uint_eq(wires->destination_place[slice], slices[slice]);
    plan_finish(&plan);
}
END_TEST

START_TEST(what_SimGrid_is_told_of_a_wire_holds_for_its_places)
{
    Plan plan;
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    ck_assert(plan_init(&plan, "0 ns, 13 ns", "0 ns, 3 ns", 1));
    g_autofree char *text = places_describe(plan.routes, network_describe_stars(NULL, 1));
    ck_assert_msg(simulation_start_engine_on(simulation, text, &error), "%s",
                  error ? error->message : "");
    sg_link_set_latency(sg_link_by_name("request-wire-1-to-0"), 20);
    sg_link_set_latency(sg_link_by_name("reply-wire-1-to-0"), 8);
    for (uint32_t k = 0; k < 4; k++) plan.routes[NETWORK_REQUEST].wires.wire[k].latency = 0;
    ck_assert(places_read_back(plan.routes, NULL));
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REQUEST, 0, 0), 0);
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REQUEST, 0, 7), 3);
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REQUEST, 3, 0), 20);
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REQUEST, 3, 7), 10);
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REPLY, 7, 0), 8);
    ck_assert_double_eq(wire_ns(&plan, NETWORK_REPLY, 0, 3), 13);
    plan_finish(&plan);
}
END_TEST

START_TEST(without_places_all_wires_are_as_long)
{
    Plan plan;
    ck_assert(plan_init(&plan, NULL, NULL, 1));
    ck_assert_ptr_null(plan.routes[NETWORK_REQUEST].wires.wire);
    g_autofree char *text = places_describe(plan.routes, g_strdup("no platform"));
    ck_assert_str_eq(text, "no platform");
    ck_assert(places_read_back(plan.routes, NULL));
    plan_finish(&plan);
}
END_TEST

static const struct {
    const char *sms, *slices, *message;
} refused[] = {
    {"0 ns", NULL, "network.sm_places = 0 ns: and network.slice_places says nothing"},
    {NULL, "0 ns", "network.slice_places = 0 ns: and network.sm_places says nothing"},
    {"0 ns, near", "0 ns", "network.sm_places = 0 ns, near: 'near': a place is 0 to 1000 cycles"},
    {"0 ns", "0 ns, 2 us", "network.slice_places = 0 ns, 2 us: '2 us': a place is 0 to"},
    {"0 ns", "1001 cycles", "'1001 cycles': a place is 0 to"},
    {"0 ns", "1 ns,", "'': a place is 0 to"},
};

START_TEST(what_is_no_list_of_places_is_said)
{
    Plan plan;
    ck_assert(!plan_init(&plan, refused[_i].sms, refused[_i].slices, 1));
    ck_assert_msg(strstr(plan.error->message, refused[_i].message), "%s", plan.error->message);
    ck_assert_msg(g_str_has_prefix(plan.error->message, "places.ini:7: "), "%s",
                  plan.error->message);
    plan_finish(&plan);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("places");
    tcase_add_test(cases, a_wire_is_as_long_as_two_places_are_apart);
    tcase_add_test(cases, each_half_has_all_places);
    tcase_add_test(cases, what_SimGrid_is_told_of_a_wire_holds_for_its_places);
    tcase_add_test(cases, without_places_all_wires_are_as_long);
    tcase_add_loop_test(cases, what_is_no_list_of_places_is_said, 0, G_N_ELEMENTS(refused));
    return harness_run_cases("places", cases);
}
