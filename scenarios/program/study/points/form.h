/* Points of which another text is made than that of a study's records. */
#pragma once

#include "scenarios/program/result/result.h"
#include "scenarios/program/study/points/point.h"

/* What is made of a run: so much of its result, and the payload from that. */
typedef struct {
    ResultExtent extent;
    char *(*describe)(JsonNode *result, const Manifest *manifest);
} PointForm;

/* As point_simulate, otherwise. */
Status point_simulate_as(const PointRequest *request, const PointForm *form, PointAnswer *answer);
