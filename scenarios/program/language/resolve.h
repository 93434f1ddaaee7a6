/* A configuration with nothing left open: every parameter of the machine and the workload, with
 * its value as canonical text and the place it came from. */
#pragma once

#include "kit/describe/configuration.h"

typedef struct {
    char *group;
    char *key;
    char *value;
    const Setting *setting; /* the configuration's; NULL: the default */
    const Param *param;     /* its row; NULL: a key of a program's own */
} ResolvedValue;

/* Of ResolvedValue, in the order of the tables: machine, units, workload, kernels. */
GPtrArray *resolve_values(const Configuration *configuration, GError **error);

/* Of these the one of "GROUP.KEY"; NULL: there is none. */
const ResolvedValue *resolve_find(const GPtrArray *values, const char *name);

/* Those of machine and units alone. */
GPtrArray *resolve_machine(const Configuration *configuration, GError **error);

/* Those of `[simulation]` alone. */
GPtrArray *resolve_simulation(const Configuration *configuration);

/* Not a dimension. */
bool resolve_is_study_key(const char *key);

/* Appends `[study]` to `values`: its own keys with their defaults, and the dimensions as they are
 * written. */
bool resolve_study(const Configuration *study, GPtrArray *values, GError **error);
