/* Derived facts of machines, in a terminal: how many SMs, how much L2, which peak. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "platform/machine/facts.h"

/* The member `machine` of a result. */
JsonNode *facts_json(const Machine *machine);

/* "14.1 TFLOP/s", "6 MiB"; newly allocated. */
char *facts_value(double value, const char *unit);

/* "SMs 80, core clock 1380 MHz, ..." of what facts_json has made; newly allocated. */
char *facts_line(JsonNode *facts);

/* The value of a fact in a result, as text, newly allocated; NULL: it has none. */
char *facts_find(JsonNode *result, const char *name);

/* Names of the facts of a result, in their order; empty where it has none. Newly allocated. */
GStrv facts_names(JsonNode *result);
