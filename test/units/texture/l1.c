/* The texture unit where L1 is its cache. */
#include "rig.h"

/* With an L1 that answers after 16 cycles: one quad's step takes
 *     1 in + 10 + 1 to L1 + 16 + 1 back + 20 + 1 back = 50
 * and a further quad a cycle more to be addressed and another to be filtered. */
enum { READ = 50, QUADS = 8, AROUND = 14 /* addresses and filter of the other seven quads */ };

static FarSide *l1;

/* Of each line, by its number in the texture; 0: 16 cycles, from the L1. */
static uint64_t (*latency_of)(uint64_t line);
static ServedBy (*served_by)(uint64_t line);

static void serve(Unit *unit, Message *message, Time now)
{
    TextureFetch *fetch = (TextureFetch *)message;
    WarpAccess *read = &fetch->access;
    const uint64_t line = read->line[0].line / 128 - FIRST_LINE;
    Transaction *record = unit_new(unit, MESSAGE_TRANSACTION);
    record->access = read;
    record->served_by = served_by ? (uint8_t)served_by(line) : SERVED_L1;
    transaction_enter(record, STAGE_ISSUE, read->issued);
    transaction_enter(record, STAGE_TEXTURE_QUEUE, read->reached);
    transaction_enter(record, STAGE_TEXTURE_TAG, read->began);
    transaction_enter(record, STAGE_L1_QUEUE, fetch->ready);
    transaction_enter(record, STAGE_L1_TAG, now);
    fetch->record = record;
    ((FarSide *)unit)->latency = latency_of ? latency_of(line) : 16;
}

static Rig *rig_new_with_l1(const char *settings, uint32_t room)
{
    g_autofree char *all = g_strconcat("cache = l1; ", settings, NULL);
    Rig *rig = rig_new(all, 0);
    l1 = far_side_add(rig->harness, rig->texture, "to_l1", "from_l1", room);
    l1->work_on = serve;
    return rig;
}

static const WarpAccess *read_seen(guint number)
{
    return (const WarpAccess *)far_side_seen(l1, number)->message;
}

static Time stage_cycles(const Rig *rig, const char *class, Stage stage)
{
    return unit_stages(rig->texture, class)->stage[stage] / rig->harness->clock->period;
}

static void run_draws(Rig *rig, const Draw *draws, guint count)
{
    static const char *const classes[] = {"stages_texture_hit", "stages_texture_merged",
                                          "stages_texture_shared_l1", "stages_texture_l2_hit",
                                          "stages_texture_dram"};
    rig->draws = draws;
    rig->count = count;
    harness_generate(rig->source, make_draw, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    for (guint i = 0; i < count; i++)
        ck_assert_msg(!draws[i].back || came_back(rig, i) == draws[i].back,
                      "instruction %u came back in cycle %" G_GUINT64_FORMAT, i, came_back(rig, i));
    uint64_t fragments = 0;
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        const StageSums *sums = unit_stages(rig->texture, classes[i]);
        Time sum = 0;
        for (guint s = 0; s < STAGE_COUNT; s++) sum += sums->stage[s];
        ck_assert_uint_eq(sum, sums->latency);
        fragments += sums->count;
    }
    ck_assert_uint_eq(fragments, unit_count(rig->texture, "fragments"));
    ck_assert_uint_eq(unit_count(rig->texture, "l1_reads"), l1->seen->len);
    ck_assert_uint_eq(unit_count(rig->texture, "l1_replies"), l1->seen->len);
    assert_servers(rig->texture);
    assert_little(rig->texture, "queue");
    if (unit_count(rig->texture, "fragments")) assert_little(rig->texture, "fragment_room");
    ck_assert_uint_eq(unit_count(rig->texture, "requests"), 0);
}

#define RUN_DRAWS(rig, draws) run_draws(rig, draws, G_N_ELEMENTS(draws))

