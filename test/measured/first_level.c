/* The first level of the presets against published figures: shared memory, L1, atomics, issue,
 * translation. Sources, short in the tables:
 *   Jia   Jia, Maggioni, Staiger, Scarpazza 2018, arXiv:1804.06826: V100, P100, M60, K80
 *   Mei   Mei, Chu, TPDS 2017, arXiv:1509.02308: GTX 980, GTX 780
 * Kernel launch and end, about 300 cycles, are taken out by subtracting a shorter run. Latencies of
 * L1 hits, L2 hits and DRAM are in presets.c and v100.c, strides and the edge of L1 in
 * test/measured/l1_curves.c. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

/* Core cycles that each of `count` more costs: `key` once at `count` and once at twice that. */
static double cycles_each(const char *arguments, const char *variant, const char *key,
                          unsigned count)
{
    char *folder = temporary_folder();
    double cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *line =
            g_strdup_printf("%s --variant %s --set 'machine.sms=1' --set '%s=%u'", arguments,
                            variant, key, count << i);
        run(folder, line);
        cycles[i] = cycles_of(folder, variant);
    }
    temporary_remove(folder);
    return (cycles[1] - cycles[0]) / count;
}

static void check_within(const char *what, double modelled, double published, double tolerance)
{
    ck_assert_msg(fabs(modelled / published - 1) <= tolerance, "%s: %.2f, published %.2f", what,
                  modelled, published);
}

/* --- shared memory ---------------------------------------------------------------------------- */

static const struct {
    const char *preset;
    unsigned bank_words, ways;
    double published, tolerance;
} conflicts[] = {
    /* Mei, bank conflicts */
    {"gtx980", 1, 2, 30, 0.1},
    {"gtx980", 1, 4, 34, 0.1},
    {"gtx980", 1, 8, 42, 0.1},
    {"gtx980", 1, 16, 58, 0.1},
    {"gtx980", 1, 32, 90, 0.1},
    {"gtx780", 2, 2, 82, 0.1},
    {"gtx780", 2, 4, 96, 0.1},
    {"gtx780", 2, 8, 158, 0.1},
    {"gtx780", 2, 16, 257, 0.1},
    {"gtx780", 2, 32, 484, 0.1},
    /* Jia, table 3.1 */
    {"v100", 1, 1, 19, 0.05},
    {"p100", 1, 1, 24, 0.05},
    {"k80", 2, 1, 26, 0.05},
    {"m60", 1, 1, 23, 0.05},
};

START_TEST(bank_conflicts_take_as_long_as_measured)
{
    g_autofree char *arguments = g_strdup_printf(
        "bank-conflicts --set scenario.extends=%s --set workload.bank_words=%u --set "
        "workload.ways=%u",
        conflicts[_i].preset, conflicts[_i].bank_words, conflicts[_i].ways);
    check_within(arguments, cycles_each(arguments, "1-way", "workload.loads", 128),
                 conflicts[_i].published, conflicts[_i].tolerance);
}
END_TEST

static const struct {
    const char *preset;
    unsigned bank_words;
} banked[] = {{"v100", 1}, {"k80", 2}};

START_TEST(an_access_with_N_lanes_in_a_bank_makes_N_passes)
{
    for (unsigned ways = 1; ways <= 32; ways *= 2) {
        char *folder = temporary_folder();
        g_autofree char *arguments = g_strdup_printf(
            "bank-conflicts --variant 1-way --set scenario.extends=%s --set workload.bank_words=%u "
            "--set workload.ways=%u --set workload.loads=64",
            banked[_i].preset, banked[_i].bank_words, ways);
        run(folder, arguments);
        const double accesses = result_number(folder, "1-way", "units.l1.total.shared_accesses"),
                     passes = result_number(folder, "1-way", "units.l1.total.shared_passes");
        temporary_remove(folder);
        ck_assert_msg(accesses == 64 && passes == 64 * ways, "%s: %.0f passes of %.0f accesses",
                      arguments, passes, accesses);
    }
}
END_TEST

/* --- atomics ---------------------------------------------------------------------------------- */

/* Jia, table 4.2: cycles with 1, 2, 4, 8, 16 and 32 lanes on one address. */
static const struct {
    const char *preset;
    unsigned in_shared;
    double published[6], tolerance;
} atomics[] = {
    {"v100", 1, {6, 7, 11, 18, 24, 66}, 0.25},         {"v100", 0, {36, 31, 32, 41, 58, 76}, 0.17},
    {"p100", 1, {15, 17, 19, 30, 46, 78}, 0.25},       {"p100", 0, {26, 31, 48, 48, 50, 50}, 0.25},
    {"k80", 1, {93, 214, 460, 952, 1936, 4257}, 0.15}, /* a loop with a lock */
    {"k80", 0, {29, 69, 96, 152, 264, 488}, 0.03},
};

