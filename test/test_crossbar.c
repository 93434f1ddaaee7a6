/* The rig: sources and sinks around a crossbar with links of 40 B a cycle, so that a packet of a
 * header, or of a header and one sector, takes a cycle and one of four sectors four. All links
 * have a latency of one cycle unless a test says otherwise:
 *     a short packet  1 up + 1 + 1 down  = 3 */
#include "unit_rig.h"

#include "kit/network.h"
#include "parts/coalescer.h"

extern const UnitClass crossbar_class;

enum { ENDS_MAX = 4, SHORT = 3 };

typedef struct {
    Harness *harness;
    Unit *crossbar, *source[ENDS_MAX], *sink[ENDS_MAX];
    NetworkRoutes networks[NETWORKS];
    NetworkLink up[ENDS_MAX], down[ENDS_MAX];
    LineShape line;
    uint32_t sources, sinks;
} Rig;

typedef struct {
    NetworkRole role;
    uint32_t sources, sinks;
    uint32_t input_room, output_room;
    uint64_t up, down;   /* latencies, 0: one */
    double up_bandwidth; /* 0: 40 */
} Shape;

static Rig *rig_new(Shape shape)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->sources = shape.sources;
    rig->sinks = shape.sinks;
    for (int i = 0; i < ENDS_MAX; i++) {
        rig->up[i].bandwidth = shape.up_bandwidth > 0 ? shape.up_bandwidth : 40;
        rig->down[i].bandwidth = 40;
    }
    rig->networks[shape.role] =
        (NetworkRoutes){rig->up, rig->down, shape.sources, shape.sinks, NULL};
    simulation_share(rig->harness->simulation, "networks", rig->networks);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->crossbar = harness_add(rig->harness, &crossbar_class, "crossbar", "header_bytes = 8 B");
    rig->crossbar->number = shape.role;
    unit_size_ports(rig->crossbar, "inputs", shape.sources);
    unit_size_ports(rig->crossbar, "outputs", shape.sinks);
    for (uint32_t i = 0; i < shape.sources; i++) {
        g_autofree char *path = g_strdup_printf("source[%u]", i); /* seeds its random numbers */
        rig->source[i] = harness_source(rig->harness, path);
        harness_connect(rig->harness, rig->source[i], "out", rig->crossbar, "inputs",
                        (Path){.capacity = shape.input_room, .delay = shape.up, .input_index = i});
    }
    for (uint32_t j = 0; j < shape.sinks; j++) {
        rig->sink[j] = harness_sink(rig->harness, "sink");
        harness_connect(
            rig->harness, rig->crossbar, "outputs", rig->sink[j], "in",
            (Path){.capacity = shape.output_room, .delay = shape.down, .output_index = j});
    }
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    assert_little(rig->crossbar, "queued");
}

/* --- scripts: packets of one source --- */

typedef struct {
    uint64_t at;
    TransactionType type;
    uint16_t sectors;
    uint16_t to;
    uint64_t there; /* cycle at which the destination has it */
} Packet;

typedef struct {
    const Packet *packets;
    uint64_t count;
} Script;

