/* What a visit is about to touch is fetched into the host's cache before its first step. A message
 * that waits for the group, and what a unit keeps for it, have mostly left the cache since: one
 * after the other, as steps come to them, each of these lines would be waited for. */
#pragma once

#include "kit/engine/grouping/group.h"

/* A visit of the group, until Group.until, begins. */
void group_foresee(const Group *group);
