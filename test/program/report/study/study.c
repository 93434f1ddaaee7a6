/* What a study's report shows of outcomes that are made up here. */
#include "rig.h"

#include "rigs/harness.h"
#include "scenarios/program/language/catalogue.h"

#define REPORT(study) g_autoptr(JsonNode) report = report_of(&(study))

/* --- points ----------------------------------------------------------------------------------- */

static StudyFolder four_points(void)
{
    static const ReportedPoint points[] = {
        {"96 KiB,lru", "baseline", "time_ns=1000 l2_hit_rate=0.25 dram_gbps=5 mean_hops=2"},
        {"1.5 MiB,lru", NULL, "time_ns=500 l2_hit_rate=0.75 dram_gbps=5 mean_hops=3"},
        {"96 KiB,random", NULL, "rejected: l1.sets = 3: not a power of two"},
        {"1.5 MiB,random", NULL, NULL}};
    StudyFolder study = reported_study("grid", "l2_slice.capacity=96 KiB,l1.replacement=lru");
    reported_points(&study, points, G_N_ELEMENTS(points));
    return study;
}

/* dram_gbps is the same everywhere, and mean_hops is no usual result. */
START_TEST(the_table_has_a_row_for_each_point_with_what_differs)
{
    g_auto(StudyFolder) study = four_points();
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_points");
    expect_columns(figure, "point|l2_slice.capacity (KiB)|l1.replacement|role|status|bound by|"
                           "time_ns (ns)|l2_hit_rate (%)|l1.refused_prt");
    expect_rows(figure, (const char *const[]){"0|96|lru|baseline|done|DRAM bus|1000|25|7",
                                              "1|1536|lru||done|DRAM bus|500|75|7",
                                              "2|96|random||rejected||||",
                                              "3|1536|random||missing||||", NULL});
    g_autofree char *export =
        g_strdup_printf("'warpmem study export %s -o points.csv' writes all points with all %u "
                        "results",
                        study.folder, result_column_count() + 1);
    expect_note(figure, export);
}
END_TEST

START_TEST(points_that_failed_are_listed_with_their_messages)
{
    g_auto(StudyFolder) study = four_points();
    REPORT(study);
    expect_rows(figure_of(report, "study_failures"),
                (const char *const[]){"2|rejected|l1.sets = 3: not a power of two|"
                                      "l2_slice.capacity = 96 KiB, l1.replacement = random",
                                      NULL});
}
END_TEST

/* The first line of the lead is what a reader looks at. */
static void expect_first_label(JsonNode *report, const char *wanted)
{
    JsonArray *lead = json_object_get_array_member(json_node_get_object(report), "lead");
    JsonObject *first = json_array_get_object_element(lead, 0);
    ck_assert_str_eq(json_object_get_string_member(first, "label"), wanted);
}

START_TEST(the_lead_says_what_is_best_and_what_to_type_next)
{
    g_auto(StudyFolder) study = four_points();
    REPORT(study);
    ck_assert_str_eq(lead_of(report, "Points"), "2 of 4 points are done, 1 failed, 1 are missing.");
    expect_first_label(report, "Points");
    ck_assert_str_eq(lead_of(report, "Best"),
                     "time_ns = 500 ns: point 1 (l2_slice.capacity = 1.5 MiB, l1.replacement = "
                     "lru); bound by DRAM bus.");
    ck_assert_ptr_nonnull(strstr(lead_of(report, "Worst"), "time_ns = 1.00 us: point 0"));
    ck_assert_str_eq(lead_of(report, "What matters most"),
                     "l2_slice.capacity: time_ns is +33.3 % at 96 KiB and -33.3 % at 1.5 MiB, "
                     "against the mean (main effects).");
    g_autofree char *next = g_strdup_printf("warpmem study run %s", study.folder);
    ck_assert_str_eq(lead_of(report, "To go on"), next);
}
END_TEST

