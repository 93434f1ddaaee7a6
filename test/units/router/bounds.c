/* What saturated rings and meshes carry, against the bounds that their links set. Packets of one
 * cycle, destinations drawn evenly from all stops (the own one too), one source a stop.
 *
 *   ring of N, both ways   mean hops N / 4, 2 N links:        load <= 2 N / (N x N / 4) = 8 / N
 *   ring of N, one way     mean hops (N - 1) / 2, N links:    load <= 2 / (N - 1)
 *   mesh k x k             mean hops 2 (k^2 - 1) / (3 k); half of the traffic crosses the middle,
 *                          k links each way:                  load <= k / (k^2 / 4) = 4 / k
 *
 * Dally and Towles, "Principles and Practices of Interconnection Networks", 2004, chapters 3 and 5.
 * Oldest-first arbitration and a queue for each output in every buffer keep saturated links
 * busy, so that deep buffers come within 3 % of the bound. A fixed distance leaves nothing to
 * chance: each packet takes `distance` links the same way round, and load <= 1 / distance. */
#include "rig.h"

static uint32_t seven_on(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)random;
    return (from + 7) % rig->stops;
}

/* In each row: from every column to the one that lies as far from the other end. */
static uint32_t mirrored(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)random;
    const uint32_t columns = rig->params.mesh_columns ? (uint32_t)rig->params.mesh_columns : 4,
                   column = from % columns;
    return from - column + columns - 1 - column;
}

static const struct {
    TopologyKind kind;
    uint32_t stops;
    uint64_t directions;
    Pattern pattern;
    double bound, hops, stable; /* a load below the bound that is carried whole */
} rows[] = {
    {TOPOLOGY_RING, 16, 2, to_anybody, 8.0 / 16, 4, 0.45},
    {TOPOLOGY_RING, 32, 2, to_anybody, 8.0 / 32, 8, 0.22},
    {TOPOLOGY_RING, 16, 1, to_anybody, 2.0 / 15, 7.5, 0.12},
    {TOPOLOGY_MESH, 16, 1, to_anybody, 4.0 / 4, 2.5, 0.85},
    {TOPOLOGY_MESH, 64, 1, to_anybody, 4.0 / 8, 5.25, 0.45},
    {TOPOLOGY_RING, 16, 2, seven_on, 1.0 / 7, 7, 0.13},
    {TOPOLOGY_RING, 16, 1, seven_on, 1.0 / 7, 7, 0.13},
    /* columns 0 and 1 send through the link in the middle of their row, 2 and 3 back */
    {TOPOLOGY_MESH, 16, 1, mirrored, 1.0 / 2, 2, 0.45},
};

static RouterRig *loaded(int row, double rate, uint64_t end)
{
    RouterRig *rig = router_rig_new((NetworkParams){.topology = rows[row].kind,
                                                    .ring_directions = rows[row].directions,
                                                    .link_buffer = 64,
                                                    .input_buffer = 64},
                                    rows[row].stops, NULL);
    rig->pattern = rows[row].pattern;
    rig->rate = rate;
    rig->warm_up = 2000;
    rig->end = end;
    rig_run(rig);
    return rig;
}

START_TEST(saturated_links_carry_what_their_number_allows)
{
    g_autoptr(RouterRig) rig = loaded(_i, 1, 9000);
    const double accepted = rig_accepted(rig), bound = rows[_i].bound;
    ck_assert_msg(accepted > 0.97 * bound, "%g of %g", accepted, bound);
    /* what lay in buffers and on the way at the start of the measurement leaves a little room */
    ck_assert_msg(accepted < 1.01 * bound, "%g of %g", accepted, bound);
}
END_TEST

START_TEST(below_the_bound_what_is_offered_is_carried)
{
    g_autoptr(RouterRig) rig = loaded(_i, rows[_i].stable, 16000);
    const double accepted = rig_accepted(rig), hops = rig_mean_hops(rig);
    ck_assert_msg(accepted > 0.985 * rows[_i].stable && accepted < 1.015 * rows[_i].stable,
                  "%g of %g", accepted, rows[_i].stable);
    ck_assert_msg(hops > 0.97 * rows[_i].hops && hops < 1.03 * rows[_i].hops, "%g hops, not %g",
                  hops, rows[_i].hops);
}
END_TEST

/* A credit is away for the wire out, the router's pipeline and the wire back: with half as many
 * places as that takes cycles, a link carries half. */
START_TEST(buffers_smaller_than_the_round_trip_leave_links_idle)
{
    g_autoptr(RouterRig) rig = router_rig_new((NetworkParams){.topology = TOPOLOGY_MESH,
                                                              .mesh_columns = 4,
                                                              .link_latency = 9,
                                                              .router_delay = 2,
                                                              .link_buffer = 10},
                                              4, NULL);
    rig->pattern = mirrored;
    rig->rate = 1;
    rig->warm_up = 2000;
    rig->end = 12000;
    rig_run(rig);
    const double accepted = rig_accepted(rig);
    ck_assert_msg(accepted > 0.98 * 0.25 && accepted < 1.02 * 0.25, "%g", accepted);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("router_bounds");
    tcase_add_loop_test(cases, saturated_links_carry_what_their_number_allows, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_loop_test(cases, below_the_bound_what_is_offered_is_carried, 0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, buffers_smaller_than_the_round_trip_leave_links_idle);
    return harness_run_cases("router_bounds", cases);
}
