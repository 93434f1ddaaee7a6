/* Double arrays streamed through once, one element a thread: bandwidth against occupancy. The
 * operations, the counted bytes and the spoiler (shared memory that limits the CTAs of an SM) are
 * those of te42kyfo/gpu-benches' gpu-stream.
 *
 *   warp:  index arithmetic  [ loads | compute, store ]  for each `unroll` elements  exit
 */
#include "workloads/generator.h"

typedef enum { STREAM_INIT, STREAM_READ, STREAM_SCALE, STREAM_TRIAD, STREAM_COPY } StreamOperation;

/* What an operation does with each element; arrays are numbered by their place in memory, 0 is
 * the one written. */
typedef struct {
    uint32_t loads, computes, stores, first_loaded;
} Shape;

typedef struct {
    uint64_t array_bytes, element_bytes, threads_per_cta, elements_per_thread, unroll;
    uint64_t index_instructions, base, alignment, registers_per_thread, shared_bytes_per_cta;
    uint32_t operation;
} Stream;

typedef struct {
    Kernel kernel;
    Stream params;
    Shape shape;
    uint64_t elements, array_pitch;
} StreamKernel;

static const char *const operation_names[] = {"init", "read", "scale", "triad", "copy", NULL};

static const Shape shapes[] = {
    [STREAM_INIT] = {0, 0, 1, 0},  [STREAM_READ] = {1, 1, 0, 0}, [STREAM_SCALE] = {1, 1, 1, 1},
    [STREAM_TRIAD] = {2, 1, 1, 1}, [STREAM_COPY] = {1, 0, 1, 1},
};

static const Param params[] = {
    PARAM_ONE_OF(Stream, operation, operation_names, "read",
                 "init A=c, read A, scale A=B*c, triad A=B*c+C, copy A=B"),
    PARAM_NUMBER(Stream, array_bytes, PARAM_BYTES, "64 MiB", 1, 0x1p44, "bytes of each array"),
    PARAM_NUMBER(Stream, element_bytes, PARAM_BYTES, "8 B", 1, 16,
                 "bytes of an element, a power of two"),
    PARAM_NUMBER(Stream, threads_per_cta, PARAM_COUNT, "256", 1, 1024, "threads a CTA"),
    PARAM_NUMBER(Stream, elements_per_thread, PARAM_COUNT, "1", 1, 1 << 20,
                 "elements of each thread, a CTA's width apart"),
    PARAM_NUMBER(Stream, unroll, PARAM_COUNT, "1", 1, 16,
                 "elements whose loads are all issued before the first is used"),
    PARAM_NUMBER(Stream, index_instructions, PARAM_COUNT, "6", 0, 255,
                 "dependent integer instructions before the first access"),
    PARAM_NUMBER(Stream, base, PARAM_BYTES, "0 B", 0, 0x1p48, "address of the first array"),
    PARAM_NUMBER(Stream, alignment, PARAM_BYTES, "2 MiB", 1, 0x1p40,
                 "each array begins at a multiple of this from the first"),
    PARAM_NUMBER(Stream, registers_per_thread, PARAM_COUNT, "16", 1, 255,
                 "registers a thread, which limit resident warps"),
    PARAM_NUMBER(Stream, shared_bytes_per_cta, PARAM_BYTES, "0 B", 0, 1 << 20,
                 "shared memory a CTA, which limits resident CTAs"),
    PARAM_END,
};

static uint64_t element_index(const StreamKernel *self, const WarpCursor *cursor, uint64_t element)
{
    const Stream *p = &self->params;
    return (cursor->cta * p->elements_per_thread + element) * p->threads_per_cta
           + cursor->warp * (uint64_t)self->kernel.warp_lanes;
}

/* Elements of this warp's threads that lie inside the arrays for at least one lane. */
static uint64_t element_count(const StreamKernel *self, const WarpCursor *cursor)
{
    const Stream *p = &self->params;
    const uint64_t first = element_index(self, cursor, 0);
    if (element_index(self, cursor, p->elements_per_thread - 1) < self->elements)
        return p->elements_per_thread;
    return first < self->elements ? (self->elements - first - 1) / p->threads_per_cta + 1 : 0;
}

static uint64_t element_mask(const StreamKernel *self, const WarpCursor *cursor, uint64_t element)
{
    const uint64_t rest = self->elements - element_index(self, cursor, element);
    return kernel_lane_mask(&self->kernel, cursor->warp) & lowest_lanes(rest);
}

/* Register of the value that element `element` of its batch gets from its load number `load`. */
static uint32_t value_register(const StreamKernel *self, uint64_t element, uint32_t load)
{
    const uint32_t slot = (uint32_t)(element % self->params.unroll);
    return load_register(2 * slot + load);
}

static void place(const StreamKernel *self, const WarpCursor *cursor, uint64_t element,
                  uint32_t array, Instruction *out)
{
    const Stream *p = &self->params;
    out->base = p->base + array * self->array_pitch
                + element_index(self, cursor, element) * p->element_bytes;
    out->stride = (int64_t)p->element_bytes;
}

static void write_load(const StreamKernel *self, const WarpCursor *cursor, uint64_t element,
                       uint32_t load, Instruction *out)
{
    const uint64_t width = self->params.element_bytes;
    instruction_access(out, OPERATION_LOAD, width);
    instruction_writes(out, value_register(self, element, load), registers_of(width));
    place(self, cursor, element, self->shape.first_loaded + load, out);
}

