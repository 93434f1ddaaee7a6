#include "workloads/patterns/sample_loop.h"

void sample_stream_describe(const SampleStream *stream, const WorkloadContext *context,
                            Kernel *kernel)
{
    const SampleLoop *loop = &stream->loop;
    const TextureFormat *format = stream->textures.bindings->texture.shape.format;
    kernel->ctas = loop->ctas;
    kernel->warp_lanes = context->warp_lanes;
    kernel->threads_per_cta = (uint32_t)loop->threads_per_cta;
    kernel->registers_per_thread = (uint32_t)loop->registers_per_thread;
    kernel->footprint = stream->textures.footprint;
    kernel->counted_bytes =
        loop->ctas * loop->threads_per_cta * loop->iterations * format->texel_bytes;
}

void sample_stream_fetch(const SampleStream *stream, const Kernel *kernel, WarpCursor *cursor,
                         Instruction *instruction)
{
    const SampleLoop *loop = &stream->loop;
    const uint64_t steps = loop->compute_instructions ? 2 : 1;
    const uint64_t position = cursor->position++, iteration = position / steps;
    const uint64_t mask = kernel_lane_mask(kernel, cursor->warp);
    if (iteration >= loop->iterations) {
        const uint64_t tail = position - loop->iterations * steps;
        instruction_clear(instruction, 0x10 * (1 + steps + tail), mask);
        instruction_tail(instruction, tail, MIN(loop->in_flight, loop->iterations));
        return;
    }
    instruction_clear(instruction, 0x10 * (1 + position % steps), mask);
    if (position % steps + 1 < steps) {
        instruction_compute(instruction, EXECUTE_FP32, loop->compute_instructions);
        instruction_reads(instruction, REGISTER_CHAIN, 1);
        instruction_writes(instruction, REGISTER_CHAIN, 1);
        return;
    }
    const uint32_t data = load_register(iteration % loop->in_flight);
    instruction_sample(instruction, &stream->textures.bindings[iteration % stream->textures.count],
                       SAMPLE_LEVEL, data);
    instruction_reads(instruction, data, 1); /* not before the one that was there has come */
}

uint64_t sample_stream_draw(const SampleStream *stream, const WarpCursor *cursor)
{
    return mix64(mix64(mix64(stream->salt ^ cursor->cta) ^ cursor->warp) ^ (cursor->position - 1));
}
