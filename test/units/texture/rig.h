/* The rig of the texture unit's tests: an SM that sends texture instructions, the unit with a cache
 * of its own, a memory behind it that answers after 100 cycles, or after as many as a test says for
 * each line, and a sink for completed instructions. All paths take a cycle, so that, with
 * address_latency 10 and filter_latency 20:
 *     a hit   1 in + 10 + 20 + 1 back                               = 32
 *     a miss  1 in + 10 + 1 out + 100 + 1 back + 1 fill + 20 + 1 back = 135
 * The texture is of level 0 only unless a test says more, row after row, of so many lines of 128
 * bytes a row that a line has a number: its address / 128. */
#pragma once

#include "servers.h"

#include "kit/gpu/texture.h"
#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

extern const UnitClass texture_class;

enum { HIT = 32, MISS = 135, LANES = 32 };
enum { TEXTURE_ADDRESS = 1 << 20, FIRST_LINE = TEXTURE_ADDRESS / 128 };

enum { NO_LANES = 1u << 31 }; /* a mask */

/* A texture instruction: each of its lanes fetches one texel, or samples. What is 0 stands for the
 * usual: one quad whose lanes all read one sector of one line. */
typedef struct {
    uint64_t at;                    /* cycle at which the SM sends it */
    uint32_t line;                  /* of the first lane, 0: the texture's first */
    uint32_t quads;                 /* active; 0: one */
    uint32_t quad_lines;            /* from a quad's lines to the next one's */
    uint32_t lane_lines;            /* from a lane's line to the next one's in its quad */
    uint32_t sector;                /* of the line, all lanes */
    uint32_t mask;                  /* active lanes, instead of whole quads */
    uint32_t registers;             /* of the result; 0: one */
    const SampleCoordinates *where; /* instead of all these: sampled, not fetched */
    uint8_t mode;                   /* ... how: SAMPLE_IMPLICIT or SAMPLE_LEVEL */
    uint64_t back;                  /* cycle at which the sink has it; 0: not the test's matter */
} Draw;

typedef struct {
    Harness *harness;
    Unit *source, *texture, *sink;
    FarSide *memory;
    LineShape line;
    Frames pages; /* physical = virtual */
    TextureBinding binding;
    const Draw *draws;
    guint count;
    const KernelStart *starts;
    guint start_count;
} Rig;

static inline void place_lanes(const Rig *rig, const Draw *draw, SampleCoordinates *at)
{
    const Texture *texture = &rig->binding.texture;
    const uint32_t bytes = texture->shape.format->bytes, texels = 128 / bytes;
    const uint32_t width = (uint32_t)texture->shape.width;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t line =
            draw->line + lane / 4 * draw->quad_lines + lane % 4 * draw->lane_lines;
        const uint32_t texel = line * texels + draw->sector * 32 / bytes;
        at->point[lane] = (TexturePoint){(float)(texel % width), (float)(texel / width), 0};
        at->level[lane] = 0;
    }
}

static inline Message *make_draw(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Draw *draw = &rig->draws[number];
    const uint32_t quads = draw->quads ? draw->quads : 1;
    WarpAccess *access = unit_new(source, MESSAGE_WARP_ACCESS);
    Instruction in = {.operation = OPERATION_LOAD,
                      .space = SPACE_TEXTURE,
                      .binding = &rig->binding,
                      .sample_mode = draw->where ? draw->mode : SAMPLE_FETCH,
                      .mask = draw->mask ? draw->mask : UINT32_MAX >> (32 - 4 * quads),
                      .destination_count = (uint8_t)(draw->registers ? draw->registers : 1)};
    if (draw->mask == NO_LANES) in.mask = 0;
    *at = clock_cycles(source->clock, draw->at);
    warp_access_begin(&source->messages, access, &in, *at);
    leave_anything(access);
    access->warp = (uint32_t)number;
    access->warp_age = 0;
    access->dependent = false;
    access->samples = unit_new(source, MESSAGE_SAMPLES);
    if (draw->where)
        access->samples->at = *draw->where;
    else
        place_lanes(rig, draw, &access->samples->at);
    return &access->message;
}

/* A texture of 32 lines a row and 4096 rows, or with `levels` other than 0 a square of 1024 texels
 * with its mip chain. */
