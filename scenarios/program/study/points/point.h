/* One point of a study, simulated in the calling process. SimGrid starts once a process: points
 * that follow each other in one need the same platform. */
#pragma once

#include "scenarios/program/complain.h"
#include "scenarios/program/study/plan/manifest.h"

typedef struct {
    const Manifest *manifest;
    const Point *point;
    bool keep_result; /* also make result.json and host.json */
} PointRequest;

typedef struct {
    char *payload;       /* the outcome's text, or a message */
    char *result, *host; /* where they are to be kept; else NULL */
    double simulation_s; /* processor time of the simulation itself, without what is around it */
    bool goes_on;        /* another point may follow in this process */
    bool refused; /* not simulated: it needs a process in which SimGrid has no platform yet */
} PointAnswer;

void point_answer_clear(PointAnswer *answer);

/* STATUS_DONE, STATUS_FAILED (deadlock, broken invariant) or STATUS_BAD_INPUT (the point's
 * configuration is rejected). The payload is the same in every run of the point. Files are taken to
 * be as planned: base_check_files. */
Status point_simulate(const PointRequest *request, PointAnswer *answer);

/* What the point is simulated with. Columns are made of none of what reports draw, so that it is
 * collected for results that are kept. */
Configuration *point_configuration(const PointRequest *request);

/* What SimGrid's platform for the point may depend on, newly allocated: those that say the same can
 * follow each other in a process. */
char *point_platform(const Manifest *manifest, const Point *point);

/* Whether the files that the base's runs read are what they were when it was planned; once for all
 * of its points. The error names the file. */
bool base_check_files(const Base *base, GError **error);
/* SHA-256 of a file's content, hexadecimal, newly allocated; NULL with error. */
char *base_hash_file(const char *path, GError **error);
