/* Words for tests of kernels written in the kernel language. */
#pragma once

#include "rigs/instructions.h"

/* Where the first global array lies. */
#define FIRST UINT64_C(0x10000000)

/* Four CTAs of 64 threads, unless `keys` ("workload.ctas=2\n") says otherwise. */
static inline char *program_of(const char *code, const char *keys)
{
    return g_strdup_printf(
        "workload.pattern=program\nworkload.ctas=4\nworkload.threads_per_cta=64\n"
        "workload.code=%s\n%s",
        code, keys ? keys : "");
}

static inline LaunchList *launches_of_code(const char *code, const char *keys)
{
    g_autofree char *text = program_of(code, keys);
    return launches_of(text);
}

/* The instructions of one warp, without EXIT. */
static inline GArray *warp_of_code(const char *code, uint64_t cta, uint32_t warp)
{
    g_autoptr(LaunchList) list = launches_of_code(code, NULL);
    GArray *all = fetch_warp(kernel_of(list, 0), cta, warp, NULL);
    g_array_set_size(all, all->len - 1);
    return all;
}

static inline uint64_t address_at(const GArray *warp, guint instruction, uint32_t lane)
{
    return fetched_at(warp, instruction)->address[lane];
}

/* The error of a program that must have one. */
static inline char *error_of_code(const char *code, const char *keys)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = program_of(code, keys);
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    g_autoptr(LaunchList) list = workload_build(configuration, &context, &error);
    ck_assert_msg(list == NULL && error != NULL, "no error: %s", code);
    return g_strdup(error->message);
}
