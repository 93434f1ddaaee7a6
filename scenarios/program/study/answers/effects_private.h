/* Between the files of effects. */
#pragma once

#include "scenarios/program/study/answers/effects.h"

/* Fill each judged factor's effect; `effects` has centre and spread. */
void effects_of_ranks(const StudySlice *slice, guint measure, Effects *effects);
void effects_of_steps(const StudySlice *slice, guint measure, Effects *effects);

/* Sets low, high, swing and the strength from the means at a factor's levels. */
void effect_of_levels(const Factor *factor, const GArray *means, Effect *effect);

/* Whether combinations of values lack the measure, where a main effect is a mean over all. */
bool slice_has_holes(const StudySlice *slice, guint measure);
/* As slice_levels, of points that differ in the factor alone; their mean is that of the samples. */
GArray *matched_levels(const StudySlice *slice, guint factor, guint measure);