START_TEST(a_study_that_has_not_been_run_has_its_points_and_the_command)
{
    static const ReportedPoint points[] = {{"16", NULL, NULL}, {"32", NULL, NULL}};
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=16");
    /* a shipped file is called the same wherever the program is installed */
    g_autofree char *platforms = catalogue_preset_directory();
    g_autofree char *preset = g_build_filename(platforms, "v100.ini", NULL);
    configuration_set(((Base *)study.manifest->bases->pdata[0])->configuration, "l1", "ways", "8",
                      preset, 19);
    reported_points(&study, points, 2);
    REPORT(study);
    ck_assert_str_eq(lead_of(report, "Points"), "0 of 2 points are done, 0 failed, 2 are missing.");
    ck_assert_ptr_nonnull(lead_of(report, "To go on"));
    ck_assert_ptr_null(lead_of(report, "Best"));
    ck_assert_uint_eq(rows_of(figure_of(report, "study_points")), 2);
    ck_assert_ptr_null(find_figure(report, "study_tornado-time_ns"));
    expect_rows(figure_of(report, "study_dimensions"),
                (const char *const[]){"l1.prt_entries|16|2|16, 32|--set", NULL});
    expect_rows(figure_of(report, "study_base"),
                (const char *const[]){"baseline|l1.sets|4|known.ini:3",
                                      "baseline|l1.ways|8|platform/presets/v100.ini:19", NULL});
}
END_TEST

START_TEST(points_that_may_end_otherwise_can_be_tried_again)
{
    static const ReportedPoint points[] = {{"16", NULL, "time_ns=1"},
                                           {"32", NULL, "timeout: over 60 s"}};
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=16");
    reported_points(&study, points, 2);
    REPORT(study);
    g_autofree char *next = g_strdup_printf("warpmem study run %s --retry-failed", study.folder);
    ck_assert_str_eq(lead_of(report, "To try again what failed"), next);
}
END_TEST

/* --- effects ---------------------------------------------------------------------------------- */

/* Around 1000 ns: 64 entries instead of 128 cost 25 %, 2 GHz instead of 1 GHz save 50 %. */
static StudyFolder alone(void)
{
    static const ReportedPoint points[] = {
        {"128,1 GHz,32", "baseline", "time_ns=1000 dram_gbps=10"},
        {"64,1 GHz,32", "l1.prt_entries", "time_ns=1250 dram_gbps=8"},
        {"128,2 GHz,32", "machine.dram_clock", "time_ns=500 dram_gbps=20"},
        {"128,1 GHz,16", "l1.data_banks", "time_ns=1000 dram_gbps=10"}};
    StudyFolder study =
        reported_study("one_at_a_time", "l1.prt_entries=128,machine.dram_clock=1 GHz,"
                                        "l1.data_banks=32");
    reported_points(&study, points, G_N_ELEMENTS(points));
    return study;
}

START_TEST(the_tornado_is_relative_to_the_baseline_run_the_strongest_first)
{
    g_auto(StudyFolder) study = alone();
    REPORT(study);
    expect_first_label(report, "What matters most");
    ck_assert_str_eq(lead_of(report, "Points"), "All 4 points are done.");
    JsonObject *figure = figure_of(report, "study_tornado-time_ns");
    expect_columns(figure, "dimension|low (%)|high (%)|low at|high at|strength (%)|remark");
    expect_rows(figure, (const char *const[]){"machine.dram_clock|0|-50|1 GHz|2 GHz|50|",
                                              "l1.prt_entries|25|0|64|128|25|",
                                              "l1.data_banks|0|0|16|32|0|no effect", NULL});
    expect_note(figure, "One at a time: each dimension from its lowest to its highest value, the "
                        "others as in the baseline run;");
    expect_note(figure, "Baseline run's time_ns: 1.00 us.");
    expect_no_note(figure_of(report, "study_tornado-dram_gbps"), "One at a time");
    expect_rows(figure_of(report, "study_tornado-dram_gbps"),
                (const char *const[]){"machine.dram_clock|0|100|1 GHz|2 GHz|100|",
                                      "l1.prt_entries|-20|0|64|128|20|",
                                      "l1.data_banks|0|0|16|32|0|no effect", NULL});
    ck_assert_str_eq(lead_of(report, "Changed nothing"),
                     "l1.data_banks: every result is the same whatever its value.");
    ck_assert_ptr_nonnull(strstr(lead_of(report, "Best"), "point 2 (machine.dram_clock = 2 GHz);"));
}
END_TEST

