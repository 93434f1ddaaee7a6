/* Which CTAs an SM holds: limits, registers, shared memory, two kernels at once. */
#include "rig.h"

/* In turn: threads; CTAs; three warps a CTA; registers, eight warps of 33 x 32 rounded up to 1280;
 * shared memory; warps, registers and shared memory at once. */
START_TEST(an_SM_says_what_it_has_and_notes_what_is_scarce)
{
    static const struct {
        uint32_t threads, registers;
        uint64_t shared_bytes;
    } rows[] = {{512, 0, 0},  {32, 16, 0},     {65, 0, 0},
                {256, 33, 0}, {32, 16, 20480}, {768, 32, 49152}};
    g_autoptr(Rig) rig =
        rig_new("max_threads = 1792; max_warps = 64; max_ctas = 32; registers = 65540; "
                "register_granularity = 256; shared_memory = 96 KiB",
                0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Script *script = add_script(rig, rows[i].threads, NULL);
        script->kernel.registers_per_thread = rows[i].registers;
        script->kernel.shared_bytes_per_cta = rows[i].shared_bytes;
        launch(rig, script, CTA_KERNEL_START, 20 + i);
    }
    run(rig);
    const OccupancyLimits expected = {32, 1792, 64, 65536, 256, 1, 0, 98304, 1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const CtaMessage *offer = (const CtaMessage *)harness_arrival(rig->sink, i)->message;
        ck_assert_mem_eq(&offer->limits, &expected, sizeof expected);
        ck_assert_uint_eq(harness_arrival(rig->sink, i)->cycle, 22 + i);
    }
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_warps"), 3);
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_ctas"), 1);
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_registers"), 2);
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_shared"), 2);
}
END_TEST

/* 33 registers a thread are more than the 32 of a slot; with a mapping they leave fewer warps. */
START_TEST(a_fixed_mapping_has_no_more_than_its_part)
{
    g_autoptr(Rig) rig = rig_new("register_access = single_stage; registers = 65536; "
                                 "max_warps = 64",
                                 0);
    Script *script = add_script(rig, 32, NULL);
    script->kernel.registers_per_thread = 33;
    launch(rig, script, CTA_KERNEL_START, 20);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "33 registers a thread"));
}
END_TEST

/* Of 96 entries the CTAs take 32 each. The first and the third end at once, and a CTA with 40
 * registers a thread finds 64 free, but no 40 in a row; it begins after the second one's end at
 * 125. */
START_TEST(a_cta_waits_for_registers_in_one_piece)
{
    static const Instruction ends[] = {ALU(INT, 1, 1, 9), DO(EXIT)};
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("registers = 3072; register_granularity = 32", 0);
    Script *first = add_script(rig, 32, ends), *second = add_script(rig, 32, loads);
    Script *large = add_script(rig, 32, ends);
    first->kernel.registers_per_thread = second->kernel.registers_per_thread = 32;
    large->kernel.registers_per_thread = 40;
    launch(rig, first, 0, 20);
    launch(rig, second, 1, 20);
    launch(rig, first, 2, 20);
    launch(rig, large, 3, 40);
    run(rig);
    static const Issued expected[] = {{3, 0, 0, 126}};
    ASSERT_ISSUED(large, expected);
    ck_assert_uint_eq(unit_count(rig->sm, "fragmented"), 1);
    ck_assert_uint_eq(unit_level(rig->sm, "registers_allocated")->maximum, 3072);
    ck_assert_uint_eq(unit_level(rig->sm, "registers_allocated")->now, 0);
}
END_TEST

/* Two CTAs fit, for want of shared memory; two are 2 x 2 warps, 2 x 48 threads and 2 x 40 KiB. They
 * begin at 21 and load, warp by warp; the first warp ends at 123, the first CTA with the second.
 * A CTA alone, from 201 on, fills nothing. */
