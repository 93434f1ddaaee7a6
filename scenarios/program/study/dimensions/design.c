#include "scenarios/program/study/dimensions/design.h"

#include <string.h>

#include "scenarios/program/study/dimensions/sample.h"
#include "scenarios/program/study/plan/manifest.h"

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
    PARAM_SWITCH(StudySettings, peak_power, "no",
                 "points have the result peak_power_w, for which power over time is collected"),
    PARAM_STRING(StudySettings, statistics, "",
                 "statistics beside the usual results, separated by commas: l1.refused_prt"),
    PARAM_STRING(StudySettings, where, "",
                 "conditions that a point must meet to be run, one a line: "
                 "l2_slice.capacity >= 64 KiB"),
    PARAM_END};

const ParamGroup study_group = {
    .name = "study",
    .summary =
        "which points a batch of runs has; result.NAME is a result of its own, an expression",
    .params = study_params};

typedef struct {
    const StudySettings *settings;
    const GPtrArray *axes; /* of Axis */
    const char *place;
    GPtrArray *rows; /* of DesignRow */
} Plan;

static const Axis *axis_of(const Plan *plan, guint index)
{
    return plan->axes->pdata[index];
}

static void row_free(gpointer data)
{
    DesignRow *row = data;
    g_strfreev(row->values);
    g_free(row->role);
    g_free(row);
}

/* Takes over `role`; its values are still missing. */
static DesignRow *add_row(const Plan *plan, char *role)
{
    DesignRow *row = g_new0(DesignRow, 1);
    row->values = g_new0(char *, plan->axes->len + 1);
    row->role = role;
    g_ptr_array_add(plan->rows, row);
    return row;
}

G_GNUC_PRINTF(3, 4)
static bool reject(const Plan *plan, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, STUDY_ERROR, 0, "%sstudy.design = %s: %s", plan->place,
                design_names[plan->settings->design], reason);
    return false;
}

/* G_MAXUINT64: too many to be counted. */
static bool check_rows(const Plan *plan, guint64 rows, GError **error)
{
    if (rows <= DESIGN_ROWS_MAX) return true;
    g_autofree char *number = rows == G_MAXUINT64 ? g_strdup("more than 10^19")
                                                  : g_strdup_printf("%" G_GUINT64_FORMAT, rows);
    return reject(plan, error, "%s points; at most %d", number, DESIGN_ROWS_MAX);
}

/* --- values that are listed ------------------------------------------------------------------- */

static bool check_listed(const Plan *plan, GError **error)
{
    for (guint i = 0; i < plan->axes->len; i++) {
        const Axis *axis = axis_of(plan, i);
        if (axis_size(axis)) continue;
        g_set_error(error, STUDY_ERROR, 0,
                    "%sa range without number of values, which design = %s cannot use; say how it "
                    "is divided: step S, in N, log N or times F",
                    axis_place(axis), design_names[plan->settings->design]);
        return false;
    }
    return true;
}

/* The last axis varies fastest. */
static bool plan_grid(const Plan *plan, GError **error)
{
    guint64 rows = 1;
    for (guint i = 0; i < plan->axes->len; i++)
        if (!g_uint64_checked_mul(&rows, rows, axis_size(axis_of(plan, i)))) rows = G_MAXUINT64;
    if (!check_rows(plan, rows, error)) return false;
    for (guint64 number = 0; number < rows; number++) {
        const DesignRow *row = add_row(plan, g_strdup(""));
        guint64 rest = number;
        for (guint i = plan->axes->len; i-- > 0;) {
            const Axis *axis = axis_of(plan, i);
            row->values[i] = g_strdup(axis_value(axis, (guint)(rest % axis_size(axis))));
            rest /= axis_size(axis);
        }
    }
    return true;
}

static bool plan_zip(const Plan *plan, GError **error)
{
    const Axis *first = axis_of(plan, 0);
    for (guint i = 1; i < plan->axes->len; i++) {
        const Axis *other = axis_of(plan, i);
        if (axis_size(other) == axis_size(first)) continue;
        return reject(plan, error,
                      "values are taken side by side, but %s has %u and %s has %u of them",
                      axis_name(first), axis_size(first), axis_name(other), axis_size(other));
    }
    for (guint number = 0; number < axis_size(first); number++) {
        const DesignRow *row = add_row(plan, g_strdup(""));
        for (guint i = 0; i < plan->axes->len; i++)
            row->values[i] = g_strdup(axis_value(axis_of(plan, i), number));
    }
    return true;
}

static DesignRow *add_baseline(const Plan *plan, const char *role)
{
    DesignRow *row = add_row(plan, g_strdup(role));
    for (guint i = 0; i < plan->axes->len; i++)
        row->values[i] = g_strdup(axis_baseline(axis_of(plan, i)));
    return row;
}

