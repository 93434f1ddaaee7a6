/* A comparison as JSON. */
#pragma once

#include "scenarios/program/compare/compare.h"

/* What compare_print shows and why, with the attribution in exact femtoseconds. */
JsonNode *compare_json(const Comparison *comparison);
