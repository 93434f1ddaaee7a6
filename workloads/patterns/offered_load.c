/* Latency under load: one CTA chases pointers, all others load and store lines at a set rate,
 * whatever has become of those before. What the chase's loads take, against the rate, is the
 * machine's loaded-latency curve. The method is that of Esmaili-Dokht et al., "A Mess of Memory
 * System Benchmarking, Simulation and Application Profiling" (MICRO 2024): a chase measures while
 * generators with a rate and a share of writes load the memory.
 *
 *   SM 0     probe warps:   load ──> load ──> load ...            from `settle` on
 *   others   traffic warps: │ access │  access  │access │ ...      one in each slot of time
 *
 * The rate is kept by the clock, not by waiting: an access that is late for want of room is made as
 * soon as there is room, and the next one still has its own time. A warp waits for a load only
 * when `in_flight` others of it are under way. At `duration` all stop.
 *
 * Not modelled: the loops' own instructions. */
#include <math.h>

#include "workloads/generator.h"

enum { POINTER_BYTES = 8 };
#define NODES_MAX (UINT64_C(1) << 28)
#define FRACTION_BITS 32 /* of shares */
#define JITTER_BITS 16   /* of places in a slot of time */

__extension__ typedef unsigned __int128 Wide;

typedef enum { ORDER_SEQUENTIAL, ORDER_RANDOM } Order;
typedef enum { ARRIVALS_RANDOM, ARRIVALS_EVEN } Arrivals;

typedef struct {
    double load, write_share;
    uint32_t order, arrivals;
    uint64_t array_bytes, element_bytes, ctas, warps, in_flight;
    uint64_t probe_warps, probe_bytes, probe_pitch;
    uint64_t settle, duration, fill, base, seed;
} OfferedLoad;

enum { FACT_OFFERED, FACT_INTERVAL, FACT_WRITES, FACTS };

typedef struct {
    Kernel kernel;
    OfferedLoad params;
    uint64_t traffic_warps, block_bytes, blocks, nodes;
    uint64_t first;    /* of a warp's accesses: those before were the preparation's */
    uint64_t accesses; /* of a warp */
    uint64_t rate;     /* bytes a second; 0: as fast as it goes */
    uint64_t core_clock, write_share, salt;
    uint32_t *order; /* the nodes, as the chain visits them; NULL: no probe */
    KernelFact facts[FACTS];
} LoadKernel;

static const char *const order_names[] = {"sequential", "random", NULL};
static const char *const arrival_names[] = {"random", "even", NULL};

