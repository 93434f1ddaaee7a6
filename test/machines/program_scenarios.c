/* The scenarios that come with the program and are written in the kernel language. */
#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/program.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/scenario.h"

START_TEST(every_variant_of_every_scenario_builds)
{
    g_autofree char *directory = catalogue_scenario_directory();
    g_auto(GStrv) names = catalogue_list(directory);
    guint variants = 0;
    for (char **name = names; *name; name++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Scenario) scenario = scenario_load(*name, NULL, &error);
        ck_assert_msg(scenario != NULL, "%s: %s", *name, error ? error->message : "");
        for (guint i = scenario->template_only; i < scenario->variants->len; i++, variants++) {
            const Variant *variant = scenario->variants->pdata[i];
            const bool good = variant_check(variant, &error);
            g_autoptr(LaunchList) list = good ? variant_build_launches(variant, &error) : NULL;
            ck_assert_msg(list != NULL, "%s, %s: %s", *name, variant->name,
                          error ? error->message : "");
        }
    }
    ck_assert_uint_gt(variants, 60);
}
END_TEST

/* One warp's instructions of a scenario's last launch. */
static GArray *warp_of(const char *name, const char *variant, uint64_t cta, uint32_t warp)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Scenario) scenario = scenario_load(name, NULL, &error);
    ck_assert_msg(scenario != NULL, "%s", error ? error->message : "");
    const Variant *found = scenario_find_variant(scenario, variant, &error);
    ck_assert_msg(found != NULL, "%s", error ? error->message : "");
    g_autoptr(LaunchList) list = variant_build_launches(found, &error);
    ck_assert_msg(list != NULL, "%s", error ? error->message : "");
    return fetch_warp(kernel_of(list, list->launches->len - 1), cta, warp, NULL);
}

static const Fetched *nth(const GArray *warp, Operation operation, Space space, guint n)
{
    for (guint i = 0; i < warp->len; i++) {
        const Fetched *f = fetched_at(warp, i);
        if (f->in.operation == operation && (!f->in.width || f->in.space == space) && !n--)
            return f;
    }
    ck_abort_msg("there is no such instruction");
}

static const struct {
    const char *variant;
    uint32_t ways; /* words of the most wanted bank */
} conflicts[] = {{"1-way", 1},   {"2-way", 2},     {"8-way", 8},
                 {"32-way", 32}, {"stride-33", 1}, {"many-8-way", 8}};

START_TEST(bank_conflicts_have_the_ways_they_are_named_for)
{
    g_autoptr(GArray) warp = warp_of("bank-conflicts", conflicts[_i].variant, 0, 0);
    const Fetched *load = nth(warp, OPERATION_LOAD, SPACE_SHARED, 3);
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < 32; bank++) {
        uint32_t words = 0;
        for (uint32_t lane = 0; lane < 32; lane++) words += load->address[lane] / 4 % 32 == bank;
        most = MAX(most, words);
    }
    ck_assert_uint_eq(most, conflicts[_i].ways);
}
END_TEST

START_TEST(strides_are_those_of_the_benchmark)
{
    static const uint64_t offsets[] = {0, 4, 8, 12, 20, 16, 24, 28};
    g_autoptr(GArray) stride = warp_of("l1-strides", "stride-3", 0, 3);
    g_autoptr(GArray) width = warp_of("l1-strides", "width-8", 0, 3);
    const uint64_t begin = nth(stride, OPERATION_LOAD, SPACE_GLOBAL, 0)->address[0] - 32 * 3 * 8;
    for (guint k = 0; k < 16; k++) {
        const Fetched *a = nth(stride, OPERATION_LOAD, SPACE_GLOBAL, k);
        const Fetched *b = nth(width, OPERATION_LOAD, SPACE_GLOBAL, k);
        for (uint64_t lane = 0; lane < 32; lane++) {
            const uint64_t thread = 96 + lane;
            ck_assert_uint_eq(a->address[lane] - begin, (thread % 64 * 3 + offsets[k % 8]) * 8);
            ck_assert_uint_eq(b->address[lane] - begin,
                              (thread % 8 + (thread / 8 % 32 + 1) * 4098 + offsets[k % 8]) * 8);
        }
    }
}
END_TEST

START_TEST(the_misses_are_those_of_the_benchmark)
{
    g_autoptr(GArray) first = warp_of("outstanding-misses", "baseline", 0, 0);
    g_autoptr(GArray) last = warp_of("outstanding-misses", "baseline", 0, 31);
    const uint64_t begin = nth(first, OPERATION_LOAD, SPACE_GLOBAL, 0)->address[0];
    for (uint32_t k = 0; k < 6; k++)
        ck_assert_uint_eq(nth(last, OPERATION_LOAD, SPACE_GLOBAL, k)->address[9] - begin,
                          (31 * 32 + 9) * 4096 + k * 400);
}
END_TEST

START_TEST(every_cta_reads_the_same_buffer_again_and_again)
{
    g_autoptr(GArray) warp = warp_of("cache-bandwidth", "16-KiB", 0, 5);
    g_autoptr(GArray) other = warp_of("cache-bandwidth", "16-KiB", 79, 5);
    const uint32_t loads = 16 * 128 / 256; /* a lap of a thread */
    for (uint32_t k = 0; k < 3 * loads; k++) {
        const Fetched *load = nth(warp, OPERATION_LOAD, SPACE_GLOBAL, k);
        const Fetched *lap = nth(warp, OPERATION_LOAD, SPACE_GLOBAL, k % loads);
        ck_assert_uint_eq(load->address[31], lap->address[31]);
        ck_assert_uint_eq(load->address[31],
                          nth(other, OPERATION_LOAD, SPACE_GLOBAL, k)->address[31]);
        ck_assert_uint_eq(load->address[31] - load->address[0], 31 * 8);
    }
}
END_TEST