START_TEST(what_no_further_cta_fits_into_is_full)
{
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("shared_memory = 96 KiB; max_warps = 5; max_threads = 512", 0);
    Script *script = add_script(rig, 48, loads);
    script->kernel.shared_bytes_per_cta = 40 * 1024;
    script->kernel.registers_per_thread = 17; /* 544 a warp, rounded up to 768 */
    launch(rig, script, CTA_KERNEL_START, 10);
    for (uint64_t cta = 0; cta < 3; cta++) launch(rig, script, cta, cta < 2 ? 20 : 200);
    run(rig);
    const uint64_t stay = unit_level(rig->sm, "resident_ctas")->stay / TIME_NS;
    ck_assert_uint_eq(unit_work(rig->sm, "registers_allocated"),
                      unit_level(rig->sm, "resident_warps")->stay / TIME_NS * 768);
    ck_assert_uint_eq(unit_full(rig->sm, "shared_allocated"), 124 - 21);
    ck_assert_uint_eq(unit_full(rig->sm, "resident_warps"), 123 - 21);
    ck_assert_uint_eq(unit_work(rig->sm, "shared_allocated"), stay * 40 * 1024);
    ck_assert_uint_eq(unit_work(rig->sm, "resident_threads"), stay * 48);
    ck_assert_uint_eq(unit_full(rig->sm, "resident_threads"), 0);
    ck_assert_uint_eq(unit_full(rig->sm, "resident_ctas"), 0);
}
END_TEST

/* Two warps of 768 in each of four parts of 2048: four CTAs, although a fifth one's 1536 registers
 * are left. A CTA takes 40 KiB and 1 of shared memory, rounded up to 512 B. */
START_TEST(a_cta_takes_what_is_allocated_and_not_what_it_asks_for)
{
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("registers = 8192; register_partitions = 4; shared_memory = 1 MiB;"
                                 "shared_granularity = 512 B; shared_reserved = 1 KiB",
                                 0);
    Script *script = add_script(rig, 48, loads);
    script->kernel.shared_bytes_per_cta = 40 * 1024 - 100;
    script->kernel.registers_per_thread = 17; /* 544 a warp, rounded up to 768 */
    launch(rig, script, CTA_KERNEL_START, 10);
    for (uint64_t cta = 0; cta < 4; cta++) launch(rig, script, cta, 20);
    run(rig);
    const uint64_t stay = unit_level(rig->sm, "resident_ctas")->stay / TIME_NS;
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_registers"), 1);
    ck_assert_uint_gt(unit_full(rig->sm, "registers_allocated"), 50);
    ck_assert_uint_eq(unit_work(rig->sm, "shared_allocated"), stay * 41 * 1024);
}
END_TEST

/* Of those that are measured the one that has most. */
START_TEST(the_capacity_of_shared_memory_is_the_carve_out_in_force)
{
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("shared_memory = 96 KiB", 0);
    Script *script = add_script(rig, 32, loads);
    static const struct {
        uint64_t bytes;
        bool measured;
    } launches[] = {{65536, false}, {16384, true}, {8192, true}};
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++)
        g_array_append_val(rig->list->launches, ((Launch){.kernel = &script->kernel,
                                                          .l1_capacity = 1,
                                                          .shared_carve_out = launches[i].bytes,
                                                          .measured = launches[i].measured}));
    launch(rig, script, CTA_KERNEL_START, 10);
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(unit_meter_at(rig->sm, "shared_allocated", 0)->capacity, 16384);
}
END_TEST

START_TEST(shared_memory_that_nobody_has_or_wants_is_not_full)
{
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("shared_memory = 0 B", 0);
    Script *script = add_script(rig, 32, loads);
    launch(rig, script, CTA_KERNEL_START, 10);
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_lt(unit_full(rig->sm, "shared_allocated"), 20);
}
END_TEST

START_TEST(a_cta_that_does_not_fit_is_bad_input)
{
    g_autoptr(Rig) rig = rig_new("shared_memory = 96 KiB", 0);
    Script *script = add_script(rig, 32, NULL);
    script->kernel.shared_bytes_per_cta = 98305;
    launch(rig, script, CTA_KERNEL_START, 20);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "98305 B of shared memory does not fit on an SM"));
    ck_assert_int_eq(rig->harness->report.outcome, RUN_BAD_INPUT);
}
END_TEST

/* A warp of 1024 in each of two parts, which schedulers have in turns. */
START_TEST(a_cta_that_fits_finds_its_registers_where_schedulers_share_a_part)
{
    static const Instruction loads[] = {LOAD(1), DO(EXIT)};
    g_autoptr(Rig) rig = rig_new("schedulers = 4; " ONE_OF_EACH "; load_store_sharing = sm; "
                                 "registers = 2048; register_partitions = 2",
                                 0);
    Script *script = add_script(rig, 2 * 32, loads);
    script->kernel.registers_per_thread = 32;
    launch(rig, script, 0, 20);
    run(rig);
    ck_assert_uint_eq(script->issued->len, 2);
}
END_TEST