static void plan_alone(const Plan *plan, guint index)
{
    const Axis *axis = axis_of(plan, index);
    for (guint i = 0; i < axis_size(axis); i++) {
        if (!strcmp(axis_value(axis, i), axis_baseline(axis))) continue;
        const DesignRow *row = add_baseline(plan, axis_name(axis));
        g_free(row->values[index]);
        row->values[index] = g_strdup(axis_value(axis, i));
    }
}

static bool check_own_value(const Axis *axis, GError **error)
{
    if (!axis_baseline(axis))
        g_set_error(error, STUDY_ERROR, 0,
                    "%sthe scenario has no own value, which design = one_at_a_time starts from",
                    axis_place(axis));
    else if (axis_mixes_units(axis))
        g_set_error(error, STUDY_ERROR, 0,
                    "%sthe scenario's own value is %s, beside which design = one_at_a_time puts "
                    "them, and cycles have no place among times; write all of them alike",
                    axis_place(axis), axis_baseline(axis));
    else
        return true;
    return false;
}

static bool plan_one_at_a_time(const Plan *plan, GError **error)
{
    for (guint i = 0; i < plan->axes->len; i++)
        if (!check_own_value(axis_of(plan, i), error)) return false;
    add_baseline(plan, "baseline");
    for (guint i = 0; i < plan->axes->len; i++) plan_alone(plan, i);
    return true;
}

/* --- values that are drawn -------------------------------------------------------------------- */

static void fill_row(const Plan *plan, const DesignRow *row, const double *shares)
{
    for (guint i = 0; i < plan->axes->len; i++)
        row->values[i] = axis_at(axis_of(plan, i), shares[i]);
}

static void plan_latin_hypercube(const Plan *plan)
{
    const guint points = (guint)plan->settings->samples, axes = plan->axes->len;
    g_autofree double *shares = latin_hypercube_shares(plan->settings->seed, points, axes);
    for (guint i = 0; i < points; i++)
        fill_row(plan, add_row(plan, g_strdup("")), shares + (gsize)i * axes);
}

/* A step that is rounded away would look like a parameter without effect. */
static bool check_step(const Plan *plan, const DesignRow *before, const DesignRow *after,
                       GError **error)
{
    for (guint i = 0; i < plan->axes->len; i++)
        if (strcmp(before->values[i], after->values[i]) != 0) return true;
    return reject(plan, error,
                  "%s changes nothing, because a parameter has the same value, rounded, on both "
                  "levels; it needs a wider range, or fewer levels",
                  after->role);
}

static bool check_levels(const Plan *plan, GError **error)
{
    for (guint i = 0; i < plan->axes->len; i++) {
        const Axis *axis = axis_of(plan, i);
        if (axis_size(axis) != 1) continue;
        g_set_error(error, STUDY_ERROR, 0, "%sdesign = morris needs two values to step between",
                    axis_place(axis));
        return false;
    }
    return plan->settings->levels % 2 == 0
           || reject(plan, error, "levels = %" G_GUINT64_FORMAT ": not an even number",
                     plan->settings->levels);
}

static bool plan_morris(const Plan *plan, GError **error)
{
    const guint trajectories = (guint)plan->settings->trajectories, axes = plan->axes->len;
    const guint levels = (guint)plan->settings->levels;
    if (!check_levels(plan, error)) return false;
    if (!check_rows(plan, (guint64)trajectories * (axes + 1), error)) return false;
    g_autofree double *shares = morris_shares(plan->settings->seed, trajectories, axes, levels);
    const DesignRow *before = NULL;
    for (guint i = 0; i < trajectories * (axes + 1); i++) {
        const guint step = i % (axes + 1);
        char *role = g_strdup_printf("trajectory %u step %u", i / (axes + 1) + 1, step);
        const DesignRow *row = add_row(plan, role);
        fill_row(plan, row, shares + (gsize)i * axes);
        if (step && !check_step(plan, before, row, error)) return false;
        before = row;
    }
    return true;
}

static bool fill(const Plan *plan, GError **error)
{
    switch ((Design)plan->settings->design) {
    case DESIGN_GRID: return check_listed(plan, error) && plan_grid(plan, error);
    case DESIGN_ZIP: return check_listed(plan, error) && plan_zip(plan, error);
    case DESIGN_ONE_AT_A_TIME: return check_listed(plan, error) && plan_one_at_a_time(plan, error);
    case DESIGN_LATIN_HYPERCUBE: plan_latin_hypercube(plan); return true;
    case DESIGN_MORRIS: return plan_morris(plan, error);
    case DESIGN_PERFECT: break;
    }
    g_assert_not_reached();
}

GPtrArray *design_rows(const StudySettings *settings, const GPtrArray *axes, const char *place,
                       GError **error)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
    const Plan plan = {settings, axes, place, rows};
    if (axes->len == 0 && settings->design != DESIGN_GRID) {
        reject(&plan, error, "nothing varies; a study names parameters with their values");
        return NULL;
    }
    return fill(&plan, error) ? g_steal_pointer(&rows) : NULL;
}