static Message *make_packet(Unit *source, uint64_t number, Time *at, void *user)
{
    const Script *script = user;
    if (number >= script->count) return NULL;
    const Packet *packet = &script->packets[number];
    *at = packet->at * source->clock->period;
    Transaction *transaction = unit_new_transaction(source);
    transaction->type = (uint8_t)packet->type;
    transaction->sectors = packet->sectors;
    transaction->slice = transaction->source = packet->to;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

/* Arrivals of one source's packets, in its order, each at its cycle. */
static void check(const Rig *rig, uint32_t source, const Script *script)
{
    for (uint64_t n = 0; n < script->count; n++) {
        const Packet *packet = &script->packets[n];
        const Unit *sink = rig->sink[packet->to];
        const uint64_t id = (uint64_t)rig->source[source]->index << 40 | n;
        uint64_t i = 0;
        while (i < harness_arrivals(sink) && harness_transaction(sink, i)->message.id != id) i++;
        ck_assert_uint_lt(i, harness_arrivals(sink));
        ck_assert_msg(harness_arrival(sink, i)->cycle == packet->there,
                      "packet %" G_GUINT64_FORMAT " of source %u at %" G_GUINT64_FORMAT
                      ", not %" G_GUINT64_FORMAT,
                      n, source, harness_arrival(sink, i)->cycle, packet->there);
    }
}

static void run_scripts(Rig *rig, Script *scripts)
{
    for (uint32_t i = 0; i < rig->sources; i++)
        harness_generate(rig->source[i], make_packet, &scripts[i]);
    run(rig);
    uint64_t arrived = 0, sent = 0;
    for (uint32_t i = 0; i < rig->sources; i++) {
        check(rig, i, &scripts[i]);
        sent += scripts[i].count;
    }
    for (uint32_t j = 0; j < rig->sinks; j++) arrived += harness_arrivals(rig->sink[j]);
    ck_assert_uint_eq(arrived, sent);
    ck_assert_uint_eq(unit_count(rig->crossbar, "packets"), sent);
}

#define SCRIPT(packets)                                                                            \
    {                                                                                              \
        packets, G_N_ELEMENTS(packets)                                                             \
    }

/* Bytes: 8, 8 + 32, 8 + 64, 8 + 128; cycles: 1, 1, 2, 4. */
START_TEST(without_load_a_packet_takes_its_links_and_its_service)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 15, 0, 100 + 50 + 1 + 24},
                                     {200, TRANSACTION_WRITE, 1, 0, 200 + 50 + 1 + 24},
                                     {300, TRANSACTION_WRITE, 3, 0, 300 + 50 + 2 + 24},
                                     {400, TRANSACTION_WRITE, 15, 0, 400 + 50 + 4 + 24},
                                     {500, TRANSACTION_ATOMIC, 1, 0, 500 + 50 + 1 + 24}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 1, .sinks = 1, .up = 50, .down = 24});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_bytes(rig->crossbar, "bytes"), 8 + 40 + 72 + 136 + 40);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "busy"), 9);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 0);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[0], 3), 478 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 50 request_transfer 4 request_wire 24");
}
END_TEST

/* At the output 1 up after 10; then one a cycle, the inputs in turn. */
START_TEST(two_inputs_of_one_output_take_turns)
{
    static const Packet first[] = {{10, TRANSACTION_READ, 1, 0, 13},
                                   {10, TRANSACTION_READ, 1, 0, 15},
                                   {10, TRANSACTION_READ, 1, 0, 17}};
    static const Packet second[] = {{10, TRANSACTION_READ, 1, 0, 14},
                                    {10, TRANSACTION_READ, 1, 0, 16},
                                    {10, TRANSACTION_READ, 1, 0, 18}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 1});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 5); /* all but the first */
}
END_TEST

/* The other source's long packet keeps output 0 from 11 to 15. Behind the head that waits for it
 * stands a packet for output 1, which is idle all the time. */
START_TEST(a_blocked_head_blocks_what_is_behind_it)
{
    static const Packet blocker[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet blocked[] = {{11, TRANSACTION_READ, 1, 0, 17},
                                     {11, TRANSACTION_READ, 1, 1, 18}};
    Script scripts[] = {SCRIPT(blocker), SCRIPT(blocked)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 1);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[1], 0), 18 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 request_queue 4 request_transfer 1 request_wire 1");
}
END_TEST

/* A packet of four sectors keeps the link up and the link down for four cycles each, cut-through:
 * the next one's head comes four cycles later. Acknowledgements carry no data. */
START_TEST(replies_with_data_hold_the_link_acknowledgements_do_not)
{
    static const Packet replies[] = {{10, TRANSACTION_READ, 15, 0, 16},
                                     {10, TRANSACTION_READ, 15, 0, 20},
                                     {10, TRANSACTION_WRITE, 15, 0, 21},
                                     {10, TRANSACTION_READ, 15, 1, 25}};
    Script scripts[] = {SCRIPT(replies)};
    g_autoptr(Rig) rig = rig_new((Shape){.role = NETWORK_REPLY, .sources = 1, .sinks = 2});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_bytes(rig->crossbar, "bytes"), 3 * 136 + 8);
}
END_TEST