START_TEST(atomics_on_one_address_take_as_long_as_measured)
{
    for (unsigned i = 0; i < 6; i++) {
        g_autofree char *arguments = g_strdup_printf(
            "atomics --set scenario.extends=%s --set workload.in_shared=%u --set workload.lanes=%u",
            atomics[_i].preset, atomics[_i].in_shared, 1U << i);
        check_within(arguments, cycles_each(arguments, "global-1", "workload.count", 128),
                     atomics[_i].published[i], atomics[_i].tolerance);
    }
}
END_TEST

/* --- L1 bandwidth ----------------------------------------------------------------------------- */

/* Bytes a cycle and SM. */
static const struct {
    const char *preset;
    unsigned kib;
    double low, high;
} bandwidths[] = {
    {"v100", 64, 108, 128},                   /* Jia, table 3.2; four blocks of 32 B at most */
    {"p100", 16, 31.3 * 0.95, 31.3 * 1.05},   /* Jia, table 3.2 */
    {"k80", 8, 69, 109},                      /* Jia, table 3.2; gpumembench */
    {"gtx980", 16, 15.7 * 0.95, 15.7 * 1.05}, /* Jia, table 3.2, of an M60 */
};

START_TEST(L1_has_the_bandwidth_that_was_measured)
{
    g_autofree char *arguments = g_strdup_printf(
        "cache-bandwidth --set scenario.extends=%s --set workload.ctas=1 --set workload.kib=%u",
        bandwidths[_i].preset, bandwidths[_i].kib);
    const double cycles = cycles_each(arguments, "16-KiB", "workload.laps", 32),
                 bytes_a_cycle = bandwidths[_i].kib * 1024 / cycles;
    ck_assert_msg(bytes_a_cycle >= bandwidths[_i].low && bytes_a_cycle <= bandwidths[_i].high,
                  "%s: %.2f B a cycle, published %.1f to %.1f", arguments, bytes_a_cycle,
                  bandwidths[_i].low, bandwidths[_i].high);
}
END_TEST

/* --- issue ------------------------------------------------------------------------------------ */

/* What the units of an SM accept a cycle over the width of its schedulers, under the mix that fills
 * every unit; counted from the published units (Kepler: 9 of 8, Maxwell: 6.25 of 8). */
static const struct {
    const char *variant;
    unsigned instructions; /* of a warp in a round */
    double published;
} mixes[] = {{"kepler-wide", 9, 1.125}, {"maxwell-wide", 25, 0.78}};

START_TEST(the_units_accept_what_was_counted_over_the_width_of_issue)
{
    const double warps = 64, width = 8,
                 cycles = cycles_each("issue-mix", mixes[_i].variant, "workload.rounds", 128);
    check_within(mixes[_i].variant, warps * mixes[_i].instructions / cycles / width,
                 mixes[_i].published, 0.03);
}
END_TEST

static char *program_file(const char *folder, const char *preset, const char *code)
{
    g_autofree char *text = g_strdup_printf("[scenario]\nextends = %s\n\n[workload]\n"
                                            "pattern = program\nthreads_per_cta = 32\ncode =\n%s",
                                            preset, code);
    return temporary_file(folder, "program.ini", text);
}

/* NVIDIA, CUDA C programming guide: about 11 cycles on Kepler; measured are 9. */
START_TEST(arithmetic_of_a_Kepler_takes_about_10_cycles_a_step)
{
    char *folder = temporary_folder();
    g_autofree char *file = program_file(folder, "k80",
                                         "  param steps = 64\n"
                                         "  x = fp32\n"
                                         "  for i in 0..steps { x = fp32 x }\n");
    const double cycles = cycles_each(file, "baseline", "workload.steps", 512);
    temporary_remove(folder);
    ck_assert_msg(cycles >= 9 && cycles <= 11, "%.2f cycles a step", cycles);
}
END_TEST

/* --- registers -------------------------------------------------------------------------------- */

START_TEST(fewer_registers_let_more_warps_be_resident_until_spills_cost_more)
{
    static const unsigned registers[] = {255, 128, 64, 48, 40, 32, 24};
    enum { SIZES = G_N_ELEMENTS(registers) };
    double cycles[SIZES], local[SIZES], warps[SIZES];
    unsigned best = 0;
    char *folder = temporary_folder();
    run(folder, "spills");
    for (unsigned i = 0; i < SIZES; i++) {
        g_autofree char *variant = g_strdup_printf("registers-%u", registers[i]);
        cycles[i] = cycles_of(folder, variant);
        /* without spills there is none */
        local[i] = registers[i] >= 64 ? 0 : summary_of(folder, variant, "local_bytes");
        warps[i] = result_number(folder, variant, "units.sm.total.resident_warps.mean");
        if (cycles[i] < cycles[best]) best = i;
        ck_assert_msg(!i || warps[i] > warps[i - 1], "%s: %.1f warps", variant, warps[i]);
        ck_assert_msg(registers[i] >= 64 || local[i] > local[i - 1], "%s: %.0f B", variant,
                      local[i]);
    }
    temporary_remove(folder);
    ck_assert_uint_gt(best, 0);
    ck_assert_uint_lt(best, SIZES - 1);
}
END_TEST

