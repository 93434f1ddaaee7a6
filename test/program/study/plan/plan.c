/* From a scenario with [study] to its points. */
#include "rigs/harness.h"

#include "program/study/plan_rig.h"

static const Base *base_of(const Manifest *manifest, guint index)
{
    return manifest->bases->pdata[point_of(manifest, index)->base];
}

/* --- points --- */

START_TEST(points_have_the_values_of_their_dimensions)
{
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8, 16\nmachine.dram_clock = x1, x2\n");
    const Manifest *manifest = planned.manifest;
    ck_assert_uint_eq(manifest->points->len, 4);
    ck_assert_uint_eq(manifest->bases->len, 1);
    expect_value(manifest, 0, "l1.prt_entries", "8");
    expect_value(manifest, 1, "l1.prt_entries", "8");
    expect_value(manifest, 1, "machine.dram_clock", "1754 MHz");
    expect_value(manifest, 2, "l1.prt_entries", "16");
    expect_value(manifest, 2, "machine.dram_clock", "877 MHz");
    expect_value(manifest, 3, "workload.array_bytes", "32 KiB");
    ck_assert_uint_eq(planned.report.distinct, 4);
    ck_assert_uint_eq(planned.report.checked, 4);
    ck_assert_uint_eq(planned.report.rejected, 0);
    g_autofree char *text = plan_describe(manifest);
    ck_assert_str_eq(text, "grid of 2 dimensions, 4 points");
}
END_TEST

START_TEST(replications_have_the_seeds_from_the_scenarios_own_on)
{
    g_auto(Planned) planned = plan_text(study_scenario, "replications = 3\nl1.prt_entries = 8, 9\n",
                                        "simulation.seed=40");
    for (guint i = 0; i < 6; i++) {
        const Point *point = point_of(planned.manifest, i);
        g_autofree char *seed = g_strdup_printf("%u", 40 + i % 3);
        ck_assert_uint_eq(point->seed, 40 + i % 3);
        ck_assert_uint_eq(point->replication, i % 3);
        expect_value(planned.manifest, i, "simulation.seed", seed);
    }
    ck_assert_uint_eq(planned.report.distinct, 6);
    ck_assert_uint_eq(planned.report.checked, 2);
}
END_TEST

START_TEST(a_base_stands_for_each_combination_of_what_decides_the_keys)
{
    g_auto(Planned) planned =
        plan_study("variant = baseline, half\nscenario.extends = v100, a100\n"
                   "dram.part = hbm2_v100, hbm3_6400\nl1.prt_entries = 8, 9\n");
    const Manifest *manifest = planned.manifest;
    ck_assert_uint_eq(manifest->points->len, 16);
    ck_assert_uint_eq(manifest->bases->len, 8);
    ck_assert_str_eq(base_of(manifest, 0)->variant, "baseline");
    ck_assert_str_eq(base_of(manifest, 8)->variant, "half");
    expect_value(manifest, 0, "machine.name", "NVIDIA Tesla V100");
    expect_value(manifest, 4, "machine.name", "NVIDIA A100 (Ampere GA100, 40 GB HBM2)");
    expect_value(manifest, 0, "dram.part", "hbm2_v100");
    expect_value(manifest, 2, "dram.part", "hbm3_6400");
    expect_value(manifest, 2, "machine.dram_clock", "1600 MHz");
    expect_value(manifest, 8, "workload.array_bytes", "16 KiB");
    expect_value(manifest, 9, "l1.prt_entries", "9");
    for (guint i = 0; i < 16; i += 2)
        ck_assert_uint_eq(point_of(manifest, i)->base, point_of(manifest, i + 1)->base);
}
END_TEST

