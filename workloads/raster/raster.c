/* A rendered picture's sample stream: triangles are set up, cut to the screen and rasterised into
 * quads of 2 x 2 pixels once, when the kernel is built; a warp shades the quads that it is made of,
 * with perspective-correct coordinates for all four pixels of each, so that differences within a
 * quad give the level of detail. Pixels of a quad that are not covered have coordinates and no
 * place in the mask.
 *
 *   warp:  interpolate  [ sample ] for each texture  [ combine ]  shade  store or blend  exit
 *
 * Quads as the unit of shading, and what their uncovered pixels cost: Fatahalian et al., "Reducing
 * shading on GPUs using quad-fragment merging" (2010). Rasterisation in tiles and hierarchies:
 * Giesen, "A trip through the graphics pipeline 2011", parts 6 to 9.
 *
 * Not modelled: vertices and their shading, reads and writes of the depth buffer (early depth test
 * decides only who is shaded), several samples a pixel, and which part of the screen belongs to
 * which raster engine: CTAs go to SMs in the order in which their quads come. */
#include "workloads/patterns/texture_keys.h"
#include "workloads/raster/quads.h"

enum { TEXTURES_A_PIXEL_MAX = 16, SOUP_TRIANGLES_MAX = 1 << 20, TARGET_BYTES = 4 /* rgba8 */ };

typedef enum { OUTPUT_NONE, OUTPUT_STORE, OUTPUT_BLEND } RasterOutput;
static const char *const output_names[] = {"none", "store", "blend", NULL};

typedef struct {
    TextureKeys texture;
    uint64_t screen_width, screen_height, triangles, mesh_columns, mesh_rows, tile;
    uint64_t textures_per_pixel, triangles_per_draw, interpolation_instructions;
    uint64_t shader_instructions, threads_per_cta, registers_per_thread, seed;
    double triangle_area, overdraw, texels_per_pixel, mesh_repeats, waves, wave_height;
    double camera_height, camera_pitch, camera_yaw, field_of_view, view_distance;
    uint32_t scene, draw_order, walk, output, target_layout;
    bool depth_test;
} Raster;

