/* The rig: two L1s that ask, the MMU, two sinks for its answers. All paths take a cycle, so that,
 * with hit_latency 3 and levels of 100 cycles:
 *     a hit            1 in + 3 + 1 back                 = 5
 *     a cold walk      1 in + 3 + 2 x 100 + 1 back       = 205 with two levels
 *     its upper half   1 in + 3 + 100 + 1 back           = 105 when the upper level is cached
 *     a cached walk    1 in + 3 + 40 + 1 back            = 45 */
#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

#include <string.h>

extern const UnitClass mmu_class;

enum { HIT = 5, COLD = 205, WARM = 105, CACHED = 45, KIB = 1024 };

typedef struct {
    uint64_t at, address; /* KiB */
    uint64_t back;        /* cycle of the answer; 0: not checked */
} Request;

typedef struct {
    Harness *harness;
    Unit *mmu, *source[2], *sink[2];
    const Request *requests[2];
    guint count[2];
    LineShape line;
    Frames pages;
    AddressMap map;
} Rig;

static Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    const guint side = source == rig->source[1];
    if (number >= rig->count[side]) return NULL;
    const Request *wanted = &rig->requests[side][number];
    Translation *request = unit_new(source, MESSAGE_TRANSLATION);
    *at = wanted->at * source->clock->period;
    request->address = wanted->address * KIB;
    request->source = side;
    request->requested = *at;
    return &request->message;
}

/* Entries of 64 KiB in an L2 TLB of four; a table of two levels, one upper entry for 256 KiB. */
static Rig *rig_new(const char *settings)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    g_autofree char *all = g_strconcat(
        "enabled = yes; tlb_entries = 4; tlb_entry_bytes = 64 KiB; hit_latency = 3 cycles;"
        "lookups_per_cycle = 1; walkers = 1; walk_levels = 2;"
        "walk_level_latency = 100 cycles; walk_hit_latency = 40 cycles;"
        "walk_cache_entry_bytes = 64 KiB; directory_entries = 1;"
        "directory_entry_bytes = 256 KiB;",
        settings, NULL);
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->pages = (Frames){.page_bytes = 16 * KIB};
    rig->map = (AddressMap){.granularity = 128};
    ck_assert(address_map_setup(&rig->map, 2, NULL));
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "pages", &rig->pages);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    rig->mmu = harness_add(rig->harness, &mmu_class, "mmu", all);
    unit_size_ports(rig->mmu, "from_l1", 2);
    unit_size_ports(rig->mmu, "to_l1", 2);
    for (uint32_t i = 0; i < 2; i++) {
        rig->source[i] = harness_source(rig->harness, "l1");
        rig->sink[i] = harness_sink(rig->harness, "l1 back");
        harness_connect(rig->harness, rig->source[i], "out", rig->mmu, "from_l1",
                        (Path){.capacity = 2, .input_index = i});
        harness_connect(rig->harness, rig->mmu, "to_l1", rig->sink[i], "in",
                        (Path){.output_index = i});
    }
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* A source numbers its messages: the low bits of an id are the request's number. */
static void expect_answers(const Rig *rig, guint side)
{
    for (uint64_t i = 0; i < harness_arrivals(rig->sink[side]); i++) {
        const Arrived *arrived = harness_arrival(rig->sink[side], i);
        const guint number = (guint)(arrived->message->id & UINT32_MAX);
        const Request *request = &rig->requests[side][number];
        ck_assert_uint_eq(((const Translation *)arrived->message)->address, request->address * KIB);
        ck_assert_msg(!request->back || request->back == arrived->cycle,
                      "%u.%u at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, side, number,
                      arrived->cycle, request->back);
    }
}

static void run(Rig *rig, const Request *first, guint first_count, const Request *second,
                guint second_count)
{
    rig->requests[0] = first;
    rig->requests[1] = second;
    rig->count[0] = first_count;
    rig->count[1] = second_count;
    for (guint i = 0; i < 2; i++) harness_generate(rig->source[i], make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (guint i = 0; i < 2; i++) {
        ck_assert_uint_eq(harness_arrivals(rig->sink[i]), rig->count[i]);
        expect_answers(rig, i);
    }
    const Unit *mmu = rig->mmu;
    ck_assert_uint_eq(unit_count(mmu, "requests"), first_count + second_count);
    ck_assert_uint_eq(unit_count(mmu, "replies"), first_count + second_count);
    ck_assert_uint_eq(unit_count(mmu, "hits") + unit_count(mmu, "misses")
                          + unit_count(mmu, "merged"),
                      first_count + second_count);
    ck_assert_uint_eq(unit_count(mmu, "walks"), unit_count(mmu, "misses"));
    static const char *const levels[] = {"queue", "walks_waiting", "walkers_busy"};
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) assert_little(mmu, levels[i]);
    assert_places_are_empty(mmu);
    ck_assert_uint_eq(unit_work(mmu, "tlb_ports"),
                      unit_count(mmu, "requests") + unit_count(mmu, "refused_misses"));
    ck_assert_uint_eq(unit_meter_at(mmu, "miss_room", 0)->counted.work,
                      unit_level(mmu, "walks_waiting")->stay
                          + unit_level(mmu, "walkers_busy")->stay);
}

