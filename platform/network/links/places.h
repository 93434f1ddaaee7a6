/* Where SMs and slices lie along the die (`network.sm_places`, `network.slice_places`): how long a
 * wire is differs from pair to pair. In the SimGrid platform a zone a network stands beside the
 * ends' own links, with a host a place and a wire from each to each:
 *
 *   request-from-place-0 ── request-wire-0-to-2 ──> request-to-place-2
 *
 * A place is a time from one end of the die, a wire as long as the difference. */
#pragma once

#include "kit/describe/configuration.h"
#include "platform/network/platform.h"

/* Both networks' places and wires by the parameters, if a crossbar has any; of each of so many
 * halves of L2 its SMs in order, and its slices. An error says the setting. */
bool places_init(NetworkRoutes routes[NETWORKS], const NetworkParams *params, uint64_t halves,
                 const Configuration *configuration, const Clock *clock, GError **error);
void places_finish(NetworkWires *wires);

/* The name of a wire, newly allocated. */
char *places_wire_name(const NetworkWires *wires, NetworkRole role, uint32_t wire);

/* Takes over the text of a platform, and returns that of one with the places besides. */
char *places_describe(const NetworkRoutes routes[NETWORKS], char *text);

/* Asks SimGrid, which has been started on such a platform. */
bool places_read_back(NetworkRoutes routes[NETWORKS], GError **error);
