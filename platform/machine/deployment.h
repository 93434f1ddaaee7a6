/* Which tile each unit runs on, and in which group there. Deployments change speed, never a bit of
 * the result. */
#pragma once

#include "platform/machine/machine.h"

/* The seats of units in build order; the caller frees them. */
Seat *deployment_lay_out(const Simulation *simulation, Deployment deployment,
                         uint64_t slices_per_partition, uint32_t *tiles);
