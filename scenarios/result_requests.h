/* Members of `profile` of result.json that are made of completed requests. */
#pragma once

#include "scenarios/result.h"

/* Of each request class: the distribution of latency, and stages along it. */
void put_requests(JsonBuilder *json, const Run *run);

/* Sums by instruction and by array. */
void put_instructions(JsonBuilder *json, const Run *run);
void put_arrays(JsonBuilder *json, const Run *run);

/* The slowest requests. */
void put_slowest(JsonBuilder *json, const Run *run);

/* Shared by these: where the sums' latency went, and the name of a kernel by its number. */
void put_stages(JsonBuilder *json, const StageSums *sums);
const char *kernel_name(const Run *run, uint32_t number);
