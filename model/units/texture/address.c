/* The texture unit's front end: an instruction's quads, their steps, and the lines of each. */
#include "units/texture/private.h"

static uint32_t lanes_of(const QuadWalk *walk)
{
    return (uint32_t)(walk->access->instruction.mask >> (walk->quad * QUAD_LANES)) & 15;
}

static const SampleCoordinates *coordinates_of(const QuadWalk *walk)
{
    return &walk->access->samples->at;
}

void texture_begin(TextureUnit *self, WarpAccess *access)
{
    AddressCursor *cursor = &self->cursor;
    cursor->access = access;
    cursor->walk = (QuadWalk){.access = access};
    cursor->from =
        state_of(access)->arrived + clock_cycles(self->unit.clock, self->address_latency);
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

/* --- the steps of a quad ---------------------------------------------------------------------- */

/* Of lanes that say their level: as many steps as the lane with the most. */
static uint32_t count_lane_steps(QuadWalk *walk, const TextureBinding *binding)
{
    const SampleCoordinates *at = coordinates_of(walk);
    uint32_t steps = 0;
    for (uint32_t rest = lanes_of(walk); rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        TextureDetail *detail = &walk->detail[lane];
        texture_detail_of_level(&binding->texture, &binding->sampler,
                                at->level[walk->quad * QUAD_LANES + lane], detail);
        const uint32_t count = texture_count_steps(&binding->texture, &binding->sampler, detail);
        steps = MAX(steps, count);
    }
    return steps;
}

static uint32_t count_quad_steps(QuadWalk *walk, const TextureBinding *binding)
{
    TextureDetail *detail = walk->detail;
    texture_detail_of_quad(&binding->texture, &binding->sampler,
                           &coordinates_of(walk)->point[walk->quad * QUAD_LANES], detail);
    for (uint32_t lane = 1; lane < QUAD_LANES; lane++) detail[lane] = detail[0];
    return texture_count_steps(&binding->texture, &binding->sampler, detail);
}

static uint32_t count_steps(QuadWalk *walk)
{
    const Instruction *instruction = &walk->access->instruction;
    switch ((SampleMode)instruction->sample_mode) {
    case SAMPLE_IMPLICIT: return count_quad_steps(walk, instruction->binding);
    case SAMPLE_LEVEL: return count_lane_steps(walk, instruction->binding);
    case SAMPLE_FETCH: return 1;
    }
    g_assert_not_reached();
}

bool texture_open_quad(QuadWalk *walk)
{
    walk->step = walk->steps = 0;
    if (!lanes_of(walk)) return false;
    walk->steps = count_steps(walk);
    return true;
}

static void find_texels(const QuadWalk *walk, uint32_t lane, SampleStep *step)
{
    const Instruction *instruction = &walk->access->instruction;
    const TextureBinding *binding = instruction->binding;
    const SampleCoordinates *at = coordinates_of(walk);
    const uint32_t number = walk->quad * QUAD_LANES + lane;
    if (instruction->sample_mode == SAMPLE_FETCH)
        texture_fetch_texel(&binding->texture, &binding->sampler, (uint32_t)at->level[number],
                            &at->point[number], step);
    else
        texture_sample_step(&binding->texture, &binding->sampler, &walk->detail[lane],
                            &at->point[number], walk->step, step);
}

uint32_t texture_find_elements(QuadWalk *walk, uint64_t address[static QUAD_ELEMENTS])
{
    uint32_t count = 0;
    walk->level = 0;
    for (uint32_t rest = lanes_of(walk); rest; rest &= rest - 1) {
        SampleStep step;
        find_texels(walk, (uint32_t)__builtin_ctz(rest), &step);
        if (step.count) walk->level = step.level;
        for (uint32_t i = 0; i < step.count; i++)
            if (step.address[i] != TEXEL_BORDER) address[count++] = step.address[i];
    }
    return count;
}

uint32_t texture_filter_turns(const TextureUnit *self, const TextureFormat *format)
{
    return (uint32_t)((format->texel_bytes + self->filter_bytes - 1) / self->filter_bytes);
}

/* --- quad by quad ----------------------------------------------------------------------------- */

/* Onward to a step; false: the last one of the last quad is done. */
static bool advance(TextureUnit *self)
{
    QuadWalk *walk = &self->cursor.walk;
    if (++walk->step < walk->steps) return true;
    walk->quad += walk->steps > 0;
    while (walk->quad < QUADS_MAX && !texture_open_quad(walk)) walk->quad++;
    if (walk->quad == QUADS_MAX) return false;
    self->quad_count++;
    return true;
}

bool texture_next_step(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    uint64_t address[QUAD_ELEMENTS];
    if (cursor->kind != FRAGMENT_TEXELS) return texture_next_group(self);
    if (!advance(self)) return false;
    const TextureFormat *format = cursor->access->instruction.binding->texture.shape.format;
    const uint32_t texels = texture_find_elements(&cursor->walk, address);
    cursor->lines = coalesce_addresses(self->line, address, texels, format->bytes, cursor->line);
    cursor->next = 0;
    cursor->open = true;
    cursor->filter_turns = texture_filter_turns(self, format);
    self->steps++;
    self->texels += texels;
    cursor->bytes = texels * (uint32_t)format->texel_bytes;
    self->bytes_texels += cursor->bytes;
    return true;
}

bool texture_is_last_step(const TextureUnit *self)
{
    if (self->cursor.kind != FRAGMENT_TEXELS) return texture_is_last_group(self);
    const QuadWalk *walk = &self->cursor.walk;
    const uint32_t done = (walk->quad + 1) * QUAD_LANES;
    return walk->step + 1 == walk->steps
           && (done == LANES_MAX || !((uint64_t)walk->access->instruction.mask >> done));
}

void texture_leave(TextureUnit *self, WarpAccess *access, Time at)
{
    if (access->samples) unit_free_message(&self->unit, &access->samples->message);
    access->samples = NULL;
    if (!access->instruction.mask) texture_return(self, access, at);
}

void texture_end(TextureUnit *self, Time now)
{
    const Time addressed = MAX(self->cursor.from, self->tagged);
    texture_leave(self, self->cursor.access, MAX(addressed, now));
    self->cursor.access = NULL;
}
