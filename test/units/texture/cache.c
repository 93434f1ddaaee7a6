/* The texture unit's cache over many instructions: how far tags must run ahead, what running ahead
 * is worth, and that data trails the tags exactly. See test/units/texture/rig.h. */
#include "rig.h"

enum { ROUND_TRIP = 103 /* from the look-up of a miss until it is read */ };

/* --- depth and rate --------------------------------------------------------------------------- */

/* `count` instructions of eight quads, each of which wants a line that nobody wanted before; with
 * `twice`, each instruction once more. */
static guint make_stream(Draw *draws, guint count, bool twice)
{
    guint made = 0;
    for (guint i = 0; i < count; i++) {
        draws[made++] = (Draw){.at = 10, .line = 8 * i, .quads = 8, .quad_lines = 1};
        if (twice) {
            draws[made] = draws[made - 1];
            made++;
        }
    }
    return made;
}

/* Cycles that an instruction takes in the middle of the stream. */
static double cycles_each(const Rig *rig, guint count)
{
    const guint first = count / 4, last = count * 3 / 4;
    return (double)(came_back(rig, last) - came_back(rig, first)) / (last - first);
}

/* Every step misses, and one goes through in a cycle at most. A place of the FIFO is taken for the
 * round trip: N places let N through in 103 cycles, until these are the 103 that cover it. */
static const uint32_t depths[] = {1, 4, 16, 64, 96, 103, 128, 512};

START_TEST(throughput_rises_with_the_fifo_until_it_covers_the_round_trip)
{
    enum { COUNT = 200 };
    static Draw draws[COUNT];
    const guint count = make_stream(draws, COUNT, false);
    const uint32_t depth = depths[_i];
    g_autofree char *settings =
        g_strdup_printf("fragment_fifo = %u; reorder_entries = 1024", depth);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    rig_run(rig, draws, count);
    const double rate = 8 / cycles_each(rig, count);
    const double expected = depth < ROUND_TRIP ? (double)depth / ROUND_TRIP : 1;
    ck_assert_msg(rate > 0.97 * expected && rate < 1.03 * expected, "%u places: %.4f, not %.4f",
                  depth, rate, expected);
    /* Little: what is in the FIFO is what goes through, times the round trip */
    const Level *level = unit_level(rig->texture, "fragment_room");
    ck_assert_uint_le(level->maximum, depth);
}
END_TEST

/* Four lines of a quad, or of a quad each: requests leave, and are filled, one behind the other or
 * side by side. */
START_TEST(misses_leave_and_are_filled_side_by_side)
{
    static const struct {
        const char *settings;
        uint64_t behind;
    } widths[] = {{"requests_per_cycle = 4", 3},
                  {"fill_ports = 4", 3},
                  {"requests_per_cycle = 2; fill_ports = 2", 1},
                  {"requests_per_cycle = 64; fill_ports = 3", 1},
                  {"requests_per_cycle = 64; fill_ports = 64", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(widths); i++) {
        const uint64_t back = 10 + MISS + widths[i].behind;
        const Draw draws[] = {{.at = 10, .lane_lines = 1, .back = back},
                              {.at = 10, .quads = 4, .quad_lines = 1, .back = back}};
        for (guint k = 0; k < G_N_ELEMENTS(draws); k++) {
            g_autofree char *settings = g_strconcat("quads = 4; ", widths[i].settings, NULL);
            g_autoptr(Rig) rig = rig_new(settings, 0);
            rig_run(rig, &draws[k], 1);
        }
    }
}
END_TEST

/* The same with places of the reorder buffer, which are taken from the look-up until the fill has
 * ended. */
START_TEST(throughput_rises_with_the_reorder_buffer_until_it_covers_the_round_trip)
{
    enum { COUNT = 200 };
    static Draw draws[COUNT];
    const guint count = make_stream(draws, COUNT, false);
    const uint32_t entries = depths[_i];
    g_autofree char *settings = g_strdup_printf("reorder_entries = %u", entries);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    rig_run(rig, draws, count);
    const double rate = 8 / cycles_each(rig, count);
    const double expected = entries < ROUND_TRIP ? (double)entries / ROUND_TRIP : 1;
    ck_assert_msg(rate > 0.97 * expected && rate < 1.03 * expected, "%u places: %.4f, not %.4f",
                  entries, rate, expected);
}
END_TEST

/* Half of the steps miss. Running ahead, a step a cycle goes through: 16 for a miss and a hit of
 * eight quads each. A blocking cache takes a round trip for each miss and a cycle for each hit. */
START_TEST(running_ahead_is_worth_at_least_five_times_a_blocking_cache)
{
    enum { COUNT = 100 };
    static Draw draws[2 * COUNT];
    const guint count = make_stream(draws, COUNT, true);
    g_autoptr(Rig) rig = rig_new(_i ? "run_ahead = no" : "", 0);
    rig_run(rig, draws, count);
    ck_assert_uint_eq(unit_count(rig->texture, "misses") * 2, unit_count(rig->texture, "lines"));
    const double each = 2 * cycles_each(rig, count);
    const double expected = _i ? 8 * ROUND_TRIP + 8 : 16;
    ck_assert_msg(each > 0.97 * expected && each < 1.03 * expected, "%.2f cycles, not %.2f", each,
                  expected);
    ck_assert_double_ge((8 * ROUND_TRIP + 8) / 16., 5);
}
END_TEST

/* With a delay longer than the way to memory, hits wait as long: 1 + 10 + 150 + 20 + 1, and the
 * cycle of its fill for a miss. */
START_TEST(with_a_fixed_delay_hit_and_miss_take_the_same)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + 183}, {.at = 500, .back = 500 + 182}};
    g_autoptr(Rig) rig = rig_new("fragment_delay = 150 cycles", 0);
    RUN(rig, draws);
}
END_TEST

