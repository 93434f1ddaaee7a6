/* A study's report: load, perfect components, random designs, and how large it may become. */
#include "rig.h"

#include "rigs/harness.h"

#define REPORT(study) g_autoptr(JsonNode) report = report_of(&(study))

/* --- load ------------------------------------------------------------------------------------- */

/* DRAM's peak is 200 GB/s. Reads: 400 cycles without load, 600 at 100 GB/s, 1000 at 150, so twice
 * 400 at 100 + 50 x 200 / 400 = 125, 62.5 % of peak. Half writes: twice 400 is not reached. */
static StudyFolder loads(guint curves)
{
    static const double means[2][3] = {{400, 600, 1000}, {400, 420, 500}};
    static const char *const shares[] = {"0", "0.5"}, *const loads[] = {"0", "0.5", "0.75"};
    StudyFolder study = reported_study("grid", "workload.write_share=0,workload.load=0.5");
    ReportedPoint points[6];
    for (guint i = 0; i < 6; i++) {
        const double load = g_ascii_strtod(loads[i % 3], NULL), mean = means[i / 3][i % 3];
        points[i] = (ReportedPoint){
            g_strdup_printf("%s,%s", shares[i / 3], loads[i % 3]), NULL,
            g_strdup_printf("time_ns=50 offered_gbps=%g dram_gbps=%g dram_peak_gbps=200 "
                            "probe_latency_mean=%g probe_latency_p95=%g probe_latency_p99=%g "
                            "probe_latency_mean_ns=%g energy_pj_a_byte=%g dram_pj_a_bit=4",
                            200 * load, 180 * load, mean, mean + 1, mean + 2, mean / 2,
                            8 * (1000 - 1000 * load))};
    }
    reported_points(&study, points, 3 * curves);
    for (guint i = 0; i < 6; i++) {
        g_free((char *)points[i].values);
        g_free((char *)points[i].end);
    }
    return study;
}

START_TEST(latency_under_load_has_a_curve_for_each_mix)
{
    g_auto(StudyFolder) study = loads(2);
    REPORT(study);
    JsonObject *figure = figure_of(report, "loaded_latency");
    expect_columns(figure, "offered load (% of peak)|write_share 0 (ns)|write_share 0.5 (ns)");
    expect_rows(figure, (const char *const[]){"0|200|200", "50|300|210", "75|500|250", NULL});
    expect_marks(figure, "x 62.5 doubled, write_share 0");
    /* 180 x 0.75 is what DRAM delivered at most, 67.5 % */
    expect_rows(figure_of(report, "loaded_facts"),
                (const char *const[]){"write_share 0|400|135|67.5|125|62.5",
                                      "write_share 0.5|400|135|67.5||", NULL});
    JsonObject *achieved = figure_of(report, "loaded_bandwidth");
    ck_assert_uint_eq(rows_of(achieved), 6);
    g_autofree char *row = row_of(achieved, 2);
    ck_assert_str_eq(row, "135|500|0.75|write_share 0|150|1000|1001|1002");
    JsonObject *energy = figure_of(report, "loaded_energy");
    expect_rows(energy, (const char *const[]){"0|1000|1000", "50|500|500", "75|250|250", NULL});
    ck_assert(is_logarithmic(energy, "y"));
    expect_rows(figure_of(report, "loaded_dram_energy"),
                (const char *const[]){"0|4|4", "50|4|4", "75|4|4", NULL});
    ck_assert_ptr_nonnull(strstr(lead_of(report, "Under load"), "it has doubled at 125.0 GB/s"));
    ck_assert_ptr_nonnull(strstr(lead_of(report, "Worst"), "probe_latency_mean_ns = "));
}
END_TEST

START_TEST(a_curve_alone_has_both_marks)
{
    g_auto(StudyFolder) study = loads(1);
    REPORT(study);
    JsonObject *figure = figure_of(report, "loaded_latency");
    expect_columns(figure, "offered load (% of peak)|mean latency (ns)");
    expect_columns(figure_of(report, "loaded_dram_energy"),
                   "offered load (% of peak)|energy (pJ/bit)");
    expect_marks(figure, "x 67.5 saturation; x 62.5 latency doubled");
    expect_note(figure, "while all other SMs ask");
}
END_TEST

