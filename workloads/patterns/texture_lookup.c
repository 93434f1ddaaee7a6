/* A texture as a table: each lane reads a place that its data decide, with arithmetic between.
 * Neighbouring lanes have unrelated places, so that nothing but the table's size helps. */
#include "workloads/patterns/sample_loop.h"

typedef struct {
    SampleLoop loop;
    double hot_lookups, hot_part;
} TextureLookup;

typedef struct {
    Kernel kernel;
    SampleStream stream;
    double hot_lookups, hot_part;
} LookupKernel;

static const Param params[] = {
    PARAM_REAL(TextureLookup, hot_lookups, "0", 0, 1,
               "share of the lookups that go to the hot part of the table; the others go anywhere "
               "in it, all places being equally likely"),
    PARAM_REAL(TextureLookup, hot_part, "0.1", 0, 1,
               "share of the table that is hot: its first entries (1d), rows (2d) or slices"),
    SAMPLE_LOOP_ROWS,
    TEXTURE_SIZE_ROWS("4096", "0"),
    TEXTURE_ROWS("1d", "bilinear"),
    PARAM_END,
};

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    sample_stream_fetch(&((const LookupKernel *)kernel)->stream, kernel, cursor, instruction);
}

static double uniform(uint64_t random)
{
    return (double)(random >> 11) * 0x1p-53;
}

/* The axis that separates the hot part from the rest is the one whose steps are largest in memory.
 */
static TexturePoint place_lane(const LookupKernel *self, const Texture *texture, uint64_t key)
{
    const TextureShape *shape = &texture->shape;
    const double part = uniform(mix64(key)) < self->hot_lookups ? self->hot_part : 1;
    double share[3] = {uniform(mix64(key + 1)), uniform(mix64(key + 2)), uniform(mix64(key + 3))};
    share[texture_coordinates(shape->kind) - 1] *= part;
    const double z = share[2] * (double)shape->depth;
    return (TexturePoint){(float)(share[0] * (double)shape->width),
                          (float)(share[1] * (double)shape->height),
                          shape->kind == TEXTURE_2D_ARRAY ? (float)(uint64_t)z : (float)z};
}

static void coordinates(const Kernel *kernel, const WarpCursor *cursor,
                        const Instruction *instruction, SampleCoordinates *at)
{
    const LookupKernel *self = (const LookupKernel *)kernel;
    const uint64_t key = sample_stream_draw(&self->stream, cursor);
    for (uint32_t lane = 0; lane < kernel->warp_lanes; lane++) {
        at->point[lane] = place_lane(self, &instruction->binding->texture, mix64(key ^ lane));
        at->level[lane] = 0;
    }
}

static void free_kernel(Kernel *kernel)
{
    LookupKernel *self = (LookupKernel *)kernel;
    texture_set_finish(&self->stream.textures);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = coordinates, .free = free_kernel};

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const TextureLookup *p = object;
    TextureSet tables;
    if (!texture_keys_build(&p->loop.texture, &tables, error)) return false;
    LookupKernel *kernel = g_new0(LookupKernel, 1);
    kernel->stream = (SampleStream){p->loop, tables, mix64(mix64(context->seed) ^ p->loop.seed)};
    kernel->hot_lookups = p->hot_lookups;
    kernel->hot_part = p->hot_part;
    kernel->kernel = (Kernel){.class = &kernel_class, .name = g_strdup("texture_lookup")};
    sample_stream_describe(&kernel->stream, context, &kernel->kernel);
    launch_list_add(list, &kernel->kernel);
    texture_set_name(&tables, list);
    return true;
}

const WorkloadClass texture_lookup_workload = {
    .name = "texture_lookup",
    .summary = "a texture as a table that each lane reads at a random place",
    .size = sizeof(TextureLookup),
    .params = params,
    .uses = USE_TEXTURES,
    .build = build,
};