/* 300 instructions of a warp with misses: the delay costs latency and no throughput, as long as
 * the FIFO holds as many. */
START_TEST(a_fixed_delay_costs_no_throughput)
{
    enum { COUNT = 200 };
    static Draw draws[COUNT];
    const guint count = make_stream(draws, COUNT, false);
    g_autoptr(Rig) rig = rig_new("fragment_delay = 150 cycles; reorder_entries = 512", 0);
    rig_run(rig, draws, count);
    ck_assert_double_eq_tol(cycles_each(rig, count), 8, 0.1);
}
END_TEST

/* An instruction arrives, and the unit wakes to take it when the one in front has gone on: two
 * events, however many quads it has. So many misses come back in one event each. */
START_TEST(an_instruction_costs_two_events_and_a_reply_one)
{
    enum { COUNT = 100 };
    static Draw draws[COUNT];
    const guint count = make_stream(draws, COUNT, false);
    if (!_i)
        for (guint i = 0; i < count; i++) draws[i].line = 0;
    g_autoptr(Rig) rig = rig_new("", 0);
    rig_run(rig, draws, count);
    const uint64_t replies = unit_count(rig->texture, "replies");
    ck_assert_uint_eq(replies, _i ? 8 * COUNT : 8);
    ck_assert_uint_le(rig->texture->events, 2 * COUNT + replies + 20);
}
END_TEST

/* --- what the cache holds --------------------------------------------------------------------- */

