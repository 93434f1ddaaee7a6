/* The analyses of a study as commands: what they print of records whose outcome is known. */
#include <math.h>
#include <stdio.h>

#include "program/study/folder.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/study/table/sheet.h"

/* A study whose plan and records a test writes. */
typedef struct {
    StudyFolder folder;
    SegmentWriter *writer;
} Study;

typedef struct {
    const char *name, *baseline;
} Axis;

static Study study_of(const char *design, const Axis *axes, guint count)
{
    Study study = {{temporary_folder(), manifest_new()}, NULL};
    Manifest *manifest = study.folder.manifest;
    manifest->title = g_strdup("Known outcomes");
    manifest->scenario = g_strdup("known.ini");
    manifest->program = g_strdup("warpmem 0.1.0");
    manifest->build = g_strdup("0123");
    manifest->design = g_strdup(design);
    manifest->replications = 1;
    g_ptr_array_add(manifest->statistics, g_strdup("l1.refused_prt"));
    for (guint i = 0; i < count; i++) run_rig_dimension(manifest, axes[i].name, axes[i].baseline);
    manifest_add_base(manifest)->variant = g_strdup("baseline");
    return study;
}

static void study_finish(Study *study)
{
    g_clear_pointer(&study->writer, segment_close);
    study_folder_free(&study->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Study, study_finish)

/* Values divided by commas. */
static void plan_point(Study *study, const char *values)
{
    g_auto(GStrv) words = g_strsplit(values, ",", -1);
    study_add_point(study->folder.manifest, study->folder.manifest->points->len,
                    (const char *const *)words);
}

/* The manifest, and records of the first points; the rest are missing. */
static void record(Study *study, const double *times, guint count)
{
    ck_assert(manifest_write(study->folder.manifest, study->folder.folder, NULL));
    study->writer = study_segment(&study->folder, "a");
    for (guint i = 0; i < count; i++) {
        g_autofree char *time = g_strdup_printf("%g", times[i]);
        g_autofree char *payload = study_payload(time, 0);
        study_record(study->writer, i, POINT_DONE, payload);
    }
    g_clear_pointer(&study->writer, segment_close);
}

static Outcome ask(const Study *study, const char *verb)
{
    g_autofree char *words = g_strdup_printf("study %s", verb);
    return warpmem(study->folder.folder, words);
}

static void assert_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text);
}

/* The position of a part, which must be there. */
static long place_of(const char *text, const char *part)
{
    assert_has(text, part);
    return strstr(text, part) - text;
}

/* Around 1000 ns: prt 64 instead of 128 costs 25 %, a clock of 2 GHz instead of 1 GHz saves 50 %,
 * banks do nothing. */
static Study alone(void)
{
    const Axis axes[] = {
        {"l1.prt_entries", "128"}, {"machine.dram_clock", "1 GHz"}, {"l1.data_banks", "32"}};
    const double times[] = {1000, 1250, 500, 1000};
    Study study = study_of("one_at_a_time", axes, 3);
    plan_point(&study, "128,1 GHz,32");
    plan_point(&study, "64,1 GHz,32");
    plan_point(&study, "128,2 GHz,32");
    plan_point(&study, "128,1 GHz,16");
    record(&study, times, 4);
    return study;
}

START_TEST(sensitivity_ranks_dimensions_and_says_how)
{
    g_auto(Study) study = alone();
    const Outcome run = ask(&study, "sensitivity .");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "What moves time_ns (simulated time of the measured kernels).\n"
                        "One at a time: ");
    assert_has(run.out, "machine.dram_clock   1 GHz    2 GHz        0 %     -50.0 %  -50.0 %  "
                        "####################");
    assert_has(run.out, "l1.prt_entries          64      128    +25.0 %         0 %  -25.0 %  "
                        "##########\n");
    assert_has(run.out, "no effect");
    assert_has(run.out, "Baseline run's time_ns: 1.00 us.");
    ck_assert_int_lt(place_of(run.out, "  machine.dram_clock"), place_of(run.out, "  l1.prt_e"));
    ck_assert_int_lt(place_of(run.out, "  l1.prt_entries"), place_of(run.out, "  l1.data_banks"));
    ck_assert_ptr_null(strstr(run.out, "Partial"));
}
END_TEST

