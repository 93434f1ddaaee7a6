/* An image drawn from textures: each pixel samples every texture at its own place, mixes the
 * samples and is stored. With one texture, scale 1 and point sampling it is a copy.
 *
 *   warp:  index arithmetic  sample for each texture  mix  store  exit
 */
#include <math.h>

#include "workloads/patterns/image.h"

enum { BLIT_TEXTURES = 32 /* samples that a thread's registers hold at once */ };

typedef struct {
    ImageKeys image;
    double scale_x, scale_y, turn, offset_x, offset_y;
} Blit;

typedef struct {
    Kernel kernel;
    Blit params;
    Image image;
    double cosine, sine;
} BlitKernel;

static const Param params[] = {
    IMAGE_ROWS,
    PARAM_REAL(
        Blit, scale_x, "1", -32768, 32768,
        "texels from pixel to pixel: 1 copies, 0.5 magnifies to twice the size, 2 halves it"),
    PARAM_REAL(Blit, scale_y, "1", -32768, 32768, "the same from row to row"),
    PARAM_REAL(Blit, turn, "0", -360, 360,
               "degrees by which the texture is turned under the pixels, before it is scaled"),
    PARAM_REAL(Blit, offset_x, "0", -1e6, 1e6, "column of the texture at the image's corner"),
    PARAM_REAL(Blit, offset_y, "0", -1e6, 1e6, "row of the texture there"),
    TEXTURE_SIZE_ROWS("512", "0"),
    TEXTURE_ROWS("2d", "point"),
    PARAM_END,
};

/* Another sample goes into the first; 0: one that is not stored is waited for. */
static void write_mix(uint64_t texture, Instruction *out)
{
    instruction_compute(out, EXECUTE_FP32, 1);
    instruction_reads(out, load_register(0), 1);
    if (texture) instruction_reads(out, load_register(texture), 1);
    instruction_writes(out, load_register(0), 1);
}

/* Instruction `step` behind the samples. */
static void write_end(const BlitKernel *self, uint64_t step, WarpCursor *cursor, Instruction *out)
{
    const uint64_t textures = self->image.textures.count;
    const uint64_t mixes = textures > 1 ? textures - 1 : !self->image.stores;
    if (step < mixes)
        write_mix(textures > 1 ? step + 1 : 0, out);
    else if (step == mixes && self->image.stores)
        image_write_store(&self->image, load_register(0), cursor, out);
    else
        instruction_exit(out);
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const BlitKernel *self = (const BlitKernel *)kernel;
    const ImageKeys *keys = &self->params.image;
    const uint64_t index = keys->index_instructions > 0, textures = self->image.textures.count;
    const uint64_t position = cursor->position++;
    const uint64_t inside = image_mask(&self->image, cursor);
    instruction_clear(instruction, 0x10 * (1 + position),
                      inside ? inside : kernel_lane_mask(kernel, cursor->warp));
    if (!inside)
        instruction_exit(instruction);
    else if (position < index)
        image_write_index(keys, instruction);
    else if (position < index + textures)
        instruction_sample(instruction, &self->image.textures.bindings[position - index],
                           SAMPLE_IMPLICIT, load_register(position - index));
    else
        write_end(self, position - index - textures, cursor, instruction);
}

static TexturePoint place_pixel(const BlitKernel *self, Pixel pixel)
{
    const Blit *p = &self->params;
    const double x = pixel.x + 0.5, y = pixel.y + 0.5;
    const double u = x * self->cosine - y * self->sine, v = x * self->sine + y * self->cosine;
    return (TexturePoint){.x = (float)(u * p->scale_x + p->offset_x),
                          .y = (float)(v * p->scale_y + p->offset_y)};
}

static void coordinates(const Kernel *kernel, const WarpCursor *cursor,
                        const Instruction *instruction, SampleCoordinates *at)
{
    const BlitKernel *self = (const BlitKernel *)kernel;
    const float z = texture_middle(&instruction->binding->texture);
    for (uint32_t lane = 0; lane < self->image.lanes; lane++) {
        at->point[lane] = place_pixel(self, image_pixel(&self->image, cursor, lane));
        at->point[lane].z = z;
    }
}

static void free_kernel(Kernel *kernel)
{
    BlitKernel *self = (BlitKernel *)kernel;
    image_finish(&self->image);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = coordinates, .free = free_kernel};

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Blit *p = object;
    Image image;
    if (p->image.texture.textures > BLIT_TEXTURES)
        return workload_reject(error, "textures", "a pixel mixes at most %d", BLIT_TEXTURES);
    if (!image_init(&image, &p->image, &p->image.texture, context->warp_lanes, error)) return false;
    BlitKernel *kernel = g_new0(BlitKernel, 1);
    kernel->params = *p;
    kernel->image = image;
    kernel->cosine = cos(p->turn * (G_PI / 180));
    kernel->sine = sin(p->turn * (G_PI / 180));
    kernel->kernel = (Kernel){.class = &kernel_class, .name = g_strdup("blit")};
    image_describe(&image, &p->image, &kernel->kernel);
    launch_list_add(list, &kernel->kernel);
    image_name_arrays(&image, list);
    return true;
}

const WorkloadClass blit_workload = {
    .name = "blit",
    .summary = "an image drawn from textures: each pixel samples them at its own place",
    .size = sizeof(Blit),
    .params = params,
    .uses = USE_TEXTURES,
    .build = build,
};
