/* Words for tests of workloads that sample textures. */
#pragma once

#include "instructions.h"

/* An instruction and, if it samples, where. */
typedef struct {
    Instruction in;
    SampleCoordinates at;
} Sampled;

/* All instructions of a warp up to its EXIT, of Sampled; those with addresses lose them. */
static inline GArray *sample_warp(const Kernel *kernel, uint64_t cta, uint32_t warp)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(Sampled));
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = cta, .warp = warp};
    Sampled s;
    do {
        s = (Sampled){0};
        kernel->class->fetch(kernel, &cursor, &s.in);
        if (instruction_samples(&s.in)) kernel->class->coordinates(kernel, &cursor, &s.in, &s.at);
        g_array_append_val(all, s);
    } while (s.in.operation != OPERATION_EXIT);
    return all;
}

static inline const Sampled *sampled_at(const GArray *all, guint index)
{
    ck_assert_uint_lt(index, all->len);
    return &g_array_index(all, Sampled, index);
}

static inline void assert_point(const Sampled *s, uint32_t lane, double x, double y)
{
    ck_assert_msg(s->at.point[lane].x == x && s->at.point[lane].y == y,
                  "lane %u: (%g, %g), not (%g, %g)", lane, s->at.point[lane].x, s->at.point[lane].y,
                  x, y);
}