/* All quads of the step in one read, with each line once. */
START_TEST(a_step_of_all_quads_is_one_read)
{
    static const Draw draws[] = {
        {.at = 10, .back = 10 + READ},
        {.at = 100, .quads = QUADS, .quad_lines = 2, .lane_lines = 1, .back = 100 + READ + AROUND}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(l1->seen->len, 2);
    ck_assert_uint_eq(far_side_seen(l1, 0)->cycle, 10 + 1 + 10 + 1);
    ck_assert_uint_eq(far_side_seen(l1, 1)->cycle, 100 + 1 + 10 + 7 + 1);
    const WarpAccess *read = read_seen(1);
    ck_assert_uint_eq(read->lines, 18); /* lines 2q .. 2q + 3 of quad q = 0 .. 7 */
    for (guint i = 0; i < read->lines; i++) {
        ck_assert_uint_eq(read->line[i].line, (FIRST_LINE + i) * 128);
        ck_assert_uint_eq(read->line[i].sectors, 1);
    }
    ck_assert_ptr_eq(read->instruction.binding, &rig->binding);
    ck_assert_uint_eq(unit_count(rig->texture, "lines"), 1 + 18);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_level_0"), 1 + 18);
    ck_assert_uint_eq(unit_count(rig->texture, "steps"), 1 + QUADS);
    ck_assert_uint_eq(unit_count(rig->texture, "quad_count"), 1 + QUADS);
    ck_assert_uint_eq(unit_count(rig->texture, "texels"), 4 + 4 * QUADS);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_texels"), (4 + 4 * QUADS) * 4);
}
END_TEST

/* The addresses of the next instruction are found while this one's are read and filtered. */
START_TEST(instructions_follow_each_other_at_the_rate_of_quads)
{
    static Draw draws[20];
    const uint64_t interval = _i ? 4 : 8;
    for (guint i = 0; i < G_N_ELEMENTS(draws); i++)
        draws[i] = (Draw){.at = 10,
                          .quads = QUADS,
                          .quad_lines = 1,
                          .back = 10 + READ + (_i ? 6 : AROUND) + i * interval};
    g_autoptr(Rig) rig = rig_new_with_l1(_i ? "quads = 2" : "", 4);
    RUN_DRAWS(rig, draws);
}
END_TEST

/* A texel of 16 bytes takes two turns of the filter, and two cycles of the way to the registers. */
START_TEST(wide_texels_take_several_turns_of_the_filter)
{
    static const Draw draws[] = {{.at = 10, .quads = QUADS, .back = 10 + READ + 7 + 15}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    bind_texture(rig, "rgba32f", 0);
    RUN_DRAWS(rig, draws);
}
END_TEST

static uint64_t slow_line_0(uint64_t line)
{
    return line ? 16 : 116;
}

/* The second read is back 100 cycles before the first and waits for it. */
START_TEST(reads_are_filtered_in_the_order_of_the_fifo)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + READ + 100},
                                 {.at = 12, .line = 1, .back = 10 + READ + 101}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    latency_of = slow_line_0;
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(stage_cycles(rig, "stages_texture_hit", STAGE_FRAGMENT_FIFO), 99);
    ck_assert_uint_eq(stage_cycles(rig, "stages_texture_hit", STAGE_FILTER), 2 * 20);
}
END_TEST

/* Two entries: the third read has its place when the first goes to the filter, at 21 + 18. */
START_TEST(the_fifo_bounds_the_reads_under_way)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + READ},
                                 {.at = 11, .back = 11 + READ},
                                 {.at = 12, .back = 39 - 11 + READ},
                                 {.at = 13, .back = 40 - 11 + READ}};
    g_autoptr(Rig) rig = rig_new_with_l1("fragment_fifo = 2", 0);
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_fragment_fifo"), 2);
    ck_assert_uint_eq(unit_busy(rig->texture, "stalled_fragment_fifo"), (39 - 23) + (40 - 39));
    ck_assert_uint_eq(unit_level(rig->texture, "fragment_room")->maximum, 2);
}
END_TEST

START_TEST(the_least_time_in_the_fifo_is_kept)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + READ - 18 + 60}};
    g_autoptr(Rig) rig = rig_new_with_l1("fragment_delay = 60 cycles", 0);
    RUN_DRAWS(rig, draws);
}
END_TEST

/* A place in front of L1 is taken for two cycles; the wait is L1's. */
START_TEST(a_full_L1_holds_up_reads)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + READ},
                                 {.at = 11, .back = 12 + READ},
                                 {.at = 12, .back = 14 + READ}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 1);
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(stage_cycles(rig, "stages_texture_hit", STAGE_L1_QUEUE), 3 * 1 + 1 + 2);
    ck_assert_uint_eq(stage_cycles(rig, "stages_texture_hit", STAGE_TEXTURE_TAG), 3 * 10);
}
END_TEST

static ServedBy served_by_number(uint64_t line)
{
    return (ServedBy)line;
}

START_TEST(a_read_is_of_the_class_of_its_last_line)
{
    static const Draw draws[] = {{.at = 10, .line = SERVED_L1},
                                 {.at = 20, .line = SERVED_PRT},
                                 {.at = 30, .line = SERVED_SHARED_L1},
                                 {.at = 40, .line = SERVED_L2},
                                 {.at = 50, .line = SERVED_DRAM}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    served_by = served_by_number;
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_hit")->count, 1);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_merged")->count, 1);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_shared_l1")->count, 1);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_l2_hit")->count, 1);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_texture_dram")->count, 1);
    ck_assert_uint_eq(unit_histogram(rig->texture, "hit_latency")->count, 1);
    ck_assert_uint_eq(unit_histogram(rig->texture, "miss_latency")->count, 4);
}
END_TEST