/* V100's part with what the scenario says over it is not read anew. */
START_TEST(the_scenarios_own_part_keeps_what_goes_over_it)
{
    g_auto(Planned) planned =
        plan_text(study_scenario, "dram.part = hbm2_v100, hbm3_6400\n", "dram.CL=20 cycles");
    expect_value(planned.manifest, 0, "dram.CL", "20 cycles");
    expect_value(planned.manifest, 1, "dram.CL", "20 cycles");
    g_autofree char *text = g_strconcat(study_scenario, "[dram]\nCL = 19 cycles\n", NULL);
    g_auto(Planned) own = plan_text(text, "dram.part = hbm2_v100, hbm3_6400\n", NULL);
    expect_value(own.manifest, 0, "dram.CL", "19 cycles");
    g_autofree char *other = point_value(own.manifest, 1, "dram", "CL");
    ck_assert_str_ne(other, "19 cycles");
}
END_TEST

START_TEST(one_at_a_time_keeps_another_presets_own_values)
{
    g_auto(Planned) planned = plan_study("design = one_at_a_time\nscenario.extends = v100, a100\n"
                                         "l2_slice.capacity = 96 KiB, 192 KiB\n");
    const Manifest *manifest = planned.manifest;
    ck_assert_uint_eq(manifest->points->len, 3);
    ck_assert_str_eq(point_of(manifest, 0)->role, "baseline");
    expect_value(manifest, 0, "l2_slice.capacity", "96 KiB");
    expect_value(manifest, 1, "machine.name", "NVIDIA A100 (Ampere GA100, 40 GB HBM2)");
    expect_value(manifest, 1, "l2_slice.capacity", "512 KiB");
    ck_assert_str_eq(point_of(manifest, 1)->values[1], "512 KiB");
    expect_value(manifest, 2, "l2_slice.capacity", "192 KiB");
}
END_TEST

/* The value with which a dimension leaves the baseline; NULL: it is none. */
static const char *doubled_value(const Manifest *manifest, const char *name)
{
    const int dimension = manifest_find_dimension(manifest, name);
    for (guint i = 0; dimension >= 0 && i < manifest->points->len; i++)
        if (!strcmp(point_of(manifest, i)->role, name))
            return point_of(manifest, i)->values[dimension];
    return NULL;
}

START_TEST(one_at_a_time_without_dimensions_doubles_each_part_that_is_used)
{
    g_auto(Planned) planned = plan_study("design = one_at_a_time\n");
    const Manifest *manifest = planned.manifest;
    ck_assert_uint_ge(manifest->dimensions->len, 80);
    ck_assert_uint_eq(manifest->points->len, manifest->dimensions->len + 1);
    ck_assert_uint_eq(planned.report.rejected, 0);
    ck_assert_str_eq(point_of(manifest, 0)->role, "baseline");
    ck_assert_pstr_eq(doubled_value(manifest, "machine.sms"), "4");
    ck_assert_pstr_eq(doubled_value(manifest, "l1.hit_latency"), "8 cycles");
    ck_assert_pstr_eq(doubled_value(manifest, "l2_slice.capacity"), "192 KiB");
    ck_assert_pstr_eq(doubled_value(manifest, "first_level.array"), "256 KiB");
    ck_assert_pstr_eq(doubled_value(manifest, "l1.capacity"), NULL); /* of the array */
    ck_assert_pstr_eq(doubled_value(manifest, "rop.lanes"), NULL);   /* for atomics */
    ck_assert_pstr_eq(doubled_value(manifest, "l2_slice.cross_entries"), NULL);
    g_auto(Planned) named = plan_study("design = one_at_a_time\nl1.prt_entries = 8\n");
    ck_assert_uint_eq(named.manifest->dimensions->len, 1);
}
END_TEST

START_TEST(a_stated_peak_does_not_hold_where_what_makes_it_varies)
{
    static const char *const studies[] = {
        "machine.dram_clock = 700 MHz, 877 MHz\n",
        "machine.partitions = 2, 4\n",
        "dram.channel_width = 4 B, 8 B\n",
    };
    static const char stated[] = "[scenario]\nextends = v100\n[machine]\nsms = 2\n"
                                 "[workload]\npattern = stream\narray_bytes = 32 KiB\n";
    for (guint i = 0; i < G_N_ELEMENTS(studies); i++) {
        g_auto(Planned) planned = plan_text(stated, studies[i], NULL);
        ck_assert_msg(planned.manifest != NULL, "%s", planned.error->message);
        ck_assert_uint_eq(planned.report.rejected, 0);
        expect_value(planned.manifest, 0, "machine.peak_bandwidth_gbps", "0");
    }
    g_auto(Planned) other = plan_text(stated, "l1.prt_entries = 8\n", NULL);
    g_autofree char *peak = point_value(other.manifest, 0, "machine", "peak_bandwidth_gbps");
    ck_assert_str_ne(peak, "0");
}
END_TEST