START_TEST(sensitivity_as_csv_has_a_row_for_each_dimension_and_result)
{
    g_auto(Study) study = alone();
    const Outcome run = ask(&study, "sensitivity . --csv --on time_ns --on l2_hit_rate");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "rank,dimension,result,unit,method,centre,lowest,highest,at_lowest,");
    assert_has(run.out, "\n1,machine.dram_clock,time_ns,ns,one at a time,1000,1 GHz,2 GHz,1000,"
                        "500,-500,500,,2,0,yes,no\r\n");
    assert_has(run.out, "\n1,machine.dram_clock,l2_hit_rate,,one at a time,0.5,");
    assert_has(run.out, "\n3,l1.data_banks,time_ns,");
}
END_TEST

START_TEST(a_result_that_is_not_there_is_rejected_with_the_nearest_name)
{
    g_auto(Study) study = alone();
    const struct {
        const char *words, *message;
    } cases[] = {
        {"sensitivity . --on time_n", "did you mean 'time_ns'?"},
        {"sensitivity . --on bound",
         "no such result; 'warpmem list results' names them; texts are not"},
        {"sensitivity . --by ways", "ways: the study has no such dimension; there are "},
        {"sensitivity . --on mean_hops", "mean_hops: no point of the study has this result"},
        {"sensitivity . --by l1.prt", "did you mean 'l1.prt_entries'?"},
        {"sensitivity . --csv --json", "--json and --csv: choose one"},
        {"knees . --on time_nn", "did you mean 'time_ns'?"},
        {"knees . --share 120%", "--share 120%: not a share; allowed are 0% to 100%"},
        {"inert . --below 3ns", "--below 3ns: not a share; allowed are 0% to 100%"},
        {"pareto . --on time_ns", "a front has 2 to 8 objectives, here are 1"},
        {"pareto . --on time_ns --minimize time_ns", "time_ns: two objectives are the same"},
        {"pareto . --on time_ns --on l1.prt_entries", "neither way is better by itself"},
        {"pareto . --on time_ns --minimize l1.prt_entry", "did you mean l1.prt_entries"},
        {"sensitivity elsewhere", "elsewhere"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Outcome run = ask(&study, cases[i].words);
        ck_assert_int_eq(run.status, 2);
        assert_has(run.errors, cases[i].message);
        ck_assert_str_eq(run.out, "");
    }
}
END_TEST

static Study curve(guint done)
{
    const Axis axes[] = {{"variant", "baseline"}, {"l1.prt_entries", "16"}};
    const char *const variants[] = {"baseline", "chase"};
    const double times[] = {1600, 800, 400, 380, 370, 100, 100, 100, 100, 100};
    Study study = study_of("grid", axes, 2);
    for (guint variant = 0; variant < 2; variant++)
        for (guint i = 0; i < 5; i++) {
            g_autofree char *values = g_strdup_printf("%s,%u", variants[variant], 16u << i);
            plan_point(&study, values);
        }
    record(&study, times, done);
    return study;
}

START_TEST(a_study_that_is_not_complete_says_so)
{
    g_auto(Study) study = curve(7);
    const char *const verbs[] = {"sensitivity .", "knees .", "inert .",
                                 "pareto . --on time_ns --minimize l1.prt_entries"};
    for (guint i = 0; i < G_N_ELEMENTS(verbs); i++) {
        const Outcome run = ask(&study, verbs[i]);
        ck_assert_msg(run.status == 0, "%s", run.errors);
        assert_has(run.out, "Partial: 7 of 10 points are done, 3 are missing.\n");
    }
    g_auto(Study) none = curve(0);
    const Outcome run = ask(&none, "inert .");
    ck_assert_int_eq(run.status, 2);
    assert_has(run.errors, "none of the 10 points is done");
}
END_TEST

/* Of the baseline variant 1600 to 370 gain 1230 = 76.9 %: at 64 there is 1200 = 98 % of it. */
START_TEST(knees_are_told_for_each_variant)
{
    g_auto(Study) study = curve(10);
    const Outcome run = ask(&study, "knees . --by variant");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    const long chase = place_of(run.out, "variant = chase");
    assert_has(run.out,
               "l1.prt_entries  time_ns    16  256  76.9 %    64    64  the knee has 97 %");
    assert_has(run.out + chase, "no knee: the result hardly changes");
    const Outcome csv = ask(&study, "knees . --by variant --csv");
    assert_has(csv.out, "\nbaseline,l1.prt_entries,time_ns,knee,5,log,greater,64,64,1230,");
    assert_has(csv.out, "\nchase,l1.prt_entries,time_ns,flat,");
}
END_TEST

START_TEST(a_table_for_each_value_holds_that_dimension)
{
    g_auto(Study) study = curve(10);
    const Outcome run = ask(&study, "sensitivity . --by variant --on time_ns");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "\nMain effects: ");
    const long chase = place_of(run.out, "variant = chase\n");
    /* mean 710: 1600 is 125.4 % above, 370 47.9 % below */
    assert_has(run.out, "+125.4 %     -47.9 %  -173.2 %");
    assert_has(run.out + chase, "no effect");
    assert_has(run.out + chase, "Mean time_ns: 100 ns.");
}
END_TEST

