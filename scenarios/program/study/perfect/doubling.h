/* Which parameters are realistic steps towards a perfect component: doubled, or another choice. */
#pragma once

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/perfect/perfect.h"

/* Whether the parameter is set where the component is perfect. */
bool perfect_has_part(const PerfectComponent *component, const Param *param);

/* Whether a part that is twice as large or as fast relieves the component: the parameter makes it
 * perfect too, or is the capacity of a resource that it stands for, or its row says so; where none
 * of this is known, the component has a parameter of the same group. */
bool perfect_is_relieved(const PerfectComponent *component, const char *group, const Param *param);

/* Whether all that makes the part perfect is of the whole, too, which has more. */
bool perfect_includes(const PerfectComponent *whole, const PerfectComponent *part);

/* Whether another choice of the row is another design of the part, which may relieve the
 * component. */
bool perfect_has_design(const PerfectComponent *component, const Param *param);

/* The configuration has `other` in place of the value; a stated peak bandwidth that rests on it is
 * forgotten. */
void perfect_set_step(Configuration *configuration, const ResolvedValue *value, const char *other);
