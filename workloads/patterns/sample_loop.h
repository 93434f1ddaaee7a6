/* The loop that `texture_lookup` and `texture_random` have in common: each iteration computes, then
 * samples one place a lane. Only where the places are differs. */
#pragma once

#include "workloads/patterns/texture_keys.h"

/* First member of a pattern's parameters. */
typedef struct {
    TextureKeys texture;
    uint64_t ctas, threads_per_cta, iterations, in_flight, compute_instructions;
    uint64_t registers_per_thread, seed;
} SampleLoop;

#define SAMPLE_LOOP_ROWS                                                                           \
    PARAM_NUMBER(SampleLoop, ctas, PARAM_COUNT, "160", 1, 1e9, "CTAs in the grid"),                \
        PARAM_NUMBER(SampleLoop, threads_per_cta, PARAM_COUNT, "256", 1, 1024, "threads a CTA"),   \
        PARAM_NUMBER(SampleLoop, iterations, PARAM_COUNT, "16", 1, 1e12,                           \
                     "samples of each thread"),                                                    \
        PARAM_NUMBER(SampleLoop, in_flight, PARAM_COUNT, "4", 1, 32,                               \
                     "samples that a warp may have outstanding; 1: each waits for the one "        \
                     "before"),                                                                    \
        PARAM_NUMBER(SampleLoop, compute_instructions, PARAM_COUNT, "0", 0, 255,                   \
                     "dependent arithmetic instructions before each sample"),                      \
        PARAM_NUMBER(SampleLoop, registers_per_thread, PARAM_COUNT, "32", 1, 255,                  \
                     "registers a thread, which limit resident warps"),                            \
        PARAM_NUMBER(SampleLoop, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed")

typedef struct {
    SampleLoop loop;
    TextureSet textures; /* taken in turns */
    uint64_t salt;
} SampleStream;

/* What every kernel has, and `footprint` and `counted_bytes` of the stream. */
void sample_stream_describe(const SampleStream *stream, const WorkloadContext *context,
                            Kernel *kernel);

/* The next instruction of the warp: samples at level 0. */
void sample_stream_fetch(const SampleStream *stream, const Kernel *kernel, WarpCursor *cursor,
                         Instruction *instruction);

/* A random number for the sample that was fetched last: the same for all lanes. */
uint64_t sample_stream_draw(const SampleStream *stream, const WarpCursor *cursor);
