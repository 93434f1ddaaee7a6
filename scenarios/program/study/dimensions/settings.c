#include "scenarios/program/study/dimensions/settings.h"

const char *const design_names[] = {"grid",    "zip", "one_at_a_time", "latin_hypercube", "morris",
                                    "perfect", NULL};

static const Param study_params[] = {
    PARAM_ONE_OF(StudySettings, design, design_names, "grid",
                 "which combinations of values are run: all, side by side, each alone, sampled, "
                 "screened, or with ideal components"),
    PARAM_NUMBER(StudySettings, samples, PARAM_COUNT, "100", 1, 1e6,
                 "points that latin_hypercube draws"),
    PARAM_NUMBER(StudySettings, trajectories, PARAM_COUNT, "10", 1, 1e5,
                 "paths that morris takes through the values, each from a place of its own"),
    PARAM_NUMBER(StudySettings, levels, PARAM_COUNT, "4", 2, 1000,
                 "values that morris divides each range into; an even number"),
    PARAM_NUMBER(StudySettings, seed, PARAM_COUNT, "1", 0, 9e15,
                 "of what latin_hypercube and morris draw; not the seed of the simulated machine"),
    PARAM_NUMBER(StudySettings, replications, PARAM_COUNT, "1", 1, 1e6,
                 "runs of each point, with simulation.seed, the seed after it, and so on"),
    PARAM_STRING(StudySettings, statistics, "",
                 "statistics beside the usual results, separated by commas: l1.refused_prt"),
    PARAM_STRING(StudySettings, where, "",
                 "conditions that a point must meet to be run, one a line: "
                 "l2_slice.capacity >= 64 KiB"),
    PARAM_END};

const ParamGroup study_group = {"study", "which points a batch of runs has", study_params};