START_TEST(less_than_a_percent_is_no_gain)
{
    const Axis axis = {"l1.prt_entries", "16"};
    const char *const values[] = {"16", "32", "64", "128"};
    g_auto(Study) study = study_of("grid", &axis, 1);
    for (guint i = 0; i < 4; i++) plan_point(&study, values[i]);
    record(&study, (const double[]){1000, 993, 992, 991}, 4);
    const Outcome run = ask(&study, "knees .");
    assert_has(run.out, "no knee: the result hardly changes");
}
END_TEST

START_TEST(a_design_that_samples_has_no_curves)
{
    const Axis axis = {"l1.prt_entries", "16"};
    g_auto(Study) study = study_of("latin_hypercube", &axis, 1);
    plan_point(&study, "16");
    plan_point(&study, "32");
    record(&study, (const double[]){1, 2}, 2);
    const Outcome run = ask(&study, "knees .");
    ck_assert_int_eq(run.status, 2);
    assert_has(run.errors, "the design latin_hypercube has no curves");
}
END_TEST

START_TEST(parameters_without_effect_are_named_with_their_pairs)
{
    g_auto(Study) study = alone();
    const Outcome run = ask(&study, "inert . --below 60%");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    const long none = place_of(run.out, "No effect at all"),
               below = place_of(run.out, "\nEffects b");
    ck_assert_int_gt(place_of(run.out, "l1.data_banks"), none);
    ck_assert_int_lt(place_of(run.out, "l1.data_banks"), below);
    assert_has(run.out + below, "machine.dram_clock  2  values  1  pair  up to 50.0 % in time_ns");
    const Outcome strict = ask(&study, "inert . --csv");
    assert_has(strict.out, "\nl1.prt_entries,effect,2,1,1,0.2,time_ns\r\n");
    assert_has(strict.out, "\nl1.data_banks,none,2,1,0,0,\r\n");
}
END_TEST

