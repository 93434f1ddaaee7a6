#include "scenarios/program/run/execution.h"

#include <sys/resource.h>

#include "platform/machine/residency.h"
#include "scenarios/program/say/json_text.h"

struct Execution {
    Run run;
    RunReport report;
    gint64 began;
    double seconds; /* of execution_run */
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

Execution *execution_new(const RunName *name, const Variant *variant, GError **error)
{
    const gint64 began = g_get_monotonic_time();
    LaunchList *launches = variant_build_launches(variant, error);
    g_autoptr(Machine) machine =
        launches ? machine_new(variant->configuration, launches, error) : NULL;
    if (!machine || !machine_check_residency(machine, error)) {
        variant_locate_error(variant, error);
        return NULL;
    }
    Execution *execution = g_new0(Execution, 1);
    execution->began = began;
    execution->run = (Run){.name = *name,
                           .variant = variant->name,
                           .configuration = variant->configuration,
                           .machine = g_steal_pointer(&machine),
                           .report = &execution->report,
                           .launches = launches};
    return execution;
}

void execution_free(Execution *execution)
{
    if (!execution) return;
    machine_free(execution->run.machine);
    g_free(execution);
}

static Status judge(const Execution *execution, RunOutcome outcome, GError **error)
{
    switch (outcome) {
    case RUN_FINISHED: return STATUS_DONE;
    case RUN_INTERRUPTED: return STATUS_INTERRUPTED;
    case RUN_BAD_INPUT:
        if (error && !*error) g_set_error(error, EXECUTION_ERROR, 0, "the input is broken");
        return STATUS_BAD_INPUT;
    case RUN_FAILED: g_prefix_error(error, "the run failed: "); return STATUS_FAILED;
    case RUN_DEADLOCK: {
        g_autofree char *cycle =
            simulation_describe_deadlock(machine_simulation(execution->run.machine));
        g_set_error(error, EXECUTION_ERROR, 0, "deadlock: %s", cycle);
        return STATUS_FAILED;
    }
    }
    g_assert_not_reached();
}

static double processor_seconds(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Status execution_run(Execution *execution, GError **error)
{
    RunReport *report = &execution->report;
    const double began = processor_seconds();
    const bool good = machine_run(execution->run.machine, report, error);
    execution->seconds = processor_seconds() - began;
    if (!good && report->outcome != RUN_BAD_INPUT) report->outcome = RUN_FAILED;
    return judge(execution, report->outcome, error);
}

/* A tile that is the only one asks SimGrid for no date. */
bool execution_leaves_engine(const Execution *execution)
{
    return execution->report.tiles == 1 && !machine_tells_engine(execution->run.machine);
}

double execution_seconds(const Execution *execution)
{
    return execution->seconds;
}

const Run *execution_outcome(const Execution *execution)
{
    return &execution->run;
}

char *execution_host_text(const Execution *execution)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    const HostCost cost = {
        .wall_s = (double)(g_get_monotonic_time() - execution->began) / 1e6,
        .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
        .peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024,
    };
    g_autoptr(JsonNode) host = result_host(&execution->run, &cost);
    return json_text(host);
}
