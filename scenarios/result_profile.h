/* The members of `profile` of result.json: what reports draw. */
#pragma once

#include "scenarios/result.h"

/* Left out where no time has passed. */
void result_put_series(JsonBuilder *json, const Aggregate *aggregate);
