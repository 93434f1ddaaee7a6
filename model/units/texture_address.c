/* The texture unit's front end: an instruction's quads, their steps, and the lines of each. */
#include "units/texture_private.h"

enum { QUADS_MAX = WARP_LANES / QUAD_LANES };

static uint32_t lanes_of(const AddressCursor *cursor)
{
    return (uint32_t)(cursor->access->instruction.mask >> (cursor->quad * QUAD_LANES)) & 15;
}

static const SampleCoordinates *coordinates_of(const AddressCursor *cursor)
{
    return &cursor->access->samples->at;
}

void texture_begin(TextureUnit *self, WarpAccess *access, Time now)
{
    AddressCursor *cursor = &self->cursor;
    cursor->access = access;
    cursor->from = now + clock_cycles(self->unit.clock, self->address_latency);
    cursor->quad = cursor->step = cursor->steps = cursor->quads = 0;
    cursor->open = false;
    cursor->kind = FRAGMENT_TEXELS;
    cursor->bytes = 0;
    if (!access->samples) {
        texture_begin_data(self);
        return;
    }
    self->instructions++;
    self->samples += (uint64_t)__builtin_popcountll(access->instruction.mask);
}

/* Of lanes that say their level: as many steps as the lane with the most. */
static uint32_t count_lane_steps(AddressCursor *cursor, const TextureBinding *binding)
{
    const SampleCoordinates *at = coordinates_of(cursor);
    uint32_t steps = 0;
    for (uint32_t rest = lanes_of(cursor); rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        TextureDetail *detail = &cursor->detail[lane];
        texture_detail_of_level(&binding->texture, &binding->sampler,
                                at->level[cursor->quad * QUAD_LANES + lane], detail);
        const uint32_t count = texture_count_steps(&binding->texture, &binding->sampler, detail);
        steps = MAX(steps, count);
    }
    return steps;
}

static uint32_t count_quad_steps(AddressCursor *cursor, const TextureBinding *binding)
{
    TextureDetail *detail = cursor->detail;
    texture_detail_of_quad(&binding->texture, &binding->sampler,
                           &coordinates_of(cursor)->point[cursor->quad * QUAD_LANES], detail);
    for (uint32_t lane = 1; lane < QUAD_LANES; lane++) detail[lane] = detail[0];
    return texture_count_steps(&binding->texture, &binding->sampler, detail);
}

static uint32_t count_steps(AddressCursor *cursor)
{
    const Instruction *instruction = &cursor->access->instruction;
    switch ((SampleMode)instruction->sample_mode) {
    case SAMPLE_IMPLICIT: return count_quad_steps(cursor, instruction->binding);
    case SAMPLE_LEVEL: return count_lane_steps(cursor, instruction->binding);
    case SAMPLE_FETCH: return 1;
    }
    g_assert_not_reached();
}

static void find_texels(const AddressCursor *cursor, uint32_t lane, SampleStep *step)
{
    const Instruction *instruction = &cursor->access->instruction;
    const TextureBinding *binding = instruction->binding;
    const SampleCoordinates *at = coordinates_of(cursor);
    const uint32_t number = cursor->quad * QUAD_LANES + lane;
    if (instruction->sample_mode == SAMPLE_FETCH)
        texture_fetch_texel(&binding->texture, &binding->sampler, (uint32_t)at->level[number],
                            &at->point[number], step);
    else
        texture_sample_step(&binding->texture, &binding->sampler, &cursor->detail[lane],
                            &at->point[number], cursor->step, step);
}

/* The elements that the lanes of the quad read in this step; returns how many. */
static uint32_t find_elements(AddressCursor *cursor,
                              uint64_t address[static QUAD_LANES * STEP_TEXELS])
{
    uint32_t count = 0;
    for (uint32_t rest = lanes_of(cursor); rest; rest &= rest - 1) {
        SampleStep step;
        find_texels(cursor, (uint32_t)__builtin_ctz(rest), &step);
        if (step.count) cursor->level = step.level;
        for (uint32_t i = 0; i < step.count; i++)
            if (step.address[i] != TEXEL_BORDER) address[count++] = step.address[i];
    }
    return count;
}

/* Onward to a step; false: the last one of the last quad is done. */
static bool advance(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    if (++cursor->step < cursor->steps) return true;
    cursor->quad += cursor->steps > 0;
    while (cursor->quad < QUADS_MAX && !lanes_of(cursor)) cursor->quad++;
    if (cursor->quad == QUADS_MAX) return false;
    cursor->steps = count_steps(cursor);
    cursor->step = 0;
    cursor->quads++;
    self->quad_count++;
    return true;
}

bool texture_next_step(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    uint64_t address[QUAD_LANES * STEP_TEXELS];
    if (cursor->kind != FRAGMENT_TEXELS) return texture_next_group(self);
    if (!advance(self)) return false;
    const TextureFormat *format = cursor->access->instruction.binding->texture.shape.format;
    cursor->level = 0;
    const uint32_t texels = find_elements(cursor, address);
    cursor->lines = coalesce_addresses(self->line, address, texels, format->bytes, cursor->line);
    cursor->next = 0;
    cursor->open = true;
    cursor->filter_turns =
        (uint32_t)((format->texel_bytes + self->filter_bytes - 1) / self->filter_bytes);
    self->steps++;
    self->texels += texels;
    self->bytes_texels += (uint64_t)texels * format->texel_bytes;
    return true;
}

bool texture_is_last_step(const TextureUnit *self)
{
    const AddressCursor *cursor = &self->cursor;
    if (cursor->kind != FRAGMENT_TEXELS) return texture_is_last_group(self);
    const uint32_t done = (cursor->quad + 1) * QUAD_LANES;
    return cursor->step + 1 == cursor->steps
           && (done == WARP_LANES || !((uint64_t)cursor->access->instruction.mask >> done));
}

void texture_end(TextureUnit *self)
{
    WarpAccess *access = self->cursor.access;
    if (access->samples) unit_free_message(&self->unit, &access->samples->message);
    access->samples = NULL;
    self->cursor.access = NULL;
}