START_TEST(parts_that_schedulers_cannot_share_equally_are_refused)
{
    g_autoptr(Rig) rig = rig_new("schedulers = 4; " ONE_OF_EACH "; load_store_sharing = sm; "
                                 "register_partitions = 3",
                                 0);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "sm.register_partitions = 3"));
}
END_TEST

typedef struct {
    KernelStart starts[2];
    Rig *rig;
} Carving;

static Message *announce_and_launch(Unit *source, uint64_t number, Time *at, void *user)
{
    Carving *carving = user;
    if (!number) announce_kernels(source, carving->starts, 2);
    return make_launch(source, number, at, carving->rig);
}

/* The first launch carves 64 KiB out, the second leaves it to the parameter. Four CTAs fill the 64
 * KiB, but could have had 96: shared memory limits neither launch. */
START_TEST(the_launch_says_how_much_shared_memory_there_is)
{
    g_autoptr(Rig) rig = rig_new("shared_memory = 96 KiB; max_ctas = 4", 0);
    Script *script = add_script(rig, 32, NULL);
    script->kernel.shared_bytes_per_cta = 16384;
    Carving carving = {
        {{.at = 100,
          .launch = {.shared_carve_out = 65536, .l1_capacity = 65536, .shared_most = 98304}},
         {.at = 200, .launch = {.l1_capacity = 0}}},
        rig};
    simulation_set_boundary_delay(rig->harness->simulation, 50 * TIME_NS);
    harness_generate(rig->source, announce_and_launch, &carving);
    for (uint64_t i = 0; i < 2; i++) launch(rig, script, CTA_KERNEL_START, 110 + 100 * i);
    run(rig);
    for (guint i = 0; i < 2; i++) {
        const CtaMessage *offer = (const CtaMessage *)harness_arrival(rig->sink, i)->message;
        ck_assert_uint_eq(offer->limits.shared_bytes, i ? 98304 : 65536);
    }
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_shared"), 0);
    ck_assert_uint_eq(unit_count(rig->sm, "limited_by_ctas"), 2);
}
END_TEST

/* Warps of both kernels hide each other's latency. */
START_TEST(ctas_of_two_kernels_are_resident_side_by_side)
{
    static const Instruction loads[] = {LOAD(1), ALU(INT, 1, 2, 1), DO(EXIT)};
    static const Instruction computes[] = {ALU(INT, 20, 1, 9), DO(EXIT)};
    static const Issued first[] = {{0, 0, 0, 21}, {0, 0, 1, 21 + BACK}};
    static const Issued second[] = {{0, 0, 0, 22 + 19 * 4}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    Script *one = add_script(rig, 32, loads), *other = add_script(rig, 32, computes);
    one->kernel.registers_per_thread = 64;
    other->kernel.registers_per_thread = 16;
    launch(rig, one, 0, 20);
    launch(rig, other, 0, 20);
    run(rig);
    ASSERT_ISSUED(one, first);
    ASSERT_ISSUED(other, second);
    ck_assert_uint_eq(unit_level(rig->sm, "registers_allocated")->maximum, (64 + 16) * 32);
}
END_TEST

HARNESS_MAIN("sm_residency", an_SM_says_what_it_has_and_notes_what_is_scarce,
             a_fixed_mapping_has_no_more_than_its_part, a_cta_waits_for_registers_in_one_piece,
             what_no_further_cta_fits_into_is_full,
             a_cta_takes_what_is_allocated_and_not_what_it_asks_for,
             the_capacity_of_shared_memory_is_the_carve_out_in_force,
             shared_memory_that_nobody_has_or_wants_is_not_full,
             a_cta_that_does_not_fit_is_bad_input,
             a_cta_that_fits_finds_its_registers_where_schedulers_share_a_part,
             parts_that_schedulers_cannot_share_equally_are_refused,
             the_launch_says_how_much_shared_memory_there_is,
             ctas_of_two_kernels_are_resident_side_by_side)
