/* Numbers of a result by the names that the tables have. NaN: the result has none. */
#pragma once

#include <json-glib/json-glib.h>

#include "kit/engine/unit.h"

/* Of all units of a class: "l1.requests", "l1.prt.mean"; by its row; by its name in the class. */
double number_total(JsonNode *result, const char *statistic);
double number_statistic(JsonNode *result, const UnitClass *unit, const Stat *stat);
double number_of_class(JsonNode *result, const UnitClass *unit, const char *statistic);
double number_or_zero(double number); /* of NaN */
/* How many units of a class there are. */
double number_units(JsonNode *result, const char *unit_class);
/* Of a parameter, in the unit of program/study/records/number.h: "l2_slice.data_bandwidth" in B/cycle. */
double number_parameter(JsonNode *result, const char *name);
/* The most that a statistic can be, of one unit: the product of the parameters in its row. */
double number_most(JsonNode *result, const UnitClass *unit, const Stat *stat);
/* Of all units of a class whose path contains `part`: the requests' crossbar. */
double number_of_part(JsonNode *result, const char *part, const char *statistic);

/* As the page writes it, newly allocated: four digits, whole digits always, in groups. */
char *number_words(double number);