/* Of the baseline variant each more entry gains; the chase is better than all at 16. */
START_TEST(equal_points_of_a_front_share_a_row)
{
    g_auto(Study) study = curve(10);
    const Outcome run = ask(&study, "pareto . --on time_ns --on l2_hit_rate");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "5 of 10 combinations are on the front, 5 are dominated.");
    assert_has(run.out, "100 ns         0.500    chase              16  and 4 equal to it\n");
    ck_assert_ptr_null(strstr(run.out, "chase              32"));
    const Outcome csv = ask(&study, "pareto . --on time_ns --on l2_hit_rate --csv");
    assert_has(csv.out, "\n100,0.5,chase,256\r\n");
}
END_TEST

START_TEST(the_front_is_printed_with_its_parameters)
{
    g_auto(Study) study = curve(5);
    const char *const wish = "pareto . --minimize l1.prt_entries --on time_ns";
    const Outcome run = ask(&study, wish);
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "Pareto front of least l1.prt_entries and least time_ns");
    assert_has(run.out, "5 of 5 combinations are on the front, 0 are dominated.");
    /* values spaced by a factor have a logarithmic axis: 64 of 16 to 256 is in the middle */
    assert_has(run.out, "\n  l1.prt_entries (log), 16 at the left, 256 at the right");
    assert_has(run.out, "\n  |o\n");
    assert_has(run.out, "                                o  ");
    g_auto(Study) both = curve(10);
    const Outcome beaten = ask(&both, wish);
    assert_has(beaten.out, "1 of 10 combinations are on the front, 9 are dominated.");
    assert_has(beaten.out, "16               100 ns    chase\n");
    const Outcome csv = ask(&both, "pareto . --maximize l1.prt_entries --on time_ns --csv");
    ck_assert_str_eq(csv.out, "l1.prt_entries,time_ns,variant\r\n256,100,chase\r\n");
    const Outcome json = ask(&both, "pareto . --maximize l1.prt_entries --on time_ns --json");
    assert_has(json.out, "\"variant\": \"chase\"");
}
END_TEST

/* 64 entries and 32 banks are beaten by 32 and 32. Of what the others span, 32 and 32 are a third,
 * a third and a sixth away from the best. */
START_TEST(a_front_may_have_three_objectives)
{
    const Axis axes[] = {{"l1.prt_entries", "16"}, {"l1.data_banks", "16"}};
    const char *const values[] = {"16,16", "32,32", "64,16", "64,32", "64,64"};
    const double times[] = {1000, 500, 600, 550, 400};
    g_auto(Study) study = study_of("grid", axes, 2);
    for (guint i = 0; i < 5; i++) plan_point(&study, values[i]);
    record(&study, times, 5);
    const char *const wish = "pareto . --minimize l1.prt_entries --minimize l1.data_banks";
    g_autofree char *three = g_strconcat(wish, " --on time_ns", NULL),
                    *csv = g_strconcat(three, " --csv", NULL),
                    *twice = g_strconcat(three, " --minimize l1.data_banks", NULL);
    const Outcome run = ask(&study, three);
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "Pareto front of least l1.prt_entries, least l1.data_banks and least "
                        "time_ns: no other point is better in one of them and no worse in the "
                        "others.\n");
    assert_has(run.out, "4 of 5 combinations are on the front, 1 are dominated.");
    assert_has(run.out, "500 ns  nearest to the best of each\n");
    assert_has(run.out, "digits are on the front, time_ns from 0, 400 ns, to 9, 1.00 us\n");
    ck_assert_str_eq(ask(&study, csv).out, "l1.prt_entries,l1.data_banks,time_ns\r\n16,16,1000\r\n"
                                           "32,32,500\r\n64,16,600\r\n64,64,400\r\n");
    assert_has(ask(&study, twice).errors, "l1.data_banks: two objectives are the same");
    assert_has(ask(&study, wish).out, "1 of 5 combinations are on the front, 4 are dominated.");
}
END_TEST

/* Two trajectories: entries move the time by 100 in both, banks by 300 and 600. The mean of all
 * points is 800. */
