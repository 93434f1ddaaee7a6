/* The halves of L2 (`machine.l2_halves`, two or more) in the SimGrid platform: each a zone that its
 * slices stand in, and between any two a link each way, from die to die, which all slices of the
 * one share. Requests and what comes back are apart, so there are two of each:
 *
 *   request-half-0                          request-half-1
 *     cross-request-3 ── cross-request-link-3 ──┐
 *     ...                                       ├── request-half-0-to-1 ──> cross-request-43
 *
 * What SimGrid says of a slice's own link, and of the way from there to the slice at the same place
 * of another half, is what crosses. */
#pragma once

#include "kit/engine/simulation.h"
#include "kit/gpu/network.h"

/* `slices` is a multiple of `halves`; 0: there are none. Links have no bandwidth at first. */
void halves_init(HalvesLinks *halves, uint32_t slices, uint32_t count);
void halves_finish(HalvesLinks *halves);

/* What leads out of each slice, and from each half to each other. */
void halves_set(HalvesLinks *halves, NetworkRole way, const NetworkLink *own,
                const NetworkLink *between);

/* Names of their links, newly allocated. */
GPtrArray *halves_link_names(uint32_t slices, uint32_t count);

/* Takes over the text of a platform, and returns that of one with the halves besides. */
char *halves_describe(const HalvesLinks *halves, char *text);

/* Asks SimGrid, which has been started on such a platform. */
bool halves_read_back(HalvesLinks *halves, GError **error);
