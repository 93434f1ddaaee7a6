/* What a result tells of a kernel, of all of one name, or of what lies between kernels: the members
 * that a brief result of it alone would have. */
#pragma once

#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/verdict.h"

/* Made once for all kernels of a run. */
typedef struct {
    const Run *run;
    GArray *resources;   /* of Resource */
    GPtrArray *pressure; /* the same, for verdicts */
} PartsMaker;

void parts_maker_init(PartsMaker *maker, const Run *run);
void parts_maker_finish(PartsMaker *maker);

typedef struct {
    JsonNode *members; /* units and resources as text, at the depth of an entry of a list */
    Verdict *verdict;  /* NULL: of what lies between kernels */
} KernelParts;

/* `launches`: which of the list are in `sums`; NULL: none. `many`: too many to be told one by
 * one. */
KernelParts *kernel_parts_new(const PartsMaker *maker, const PhaseSums *sums, const bool *launches,
                              bool many);
void kernel_parts_free(KernelParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(KernelParts, kernel_parts_free)

/* Members of the object that is being built. */
void kernel_parts_put(const KernelParts *parts, JsonBuilder *json);
