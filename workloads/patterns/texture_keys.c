#include "workloads/patterns/texture_keys.h"
#include "kit/describe/nearest.h"

#include <string.h>

/* "no such KIND, did you mean 'NEAR'? There are ALL" */
static bool reject_name(GError **error, const char *key, const char *word, const char *const *names)
{
    const char *near = nearest_word(word, names);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    if (!near) return workload_reject(error, key, "no '%s'; there are %s", word, all);
    return workload_reject(error, key, "no '%s', did you mean '%s'? There are %s", word, near, all);
}

const TextureFormat *texture_format_read(const char *key, const char *name, GError **error)
{
    const TextureFormat *known = texture_format_find(name);
    if (known) return known;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const TextureFormat *format = texture_formats; format->name; format++)
        g_ptr_array_add(names, (gpointer)format->name);
    g_ptr_array_add(names, NULL);
    reject_name(error, key, name, (const char *const *)names->pdata);
    return NULL;
}

static bool texture_levels_parse(const char *text, uint64_t *levels, GError **error)
{
    if (!strcmp(text, "no") || !strcmp(text, "yes")) {
        *levels = text[0] == 'n' ? 1 : 0;
        return true;
    }
    if (g_ascii_string_to_unsigned(text, 10, 1, TEXTURE_LEVELS, levels, NULL)) return true;
    return workload_reject(error, "mipmaps", "not yes, no, or a number of levels from 1 to %d",
                           TEXTURE_LEVELS);
}

static bool find_wrap(const char *name, TextureWrap *wrap, GError **error)
{
    for (uint32_t i = 0; texture_wrap_names[i]; i++) {
        if (strcmp(texture_wrap_names[i], name)) continue;
        *wrap = (TextureWrap)i;
        return true;
    }
    return reject_name(error, "wrap", name, texture_wrap_names);
}

/* The axes after the last that is named are as that. */
static bool texture_wrap_parse(const char *text, TextureWrap wrap[3], GError **error)
{
    g_auto(GStrv) names = g_strsplit(text, ",", -1);
    const guint given = g_strv_length(names);
    if (!given || given > 3) return workload_reject(error, "wrap", "not one to three names");
    for (guint axis = 0; axis < 3; axis++) {
        if (axis >= given)
            wrap[axis] = wrap[given - 1];
        else if (!find_wrap(g_strstrip(names[axis]), &wrap[axis], error))
            return false;
    }
    return true;
}

/* What the keys describe, but for the sizes. The error is one of workload_reject. */
static bool texture_keys_read(const TextureKeys *keys, TextureShape *shape, TextureSampler *sampler,
                              GError **error)
{
    *shape = (TextureShape){
        .kind = (TextureKind)keys->texture_kind,
        .layout = (TextureLayout)keys->texture_layout,
        .format = texture_format_read("texture_format", keys->texture_format, error),
        .tile_bytes = keys->texture_tile_bytes,
        .tile_rows = keys->texture_tile_rows,
    };
    *sampler = (TextureSampler){
        .filter = (TextureFilter)keys->filter,
        .anisotropy = keys->anisotropy,
        .lod_bias = keys->lod_bias,
    };
    return shape->format && texture_levels_parse(keys->mipmaps, &shape->levels, error)
           && texture_wrap_parse(keys->wrap, sampler->wrap, error);
}

