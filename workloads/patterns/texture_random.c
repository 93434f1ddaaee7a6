/* Random texels by many warps, of which a wanted share lies in a small region that stays in the
 * cache: throughput of the texture path at a given hit rate. */
#include "workloads/patterns/sample_loop.h"

typedef enum { GRAIN_LANE, GRAIN_QUAD, GRAIN_WARP } Grain;

typedef struct {
    SampleLoop loop;
    uint64_t footprint, hot_footprint;
    double hit;
    uint32_t grain;
} TextureRandom;

typedef struct {
    Kernel kernel;
    SampleStream stream;
    uint64_t texels, hot, width;
    double hit;
    Grain grain;
} RandomKernel;

static const char *const grain_names[] = {"lane", "quad", "warp", NULL};

static const Param params[] = {
    PARAM_NUMBER(TextureRandom, footprint, PARAM_BYTES, "8 MiB", 1, 0x1p40,
                 "bytes of texels that are sampled, in each texture"),
    PARAM_NUMBER(TextureRandom, hot_footprint, PARAM_BYTES, "2 KiB", 1, 0x1p40,
                 "bytes of the small region at its beginning to which `hit` samples go"),
    PARAM_REAL(TextureRandom, hit, "0.5", 0, 1,
               "share of the samples that go to the small region, and so hit the cache once it is "
               "there; the others go to the rest of the footprint"),
    PARAM_ONE_OF(TextureRandom, grain, grain_names, "lane",
                 "who draws a texel of its own: each lane, each quad (its lanes have 2 x 2 "
                 "neighbours), or each warp (its lanes have the same)"),
    SAMPLE_LOOP_ROWS,
    TEXTURE_AREA_ROWS,
    TEXTURE_ROWS("2d", "point"),
    PARAM_END,
};

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    sample_stream_fetch(&((const RandomKernel *)kernel)->stream, kernel, cursor, instruction);
}

/* The texel that the key draws. */
static uint64_t draw_texel(const RandomKernel *self, uint64_t key)
{
    const uint64_t place = mix64(key);
    const bool hot = (double)(key >> 11) * 0x1p-53 < self->hit;
    return hot ? scale64(place, self->hot) : self->hot + scale64(place, self->texels - self->hot);
}

static TexturePoint place_lane(const RandomKernel *self, uint64_t key, uint32_t lane)
{
    static const uint8_t lanes_together[] = {
        [GRAIN_LANE] = 1, [GRAIN_QUAD] = 4, [GRAIN_WARP] = LANES_MAX};
    const uint64_t texel = draw_texel(self, mix64(key ^ (lane / lanes_together[self->grain])));
    uint64_t x = texel % self->width, y = texel / self->width;
    if (self->grain == GRAIN_QUAD) {
        x = (x & ~UINT64_C(1)) + (lane & 1);
        y = (y & ~UINT64_C(1)) + (lane >> 1 & 1);
    }
    return (TexturePoint){(float)x + 0.5f, (float)y + 0.5f, 0};
}

static void coordinates(const Kernel *kernel, const WarpCursor *cursor,
                        G_GNUC_UNUSED const Instruction *instruction, SampleCoordinates *at)
{
    const RandomKernel *self = (const RandomKernel *)kernel;
    const uint64_t key = sample_stream_draw(&self->stream, cursor);
    for (uint32_t lane = 0; lane < kernel->warp_lanes; lane++) {
        at->point[lane] = place_lane(self, key, lane);
        at->level[lane] = 0;
    }
}

static void free_kernel(Kernel *kernel)
{
    RandomKernel *self = (RandomKernel *)kernel;
    texture_set_finish(&self->stream.textures);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = coordinates, .free = free_kernel};

static bool check(const TextureRandom *p, const TextureArea *area, uint64_t hot, GError **error)
{
    if (!hot) return workload_reject(error, "hot_footprint", "less than a texel");
    if (hot < area->texels || (hot == area->texels && p->hit >= 1)) return true;
    return workload_reject(error, "hot_footprint", "nothing is left for the other samples%s",
                           p->hit >= 1 ? "" : "; with hit = 1 it may be all of the footprint");
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const TextureRandom *p = object;
    TextureArea area;
    if (!texture_area_build(&p->loop.texture, p->footprint, &area, error)) return false;
    const uint64_t hot = (uint64_t)((double)p->hot_footprint / area.texel_bytes);
    if (!check(p, &area, hot, error)) {
        texture_set_finish(&area.textures);
        return false;
    }
    RandomKernel *kernel = g_new0(RandomKernel, 1);
    kernel->stream =
        (SampleStream){p->loop, area.textures, mix64(mix64(context->seed) ^ p->loop.seed)};
    kernel->texels = area.texels;
    kernel->hot = hot;
    kernel->width = area.width;
    kernel->hit = p->hit;
    kernel->grain = (Grain)p->grain;
    kernel->kernel = (Kernel){.class = &kernel_class, .name = g_strdup("texture_random")};
    sample_stream_describe(&kernel->stream, context, &kernel->kernel);
    launch_list_add(list, &kernel->kernel);
    texture_set_name(&kernel->stream.textures, list);
    return true;
}

const WorkloadClass texture_random_workload = {
    .name = "texture_random",
    .summary = "random texels, a wanted share of them in a small region that stays cached",
    .size = sizeof(TextureRandom),
    .params = params,
    .uses = USE_TEXTURES,
    .build = build,
};