static void write_compute(const StreamKernel *self, uint64_t element, Instruction *out)
{
    const uint64_t width = self->params.element_bytes;
    instruction_compute(out, width >= 8 ? EXECUTE_FP64 : EXECUTE_FP32, width > 8 ? width / 8 : 1);
    for (uint32_t load = 0; load < self->shape.loads; load++)
        instruction_reads(out, value_register(self, element, load), MIN(registers_of(width), 2));
    instruction_writes(out, value_register(self, element, 0), registers_of(width));
}

static void write_store(const StreamKernel *self, const WarpCursor *cursor, uint64_t element,
                        Instruction *out)
{
    const uint64_t width = self->params.element_bytes;
    const uint32_t data = self->shape.loads ? value_register(self, element, 0) : REGISTER_CONSTANT;
    instruction_access(out, OPERATION_STORE, width);
    instruction_reads(out, data, registers_of(width));
    place(self, cursor, element, 0, out);
}

/* Instruction `position` of the part of the warp that goes through its `count` elements. */
static void write_body(const StreamKernel *self, const WarpCursor *cursor, uint64_t count,
                       uint64_t position, Instruction *out)
{
    const Shape *shape = &self->shape;
    const uint64_t unroll = self->params.unroll, after = shape->computes + shape->stores;
    const uint64_t of_batch = unroll * (shape->loads + after);
    const uint64_t batches = position < of_batch ? 0 : position / of_batch;
    const uint64_t batch = batches * unroll, in_batch = position - batches * of_batch;
    const uint64_t loads = MIN(unroll, count - batch) * shape->loads;
    const bool loading = in_batch < loads;
    const uint64_t index = loading ? in_batch : in_batch - loads;
    const uint64_t element = batch + index / (loading ? shape->loads : after);
    instruction_clear(out, 0x10 * (2 + in_batch), element_mask(self, cursor, element));
    if (loading)
        write_load(self, cursor, element, (uint32_t)(index % shape->loads), out);
    else if (index % after < shape->computes)
        write_compute(self, element, out);
    else
        write_store(self, cursor, element, out);
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const StreamKernel *self = (const StreamKernel *)kernel;
    const uint64_t prologue = self->params.index_instructions > 0;
    const uint64_t position = cursor->position++;
    if (position < prologue) {
        instruction_clear(instruction, 0x10, kernel_lane_mask(kernel, cursor->warp));
        instruction_compute(instruction, EXECUTE_INT, self->params.index_instructions);
        instruction_reads(instruction, REGISTER_ADDRESS, 1);
        instruction_writes(instruction, REGISTER_ADDRESS, 2);
        return;
    }
    const Shape *shape = &self->shape;
    const uint64_t count = element_count(self, cursor);
    if (position - prologue < count * (shape->loads + shape->computes + shape->stores)) {
        write_body(self, cursor, count, position - prologue, instruction);
        return;
    }
    instruction_clear(instruction, 0x1000, kernel_lane_mask(kernel, cursor->warp));
    instruction_exit(instruction);
}

static const KernelClass kernel_class = {.fetch = fetch};

static bool check_sizes(const Stream *p, GError **error)
{
    if (!is_power_of_two(p->element_bytes))
        return workload_reject(error, "element_bytes", "not a power of two");
    return workload_check_multiple(error, "array_bytes", p->array_bytes, p->element_bytes)
           && workload_check_multiple(error, "base", p->base, p->element_bytes)
           && workload_check_multiple(error, "alignment", p->alignment, p->element_bytes);
}

static void name_arrays(const StreamKernel *self, LaunchList *list)
{
    static const char *const names[] = {"a", "b", "c"};
    const Shape *shape = &self->shape;
    const uint32_t arrays = MAX(shape->first_loaded + shape->loads, shape->stores);
    for (uint32_t i = 0; i < arrays; i++)
        launch_list_add_array(list, names[i], self->params.base + i * self->array_pitch,
                              self->params.array_bytes);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Stream *p = object;
    if (!check_sizes(p, error)) return false;
    StreamKernel *kernel = g_new0(StreamKernel, 1);
    kernel->params = *p;
    kernel->shape = shapes[p->operation];
    kernel->elements = p->array_bytes / p->element_bytes;
    kernel->array_pitch = (p->array_bytes + p->alignment - 1) / p->alignment * p->alignment;
    const uint64_t elements_per_cta = p->threads_per_cta * p->elements_per_thread;
    kernel->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup_printf("stream %s", operation_names[p->operation]),
        .ctas = (kernel->elements + elements_per_cta - 1) / elements_per_cta,
        .threads_per_cta = (uint32_t)p->threads_per_cta,
        .warp_lanes = context->warp_lanes,
        .registers_per_thread = (uint32_t)p->registers_per_thread,
        .shared_bytes_per_cta = p->shared_bytes_per_cta,
        .counted_bytes = (kernel->shape.loads + kernel->shape.stores) * p->array_bytes,
        .footprint = (kernel->shape.loads + kernel->shape.stores) * p->array_bytes,
    };
    launch_list_add(list, &kernel->kernel);
    name_arrays(kernel, list);
    return true;
}

const WorkloadClass stream_workload = {
    .name = "stream",
    .summary = "arrays streamed through once: init, read, scale, triad, copy",
    .size = sizeof(Stream),
    .params = params,
    .build = build,
};