/* Which of the two makes it faster nobody knows. */
START_TEST(dimensions_that_change_together_are_not_ranked)
{
    static const ReportedPoint points[] = {{"1 GHz,64", NULL, "time_ns=1000"},
                                           {"2 GHz,128", NULL, "time_ns=500"}};
    static const char *const caution = "The design zip changes the dimensions together: their "
                                       "effects cannot be told apart.";
    g_auto(StudyFolder) study = reported_study("zip", "machine.dram_clock=1 GHz,l1.prt_entries=64");
    reported_points(&study, points, G_N_ELEMENTS(points));
    REPORT(study);
    ck_assert_str_eq(lead_of(report, "What matters"), caution);
    expect_note(figure_of(report, "study_tornado-time_ns"), caution);
}
END_TEST

START_TEST(without_the_baseline_run_the_lead_says_so)
{
    static const ReportedPoint points[] = {{"128", "baseline", NULL},
                                           {"64", "l1.prt_entries", "time_ns=1250"},
                                           {"256", "l1.prt_entries", "time_ns=900"}};
    g_auto(StudyFolder) study = reported_study("one_at_a_time", "l1.prt_entries=128");
    reported_points(&study, points, 3);
    REPORT(study);
    ck_assert_ptr_nonnull(strstr(lead_of(report, "What matters"), "the baseline run"));
    ck_assert_ptr_null(find_figure(report, "study_tornado-time_ns"));
}
END_TEST

/* Two trajectories: entries move the time by 100 in both, banks by 300 and 600; the mean of all
 * points is 800. Banks: mu* 450 = 56.25 %, sigma 212.13 = 26.5165 %. */
START_TEST(a_screening_shows_the_size_against_the_deviation)
{
    static const ReportedPoint points[] = {{"16,16", "trajectory 1 step 0", "time_ns=600"},
                                           {"64,16", "trajectory 1 step 1", "time_ns=700"},
                                           {"64,32", "trajectory 1 step 2", "time_ns=1000"},
                                           {"64,32", "trajectory 2 step 0", "time_ns=1100"},
                                           {"16,32", "trajectory 2 step 1", "time_ns=1000"},
                                           {"16,16", "trajectory 2 step 2", "time_ns=400"}};
    g_auto(StudyFolder) study = reported_study("morris", "l1.prt_entries=16,l1.data_banks=16");
    reported_points(&study, points, G_N_ELEMENTS(points));
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_screening-time_ns");
    expect_columns(figure, "mu* (%)|sigma (%)|label|group|mu (%)");
    expect_rows(figure,
                (const char *const[]){"56.25|26.5165|l1.data_banks|non-linear or interacting|56.25",
                                      "12.5|0|l1.prt_entries|linear|12.5", NULL});
}
END_TEST

/* --- curves ----------------------------------------------------------------------------------- */

/* Two sizes of L2 and five of the table. The means are 1550, 850, 350, 320, 310: of the gain of
 * 1240 there is 56.5 % at 32, 31 % above the straight line, and 96.8 % at 64, 47 % above it. */
