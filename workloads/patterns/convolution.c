/* A filter of size x size taps over an image, one pixel a thread: each tap reads the image, through
 * the texture path or with plain loads, and is multiplied and added; the sum is stored.
 *
 *   warp:  index arithmetic  [ reads of `unroll` taps, as many multiply-adds ] ...  store  exit
 *
 * With bilinear filtering a tap lies between four texels and reads all of them. Plain loads do
 * what the texture unit would: arithmetic for the address and to keep to the image, four loads and
 * the interpolation.
 *
 * Not modelled: the filter's coefficients, which come from constant memory or the instructions. */
#include "workloads/patterns/image.h"

typedef enum { PATH_TEXTURE, PATH_GLOBAL } Path;

enum { INTERPOLATION = 6 /* instructions: three times a + w (b - a) */ };

typedef struct {
    ImageKeys image;
    uint64_t size, unroll, tap_instructions;
    uint32_t path;
} Convolution;

/* What a tap is made of. */
typedef struct {
    uint32_t index, reads, computes;
} Tap;

typedef struct {
    Kernel kernel;
    Convolution params;
    Image image;
    Tap tap;
} ConvolutionKernel;

static const char *const path_names[] = {"texture", "global", NULL};

static const Param params[] = {
    PARAM_ONE_OF(Convolution, path, path_names, "texture",
                 "how the image is read: texture, by the texture unit; global, by plain loads from "
                 "the same addresses"),
    PARAM_NUMBER(Convolution, size, PARAM_COUNT, "5", 1, 64,
                 "taps in a row of the filter, and rows of it: 5 reads 25 places a pixel"),
    PARAM_NUMBER(Convolution, unroll, PARAM_COUNT, "5", 1, 8,
                 "taps that are read before the first of them is used"),
    PARAM_NUMBER(Convolution, tap_instructions, PARAM_COUNT, "4", 0, 255,
                 "path global: integer instructions of each tap, for its address and to keep to "
                 "the image; the texture unit has them built in"),
    IMAGE_ROWS,
    TEXTURE_ROWS("2d", "point"),
    PARAM_END,
};

static uint64_t tap_count(const ConvolutionKernel *self)
{
    return self->params.size * self->params.size;
}

/* From the pixel to the tap's texel: differences. */
static Pixel tap_offset(const ConvolutionKernel *self, uint64_t tap)
{
    const uint64_t size = self->params.size, middle = (size - 1) / 2;
    return (Pixel){(uint32_t)(tap % size - middle), (uint32_t)(tap / size - middle)};
}

/* Where an instruction stands. */
typedef struct {
    bool inside; /* of the taps; then: */
    uint64_t tap;
    uint32_t step;   /* of the tap's reads, or from tap.index + tap.reads on of its arithmetic */
    uint64_t behind; /* otherwise: the last tap */
} Place;

static Place find_place(const ConvolutionKernel *self, uint64_t position)
{
    const uint64_t unroll = self->params.unroll, reads = self->tap.index + self->tap.reads;
    const uint64_t taps = tap_count(self), length = unroll * (reads + 1);
    const uint64_t first = position / length * unroll, at = position % length;
    if (position >= taps * (reads + 1)) return (Place){.behind = position - taps * (reads + 1)};
    const uint64_t count = MIN(unroll, taps - first);
    if (at < count * reads)
        return (Place){.inside = true, .tap = first + at / reads, .step = (uint32_t)(at % reads)};
    return (Place){.inside = true, .tap = first + at - count * reads, .step = (uint32_t)reads};
}

/* The register of a tap's read. */
static uint32_t read_register(const ConvolutionKernel *self, uint64_t tap, uint32_t read)
{
    const uint32_t slot = (uint32_t)(tap % self->params.unroll);
    return load_register(slot * self->tap.reads + read);
}

static void write_global(const ConvolutionKernel *self, Place place, WarpCursor *cursor,
                         Instruction *out)
{
    if (place.step < self->tap.index) {
        instruction_compute(out, EXECUTE_INT, self->params.tap_instructions);
        instruction_reads(out, REGISTER_CHAIN, 1);
        instruction_writes(out, REGISTER_ADDRESS, 2);
        return;
    }
    const Texture *texture = &self->image.textures.bindings->texture;
    const uint32_t read = place.step - self->tap.index, bytes = texture->shape.format->bytes;
    Pixel offset = tap_offset(self, place.tap);
    offset.x += read & 1;
    offset.y += read >> 1;
    instruction_access(out, OPERATION_LOAD, bytes);
    instruction_writes(out, read_register(self, place.tap, read), registers_of(bytes));
    image_list(&self->image, texture, offset, cursor, out);
}

