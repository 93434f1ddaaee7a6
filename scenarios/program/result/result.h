/* What a run leaves behind. `result.json` holds the model's answer and nothing of the host, so
 * that two runs of one scenario are the same bytes; `host.json` holds the rest. Every view
 * (summary, comparison, report) is made from result.json. */
#pragma once

#include <json-glib/json-glib.h>

#include "platform/machine/machine.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/result/aggregate.h"
#include "scenarios/program/say/json_text.h"

#define RESULT_ERROR (g_quark_from_static_string("warpmem-result"))

enum { RESULT_SCHEMA_VERSION = 1 };

/* What a scenario is called, its file, and where the run stands among its variants. */
typedef struct {
    const char *title;
    const char *file; /* NULL: there is none */
    guint place;      /* of a study the point */
} RunName;

typedef struct {
    RunName name;
    const char *variant;
    const Configuration *configuration;
    Machine *machine;
    const RunReport *report;
    const LaunchList *launches; /* the machine's */
} Run;

/* Brief: of the units only what the summary of a run, its verdict and a comparison need: sums over
 * a class, and of instances those of the networks. Most of a result are statistics of instances.
 * Columns: less still, what a study's columns are made of; no parameters, no resources, of the
 * stages those of requests that there were. Fixed columns: of units only what verdicts need. */
typedef enum { RESULT_WHOLE, RESULT_BRIEF, RESULT_COLUMNS, RESULT_FIXED_COLUMNS } ResultExtent;

/* The content of result.json, after the run, newly allocated; `kernels` as kernels.h has them.
 * NULL with error when the configuration cannot be resolved. */
char *result_text_new(const Run *run, ResultExtent extent, JsonNode *kernels, GError **error);
/* The same as a tree; not of a whole one. */
JsonNode *result_new(const Run *run, ResultExtent extent, JsonNode *kernels, GError **error);

/* Whether a measured launch has begun. */
bool run_reached_measurement(const Run *run);

/* What was simulated of a measured launch that had not ended. */
Time run_unfinished_span(const Run *run);

/* Of the measured launches of the aggregate; what lies between them is not in it. */
uint64_t result_dram_bytes(const Run *run, const Aggregate *aggregate);

/* The time of a launch that has finished, by place in the list, until the buses have carried what
 * it left in the queues between L2 and DRAM. Of one that is not measured, or that runs together
 * with others, nobody knows what it left: its time alone. */
Time result_counted_span(const Run *run, const Aggregate *aggregate, guint launch);

/* Of the region of interest: bytes that L2 has more of, at its end, that are to be written. */
uint64_t result_kept_bytes(const Aggregate *aggregate);
/* What L2 and all behind it have more of than when the region of interest began. */
uint64_t result_unwritten_bytes(const Aggregate *aggregate);

/* The time in which the buses carried so many bytes. What is counted of a kernel goes on until
 * DRAM has news of its end, and begins with a round trip to the SMs; so they may be more than fit
 * into the kernel's own time. */
static inline Time result_dram_span(const Run *run, uint64_t bytes, Time span)
{
    return MAX(span, machine_dram_time(run->machine, bytes));
}

/* The parts of it, each the value of one member, or a member. */
JsonNode *result_summary(const Run *run, const Aggregate *aggregate);
JsonNode *result_stages(const Aggregate *aggregate, ResultExtent extent);
void result_write_units(JsonWriter *result, const Aggregate *aggregate, ResultExtent extent);
/* Brief, of a phase, as text: a member of a kernel. */
JsonNode *result_written_units(const Aggregate *aggregate);
/* Of units only what verdicts need. */
JsonNode *result_units_for_verdicts(const Aggregate *aggregate);
/* Units whose resources are one: of a class, or of a network, "crossbar[request]". */
typedef void (*ResourceGroupVisit)(const char *name, const GPtrArray *units, void *user);
void result_visit_resource_groups(const Aggregate *aggregate, ResourceGroupVisit function,
                                  void *user);
/* Names of the resources of all units of a class, in the order of the first that has them. */
GPtrArray *result_resource_names(const GPtrArray *units);
void result_write_resources(JsonWriter *result, const Aggregate *aggregate, ResultExtent extent);

/* One that units of a group have, with all its instances. */
typedef struct {
    char *group;
    const char *name;
    GArray *instances;
    GPtrArray *without; /* units of the group that have none of it */
    uint64_t capacity;
    guint elements; /* of one unit, at most */
} Resource;

/* How full it was: shares of 1, of all instances and of the busiest. */
typedef struct {
    const Resource *resource;
    bool server;
    uint64_t refused;
    double mean, use, full;
    char *busiest; /* path of an instance; NULL: it is the only one */
    double most_use, most_full;
} ResourceFill;

/* Of Resource: those of the machine, whatever the aggregate is of. */
GArray *result_list_resources(const Aggregate *aggregate);
/* Of ResourceFill, in the order of `table`, which must outlive it. */
GArray *result_fill_resources(const GArray *table, const Aggregate *aggregate);
/* Brief, of a phase, as text: a member of a kernel. */
JsonNode *result_written_resources(const GArray *fills, const Aggregate *aggregate);
/* Nothing where SimGrid's solver times its packets, or there is no network. */
void result_write_links(JsonWriter *result, const Aggregate *aggregate);
/* Nothing where it is not collected; only power over time of what is not whole. */
void result_write_profile(JsonWriter *result, const Run *run, const Aggregate *aggregate,
                          ResultExtent extent);