static StudyFolder grid(void)
{
    static const char *const entries[] = {"16", "32", "64", "128", "256"};
    static const double times[][5] = {{1600, 900, 400, 370, 360}, {1500, 800, 300, 270, 260}};
    static const char *const sizes[] = {"48 KiB", "96 KiB"};
    StudyFolder study = reported_study("grid", "l2_slice.capacity=96 KiB,l1.prt_entries=32");
    ReportedPoint points[10];
    for (guint i = 0; i < 10; i++) {
        points[i] = (ReportedPoint){
            g_strdup_printf("%s,%s", sizes[i / 5], entries[i % 5]), NULL,
            g_strdup_printf("time_ns=%g l1_hit_rate=%g", times[i / 5][i % 5], 0.1 * (i % 5))};
    }
    reported_points(&study, points, 10);
    for (guint i = 0; i < 10; i++) {
        g_free((char *)points[i].values);
        g_free((char *)points[i].end);
    }
    return study;
}

START_TEST(a_sweep_has_the_means_and_a_curve_for_each_value_of_the_other_dimension)
{
    g_auto(StudyFolder) study = grid();
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_sweep_time-l1.prt_entries");
    expect_columns(figure, "l1.prt_entries|time_ns, mean (ns)|l2_slice.capacity = 48 KiB (ns)|"
                           "l2_slice.capacity = 96 KiB (ns)");
    expect_rows(figure,
                (const char *const[]){"16|1550|1600|1500", "32|850|900|800", "64|350|400|300",
                                      "128|320|370|270", "256|310|360|260", NULL});
    expect_marks(figure, "x 64 knee, 95 % of the gain; x 32 own value");
    ck_assert(is_logarithmic(figure, "x"));
    expect_rows(figure_of(report, "study_sweep_hits-l1.prt_entries"),
                (const char *const[]){"16|0|0|0", "32|10|10|10", "64|20|20|20", "128|30|30|30",
                                      "256|40|40|40", NULL});
    JsonObject *sizes = figure_of(report, "study_sweep_time-l2_slice.capacity");
    expect_rows(sizes, (const char *const[]){"48|726|1600|900|400|370|360",
                                             "96|626|1500|800|300|270|260", NULL});
    ck_assert(!is_logarithmic(sizes, "x"));
    /* which does not change with L2 */
    ck_assert_ptr_null(find_figure(report, "study_sweep_hits-l2_slice.capacity"));
}
END_TEST

START_TEST(knees_are_a_table_and_a_sentence)
{
    g_auto(StudyFolder) study = grid();
    REPORT(study);
    g_autofree char *row = row_of(figure_of(report, "study_knees"), 0);
    ck_assert_msg(g_str_has_prefix(row, "l1.prt_entries|time_ns|16|256|80|64|64|the knee has 96 %"),
                  "%s", row);
    ck_assert_uint_eq(rows_of(figure_of(report, "study_knees")), 1); /* two values have no knee */
    ck_assert_str_eq(lead_of(report, "More gains little"),
                     "l1.prt_entries = 64 has 95 % of what 256 gains.");
}
END_TEST

START_TEST(a_heat_map_has_a_cell_for_each_pair_of_values)
{
    g_auto(StudyFolder) study = grid();
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_heat-time_ns");
    expect_columns(figure, "l1.prt_entries|48 (ns)|96 (ns)");
    expect_rows(figure, (const char *const[]){"16|1600|1500", "32|900|800", "64|400|300",
                                              "128|370|270", "256|360|260", NULL});
}
END_TEST

/* On the front by definition: no other point has as few entries and less time, or as little time
 * and fewer entries. The half with 96 KiB beats the other everywhere. */
