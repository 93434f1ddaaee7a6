/* Runs a study whose points simulate nothing: what a point costs beside its simulation.
 * empty_points FOLDER POINTS: prints seconds of wall time, and of CPU time with the processes'. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "scenarios/program/study/points/run.h"

static Status simulate_nothing(const PointRequest *request, PointAnswer *answer)
{
    (void)request;
    answer->payload = g_strdup("1 2 3");
    return STATUS_DONE;
}

static Manifest *make_manifest(guint points)
{
    Manifest *manifest = manifest_new();
    manifest_add_base(manifest)->variant = g_strdup("baseline");
    for (guint i = 0; i < points; i++) {
        Point *point = manifest_add_point(manifest);
        g_snprintf(point->key, sizeof point->key, "%032x", i);
        point->values = g_new0(char *, 1);
    }
    return manifest;
}

static double cpu_seconds(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    const guint points = (guint)atoi(argv[2]);
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = make_manifest(points);
    g_autoptr(RecordSet) records = record_set_new(argv[1], manifest);
    g_auto(StudyRunReport) report = {0};
    const StudyRunSettings settings = {
        .directory = argv[1],
        .shard = {0, 1},
        .pool = {.manifest = manifest, .simulate = simulate_nothing, .processes = 1},
    };
    if (!manifest_write(manifest, argv[1], &error)
        || !study_run(&settings, records, &report, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("%.6f %.6f\n", report.wall_s, cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN));
    return report.simulated == points ? 0 : 1;
}