/* Pieces of them. A request that is reported by itself; `address`; `buckets` of a distribution. */
typedef struct BankLogs BankLogs; /* banks.h's; NULL: nothing is said of DRAM commands */
void result_write_timeline_row(JsonWriter *list, const TimelineRow *row, BankLogs *logs);
void result_write_address(JsonWriter *writer, uint64_t address);
void result_write_buckets(JsonWriter *writer, const Histogram *histogram);
/* To a hundredth of a percent, which is enough to draw it. */
double result_round_share(double share);

/* `launch` of a kernel: what limits its CTAs on an SM, and how they were spread. */
/* Of so many launches it is told at most: those that took most time. */
enum { LAUNCHES_TOLD = 32 };

/* Whether it is told of the launch, by place in `times`, of KernelTime; newly allocated. */
bool *result_launches_told(const GArray *times);

/* A member "chosen" of the object that is being built, where not all of the list run, or are
 * measured in their place: which. */
void result_put_chosen(JsonBuilder *json, const LaunchList *launches);

/* The object; `time` NULL: it has not finished. */
JsonNode *result_launch(const Machine *machine, const Launch *launch, const KernelTime *time);

/* Members `timeline` and `timeline_banks`. */
void result_write_timeline(JsonWriter *result, const Run *run);
/* NULL: not asked for. */
JsonNode *result_timeline_selection(const Run *run);

typedef struct {
    double wall_s, cpu_s;
    uint64_t peak_rss_bytes;
} HostCost;

/* How a result names a scenario's file: a shipped one by its name, another without its folder, so
 * that a result is the same bytes wherever the file lies. Newly allocated. */
char *result_file_name(const char *file);

/* The content of host.json. */
JsonNode *result_host(const Run *run, const HostCost *cost);

/* Makes the folder if need be and tries whether both files can be written; the error is the
 * user's. */
bool result_prepare_directory(const char *directory, GError **error);

/* DIRECTORY/result.json and host.json appear complete and both, or none. */
bool result_write(const char *directory, const char *result, const char *host, GError **error);

/* Whether each member that readers use is of its kind; what is missing is right. */
bool result_check(JsonNode *result, const char *file, GError **error);

/* Reads a result.json, or the one in a folder, and looks whether it is one of this schema. Its
 * `run_file` says where the scenario's file lies, if a host.json beside it knows that. */
JsonNode *result_read(const char *path, GError **error);
/* The path that it was read from; empty: it was not. */
const char *result_read_from(JsonNode *result);

/* Whether a folder has a result, or folders of variants that have. */
bool result_is_in(const char *directory);

/* The results at `path`: a result.json, a folder with one, or a folder of variants (baseline
 * first, then in the scenario's order). Of JsonNode. */
GPtrArray *result_read_all(const char *path, GError **error);

/* `measured`: a measured launch has begun; `partial`: the run was interrupted. */
bool result_is_measured(JsonNode *result);
bool result_is_partial(JsonNode *result);

/* What results are ranked by: the time of a run; of traffic at a set rate, whose time is set as
 * well, the mean latency of its packets or of its probe. */
typedef struct {
    double ns; /* NaN: nothing was measured, or not all of it */
    bool latency;
} ResultRank;

ResultRank result_rank(JsonNode *result);
/* GB/s that DRAM's buses can carry; NAN: any number. */
double result_dram_peak(JsonNode *result);

/* Every launch that began, those that `summary.kernels` leaves out included. */
guint result_count_launches(JsonNode *result);

/* Whether a launch is called so; those that ran together have a name of their own. */
bool result_has_kernel(JsonNode *result, const char *name);

/* Members of a result by path, "summary.dram.read_bytes"; NaN or NULL where it has none of the
 * kind. */
double result_number(JsonNode *result, const char *path);
double summary_number(JsonNode *result, const char *name); /* "dram.read_bytes" */
guint result_count(JsonNode *result, const char *path);    /* 0 where it has none */
const char *result_text(JsonNode *result, const char *path);
JsonNode *result_member(JsonNode *result, const char *path);
JsonArray *result_array(JsonNode *result, const char *path);
guint result_length(JsonArray *array); /* of NULL: 0 */
bool result_flag(JsonNode *result, const char *path, bool absent);

/* A statistic of a result that is a number, summed over the units of a class; a time is in fs. */
typedef struct {
    const UnitClass *unit;
    const Stat *stat;
    double sum;
} Counter;

/* Of Counter, those that are not 0; of the classes, NULL-terminated, and their rows in order. */
GArray *result_counters(JsonNode *result, const UnitClass *const *classes);

/* Of a JsonNode the value of "l1.sets" as a scenario writes it. */
const char *result_parameter(gconstpointer result, const char *name);

/* The core clock's period, as the summary's times have it. */
double result_core_cycle_ns(JsonNode *result);