static uint32_t draw_random(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static uint64_t scattered_latency(const Transaction *transaction)
{
    return 5 + (transaction->virtual_line / 128 * 2654435761u >> 7) % 300;
}

enum { WAYS = 8 };

/* Lines of a fully associative cache, most recently used first. */
static bool reference_hits(uint32_t cache[WAYS], uint32_t line)
{
    uint32_t i = 0;
    while (i < WAYS - 1 && cache[i] != line) i++;
    const bool hit = cache[i] == line;
    memmove(&cache[1], &cache[0], i * sizeof *cache);
    cache[0] = line;
    return hit;
}

/* In which order replies come, and how full what is, changes times and never what hits: the tags
 * see the lines in order. That each fragment finds its data the unit itself checks. */
static const char *const cramped[] = {"",
                                      "fragment_fifo = 3",
                                      "miss_fifo = 1",
                                      "reorder_entries = 2",
                                      "run_ahead = no",
                                      "fragment_fifo = 1; reorder_entries = 1; miss_fifo = 1",
                                      "fragment_delay = 400 cycles",
                                      "quads = 4; tag_lines = 16; data_lines = 16"};

START_TEST(hits_are_those_of_a_cache_that_is_looked_up_in_order)
{
    enum { COUNT = 600 };
    static Draw draws[COUNT];
    uint32_t cache[WAYS];
    uint64_t state = 7, hits = 0;
    memset(cache, 0xff, sizeof cache);
    for (guint i = 0; i < COUNT; i++) {
        draws[i] = (Draw){.at = 10 + draw_random(&state, 3) * i,
                          .line = draw_random(&state, 12),
                          .quads = 1 + draw_random(&state, 8),
                          .quad_lines = draw_random(&state, 3),
                          .lane_lines = draw_random(&state, 3)};
        for (uint32_t quad = 0; quad < draws[i].quads; quad++)
            for (uint32_t lane = 0; lane < (draws[i].lane_lines ? 4 : 1); lane++)
                hits += reference_hits(cache, draws[i].line + quad * draws[i].quad_lines
                                                  + lane * draws[i].lane_lines);
    }
    g_autofree char *settings = g_strconcat("sets = 1; capacity = 1 KiB; ", cramped[_i], NULL);
    g_autoptr(Rig) rig = rig_new(settings, _i % 2);
    rig->memory->latency_of = scattered_latency;
    rig_run(rig, draws, COUNT);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), hits);
    for (guint i = 1; i < COUNT; i++) ck_assert_uint_ge(came_back(rig, i), came_back(rig, i - 1));
}
END_TEST

/* Five lines in four ways, in turns: LRU never hits, and lines 0 and 4 meet in one set of two. */
START_TEST(sets_and_replacement_are_those_of_the_parameters)
{
    static const struct {
        const char *settings;
        uint64_t hits;
    } caches[] = {{"sets = 1; capacity = 512 B", 0},
                  {"sets = 1; capacity = 640 B", 15},
                  {"sets = 2; capacity = 512 B", 6}, /* lines 1 and 3 stay */
                  {"sets = 4; capacity = 512 B", 9}, /* lines 1, 2, 3 stay */
                  {"sets = 1; capacity = 512 B; replacement = fifo", 0}};
    Draw draws[20] = {{.at = 0}};
    for (guint i = 0; i < G_N_ELEMENTS(draws); i++)
        draws[i] = (Draw){.at = 10 + 200 * i, .line = i % 5};
    g_autoptr(Rig) rig = rig_new(caches[_i].settings, 0);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), caches[_i].hits);
}
END_TEST

/* Two parts of two sets and a way each: warps 0, 2, 4 have line 0 from one, warps 1, 3, 5 from the
 * other. Line 2 of warp 6 takes its place in part 0; line 3 of warp 7 has another set of part 1. */
START_TEST(a_warp_finds_what_is_in_its_part_of_the_cache)
{
    static const uint32_t line[] = {0, 0, 0, 0, 0, 0, 2, 3, 0, 0};
    static const uint64_t hit[] = {0, 0, 1, 1, 1, 1, 0, 0, 0, 1};
    Draw draws[G_N_ELEMENTS(line)];
    for (guint i = 0; i < G_N_ELEMENTS(draws); i++)
        draws[i] = (Draw){
            .at = 10 + 200 * i, .line = line[i], .back = 10 + 200 * i + (hit[i] ? HIT : MISS)};
    g_autoptr(Rig) rig = rig_new("caches = 2; sets = 2; capacity = 512 B", 0);
    RUN(rig, draws);
    for (guint i = 0, seen = 0; i < G_N_ELEMENTS(line); i++)
        if (!hit[i]) {
            const Transaction *request =
                (const Transaction *)far_side_seen(rig->memory, seen++)->message;
            ck_assert_uint_eq(request->virtual_line, (FIRST_LINE + line[i]) * UINT64_C(128));
        }
}
END_TEST

/* --- samples ---------------------------------------------------------------------------------- */

/* All lanes at one point in the middle of the texture; their level of detail is the finest. */
static SampleCoordinates at_level(float level)
{
    SampleCoordinates where;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        where.point[lane] = (TexturePoint){0.5F, 0.5F, 0};
        where.level[lane] = level;
    }
    return where;
}

