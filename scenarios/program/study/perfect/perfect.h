/* Perfect components: what each part of a machine would have to be to cost nothing that it need
 * not, as settings. Design `perfect` runs the scenario as it is and once with each of them. Which
 * there are, and what makes them perfect, the rows of the parameters say (kit/describe/param.h). */
#pragma once

#include "kit/describe/configuration.h"

#define PERFECT_DIMENSION "perfect" /* of such a study */
#define PERFECT_BASELINE "baseline" /* its value for the machine as it is */

typedef struct {
    char *name;        /* GROUP.KEY */
    const char *value; /* ">= X": at least so much, a larger value stays; NULL: it is unsaid */
    char *only_if;     /* "GROUP.KEY = VALUE", or "!="; NULL: always */
} PerfectSetting;

typedef struct {
    const char *name;
    char *summary;    /* what is perfect, after "with" */
    char *needs;      /* what must hold of the machine, as in `only_if`; NULL: nothing */
    unsigned serves;  /* of Use: it costs nothing where none of it is used; 0: anything */
    GArray *settings; /* of PerfectSetting, in the order of groups and rows */
} PerfectComponent;

/* Those of the machine's groups. Ends with a row without name. */
const PerfectComponent *perfect_components(void);
const PerfectComponent *perfect_find(const char *name);

/* Of PerfectComponent, newly allocated, with the end: those that the rows of the groups name. First
 * what has a sentence here, in its order, then the others as they come. */
GArray *perfect_gather(const ParamGroup *const *groups);

/* "l1.prt_entries >= 16384", "dram.CL = 1 cycle", "-network.platform"; newly allocated. */
char *perfect_setting_text(const PerfectSetting *setting);

/* Whether "GROUP.KEY = VALUE", or "!=", is so of what `value_of` says (NULL: there is none); NULL
 * always is. */
typedef const char *(*PerfectValue)(gconstpointer values, const char *name);
bool perfect_holds(const char *condition, PerfectValue value_of, gconstpointer values);

/* Whether machine and workload use the parameter, "GROUP.KEY": false where all components that it is
 * part of are left out, or that part of them. `values` are of resolve_values. */
bool perfect_has_use(const char *name, const GPtrArray *values);

/* The configuration with the component perfect, newly allocated. NULL when there is nothing to make
 * perfect, with the reason in *why ("mmu.enabled = no"; newly allocated), or with error when the
 * configuration itself is wrong. */
Configuration *perfect_apply(const PerfectComponent *component, const Configuration *configuration,
                             char **why, GError **error);
