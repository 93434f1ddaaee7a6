/* `launch` of a kernel in result.json: what limits its CTAs on an SM, and how they were spread. */
#pragma once

#include <json-glib/json-glib.h>

#include "platform/machine/machine.h"

/* Of so many launches it is told at most: those that took most time. */
enum { LAUNCHES_TOLD = 32 };

/* Whether it is told of the launch, by place in `times`, of KernelTime; newly allocated. */
bool *result_launches_told(const GArray *times);

/* A member "chosen" of the object that is being built, where not all of the list run: which. */
void result_put_chosen(JsonBuilder *json, const LaunchList *launches);

/* The object; `time` NULL: it has not finished. */
JsonNode *result_launch(const Machine *machine, const Launch *launch, const KernelTime *time);