/* Four lanes of four texels each; trilinear, in two levels. Fetches of level 3 and beyond count
 * together. */
START_TEST(steps_and_texels_are_those_of_the_sampler)
{
    static const struct {
        TextureFilter filter;
        uint8_t mode;
        float level;
        uint64_t steps, texels, level_0, level_1, level_3;
    } modes[] = {{FILTER_POINT, SAMPLE_IMPLICIT, 0, 1, 4, 1, 0, 0},
                 {FILTER_BILINEAR, SAMPLE_IMPLICIT, 0, 1, 16, 1, 0, 0},
                 {FILTER_TRILINEAR, SAMPLE_IMPLICIT, 0, 1, 16, 1, 0, 0},
                 {FILTER_TRILINEAR, SAMPLE_LEVEL, 0.5F, 2, 32, 1, 1, 0},
                 {FILTER_TRILINEAR, SAMPLE_LEVEL, 4.5F, 2, 32, 0, 0, 1}};
    const SampleCoordinates where = at_level(modes[_i].level);
    const Draw draws[] = {{.at = 10, .where = &where, .mode = modes[_i].mode}};
    g_autoptr(Rig) rig = rig_new("", 0);
    bind_texture(rig, "rgba8", 8);
    rig->binding.sampler.filter = modes[_i].filter;
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "steps"), modes[_i].steps);
    ck_assert_uint_eq(unit_count(rig->texture, "texels"), modes[_i].texels);
    ck_assert_uint_eq(unit_count(rig->texture, "samples"), 4);
    ck_assert_uint_eq(unit_count(rig->texture, "quad_count"), 1);
    ck_assert_int_eq(unit_count(rig->texture, "lines_level_0") > 0, modes[_i].level_0);
    ck_assert_int_eq(unit_count(rig->texture, "lines_level_1") > 0, modes[_i].level_1);
    ck_assert_int_eq(unit_count(rig->texture, "lines_level_3") > 0, modes[_i].level_3);
    ck_assert_int_eq(unit_bytes(rig->texture, "bytes_level_1") > 0, modes[_i].level_1);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_level_2"), 0);
}
END_TEST

/* Lane 0 of level 0.5 takes two steps, lane 1 of level 2 one: the quad takes two, and the second
 * is lane 0's alone. */
START_TEST(lanes_that_say_their_levels_take_as_many_steps_as_the_one_with_most)
{
    SampleCoordinates where = at_level(2);
    where.level[0] = 0.5F;
    const Draw draws[] = {{.at = 10, .where = &where, .mode = SAMPLE_LEVEL, .mask = 3}};
    g_autoptr(Rig) rig = rig_new("", 0);
    bind_texture(rig, "rgba8", 8);
    rig->binding.sampler.filter = FILTER_TRILINEAR;
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "steps"), 2);
    ck_assert_uint_eq(unit_count(rig->texture, "texels"), 4 + 4 + 4);
}
END_TEST

/* A border has no texels, and takes its turn in the filter all the same. */
START_TEST(a_border_needs_no_lines)
{
    SampleCoordinates where = at_level(0);
    for (uint32_t lane = 0; lane < LANES; lane++) where.point[lane].x = 4;
    const Draw draws[] = {
        {.at = 10, .quads = 8, .where = &where, .mode = SAMPLE_IMPLICIT, .back = 10 + HIT + 7}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->binding.sampler.wrap[0] = WRAP_BORDER;
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "lines"), 0);
    ck_assert_uint_eq(unit_count(rig->texture, "fragments"), 8);
}
END_TEST

/* --- kernels ---------------------------------------------------------------------------------- */

START_TEST(a_kernels_start_invalidates_the_cache_unless_it_is_kept)
{
    static const KernelStart starts[] = {
        {.at = 400, .launch = {.keep_l1 = true, .caches = CACHES_DIRTY}},
        {.at = 600, .launch = {.caches = CACHES_DIRTY}},
        {.at = 800, .launch = {.keep_l1 = true, .caches = CACHES_COLD}}};
    static const Draw draws[] = {{.at = 200, .back = 200 + MISS},
                                 {.at = 410, .back = 410 + HIT},
                                 {.at = 610, .back = 610 + MISS},
                                 {.at = 810, .back = 810 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "invalidations"), 2);
}
END_TEST