#define RUN(rig, first) run(rig, first, G_N_ELEMENTS(first), NULL, 0)
#define RUN_BOTH(rig, first, second)                                                               \
    run(rig, first, G_N_ELEMENTS(first), second, G_N_ELEMENTS(second))

START_TEST(a_cold_walk_reads_every_level_and_then_the_TLB_hits)
{
    static const Request requests[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                       {.at = 300, .address = 60, .back = 300 + HIT}};
    g_autoptr(Rig) rig = rig_new("");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->mmu, "levels_read"), 2);
    ck_assert_uint_eq(unit_histogram(rig->mmu, "latency_seen")->sum,
                      (COLD - 1 + HIT - 1) * TIME_NS);
}
END_TEST

/* 64 KiB lies under the same upper entry as 0, 256 KiB under another. */
START_TEST(a_walk_skips_the_upper_level_that_the_cache_holds)
{
    static const Request requests[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                       {.at = 300, .address = 64, .back = 300 + WARM},
                                       {.at = 600, .address = 256, .back = 600 + COLD},
                                       {.at = 900, .address = 128, .back = 900 + COLD}};
    g_autoptr(Rig) rig = rig_new("");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->mmu, "levels_read"), 2 + 1 + 2 + 2);
}
END_TEST

START_TEST(without_a_directory_cache_every_walk_reads_all_levels)
{
    static const Request requests[] = {
        {.at = 10, .address = 0, .back = 10 + 1 + 3 + 3 * 70 + 1},
        {.at = 300, .address = 64, .back = 300 + 1 + 3 + 3 * 70 + 1}};
    g_autoptr(Rig) rig =
        rig_new("directory_entries = 0; walk_levels = 3; walk_level_latency = 70 cycles");
    RUN(rig, requests);
}
END_TEST

/* Five entries go through four places of the TLB; the third-level TLB still knows the first. */
START_TEST(a_last_level_in_the_walk_cache_is_a_short_walk)
{
    static const Request requests[] = {{.at = 10, .address = 0},
                                       {.at = 300, .address = 64},
                                       {.at = 600, .address = 128},
                                       {.at = 900, .address = 192},
                                       {.at = 1200, .address = 256},
                                       {.at = 1500, .address = 64, .back = 1500 + HIT},
                                       {.at = 1600, .address = 0, .back = 1600 + CACHED},
                                       {.at = 1700, .address = 64, .back = 1700 + HIT},
                                       {.at = 1800, .address = 128, .back = 1800 + CACHED}};
    g_autoptr(Rig) rig = rig_new("walk_cache_entries = 8");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->mmu, "walk_cache_hits"), 2);
    ck_assert_uint_eq(unit_count(rig->mmu, "misses"), 7);
}
END_TEST

/* The second page of 4 KiB lies in the entry that is walked for; the third request comes as its
 * walk has just ended at 214, and its look-up at 215 hits. */
START_TEST(requests_for_one_entry_share_a_walk)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                    {.at = 214, .address = 8, .back = 214 + HIT}};
    static const Request second[] = {{.at = 20, .address = 4, .back = 10 + COLD}};
    g_autoptr(Rig) rig = rig_new("");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_count(rig->mmu, "walks"), 1);
    ck_assert_uint_eq(unit_count(rig->mmu, "merged"), 1);
}
END_TEST

/* The walk ends at 214 = 10 + 1 + 3 + 200. Who joins it at 213 knows of the miss at 216. */
START_TEST(a_request_that_joins_late_still_takes_its_look_up)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD}};
    static const Request second[] = {{.at = 212, .address = 4, .back = 212 + 1 + 3 + 1}};
    g_autoptr(Rig) rig = rig_new("");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_count(rig->mmu, "merged"), 1);
}
END_TEST

/* One walker: the second walk begins as the first ends, at 214, and the third at 314. */
START_TEST(misses_wait_for_a_walker)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                    {.at = 11, .address = 128, .back = 415}};
    static const Request second[] = {{.at = 10, .address = 64, .back = 315}};
    g_autoptr(Rig) rig = rig_new("");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_level(rig->mmu, "walkers_busy")->maximum, 1);
    ck_assert_uint_eq(unit_level(rig->mmu, "walks_waiting")->maximum, 3); /* the first, until 14 */
}
END_TEST

/* The two look-ups of cycle 11 are known misses at 14, and both read both levels. */
START_TEST(several_walkers_walk_at_a_time)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD}};
    static const Request second[] = {{.at = 10, .address = 64, .back = 10 + COLD}};
    g_autoptr(Rig) rig = rig_new("walkers = 2; lookups_per_cycle = 2");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_level(rig->mmu, "walkers_busy")->maximum, 2);
}
END_TEST

