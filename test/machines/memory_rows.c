/* Behaviours of DRAM, of written data and of the whole hierarchy that emerge in a whole machine:
 * each test runs a shipped scenario and compares its variants. */

#include "rigs/harness.h"
#include "rigs/shipped.h"

/* A number of the kernel at `index` of a variant. */
static double of_kernel(const char *folder, const char *variant, guint index, const char *name)
{
    g_autofree char *text = result_text(folder, variant);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *result = json_node_get_object(json_parser_get_root(parser));
    JsonArray *kernels =
        json_object_get_array_member(json_object_get_object_member(result, "summary"), "kernels");
    return json_object_get_double_member(json_array_get_object_element(kernels, index), name);
}

enum { STREAM, HOT, SMALL, LARGE };

/* Time of a kernel over that of the baseline. */
static double relative(const char *folder, const char *variant, guint kernel)
{
    return of_kernel(folder, variant, kernel, "time_ns")
           / of_kernel(folder, "baseline", kernel, "time_ns");
}

#define BETWEEN(low, value, high)                                                                  \
    do {                                                                                           \
        const double value_ = (value);                                                             \
        ck_assert_msg(value_ >= (low) && value_ <= (high), "%s: %g", #value, value_);              \
    } while (0)

START_TEST(capacity_helps_what_it_makes_fit_and_bandwidth_who_waits_for_it)
{
    char *folder = ran("capacity-or-bandwidth");
    /* data that is used once: only the pins of the DRAM matter */
    static const char *const others[] = {"l1-capacity", "l1-bandwidth", "l2-capacity",
                                         "l2-bandwidth", "dram-capacity"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        BETWEEN(0.98, relative(folder, others[i], STREAM), 1.02);
    BETWEEN(0.48, relative(folder, "dram-bandwidth", STREAM), 0.58);
    /* 64 KiB in an L1 of 121 KiB: wait for L1's data banks */
    BETWEEN(0.98, relative(folder, "l1-capacity", HOT), 1.02);
    BETWEEN(0.4, relative(folder, "l1-bandwidth", HOT), 0.75);
    /* 160 KiB fit an L1 of 249 KiB; else they come from L2 */
    BETWEEN(0.2, relative(folder, "l1-capacity", SMALL), 0.5);
    BETWEEN(0.4, relative(folder, "l2-bandwidth", SMALL), 0.65);
    BETWEEN(0.95, relative(folder, "l2-capacity", SMALL), 1.05);
    /* 512 KiB fit an L2 of 768 KiB, not one of 384 KiB; and no L1 */
    BETWEEN(0.95, relative(folder, "l1-capacity", LARGE), 1.05);
    BETWEEN(0.85, relative(folder, "l2-capacity", LARGE), 0.98);
    BETWEEN(0.5, relative(folder, "l2-bandwidth", LARGE), 0.75);
    /* more DRAM than the data need changes nothing */
    for (guint kernel = STREAM; kernel <= LARGE; kernel++)
        ck_assert_double_eq(relative(folder, "dram-capacity", kernel), 1);
    temporary_remove(folder);
}
END_TEST

/* Twice through a table with 8 MiB of DRAM: what does not fit comes twice, in what is left of a
 * link of 12 GB/s once a fault has taken 45 us and a move 2. */
START_TEST(twice_the_DRAM_is_worth_it_where_arrays_do_not_fit)
{
    static const struct {
        const char *variant;
        double read, came; /* MiB */
    } rows[] = {{"half", 8, 4},         {"whole", 16, 8},      {"baseline", 24, 24},
                {"twice", 32, 32},      {"more-dram", 24, 12}, {"more-pins", 24, 24},
                {"no-prefetch", 24, 24}};
    char *folder = ran("oversubscription -v baseline -v half -v whole -v twice -v more-dram "
                       "-v more-pins -v no-prefetch");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const char *variant = rows[i].variant;
        const double moves = result_number(folder, variant, "units.pager.total.moves_in"),
                     batches = result_number(folder, variant, "units.pager.total.batches"),
                     came = result_number(folder, variant, "units.pager.total.bytes_in");
        const double link_ns = came / 12 + moves * 2000,
                     time_ns = of_kernel(folder, variant, 0, "time_ns");
        ck_assert_double_eq(came, rows[i].came * 0x1p20);
        ck_assert_double_eq(result_number(folder, variant, "summary.dram.read_bytes"),
                            rows[i].read * 0x1p20);
        BETWEEN(link_ns, time_ns, link_ns + batches * 46000 + rows[i].read * 0x1p20 / 50);
    }
    /* 8 times the pages */
    BETWEEN(7, relative(folder, "twice", 0) / relative(folder, "half", 0), 8);
    BETWEEN(0.45, relative(folder, "more-dram", 0), 0.6);
    BETWEEN(0.95, relative(folder, "more-pins", 0), 1);
    BETWEEN(2.5, relative(folder, "no-prefetch", 0), 4);
    temporary_remove(folder);
}
END_TEST

/* Nanoseconds from one row to the next that the part allows (row 4 of the closed forms): the
 * largest of tRRD, tFAW / 4, t32AW / 32, tRC / banks and the command buses. */
static const struct {
    const char *variant;
    double activate_ns;
} parts[] = {
    {"gddr5-3.7", 6.5 / 0.924},      /* tRRD 6, and half a cycle on the only command bus */
    {"gddr5-6", 281 / 32.0 / 1.502}, /* t32AW */
    {"gddr5-7", 328 / 32.0 / 1.753}, /* t32AW */
    {"gddr5x-10", 8.5 / 2.5},        /* tRRD 8 and half a cycle */
    {"gddr6-14", 8 / 1.75},          /* tRRD */
    {"hbm-1", 15 / 4.0 / 0.5},       /* tFAW */
    {"hbm2-2", 6 / 1.0},             /* ACT 2 + PRE 1 for two pseudo-channels */
    {"hbm2e-3.2", 7 / 1.6},          /* tRRD */
    {"hbm3-6.4", 6 / 1.6},           /* tFAW */
};

START_TEST(rows_limit_random_reads_and_pins_limit_long_ones)
{
    char *folder = ran("dram-parts");
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        const char *variant = parts[i].variant;
        const double peak = result_number(folder, variant, "summary.dram.peak_gbps");
        BETWEEN(0.85 * peak, of_kernel(folder, variant, 0, "gbps"), peak);
        const double random = 32 * 8 * 256 * 32 / of_kernel(folder, variant, 1, "time_ns");
        const double limit = 4 * 32 / parts[i].activate_ns;
        BETWEEN(0.65 * limit, random, limit);
        ck_assert(random < 0.4 * peak);
    }
    temporary_remove(folder);
}
END_TEST