static void write_tap(const ConvolutionKernel *self, Place place, WarpCursor *cursor,
                      Instruction *out)
{
    if (place.step == self->tap.index + self->tap.reads) {
        instruction_compute(out, EXECUTE_FP32, self->tap.computes);
        for (uint32_t i = 0; i < self->tap.reads; i++)
            instruction_reads(out, read_register(self, place.tap, i), 1);
        instruction_reads(out, REGISTER_CONSTANT, 1);
        instruction_writes(out, REGISTER_CONSTANT, 1);
    } else if (self->params.path == PATH_GLOBAL) {
        write_global(self, place, cursor, out);
    } else {
        instruction_sample(out, self->image.textures.bindings, SAMPLE_LEVEL,
                           read_register(self, place.tap, 0));
    }
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const ConvolutionKernel *self = (const ConvolutionKernel *)kernel;
    const uint64_t index = self->params.image.index_instructions > 0;
    const uint64_t position = cursor->position++;
    const uint64_t inside = image_mask(&self->image, cursor);
    const Place place = find_place(self, position - index);
    instruction_clear(instruction, 0x10 * (1 + position),
                      inside ? inside : kernel_lane_mask(kernel, cursor->warp));
    if (!inside)
        instruction_exit(instruction);
    else if (position < index)
        image_write_index(&self->params.image, instruction);
    else if (place.inside)
        write_tap(self, place, cursor, instruction);
    else if (!place.behind && self->image.stores)
        image_write_store(&self->image, REGISTER_CONSTANT, cursor, instruction);
    else
        instruction_exit(instruction);
}

static void coordinates(const Kernel *kernel, const WarpCursor *cursor,
                        const Instruction *instruction, SampleCoordinates *at)
{
    const ConvolutionKernel *self = (const ConvolutionKernel *)kernel;
    const uint64_t index = self->params.image.index_instructions > 0;
    const Pixel offset = tap_offset(self, find_place(self, cursor->position - 1 - index).tap);
    const float within = instruction->binding->sampler.filter == FILTER_POINT ? 0.5f : 1;
    for (uint32_t lane = 0; lane < self->image.lanes; lane++) {
        const Pixel pixel = image_pixel(&self->image, cursor, lane);
        at->point[lane] = (TexturePoint){(float)(int32_t)(pixel.x + offset.x) + within,
                                         (float)(int32_t)(pixel.y + offset.y) + within, 0};
        at->level[lane] = 0;
    }
}

static void free_kernel(Kernel *kernel)
{
    ConvolutionKernel *self = (ConvolutionKernel *)kernel;
    image_finish(&self->image);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = coordinates, .free = free_kernel};

static bool check(const Convolution *p, GError **error)
{
    const TextureKeys *texture = &p->image.texture;
    const TextureFormat *format =
        texture_format_read("texture_format", texture->texture_format, error);
    if (!format) return false;
    if (texture->texture_kind != TEXTURE_2D)
        return workload_reject(error, "texture_kind", "the image is 2d");
    if (texture->textures > 1) return workload_reject(error, "textures", "the image is one");
    if (p->path == PATH_TEXTURE) return true;
    if (format->side > 1)
        return workload_reject(error, "texture_format",
                               "plain loads cannot read a compressed image (path = global)");
    return texture->filter != FILTER_TRILINEAR
           || workload_reject(error, "filter", "path = global has point and bilinear");
}

static Tap tap_of(const Convolution *p)
{
    const bool between = p->path == PATH_GLOBAL && p->image.texture.filter == FILTER_BILINEAR;
    return (Tap){
        .index = p->path == PATH_GLOBAL && p->tap_instructions,
        .reads = between ? 4 : 1,
        .computes = between ? INTERPOLATION + 1 : 1,
    };
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Convolution *p = object;
    TextureKeys texture = p->image.texture;
    Image image;
    texture.texture_width = p->image.width;
    texture.texture_height = p->image.height;
    if (!check(p, error) || !image_init(&image, &p->image, &texture, context->warp_lanes, error))
        return false;
    ConvolutionKernel *kernel = g_new0(ConvolutionKernel, 1);
    kernel->params = *p;
    kernel->image = image;
    kernel->tap = tap_of(p);
    kernel->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup_printf("convolution %s", path_names[p->path]),
    };
    image_describe(&image, &p->image, &kernel->kernel);
    launch_list_add(list, &kernel->kernel);
    image_name_arrays(&image, list);
    return true;
}

const WorkloadClass convolution_workload = {
    .name = "convolution",
    .summary = "a filter over an image, read through the texture path or by plain loads",
    .size = sizeof(Convolution),
    .params = params,
    .uses = USE_TEXTURES,
    .build = build,
};
