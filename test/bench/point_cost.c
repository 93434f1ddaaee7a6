/* Processor time of a study's point beside its simulation: a process for it, its machine, its
 * outcome. And of reading outcomes.
 * point_cost SCENARIO [POINTS]: with POINTS runs so many in this process, to be counted. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/program/language/scenario.h"
#include "scenarios/program/study/points/point.h"
#include "scenarios/program/study/records/outcome.h"

enum { POINTS = 200, OUTCOMES = 100000 };

/* A plan of one point. */
static Manifest *plan(const char *scenario)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) loaded = scenario_load(scenario, NULL, &error);
    if (!loaded) g_error("%s", error->message);
    const Variant *variant = loaded->variants->pdata[0];
    Manifest *manifest = manifest_new();
    manifest->title = g_strdup(loaded->title);
    Base *base = manifest_add_base(manifest);
    base->variant = g_strdup(variant->name);
    configuration_free(base->configuration);
    base->configuration = configuration_copy(variant->configuration);
    manifest_add_point(manifest)->values = g_new0(char *, 1);
    return manifest;
}

/* What a child tells. */
typedef struct {
    double simulation_s;
    char payload[3000];
} Answer;

static void simulate(const Manifest *manifest, int out)
{
    const PointRequest request = {manifest, manifest->points->pdata[0], false};
    PointAnswer answer;
    if (point_simulate(&request, &answer) != STATUS_DONE) g_error("%s", answer.payload);
    Answer told = {.simulation_s = answer.simulation_s};
    g_strlcpy(told.payload, answer.payload, sizeof told.payload);
    _exit(write(out, &told, sizeof told) != sizeof told);
}

static Answer run_point(const Manifest *manifest)
{
    int ends[2], state;
    Answer answer;
    if (pipe(ends)) g_error("no pipe");
    const pid_t child = fork();
    if (!child) simulate(manifest, ends[1]);
    close(ends[1]);
    if (read(ends[0], &answer, sizeof answer) != sizeof answer) g_error("no answer");
    close(ends[0]);
    waitpid(child, &state, 0);
    return answer;
}

static double processor_time(int who)
{
    struct rusage usage = {0};
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Of this process and its children. */
static double all_processor_time(void)
{
    return processor_time(RUSAGE_SELF) + processor_time(RUSAGE_CHILDREN);
}

static double now(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

static int run_here(const Manifest *manifest, const char *points)
{
    const PointRequest request = {manifest, manifest->points->pdata[0], false};
    for (guint64 i = g_ascii_strtoull(points, NULL, 10); i; i--) {
        PointAnswer answer;
        if (point_simulate(&request, &answer) != STATUS_DONE) g_error("%s", answer.payload);
        point_answer_clear(&answer);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) return 2;
    g_autoptr(Manifest) manifest = plan(argv[1]);
    if (argc == 3) return run_here(manifest, argv[2]);
    Answer answer;
    double simulation = 0;
    const double began = all_processor_time();
    for (guint i = 0; i < POINTS; i++) {
        answer = run_point(manifest);
        simulation += answer.simulation_s;
    }
    const double beside = all_processor_time() - began - simulation;
    printf(
        "a point beside its simulation  %12.2f ms                    (target 5; the simulation of "
        "this small one: %.2f)\n",
        1e3 * beside / POINTS, 1e3 * simulation / POINTS);
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    const double reading = now();
    for (guint i = 0; i < OUTCOMES; i++)
        if (!outcome_parse(answer.payload, result_column_count(), &outcome, NULL)) return 1;
    printf("100,000 outcomes are read in   %12.3f s\n", now() - reading);
    return 0;
}
