/* `summary.texture` of result.json. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/aggregate.h"

/* A member "texture" of the object that is being built; none when nothing was sampled. `span`: of
 * the region of interest. */
void result_put_texture(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate,
                        Time span);
