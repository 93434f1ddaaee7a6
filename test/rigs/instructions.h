/* Words for tests of workloads: whole instruction streams of warps and configurations. */
#pragma once

#include <check.h>
#include <string.h>

#include "workloads/workload.h"

/* An instruction with its addresses, which outlive the next fetch. */
typedef struct {
    Instruction in;
    uint64_t address[LANES_MAX]; /* by active lane, lowest first */
    uint32_t lanes;
} Fetched;

static inline Fetched fetch_one(const Kernel *kernel, WarpCursor *cursor)
{
    Fetched f = {0};
    kernel->class->fetch(kernel, cursor, &f.in);
    const LaneSteps steps = instruction_steps(&f.in);
    for (uint32_t lane = 0; f.in.width && lane < LANES_MAX; lane++) {
        if (!(f.in.mask >> lane & 1)) continue;
        f.address[f.lanes] = f.in.addresses ? f.in.addresses[f.lanes] : lane_address(&steps, lane);
        f.lanes++;
    }
    f.in.addresses = NULL;
    return f;
}

/* All instructions of a warp up to its EXIT, of Fetched. Its cursor has been another warp's. */
static inline GArray *fetch_warp(const Kernel *kernel, uint64_t cta, uint32_t warp,
                                 const void *stream)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(Fetched));
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor;
    memset(&cursor, 0xa5, sizeof cursor);
    cursor.addresses = addresses;
    cursor.cta = cta;
    cursor.warp = warp;
    cursor.stream = stream;
    cursor.position = 0;
    Fetched f;
    do {
        f = fetch_one(kernel, &cursor);
        g_array_append_val(all, f);
    } while (f.in.operation != OPERATION_EXIT);
    return all;
}

static inline const Fetched *fetched_at(const GArray *all, guint index)
{
    ck_assert_uint_lt(index, all->len);
    return &g_array_index(all, Fetched, index);
}

static inline void assert_same_instruction(const Fetched *a, const Fetched *b)
{
    ck_assert_uint_eq(a->in.pc, b->in.pc);
    ck_assert_uint_eq(a->in.mask, b->in.mask);
    ck_assert_uint_eq(a->in.operation, b->in.operation);
    ck_assert_uint_eq(a->in.unit, b->in.unit);
    ck_assert_uint_eq(a->in.space, b->in.space);
    ck_assert_uint_eq(a->in.hint, b->in.hint);
    ck_assert_uint_eq(a->in.width, b->in.width);
    ck_assert_uint_eq(a->in.destination, b->in.destination);
    ck_assert_uint_eq(a->in.destination_count, b->in.destination_count);
    ck_assert_uint_eq(a->in.source_count, b->in.source_count);
    ck_assert_mem_eq(a->in.sources, b->in.sources, a->in.source_count);
    ck_assert_uint_eq(a->lanes, b->lanes);
    ck_assert_mem_eq(a->address, b->address, a->lanes * sizeof(uint64_t));
}

/* "group.key=value" lines as a configuration; the place is test.ini and the line's number. */
static inline Configuration *configure(const char *text)
{
    Configuration *configuration = configuration_new();
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (int i = 0; lines[i]; i++) {
        char *dot = strrchr(g_strdelimit(lines[i], "\t", ' '), '=');
        if (!dot) continue;
        g_auto(GStrv) sides = g_strsplit(lines[i], "=", 2);
        char *key = strchr(sides[0], '.');
        *key++ = '\0';
        configuration_set(configuration, sides[0], g_strstrip(key), g_strstrip(sides[1]),
                          "test.ini", i + 1);
    }
    return configuration;
}

/* The launches of a configuration that must be good. */
static inline LaunchList *launches_with(const char *text, uint32_t warp_lanes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = warp_lanes};
    LaunchList *list = workload_build(configuration, &context, &error);
    ck_assert_msg(list != NULL, "%s", error ? error->message : "no error");
    return list;
}

static inline LaunchList *launches_of(const char *text)
{
    return launches_with(text, 32);
}

static inline Kernel *kernel_of(const LaunchList *list, guint launch)
{
    ck_assert_uint_lt(launch, list->launches->len);
    return g_array_index(list->launches, Launch, launch).kernel;
}