/* Beside another kernel: line 0 is on its way, its place is given to line 1 and, in a cache of one
 * line, to line 0 again. Each fragment finds what it wants. */
START_TEST(what_is_in_the_fifo_survives_an_invalidation)
{
    static const KernelStart starts[] = {{.at = 140, .launch = {.caches = CACHES_DIRTY}}};
    static const Draw draws[] = {{.at = 100, .back = 100 + MISS},
                                 {.at = 110, .back = 101 + MISS},
                                 {.at = 141, .line = 0, .back = 141 + MISS},
                                 {.at = 145, .line = 1, .back = 145 + MISS}};
    g_autoptr(Rig) rig = rig_new("sets = 1; capacity = 256 B", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "requests"), 3);
}
END_TEST

START_TEST(a_memory_that_is_silent_is_named)
{
    static const Draw draws[] = {{.at = 10, .quads = 2, .quad_lines = 1}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->memory->silent = true;
    rig->draws = draws;
    rig->count = 1;
    harness_generate(rig->source, make_draw, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "texture: 2 fragments waiting for their data, 2 misses outstanding"
                               "; waits for far_side"),
                  "%s", text);
}
END_TEST

/* 4 sets in each of 2 parts take 1 KiB a way. */
START_TEST(a_shape_that_cannot_be_built_is_refused)
{
    static const struct {
        const char *settings, *message;
    } shapes[] = {{"sets = 4; capacity = 1000 B",
                   "texture.capacity = 1000 B: not a whole number of lines of 128 B "
                   "(machine.line_bytes) for each of 4 sets (sets x caches)"},
                  {"caches = 2; sets = 4; capacity = 1536 B",
                   "texture.capacity = 1536 B: not a whole number of lines of 128 B "
                   "(machine.line_bytes) for each of 8 sets (sets x caches)"},
                  {"caches = 2; capacity = 1 KiB; set_index = xor",
                   "texture.caches = 2: more than one need set_index = modulo"}};
    g_autoptr(Rig) rig = rig_new(shapes[_i].settings, 0);
    rig->draws = NULL;
    harness_generate(rig->source, make_draw, rig);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, shapes[_i].message), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_cache");
    tcase_add_loop_test(cases, throughput_rises_with_the_fifo_until_it_covers_the_round_trip, 0,
                        G_N_ELEMENTS(depths));
    tcase_add_loop_test(cases,
                        throughput_rises_with_the_reorder_buffer_until_it_covers_the_round_trip, 0,
                        G_N_ELEMENTS(depths));
    tcase_add_loop_test(cases, running_ahead_is_worth_at_least_five_times_a_blocking_cache, 0, 2);
    tcase_add_test(cases, with_a_fixed_delay_hit_and_miss_take_the_same);
    tcase_add_test(cases, a_fixed_delay_costs_no_throughput);
    tcase_add_test(cases, misses_leave_and_are_filled_side_by_side);
    tcase_add_loop_test(cases, an_instruction_costs_two_events_and_a_reply_one, 0, 2);
    tcase_add_loop_test(cases, hits_are_those_of_a_cache_that_is_looked_up_in_order, 0,
                        G_N_ELEMENTS(cramped));
    tcase_add_loop_test(cases, sets_and_replacement_are_those_of_the_parameters, 0, 5);
    tcase_add_test(cases, a_warp_finds_what_is_in_its_part_of_the_cache);
    tcase_add_loop_test(cases, steps_and_texels_are_those_of_the_sampler, 0, 5);
    tcase_add_test(cases, lanes_that_say_their_levels_take_as_many_steps_as_the_one_with_most);
    tcase_add_test(cases, a_border_needs_no_lines);
    tcase_add_test(cases, a_kernels_start_invalidates_the_cache_unless_it_is_kept);
    tcase_add_test(cases, what_is_in_the_fifo_survives_an_invalidation);
    tcase_add_test(cases, a_memory_that_is_silent_is_named);
    tcase_add_loop_test(cases, a_shape_that_cannot_be_built_is_refused, 0, 3);
    return harness_run_cases("texture_cache", cases);
}
