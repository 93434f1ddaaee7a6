/* Packets into the networks alone, made at a set rate, from every source to destinations as a
 * pattern of the field says. */
#include "workloads/traffic/kernel.h"
#include "workloads/traffic/matrix.h"

typedef struct {
    uint32_t way, destinations;
    double load, write_share, hotspot_share;
    uint64_t data_bytes, hotspot, outstanding;
    char *file;
    uint64_t warm_up, duration, seed;
} NetworkTraffic;

static const char *const ways[] = {"requests", "replies", "round_trip", NULL};
static const char *const rules[] = {"uniform",   "hotspot", "transpose", "bit_complement",
                                    "neighbour", "matrix",  NULL};

static const Param params[] = {
    PARAM_ONE_OF(NetworkTraffic, way, ways, "requests",
                 "requests, from SMs to L2 slices; replies, from slices to SMs; or round trips: "
                 "requests that their slices answer at once"),
    PARAM_ONE_OF(NetworkTraffic, destinations, rules, "uniform",
                 "where packets go: anywhere; often to one; from row and column to column and row; "
                 "to the opposite end; to the next; or as a file says"),
    PARAM_REAL(NetworkTraffic, load, "50 %", 1e-6, 1,
               "packets that each source makes in a cycle of the network's clock"),
    PARAM_REAL(NetworkTraffic, write_share, "0 %", 0, 1,
               "share of writes: their requests bring data, and their replies none"),
    PARAM_NUMBER(NetworkTraffic, data_bytes, PARAM_BYTES, "32 B", 1, 512,
                 "data of a packet that brings any: whole sectors, up to a line"),
    PARAM_NUMBER(NetworkTraffic, hotspot, PARAM_COUNT, "0", 0, 4095,
                 "of destinations = hotspot, the one; from 0 on"),
    PARAM_REAL(NetworkTraffic, hotspot_share, "10 %", 0, 1,
               "of destinations = hotspot, the share of packets that goes there, beside its part "
               "of the rest, which goes anywhere"),
    PARAM_STRING(NetworkTraffic, file, "",
                 "of destinations = matrix: a line each source with a number each destination, "
                 "packets a cycle at a load of 100 %; relative to the scenario's folder"),
    PARAM_NUMBER(NetworkTraffic, outstanding, PARAM_COUNT, "0", 0, 65536,
                 "packets of a source under way at most, of round trips until the reply is there; "
                 "0: any number"),
    PARAM_NUMBER(NetworkTraffic, warm_up, PARAM_CYCLES, "5000 cycles", 0, 1e9,
                 "traffic before the measured time, in cycles of the network's clock"),
    PARAM_NUMBER(NetworkTraffic, duration, PARAM_CYCLES, "20000 cycles", 1, 1e9,
                 "what is made in this time is measured; the run ends when all of it has arrived"),
    PARAM_NUMBER(NetworkTraffic, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

typedef struct {
    uint64_t sources, destinations;
    const char *names; /* of destinations */
} Ends;

static Ends ends_of(const NetworkTraffic *p, const WorkloadContext *context)
{
    if (p->way == WAY_REPLIES) return (Ends){context->slices, context->sms, "SMs"};
    return (Ends){context->sms, context->slices, "L2 slices"};
}

static bool check(const NetworkTraffic *p, const WorkloadContext *context, GError **error)
{
    if (!traffic_check_machine(context, error)
        || !traffic_check_bytes(p->data_bytes, "data_bytes", context, error))
        return false;
    const Ends ends = ends_of(p, context);
    if (p->destinations == TO_TRANSPOSE && !destinations_side((uint32_t)ends.destinations))
        return workload_reject(error, "destinations",
                               "needs a square of destinations, and there are %" PRIu64 " %s",
                               ends.destinations, ends.names);
    if (p->destinations == TO_HOTSPOT && p->hotspot >= ends.destinations)
        return workload_reject(error, "hotspot", "there are %" PRIu64 " %s, numbered from 0 on",
                               ends.destinations, ends.names);
    if (*p->file && p->destinations != TO_MATRIX)
        return workload_reject(error, "file", "only destinations = matrix reads one");
    return true;
}

/* A source makes one packet a cycle at most. */
static bool check_matrix(const double *matrix, const Ends *ends, GError **error)
{
    for (uint64_t i = 0; i < ends->sources; i++) {
        double sum = 0;
        for (uint64_t j = 0; j < ends->destinations; j++) sum += matrix[i * ends->destinations + j];
        if (sum > 1 + 1e-9)
            return workload_reject(error, "file",
                                   "line %" PRIu64 " of its sources adds up to %g packets a cycle, "
                                   "more than 1",
                                   i + 1, sum);
    }
    return true;
}

static bool read_matrix(const NetworkTraffic *p, const WorkloadContext *context, double **matrix,
                        GError **error)
{
    if (p->destinations != TO_MATRIX) return true;
    if (!*p->file) return workload_reject(error, "file", "destinations = matrix needs one");
    const Ends ends = ends_of(p, context);
    g_autofree char *path = traffic_find_file(p->file, context, error);
    *matrix = path ? matrix_read(path, ends.sources, ends.destinations, error) : NULL;
    if (!*matrix) return false;
    if (check_matrix(*matrix, &ends, error)) return true;
    g_clear_pointer(matrix, g_free);
    return false;
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const NetworkTraffic *p = object;
    const double made = p->load * (double)p->duration * (double)ends_of(p, context).sources;
    Traffic traffic = {.part = TRAFFIC_INTO_NETWORK,
                       .seed = mix64(mix64(context->seed) ^ p->seed),
                       .load = p->load,
                       .write_share = p->write_share,
                       .bytes = p->data_bytes,
                       .outstanding = p->outstanding,
                       .warm_up = p->warm_up,
                       .duration = p->duration,
                       .expected = (uint64_t)made,
                       .way = (TrafficWay)p->way,
                       .rule = (DestinationRule)p->destinations,
                       .hotspot = (uint32_t)p->hotspot,
                       .hotspot_share = p->hotspot_share};
    if (!check(p, context, error) || !read_matrix(p, context, &traffic.matrix, error)) return false;
    traffic_launch(list, "network_traffic", &traffic, 0);
    return true;
}

static bool list_files(const void *object, const WorkloadContext *context, GPtrArray *files,
                       GError **error)
{
    return traffic_list_file(((const NetworkTraffic *)object)->file, context, files, error);
}

const WorkloadClass network_traffic_workload = {
    .name = "network_traffic",
    .summary = "packets at a set rate from SMs to L2 slices or back, without a GPU",
    .size = sizeof(NetworkTraffic),
    .params = params,
    .build = build,
    .list_files = list_files,
};