static const Param params[] = {
    PARAM_REAL(OfferedLoad, load, "50 %", 0, 16,
               "traffic that is offered, as a share of DRAM's peak bandwidth; 0: the probe alone"),
    PARAM_REAL(OfferedLoad, write_share, "0 %", 0, 1,
               "share of the accesses that are stores, of whole blocks"),
    PARAM_ONE_OF(OfferedLoad, order, order_names, "sequential",
                 "sequential: all warps together walk through the arrays; random: each access is "
                 "to a block anywhere in its array"),
    PARAM_ONE_OF(OfferedLoad, arrivals, arrival_names, "random",
                 "when in its slot of time a warp makes an access: anywhere, or at its beginning"),
    PARAM_NUMBER(OfferedLoad, array_bytes, PARAM_BYTES, "64 MiB", 1024, 0x1p40,
                 "size of the array that is loaded from, and of that which is stored to"),
    PARAM_NUMBER(OfferedLoad, element_bytes, PARAM_BYTES, "4 B", 1, 16,
                 "bytes of each lane, a power of two; a block is what the lanes of a warp access"),
    PARAM_NUMBER(OfferedLoad, ctas, PARAM_COUNT, "0", 0, 65536,
                 "CTAs in the grid, of which the first is the probe; 0: one for each SM, at least "
                 "two"),
    PARAM_NUMBER(OfferedLoad, warps, PARAM_COUNT, "8", 1, 32, "warps a CTA"),
    PARAM_NUMBER(OfferedLoad, in_flight, PARAM_COUNT, "16", 1, 32,
                 "loads that a warp of the traffic may have outstanding"),
    PARAM_NUMBER(OfferedLoad, probe_warps, PARAM_COUNT, "8", 1, 32,
                 "warps that measure latency, each at a place of its own on the chain"),
    PARAM_NUMBER(OfferedLoad, probe_bytes, PARAM_BYTES, "64 MiB", 128, 0x1p40,
                 "bytes that the probe's nodes span"),
    PARAM_NUMBER(OfferedLoad, probe_pitch, PARAM_BYTES, "128 B", 8, 0x1p32,
                 "from node to node; a line, so that no load finds what another one brought"),
    PARAM_NUMBER(OfferedLoad, settle, PARAM_CYCLES, "10000 cycles", 0, 1e9,
                 "how long the traffic runs before the probe begins"),
    PARAM_NUMBER(OfferedLoad, duration, PARAM_CYCLES, "40000 cycles", 1, 1e9,
                 "how long the traffic runs in all, and when the probe ends"),
    PARAM_NUMBER(OfferedLoad, fill, PARAM_BYTES, "0 B", 0, 0x1p40,
                 "traffic of the same kind before, as fast as it goes and not measured: L2 then "
                 "holds what it would after a long time, dirty lines for one"),
    PARAM_NUMBER(OfferedLoad, base, PARAM_BYTES, "0 B", 0, 0x1p48, "address of the first array"),
    PARAM_NUMBER(OfferedLoad, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

/* --- the probe -------------------------------------------------------------------------------- */

static void fetch_pace(const LoadKernel *self, uint64_t cycle, Instruction *instruction)
{
    instruction->operation = OPERATION_PACE;
    instruction->unit = EXECUTE_OTHER;
    instruction->base = cycle;
    instruction->stride = (int64_t)self->params.duration;
}

static void fetch_probe(const LoadKernel *self, WarpCursor *cursor, Instruction *instruction)
{
    const OfferedLoad *p = &self->params;
    const uint64_t position = cursor->position++, load = position / 2;
    instruction_clear(instruction, 0x10 * (1 + position % 2), 1);
    if (!self->order || cursor->warp >= p->probe_warps || load >= p->duration) {
        instruction_exit(instruction);
        return;
    }
    if (position % 2 == 0) {
        fetch_pace(self, p->settle, instruction);
        return;
    }
    instruction_access(instruction, OPERATION_LOAD, POINTER_BYTES);
    instruction_writes(instruction, REGISTER_ADDRESS, registers_of(POINTER_BYTES));
    const uint64_t start = self->nodes / p->probe_warps * cursor->warp;
    const uint64_t node = self->order[(start + load) % self->nodes];
    instruction->base = p->base + 2 * p->array_bytes + node * p->probe_pitch;
}

/* --- the traffic ------------------------------------------------------------------------------ */

/* Neighbouring numbers are of different SMs. */
static uint64_t number_of(const LoadKernel *self, const WarpCursor *cursor)
{
    return cursor->warp * (self->kernel.ctas - 1) + cursor->cta - 1;
}

static uint64_t draw(const LoadKernel *self, uint64_t number, uint64_t access)
{
    return mix64(mix64(self->salt ^ number) ^ access);
}

/* The cycle at which so many blocks are due; `parts` has JITTER_BITS behind the point. */
static uint64_t cycle_of(const LoadKernel *self, Wide parts)
{
    const Wide cycles = parts * self->block_bytes * self->core_clock / self->rate;
    return (uint64_t)(cycles >> JITTER_BITS);
}

/* Of the blocks of all warps a warp has every W-th: a slot of W block times, in which its access
 * is. */
static uint64_t time_of(const LoadKernel *self, uint64_t number, uint64_t access)
{
    Wide parts = ((Wide)access * self->traffic_warps + number) << JITTER_BITS;
    if (self->params.arrivals == ARRIVALS_RANDOM)
        parts = ((Wide)access << JITTER_BITS) * self->traffic_warps
                + (draw(self, number, ~access) >> (64 - JITTER_BITS)) * self->traffic_warps;
    return cycle_of(self, parts);
}

/* Of the warp's first accesses, those that store: never more than one away from their share. */
static uint64_t stores_before(const LoadKernel *self, uint64_t number, uint64_t access)
{
    const uint64_t phase = (number << FRACTION_BITS) / self->traffic_warps;
    return (uint64_t)(((Wide)access * self->write_share + phase) >> FRACTION_BITS);
}

static uint64_t block_of(const LoadKernel *self, uint64_t number, uint64_t access, uint64_t nth)
{
    if (self->params.order == ORDER_RANDOM)
        return scale64(draw(self, number, access), self->blocks);
    return (nth * self->traffic_warps + number) % self->blocks;
}

static void fetch_access(const LoadKernel *self, uint64_t number, uint64_t access,
                         Instruction *instruction)
{
    const OfferedLoad *p = &self->params;
    const uint64_t stores = stores_before(self, number, access);
    const bool stored = stores_before(self, number, access + 1) > stores;
    const uint64_t nth = stored ? stores : access - stores;
    const uint32_t registers = registers_of(p->element_bytes);
    instruction_access(instruction, stored ? OPERATION_STORE : OPERATION_LOAD, p->element_bytes);
    if (stored)
        instruction_reads(instruction, REGISTER_CONSTANT, registers);
    else /* which waits for the load that had the register before */
        instruction_writes(instruction, load_register(nth % p->in_flight), registers);
    instruction->base = p->base + (stored ? p->array_bytes : 0)
                        + block_of(self, number, access, nth) * self->block_bytes;
    instruction->stride = (int64_t)p->element_bytes;
}

static void fetch_traffic(const LoadKernel *self, WarpCursor *cursor, Instruction *instruction)
{
    const uint64_t steps = self->rate ? 2 : 1;
    const uint64_t position = cursor->position++, number = number_of(self, cursor);
    const uint64_t access = position / steps;
    const uint64_t mask = kernel_lane_mask(&self->kernel, cursor->warp);
    instruction_clear(instruction, 0x10 * (1 + position % steps), mask);
    const uint64_t due = self->rate ? time_of(self, number, access) : 0;
    if (access >= self->accesses || due >= self->params.duration)
        instruction_exit(instruction);
    else if (position % steps + 1 < steps)
        fetch_pace(self, due, instruction);
    else
        fetch_access(self, number, self->first + access, instruction);
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const LoadKernel *self = (const LoadKernel *)kernel;
    if (cursor->cta)
        fetch_traffic(self, cursor, instruction);
    else
        fetch_probe(self, cursor, instruction);
}

/* --- building --------------------------------------------------------------------------------- */

static void free_kernel(Kernel *kernel)
{
    LoadKernel *self = (LoadKernel *)kernel;
    g_free(self->order);
    g_free(self);
}

static const KernelClass kernel_class = {.fetch = fetch, .free = free_kernel};

static bool check_probe(const OfferedLoad *p, GError **error)
{
    const uint64_t nodes = p->probe_bytes / p->probe_pitch;
    if (!workload_check_multiple(error, "probe_pitch", p->probe_pitch, POINTER_BYTES)) return false;
    if (nodes < p->probe_warps)
        return workload_reject(error, "probe_bytes",
                               "has %" PRIu64 " nodes, fewer than probe_warps", nodes);
    if (nodes > NODES_MAX)
        return workload_reject(error, "probe_bytes",
                               "has %" PRIu64 " nodes, at most %" PRIu64 " fit", nodes, NODES_MAX);
    if (p->probe_warps > p->warps)
        return workload_reject(error, "probe_warps", "a CTA has only %" PRIu64 " warps", p->warps);
    return p->settle < p->duration
           || workload_reject(error, "settle", "not before the end at %" PRIu64 " cycles",
                              p->duration);
}

static bool check(const OfferedLoad *p, const WorkloadContext *context, GError **error)
{
    const uint64_t block = p->element_bytes * context->warp_lanes;
    if (!context->core_clock || !context->dram_bandwidth)
        return workload_reject(error, "load",
                               "is a share of a machine's bandwidth, and there is "
                               "no machine here");
    if (!is_power_of_two(p->element_bytes))
        return workload_reject(error, "element_bytes", "not a power of two");
    if (p->ctas == 1)
        return workload_reject(error, "ctas", "the first is the probe, and none would be left");
    if (p->warps * context->warp_lanes > 1024)
        return workload_reject(error, "warps", "a CTA has at most 1024 threads, warps of %u lanes",
                               context->warp_lanes);
    return workload_check_multiple(error, "array_bytes", p->array_bytes, block)
           && workload_check_multiple(error, "base", p->base, block) && check_probe(p, error);
}

static void describe(LoadKernel *self, const WorkloadContext *context, const char *name)
{
    const OfferedLoad *p = &self->params;
    const double block_seconds = self->rate ? (double)self->block_bytes / (double)self->rate : 0;
    self->facts[FACT_OFFERED] = (KernelFact){"offered_gbps", (double)self->rate / 1e9};
    self->facts[FACT_INTERVAL] = (KernelFact){
        "interval_cycles", block_seconds * (double)(self->traffic_warps * context->core_clock)};
    self->facts[FACT_WRITES] = (KernelFact){"write_share", p->write_share};
    self->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup(name),
        .ctas = self->kernel.ctas,
        .threads_per_cta = (uint32_t)p->warps * context->warp_lanes,
        .warp_lanes = context->warp_lanes,
        .registers_per_thread = MIN(load_register(p->in_flight), 255),
        .footprint = 2 * p->array_bytes + self->nodes * p->probe_pitch,
        .probe_warps = (uint32_t)p->probe_warps,
    };
}

static LoadKernel *new_kernel(const OfferedLoad *p, const WorkloadContext *context)
{
    LoadKernel *self = g_new0(LoadKernel, 1);
    self->params = *p;
    self->kernel.ctas = p->ctas ? p->ctas : MAX(context->sms, 2);
    self->traffic_warps = (self->kernel.ctas - 1) * p->warps;
    self->block_bytes = p->element_bytes * context->warp_lanes;
    self->blocks = p->array_bytes / self->block_bytes;
    self->nodes = p->probe_bytes / p->probe_pitch;
    self->core_clock = context->core_clock;
    self->write_share = (uint64_t)llround(p->write_share * (double)(UINT64_C(1) << FRACTION_BITS));
    self->salt = mix64(mix64(context->seed) ^ p->seed);
    return self;
}

/* The accesses that the preparation has made of each warp. */
static uint64_t add_preparation(const OfferedLoad *p, const WorkloadContext *context,
                                LaunchList *list)
{
    if (!p->fill) return 0;
    LoadKernel *self = new_kernel(p, context);
    self->accesses = p->fill / self->block_bytes / self->traffic_warps + 1;
    describe(self, context, "fill");
    launch_list_add(list, &self->kernel);
    g_array_index(list->launches, Launch, list->launches->len - 1).prepares = true;
    return self->accesses;
}

static void name_arrays(const OfferedLoad *p, uint64_t nodes, LaunchList *list)
{
    launch_list_add_array(list, "loaded", p->base, p->array_bytes);
    launch_list_add_array(list, "stored", p->base + p->array_bytes, p->array_bytes);
    launch_list_add_array(list, "chain", p->base + 2 * p->array_bytes, nodes * p->probe_pitch);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const OfferedLoad *p = object;
    if (!check(p, context, error)) return false;
    const uint64_t first = add_preparation(p, context, list);
    LoadKernel *self = new_kernel(p, context);
    self->first = first;
    self->rate = (uint64_t)llround(p->load * (double)context->dram_bandwidth);
    self->accesses = self->rate ? UINT64_MAX : 0;
    self->order = cycle_draw(self->nodes, self->salt);
    describe(self, context, "offered_load");
    self->kernel.facts = self->facts;
    self->kernel.fact_count = FACTS;
    launch_list_add(list, &self->kernel);
    name_arrays(p, self->nodes, list);
    return true;
}

const WorkloadClass offered_load_workload = {
    .name = "offered_load",
    .summary = "a pointer chase's latency while the other SMs access memory at a set rate",
    .size = sizeof(OfferedLoad),
    .params = params,
    .build = build,
};
