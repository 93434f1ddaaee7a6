/* The rig: a script of kernel starts and CTAs, an SM, a memory that answers after 100 cycles and
 * says after 20 that a store has left, and a sink for what the SM reports. All paths take a cycle.
 * A CTA that is launched at 20 issues its first instruction at 21; a load that is issued at t is
 * back at t + 1 + 100 + 1 = t + 102, and a store has left at t + 1 + 20 + 1 = t + 22. */
#pragma once

#include "rigs/unit_rig.h"
#include "script_kernel.h"

#include "kit/gpu/cta.h"

extern const UnitClass sm_class;

enum { BACK = 102, LEFT = 22 };

/* For more than one scheduler: one unit of each kind but load/store, which all have. */
#define ONE_OF_EACH                                                                                \
    "core_sharing = sm; int_sharing = sm; fp64_sharing = sm; sfu_sharing = sm; other_sharing = sm"

/* --- the rig --- */

typedef struct {
    Harness *harness;
    LaunchList *list; /* what of it a machine would know; empty */
    Unit *source, *sm, *sink;
    FarSide *memory;
    Script script[12];
    guint scripts;
    struct {
        uint64_t at, cta;
        Script *script;
        uint32_t number; /* of those that run concurrently */
    } launch[24];
    guint launches;
    uint64_t began; /* cycle of the kernel's first CTA, anywhere */
} Rig;

static inline Message *make_launch(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number >= rig->launches) return NULL;
    *at = rig->launch[number].at * source->clock->period;
    CtaMessage *message = unit_new(source, MESSAGE_CTA);
    message->kernel = &rig->launch[number].script->kernel;
    message->cta = rig->launch[number].cta;
    message->stream = NULL;
    message->launch = rig->launch[number].number;
    message->kernels_began = rig->began * source->clock->period;
    return &message->message;
}

static inline Rig *rig_new_at(const char *settings, uint32_t memory_room, const char *input)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    g_autofree char *all =
        g_strconcat("schedulers = 1; core_units = 1; core_lanes = 16; fp32_latency = 3 cycles; "
                    "int_units = 1; int_lanes = 32; int_latency = 4 cycles; "
                    "fp64_units = 1; sfu_units = 1; other_units = 1; load_store_units = 1; "
                    "load_store_lanes = 32; barrier_latency = 10 cycles; "
                    "scheduler_policy = greedy_then_oldest; ",
                    settings, NULL);
    rig->list = launch_list_new();
    simulation_share(rig->harness->simulation, "launches", rig->list);
    rig->source = harness_source(rig->harness, "source");
    rig->sm = harness_add(rig->harness, &sm_class, "sm", all);
    rig->sink = harness_sink(rig->harness, "sink");
    rig->memory = far_side_add(rig->harness, rig->sm, "to_load_store", input, memory_room);
    rig->memory->notice = strcmp(input, "from_l1") ? 0 : 20;
    harness_connect(rig->harness, rig->source, "out", rig->sm, "from_dispatcher", (Path){0});
    harness_connect(rig->harness, rig->sm, "to_dispatcher", rig->sink, "in", (Path){0});
    harness_generate(rig->source, make_launch, rig);
    return rig;
}

static inline Rig *rig_new(const char *settings, uint32_t memory_room)
{
    return rig_new_at(settings, memory_room, "from_l1");
}

static inline void rig_free(Rig *rig)
{
    for (guint i = 0; i < rig->scripts; i++) g_array_unref(rig->script[i].issued);
    harness_free(rig->harness);
    launch_list_free(rig->list);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline Script *add_script(Rig *rig, uint32_t threads, const Instruction *instructions)
{
    ck_assert_uint_lt(rig->scripts, G_N_ELEMENTS(rig->script));
    Script *script = &rig->script[rig->scripts++];
    script_init(script, rig->sm, threads, instructions);
    return script;
}

static inline void launch(Rig *rig, Script *script, uint64_t cta, uint64_t at)
{
    ck_assert_uint_lt(rig->launches, G_N_ELEMENTS(rig->launch));
    rig->launch[rig->launches].at = at;
    rig->launch[rig->launches].cta = cta;
    rig->launch[rig->launches++].script = script;
}

/* Cycles of a pool's units beyond those of the lanes of what it took. */
static inline uint64_t cycles_beyond(const Rig *rig, const char *pool)
{
    g_autofree char *lanes_of = g_strconcat(pool, "_lanes", NULL),
                    *accepted = g_strconcat(pool, "_accepted", NULL),
                    *pipe = g_strconcat(pool, "_pipe", NULL);
    const uint64_t lanes = unit_number(rig->sm, lanes_of, PARAM_COUNT),
                   passes = (rig->harness->warp_lanes + lanes - 1) / lanes;
    return unit_booked(rig->sm, pipe) - unit_count(rig->sm, accepted) * passes;
}

/* What slots and units did, by what was counted otherwise. */
static inline void assert_servers(const Rig *rig)
{
    static const char *const pools[] = {"core",       "int",     "fp64", "sfu",
                                        "load_store", "texture", "other"};
    uint64_t beyond = 0;
    for (guint p = 0; p < G_N_ELEMENTS(pools); p++) beyond += cycles_beyond(rig, pools[p]);
    ck_assert_uint_eq(beyond,
                      unit_count(rig->sm, "bank_conflicts") + unit_count(rig->sm, "operand_waits"));
    ck_assert_uint_eq(unit_booked(rig->sm, "issue_slots"),
                      unit_count(rig->sm, "warp_instructions"));
}

static inline void run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    assert_places_are_empty(rig->sm);
    assert_servers(rig);
}

static inline void assert_issued(const Script *script, const Issued *expected, guint count)
{
    for (guint i = 0; i < count && i < script->issued->len; i++) {
        const Issued *got = &g_array_index(script->issued, Issued, i);
        ck_assert_msg(got->cta == expected[i].cta && got->warp == expected[i].warp
                          && got->number == expected[i].number && got->cycle == expected[i].cycle,
                      "issue %u is (CTA %" G_GUINT64_FORMAT ", warp %u, number %u) at cycle "
                      "%" G_GUINT64_FORMAT,
                      i, got->cta, got->warp, got->number, got->cycle);
    }
    ck_assert_uint_eq(script->issued->len, count);
}

#define ASSERT_ISSUED(script, expected) assert_issued(script, expected, G_N_ELEMENTS(expected))

/* The one CTA is known to be done at this cycle. */
static inline const CtaMessage *told_at(const Rig *rig, guint number, uint64_t cycle)
{
    ck_assert_uint_lt(number, harness_arrivals(rig->sink));
    ck_assert_uint_eq(harness_arrival(rig->sink, number)->cycle, cycle);
    return (const CtaMessage *)harness_arrival(rig->sink, number)->message;
}

/* The only CTA; its stores may be acknowledged later. */
static inline void assert_done(const Rig *rig, uint64_t cycle)
{
    const CtaMessage *done = told_at(rig, 0, cycle);
    ck_assert_uint_eq(harness_arrivals(rig->sink), done->owes ? 2 : 1);
}
