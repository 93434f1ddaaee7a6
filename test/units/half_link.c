/* A link between two halves of L2 alone: two sources, each with a sink, as the slices of a half and
 * their twins. Paths take a cycle; a packet of n sectors is 8 + 32 n bytes. */
#include "parts/sm/coalescer.h"
#include "rigs/unit_rig.h"

extern const UnitClass half_link_class;

enum { LANES = 2, ALL = 15, LINE = 8 + 4 * 32 };

typedef struct {
    uint64_t at; /* cycle at which the source sends it */
    uint16_t sectors;
} Packet;

typedef struct {
    Harness *harness;
    Unit *link, *source[LANES], *sink[LANES];
    LineShape line;
    const Packet *packets[LANES];
    guint count[LANES];
} Rig;

static Message *make_packet(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    const guint lane = source == rig->source[1];
    if (number >= rig->count[lane]) return NULL;
    const Packet *packet = &rig->packets[lane][number];
    *at = packet->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = TRANSACTION_WRITE;
    transaction->sectors = packet->sectors;
    transaction->bears_data = packet->sectors != 0;
    transaction_enter(transaction, STAGE_L2_CROSS, *at);
    return &transaction->message;
}

static Rig *rig_new(const char *settings, uint32_t room)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->link = harness_add(rig->harness, &half_link_class, "link", settings);
    unit_size_ports(rig->link, "inputs", LANES);
    unit_size_ports(rig->link, "outputs", LANES);
    for (guint lane = 0; lane < LANES; lane++) {
        rig->source[lane] = harness_source(rig->harness, lane ? "source[1]" : "source[0]");
        rig->sink[lane] = harness_sink(rig->harness, lane ? "sink[1]" : "sink[0]");
        harness_connect(rig->harness, rig->source[lane], "out", rig->link, "inputs",
                        (Path){.capacity = 4, .input_index = lane});
        harness_connect(rig->harness, rig->link, "outputs", rig->sink[lane], "in",
                        (Path){.capacity = room, .output_index = lane});
    }
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Packet *first, guint first_count, const Packet *second,
                guint second_count)
{
    const Packet *const packets[] = {first, second};
    const guint count[] = {first_count, second_count};
    for (guint lane = 0; lane < LANES; lane++) {
        rig->packets[lane] = packets[lane];
        rig->count[lane] = count[lane];
        harness_generate(rig->source[lane], make_packet, rig);
    }
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(unit_count(rig->link, "packets"), first_count + second_count);
    assert_little(rig->link, "queued");
    assert_places_are_empty(rig->link);
}

#define RUN(rig, first, second) run(rig, first, G_N_ELEMENTS(first), second, G_N_ELEMENTS(second))

static void expect(const Unit *sink, const uint64_t *cycles, guint count)
{
    ck_assert_uint_eq(harness_arrivals(sink), count);
    for (guint i = 0; i < count; i++) ck_assert_uint_eq(harness_arrival(sink, i)->cycle, cycles[i]);
}

/* As a machine's: `own` and `between` bytes a cycle. */
static void say_widths(Rig *rig, NetworkLink own[LANES], HalvesLink *between)
{
    const double ns = time_to_ns(rig->link->clock->period);
    for (guint lane = 0; lane < LANES; lane++) own[lane].bandwidth /= ns;
    between->link.bandwidth /= ns;
    rig->harness->halves =
        (HalvesLinks){.own = {own}, .between = {between}, .slices = LANES, .halves = 2};
}

/* The wires are as wide as four packets, a slice's own a quarter of one: they go side by side, each
 * as it comes. */
START_TEST(a_wide_link_that_is_free_takes_no_time)
{
    NetworkLink own[LANES] = {{.bandwidth = 32}, {.bandwidth = 32}};
    HalvesLink between = {.name = "request-half-0-to-1", .link = {.bandwidth = 4 * LINE}, .to = 1};
    static const Packet first[] = {{10, ALL}, {11, ALL}}, second[] = {{10, ALL}, {11, 0}};
    static const uint64_t cycles[] = {12, 13};
    g_autoptr(Rig) rig = rig_new("bandwidth = 1 B/cycle", 4);
    say_widths(rig, own, &between);
    RUN(rig, first, second);
    for (guint lane = 0; lane < LANES; lane++) expect(rig->sink[lane], cycles, 2);
    ck_assert_uint_eq(*(const uint64_t *)unit_statistic(rig->link, "bytes", STAT_BYTES),
                      3 * LINE + 8);
}
END_TEST

