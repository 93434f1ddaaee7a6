/* `dram.part`: what a part replaces, what goes over it, and how mistakes are reported. */
#include "rigs/harness.h"

#include "platform/machine/machine.h"
#include "rigs/temporary.h"
#include "scenarios/program/language/catalogue.h"
#include "scenarios/program/language/dram_part.h"
#include "scenarios/program/language/scenario.h"

typedef struct {
    char *folder;
    Scenario *scenario;
    GError *error;
} Loaded;

/* FOLDER/x.ini, beside FOLDER/own.ini, a part. */
static Loaded load(const char *text, const char *const *sets)
{
    Loaded loaded = {.folder = temporary_folder()};
    g_autofree char *part = temporary_file(
        loaded.folder, "own.ini",
        "[scenario]\ntitle = Own\n[machine]\ndram_clock = 600 MHz\n[dram]\nCL = 9 cycles\n");
    g_autofree char *base = temporary_file(loaded.folder, "base.ini",
                                           "[scenario]\nextends = v100\n[dram]\nCL = 30 cycles\n"
                                           "tRP = 40 cycles\nbank_hash = no\n");
    g_autofree char *file = temporary_file(loaded.folder, "x.ini", text);
    loaded.scenario = scenario_load(file, sets, &loaded.error);
    return loaded;
}

static void finish(Loaded *loaded)
{
    temporary_remove(loaded->folder);
    scenario_free(loaded->scenario);
    g_clear_error(&loaded->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Loaded, finish)

static const Variant *variant_of(const Loaded *loaded, const char *name)
{
    ck_assert_msg(loaded->scenario != NULL, "%s", loaded->error ? loaded->error->message : "");
    const Variant *variant = scenario_find_variant(loaded->scenario, name, NULL);
    ck_assert_ptr_nonnull(variant);
    return variant;
}

/* The value of "group.key", and that it comes from a file called `origin` (NULL: --set, or none). */
static void expect(const Loaded *loaded, const char *variant, const char *name, const char *value,
                   const char *origin)
{
    g_auto(GStrv) words = g_strsplit(name, ".", 2);
    const Setting *setting =
        configuration_find(variant_of(loaded, variant)->configuration, words[0], words[1]);
    ck_assert_msg(!g_strcmp0(setting ? setting->value : NULL, value), "%s: %s is %s, not %s",
                  variant, name, setting ? setting->value : "not set", value);
    if (origin)
        ck_assert_msg(setting->file && g_str_has_suffix(setting->file, origin), "%s comes from %s",
                      name, setting->file);
}

static void expect_good(const Loaded *loaded, const char *variant)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) machine = variant_machine_configuration(variant_of(loaded, variant));
    ck_assert_msg(machine_check(machine, &error), "%s", error ? error->message : "");
}

START_TEST(a_part_replaces_all_that_was_said_about_DRAM)
{
    g_auto(Loaded) loaded = load("[scenario]\nextends = base.ini\n"
                                 "[machine]\npeak_bandwidth_gbps = 898\n"
                                 "[variant hbm3]\ndram.part = hbm3_6400\n",
                                 NULL);
    expect(&loaded, "baseline", "dram.CL", "30 cycles", "base.ini");
    expect(&loaded, "hbm3", "dram.part", "hbm3_6400", "x.ini");
    expect(&loaded, "hbm3", "dram.CL", "12.5 ns", "platform/dram/hbm3_6400.ini");
    expect(&loaded, "hbm3", "dram.tRP", "16.25 ns", "hbm3_6400.ini");
    expect(&loaded, "hbm3", "dram.channel_width", "4 B", "hbm3_6400.ini");
    expect(&loaded, "hbm3", "machine.dram_clock", "1600 MHz", "hbm3_6400.ini");
    expect(&loaded, "hbm3", "machine.peak_bandwidth_gbps", NULL, NULL);
    expect(&loaded, "hbm3", "dram.bank_hash", "no", "base.ini"); /* is the controller's */
    expect(&loaded, "hbm3", "machine.core_clock", "1380 MHz", "v100.ini");
    expect_good(&loaded, "baseline");
    expect_good(&loaded, "hbm3");
}
END_TEST

