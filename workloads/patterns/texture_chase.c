/* Dependent fetches along one random cycle through a texture, by one thread: each texel says which
 * is next, so that the time of a fetch is the latency of the texture path. Latency against
 * footprint shows the sizes of the caches behind it, latency against stride their lines.
 *
 * Not modelled: the loop's own instructions. */
#include "workloads/patterns/texture_keys.h"

enum { UNROLLED_FETCHES = 32 };
#define TEXELS_MAX (UINT64_C(1) << 28)

typedef struct {
    TextureKeys texture;
    uint64_t footprint, stride, loads, start_load, seed;
} TextureChase;

typedef struct {
    Kernel kernel;
    TextureChase params;
    TextureArea area;
    uint64_t nodes, pitch; /* texels from node to node */
    uint32_t *order;
} ChaseKernel;

static const Param params[] = {
    PARAM_NUMBER(TextureChase, footprint, PARAM_BYTES, "16 KiB", 1, 0x1p40,
                 "bytes of texels that the chase goes through"),
    PARAM_NUMBER(TextureChase, stride, PARAM_BYTES, "32 B", 1, 0x1p32,
                 "from a texel of the chase to the next in memory: its place in the row"),
    PARAM_NUMBER(TextureChase, loads, PARAM_COUNT, "1024", 1, 1e12, "dependent fetches"),
    PARAM_NUMBER(TextureChase, start_load, PARAM_COUNT, "0", 0, 1e12,
                 "place in the cycle of the first fetch, to go on where an earlier kernel ended"),
    PARAM_NUMBER(TextureChase, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    TEXTURE_AREA_ROWS,
    TEXTURE_ROWS("2d", "point"),
    PARAM_END,
};

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const ChaseKernel *self = (const ChaseKernel *)kernel;
    const uint64_t position = cursor->position++;
    if (position >= self->params.loads) {
        instruction_clear(instruction, 0x10 * (1 + UNROLLED_FETCHES), 1);
        instruction_exit(instruction);
        return;
    }
    instruction_clear(instruction, 0x10 * (1 + position % UNROLLED_FETCHES), 1);
    instruction_sample(instruction, self->area.textures.bindings, SAMPLE_FETCH, REGISTER_ADDRESS);
}

static void coordinates(const Kernel *kernel, const WarpCursor *cursor,
                        G_GNUC_UNUSED const Instruction *instruction, SampleCoordinates *at)
{
    const ChaseKernel *self = (const ChaseKernel *)kernel;
    const uint64_t load = self->params.start_load + cursor->position - 1;
    const uint64_t texel = self->order[load % self->nodes] * self->pitch;
    const TexturePoint point = {(float)(texel % self->area.width),
                                (float)(texel / self->area.width), 0};
    for (uint32_t lane = 0; lane < 4; lane++) {
        at->point[lane] = point;
        at->level[lane] = 0;
    }
}

static void free_kernel(Kernel *kernel)
{
    ChaseKernel *self = (ChaseKernel *)kernel;
    texture_set_finish(&self->area.textures);
    g_free(self->order);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = coordinates, .free = free_kernel};

static bool check(const TextureChase *p, GError **error)
{
    const TextureFormat *format =
        texture_format_read("texture_format", p->texture.texture_format, error);
    if (!format) return false;
    if (format->side > 1)
        return workload_reject(error, "texture_format",
                               "a chase goes from texel to texel, not to compressed blocks");
    if (p->texture.textures > 1)
        return workload_reject(error, "textures", "a chase goes through one texture");
    if (!workload_check_multiple(error, "stride", p->stride, format->bytes)) return false;
    if (p->footprint < p->stride)
        return workload_reject(error, "footprint", "smaller than stride (%" PRIu64 " B)",
                               p->stride);
    return p->footprint / p->stride <= TEXELS_MAX
           || workload_reject(error, "footprint", "more than %" PRIu64 " texels to visit",
                              TEXELS_MAX);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const TextureChase *p = object;
    TextureArea area;
    if (!check(p, error) || !texture_area_build(&p->texture, p->footprint, &area, error))
        return false;
    ChaseKernel *kernel = g_new0(ChaseKernel, 1);
    kernel->params = *p;
    kernel->area = area;
    kernel->nodes = p->footprint / p->stride;
    kernel->pitch = p->stride / area.textures.bindings->texture.shape.format->bytes;
    kernel->order = cycle_draw(kernel->nodes, mix64(mix64(context->seed) ^ p->seed));
    kernel->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup("texture_chase"),
        .ctas = 1,
        .threads_per_cta = 1,
        .warp_lanes = context->warp_lanes,
        .registers_per_thread = 16,
        .dependent_loads = p->loads,
        .footprint = area.textures.footprint,
    };
    launch_list_add(list, &kernel->kernel);
    texture_set_name(&area.textures, list);
    return true;
}

const WorkloadClass texture_chase_workload = {
    .name = "texture_chase",
    .summary = "dependent fetches along one random cycle through a texture: latency",
    .size = sizeof(TextureChase),
    .params = params,
    .uses = USE_TEXTURES,
    .build = build,
};
