/* The members of `profile` of result.json: what reports draw. */
#pragma once

#include "kit/gpu/transaction.h"
#include "scenarios/program/result/result.h"

/* Left out where no time has passed. */
void result_write_series(JsonWriter *profile, const Aggregate *aggregate);

/* Of each request class: the distribution of latency, and stages along it. */
void result_put_requests(JsonBuilder *json, const Profile *profile);

/* Sums by instruction, whose kernels are those of the run, and by array. */
void result_put_instructions(JsonBuilder *json, const Profile *profile, const GPtrArray *kernels);
void result_put_arrays(JsonBuilder *json, const Profile *profile);

void result_put_slowest(JsonBuilder *json, const Profile *profile);

/* `stages` of any of them: those with time. */
void result_put_row_stages(JsonBuilder *json, const StageSums *sums);

const char *result_server_name(ServedBy server); /* "l2" */