static inline void bind_texture(Rig *rig, const char *format, uint32_t levels)
{
    GError *error = NULL;
    const TextureFormat *found = texture_format_find(format);
    const TextureShape shape = {.kind = TEXTURE_2D,
                                .layout = TEXTURE_ROWS,
                                .format = found,
                                .width = levels ? 1024 : 32 * 128 / found->bytes,
                                .height = levels ? 1024 : 4096,
                                .depth = 1,
                                .levels = levels ? levels : 1};
    ck_assert_msg(texture_init(&rig->binding.texture, &shape, TEXTURE_ADDRESS, &error), "%s",
                  error ? error->message : "");
    rig->binding.sampler = (TextureSampler){.filter = FILTER_BILINEAR,
                                            .wrap = {WRAP_CLAMP, WRAP_CLAMP, WRAP_CLAMP},
                                            .anisotropy = 1,
                                            .normalized = true};
}

/* `memory_room` 0: without bound. */
static inline Rig *rig_new(const char *settings, uint32_t memory_room)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    simulation_share(h->simulation, "l1_line", &rig->line);
    simulation_share(h->simulation, "pages", &rig->pages);
    bind_texture(rig, "rgba8", 0);
    g_autofree char *all = g_strconcat(
        "cache = own; address_latency = 10 cycles; filter_latency = 20 cycles; ", settings, NULL);
    rig->source = harness_source(h, "source");
    rig->texture = harness_add(h, &texture_class, "texture", all);
    rig->sink = harness_sink(h, "sink");
    rig->memory = far_side_add(h, rig->texture, "to_l1_misses", "from_l1_fills", memory_room);
    harness_connect(h, rig->source, "out", rig->texture, "from_sm", (Path){.capacity = 4});
    harness_connect(h, rig->texture, "to_sm", rig->sink, "in", (Path){.capacity = 0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* Cycle at which the sink had instruction `number`. */
static inline uint64_t came_back(const Rig *rig, uint64_t number)
{
    for (uint64_t i = 0; i < harness_arrivals(rig->sink); i++) {
        const Arrived *arrived = harness_arrival(rig->sink, i);
        if (((const WarpAccess *)arrived->message)->warp == number) return arrived->cycle;
    }
    return 0;
}

static inline void assert_classes_add_up(const Rig *rig)
{
    static const char *const classes[] = {"stages_texture_hit", "stages_texture_shared_l1",
                                          "stages_texture_l2_hit", "stages_texture_dram"};
    uint64_t count = 0;
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        const StageSums *sums = unit_stages(rig->texture, classes[i]);
        Time sum = 0;
        for (guint s = 0; s < STAGE_COUNT; s++) sum += sums->stage[s];
        ck_assert_msg(sum == sums->latency, "%s do not add up", classes[i]);
        count += sums->count;
    }
    ck_assert_uint_eq(count, unit_count(rig->texture, "fragments"));
}

static inline void assert_books(const Rig *rig)
{
    static const char *const levels[] = {"queue", "fragment_room", "miss_room", "reorder_room"};
    const Unit *texture = rig->texture;
    assert_classes_add_up(rig);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        if (unit_level(texture, levels[i])->arrivals) assert_little(texture, levels[i]);
    ck_assert_uint_eq(unit_count(texture, "requests"), unit_count(texture, "replies"));
    ck_assert_uint_eq(unit_count(texture, "requests"), unit_count(texture, "misses"));
    ck_assert_uint_eq(unit_count(texture, "lines"),
                      unit_count(texture, "hits") + unit_count(texture, "misses"));
    assert_servers(texture);
}

static inline void rig_run(Rig *rig, const Draw *draws, guint count)
{
    rig->draws = draws;
    rig->count = count;
    harness_generate(rig->source, make_draw, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    for (guint i = 0; i < count; i++)
        if (draws[i].back)
            ck_assert_msg(came_back(rig, i) == draws[i].back,
                          "instruction %u came back in cycle %" G_GUINT64_FORMAT
                          ", not %" G_GUINT64_FORMAT,
                          i, came_back(rig, i), draws[i].back);
    assert_books(rig);
}
#define RUN(rig, draws) rig_run(rig, draws, G_N_ELEMENTS(draws))