START_TEST(points_that_do_not_satisfy_where_are_left_out)
{
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8, 16, 32\nvariant = baseline, half\n"
                                         "where = l1.prt_entries * machine.sms <= 32\n"
                                         "  workload.array_bytes >= 32 KiB\n");
    ck_assert_uint_eq(planned.manifest->points->len, 2);
    ck_assert_uint_eq(planned.report.excluded, 4);
    expect_value(planned.manifest, 1, "l1.prt_entries", "16");
    ck_assert_str_eq(base_of(planned.manifest, 1)->variant, "baseline");
}
END_TEST

START_TEST(conditions_know_variants_and_presets)
{
    g_auto(Planned) planned =
        plan_study("scenario.extends = v100, a100\nl1.prt_entries = 8, 16\n"
                   "where = variant = 'baseline' and scenario.extends = 'a100'\n");
    ck_assert_uint_eq(planned.manifest->points->len, 2);
    expect_value(planned.manifest, 0, "machine.name", "NVIDIA A100 (Ampere GA100, 40 GB HBM2)");
}
END_TEST

START_TEST(points_that_are_the_same_run_are_counted_once)
{
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8\nvariant = baseline, prt-8, half\n");
    ck_assert_uint_eq(planned.manifest->points->len, 3);
    ck_assert_uint_eq(planned.report.distinct, 2);
}
END_TEST

START_TEST(points_that_the_model_rejects_stay_in_the_plan)
{
    g_auto(Planned) planned = plan_study("machine.line_bytes = 128 B, 100 B\n");
    ck_assert_uint_eq(planned.manifest->points->len, 2);
    ck_assert_uint_eq(planned.report.rejected, 1);
    ck_assert_uint_eq(planned.report.first_rejected, 1);
    ck_assert_ptr_nonnull(strstr(planned.report.reason, "/x.ini:"));
    ck_assert_ptr_nonnull(strstr(planned.report.reason, "machine.line_bytes"));
}
END_TEST

/* --- what a study inherits --- */

START_TEST(a_study_goes_over_that_of_the_scenario_it_extends)
{
    g_auto(Planned) planned = plan_study("l1.prt_entries = 8, 16\nl1.sets = 2, 4\nsamples = 5\n");
    g_autofree char *file = temporary_file(planned.folder, "y.ini",
                                           "[scenario]\nextends = x.ini\n[study]\nl1.sets =\n"
                                           "l2_slice.ways = 8, 16\nl1.prt_entries = 32\n");
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = plan_new(file, NULL, NULL, &error);
    ck_assert_msg(manifest != NULL, "%s", error ? error->message : "");
    ck_assert_uint_eq(manifest->dimensions->len, 2);
    ck_assert_str_eq(((Dimension *)manifest->dimensions->pdata[0])->name, "l1.prt_entries");
    ck_assert_str_eq(((Dimension *)manifest->dimensions->pdata[1])->name, "l2_slice.ways");
    ck_assert_uint_eq(manifest->points->len, 2);
    expect_value(manifest, 0, "l1.prt_entries", "32");
}
END_TEST

START_TEST(set_changes_the_study_and_what_is_studied)
{
    g_auto(Planned) planned =
        plan_text(study_scenario, "l1.prt_entries = 8\n",
                  "study.l2_slice.capacity=96 KiB, 192 KiB;study.kernel one.x=;l1.sets=2;"
                  "study.design=one_at_a_time");
    ck_assert_msg(planned.manifest != NULL, "%s", planned.error ? planned.error->message : "");
    ck_assert_str_eq(planned.manifest->design, "one_at_a_time");
    ck_assert_uint_eq(planned.manifest->points->len, 3);
    expect_value(planned.manifest, 2, "l2_slice.capacity", "192 KiB");
    expect_value(planned.manifest, 2, "l1.sets", "2");
}
END_TEST

