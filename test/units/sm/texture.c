/* The SM's way to the texture unit: issue, back-pressure, completion. */
#include "rig.h"

#include "kit/gpu/texture.h"

static const TextureBinding binding;

#define SAMPLE(to)                                                                                 \
    {                                                                                              \
        .operation = OPERATION_LOAD, .space = SPACE_TEXTURE, .binding = &binding,                  \
        .destination = to, .destination_count = 1, .width = 4                                      \
    }

static FarSide *texture;

static void find_coordinates(const Kernel *kernel, const WarpCursor *cursor,
                             const Instruction *instruction, SampleCoordinates *at)
{
    (void)kernel;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        at->point[lane] =
            (TexturePoint){(float)cursor->position, (float)lane, (float)instruction->destination};
}

/* With a texture unit that answers after 100 cycles: a sample that leaves at t is back at
 * t + 1 + 100 + 1. It leaves when its last lanes have, with 4 lanes 7 cycles after issue. */
static Rig *rig_new_with_texture(const char *settings, uint32_t room, const char *input)
{
    Rig *rig = rig_new(settings, 0);
    texture = far_side_add(rig->harness, rig->sm, "to_texture", input, room);
    return rig;
}

static Script *add_sampler(Rig *rig, uint32_t threads, const Instruction *code)
{
    static const KernelClass sampler_class = {.fetch = script_fetch,
                                              .coordinates = find_coordinates};
    Script *script = add_script(rig, threads, code);
    script->kernel.class = &sampler_class;
    return script;
}

static void run_one(Rig *rig, Script *script)
{
    launch(rig, script, 0, 20);
    run(rig);
}

static const Samples *samples_seen(guint number)
{
    return ((const WarpAccess *)far_side_seen(texture, number)->message)->samples;
}

/* The second sample is coordinates of its own: fetch has been called twice then. */
START_TEST(a_sample_goes_to_the_texture_unit_with_its_coordinates)
{
    static const Instruction code[] = {SAMPLE(1), SAMPLE(5), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 4", 0, "from_texture");
    run_one(rig, add_sampler(rig, 32, code));
    ck_assert_uint_eq(texture->seen->len, 2);
    ck_assert_uint_eq(far_side_seen(texture, 0)->cycle, 21 + 7 + 1);
    ck_assert_uint_eq(far_side_seen(texture, 1)->cycle, 21 + 8 + 7 + 1);
    for (guint i = 0; i < 2; i++)
        for (guint lane = 0; lane < LANES_MAX; lane++) {
            const TexturePoint *point = &samples_seen(i)->at.point[lane];
            ck_assert(point->x == i + 1 && point->y == lane && point->z == (i ? 5 : 1));
        }
    ck_assert_uint_eq(unit_count(rig->sm, "texture_instructions"), 2);
    ck_assert_uint_eq(unit_count(rig->sm, "texture_accepted"), 2);
}
END_TEST

/* Beside it a load, which is back at 22 + 102. The sample's latency is counted from its issue. */
START_TEST(the_consumer_of_a_sample_waits_for_it)
{
    static const Instruction code[] = {SAMPLE(1), LOAD(2), ALU(INT, 1, 3, 2), ALU(INT, 1, 4, 1),
                                       DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 0, 1, 22}, {0, 0, 2, 22 + BACK}, {0, 0, 3, 21 + 7 + BACK}};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 4", 0, "from_texture");
    Script *script = add_sampler(rig, 32, code);
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_histogram(rig->sm, "sample_latency")->count, 1);
    ck_assert_uint_eq(unit_histogram(rig->sm, "sample_latency")->sum, (7 + BACK) * TIME_NS);
    ck_assert_uint_eq(unit_histogram(rig->sm, "load_latency")->sum, (7 + 2 * BACK) * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->sm, "load_instructions"), 1);
    ck_assert_uint_eq(unit_count(rig->sm, "memory_instructions"), 1);
    ck_assert_uint_eq(unit_bytes(rig->sm, "requested_bytes"), 32 * 4);
}
END_TEST

