#include "scenarios/program/cost/power.h"

#include <math.h>

#include "platform/cost/energy.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/time/stack.h"

/* In each interval pJ of all units of a class; the last interval may be shorter. */
typedef struct {
    double pj[SERIES_INTERVALS];
} Energies;

typedef struct {
    const Aggregate *aggregate;
    EnergyFigures figures;
    double idle, active; /* W; of an SM that is active */
    Time start, interval, span;
    uint32_t count;
} Power;

static const Series *series_of(const ClassSum *sum, guint unit)
{
    return unit_series(sum->units->pdata[unit]);
}

static Time length_of(const Power *power, uint32_t index)
{
    return MIN(power->interval, power->span - index * power->interval);
}

/* What comes by the clock was counted when its unit was next looked at. */
static void spread(const Power *power, Energies *energies, double pj)
{
    for (uint32_t i = 0; i < power->count; i++)
        energies->pj[i] += pj * (double)length_of(power, i) / (double)power->span;
}

/* `each` pJ for each that a row counts. */
static void add_row(Energies *energies, const ClassSum *sum, const Stat *stat, double each)
{
    const uint32_t row = series_row(sum->class->stats, stat);
    for (guint unit = 0; unit < sum->units->len; unit++) {
        const SeriesKept *kept = &series_of(sum, unit)->kept;
        for (uint32_t i = 0; series_has(kept, row) && i < kept->count; i++)
            energies->pj[i] += each * (double)series_value(kept, row, i);
    }
}

static void add_statistic(const Power *power, Energies *energies, const ClassSum *sum,
                          const Stat *stat)
{
    const double each = energy_of_stat(stat, sum->units->pdata[0], &power->figures);
    if (stat->steady)
        spread(power, energies, each * (double)stat_number(stat, sum->sum));
    else
        add_row(energies, sum, stat, each);
}

/* False: the class takes no energy. */
static bool add_class(const Power *power, Energies *energies, const ClassSum *sum)
{
    bool any = false;
    for (const Stat *stat = sum->class->stats; stat && stat->name; stat++) {
        if (!stat->energy) continue;
        any = true;
        add_statistic(power, energies, sum, stat);
    }
    return any;
}

/* Time of SMs that have CTAs. False: nobody counts it. */
static bool add_active(const Power *power, Energies *energies)
{
    bool any = false;
    for (guint k = 0; k < power->aggregate->classes->len; k++) {
        const ClassSum *sum = power->aggregate->classes->pdata[k];
        const double schedulers = time_schedulers(sum);
        for (const Stat *stat = sum->class->stats; schedulers > 0 && stat->name; stat++) {
            if (!time_is_with_ctas(stat)) continue;
            any = true;
            add_row(energies, sum, stat, power->active * 1e-3 / schedulers);
        }
    }
    return any;
}

/* All have the same intervals. */
static bool find_intervals(Power *power)
{
    for (guint i = 0; i < power->aggregate->classes->len; i++) {
        const Series *series = series_of(power->aggregate->classes->pdata[i], 0);
        if (!series || !series->kept.count) continue;
        power->start = series->kept.start;
        power->interval = series->kept.interval;
        power->span = series->kept_until - series->kept.start;
        power->count = series->kept.count;
        return power->span > 0;
    }
    return false;
}

/* pJ in fs. */
static double watts_of(const Power *power, double pj, uint32_t index)
{
    return pj * 1e3 / (double)length_of(power, index);
}

static void write_watts(JsonWriter *classes, const Power *power, const char *name,
                        const Energies *energies)
{
    JsonWriter row = json_open_row(classes, name);
    for (uint32_t i = 0; i < power->count; i++)
        json_write_real(&row, NULL, result_round_share(watts_of(power, energies->pj[i], i)));
    json_end(&row, ']');
}

static void add_energies(const Power *power, Energies *all, const Energies *own)
{
    for (uint32_t i = 0; i < power->count; i++) all->pj[i] += own->pj[i];
}

/* A part of an interval is no peak, unless there is nothing else. */
static void write_peak(JsonWriter *writer, const Power *power, const Energies *all)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i < power->count && length_of(power, i) == power->interval; i++)
        if (all->pj[i] > all->pj[most]) most = i;
    json_write_real(writer, "peak_w", power->idle + watts_of(power, all->pj[most], most));
    json_write_real(writer, "peak_interval_ns", (double)length_of(power, most) * 1e-6);
    json_write_real(writer, "peak_at_ns", (double)most * (double)power->interval * 1e-6);
}

static void write_intervals(JsonWriter *writer, const Power *power)
{
    json_write_integer(writer, "start", (gint64)power->start);
    json_write_integer(writer, "interval", (gint64)power->interval);
    json_write_integer(writer, "span", (gint64)power->span);
    json_write_real(writer, "idle_w", power->idle);
}

/* `all`: their sum. */
static void write_classes(JsonWriter *writer, const Power *power, Energies *all)
{
    const GPtrArray *sums = power->aggregate->classes;
    JsonWriter classes = json_open(writer, "classes", '{');
    for (guint i = 0; i < sums->len; i++) {
        const ClassSum *sum = sums->pdata[i];
        Energies own = {{0}};
        if (!add_class(power, &own, sum)) continue;
        add_energies(power, all, &own);
        write_watts(&classes, power, sum->class->name, &own);
    }
    Energies active = {{0}};
    if (add_active(power, &active)) {
        add_energies(power, all, &active);
        write_watts(&classes, power, "active SMs", &active);
    }
    json_end(&classes, '}');
}

void power_write(JsonWriter *profile, const Aggregate *aggregate)
{
    Power power = {.aggregate = aggregate,
                   .figures = machine_energy(aggregate->machine),
                   .idle = machine_idle_power(aggregate->machine)};
    power.active = power.figures.active_sm_power;
    Energies all = {{0}};
    if (!find_intervals(&power)) return;
    JsonWriter writer = json_open(profile, "power", '{');
    write_intervals(&writer, &power);
    write_classes(&writer, &power, &all);
    write_peak(&writer, &power, &all);
    json_end(&writer, '}');
}

char *power_text(JsonNode *result)
{
    const double peak = result_number(result, "profile.power.peak_w");
    g_autofree char *length = text_time(result_number(result, "profile.power.peak_interval_ns")),
                    *most = g_strdup_printf(", %.1f in %s at most", peak, length);
    return g_strdup_printf("%.1f W on average%s", result_number(result, "consumption.power_w"),
                           isfinite(peak) ? most : "");
}

void power_visit(JsonNode *result, PowerVisit visit, void *user)
{
    JsonNode *classes = result_member(result, "profile.power.classes");
    if (!classes || !JSON_NODE_HOLDS_OBJECT(classes)) return;
    JsonObjectIter iter;
    const char *name;
    JsonNode *node;
    json_object_iter_init_ordered(&iter, json_node_get_object(classes));
    while (json_object_iter_next_ordered(&iter, &name, &node))
        if (JSON_NODE_HOLDS_ARRAY(node)) visit(name, json_node_get_array(node), user);
}
