/* Where traffic goes into a part of the machine, the rest of it is not there, and no kernel. */
#pragma once

#include "workloads/workload.h"

/* Fails on traffic beside a kernel or other traffic, and on keys of launches. */
bool traffic_is_alone(const Configuration *configuration, const LaunchList *list, GError **error);
