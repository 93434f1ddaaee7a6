/* A run that stopped with work left: whether there is any, and who waits for whom. That nothing can
 * move any more needs no search for cycles while it runs: the calendars are empty. */
#pragma once

#include "kit/engine/unit.h"

/* A unit says so, or a message has not been taken. */
bool deadlock_has_work_left(const GPtrArray *units);

/* "sm[0].l1 waits for crossbar.request waits for ...": the cycle, or the units with work left;
 * newly allocated. */
char *deadlock_describe(const GPtrArray *units, Time now);
