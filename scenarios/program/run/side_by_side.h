/* Variants, several at a time, each in a process of its own. */
#pragma once

#include "scenarios/program/run/variant.h"

/* Of each variant in turn; the texts and the error stay the caller's. What it returns is the status
 * of the variant. */
typedef Status (*VariantVisit)(const RunRequest *request, const RunAnswer *answer, Status status,
                               const GError *error, void *user);

/* `jobs` at a time at most. They are visited in their order, whichever ends first, up to the first
 * one that has failed; then those that still run are killed. When one is interrupted all are, and
 * no further one is begun. The status is that of the first that was not done. */
Status run_side_by_side(RunRequest *requests, guint count, guint jobs, VariantVisit visit,
                        void *user);