START_TEST(traffic_without_a_GPU_has_no_SMs_in_its_caption)
{
    static const ReportedPoint points[] = {
        {"0.036", NULL, "offered_gbps=50 dram_gbps=50 dram_peak_gbps=200 traffic_latency_mean=300"},
        {"0.5", NULL, "offered_gbps=100 dram_gbps=99 dram_peak_gbps=200 traffic_latency_mean=400"}};
    g_auto(StudyFolder) study = reported_study("grid", "workload.load=0.25");
    reported_points(&study, points, G_N_ELEMENTS(points));
    REPORT(study);
    JsonObject *figure = figure_of(report, "loaded_latency");
    g_autofree char *first = row_of(figure, 0);
    ck_assert_msg(g_str_has_prefix(first, "3.6|"), "%s", first);
    ck_assert_ptr_null(strstr(json_object_get_string_member(figure, "shows"), "SM"));
    expect_no_note(figure, "other SMs");
    expect_note(figure, "is of all requests of the traffic");
    ck_assert_ptr_nonnull(strstr(lead_of(report, "Under load"), "; saturation is not reached."));
}
END_TEST

/* --- perfect components ----------------------------------------------------------------------- */

START_TEST(perfect_components_are_bars_the_longest_first)
{
    static const ReportedPoint points[] = {{"baseline", NULL, "time_ns=1000"},
                                           {"network", NULL, "time_ns=900"},
                                           {"dram", NULL, "time_ns=400"},
                                           {"mmu", NULL, "time_ns=1000"}};
    g_auto(StudyFolder) study = reported_study("perfect", "perfect=baseline");
    reported_points(&study, points, 4);
    REPORT(study);
    expect_rows(figure_of(report, "study_perfect"),
                (const char *const[]){"dram|60", "network|10", NULL});
    expect_note(figure_of(report, "study_perfect"), "Less than 0.1 %: mmu.");
    /* one note for all components that are left out for one reason */
    expect_note(figure_of(report, "study_perfect"),
                "Left out, no atomics are used: sm_atomics, rop_atomics.");
    g_autofree char *row = row_of(figure_of(report, "study_bounds"), 1);
    ck_assert_msg(g_str_has_prefix(row, "|dram|") && g_str_has_suffix(row, "|400|||2.5|60"), "%s",
                  row);
    ck_assert_ptr_nonnull(
        strstr(lead_of(report, "Bound by"), "would take 400 ns instead of 1.00 us"));
    ck_assert_ptr_null(lead_of(report, "Best"));
    /* which component is perfect is no dimension that has a high and a low end */
    ck_assert_ptr_null(find_figure(report, "study_tornado-time_ns"));
}
END_TEST

/* --- random designs --------------------------------------------------------------------------- */

/* Time falls with entries; banks do nothing. 40 points have 40 values of each. */
static StudyFolder hypercube(void)
{
    StudyFolder study = reported_study("latin_hypercube", "l1.prt_entries=64,l1.data_banks=8");
    ReportedPoint points[40];
    for (guint i = 0; i < 40; i++)
        points[i] = (ReportedPoint){g_strdup_printf("%u,%u", 1 + i, 1 + (i * 7) % 40), "",
                                    g_strdup_printf("time_ns=%u", 1000 - 10 * i)};
    reported_points(&study, points, 40);
    for (guint i = 0; i < 40; i++) {
        g_free((char *)points[i].values);
        g_free((char *)points[i].end);
    }
    return study;
}

START_TEST(a_random_design_has_scatters_a_histogram_and_a_map_of_ranges)
{
    g_auto(StudyFolder) study = hypercube();
    REPORT(study);
    JsonObject *scatter = figure_of(report, "study_scatter-l1.prt_entries");
    ck_assert_uint_eq(rows_of(scatter), 40);
    g_autofree char *row = row_of(scatter, 3);
    ck_assert_str_eq(row, "4|970|l1.prt_entries = 4, l1.data_banks = 22|combination");
    /* 610 .. 1000 in twenty bins of 19.5: two points each */
    JsonObject *histogram = figure_of(report, "study_distribution-time_ns");
    ck_assert_uint_eq(rows_of(histogram), 21);
    for (guint i = 0; i < 20; i++) {
        g_autofree char *bin = row_of(histogram, i);
        ck_assert_msg(g_str_has_suffix(bin, "|2"), "%s", bin);
    }
    /* Each has a sixth of the values, 7 or 6 of them. Of entries 1 .. 7 the banks are 1, 8, 15,
     * 22, 29, 36, 3; the first and the last of them share a cell: 1000 and 940. */
    JsonObject *heat = figure_of(report, "study_heat-time_ns");
    expect_columns(heat, "l1.prt_entries|1 .. 7 (ns)|8 .. 14 (ns)|15 .. 20 (ns)|21 .. 27 (ns)|"
                         "28 .. 34 (ns)|35 .. 40 (ns)");
    g_autofree char *first = row_of(heat, 0);
    ck_assert_str_eq(first, "1 .. 7|970|990|980|970|960|950");
    g_autofree char *tornado = row_of(figure_of(report, "study_tornado-time_ns"), 0);
    /* the fifths: 8 points of 1000 .. 930 and of 680 .. 610 around 805 */
    ck_assert_msg(g_str_has_prefix(tornado, "l1.prt_entries|19.8758|-19.8758|1|40|1|"), "%s",
                  tornado);
}
END_TEST

