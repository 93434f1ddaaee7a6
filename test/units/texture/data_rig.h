/* The rig of memory instructions in the texture unit: a load/store unit that sends them with their
 * lines, an SM that sends texture instructions, the unit with a cache of its own, a memory behind
 * it that answers after 100 cycles, or after as many as a test says for each line, and sinks for
 * completed instructions and for notices of stores. Lines have 64 bytes in two sectors. All paths
 * take a cycle, so that, with address_latency 10 and load_latency 20, of one group of lanes:
 *     a hit    1 in + 10 + 20 + 1 back                                  = 32
 *     a miss   1 in + 10 + 1 out + 100 + 1 back + 2 fill + 20 + 1 back  = 136
 *     a store  1 in + 10 + 1 out + 100 + 1 back + 1 back                = 114, heard of at 12 */
#pragma once

#include "servers.h"

#include "kit/gpu/texture.h"
#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

extern const UnitClass texture_class;

enum { HIT = 32, MISS = 136, STORED = 114, RELEASED = 12 };
enum { LOAD, STORES, ATOMIC, REDUCTION, TEXEL };
enum { SAME = 1 }; /* a stride of no bytes */
#define ANY UINT64_MAX

/* What is 0 stands for the usual: a global load of 16 lanes of 4 bytes side by side, the whole of a
 * line. A texel: one quad's of this line, whose texture begins at 0. */
typedef struct {
    uint64_t at, line; /* base address = line x 64 + offset */
    uint32_t offset;
    int64_t stride;
    uint64_t mask;
    uint8_t operation, space, hint, width;
    const uint64_t *addresses; /* of the active lanes, instead */
    uint64_t back;             /* cycle at which the SM knows; 0: not the test's matter */
    uint64_t released;         /* ... that a store's operands have been read; 0: not at all */
} Lookup;

typedef struct {
    Harness *harness;
    Unit *source, *sm, *texture, *sink, *notices, *l1;
    FarSide *memory;
    LineShape line;
    Frames pages; /* physical = virtual */
    TextureBinding binding;
    const Lookup *lookups;
    guint count;
} Rig;

static const uint8_t lookup_operations[] = {OPERATION_LOAD, OPERATION_STORE, OPERATION_ATOMIC,
                                            OPERATION_ATOMIC, OPERATION_LOAD};

/* As the load/store unit would. */
static inline void find_lines(const Rig *rig, Unit *source, WarpAccess *access)
{
    const Instruction *in = &access->instruction;
    const LaneSteps steps = instruction_steps(in);
    CoalescedLine lines[COALESCER_LINES];
    const uint32_t count =
        in->addresses
            ? coalesce_addresses(&rig->line, access->lanes->address,
                                 (uint32_t)__builtin_popcountll(in->mask), in->width, lines)
            : coalesce_steps(&rig->line, &steps, in->width, lines);
    warp_access_take_lines(&source->messages, access, count);
    for (uint32_t i = 0; i < count; i++)
        access->line[i] = (AccessLine){.line = lines[i].line,
                                       .bytes = lines[i].bytes,
                                       .sectors = lines[i].sectors,
                                       .partial = lines[i].partial};
}

static inline void sample(const Rig *rig, Unit *source, const Lookup *lookup, WarpAccess *access)
{
    access->instruction.space = SPACE_TEXTURE;
    access->instruction.binding = &rig->binding;
    access->instruction.sample_mode = SAMPLE_FETCH;
    access->instruction.mask = 15;
    access->samples = unit_new(source, MESSAGE_SAMPLES);
    for (uint32_t lane = 0; lane < 4; lane++) {
        access->samples->at.point[lane] = (TexturePoint){(float)(lookup->line * 16), 0, 0};
        access->samples->at.level[lane] = 0;
    }
}

static inline Message *make_lookup(const Rig *rig, Unit *source, uint32_t number, Time *at)
{
    const Lookup *lookup = &rig->lookups[number];
    *at = lookup->at * source->clock->period;
    WarpAccess *access = unit_new(source, MESSAGE_WARP_ACCESS);
    Instruction in = {.operation = lookup_operations[lookup->operation],
                      .space = lookup->space,
                      .hint = lookup->hint,
                      .base = lookup->line * 64 + lookup->offset,
                      .width = lookup->width ? lookup->width : 4,
                      .mask = lookup->mask ? lookup->mask : 0xffff,
                      .addresses = lookup->addresses};
    in.stride = lookup->stride == SAME ? 0 : lookup->stride ? lookup->stride : in.width;
    in.destination_count = lookup->operation != STORES && lookup->operation != REDUCTION;
    warp_access_begin(&source->messages, access, &in, *at);
    leave_anything(access);
    access->reached = access->began = *at;
    access->warp = number;
    access->warp_age = 0;
    access->dependent = false;
    access->same_address = access->turn_passes = 1;
    access->pass_interval = 0;
    if (lookup->operation == TEXEL)
        sample(rig, source, lookup, access);
    else
        find_lines(rig, source, access);
    return &access->message;
}

/* The number-th message of the SM, or of the load/store unit. */
static inline Message *make_of(const Rig *rig, Unit *source, uint64_t number, bool texel, Time *at)
{
    for (guint i = 0; i < rig->count; i++)
        if ((rig->lookups[i].operation == TEXEL) == texel && !number--)
            return make_lookup(rig, source, i, at);
    return NULL;
}

static inline Message *make_access(Unit *source, uint64_t number, Time *at, void *user)
{
    return make_of(user, source, number, false, at);
}