static uint32_t count_fma(const GArray *warp)
{
    uint32_t count = 0;
    for (guint i = 0; i < warp->len; i++) {
        const Instruction *in = &fetched_at(warp, i)->in;
        count += in->operation == OPERATION_ALU && in->source_count == 3;
    }
    return count;
}

START_TEST(staged_and_direct_matrix_products_are_the_same_computation)
{
    g_autoptr(GArray) staged = warp_of("matmul", "staged", 17, 2);
    g_autoptr(GArray) direct = warp_of("matmul", "direct", 17, 2);
    ck_assert_uint_eq(count_fma(staged), 192);
    ck_assert_uint_eq(count_fma(direct), 192);
    const Fetched *c = nth(staged, OPERATION_STORE, SPACE_GLOBAL, 0);
    const Fetched *d = nth(direct, OPERATION_STORE, SPACE_GLOBAL, 0);
    ck_assert_mem_eq(c->address, d->address, sizeof c->address);
    /* CTA 17 is tile (1, 5) of 12 x 12; lane 20 of warp 2 is its element (5, 4) */
    const uint64_t begin = c->address[0] - ((16 + 4) * 192 + 5 * 16) * 4;
    ck_assert_uint_eq(c->address[20] - begin, ((16 + 5) * 192 + 5 * 16 + 4) * 4);
    /* what the third step of k stages into a: row 21, columns 32.. */
    const Fetched *load = nth(staged, OPERATION_LOAD, SPACE_GLOBAL, 4);
    const uint64_t a = nth(direct, OPERATION_LOAD, SPACE_GLOBAL, 0)->address[0] - 20 * 192 * 4;
    ck_assert_uint_eq(load->address[20] - a, (21 * 192 + 32 + 4) * 4);
}
END_TEST

START_TEST(a_reduction_halves_its_threads)
{
    g_autoptr(GArray) first = warp_of("reduction", "sequential", 3, 0);
    g_autoptr(GArray) second = warp_of("reduction", "sequential", 3, 1);
    g_autoptr(GArray) interleaved = warp_of("reduction", "interleaved", 3, 0);
    /* 256 threads: steps of 128, 64, 32 ... 1 threads load twice; warp 1 is in the first two */
    ck_assert_uint_eq(nth(first, OPERATION_LOAD, SPACE_SHARED, 8)->in.mask, 0xff);
    ck_assert_uint_eq(nth(first, OPERATION_LOAD, SPACE_SHARED, 1)->address[0], 128 * 4);
    ck_assert_uint_eq(nth(second, OPERATION_LOAD, SPACE_SHARED, 3)->address[0], (32 + 64) * 4);
    uint32_t loads = 0;
    for (guint i = 0; i < second->len; i++) {
        const Instruction *in = &fetched_at(second, i)->in;
        loads += in->operation == OPERATION_LOAD && in->space == SPACE_SHARED;
    }
    ck_assert_uint_eq(loads, 4);
    ck_assert_uint_eq(nth(interleaved, OPERATION_LOAD, SPACE_SHARED, 4)->address[1], 8 * 4);
}
END_TEST

START_TEST(commands_tell_of_spills_and_of_the_programs_parameters)
{
    char *folder = temporary_folder();
    const Outcome check = warpmem(folder, "check spills");
    ck_assert_int_eq(check.status, 0);
    ck_assert_ptr_nonnull(strstr(check.out, "registers-48: kernel program, 48 registers: 14 spill "
                                            "loads and 12 spill stores a thread\n"));
    const Outcome show = warpmem(folder, "show spills --set workload.rounds=7 --json");
    ck_assert_ptr_nonnull(strstr(show.out, "\"name\": \"workload.live\",\n    \"value\": \"32\""));
    ck_assert_ptr_nonnull(strstr(show.out, "\"name\": \"workload.rounds\",\n    \"value\": \"7\""));
    const Outcome text = warpmem(folder, "show spills");
    ck_assert_ptr_nonnull(strstr(text.out, "(13 lines)"));
    const Outcome run = warpmem(folder, "run spills --variant registers-48 --set workload.ctas=1 "
                                        "--set machine.sms=1 -q -o out");
    ck_assert_int_eq(run.status, 0);
    g_autofree char *result = contents(folder, "out/registers-48/result.json");
    ck_assert_ptr_nonnull(strstr(result, "\"spill_loads_per_thread\": 14"));
    ck_assert_ptr_nonnull(strstr(result, "\"spill_stores_per_thread\": 12"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_scenarios"), *repeating = tcase_create("all variants");
    tcase_add_test(repeating, every_variant_of_every_scenario_builds);
    tcase_add_loop_test(cases, bank_conflicts_have_the_ways_they_are_named_for, 0,
                        G_N_ELEMENTS(conflicts));
    tcase_add_test(cases, strides_are_those_of_the_benchmark);
    tcase_add_test(cases, the_misses_are_those_of_the_benchmark);
    tcase_add_test(cases, every_cta_reads_the_same_buffer_again_and_again);
    tcase_add_test(cases, staged_and_direct_matrix_products_are_the_same_computation);
    tcase_add_test(cases, a_reduction_halves_its_threads);
    tcase_add_test(cases, commands_tell_of_spills_and_of_the_programs_parameters);
    return harness_run_repeating("program_scenarios", cases, repeating);
}
