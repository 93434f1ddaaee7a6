/* A kernel that samples textures between loads and stores, for whole machines: each warp is a tile
 * of 8 x 4 pixels, at a place that its CTA and iteration say. */
#pragma once

#include "small_machine.h"

enum { TEXTURE_BINDINGS = 4, TEXTURE_ITERATIONS = 6, TEXTURE_WARPS = 3, TEXTURE_CTAS = 8 };

typedef struct {
    Kernel kernel;
    TextureBinding binding[TEXTURE_BINDINGS];
} TextureKernel;

static inline void texture_kernel_sample(const TextureKernel *self, uint64_t which,
                                         Instruction *instruction)
{
    static const uint8_t modes[TEXTURE_BINDINGS] = {SAMPLE_IMPLICIT, SAMPLE_IMPLICIT, SAMPLE_LEVEL,
                                                    SAMPLE_FETCH};
    instruction->operation = OPERATION_LOAD;
    instruction->space = SPACE_TEXTURE;
    instruction->binding = &self->binding[which % TEXTURE_BINDINGS];
    instruction->sample_mode = modes[which % TEXTURE_BINDINGS];
    instruction->destination_count = 4;
    instruction->width = 16;
}

/* Of an iteration: a sample, a load, another sample, what needs the first, a store. The second
 * CTA's last lanes are idle. */
static inline void texture_kernel_fetch(const Kernel *kernel, WarpCursor *cursor,
                                        Instruction *instruction)
{
    const TextureKernel *self = (const TextureKernel *)kernel;
    const uint64_t position = cursor->position++, iteration = position / 5;
    const uint64_t warp = cursor->cta * TEXTURE_WARPS + cursor->warp;
    *instruction =
        (Instruction){.mask = cursor->cta == 1 ? 0x00ffff0f : lowest_lanes(kernel->warp_lanes),
                      .destination = REGISTER_NONE,
                      .space = SPACE_GLOBAL,
                      .width = 4,
                      .stride = 4};
    if (iteration == TEXTURE_ITERATIONS) {
        instruction->operation = OPERATION_EXIT;
        return;
    }
    switch (position % 5) {
    case 0:
        texture_kernel_sample(self, iteration, instruction);
        instruction->destination = 8;
        break;
    case 1:
        instruction->operation = OPERATION_LOAD;
        instruction->base = (1 << 20) + ((warp * 5 + iteration * 3) % 64) * 128;
        instruction->destination = 1;
        instruction->destination_count = 1;
        break;
    case 2:
        texture_kernel_sample(self, iteration + warp, instruction);
        instruction->destination = 12;
        break;
    case 3:
        instruction->operation = OPERATION_ALU;
        instruction->sources[0] = 8;
        instruction->source_count = 1;
        instruction->repeat = 1;
        break;
    case 4:
        instruction->operation = OPERATION_STORE;
        instruction->base = (2 << 20) + (warp * TEXTURE_ITERATIONS + iteration) * 128;
        instruction->sources[0] = 1;
        instruction->source_count = 1;
        break;
    }
}

/* Lanes 4k .. 4k + 3 are a square of pixels. */
static inline void texture_kernel_coordinates(const Kernel *kernel, const WarpCursor *cursor,
                                              const Instruction *instruction, SampleCoordinates *at)
{
    const TextureKernel *self = (const TextureKernel *)kernel;
    const uint64_t which = (uint64_t)(instruction->binding - self->binding);
    const uint64_t place = cursor->cta * 7 + cursor->position * 3 + cursor->warp;
    const float step = which == 3 ? 1 : (float)(1 + cursor->cta % 3) / 64;
    for (uint32_t lane = 0; lane < kernel->warp_lanes; lane++) {
        const uint32_t quad = lane / 4;
        const float x = (float)(place % 11 * 8 + quad % 4 * 2 + lane % 2),
                    y = (float)(place % 5 * 4 + quad / 4 * 2 + lane / 2 % 2);
        at->point[lane] = (TexturePoint){x * step, y * step / 2, 0};
        at->level[lane] = (float)(cursor->cta % 4) / 2;
    }
}

static inline void texture_kernel_bind(TextureKernel *self)
{
    static const struct {
        const char *format;
        TextureLayout layout;
        uint64_t side, levels, anisotropy;
        TextureFilter filter;
    } rows[TEXTURE_BINDINGS] = {{"rgba8", TEXTURE_MORTON, 128, 1, 1, FILTER_BILINEAR},
                                {"rgba8", TEXTURE_TILES, 64, 0, 4, FILTER_TRILINEAR},
                                {"rgba16f", TEXTURE_ROWS, 64, 0, 1, FILTER_TRILINEAR},
                                {"rgba32f", TEXTURE_ROWS, 128, 1, 1, FILTER_POINT}};
    for (guint i = 0; i < TEXTURE_BINDINGS; i++) {
        const TextureShape shape = {.kind = TEXTURE_2D,
                                    .layout = rows[i].layout,
                                    .format = texture_format_find(rows[i].format),
                                    .width = rows[i].side,
                                    .height = rows[i].side,
                                    .depth = 1,
                                    .levels = rows[i].levels};
        ck_assert(texture_init(&self->binding[i].texture, &shape, (uint64_t)(i + 4) << 20, NULL));
        self->binding[i].sampler = (TextureSampler){
            .filter = rows[i].filter, .anisotropy = rows[i].anisotropy, .normalized = i != 3};
    }
}

/* One launch. */
static inline LaunchList *texture_kernel_launches(uint32_t warp_lanes)
{
    static const KernelClass texture_kernel_class = {.fetch = texture_kernel_fetch,
                                                     .coordinates = texture_kernel_coordinates};
    TextureKernel *self = g_new0(TextureKernel, 1);
    self->kernel = (Kernel){.class = &texture_kernel_class,
                            .name = g_strdup("textures"),
                            .ctas = TEXTURE_CTAS,
                            .threads_per_cta = TEXTURE_WARPS * warp_lanes,
                            .registers_per_thread = 32,
                            .warp_lanes = warp_lanes};
    texture_kernel_bind(self);
    LaunchList *list = launch_list_new();
    launch_list_add_kernel(list, &self->kernel);
    const Launch launch = {.kernel = &self->kernel, .measured = true};
    g_array_append_val(list->launches, launch);
    return list;
}

/* A small machine that samples, if the settings have no workload. */
static inline Machine *texture_machine_new(const char *settings, const char *more)
{
    if (strstr(more, "workload.")) return small_machine_new(settings, more);
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    small_machine_set(configuration, more);
    const uint32_t lanes = strstr(more, "warp_lanes = 64") ? 64 : 32;
    Machine *machine = machine_new(configuration, texture_kernel_launches(lanes), &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    return machine;
}