static inline Message *make_texel(Unit *source, uint64_t number, Time *at, void *user)
{
    return make_of(user, source, number, true, at);
}

static inline void bind_texture(Rig *rig)
{
    const TextureShape shape = {.kind = TEXTURE_2D,
                                .layout = TEXTURE_ROWS,
                                .format = texture_format_find("rgba8"),
                                .width = 16384,
                                .height = 1,
                                .depth = 1,
                                .levels = 1};
    ck_assert(texture_init(&rig->binding.texture, &shape, 0, NULL));
    rig->binding.sampler =
        (TextureSampler){.wrap = {WRAP_CLAMP, WRAP_CLAMP, WRAP_CLAMP}, .anisotropy = 1};
}

/* `memory_room` 0: without bound. */
static inline Rig *rig_new(const char *settings, uint32_t memory_room)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 64, .sector_bytes = 32};
    simulation_share(h->simulation, "l1_line", &rig->line);
    simulation_share(h->simulation, "pages", &rig->pages);
    bind_texture(rig);
    g_autofree char *all = g_strconcat("cache = own; capacity = 4 KiB; sets = 4;"
                                       "address_latency = 10 cycles; load_latency = 20 cycles;"
                                       "filter_latency = 20 cycles; return_bytes = 64 B/cycle;",
                                       settings, NULL);
    rig->source = harness_source(h, "load_store");
    rig->sm = harness_source(h, "sm");
    rig->texture = harness_add(h, &texture_class, "texture", all);
    rig->sink = harness_sink(h, "sink");
    rig->notices = harness_sink(h, "notices");
    rig->l1 = harness_sink(h, "l1");
    rig->memory = far_side_add(h, rig->texture, "to_l1_misses", "from_l1_fills", memory_room);
    harness_connect(h, rig->source, "out", rig->texture, "from_load_store", (Path){.capacity = 4});
    harness_connect(h, rig->sm, "out", rig->texture, "from_sm", (Path){.capacity = 4});
    harness_connect(h, rig->texture, "to_sm", rig->sink, "in", (Path){.capacity = 0});
    harness_connect(h, rig->texture, "to_sm_stores", rig->notices, "in", (Path){.capacity = 0});
    harness_connect(h, rig->texture, "to_l1", rig->l1, "in", (Path){.capacity = 0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline const WarpAccess *find_in(const Unit *sink, guint number, uint64_t *cycle)
{
    for (uint64_t i = 0; i < harness_arrivals(sink); i++) {
        const Arrived *arrived = harness_arrival(sink, i);
        const WarpAccess *access = (const WarpAccess *)arrived->message;
        *cycle = arrived->cycle;
        if (access->warp == number) return access;
    }
    *cycle = 0;
    return NULL;
}

/* The cycle at which the SM knows that an instruction is complete. */
static inline uint64_t came_back(const Rig *rig, guint number)
{
    uint64_t cycle;
    return find_in(rig->sink, number, &cycle) ? cycle : 0;
}

static inline uint64_t was_released(const Rig *rig, guint number)
{
    for (uint64_t i = 0; i < harness_arrivals(rig->notices); i++) {
        const Arrived *arrived = harness_arrival(rig->notices, i);
        const StoreNotice *notice = (const StoreNotice *)arrived->message;
        ck_assert_uint_eq(notice->message.kind, MESSAGE_STORE_NOTICE);
        if (notice->warp != number) continue;
        ck_assert_uint_eq(notice->released_at, arrived->cycle * TIME_NS);
        return arrived->cycle;
    }
    return 0;
}

static inline void assert_staged(const Rig *rig)
{
    static const char *const classes[] = {
        "stages_texture_hit", "stages_texture_l2_hit", "stages_texture_dram",
        "stages_data_hit",    "stages_data_shared_l1", "stages_data_l2_hit",
        "stages_data_dram",   "stages_data_store",     "stages_data_atomic"};
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        const StageSums *sums = unit_stages(rig->texture, classes[i]);
        Time sum = 0;
        for (guint s = 0; s < STAGE_COUNT; s++) sum += sums->stage[s];
        ck_assert_msg(sum == sums->latency, "%s do not add up", classes[i]);
    }
}

/* Every instruction is back at its cycle, nothing is left, what was anywhere has left by Little's
 * law, and all that was asked has been answered. */
static inline void run(Rig *rig, const Lookup *lookups, guint count)
{
    static const char *const levels[] = {"queue", "fragment_room", "miss_room", "reorder_room",
                                         "stores_outstanding"};
    rig->lookups = lookups;
    rig->count = count;
    harness_generate(rig->source, make_access, rig);
    harness_generate(rig->sm, make_texel, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (guint i = 0; i < count; i++) {
        const Lookup *lookup = &lookups[i];
        ck_assert_msg(!lookup->back || came_back(rig, i) == lookup->back,
                      "%u is back at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                      came_back(rig, i), lookup->back);
        ck_assert_msg(lookup->released == ANY || was_released(rig, i) == lookup->released,
                      "%u is released at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                      was_released(rig, i), lookup->released);
    }
    ck_assert_uint_eq(harness_arrivals(rig->sink) + harness_arrivals(rig->l1), count);
    assert_staged(rig);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        if (unit_level(rig->texture, levels[i])->arrivals) assert_little(rig->texture, levels[i]);
    ck_assert_uint_eq(unit_count(rig->texture, "requests"), unit_count(rig->texture, "replies"));
    assert_servers(rig->texture);
}

#define RUN(rig, lookups) run(rig, lookups, G_N_ELEMENTS(lookups))