/* Read in two cycles more. */
START_TEST(samples_read_their_operands_first)
{
    static const Instruction code[] = {SAMPLE(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + 2 + BACK}};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 32; register_read_stages = 2 cycles",
                                              0, "from_texture");
    Script *script = add_sampler(rig, 32, code);
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(unit_histogram(rig->sm, "sample_latency")->sum, (2 + BACK) * TIME_NS);
}
END_TEST

/* A texture instruction without coordinates only issues, and takes its latency. */
START_TEST(texture_arithmetic_stays_in_the_SM)
{
    static const Instruction code[] = {ALU(TEXTURE, 1, 1, 9), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + 20 + 7}};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 4", 0, "from_texture");
    Script *script = add_sampler(rig, 32, code);
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_eq(texture->seen->len, 0);
}
END_TEST

/* The one place in front of the texture unit is taken at 21 and free at 23, and from 24 again until
 * 26. The other warp loads meanwhile. */
START_TEST(a_full_texture_unit_stops_samples_and_nothing_else)
{
    static const Instruction samples[] = {SAMPLE(1), SAMPLE(2), SAMPLE(3), DO(EXIT)};
    static const Instruction loads[] = {LOAD(1), LOAD(2), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 1, 0, 22}, {0, 1, 1, 23}, {0, 0, 1, 24}, {0, 0, 2, 26}};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 32", 1, "from_texture");
    Script *script = add_sampler(rig, 64, samples);
    script->warp[1] = loads;
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    ck_assert_uint_gt(unit_count(rig->sm, "texture_lost"), 0);
    ck_assert_uint_eq(unit_count(rig->sm, "load_store_lost"), 0);
}
END_TEST

/* Nobody else is ready: the SM sleeps until the place is free. */
START_TEST(a_blocked_sample_wakes_the_SM_when_there_is_room)
{
    static const Instruction code[] = {SAMPLE(1), SAMPLE(2), DO(EXIT)};
    static const Issued expected[] = {{0, 0, 0, 21}, {0, 0, 1, 23}};
    g_autoptr(Rig) rig = rig_new_with_texture("texture_lanes = 32", 1, "from_texture");
    Script *script = add_sampler(rig, 32, code);
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 23 + BACK + 1);
}
END_TEST

/* What the load/store unit has sent that way: a notice after 20, the end after 100. */
START_TEST(stores_through_the_texture_unit_are_heard_of_there)
{
    static const char *const inputs[] = {"from_texture", "from_texture_stores"};
    static const Instruction code[] = {STORE, DO(WAIT_STORES), DO(FENCE), LOAD(1), DO(EXIT)};
    static const Issued expected[] = {
        {0, 0, 0, 21}, {0, 0, 1, 21 + LEFT}, {0, 0, 2, 21 + BACK}, {0, 0, 3, 22 + BACK}};
    g_autoptr(Rig) rig = rig_new_at(NULL, 0, inputs[_i]);
    rig->memory->notice = 20;
    Script *script = add_script(rig, 32, code);
    run_one(rig, script);
    ASSERT_ISSUED(script, expected);
    assert_done(rig, 22 + 2 * BACK + 1);
}
END_TEST

START_TEST(a_deadlock_report_says_that_the_SM_waits_for_the_texture_unit)
{
    static const Instruction code[] = {SAMPLE(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new_with_texture("", 0, "from_texture");
    texture->silent = true;
    launch(rig, add_sampler(rig, 32, code), 0, 20);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "sm: 1 warps resident, 1 of them wait for loads, 0 at a barrier; "
                               "waits for far_side"),
                  "%s", text);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("sm_texture");
    const TTest *const tests[] = {a_sample_goes_to_the_texture_unit_with_its_coordinates,
                                  the_consumer_of_a_sample_waits_for_it,
                                  samples_read_their_operands_first,
                                  texture_arithmetic_stays_in_the_SM,
                                  a_full_texture_unit_stops_samples_and_nothing_else,
                                  a_blocked_sample_wakes_the_SM_when_there_is_room,
                                  a_deadlock_report_says_that_the_SM_waits_for_the_texture_unit};
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, stores_through_the_texture_unit_are_heard_of_there, 0, 2);
    return harness_run_cases("sm_texture", cases);
}