/* --- uncoalesced ------------------------------------------------------------------------------ */

START_TEST(a_load_of_32_lines_is_looked_up_32_times)
{
    char *folder = temporary_folder();
    g_autofree char *file = program_file(folder, "k80",
                                         "  global A[32 * 32]\n"
                                         "  for i in 0..64 { x = load A[32 * lane] }\n");
    run(folder, file);
    const double accesses = summary_of(folder, "baseline", "l1.accesses"),
                 wavefronts = result_number(folder, "baseline", "units.l1.total.wavefronts");
    temporary_remove(folder);
    ck_assert_double_eq(accesses, 32 * 64);
    ck_assert_double_eq(wavefronts, 32 * 64);
}
END_TEST

/* --- translation ------------------------------------------------------------------------------ */

enum { KIB = 1024, MIB = 1024 * KIB };

/* Mei, figure 14. One load a page; the lines stay in L2, which takes 256 B of each. */
static const struct {
    const char *preset;
    unsigned page, pages;
    double published;
} translations[] = {
    {"gtx980", 128 * KIB, 16, 214}, {"gtx980", 128 * KIB, 17, 225}, {"gtx980", 2 * MIB, 64, 225},
    {"gtx980", 2 * MIB, 65, 289},   {"gtx780", 128 * KIB, 16, 198}, {"gtx780", 128 * KIB, 17, 204},
    {"gtx780", 2 * MIB, 64, 204},   {"gtx780", 2 * MIB, 65, 257},
};

START_TEST(a_TLB_miss_costs_what_was_measured)
{
    char *folder = temporary_folder();
    const unsigned pitch = translations[_i].page + 256, pages = translations[_i].pages;
    g_autofree char *text =
        g_strdup_printf("[scenario]\nextends = %s\n\n[l1]\ncached = none\n\n"
                        "[workload]\npattern = pointer_chase\nwarps = 1\n"
                        "active_lanes = 1\nnode_pitch = %u B\nworking_set = %u B\n",
                        translations[_i].preset, pitch, pitch * pages);
    g_autofree char *file = temporary_file(folder, "chase.ini", text);
    /* four laps warm up */
    const double cycles = cycles_each(file, "baseline", "workload.loads", 4 * pages);
    temporary_remove(folder);
    check_within(text, cycles, translations[_i].published, 0.01);
}
END_TEST

/* Mei, figure 14: loads from DRAM, each in a page of its own that was never met before: 32 MiB
 * apart within one window of 512 MiB, or each in another window. */
static const struct {
    const char *preset;
    unsigned pitch_mib;
    double published;
} walks[] = {
    {"gtx980", 32, 2461}, {"gtx980", 512, 2750}, {"gtx780", 32, 702}, {"gtx780", 512, 968}};

START_TEST(a_page_walk_costs_what_was_measured)
{
    char *folder = temporary_folder();
    g_autofree char *code =
        g_strdup_printf("  param loads = 8\n"
                        "  let pitch = %u MiB / 4\n"
                        "  global a[16 * pitch] at 4 GiB content index + pitch\n"
                        "  p = 0\n"
                        "  for i in 0..loads { p = load a[p] }\n",
                        walks[_i].pitch_mib);
    g_autofree char *file = program_file(folder, walks[_i].preset, code);
    const double cycles = cycles_each(file, "baseline", "workload.loads", 8);
    temporary_remove(folder);
    check_within(code, cycles, walks[_i].published, 0.01);
}
END_TEST

#define ADD_ROWS(cases, test, rows) tcase_add_loop_test(cases, test, 0, G_N_ELEMENTS(rows))

static TCase *published_cases(void)
{
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    ADD_ROWS(cases, bank_conflicts_take_as_long_as_measured, conflicts);
    ADD_ROWS(cases, an_access_with_N_lanes_in_a_bank_makes_N_passes, banked);
    ADD_ROWS(cases, atomics_on_one_address_take_as_long_as_measured, atomics);
    ADD_ROWS(cases, L1_has_the_bandwidth_that_was_measured, bandwidths);
    ADD_ROWS(cases, the_units_accept_what_was_counted_over_the_width_of_issue, mixes);
    tcase_add_test(cases, arithmetic_of_a_Kepler_takes_about_10_cycles_a_step);
    tcase_add_test(cases, fewer_registers_let_more_warps_be_resident_until_spills_cost_more);
    tcase_add_test(cases, a_load_of_32_lines_is_looked_up_32_times);
    ADD_ROWS(cases, a_TLB_miss_costs_what_was_measured, translations);
    ADD_ROWS(cases, a_page_walk_costs_what_was_measured, walks);
    return cases;
}

int main(void)
{
    Suite *suite = suite_create("first level");
    suite_add_tcase(suite, published_cases());
    return harness_run_suite(suite);
}
