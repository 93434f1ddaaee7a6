/* The halves of L2 as SimGrid has them: four slices, the first two and the last two a half. */
#include "platform/network/links/halves.h"

#include <simgrid/link.h>

#include "platform/network/platform.h"
#include "rigs/harness.h"

/* Requests 16 B a ns after 24 ns, what comes back 32 B after 20 ns. */
static void init(HalvesLinks *halves)
{
    halves_init(halves, 4);
    halves_set(halves, HALVES_REQUESTS, &(NetworkLink){.bandwidth = 16, .latency = 24.1875});
    halves_set(halves, HALVES_REPLIES, &(NetworkLink){.bandwidth = 32, .latency = 20});
}

static void start(Simulation *simulation, const HalvesLinks *halves)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = halves_describe(halves, network_describe_stars(NULL, 1));
    ck_assert_msg(network_start_on(simulation, text, &error), "%s", error ? error->message : "");
}

static void expect(const NetworkLink *link, double bandwidth, double latency)
{
    ck_assert_double_eq(link->bandwidth, bandwidth);
    ck_assert_double_eq(link->latency, latency);
}

START_TEST(what_is_written_of_a_way_is_read)
{
    HalvesLinks halves;
    g_autoptr(Simulation) simulation = simulation_new(1);
    init(&halves);
    start(simulation, &halves);
    halves_set(&halves, HALVES_REQUESTS, &(NetworkLink){0});
    halves_set(&halves, HALVES_REPLIES, &(NetworkLink){0});
    ck_assert(halves_read_back(&halves, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        expect(&halves.link[HALVES_REQUESTS][i], 16, 24.1875);
        expect(&halves.link[HALVES_REPLIES][i], 32, 20);
    }
    halves_finish(&halves);
}
END_TEST

/* A slice's own link is its own; the one from die to die is all its half's. */
START_TEST(what_SimGrid_is_told_of_a_link_holds_for_those_that_take_it)
{
    HalvesLinks halves;
    g_autoptr(Simulation) simulation = simulation_new(1);
    init(&halves);
    start(simulation, &halves);
    sg_link_set_bandwidth(sg_link_by_name("cross-reply-link-1"), 4);
    sg_link_set_latency(sg_link_by_name("request-half-1-to-0"), 60);
    ck_assert(halves_read_back(&halves, NULL));
    for (uint32_t i = 0; i < 4; i++) {
        expect(&halves.link[HALVES_REQUESTS][i], 16, i < 2 ? 24.1875 : 60);
        expect(&halves.link[HALVES_REPLIES][i], i == 1 ? 4 : 32, 20);
    }
    halves_finish(&halves);
}
END_TEST

START_TEST(a_platform_without_halves_is_no_platform_of_them)
{
    HalvesLinks halves, none;
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    halves_init(&none, 0);
    start(simulation, &none);
    ck_assert(halves_read_back(&none, NULL));
    init(&halves);
    ck_assert(!halves_read_back(&halves, &error));
    ck_assert_str_eq(error->message, "the SimGrid platform lacks host cross-request-0");
    halves_finish(&halves);
    halves_finish(&none);
}
END_TEST

HARNESS_MAIN("halves", what_is_written_of_a_way_is_read,
             what_SimGrid_is_told_of_a_link_holds_for_those_that_take_it,
             a_platform_without_halves_is_no_platform_of_them)
