/* Perfect components: what each part of a machine would have to be to cost nothing that it need
 * not, as settings. Design `perfect` runs the scenario as it is and once with each of them. */
#pragma once

#include "kit/describe/configuration.h"

#define PERFECT_DIMENSION "perfect" /* of such a study */
#define PERFECT_BASELINE "baseline" /* its value for the machine as it is */

typedef struct {
    const char *name;    /* GROUP.KEY; "-GROUP.KEY" forgets the scenario's value */
    const char *value;   /* ">= X": at least so much, a larger value stays */
    const char *only_if; /* "GROUP.KEY = VALUE", or "!="; NULL: always */
} PerfectSetting;

enum { PERFECT_SETTINGS_MAX = 24 };

typedef struct {
    const char *name;
    const char *summary; /* what is perfect, after "with" */
    const char *needs;   /* what must hold of the machine, as in `only_if`; NULL: nothing */
    PerfectSetting settings[PERFECT_SETTINGS_MAX]; /* ends with a row without name, or at the end */
} PerfectComponent;

/* Ends with a row without name. */
const PerfectComponent *perfect_components(void);
const PerfectComponent *perfect_find(const char *name);

/* The configuration with the component perfect, newly allocated. NULL when there is nothing to make
 * perfect, with the reason in *why ("mmu.enabled = no"; newly allocated), or with error when the
 * configuration itself is wrong. */
Configuration *perfect_apply(const PerfectComponent *component, const Configuration *configuration,
                             char **why, GError **error);