START_TEST(a_study_may_vary_links_that_the_scenario_does_not_name)
{
    g_auto(Planned) planned = plan_text(study_scenario,
                                        "link request-*-1.bandwidth_scale = 50 %, 1\n"
                                        "where = link request-*-1.bandwidth_scale * 2 >= 1\n",
                                        "study.l2_slice.capacity=;study.kernel one.x=");
    ck_assert_msg(planned.manifest != NULL, "%s", planned.error ? planned.error->message : "");
    expect_value(planned.manifest, 0, "link request-*-1.bandwidth_scale", "0.5");
    expect_value(planned.manifest, 1, "link request-*-1.bandwidth_scale", "1");
}
END_TEST

/* --- mistakes --- */

static const struct {
    const char *study, *expected;
} mistakes[] = {
    {"", "x.ini: has no [study]"},
    {"l2_slice.capacty = 96 KiB\n",
     "x.ini:17: study.l2_slice.capacty = 96 KiB: neither a key of [study] nor a parameter of the "
     "scenario; did you mean 'l2_slice.capacity'?"},
    {"\nsampels = 3\n", "x.ini:18: study.sampels = 3: neither a key"},
    {"sampels = 3\n", "did you mean 'samples'?"},
    {"samples = many\n", "x.ini:17: study.samples = many"},
    {"l2_slice.capacity = 96 KiB, 7\n", "x.ini:17: study.l2_slice.capacity = 7: a unit is missing"},
    {"l2_slice.capacity = 1 B\n", "from 1 KiB to"},
    {"variant = baseline, haf\n", "did you mean 'half'?"},
    {"scenario.extends = v100, a101\n", "did you mean 'a100'?"},
    {"scenario.title = a, b\n",
     "x.ini:17: study.scenario.title = a, b: of [scenario] only extends"},
    {"dram.part = hbm3_64\n", "x.ini:17: dram.part = hbm3_64: no such DRAM part"},
    {"simulation.seed = 1, 2\n", "study.replications, from simulation.seed on"},
    {"simulation.quantum = 1 us\n", "[simulation] does not change what is simulated"},
    {"workload.code = x\n", "programs cannot stand in a list"},
    {"statistics = l1.refused_prd\n", "x.ini:17: study.statistics: l1.refused_prd: there is no"},
    {"statistics = l1.refused_prt, l1.refused_prt\n",
     "x.ini:17: study.statistics: l1.refused_prt: stands twice"},
    {"workload.pattern = stream, strided\n", "x.ini:10: workload.operation = read: not known"},
    {"workload.file = there.g\n", "x.ini:17: study.workload.file = there.g: neither"},
    {"replications = 600000\nl1.sets = 1, 2\n", "2 points, each 600000 times; at most 1000000"},
    {"l1.sets = 1, 2\nwhere = l1.sets > 4\n", "no point satisfies the conditions of study.where"},
    {"machine.line_bytes = 100 B, 60 B\n", "the model takes none of the points; the first: "},
    {"l1 .sets = 1, 2\n", "did you mean 'l1.sets'?"},
    {"variant.x = 3\n", "x.ini:17: study.variant.x = 3: neither"},
};

START_TEST(a_mistake_in_a_study_is_named_with_its_place)
{
    g_auto(Planned) planned = plan_text(study_scenario, mistakes[_i].study, NULL);
    ck_assert_ptr_null(planned.manifest);
    ck_assert_msg(strstr(planned.error->message, mistakes[_i].expected) != NULL, "%s",
                  planned.error->message);
}
END_TEST

