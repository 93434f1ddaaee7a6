/* The two halves of L2 (`machine.l2_halves = 2`) in the SimGrid platform: each a zone that its
 * slices stand in, and between the two a link each way, from die to die. Requests and what comes
 * back are apart, so there are two of each:
 *
 *   requests-half-0                         requests-half-1
 *     cross-request-3 ── cross-request-link-3 ──┐
 *     ...                                       ├── requests-half-0-to-1 ──> cross-request-43
 *
 * A slice's own link has the bandwidth, the one between the zones the latency; its own bandwidth
 * has no limit, because slices share nothing there. What SimGrid says of the way from a slice to
 * its twin is what crosses. */
#pragma once

#include "kit/engine/simulation.h"
#include "kit/gpu/network.h"

/* `slices` is even; 0: there are no halves. All links are without bandwidth at first. */
void halves_init(HalvesLinks *halves, uint32_t slices);
void halves_finish(HalvesLinks *halves);

/* What leads from a half to the other, for all its slices alike. */
void halves_set(HalvesLinks *halves, HalvesWay way, const NetworkLink *link);

/* Names of their links, newly allocated; of a machine with so many slices. */
GPtrArray *halves_link_names(uint32_t slices);

/* Takes over the text of a platform, and returns that of one with the halves besides. */
char *halves_describe(const HalvesLinks *halves, char *text);

/* Asks SimGrid, which has been started on such a platform. */
bool halves_read_back(HalvesLinks *halves, GError **error);