static const Param params[] = {
    PARAM_ONE_OF(
        Raster, scene, scene_names, "floor",
        "quad: a rectangle that fills the screen; floor: a plane below the camera, out to "
        "a horizon; soup: unrelated triangles; mesh: a wavy surface that fills the screen"),
    PARAM_NUMBER(Raster, screen_width, PARAM_COUNT, "640", 1, RASTER_SIDE_MAX, "pixels in a row"),
    PARAM_NUMBER(Raster, screen_height, PARAM_COUNT, "360", 1, RASTER_SIDE_MAX, "rows of pixels"),
    PARAM_REAL(Raster, texels_per_pixel, "1", 1e-3, 1024,
               "of quad and soup: texels of the full texture from one pixel to the next"),
    PARAM_REAL(Raster, camera_height, "0.5", 1e-2, 1e3,
               "of floor: height above it, in sides of the texture"),
    PARAM_REAL(Raster, camera_pitch, "20", 0, 90,
               "of floor: degrees that the camera looks down from the horizontal"),
    PARAM_REAL(Raster, camera_yaw, "0", -180, 180,
               "of floor: degrees that the texture is turned under the camera"),
    PARAM_REAL(Raster, field_of_view, "60", 1, 170,
               "of floor: degrees between the screen's lower and upper edge"),
    PARAM_REAL(Raster, view_distance, "100", 1, 1e4,
               "of floor: how far it reaches, in sides of the texture"),
    PARAM_NUMBER(Raster, mesh_columns, PARAM_COUNT, "32", 1, 512, "of mesh: its quads in a row"),
    PARAM_NUMBER(Raster, mesh_rows, PARAM_COUNT, "32", 1, 512, "of mesh: its rows of quads"),
    PARAM_REAL(Raster, mesh_repeats, "4", 1e-3, 1024,
               "of mesh: how often the texture lies side by side over it, across and down"),
    PARAM_REAL(Raster, waves, "2", 0, 256, "of mesh: waves over it, across and down"),
    PARAM_REAL(Raster, wave_height, "0.2", 0, 0.9,
               "of mesh: how far waves reach towards the camera, part of its distance"),
    PARAM_REAL(Raster, triangle_area, "64", 0.25, 0x1p26, "of soup: mean area, pixels"),
    PARAM_REAL(Raster, overdraw, "2", 1e-3, 1e3,
               "of soup: triangles that cover a pixel, on average over the screen"),
    PARAM_NUMBER(Raster, triangles, PARAM_COUNT, "0", 0, SOUP_TRIANGLES_MAX,
                 "of soup: how many; 0: as many as the overdraw needs"),
    PARAM_ONE_OF(Raster, draw_order, draw_order_names, "as_built",
                 "in which order triangles are drawn, by the depth of their centres or not"),
    PARAM_SWITCH(Raster, depth_test, "yes",
                 "before shading: pixels behind what was drawn before are not sampled"),
    PARAM_ONE_OF(Raster, walk, raster_walk_names, "tiles",
                 "in which order a triangle's quads of 2 x 2 pixels come: rows over its whole "
                 "width; tiles of the screen, rows within; or morton, along a Z-shaped curve"),
    PARAM_NUMBER(Raster, tile, PARAM_COUNT, "16", 2, RASTER_SIDE_MAX,
                 "side of a tile of walk tiles, pixels; a power of two"),
    PARAM_NUMBER(Raster, textures_per_pixel, PARAM_COUNT, "1", 1, TEXTURES_A_PIXEL_MAX,
                 "textures that a pixel samples, at the same coordinates: colour, normals ..."),
    PARAM_NUMBER(Raster, triangles_per_draw, PARAM_COUNT, "64", 1, 0x1p32,
                 "triangles drawn in a row with the same textures, if there are more to choose "
                 "from; warps are not shared between draws"),
    PARAM_NUMBER(Raster, interpolation_instructions, PARAM_COUNT, "4", 0, 255,
                 "dependent arithmetic instructions that compute a pixel's coordinates"),
    PARAM_NUMBER(Raster, shader_instructions, PARAM_COUNT, "8", 0, 255,
                 "dependent arithmetic instructions of a pixel with what it sampled"),
    PARAM_ONE_OF(
        Raster, output, output_names, "store",
        "what becomes of a pixel's colour: nothing, a store, or blended with what is there "
        "by the ROP"),
    PARAM_ONE_OF(Raster, target_layout, texture_layout_names, "blocked",
                 "order of the output's pixels in memory, of 4 B: as of a texture's texels"),
    PARAM_NUMBER(Raster, threads_per_cta, PARAM_COUNT, "256", 32, 1024,
                 "pixels that go to an SM together, whole warps"),
    PARAM_NUMBER(Raster, registers_per_thread, PARAM_COUNT, "32", 1, 255,
                 "registers a thread, which limit resident warps"),
    PARAM_NUMBER(Raster, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    TEXTURE_SIZE_ROWS("1024", "0"),
    TEXTURE_SURFACE_ROWS("2d", "trilinear", "yes", "repeat"),
    PARAM_END,
};

enum { FACTS = 6 };

typedef struct {
    Kernel kernel;
    Raster params;
    TextureSet textures;
    Texture target;
    RasterList list;
    uint32_t quads_per_warp;
    KernelFact facts[FACTS];
} RasterKernel;

/* A warp's share of the list. */
typedef struct {
    const RasterQuad *quads;
    uint32_t count;
    uint64_t covered, present; /* lanes: of shaded pixels, and with the rest of their quads */
} WarpQuads;

static WarpQuads find_quads(const RasterKernel *self, const WarpCursor *cursor)
{
    const uint64_t warp = cursor->cta * kernel_warps(&self->kernel) + cursor->warp;
    const uint64_t first = warp * self->quads_per_warp;
    WarpQuads warp_quads = {.count = 0};
    if (first >= self->list.quads->len) return warp_quads;
    warp_quads.quads = &g_array_index(self->list.quads, RasterQuad, first);
    warp_quads.count = self->quads_per_warp;
    for (uint32_t i = 0; i < warp_quads.count; i++) {
        const uint64_t mask = warp_quads.quads[i].mask;
        warp_quads.covered |= mask << i * QUAD_PIXELS;
        if (mask) warp_quads.present |= UINT64_C(0xf) << i * QUAD_PIXELS;
    }
    return warp_quads;
}

static const RasterPlanes *planes_of(const RasterKernel *self, const RasterQuad *quad)
{
    return &g_array_index(self->list.planes, RasterPlanes, quad->planes);
}

/* --- instructions ----------------------------------------------------------------------------- */

static void write_sample(const RasterKernel *self, const WarpQuads *quads, uint64_t texture,
                         Instruction *out)
{
    const uint32_t material = planes_of(self, &quads->quads[0])->material;
    const uint64_t binding = material * self->params.textures_per_pixel + texture;
    out->mask = quads->covered;
    instruction_sample(out, &self->textures.bindings[binding], SAMPLE_IMPLICIT,
                       load_register(texture));
}

/* What a texture brought goes into the colour. */
static void write_combine(const RasterKernel *self, uint64_t texture, Instruction *out)
{
    instruction_compute(out, EXECUTE_FP32, 1);
    instruction_reads(out, load_register(texture),
                      texture_registers(&self->textures.bindings[0].texture));
    instruction_reads(out, REGISTER_CONSTANT, 1);
    instruction_writes(out, REGISTER_CONSTANT, 1);
}

static void write_arithmetic(uint64_t repeat, uint32_t from, uint32_t to, Instruction *out)
{
    instruction_compute(out, EXECUTE_FP32, repeat);
    instruction_reads(out, from, 1);
    instruction_writes(out, to, to == REGISTER_ADDRESS ? 2 : 1);
}

static void write_output(const RasterKernel *self, const WarpQuads *quads, WarpCursor *cursor,
                         Instruction *out)
{
    const bool blends = self->params.output == OUTPUT_BLEND;
    uint32_t count = 0;
    for (uint32_t i = 0; i < quads->count * QUAD_PIXELS; i++) {
        if (!(quads->covered >> i & 1)) continue;
        const RasterQuad *quad = &quads->quads[i / QUAD_PIXELS];
        cursor->addresses[count++] =
            texture_address(&self->target, 0, quad->x * 2 + (i & 1), quad->y * 2 + (i >> 1 & 1), 0);
    }
    out->mask = quads->covered;
    instruction_access(out, blends ? OPERATION_ATOMIC : OPERATION_STORE, TARGET_BYTES);
    instruction_reads(out, REGISTER_CONSTANT, 1);
    out->addresses = cursor->addresses;
    if (blends) out->atomic = ATOMIC_BLEND;
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *out)
{
    const RasterKernel *self = (const RasterKernel *)kernel;
    const Raster *p = &self->params;
    const WarpQuads quads = find_quads(self, cursor);
    const uint64_t interpolate = p->interpolation_instructions > 0;
    const uint64_t shade = p->shader_instructions > 0, samples = p->textures_per_pixel;
    const uint64_t position = cursor->position++, step = position - interpolate;
    instruction_clear(out, 0x10 * (1 + position), quads.present);
    if (quads.count && position < interpolate)
        write_arithmetic(p->interpolation_instructions, REGISTER_ADDRESS, REGISTER_ADDRESS, out);
    else if (quads.count && step < samples)
        write_sample(self, &quads, step, out);
    else if (quads.count && step < 2 * samples)
        write_combine(self, step - samples, out);
    else if (quads.count && step < 2 * samples + shade)
        write_arithmetic(p->shader_instructions, REGISTER_CONSTANT, REGISTER_CONSTANT, out);
    else if (quads.count && step == 2 * samples + shade && p->output != OUTPUT_NONE)
        write_output(self, &quads, cursor, out);
    else {
        out->mask = kernel_lane_mask(kernel, cursor->warp);
        instruction_exit(out);
    }
}

static void find_coordinates(const Kernel *kernel, const WarpCursor *cursor,
                             G_GNUC_UNUSED const Instruction *instruction, SampleCoordinates *at)
{
    const RasterKernel *self = (const RasterKernel *)kernel;
    const WarpQuads quads = find_quads(self, cursor);
    for (uint32_t i = 0; i < quads.count * QUAD_PIXELS; i++) {
        if (!(quads.present >> i & 1)) continue;
        const RasterQuad *quad = &quads.quads[i / QUAD_PIXELS];
        at->point[i] =
            raster_point(planes_of(self, quad), quad->x * 2 + (i & 1), quad->y * 2 + (i >> 1 & 1));
    }
}

static void free_kernel(Kernel *kernel)
{
    RasterKernel *self = (RasterKernel *)kernel;
    texture_set_finish(&self->textures);
    raster_list_finish(&self->list);
    g_free(self);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .coordinates = find_coordinates, .free = free_kernel};

/* --- building --------------------------------------------------------------------------------- */

static bool check(const Raster *p, uint32_t warp_lanes, GError **error)
{
    if (p->texture.texture_kind != TEXTURE_2D)
        return workload_reject(error, "texture_kind", "triangles are textured with 2d images");
    if (!is_power_of_two(p->tile)) return workload_reject(error, "tile", "not a power of two");
    if (p->threads_per_cta % warp_lanes)
        return workload_reject(error, "threads_per_cta", "not whole warps of %u lanes", warp_lanes);
    if (p->texture.textures % p->textures_per_pixel)
        return workload_reject(error, "textures",
                               "not a multiple of textures_per_pixel (%" PRIu64 ")",
                               p->textures_per_pixel);
    const double needed =
        p->overdraw * (double)(p->screen_width * p->screen_height) / p->triangle_area;
    if (p->scene == SCENE_SOUP && !p->triangles && needed > SOUP_TRIANGLES_MAX)
        return workload_reject(error, "overdraw", "takes %.0f triangles of this area, at most %d",
                               needed, SOUP_TRIANGLES_MAX);
    return true;
}

static Scene describe_scene(const RasterKernel *self, uint64_t salt)
{
    const Raster *p = &self->params;
    const TextureShape *texture = &self->textures.bindings[0].texture.shape;
    const double pixels = (double)(p->screen_width * p->screen_height);
    const uint64_t needed = (uint64_t)(p->overdraw * pixels / p->triangle_area + 0.5);
    return (Scene){
        .kind = (SceneKind)p->scene,
        .screen_width = (double)p->screen_width,
        .screen_height = (double)p->screen_height,
        .texture_width = (double)texture->width,
        .texture_height = (double)texture->height,
        .salt = salt,
        .texels_per_pixel = p->texels_per_pixel,
        .camera_height = p->camera_height,
        .camera_pitch = p->camera_pitch,
        .camera_yaw = p->camera_yaw,
        .field_of_view = p->field_of_view,
        .view_distance = p->view_distance,
        .triangles = p->triangles ? p->triangles : MAX(needed, 1),
        .triangle_area = p->triangle_area,
        .mesh_columns = p->mesh_columns,
        .mesh_rows = p->mesh_rows,
        .mesh_repeats = p->mesh_repeats,
        .waves = p->waves,
        .wave_height = p->wave_height,
    };
}

typedef struct {
    uint64_t salt, triangles_per_draw, materials;
} Materials;

static uint32_t draw_material(const void *context, uint64_t place)
{
    const Materials *m = context;
    return (uint32_t)scale64(mix64(m->salt ^ (place / m->triangles_per_draw)), m->materials);
}

static bool rasterise(RasterKernel *self, uint64_t seed, GError **error)
{
    const Raster *p = &self->params;
    const uint64_t salt = mix64(mix64(seed) ^ p->seed);
    const Scene scene = describe_scene(self, salt);
    g_autofree uint32_t *order = scene_order(&scene, (DrawOrder)p->draw_order);
    const Materials materials = {mix64(salt), p->triangles_per_draw,
                                 p->texture.textures / p->textures_per_pixel};
    const RasterInput input = {&scene, order, draw_material, &materials};
    const RasterRules rules = {
        .screen = {(uint32_t)p->screen_width, (uint32_t)p->screen_height},
        .walk = (RasterWalk)p->walk,
        .tile = (uint32_t)p->tile,
        .depth_test = p->depth_test,
        .quads_per_warp = self->quads_per_warp,
    };
    if (!raster_draw(&input, &rules, &self->list))
        return workload_reject(error, "screen_width",
                               "the scene has more than %d quads of 2 x 2 "
                               "pixels",
                               RASTER_QUADS_MAX);
    return self->list.shaded
           || workload_reject(error, "scene", "no pixel of the screen is covered");
}

static void describe_kernel(RasterKernel *self)
{
    const Raster *p = &self->params;
    const RasterList *list = &self->list;
    const uint64_t warps = (list->quads->len + self->quads_per_warp - 1) / self->quads_per_warp;
    const uint64_t warps_per_cta = p->threads_per_cta / self->kernel.warp_lanes;
    const double pixels = (double)(p->screen_width * p->screen_height);
    const KernelFact facts[FACTS] = {
        {"triangles", (double)list->triangles},
        {"quads", (double)list->shaded_quads},
        {"pixels", (double)list->shaded},
        {"overdraw", (double)list->covered / pixels},
        {"shaded_per_pixel", (double)list->shaded / pixels},
        {"quad_efficiency", (double)list->shaded / (double)(QUAD_PIXELS * list->shaded_quads)},
    };
    memcpy(self->facts, facts, sizeof facts);
    self->kernel.name = g_strdup_printf("raster %s", scene_names[p->scene]);
    self->kernel.ctas = (warps + warps_per_cta - 1) / warps_per_cta;
    self->kernel.threads_per_cta = (uint32_t)p->threads_per_cta;
    self->kernel.registers_per_thread = (uint32_t)p->registers_per_thread;
    self->kernel.footprint =
        self->textures.footprint + (p->output == OUTPUT_NONE ? 0 : self->target.bytes);
    self->kernel.facts = self->facts;
    self->kernel.fact_count = FACTS;
}

static bool place_target(RasterKernel *self, GError **error)
{
    const Raster *p = &self->params;
    const TextureShape shape = {
        .kind = TEXTURE_2D,
        .layout = (TextureLayout)p->target_layout,
        .format = texture_format_find("rgba8"),
        .width = p->screen_width,
        .height = p->screen_height,
        .depth = 1,
        .levels = 1,
    };
    return texture_init(&self->target, &shape, self->textures.end, error);
}

static bool build(const void *object, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    const Raster *p = object;
    if (!check(p, context->warp_lanes, error)) return false;
    RasterKernel *self = g_new0(RasterKernel, 1);
    self->kernel.class = &kernel_class;
    self->params = *p;
    self->kernel.warp_lanes = context->warp_lanes;
    self->quads_per_warp = context->warp_lanes / QUAD_PIXELS;
    if (!texture_keys_build(&p->texture, &self->textures, error) || !place_target(self, error)
        || !rasterise(self, context->seed, error)) {
        kernel_free(&self->kernel);
        return false;
    }
    for (uint32_t i = 0; i < self->textures.count; i++)
        self->textures.bindings[i].sampler.normalized = true;
    describe_kernel(self);
    launch_list_add(list, &self->kernel);
    texture_set_name(&self->textures, list);
    if (p->output != OUTPUT_NONE)
        launch_list_add_array(list, "target", self->target.address, self->target.bytes);
    return true;
}

const WorkloadClass raster_workload = {
    .name = "raster",
    .summary = "textured triangles rasterised into quads of pixels: a picture's sample stream",
    .size = sizeof(Raster),
    .params = params,
    .uses = USE_TEXTURES | USE_ATOMICS,
    .build = build,
};