START_TEST(what_stands_beside_a_part_or_comes_later_goes_over_it)
{
    g_auto(Loaded) loaded = load("[scenario]\nextends = base.ini\n"
                                 "[dram]\nCL = 21 cycles\npart = hbm2_2000\ntRP = 15 cycles\n"
                                 "[machine]\ndram_clock = 900 MHz\n"
                                 "[variant beside]\ndram.CL = 22 cycles\n"
                                 "[variant other]\ndram.tRP = 16 cycles\ndram.part = gddr6_14g\n",
                                 NULL);
    expect(&loaded, "baseline", "dram.CL", "21 cycles", "x.ini");
    expect(&loaded, "baseline", "dram.tRP", "15 cycles", "x.ini");
    expect(&loaded, "baseline", "dram.tRAS", "34 ns", "hbm2_2000.ini");
    expect(&loaded, "baseline", "machine.dram_clock", "900 MHz", "x.ini");
    expect(&loaded, "beside", "dram.CL", "22 cycles", "x.ini");
    expect(&loaded, "beside", "dram.tRP", "15 cycles", "x.ini");
    expect(&loaded, "other", "dram.CL", "13.714 ns", "gddr6_14g.ini");
    expect(&loaded, "other", "dram.tRP", "16 cycles", "x.ini");
    expect(&loaded, "other", "machine.dram_clock", "1750 MHz", "gddr6_14g.ini");
}
END_TEST

START_TEST(set_chooses_a_part_for_all_variants_and_goes_over_it_in_any_order)
{
    static const char *const sets[] = {"dram.CL=25 cycles", "dram.part = gddr5_8gb", NULL};
    g_auto(Loaded) loaded =
        load("[scenario]\nextends = v100\n[variant v]\ndram.part = hbm3_6400\n", sets);
    static const char *const variants[] = {"baseline", "v"};
    for (int i = 0; i < 2; i++) {
        expect(&loaded, variants[i], "dram.part", "gddr5_8gb", NULL);
        expect(&loaded, variants[i], "dram.CL", "25 cycles", NULL);
        expect(&loaded, variants[i], "dram.tRAS", "37.333 ns", "gddr5_8gb.ini");
        expect(&loaded, variants[i], "machine.peak_bandwidth_gbps", NULL, NULL);
        expect_good(&loaded, variants[i]);
    }
}
END_TEST

START_TEST(variants_keep_their_order_and_may_change_preset_and_part)
{
    g_auto(Loaded) loaded = load("[scenario]\nextends = v100\n[variant plain]\nl1.latency = 3\n"
                                 "[variant both]\nextends = gtx980\ndram.part = gddr5x_8gb\n",
                                 NULL);
    const Variant *first = loaded.scenario->variants->pdata[1];
    ck_assert_str_eq(first->name, "plain");
    expect(&loaded, "both", "dram.tRAS", "28 ns", "gddr5x_8gb.ini");
    expect(&loaded, "both", "machine.sms", "16", "gtx980.ini");
    expect_good(&loaded, "both");
}
END_TEST

/* Cells do not become faster with the bus; what is off stays off. */
START_TEST(a_faster_clock_of_a_part_leaves_what_its_cells_take)
{
    static const char *const keys[] = {"CL",    "tRCDRD", "tRCDWR", "tRP",    "tRAS",
                                       "tRC",   "tWR",    "tRRD_S", "tRRD_L", "tFAW",
                                       "t32AW", "tRFC",   "tRFCpb", "tREFI",  "tREFIpb"};
    g_autofree char *directory = catalogue_part_directory();
    g_auto(GStrv) parts = catalogue_list(directory);
    for (char **part = parts; *part; part++) {
        g_autoptr(Configuration) configuration = configuration_new();
        ck_assert(dram_part_select(configuration, *part, NULL, 0, NULL));
        for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
            const char *value = configuration_find(configuration, "dram", keys[i])->value;
            ck_assert_msg(g_str_has_suffix(value, " ns") || !strcmp(value, "0 cycles"),
                          "%s: %s = %s", *part, keys[i], value);
        }
    }
}
END_TEST

static double number_of(const Configuration *configuration, const char *key)
{
    return g_ascii_strtod(configuration_find(configuration, "dram", key)->value, NULL);
}