START_TEST(a_screening_says_what_is_linear)
{
    const Axis axes[] = {{"l1.prt_entries", "16"}, {"l1.data_banks", "16"}};
    const char *const values[] = {"16,16", "64,16", "64,32", "64,32", "16,32", "16,16"};
    const double times[] = {600, 700, 1000, 1100, 1000, 400};
    g_auto(Study) study = study_of("morris", axes, 2);
    for (guint i = 0; i < 6; i++) {
        plan_point(&study, values[i]);
        Point *point = study.folder.manifest->points->pdata[i];
        g_free(point->role);
        point->role = g_strdup_printf("trajectory %u step %u", i / 3 + 1, i % 3);
    }
    record(&study, times, 6);
    const Outcome run = ask(&study, "sensitivity . --on time_ns");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "Elementary effects (Morris 1991): ");
    /* banks: +300 and +600, mean 450, deviation 212 */
    assert_has(run.out,
               "+56.2 %  +56.2 %  +26.5 %  #################### non-linear or interacting");
    assert_has(run.out, "+12.5 %  +12.5 %      0 %  #### linear");
}
END_TEST

/* Times of a point with two seeds: 1000 and 1100; 64 entries save 50, which is less than that. */
START_TEST(what_replications_differ_by_is_called_noise)
{
    const Axis axis = {"l1.prt_entries", "16"};
    const char *const values[] = {"16", "16", "64", "64"};
    const double times[] = {1000, 1100, 950, 1050};
    g_auto(Study) study = study_of("grid", &axis, 1);
    for (guint i = 0; i < 4; i++) {
        plan_point(&study, values[i]);
        Point *point = study.folder.manifest->points->pdata[i];
        point->replication = i % 2;
        g_free(point->role);
        point->role = g_strdup("");
    }
    record(&study, times, 4);
    const Outcome run = ask(&study, "sensitivity . --on time_ns");
    ck_assert_msg(run.status == 0, "%s", run.errors);
    assert_has(run.out, "#################### noise\n");
    assert_has(run.out, "replications of a point differ by up to 100 ns: less than that is noise");
}
END_TEST

START_TEST(a_sheet_quotes_what_csv_needs_and_leaves_unknown_numbers_empty)
{
    g_autoptr(Sheet) sheet = sheet_new();
    sheet_row(sheet);
    sheet_text(sheet, "sizes", "0 B, 8 KiB");
    sheet_text(sheet, "word", "\"odd\"");
    sheet_count(sheet, "count", 3);
    sheet_number(sheet, "number", NAN);
    sheet_number(sheet, "share", 1. / 3);
    sheet_bool(sheet, "good", TRUE);
    g_autofree char *text = NULL, *json = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sheet_print_csv(sheet, out);
    fclose(out);
    ck_assert_str_eq(text, "sizes,word,count,number,share,good\r\n"
                           "\"0 B, 8 KiB\",\"\"\"odd\"\"\",3,,0.3333333333333333,yes\r\n");
    out = open_memstream(&json, &size);
    sheet_print_json(sheet, out);
    fclose(out);
    assert_has(json, "\"count\": 3,");
    assert_has(json, "\"number\": null");
    assert_has(json, "\"good\": true");
}
END_TEST

HARNESS_MAIN("study_analysis", a_screening_says_what_is_linear,
             what_replications_differ_by_is_called_noise,
             a_sheet_quotes_what_csv_needs_and_leaves_unknown_numbers_empty,
             sensitivity_ranks_dimensions_and_says_how,
             sensitivity_as_csv_has_a_row_for_each_dimension_and_result,
             a_result_that_is_not_there_is_rejected_with_the_nearest_name,
             a_study_that_is_not_complete_says_so, knees_are_told_for_each_variant,
             a_table_for_each_value_holds_that_dimension, a_design_that_samples_has_no_curves,
             less_than_a_percent_is_no_gain, parameters_without_effect_are_named_with_their_pairs,
             equal_points_of_a_front_share_a_row, the_front_is_printed_with_its_parameters,
             a_front_may_have_three_objectives)