/* --- steps --- */

static SampleCoordinates spread(float level)
{
    SampleCoordinates at;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        at.point[lane] = (TexturePoint){0.5f, 0.5f, 0};
        at.level[lane] = level;
    }
    return at;
}

/* Trilinear between two levels: two reads, the second a cycle after the first; one instruction. */
START_TEST(each_step_is_a_read_and_the_last_one_returns_the_instruction)
{
    static SampleCoordinates where;
    where = spread(0.5f);
    const Draw draws[] = {{.at = 10, .where = &where, .mode = SAMPLE_LEVEL, .back = 10 + READ + 1}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    bind_texture(rig, "rgba8", 4);
    rig->binding.sampler.filter = FILTER_TRILINEAR;
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(l1->seen->len, 2);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_level_0"), read_seen(0)->lines);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_level_1"), read_seen(1)->lines);
    ck_assert_uint_eq(unit_count(rig->texture, "instructions"), 1);
}
END_TEST

/* The first quad takes two steps, the others one: the second read is that quad's alone. */
START_TEST(quads_with_fewer_steps_are_done_earlier)
{
    static SampleCoordinates where;
    where = spread(0);
    for (uint32_t lane = 0; lane < 4; lane++) where.level[lane] = 1.5f;
    const Draw draws[] = {
        {.at = 10, .quads = 3, .where = &where, .mode = SAMPLE_LEVEL, .back = 10 + READ + 2 + 3}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    bind_texture(rig, "rgba8", 4);
    rig->binding.sampler.filter = FILTER_TRILINEAR;
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(unit_count(rig->texture, "steps"), 3 + 1);
    ck_assert_uint_eq(l1->seen->len, 2);
    ck_assert_uint_eq(far_side_seen(l1, 1)->cycle - far_side_seen(l1, 0)->cycle, 1);
}
END_TEST

/* Beyond the border there is nothing to read; it takes its turns and no trip to L1. */
START_TEST(a_step_without_texels_reads_nothing)
{
    static SampleCoordinates where;
    where = spread(0);
    for (uint32_t lane = 0; lane < LANES; lane++) where.point[lane].x = 7;
    const Draw draws[] = {{.at = 10, .where = &where, .mode = SAMPLE_LEVEL, .back = 10 + 32}};
    g_autoptr(Rig) rig = rig_new_with_l1("fragment_fifo = 1", 0);
    for (guint i = 0; i < 3; i++) rig->binding.sampler.wrap[i] = WRAP_BORDER;
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(l1->seen->len, 0);
    ck_assert_uint_eq(unit_count(rig->texture, "fragments"), 1);
}
END_TEST

/* 1 in, 10 for addresses, 1 back */
START_TEST(an_instruction_without_lanes_reads_nothing_and_comes_back)
{
    static const Draw draws[] = {{.at = 10, .back = 10 + READ},
                                 {.at = 11, .mask = NO_LANES, .back = 11 + 12},
                                 {.at = 12, .back = 12 + READ}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    RUN_DRAWS(rig, draws);
    ck_assert_uint_eq(l1->seen->len, 2);
    ck_assert_uint_eq(unit_count(rig->texture, "fragments"), 2);
}
END_TEST

START_TEST(a_deadlock_report_says_what_has_not_come_back_from_L1)
{
    static const Draw draws[] = {{.at = 10}, {.at = 11}};
    g_autoptr(Rig) rig = rig_new_with_l1("", 0);
    l1->silent = true;
    rig->draws = draws;
    rig->count = G_N_ELEMENTS(draws);
    harness_generate(rig->source, make_draw, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "texture: 2 reads have not come back from L1; waits for far_side"),
                  "%s", text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_step_of_all_quads_is_one_read,
                                  wide_texels_take_several_turns_of_the_filter,
                                  reads_are_filtered_in_the_order_of_the_fifo,
                                  the_fifo_bounds_the_reads_under_way,
                                  the_least_time_in_the_fifo_is_kept,
                                  a_full_L1_holds_up_reads,
                                  a_read_is_of_the_class_of_its_last_line,
                                  each_step_is_a_read_and_the_last_one_returns_the_instruction,
                                  quads_with_fewer_steps_are_done_earlier,
                                  a_step_without_texels_reads_nothing,
                                  an_instruction_without_lanes_reads_nothing_and_comes_back,
                                  a_deadlock_report_says_what_has_not_come_back_from_L1};
    TCase *cases = tcase_create("texture_l1");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, instructions_follow_each_other_at_the_rate_of_quads, 0, 2);
    return harness_run_cases("texture_l1", cases);
}
