/* Results that a study makes of others and of parameters: which there may be, and those that it got
 * after its plan, which stand in DIRECTORY/own-results.json. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/study/plan/manifest.h"

/* "lower", "higher", "neither", NULL-terminated. */
extern const char *const own_result_betters[];

/* False with error when it is no word, or the table has such a column already. */
bool own_result_check_name(const Manifest *manifest, const char *name, GError **error);
/* Why an expression cannot have the name in it; NULL: it can. `number` says it of a parameter. */
const char *own_result_refusal(const Manifest *manifest, const char *name, bool number);

/* The member "derived", of those from that position on. */
void own_results_put(JsonBuilder *json, const GPtrArray *derived, guint from);
/* Appends them to the manifest's; false where one is not as it was put. None is right. */
bool own_results_take(JsonNode *object, Manifest *manifest);

/* Appends what the file has; none is no error. */
bool own_results_read(Manifest *manifest, const char *directory, GError **error);
/* Complete or not at all; those of the manifest that are not its plan's. */
bool own_results_write(const Manifest *manifest, const char *directory, GError **error);
/* Of the file's content, newly allocated; "" when there is none. */
char *own_results_identity(const char *directory);