START_TEST(a_study_at_the_wrong_place_is_pointed_at)
{
    g_auto(Planned) variant =
        plan_text(study_scenario, "[variant x]\nstudy.l1.sets = 2, 4\n", NULL);
    ck_assert_ptr_null(variant.manifest);
    ck_assert_ptr_nonnull(strstr(variant.error->message,
                                 "x.ini:18: variant x.study.l1.sets = 2, 4: a "
                                 "study is the scenario's"));
    g_autofree char *text = g_strconcat(study_scenario, "[studi]\nl1.sets = 2, 4\n", NULL);
    g_auto(Planned) mistyped = plan_text(text, "l1.sets = 2\n", NULL);
    ck_assert_ptr_null(mistyped.manifest);
    ck_assert_ptr_nonnull(strstr(mistyped.error->message, "did you mean 'study'?"));
}
END_TEST

START_TEST(a_scenario_whose_baseline_is_not_run_has_to_name_its_variants)
{
    g_autofree char *text = g_strconcat("[workload]\npattern = stream\n[scenario]\nextends = v100\n"
                                        "baseline = no\n[variant a]\nmachine.sms = 1\n"
                                        "[variant b]\nmachine.sms = 2\n",
                                        NULL);
    g_auto(Planned) planned = plan_text(text, "l1.sets = 2\n", NULL);
    ck_assert_ptr_null(planned.manifest);
    ck_assert_ptr_nonnull(strstr(planned.error->message, "variant = a, b"));
    g_auto(Planned) named = plan_text(text, "variant = b, a\ndesign = one_at_a_time\n", NULL);
    ck_assert_msg(named.manifest != NULL, "%s", named.error ? named.error->message : "");
    ck_assert_uint_eq(named.manifest->points->len, 2);
    ck_assert_str_eq(base_of(named.manifest, 0)->variant, "b");
    g_auto(Planned) template = plan_text(text, "variant = baseline\n", NULL);
    ck_assert_ptr_null(template.manifest);
    ck_assert_ptr_nonnull(strstr(template.error->message, "there are a, b"));
}
END_TEST

START_TEST(what_a_variant_does_not_have_cannot_vary_with_it)
{
    g_auto(Planned) planned =
        plan_text("[scenario]\nextends = v100\nbaseline = no\n[machine]\nsms = 2\n"
                  "[variant chase]\nworkload.pattern = pointer_chase\n"
                  "[variant stream]\nworkload.pattern = stream\n",
                  "variant = chase, stream\nworkload.working_set = 8 KiB, 16 KiB\n", NULL);
    ck_assert_ptr_null(planned.manifest);
    ck_assert_ptr_nonnull(strstr(planned.error->message,
                                 "x.ini:12: study.workload.working_set = 8 KiB, 16 KiB: with "
                                 "variant = stream there is no such parameter"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("plan");
    tcase_add_test(cases, points_have_the_values_of_their_dimensions);
    tcase_add_test(cases, replications_have_the_seeds_from_the_scenarios_own_on);
    tcase_add_test(cases, a_base_stands_for_each_combination_of_what_decides_the_keys);
    tcase_add_test(cases, the_scenarios_own_part_keeps_what_goes_over_it);
    tcase_add_test(cases, one_at_a_time_without_dimensions_doubles_each_part_that_is_used);
    tcase_add_test(cases, one_at_a_time_keeps_another_presets_own_values);
    tcase_add_test(cases, a_stated_peak_does_not_hold_where_what_makes_it_varies);
    tcase_add_test(cases, points_that_do_not_satisfy_where_are_left_out);
    tcase_add_test(cases, conditions_know_variants_and_presets);
    tcase_add_test(cases, points_that_are_the_same_run_are_counted_once);
    tcase_add_test(cases, points_that_the_model_rejects_stay_in_the_plan);
    tcase_add_test(cases, a_study_goes_over_that_of_the_scenario_it_extends);
    tcase_add_test(cases, set_changes_the_study_and_what_is_studied);
    tcase_add_test(cases, a_study_may_vary_links_that_the_scenario_does_not_name);
    tcase_add_loop_test(cases, a_mistake_in_a_study_is_named_with_its_place, 0,
                        G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, a_study_at_the_wrong_place_is_pointed_at);
    tcase_add_test(cases, a_scenario_whose_baseline_is_not_run_has_to_name_its_variants);
    tcase_add_test(cases, what_a_variant_does_not_have_cannot_vary_with_it);
    return harness_run_cases("plan", cases);
}
