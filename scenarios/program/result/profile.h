/* The members of `profile` of result.json: what reports draw. */
#pragma once

#include "kit/gpu/transaction.h"
#include "scenarios/program/result/result.h"

/* Left out where no time has passed. */
void result_write_series(JsonWriter *profile, const Aggregate *aggregate);

/* Of each request class: the distribution of latency, and stages along it. */
void result_write_requests(JsonWriter *writer, const Profile *profile);

/* Sums by instruction, whose kernels are those of the run, and by array. */
void result_write_instructions(JsonWriter *writer, const Profile *profile,
                               const GPtrArray *kernels);
void result_write_arrays(JsonWriter *writer, const Profile *profile);

void result_write_slowest(JsonWriter *writer, const Profile *profile);

/* `stages` of any of them: those with time. */
void result_write_row_stages(JsonWriter *writer, const StageSums *sums);

const char *result_server_name(ServedBy server); /* "l2" */