/* Links up of 10 B a cycle: 40 B every four cycles, although the link down takes them in one. */
START_TEST(packets_of_one_source_are_as_far_apart_as_its_link_makes_them)
{
    static const Packet packets[] = {{10, TRANSACTION_WRITE, 1, 0, 13},
                                     {10, TRANSACTION_WRITE, 1, 1, 17},
                                     {10, TRANSACTION_WRITE, 1, 0, 21}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 1, .sinks = 2, .up_bandwidth = 10});
    run_scripts(rig, scripts);
}
END_TEST

/* The sink's two places are taken by what leaves at 11 and 12, until 100; it is known at 101. A
 * place that is taken at 103 is free again at 104. Source 1 is not concerned. */
START_TEST(a_full_destination_holds_packets_back_and_loses_none)
{
    static const Packet held[] = {{10, TRANSACTION_READ, 1, 0, 100},
                                  {10, TRANSACTION_READ, 1, 0, 100},
                                  {10, TRANSACTION_READ, 1, 0, 103},
                                  {10, TRANSACTION_READ, 1, 0, 104},
                                  {10, TRANSACTION_READ, 1, 0, 106}};
    static const Packet free_to_go[] = {{50, TRANSACTION_READ, 1, 1, 53}};
    Script scripts[] = {SCRIPT(held), SCRIPT(free_to_go)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2, .output_room = 2});
    harness_withhold(rig->sink[0], 100);
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_output"), 2);
}
END_TEST

/* --- saturation --- */

enum { WARM_UP = 1000, END = 21000 };

typedef struct {
    uint32_t sinks;
    uint64_t arrived, from[ENDS_MAX + ENDS_MAX + 1];
} Load;

static Message *make_random(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)number;
    const Load *load = user;
    if (source->stepping > END * TIME_NS) return NULL;
    *at = source->stepping;
    Transaction *transaction = unit_new_transaction(source);
    transaction->type = TRANSACTION_READ;
    transaction->sectors = 1;
    transaction->slice = (uint16_t)(unit_random(source) >> 32) % load->sinks;
    return &transaction->message;
}

static bool count_arrival(Unit *sink, Message *message, Time now, void *user)
{
    (void)sink;
    Load *load = user;
    if (now < WARM_UP * TIME_NS || now >= END * TIME_NS) return false;
    load->arrived++;
    load->from[message->id >> 40]++;
    return false;
}

static void saturate(Rig *rig, Load *load)
{
    load->sinks = rig->sinks;
    for (uint32_t i = 0; i < rig->sources; i++) harness_generate(rig->source[i], make_random, load);
    for (uint32_t j = 0; j < rig->sinks; j++) {
        harness_forget(rig->sink[j]);
        harness_watch(rig->sink[j], count_arrival, load);
    }
    run(rig);
}

START_TEST(saturating_sources_of_one_output_get_equal_shares)
{
    Load load = {0};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 4, .sinks = 1, .input_room = 8});
    saturate(rig, &load);
    const double share = (END - WARM_UP) / 4.0;
    ck_assert_uint_eq(load.arrived, END - WARM_UP);
    for (uint32_t i = 0; i < 4; i++) {
        const double got = (double)load.from[rig->source[i]->index];
        ck_assert_msg(got > 0.98 * share && got < 1.02 * share, "source %u: %g of %g", i, got,
                      share);
    }
}
END_TEST

/* Karol, Hluchyj, Morgan, "Input Versus Output Queueing on a Space-Division Packet Switch", 1987,
 * table I: four ports whose heads go to random outputs accept 0.6553 packets a cycle and port. */
START_TEST(four_saturated_ports_reach_the_limit_of_head_of_line_blocking)
{
    Load load = {0};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 4, .sinks = 4, .input_room = 64});
    saturate(rig, &load);
    const double throughput = (double)load.arrived / (END - WARM_UP) / 4;
    ck_assert_msg(throughput > 0.97 * 0.6553 && throughput < 1.03 * 0.6553, "%g", throughput);
}
END_TEST

HARNESS_MAIN("crossbar", without_load_a_packet_takes_its_links_and_its_service,
             two_inputs_of_one_output_take_turns, a_blocked_head_blocks_what_is_behind_it,
             replies_with_data_hold_the_link_acknowledgements_do_not,
             packets_of_one_source_are_as_far_apart_as_its_link_makes_them,
             a_full_destination_holds_packets_back_and_loses_none,
             saturating_sources_of_one_output_get_equal_shares,
             four_saturated_ports_reach_the_limit_of_head_of_line_blocking)