/* The key behind a field of TextureShape. */
static const char *key_of_field(const char *field)
{
    static const char *const keys[][2] = {
        {"width", "texture_width"},
        {"height", "texture_height"},
        {"depth", "texture_depth"},
        {"levels", "mipmaps"},
        {"tile_bytes", "texture_tile_bytes"},
        {"tile_rows", "texture_tile_rows"},
        {"kind", "texture_kind"},
        {"layout", "texture_layout"},
        {"format", "texture_format"},
        {"address", "texture_base"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (!strcmp(keys[i][0], field)) return keys[i][1];
    return "texture_width";
}

/* "field: reason" becomes "key: reason". */
static bool reject_shape(const GError *reason, GError **error)
{
    const char *colon = strstr(reason->message, ": ");
    if (!colon) return workload_reject(error, key_of_field(""), "%s", reason->message);
    g_autofree char *field = g_strndup(reason->message, (gsize)(colon - reason->message));
    return workload_reject(error, key_of_field(field), "%s", colon + 2);
}

/* Lays `count` textures of this shape out from `address` on. The error is one of workload_reject
 * and names the key. */
static bool texture_set_init(TextureSet *set, const TextureShape *shape,
                             const TextureSampler *sampler, uint32_t count, uint64_t address,
                             GError **error)
{
    *set = (TextureSet){.bindings = g_new0(TextureBinding, count), .end = address, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        TextureBinding *binding = &set->bindings[i];
        g_autoptr(GError) reason = NULL;
        binding->sampler = *sampler;
        if (!texture_init(&binding->texture, shape, set->end, &reason)) {
            texture_set_finish(set);
            return reject_shape(reason, error);
        }
        set->footprint += binding->texture.bytes;
        set->end += binding->texture.bytes; /* a multiple of TEXTURE_ALIGNMENT */
    }
    return true;
}

bool texture_keys_build(const TextureKeys *keys, TextureSet *set, GError **error)
{
    TextureShape shape;
    TextureSampler sampler;
    if (!texture_keys_read(keys, &shape, &sampler, error)) return false;
    const uint64_t width = keys->texture_width;
    shape.width = width;
    shape.height = keys->texture_height       ? keys->texture_height
                   : shape.kind == TEXTURE_1D ? 1
                                              : width;
    shape.depth = keys->texture_depth ? keys->texture_depth : shape.kind == TEXTURE_3D ? width : 1;
    return texture_set_init(set, &shape, &sampler, (uint32_t)keys->textures, keys->texture_base,
                            error);
}

/* Texels of so many bytes; of a block-compressed format more than one a byte. */
static uint64_t texels_in(const TextureFormat *format, uint64_t bytes)
{
    return bytes / format->bytes * format->side * format->side;
}

static bool check_area(const TextureKeys *keys, const TextureFormat *format, uint64_t footprint,
                       GError **error)
{
    const bool row = keys->texture_kind == TEXTURE_1D;
    const uint64_t texels = texels_in(format, footprint), width = row ? 1 : keys->texture_width;
    if (!row && keys->texture_kind != TEXTURE_2D)
        return workload_reject(error, "texture_kind", "this pattern has textures of kind 1d or 2d");
    if (!texels)
        return workload_reject(error, "footprint", "less than an element of %s, %d B", format->name,
                               format->bytes);
    if (texels > width * TEXTURE_SIDE_MAX)
        return workload_reject(error, "footprint",
                               "%" PRIu64 " texels, and a texture has at most %d %s%s", texels,
                               TEXTURE_SIDE_MAX, row ? "of kind 1d" : "rows of texture_width",
                               row ? "; 2d can have more" : "");
    return true;
}

bool texture_area_build(const TextureKeys *keys, uint64_t footprint, TextureArea *area,
                        GError **error)
{
    const TextureFormat *format =
        texture_format_read("texture_format", keys->texture_format, error);
    if (!format || !check_area(keys, format, footprint, error)) return false;
    TextureKeys sized = *keys;
    area->texels = texels_in(format, footprint);
    if (keys->texture_kind == TEXTURE_1D) sized.texture_width = area->texels;
    sized.texture_height = (area->texels + sized.texture_width - 1) / sized.texture_width;
    area->width = sized.texture_width;
    area->texel_bytes = (double)format->bytes / format->side / format->side;
    return texture_keys_build(&sized, &area->textures, error);
}

void texture_set_name(const TextureSet *set, LaunchList *list)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const Texture *texture = &set->bindings[i].texture;
        g_autofree char *name =
            set->count > 1 ? g_strdup_printf("texture[%u]", i) : g_strdup("texture");
        launch_list_add_array(list, name, texture->address, texture->bytes);
    }
}

void texture_set_finish(TextureSet *set)
{
    g_clear_pointer(&set->bindings, g_free);
}

uint32_t texture_registers(const Texture *texture)
{
    return registers_of(texture->shape.format->texel_bytes);
}

uint32_t texture_coordinates(TextureKind kind)
{
    return kind == TEXTURE_1D ? 1 : kind == TEXTURE_2D ? 2 : 3;
}

float texture_middle(const Texture *texture)
{
    return texture->shape.kind == TEXTURE_3D ? 0.5f * (float)texture->shape.depth : 0;
}

void instruction_sample(Instruction *instruction, const TextureBinding *binding, SampleMode mode,
                        uint32_t first)
{
    const Texture *texture = &binding->texture;
    instruction->operation = OPERATION_LOAD;
    instruction->unit = EXECUTE_TEXTURE;
    instruction->space = SPACE_TEXTURE;
    instruction->hint = CACHE_ALL;
    instruction->width = texture->shape.format->texel_bytes;
    instruction->binding = binding;
    instruction->sample_mode = (uint8_t)mode;
    instruction_reads(instruction, REGISTER_ADDRESS,
                      texture_coordinates(texture->shape.kind) + (mode != SAMPLE_IMPLICIT));
    instruction_writes(instruction, first, texture_registers(texture));
}
