/* `summary.texture` of result.json. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/result/aggregate.h"

/* Lines that memory instructions wanted of the texture units: loads, stores and atomics. */
uint64_t result_texture_data_lines(const Aggregate *aggregate);

/* A member "texture_data" of the object that is being built: look-ups of memory instructions in the
 * texture units' tags; none when no memory instruction went that way. */
void result_put_texture_data(JsonBuilder *json, const Aggregate *aggregate);

/* A member "texture" of the object that is being built; none when nothing was sampled. `span`: of
 * the region of interest. */
void result_put_texture(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate,
                        Time span);
