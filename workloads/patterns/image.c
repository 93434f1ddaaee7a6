#include "workloads/patterns/image.h"

const char *const target_layout_names[] = {"none", "linear", "blocked", "morton", "gob", NULL};

/* --- building --------------------------------------------------------------------------------- */

static bool place_tiles(Image *image, const ImageKeys *keys, GError **error)
{
    if (!is_power_of_two(keys->warp_width) || keys->warp_width * 2 > image->lanes)
        return workload_reject(error, "warp_width", "not a power of two from 2 to %u",
                               image->lanes / 2);
    if (keys->threads_per_cta % image->lanes)
        return workload_reject(error, "threads_per_cta", "not a number of whole warps of %u",
                               image->lanes);
    image->warp_width = (uint32_t)keys->warp_width;
    image->warp_height = image->lanes / image->warp_width;
    image->cta_width = (uint32_t)keys->cta_width;
    image->cta_height = (uint32_t)(keys->threads_per_cta / keys->cta_width);
    const uint64_t row_of_warps = keys->cta_width * image->warp_height;
    if (keys->cta_width % keys->warp_width || keys->threads_per_cta % row_of_warps)
        return workload_reject(error, "cta_width",
                               "tiles of %u x %u pixels, one a warp, do not fill %" PRIu64
                               " threads in rows of it",
                               image->warp_width, image->warp_height, keys->threads_per_cta);
    image->warps_across = image->cta_width / image->warp_width;
    image->ctas_across = (image->width + image->cta_width - 1) / image->cta_width;
    image->ctas =
        image->ctas_across * ((image->height + image->cta_height - 1) / image->cta_height);
    return true;
}

static bool place_target(Image *image, const ImageKeys *keys, GError **error)
{
    image->stores = keys->target_layout != TARGET_NONE;
    if (!image->stores) return true;
    const TextureFormat *format = texture_format_read("target_format", keys->target_format, error);
    if (!format) return false;
    if (format->side != 1)
        return workload_reject(error, "target_format", "compressed formats are only read");
    if (keys->target_base % TEXTURE_ALIGNMENT)
        return workload_reject(error, "target_base", "not a multiple of %d B", TEXTURE_ALIGNMENT);
    const TextureShape shape = {
        .kind = TEXTURE_2D,
        .layout = (TextureLayout)(keys->target_layout - TARGET_ROWS),
        .format = format,
        .width = keys->width,
        .height = keys->height,
        .depth = 1,
        .levels = 1,
    };
    const uint64_t address = keys->target_base ? keys->target_base : image->textures.end;
    return texture_init(&image->target, &shape, address, error);
}

bool image_init(Image *image, const ImageKeys *keys, const TextureKeys *texture, uint32_t lanes,
                GError **error)
{
    *image =
        (Image){.width = (uint32_t)keys->width, .height = (uint32_t)keys->height, .lanes = lanes};
    if (!place_tiles(image, keys, error) || !texture_keys_build(texture, &image->textures, error))
        return false;
    if (place_target(image, keys, error)) return true;
    image_finish(image);
    return false;
}

void image_finish(Image *image)
{
    texture_set_finish(&image->textures);
}

void image_describe(const Image *image, const ImageKeys *keys, Kernel *kernel)
{
    const TextureFormat *format = image->textures.bindings->texture.shape.format;
    const uint64_t pixels = keys->width * keys->height;
    const uint64_t block = (uint64_t)format->side * format->side;
    const uint64_t stored = image->stores ? image->target.shape.format->bytes : 0;
    kernel->ctas = image->ctas;
    kernel->warp_lanes = image->lanes;
    kernel->threads_per_cta = (uint32_t)keys->threads_per_cta;
    kernel->registers_per_thread = (uint32_t)keys->registers_per_thread;
    kernel->footprint = image->textures.footprint + (image->stores ? image->target.bytes : 0);
    kernel->counted_bytes =
        pixels * image->textures.count * format->bytes / block + pixels * stored;
}

void image_name_arrays(const Image *image, LaunchList *list)
{
    texture_set_name(&image->textures, list);
    if (image->stores)
        launch_list_add_array(list, "target", image->target.address, image->target.bytes);
}

/* --- pixels ----------------------------------------------------------------------------------- */

Pixel image_pixel(const Image *image, const WarpCursor *cursor, uint32_t lane)
{
    const uint32_t quad = lane / 4, quads_across = image->warp_width / 2;
    const uint32_t tile_x = cursor->warp % image->warps_across * image->warp_width;
    const uint32_t tile_y = cursor->warp / image->warps_across * image->warp_height;
    const uint32_t cta_x = (uint32_t)(cursor->cta % image->ctas_across) * image->cta_width;
    const uint32_t cta_y = (uint32_t)(cursor->cta / image->ctas_across) * image->cta_height;
    return (Pixel){cta_x + tile_x + quad % quads_across * 2 + (lane & 1),
                   cta_y + tile_y + quad / quads_across * 2 + (lane >> 1 & 1)};
}

uint64_t image_mask(const Image *image, const WarpCursor *cursor)
{
    const Pixel last = image_pixel(image, cursor, image->lanes - 1);
    if (last.x < image->width && last.y < image->height) return lowest_lanes(image->lanes);
    uint64_t mask = 0;
    for (uint32_t lane = 0; lane < image->lanes; lane++) {
        const Pixel pixel = image_pixel(image, cursor, lane);
        const bool inside = pixel.x < image->width && pixel.y < image->height;
        mask |= (uint64_t)inside << lane;
    }
    return mask;
}

/* `to` is a difference, and may be negative as such. */
static uint32_t move_within(uint32_t from, uint32_t to, uint32_t size)
{
    const int64_t at = (int64_t)from + (int32_t)to;
    return (uint32_t)CLAMP(at, 0, (int64_t)size - 1);
}

void image_list(const Image *image, const Texture *texture, Pixel moved, WarpCursor *cursor,
                Instruction *instruction)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < image->lanes; lane++) {
        if (!((uint64_t)instruction->mask >> lane & 1)) continue;
        const Pixel pixel = image_pixel(image, cursor, lane);
        cursor->addresses[count++] =
            texture_address(texture, 0, move_within(pixel.x, moved.x, texture->level[0].width),
                            move_within(pixel.y, moved.y, texture->level[0].height), 0);
    }
    instruction->addresses = cursor->addresses;
}

/* --- instructions ----------------------------------------------------------------------------- */

void image_write_index(const ImageKeys *keys, Instruction *instruction)
{
    instruction_compute(instruction, EXECUTE_INT, keys->index_instructions);
    instruction_reads(instruction, REGISTER_ADDRESS, 1);
    instruction_writes(instruction, REGISTER_ADDRESS, 2);
}

void image_write_store(const Image *image, uint32_t data, WarpCursor *cursor,
                       Instruction *instruction)
{
    const uint32_t bytes = image->target.shape.format->bytes;
    instruction_access(instruction, OPERATION_STORE, bytes);
    instruction_reads(instruction, data, registers_of(bytes));
    image_list(image, &image->target, (Pixel){0, 0}, cursor, instruction);
}