static double of_l1(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strconcat("units.l1.total.", name, NULL);
    return result_number(folder, variant, path);
}

/* Results that nobody reads again come late and push the table out; sums stay, and so do parts of
 * sectors until they are whole. */
START_TEST(what_L1_keeps_of_global_stores_pays_where_it_is_used_again)
{
    char *folder = ran("write-policy -v output-through -v output-back -v sum-through -v sum-back "
                       "-v part-through -v part-back -v part-back-fetch");
    BETWEEN(1.05, cycles_of(folder, "output-back") / cycles_of(folder, "output-through"), 1.5);
    BETWEEN(0.9, of_l1(folder, "output-back", "hits") / of_l1(folder, "output-through", "hits"),
            0.99);
    BETWEEN(1000,
            of_l1(folder, "output-back", "global_write_backs")
                - of_l1(folder, "output-back", "cleaned"),
            3000);
    ck_assert_double_eq(24 * of_l1(folder, "sum-back", "bytes_to_network"),
                        of_l1(folder, "sum-through", "bytes_to_network"));
    ck_assert_double_eq(16 * of_l1(folder, "part-back", "bytes_to_network"),
                        of_l1(folder, "part-through", "bytes_to_network"));
    ck_assert_double_eq(of_l1(folder, "part-back", "store_fetches"), 0);
    ck_assert_double_eq(of_l1(folder, "part-back-fetch", "store_fetches"), 1024);
    temporary_remove(folder);
}
END_TEST

static double dram_bytes(const char *folder, const char *variant)
{
    return result_number(folder, variant, "summary.dram.read_bytes")
           + result_number(folder, variant, "summary.dram.write_bytes");
}

/* 880 KiB in an eighth of a V100, whose L2 of 768 KiB does not hold them. Staged they are read once
 * and written once, of which L2 keeps the most; directly, lines go to DRAM before the
 * next step writes them. Half of them fit, and nobody writes DRAM. */
START_TEST(a_tile_kept_in_shared_memory_saves_DRAM_bytes_beside_a_whole_L2)
{
    static const double tiles = 10 * 22 * 4096;
    char *folder = ran("tile");
    BETWEEN(tiles, dram_bytes(folder, "staged"), 1.2 * tiles);
    BETWEEN(2, dram_bytes(folder, "direct") / dram_bytes(folder, "staged"), 2.8);
    BETWEEN(5, dram_bytes(folder, "direct-l2") / dram_bytes(folder, "staged"), 8);
    BETWEEN(1.02, summary_of(folder, "direct", "time_ns") / summary_of(folder, "staged", "time_ns"),
            1.2);
    BETWEEN(2, summary_of(folder, "direct-l2", "time_ns") / summary_of(folder, "staged", "time_ns"),
            4);
    BETWEEN(0, dram_bytes(folder, "half-direct"), dram_bytes(folder, "half"));
    temporary_remove(folder);
}
END_TEST

/* As many stores to shared memory as hits: the arbiter takes a line a cycle, whichever port that
 * needs. */
START_TEST(one_port_for_reads_and_writes_costs_hits_little)
{
    char *folder = ran("l1-switches --variant ports-2 --variant ports-1");
    const double reads = of_l1(folder, "ports-2", "data_passes"),
                 writes = of_l1(folder, "ports-2", "write_passes");
    BETWEEN(0.99, writes / reads, 1.01);
    ck_assert_double_eq(of_l1(folder, "ports-1", "data_passes"), reads + writes);
    BETWEEN(0.8, result_number(folder, "ports-1", "resources.l1.arbiter.use"), 1);
    BETWEEN(1,
            summary_of(folder, "ports-1", "core_cycles")
                / summary_of(folder, "ports-2", "core_cycles"),
            1.02);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory_rows");
    TCase *cases = tcase_create("memory_rows");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, capacity_helps_what_it_makes_fit_and_bandwidth_who_waits_for_it);
    tcase_add_test(cases, twice_the_DRAM_is_worth_it_where_arrays_do_not_fit);
    tcase_add_test(cases, rows_limit_random_reads_and_pins_limit_long_ones);
    tcase_add_test(cases, what_L1_keeps_of_global_stores_pays_where_it_is_used_again);
    tcase_add_test(cases, a_tile_kept_in_shared_memory_saves_DRAM_bytes_beside_a_whole_L2);
    tcase_add_test(cases, one_port_for_reads_and_writes_costs_hits_little);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
