/* One point of a study, simulated in the calling process, which must not have started SimGrid
 * before and is of no use for another point afterwards. */
#pragma once

#include "scenarios/command.h"
#include "scenarios/study/manifest.h"

typedef struct {
    const Manifest *manifest;
    const Point *point;
    bool keep_result; /* also make result.json and host.json */
} PointRequest;

typedef struct {
    char *payload;       /* the outcome's text, or a message */
    char *result, *host; /* where they are to be kept; else NULL */
} PointAnswer;

/* STATUS_DONE, STATUS_FAILED (deadlock, broken invariant), STATUS_BAD_INPUT (the point's
 * configuration is rejected, or a file is not what was planned). The message is the same in every
 * run of the point. */
Status point_simulate(const PointRequest *request, PointAnswer *answer);
