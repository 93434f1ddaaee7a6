/* A memory access scheduler and its DRAM channel, every command checked, between a source and a
 * sink:
 *
 *     source ──> access_scheduler ──> dram_channel (verify) ──> sink
 *
 * All paths take one cycle; the clock runs at 1 GHz, so that cycles are nanoseconds. */
#pragma once

#include "rigs/harness.h"

#include "parts/dram/map.h"
#include "parts/sm/coalescer.h"
#include "platform/machine/shared_groups.h"

extern const UnitClass access_scheduler_class, dram_channel_class;

typedef struct {
    Harness *harness;
    Unit *source, *scheduler, *channel, *sink;
    DramTiming timing;
    DramMap map;
    LineShape line;
} DramRig;

/* V100's HBM2 as the parameters' defaults say. */
static inline DramTiming dram_rig_default_timing(void)
{
    DramTiming timing = {.CL = 0};
    param_set_defaults(dram_group.params, &timing);
    param_clear(dram_group.params, &timing); /* its texts only */
    return timing;
}

static inline DramTiming without_refresh(void)
{
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = DRAM_REFRESH_OFF;
    return timing;
}

static inline void dram_rig_connect(DramRig *rig)
{
    Harness *harness = rig->harness;
    const Path bounded = {.capacity = 64}, reserved = {.capacity = 0};
    harness_connect(harness, rig->source, "out", rig->scheduler, "from_l2", bounded);
    harness_connect(harness, rig->scheduler, "to_dram", rig->channel, "from_scheduler", reserved);
    harness_connect(harness, rig->channel, "to_l2", rig->sink, "in", reserved);
}

/* `timing` is set up by the rig; `settings` are those of the scheduler. */
static inline DramRig *dram_rig_new(DramTiming timing, const char *settings)
{
    DramRig *rig = g_new0(DramRig, 1);
    rig->timing = timing;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(dram_timing_setup(&rig->timing, &error), "%s", error ? error->message : "");
    dram_map_setup(&rig->map, &rig->timing);
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->harness = harness_new();
    simulation_share(rig->harness->simulation, "dram", &rig->timing);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->source = harness_source(rig->harness, "source");
    rig->scheduler = harness_add(rig->harness, &access_scheduler_class, "scheduler", settings);
    rig->channel = harness_add(rig->harness, &dram_channel_class, "dram", "verify = yes");
    rig->sink = harness_sink(rig->harness, "sink");
    dram_rig_connect(rig);
    return rig;
}

static inline void dram_rig_free(DramRig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DramRig, dram_rig_free)

/* Runs until everything is served; aborts the test unless it ends well. */
static inline void dram_rig_run(DramRig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
}

static inline uint64_t dram_rig_address(const DramRig *rig, uint32_t bank, uint32_t row,
                                        uint32_t column)
{
    return dram_map_address(&rig->map, (DramPlace){row, (uint16_t)column, (uint8_t)bank});
}

/* For `bytes` of one line, from `address` on. */
static inline Message *dram_rig_request(Unit *source, TransactionType type, uint64_t address,
                                        uint32_t bytes)
{
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->line = transaction->local = address & ~UINT64_C(127);
    transaction->type = (uint8_t)type;
    transaction->sectors = (uint16_t)(((1u << bytes / 32) - 1) << address % 128 / 32);
    transaction->partial = 0;
    transaction_enter(transaction, STAGE_MEMORY_WIRE, source->inbox.now);
    return &transaction->message;
}
