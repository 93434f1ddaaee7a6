/* The rig: a request coalescer alone, for two SMs: scripted sources as their L1s, far sides as
 * networks and slices, which answer 100 cycles after a request came, and sinks as L1s again. Paths
 * take a cycle; a line of four sectors is 128 B. */
#pragma once

#include "parts/sm/coalescer.h"
#include "rigs/unit_rig.h"

extern const UnitClass request_coalescer_class;

enum { SMS = 2, FIRST_SM = 4, ALL = 15, LINE = 128 };

typedef struct {
    uint64_t at; /* cycle at which the SM sends it */
    TransactionType type;
    uint64_t line;
    uint16_t sectors;
} Request;

typedef struct {
    Harness *harness;
    Unit *unit, *l1[SMS], *sink[SMS];
    FarSide *far[SMS];
    LineShape line;
    const Request *requests[SMS];
    guint count[SMS];
    const CacheHint *hints; /* of the first SM's; NULL: CACHE_ALL */
    const Launch *starts;   /* at a boundary */
} Rig;

static inline Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    const guint sm = source == rig->l1[1];
    if (number >= rig->count[sm]) return NULL;
    const Request *request = &rig->requests[sm][number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = (uint8_t)request->type;
    transaction->line = request->line;
    transaction->sectors = request->sectors;
    transaction->hint = rig->hints ? (uint8_t)rig->hints[number] : CACHE_ALL;
    transaction->source = (uint16_t)(FIRST_SM + sm);
    transaction_enter(transaction, STAGE_REQUEST_WIRE, *at);
    return &transaction->message;
}

static inline void look_up(G_GNUC_UNUSED Unit *unit, Message *message, Time now)
{
    transaction_enter((Transaction *)message, STAGE_L2_TAG, now);
}

/* `room` of the network in front of each SM. */
static inline Rig *rig_new_with_room(const char *settings, uint32_t room)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = LINE, .sector_bytes = 32};
    simulation_share(h->simulation, "line", &rig->line);
    rig->unit = harness_add(h, &request_coalescer_class, "coalescer", settings);
    static const char *const arrays[] = {"from_l1", "to_request_network", "from_reply_network",
                                         "to_l1"};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++) unit_size_ports(rig->unit, arrays[i], SMS);
    for (guint sm = 0; sm < SMS; sm++) {
        rig->l1[sm] = harness_source(h, sm ? "l1[1]" : "l1[0]");
        rig->sink[sm] = harness_sink(h, sm ? "back[1]" : "back[0]");
        harness_connect(h, rig->l1[sm], "out", rig->unit, "from_l1",
                        (Path){.capacity = 4, .input_index = sm});
        harness_connect(h, rig->unit, "to_l1", rig->sink[sm], "in", (Path){.output_index = sm});
        rig->far[sm] =
            far_side_add_at(h, rig->unit, "to_request_network", "from_reply_network", room, sm);
        rig->far[sm]->work_on = look_up;
    }
    return rig;
}

static inline Rig *rig_new(const char *settings)
{
    return rig_new_with_room(settings, 4);
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline void script(Rig *rig, guint sm, const Request *requests, guint count)
{
    rig->requests[sm] = requests;
    rig->count[sm] = count;
    harness_generate(rig->l1[sm], make_request, rig);
}

#define SCRIPT(rig, sm, requests) script(rig, sm, requests, G_N_ELEMENTS(requests))

static inline void run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (guint sm = 0; sm < SMS; sm++)
        ck_assert_uint_eq(harness_arrivals(rig->sink[sm]), rig->count[sm]);
    ck_assert_uint_eq(unit_count(rig->unit, "requests") + unit_count(rig->unit, "joined")
                          + unit_count(rig->unit, "hits"),
                      rig->count[0] + rig->count[1]);
    assert_places_are_empty(rig->unit);
}
