/* Which tile each unit runs on. Deployments change speed, never a bit of the result. */
#pragma once

#include "platform/machine/machine.h"

/* tile_of[i] for unit i in build order; the caller frees it. */
uint32_t *deployment_lay_out(const Simulation *simulation, Deployment deployment,
                             uint64_t slices_per_partition, uint32_t *tiles);
