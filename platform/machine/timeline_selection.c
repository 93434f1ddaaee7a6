/* `[simulation] timeline...`: which requests are reported one by one. */
#include "kit/describe/quantity.h"
#include "platform/machine/private.h"

TimelineSelection machine_timeline_selection(const Machine *machine)
{
    const SimulationParams *run = &machine->run;
    return (TimelineSelection){.capacity = (uint32_t)run->timeline,
                               .keep = (TimelineKeep)run->timeline_keep,
                               .one_in = run->timeline_one_in,
                               .from = run->timeline_from,
                               .until = run->timeline_until ? run->timeline_until : TIME_NEVER};
}

/* They choose among requests of which none is kept. */
static bool check_use(const SimulationParams *run, const Configuration *configuration,
                      GError **error)
{
    static const char *const keys[] = {"timeline_keep", "timeline_one_in", "timeline_from",
                                       "timeline_until"};
    const bool chosen[] = {run->timeline_keep != TIMELINE_FIRST, run->timeline_one_in != 1,
                           run->timeline_from != 0, run->timeline_until != 0};
    for (guint i = 0; !run->timeline && i < G_N_ELEMENTS(keys); i++)
        if (chosen[i])
            return setting_reject(configuration_find(configuration, "simulation", keys[i]), error,
                                  "has no effect, simulation.timeline = 0 keeps no request; "
                                  "allowed there: 1 to %d",
                                  TIMELINE_MAX);
    return true;
}

bool machine_check_timeline(const SimulationParams *run, const Configuration *configuration,
                            GError **error)
{
    if (!check_use(run, configuration, error)) return false;
    if (!run->timeline_until || run->timeline_until > run->timeline_from) return true;
    g_autofree char *from = quantity_format(PARAM_TIME, run->timeline_from);
    return setting_reject(configuration_find(configuration, "simulation", "timeline_until"), error,
                          "not later than simulation.timeline_from = %s; allowed: a later time, "
                          "or 0 ns for no end",
                          from);
}