/* Ties go to the lower port, one look-up a cycle. */
START_TEST(look_ups_are_served_in_order_of_arrival)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                    {.at = 300, .address = 4, .back = 300 + HIT},
                                    {.at = 302, .address = 8, .back = 302 + HIT + 1}};
    static const Request second[] = {{.at = 300, .address = 12, .back = 301 + HIT},
                                     {.at = 301, .address = 16, .back = 301 + HIT + 1}};
    g_autoptr(Rig) rig = rig_new("");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_count(rig->mmu, "hits"), 4);
}
END_TEST

/* Two L1s, 32 hits each in turn. */
START_TEST(hits_sustain_a_look_up_a_cycle)
{
    static Request first[1 + 32], second[32];
    first[0] = (Request){.at = 10, .address = 0, .back = 10 + COLD};
    for (guint i = 0; i < 32; i++) {
        first[1 + i] = (Request){.at = 300 + 2 * i, .address = 4, .back = 300 + 2 * i + HIT};
        second[i] = (Request){.at = 301 + 2 * i, .address = 8, .back = 301 + 2 * i + HIT};
    }
    g_autoptr(Rig) rig = rig_new("");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_count(rig->mmu, "hits"), 64);
}
END_TEST

/* One entry for misses: the head waits until the walk ends at 214, and so does the hit behind it;
 * the miss begins to walk at 217, the hit's look-up is at 215. */
START_TEST(without_room_for_a_miss_the_head_waits_for_a_walk_to_end)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                    {.at = 20, .address = 64, .back = 214 + 3 + 100 + 1}};
    static const Request second[] = {{.at = 21, .address = 0, .back = 215 + 3 + 1}};
    g_autoptr(Rig) rig = rig_new("miss_entries = 1");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_count(rig->mmu, "refused_misses"), 1);
}
END_TEST

/* The table is full from the first look-up at 11 until its walk ends at 214, and from the other
 * miss's, at 214, until 317; the one walker is at work from 14 and from 217 on. The ports do three
 * look-ups, and one in vain. */
START_TEST(resources_are_full_as_long_as_they_refuse)
{
    static const Request first[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                    {.at = 20, .address = 64, .back = 214 + 3 + 100 + 1}};
    static const Request second[] = {{.at = 21, .address = 0, .back = 214 + 3 + 1}};
    g_autoptr(Rig) rig = rig_new("miss_entries = 1; lookups_per_cycle = 2");
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(unit_full(rig->mmu, "miss_room"), 214 - 11 + 317 - 214);
    ck_assert_uint_eq(unit_refused(rig->mmu, "miss_room"), 1);
    ck_assert_uint_eq(unit_full(rig->mmu, "walkers_busy"), 200 + 100);
    ck_assert_uint_eq(unit_work(rig->mmu, "tlb_ports"), 4);
    ck_assert_uint_eq(unit_full(rig->mmu, "tlb_ports"), 4 / 2);
}
END_TEST

/* Windows of 128 KiB: the first walk makes one active for nothing; 256 KiB lies in another. */
START_TEST(a_walk_out_of_the_active_window_switches_it)
{
    static const Request requests[] = {{.at = 10, .address = 0, .back = 10 + COLD},
                                       {.at = 300, .address = 64, .back = 300 + WARM},
                                       {.at = 600, .address = 256, .back = 600 + COLD + 30},
                                       {.at = 900, .address = 320, .back = 900 + WARM},
                                       {.at = 1200, .address = 0, .back = 1200 + HIT}};
    g_autoptr(Rig) rig = rig_new("active_window = 128 KiB; window_switch_latency = 30 cycles");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->mmu, "window_switches"), 1);
}
END_TEST

START_TEST(an_entry_that_is_no_power_of_two_is_refused)
{
    g_autoptr(Rig) rig = rig_new("tlb_entry_bytes = 96 KiB");
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "mmu.tlb_entry_bytes = 98304: must be"));
}
END_TEST

HARNESS_MAIN("mmu", a_cold_walk_reads_every_level_and_then_the_TLB_hits,
             a_walk_skips_the_upper_level_that_the_cache_holds,
             without_a_directory_cache_every_walk_reads_all_levels,
             a_last_level_in_the_walk_cache_is_a_short_walk, requests_for_one_entry_share_a_walk,
             a_request_that_joins_late_still_takes_its_look_up, misses_wait_for_a_walker,
             several_walkers_walk_at_a_time, look_ups_are_served_in_order_of_arrival,
             hits_sustain_a_look_up_a_cycle,
             without_room_for_a_miss_the_head_waits_for_a_walk_to_end,
             resources_are_full_as_long_as_they_refuse, a_walk_out_of_the_active_window_switches_it,
             an_entry_that_is_no_power_of_two_is_refused)