/* 34 B a cycle: a line takes four. The first has passed as it comes, at 11; the others end at 15,
 * 19, 23, a cycle before they arrive. Slices take turns. */
START_TEST(all_slices_share_what_it_carries)
{
    static const Packet first[] = {{10, ALL}, {10, ALL}}, second[] = {{10, ALL}, {10, ALL}};
    static const uint64_t at_first[] = {12, 20}, at_second[] = {16, 24};
    g_autoptr(Rig) rig = rig_new("bandwidth = 34 B/cycle", 4);
    RUN(rig, first, second);
    expect(rig->sink[0], at_first, 2);
    expect(rig->sink[1], at_second, 2);
    ck_assert_uint_eq(unit_busy(rig->link, "busy"), 4 * 4);
}
END_TEST

/* A header takes 8 / 5 of a cycle: ends are rounded for each, and what they take adds up. */
START_TEST(packets_of_parts_of_a_cycle_fill_it)
{
    static Packet first[40], second[40];
    for (guint i = 0; i < 40; i++) first[i] = second[i] = (Packet){10, 0};
    g_autoptr(Rig) rig = rig_new("bandwidth = 5 B/cycle", 64);
    RUN(rig, first, second);
    /* 80 headers, the first of which had passed when it came: 11 + 79 * 1.6 = 137.4, and one */
    ck_assert_uint_eq(harness_arrival(rig->sink[1], 39)->cycle, 139);
    ck_assert_uint_eq(unit_busy(rig->link, "busy"), 128);
}
END_TEST

/* The first slice's twin takes nothing until 100: the other's packets pass, and what waits at the
 * source is no more than there is room for. */
START_TEST(a_slice_whose_twin_has_no_room_holds_up_no_other)
{
    static const Packet first[] = {{10, ALL}, {11, ALL}, {12, ALL}},
                        second[] = {{20, ALL}, {30, 0}};
    static const uint64_t at_second[] = {22, 32};
    g_autoptr(Rig) rig = rig_new("bandwidth = 136 B/cycle", 1);
    harness_withhold(rig->sink[0], 100);
    RUN(rig, first, second);
    expect(rig->sink[1], at_second, 2);
    ck_assert_uint_eq(harness_arrivals(rig->sink[0]), 3);
    ck_assert_uint_ge(harness_arrival(rig->sink[0], 1)->cycle, 100);
    ck_assert_uint_eq(unit_count(rig->link, "blocked"), 2); /* its second packet, and its third */
}
END_TEST

/* What SimGrid says of the link holds, and not the parameter; slices' own links are narrower than
 * what they lead to, or wider: then a packet is later by the difference. */
START_TEST(a_link_carries_what_SimGrid_says_of_it)
{
    static const struct {
        double own, between; /* bytes a cycle */
        uint64_t cycle;      /* 12, and later by 136 / between - 128 / own, whole cycles up */
    } said[] = {{32, 34, 12}, {32, 17, 16}, {64, 17, 18}, {32, 20, 15}};
    static const Packet first[] = {{10, ALL}};
    g_autoptr(Rig) rig = rig_new("bandwidth = 1 B/cycle", 4);
    NetworkLink own[LANES] = {{.bandwidth = said[_i].own}, {.bandwidth = said[_i].own}};
    HalvesLink between = {
        .name = "request-half-0-to-1", .link = {.bandwidth = said[_i].between}, .to = 1};
    say_widths(rig, own, &between);
    run(rig, first, 1, NULL, 0);
    ck_assert_uint_eq(harness_arrival(rig->sink[0], 0)->cycle, said[_i].cycle);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("half_link");
    tcase_add_test(cases, a_wide_link_that_is_free_takes_no_time);
    tcase_add_test(cases, all_slices_share_what_it_carries);
    tcase_add_test(cases, packets_of_parts_of_a_cycle_fill_it);
    tcase_add_test(cases, a_slice_whose_twin_has_no_room_holds_up_no_other);
    tcase_add_loop_test(cases, a_link_carries_what_SimGrid_says_of_it, 0, 4);
    return harness_run_cases("half_link", cases);
}
