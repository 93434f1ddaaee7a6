/* The parameters in which two results differ. */
#pragma once

#include <json-glib/json-glib.h>

/* `name` is "group.key"; a value is NULL where the result has no such parameter. */
typedef void (*ParameterVisitor)(void *user, const char *name, const char *before,
                                 const char *after);

void parameter_changes_visit(JsonNode *before, JsonNode *after, ParameterVisitor visit, void *user);
