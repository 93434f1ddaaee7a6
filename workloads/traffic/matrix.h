/* Matrices of traffic: a line each source, a number each destination. */
#pragma once

#include "workloads/workload.h"

/* sources x destinations, newly allocated: numbers from 0 on, of which the file has so many. NULL
 * with error. */
double *matrix_read(const char *path, uint64_t sources, uint64_t destinations, GError **error);
