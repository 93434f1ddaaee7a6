/* Whether the model takes the points of a plan, found without simulating. */
#include "scenarios/program/study/answers/spread.h"
#include "scenarios/program/study/plan/private.h"

enum { CHECKED_MAX = 10000 };
static const gint64 CHECKING_US = 2000000;

static void note_values(const Manifest *manifest, const Point *point,
                        const Configuration *configuration, const Machine *machine, Unread *unread)
{
    g_autoptr(Configuration) values = configuration_new();
    manifest_set_values(manifest, point, values);
    unread_note_study(unread, values, configuration, machine);
}

/* The first point of a base also has its workload built. */
static bool check_point(const Manifest *manifest, const Point *point, bool build, Unread *unread,
                        GError **error)
{
    const Base *base = manifest->bases->pdata[point->base];
    g_autoptr(Configuration) configuration = manifest_configuration(manifest, point);
    const Variant variant = {base->variant, configuration};
    g_autoptr(Machine) machine = build ? variant_try_launches(&variant, error)
                                 : variant_check_names(&variant, error)
                                     ? variant_try(&variant, NULL, error)
                                     : NULL;
    if (machine && unread) note_values(manifest, point, configuration, machine, unread);
    return machine;
}

/* The reason is that of the first of them in the order of the plan. */
static void note_rejection(PlanReport *report, guint index, const GError *error)
{
    if (report->rejected++ && report->first_rejected < index) return;
    report->first_rejected = index;
    g_free(report->reason);
    report->reason = g_strdup(error->message);
}

static void check_one(const Manifest *manifest, guint index, bool build, PlanReport *report)
{
    g_autoptr(GError) problem = NULL;
    report->checked++;
    if (!check_point(manifest, manifest->points->pdata[index], build, report->unread, &problem))
        note_rejection(report, index, problem);
}

/* Replications are like the first one. */
static void check_bases(const Manifest *manifest, bool *seen, PlanReport *report)
{
    g_autofree bool *built = g_new0(bool, manifest->bases->len);
    for (guint i = 0; i < manifest->points->len; i++) {
        const guint base = ((const Point *)manifest->points->pdata[i])->base;
        if (built[base]) continue;
        built[base] = seen[i] = true;
        check_one(manifest, i, true, report);
    }
}

static void check_spread(const Manifest *manifest, bool *seen, PlanReport *report)
{
    const gint64 end = g_get_monotonic_time() + CHECKING_US;
    const guint points = manifest->points->len, size = spread_size(points);
    for (guint i = 0; i < size && report->checked < CHECKED_MAX; i++) {
        const guint index = spread_index(i, size);
        if (index >= points || seen[index]) continue;
        if (((const Point *)manifest->points->pdata[index])->replication) continue;
        if (g_get_monotonic_time() > end) return;
        check_one(manifest, index, false, report);
    }
}

bool plan_check_points(const Manifest *manifest, PlanReport *report, GError **error)
{
    g_autofree bool *seen = g_new0(bool, manifest->points->len);
    check_bases(manifest, seen, report);
    check_spread(manifest, seen, report);
    if (report->rejected < report->checked) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s%s",
                report->checked > 1 ? "the model takes none of the points; the first: " : "",
                report->reason);
    return false;
}