/* --- size and errors -------------------------------------------------------------------------- */

/* 12,000 points, the later the faster: the first ones are left out. */
START_TEST(of_many_points_the_best_are_shown_and_the_page_stays_under_4_MB)
{
    enum { POINTS = 12000 };
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=1,l1.data_banks=1");
    g_autofree ReportedPoint *points = g_new0(ReportedPoint, POINTS);
    for (guint i = 0; i < POINTS; i++)
        points[i] = (ReportedPoint){
            g_strdup_printf("%u,%u", 1 + i / 100, 1 + i % 100), NULL,
            g_strdup_printf("time_ns=%.12g requested_gbps=%.17g dram_gbps=%.17g l1_hit_rate=%.17g "
                            "l2_hit_rate=%.17g load_latency_mean=%.17g load_latency_p99=%.17g",
                            1e6 - i, i / 7.0, i / 11.0, i / 13e4, i / 17e4, i / 19.0, i / 23.0)};
    reported_points(&study, points, POINTS);
    for (guint i = 0; i < POINTS; i++) {
        g_free((char *)points[i].values);
        g_free((char *)points[i].end);
    }
    g_autoptr(Document) document = study_page(study.folder, NULL);
    g_autofree char *html = document_html(document);
    ck_assert_uint_lt(strlen(html), 4000000);
    g_autoptr(JsonNode) report = document_json(document);
    JsonObject *table = figure_of(report, "study_points");
    const guint rows = rows_of(table);
    ck_assert_uint_gt(rows, 6000);
    ck_assert_uint_le(rows, 10000);
    g_autofree char *said =
        g_strdup_printf("The best %u of 12000 points are shown, in the order of the plan.", rows);
    expect_note(table, said);
    g_autofree char *first = row_of(table, 0), *number = g_strdup_printf("%u|", POINTS - rows);
    ck_assert_msg(g_str_has_prefix(first, number), "%s, not %s", first, number);
    /* the last and fastest of each hundred */
    JsonObject *front = figure_of(report, "study_pareto-l1.prt_entries");
    guint best = 0;
    for (guint i = 0; i < rows_of(front); i++) {
        g_autofree char *row = row_of(front, i);
        best += g_str_has_suffix(row, "|front");
    }
    ck_assert_uint_eq(best, 120);
    ck_assert_uint_gt(rows_of(front), 200);
    ck_assert_uint_le(rows_of(front), 1000);
}
END_TEST

START_TEST(of_many_values_both_ends_are_shown)
{
    enum { POINTS = 600 };
    ReportedPoint points[POINTS];
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=1");
    for (guint i = 0; i < POINTS; i++)
        points[i] = (ReportedPoint){.values = g_strdup_printf("%u", i + 1),
                                    .end = g_strdup_printf("time_ns=%u", 1000 + i)};
    reported_points(&study, points, POINTS);
    for (guint i = 0; i < POINTS; i++) {
        g_free((char *)points[i].values);
        g_free((char *)points[i].end);
    }
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_sweep_time-l1.prt_entries");
    ck_assert_uint_eq(rows_of(figure), 512);
    g_autofree char *first = row_of(figure, 0), *last = row_of(figure, 511);
    ck_assert_str_eq(first, "1|1000");
    ck_assert_str_eq(last, "600|1599");
    expect_note(figure, "512 of 600 values are shown; 'study export' has all.");
}
END_TEST

START_TEST(what_cannot_be_merged_is_the_error_of_merging)
{
    static const ReportedPoint points[] = {{"16", NULL, "time_ns=1000"}};
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=16");
    reported_points(&study, points, 1);
    g_autoptr(SegmentWriter) writer = study_segment(&study, "b");
    reported_record(&study, writer, 0, "time_ns=2000");
    g_autofree char *wanted = study_merge_error(&study);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(study_page(study.folder, &error));
    ck_assert_str_eq(error->message, wanted);
}
END_TEST

HARNESS_MAIN("report_study_more", latency_under_load_has_a_curve_for_each_mix,
             a_curve_alone_has_both_marks, traffic_without_a_GPU_has_no_SMs_in_its_caption,
             perfect_components_are_bars_the_longest_first,
             a_random_design_has_scatters_a_histogram_and_a_map_of_ranges,
             of_many_points_the_best_are_shown_and_the_page_stays_under_4_MB,
             of_many_values_both_ends_are_shown, what_cannot_be_merged_is_the_error_of_merging)