START_TEST(the_front_of_a_cost_is_marked)
{
    g_auto(StudyFolder) study = grid();
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_pareto-l1.prt_entries");
    expect_columns(figure, "l1.prt_entries|time_ns (ns)|label|group");
    ck_assert_uint_eq(rows_of(figure), 10);
    guint front = 0;
    for (guint i = 0; i < 10; i++) {
        g_autofree char *row = row_of(figure, i);
        const bool large = strstr(row, "l2_slice.capacity = 96 KiB") != NULL;
        ck_assert_msg(g_str_has_suffix(row, large ? "|front" : "|not on the front"), "%s", row);
        front += large;
    }
    ck_assert_uint_eq(front, 5);
    expect_note(figure, "5 of 10 combinations are on the front.");
    ck_assert_ptr_nonnull(find_figure(report, "study_pareto-l2_slice.capacity"));
}
END_TEST

/* More entries cost time here, so they are no price that is paid for time; latency is. */
START_TEST(without_a_cost_the_front_is_of_two_results)
{
    static const ReportedPoint points[] = {{"16", NULL, "time_ns=100 load_latency_p99=50"},
                                           {"32", NULL, "time_ns=200 load_latency_p99=40"},
                                           {"64", NULL, "time_ns=300 load_latency_p99=60"}};
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=16");
    reported_points(&study, points, 3);
    REPORT(study);
    expect_rows(figure_of(report, "study_pareto-load_latency_p99"),
                (const char *const[]){"40|200|l1.prt_entries = 32|front",
                                      "50|100|l1.prt_entries = 16|front",
                                      "60|300|l1.prt_entries = 64|not on the front", NULL});
}
END_TEST

/* The second point is beaten in all by the first; the third has least area, the fourth energy. */
START_TEST(where_energy_and_area_differ_the_front_has_three_results)
{
    static const ReportedPoint points[] = {{"16", NULL, "time_ns=100 energy_uj=50 area_mm2=60"},
                                           {"32", NULL, "time_ns=200 energy_uj=60 area_mm2=70"},
                                           {"64", NULL, "time_ns=300 energy_uj=55 area_mm2=10"},
                                           {"128", NULL, "time_ns=190 energy_uj=40 area_mm2=65"}};
    g_auto(StudyFolder) study = reported_study("grid", "l1.prt_entries=16");
    reported_points(&study, points, 4);
    REPORT(study);
    JsonObject *figure = figure_of(report, "study_pareto-area_mm2-time_ns");
    expect_columns(figure, "area_mm2 (mm2)|time_ns (ns)|energy_uj (uJ)|label|group");
    expect_rows(figure,
                (const char *const[]){"10|300|55|l1.prt_entries = 64|front, highest third",
                                      "60|100|50|l1.prt_entries = 16|front, highest third",
                                      "65|190|40|l1.prt_entries = 128|front, lowest third",
                                      "70|200|60|l1.prt_entries = 32|not on the front", NULL});
    expect_note(figure, "Thirds are of energy_uj.");
    expect_columns(figure_of(report, "study_sweep_area-l1.prt_entries"),
                   "l1.prt_entries|area_mm2, mean (mm2)");
    ck_assert_ptr_nonnull(find_figure(report, "study_sweep_energy-l1.prt_entries"));
    ck_assert_ptr_nonnull(find_figure(report, "study_tornado-area_mm2"));
}
END_TEST

HARNESS_MAIN("report_study", the_table_has_a_row_for_each_point_with_what_differs,
             points_that_failed_are_listed_with_their_messages,
             the_lead_says_what_is_best_and_what_to_type_next,
             a_study_that_has_not_been_run_has_its_points_and_the_command,
             points_that_may_end_otherwise_can_be_tried_again,
             the_tornado_is_relative_to_the_baseline_run_the_strongest_first,
             dimensions_that_change_together_are_not_ranked,
             without_the_baseline_run_the_lead_says_so,
             a_screening_shows_the_size_against_the_deviation,
             a_sweep_has_the_means_and_a_curve_for_each_value_of_the_other_dimension,
             knees_are_a_table_and_a_sentence, a_heat_map_has_a_cell_for_each_pair_of_values,
             the_front_of_a_cost_is_marked, without_a_cost_the_front_is_of_two_results,
             where_energy_and_area_differ_the_front_has_three_results)