/* 32 ms, whatever the interval; a part whose rows come round earlier has nobody who says so. */
START_TEST(each_row_of_a_part_is_refreshed_in_time)
{
    g_autofree char *directory = catalogue_part_directory();
    g_auto(GStrv) parts = catalogue_list(directory);
    for (char **part = parts; *part; part++) {
        g_autoptr(Configuration) configuration = configuration_new();
        ck_assert(dram_part_select(configuration, *part, NULL, 0, NULL));
        const double round =
            number_of(configuration, "refresh_commands") * number_of(configuration, "tREFI") * 1e-6;
        ck_assert_msg(round > 20 && round < 1.01 * 32, "%s: %g ms", *part, round);
    }
}
END_TEST

START_TEST(a_part_of_ones_own_lies_beside_the_scenario)
{
    g_auto(Loaded) loaded =
        load("[scenario]\nextends = v100\n[dram]\npart = own.ini\ntRP = 13 cycles\n", NULL);
    expect(&loaded, "baseline", "dram.CL", "9 cycles", "own.ini");
    expect(&loaded, "baseline", "dram.tRP", "13 cycles", "x.ini");
    expect(&loaded, "baseline", "dram.tRAS", NULL, NULL); /* not V100's preset, the default */
    expect(&loaded, "baseline", "machine.dram_clock", "600 MHz", "own.ini");
}
END_TEST

START_TEST(a_bandwidth_stated_beside_the_part_is_checked)
{
    g_auto(Loaded) loaded = load("[scenario]\nextends = v100\n[dram]\npart = hbm2_2000\n"
                                 "[machine]\npeak_bandwidth_gbps = 900\n",
                                 NULL);
    g_autoptr(GError) error = NULL;
    ck_assert(!variant_check(variant_of(&loaded, "baseline"), &error));
    ck_assert_msg(strstr(error->message, "x.ini:6: machine.peak_bandwidth_gbps") != NULL, "%s",
                  error->message);
}
END_TEST

static const struct {
    const char *text, *set, *expected;
} mistakes[] = {
    {"[dram]\npart = hbm3_640\n", NULL,
     "/x.ini:2: dram.part = hbm3_640: no such DRAM part; did you mean 'hbm3_6400'?"},
    {"[variant v]\ndram.part = sram\n", NULL,
     "/x.ini:2: dram.part = sram: no such DRAM part; there"},
    {"[dram]\n", "dram.part=gddr6_14",
     "--set: dram.part = gddr6_14: no such DRAM part; did you mean"},
    {"[dram]\npart = none.ini\n", NULL, "there is no file"},
    {"[dram]\npart = base.ini\n", NULL, "base.ini:2: [scenario] extends: a DRAM part has"},
    {"[dram]\npart = hash.ini\n", NULL, "hash.ini:2: [dram] bank_hash: a DRAM part has"},
    {"[dram]\npart = slow.ini\n", NULL, "slow.ini does not say machine.dram_clock"},
};

START_TEST(a_mistake_about_a_part_is_named_with_its_place)
{
    const char *const sets[] = {mistakes[_i].set, NULL};
    char *folder = temporary_folder();
    g_autofree char *base = temporary_file(folder, "base.ini", "[scenario]\nextends = v100\n");
    g_autofree char *hash = temporary_file(folder, "hash.ini", "[dram]\nbank_hash = no\n");
    g_autofree char *slow = temporary_file(folder, "slow.ini", "[dram]\nCL = 9 cycles\n");
    g_autofree char *file = temporary_file(folder, "x.ini", mistakes[_i].text);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(scenario_load(file, sets, &error));
    ck_assert_msg(strstr(error->message, mistakes[_i].expected) != NULL, "%s", error->message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("dram_part");
    tcase_add_test(cases, a_part_replaces_all_that_was_said_about_DRAM);
    tcase_add_test(cases, what_stands_beside_a_part_or_comes_later_goes_over_it);
    tcase_add_test(cases, set_chooses_a_part_for_all_variants_and_goes_over_it_in_any_order);
    tcase_add_test(cases, variants_keep_their_order_and_may_change_preset_and_part);
    tcase_add_test(cases, a_faster_clock_of_a_part_leaves_what_its_cells_take);
    tcase_add_test(cases, each_row_of_a_part_is_refreshed_in_time);
    tcase_add_test(cases, a_part_of_ones_own_lies_beside_the_scenario);
    tcase_add_test(cases, a_bandwidth_stated_beside_the_part_is_checked);
    tcase_add_loop_test(cases, a_mistake_about_a_part_is_named_with_its_place, 0,
                        G_N_ELEMENTS(mistakes));
    return harness_run_cases("dram_part", cases);
}
