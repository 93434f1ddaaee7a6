/* The halves of L2 as SimGrid has them: four slices, the first two and the last two a half; or each
 * one of four. */
#include "platform/network/links/halves.h"

#include <simgrid/link.h>

#include "platform/network/platform.h"
#include "rigs/harness.h"

/* Slices' own links 16 and 32 B a ns, between the halves 100 B after 24 ns and 200 after 20. */
static void init(HalvesLinks *halves, uint32_t count)
{
    halves_init(halves, 4, count);
    halves_set(halves, NETWORK_REQUEST, &(NetworkLink){.bandwidth = 16},
               &(NetworkLink){.bandwidth = 100, .latency = 24.1875});
    halves_set(halves, NETWORK_REPLY, &(NetworkLink){.bandwidth = 32},
               &(NetworkLink){.bandwidth = 200, .latency = 20});
}

static void start(Simulation *simulation, const HalvesLinks *halves)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = halves_describe(halves, network_describe_stars(NULL, 1));
    ck_assert_msg(simulation_start_engine_on(simulation, text, &error), "%s",
                  error ? error->message : "");
}

static void expect(const NetworkLink *link, double bandwidth, double latency)
{
    ck_assert_double_eq(link->bandwidth, bandwidth);
    ck_assert_double_eq(link->latency, latency);
}

/* Two halves; four. */
START_TEST(what_is_written_of_a_way_is_read)
{
    const uint32_t count = _i ? 4 : 2;
    HalvesLinks halves;
    g_autoptr(Simulation) simulation = simulation_new(1);
    init(&halves, count);
    start(simulation, &halves);
    for (NetworkRole way = 0; way < NETWORKS; way++)
        halves_set(&halves, way, &(NetworkLink){0}, &(NetworkLink){0});
    ck_assert(halves_read_back(&halves, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        expect(&halves.own[NETWORK_REQUEST][i], 16, 0);
        expect(&halves.own[NETWORK_REPLY][i], 32, 0);
    }
    for (uint32_t k = 0; k < count * (count - 1); k++) {
        expect(&halves.between[NETWORK_REQUEST][k].link, 100, 24.1875);
        expect(&halves.between[NETWORK_REPLY][k].link, 200, 20);
    }
    halves_finish(&halves);
}
END_TEST

/* A slice's own link is its own; the one from die to die is all its half's. */
START_TEST(what_SimGrid_is_told_of_a_link_holds_for_those_that_take_it)
{
    HalvesLinks halves;
    g_autoptr(Simulation) simulation = simulation_new(1);
    init(&halves, 2);
    start(simulation, &halves);
    sg_link_set_bandwidth(sg_link_by_name("cross-reply-link-1"), 4);
    sg_link_set_latency(sg_link_by_name("request-half-1-to-0"), 60);
    sg_link_set_bandwidth(sg_link_by_name("reply-half-0-to-1"), 50);
    ck_assert(halves_read_back(&halves, NULL));
    for (uint32_t i = 0; i < 4; i++) expect(&halves.own[NETWORK_REPLY][i], i == 1 ? 4 : 32, 0);
    for (uint32_t from = 0; from < 2; from++) {
        const uint32_t k = halves_link(&halves, from, !from);
        expect(&halves.between[NETWORK_REQUEST][k].link, 100, from ? 60 : 24.1875);
        expect(&halves.between[NETWORK_REPLY][k].link, from ? 200 : 50, 20);
    }
    halves_finish(&halves);
}
END_TEST

START_TEST(each_half_has_a_link_to_each_other_and_none_to_itself)
{
    static const char *const names[] = {"request-half-0-to-1", "request-half-0-to-2",
                                        "request-half-1-to-2", "request-half-1-to-0",
                                        "request-half-2-to-0", "request-half-2-to-1"};
    HalvesLinks halves;
    halves_init(&halves, 3, 3);
    for (uint32_t k = 0; k < G_N_ELEMENTS(names); k++) {
        const HalvesLink *link = &halves.between[NETWORK_REQUEST][k];
        ck_assert_str_eq(link->name, names[k]);
        ck_assert_uint_eq(halves_link(&halves, link->from, link->to), k);
    }
    halves_finish(&halves);
}
END_TEST

START_TEST(a_platform_without_halves_is_no_platform_of_them)
{
    HalvesLinks halves, none;
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    halves_init(&none, 0, 1);
    start(simulation, &none);
    ck_assert(halves_read_back(&none, NULL));
    init(&halves, 2);
    ck_assert(!halves_read_back(&halves, &error));
    ck_assert_str_eq(error->message, "the SimGrid platform lacks host cross-request-0");
    halves_finish(&halves);
    halves_finish(&none);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("halves");
    tcase_add_loop_test(cases, what_is_written_of_a_way_is_read, 0, 2);
    tcase_add_test(cases, what_SimGrid_is_told_of_a_link_holds_for_those_that_take_it);
    tcase_add_test(cases, each_half_has_a_link_to_each_other_and_none_to_itself);
    tcase_add_test(cases, a_platform_without_halves_is_no_platform_of_them);
    return harness_run_cases("halves", cases);
}
