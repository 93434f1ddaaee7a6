/* Energy: sums, stages, over time, and where the documents say it goes. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "program/cost/runs.h"
#include "rigs/harness.h"
#include "scenarios/program/cost/assumed.h"
#include "scenarios/program/cost/energy.h"

static double at_stage(JsonNode *energy, const char *stage)
{
    g_autofree char *path = g_strconcat("stages.", stage, NULL);
    const double uj = result_number(energy, path);
    return isfinite(uj) ? uj : 0;
}

/* With what was taken at none. */
static double sum_stages(JsonNode *energy)
{
    double sum = result_number(energy, "no_stage_uj");
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        sum += at_stage(energy, stage_name(stage));
    return sum;
}

static void expect_sums(JsonNode *energy)
{
    g_autoptr(GArray) units = energy_units(energy), events = energy_events(energy);
    double of_units = 0, of_events = 0;
    for (guint i = 0; i < units->len; i++) of_units += g_array_index(units, EnergyEntry, i).uj;
    for (guint i = 0; i < events->len; i++) {
        const EnergyEntry *event = &g_array_index(events, EnergyEntry, i);
        ck_assert_double_le(fabs(event->uj - event->count * event->pj * 1e-6), 1e-9 * event->uj);
        of_events += event->uj;
    }
    const double sum = result_number(energy, "events_uj");
    ck_assert_double_gt(sum, 0);
    ck_assert_double_eq_tol(sum_stages(energy), sum, 1e-9 * sum);
    ck_assert_double_eq_tol(of_units, sum, 1e-9 * sum);
    ck_assert_double_eq_tol(of_events, sum, 1e-9 * sum);
    ck_assert_double_gt(result_number(energy, "active_uj"), 0);
    ck_assert_double_eq_tol(sum + result_number(energy, "active_uj")
                                + result_number(energy, "idle_uj"),
                            result_number(energy, "total_uj"), 1e-9 * sum);
}

/* An interval's power by its length is what events took in it; the peak is of a whole interval. */
static void expect_series(JsonNode *result)
{
    JsonNode *energy = result_member(result, "consumption"),
             *power = result_member(result, "profile.power");
    const double interval = result_number(power, "interval"), span = result_number(power, "span"),
                 idle = result_number(power, "idle_w"), peak = result_number(power, "peak_w");
    g_autoptr(GArray) units = energy_units(energy);
    const EnergyEntry active = {"active SMs", "", 0, 0, result_number(energy, "active_uj")};
    g_array_append_val(units, active);
    double all[128] = {0}, most = 0;
    guint count = 0;
    for (guint k = 0; k < units->len; k++) {
        const EnergyEntry *unit = &g_array_index(units, EnergyEntry, k);
        g_autofree char *path = g_strconcat("classes.", unit->unit, NULL);
        JsonArray *watts = result_array(power, path);
        double uj = 0;
        count = result_length(watts);
        for (guint i = 0; i < count; i++) {
            const double w = json_array_get_double_element(watts, i);
            all[i] += w;
            uj += w * fmin(interval, span - i * interval) * 1e-9;
        }
        ck_assert_msg(fabs(uj - unit->uj) <= 1e-4 * unit->uj + 1e-6 * count, "%s: %g, not %g",
                      unit->unit, uj, unit->uj);
    }
    ck_assert_uint_gt(count, 10);
    for (guint i = 0; i + 1 < count; i++) most = fmax(most, all[i]);
    ck_assert_double_eq_tol(peak, idle + most, 0.01);
    ck_assert_double_gt(peak, result_number(energy, "power_w"));
    ck_assert_double_eq(result_number(power, "peak_interval_ns"), interval * 1e-6);
}

/* A byte takes as much in the one network as in the other, of which that of replies has the data
 * of two loads, and of requests that of one store. */
static void expect_networks(JsonNode *energy, JsonNode *result)
{
    double bytes[NETWORKS] = {0};
    JsonArray *routers = result_array(result, "units.router.instances");
    for (guint i = 0; i < result_length(routers); i++) {
        JsonNode *router = json_array_get_element(routers, i);
        const bool replies = strstr(result_text(router, "path"), "reply") != NULL;
        bytes[replies ? NETWORK_REPLY : NETWORK_REQUEST] += result_number(router, "link_bytes");
    }
    const double share = bytes[NETWORK_REPLY] / bytes[NETWORK_REQUEST];
    ck_assert_double_gt(share, 1);
    ck_assert_double_eq_tol(at_stage(energy, "reply_wire") / at_stage(energy, "request_wire"),
                            share, 1e-9 * share);
    ck_assert_double_eq_tol(at_stage(energy, "reply_queue") / at_stage(energy, "request_queue"),
                            share, 1e-9 * share);
}

/* Refreshes are at no stage. */
static void expect_dram(JsonNode *energy)
{
    const double all = result_number(energy, "units.dram_channel.uj"),
                 refreshes = result_number(energy, "units.dram_channel.events.refreshes.uj");
    ck_assert_double_eq_tol(at_stage(energy, "dram_activate") + at_stage(energy, "dram_column")
                                + at_stage(energy, "dram_bus"),
                            all - refreshes, 1e-9 * all);
    ck_assert_double_gt(at_stage(energy, "dram_bus"), 0);
}

/* The parts' changes sum to that of the whole. */
static void expect_changes(const char *folder)
{
    const Outcome outcome = warpmem(folder, "compare --json out/baseline out/small");
    g_autoptr(JsonNode) all = json_from_string(outcome.out, NULL);
    ck_assert_msg(outcome.status == 0 && all, "%s", outcome.errors);
    g_autoptr(JsonNode) before = result_of(folder, "baseline"), after = result_of(folder, "small");
    JsonNode *second = json_array_get_element(json_node_get_array(all), 1);
    JsonArray *steps = result_array(second, "energy_steps");
    const double change = result_number(after, "consumption.total_uj")
                          - result_number(before, "consumption.total_uj");
    double sum = 0, largest = INFINITY;
    for (guint i = 0; i < result_length(steps); i++) {
        const double own = result_number(json_array_get_element(steps, i), "change_uj");
        ck_assert_double_le(fabs(own), largest);
        largest = fabs(own);
        sum += own;
    }
    ck_assert_double_lt(change, 0);
    ck_assert_double_eq_tol(sum, change, 1e-9 * fabs(change));
}

/* Two kernels of a ring; what lies between them is nobody's. */
static JsonNode *run_ring(const char *folder)
{
    static const char text[] =
        "[scenario]\ntitle = Sums\nextends = v100\n[machine]\nsms = 4\npartitions = 2\n"
        "peak_bandwidth_gbps = 0\n[network]\ntopology = ring\n"
        "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\nlaunches = 2\n"
        "[variant small]\nworkload.array_bytes = 32 KiB\n";
    g_autofree char *file = temporary_file(folder, "sums.ini", text);
    run_scenario(folder, "sums.ini");
    return result_of(folder, "baseline");
}

static void expect_figures_on_page(const char *folder)
{
    const Outcome page = warpmem(folder, "report out/baseline -o page.html");
    ck_assert_msg(page.status == 0, "%s", page.errors);
    g_autofree char *html = g_build_filename(folder, "page.html", NULL), *text_of = NULL;
    ck_assert(g_file_get_contents(html, &text_of, NULL, NULL));
    ck_assert_ptr_nonnull(strstr(text_of, "\"power_over_time\""));
    ck_assert_ptr_nonnull(strstr(text_of, "\"energy_stages\""));
}

START_TEST(energies_of_events_add_up_to_the_run)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run_ring(folder);
    JsonNode *energy = result_member(result, "consumption");
    expect_sums(energy);
    expect_series(result);
    expect_figures_on_page(folder);
    const double seconds = result_number(result, "summary.time_ns") * 1e-9;
    ck_assert_double_eq_tol(result_number(energy, "idle_uj"), (32.3 + 4 * 0.28) * seconds * 1e6,
                            1e-6);
    JsonArray *kernels = result_array(result, "kernels");
    double of_kernels = 0;
    for (guint i = 0; i < result_length(kernels); i++)
        of_kernels += result_number(json_array_get_element(kernels, i), "consumption.events_uj");
    ck_assert_double_gt(of_kernels, 0);
    ck_assert_double_le(of_kernels, 1.000001 * result_number(energy, "events_uj"));
    temporary_remove(folder);
}
END_TEST

/* No packet is under way between kernels. */
START_TEST(stages_take_what_is_counted_there)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run_ring(folder);
    JsonNode *energy = result_member(result, "consumption");
    expect_networks(energy, result);
    expect_dram(energy);
    expect_changes(folder);
    JsonArray *kernels = result_array(result, "kernels");
    double replies = 0;
    ck_assert_uint_eq(result_length(kernels), 2);
    for (guint i = 0; i < 2; i++) {
        JsonNode *own = result_member(json_array_get_element(kernels, i), "consumption");
        const double events = result_number(own, "events_uj");
        ck_assert_double_eq_tol(sum_stages(own), events, 1e-9 * events);
        replies += at_stage(own, "reply_wire");
    }
    ck_assert_double_eq_tol(replies, at_stage(energy, "reply_wire"), 1e-9 * replies);
    temporary_remove(folder);
}
END_TEST

/* Half of the lines come over the wires between the halves of L2, which one piece does not have. */
START_TEST(halves_of_L2_are_apart)
{
    char *folder = temporary_folder();
    run_scenario(folder, "halves -v baseline -v one");
    g_autoptr(JsonNode) two = result_of(folder, "baseline"), one = result_of(folder, "one");
    JsonNode *energy = result_member(two, "consumption");
    const double bytes = result_number(two, "units.half_link.total.bytes"),
                 crossing = result_number(energy, "units.half_link.uj");
    /* 14.4 mm at 0.8 V; half of the bits change */
    ck_assert_double_eq_tol(crossing, bytes * 8 * 14.4 * 0.12 * (0.8 / 0.9) * (0.8 / 0.9) * 1e-6,
                            1e-9);
    ck_assert_double_eq(at_stage(energy, "l2_cross"), crossing);
    ck_assert_double_eq(at_stage(result_member(one, "consumption"), "l2_cross"), 0);
    temporary_remove(folder);
}
END_TEST

/* Where shared memory has an array of its own, a byte of it takes energy with the square root of
 * that one's size, whatever L1's is; of an array that both divide theirs are the same. */
static const struct {
    const char *variant, *settings;
    double shared, cache; /* for those of P100's 64 KiB and of its L1; 0: they are the same */
} rows[] = {{"own", "extends = p100", 1, 1},
            {"larger", "extends = p100\nsm.shared_memory = 256 KiB", 2, 1},
            {"more-cache", "extends = p100\nl1.capacity = 96 KiB", 1, 2},
            {"divided", "extends = v100", 0, 0}};

START_TEST(a_byte_of_shared_memory_takes_what_its_own_array_does)
{
    char *folder = temporary_folder();
    g_autoptr(GString) text =
        g_string_new("[scenario]\ntitle = Rows\nextends = p100\nbaseline = no\n"
                     "[machine]\nsms = 1\n[workload]\npattern = program\n"
                     "ctas = 1\nthreads_per_cta = 32\n"
                     "code = shared s[32]; global A[32];"
                     " x = load s[lane]; store s[lane]; y = load A[lane]\n");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        g_string_append_printf(text, "[variant %s]\n%s\n", rows[i].variant, rows[i].settings);
    g_autofree char *file = temporary_file(folder, "rows.ini", text->str);
    run_scenario(folder, "rows.ini");
    double shared = NAN, cache = NAN;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(JsonNode) result = result_of(folder, rows[i].variant);
        const double read =
                         result_number(result, "consumption.units.l1.events.bytes_shared_read.pj"),
                     row = result_number(result, "consumption.units.l1.events.bytes_array_read.pj");
        if (!i) shared = read, cache = row;
        if (rows[i].shared) ck_assert_double_eq_tol(read / shared, rows[i].shared, 1e-9);
        ck_assert_double_eq_tol(row / (rows[i].cache ? cache * rows[i].cache : read), 1, 1e-9);
        ck_assert_double_eq(result_number(result, "units.l1.total.shared_reads"), 1);
        ck_assert_double_eq(result_number(result, "units.l1.total.shared_writes"), 1);
    }
    temporary_remove(folder);
}
END_TEST

/* Each byte goes into the store and out of it, with a bit of mask; what stays in L2 does not. */
START_TEST(written_data_takes_energy_where_it_waits)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "writes.ini",
        "[scenario]\ntitle = Writes\nextends = v100\n[machine]\nsms = 1\npartitions = 1\n"
        "peak_bandwidth_gbps = 0\n[workload]\npattern = stream\noperation = init\n"
        "array_bytes = 512 KiB\n[variant line]\nl2_slice.written_data = line\n");
    run_scenario(folder, "writes.ini");
    const char *event = "consumption.units.access_scheduler.events.bytes_written.pj";
    g_autoptr(JsonNode) with = result_of(folder, "baseline"), line = result_of(folder, "line");
    const double entry = 33 + 4 + 16 + 6 + 1152, bank = 64 * entry / 8 / 8192;
    ck_assert_double_eq(result_number(with, "units.access_scheduler.total.bytes_written"),
                        result_number(with, "units.l2_slice.total.bytes_written_back"));
    ck_assert_double_gt(result_number(with, "units.access_scheduler.total.bytes_written"), 0);
    ck_assert_double_eq_tol(
        result_number(with, event),
        2 * 10 * 9 / 64.0 * sqrt(bank) * (12 / 45.0) * (0.8 / 0.9) * (0.8 / 0.9), 1e-9);
    ck_assert_double_eq(result_number(line, event), 0);
    temporary_remove(folder);
}
END_TEST

/* What the documents weigh against time. `less` takes less energy of events than `more`, and this
 * part of its time at least and at most. */
static const struct {
    const char *scenario, *less, *more;
    double least, most;
} choices[] = {
    /* bounded room for replays: nearly as fast as without, and fewer writes of a small buffer */
    {"replay-room -v room-2 -v unbounded", "room-2", "unbounded", 1.0, 1.05},
    /* tags first: slower, and no ways are read in vain */
    {"l1-switches -v parallel -v serial", "serial", "parallel", 1.02, 1.2},
    {"sectors -v sector-32 -v sector-128", "sector-32", "sector-128", 0.3, 0.8},
    {"dram-schedulers -v fifo -v sorter-store", "sorter-store", "fifo", 0.3, 0.8},
};

START_TEST(energy_and_time_go_where_the_documents_say)
{
    char *folder = temporary_folder();
    run_scenario(folder, choices[_i].scenario);
    g_autoptr(JsonNode) less = result_of(folder, choices[_i].less),
                        more = result_of(folder, choices[_i].more);
    const double time =
        result_number(less, "summary.time_ns") / result_number(more, "summary.time_ns");
    ck_assert_double_lt(result_number(less, "consumption.events_uj"),
                        result_number(more, "consumption.events_uj"));
    ck_assert_msg(time >= choices[_i].least && time <= choices[_i].most, "%g of the time", time);
    temporary_remove(folder);
}
END_TEST

/* A stream from GDDR5, whose division is assumed, is said to rest on it; not one from HBM2, whose
 * crossbar's way alone is. What a user sets is his. */
static const struct {
    const char *settings, *said;
} origins[] = {
    {"", NULL},
    {"--set machine.peak_bandwidth_gbps=0 --set dram.part=gddr5_7000", "most on energy.dram_io"},
    {"--set machine.peak_bandwidth_gbps=0 --set dram.part=gddr5_7000 --set energy.dram_io=9.1 "
     "--set energy.dram_column=4.5",
     NULL},
};

START_TEST(what_rests_on_assumed_figures_is_said)
{
    char *folder = temporary_folder();
    g_autofree char *line =
        g_strdup_printf("run quickstart -v baseline --set workload.array_bytes=64KiB -o out %s",
                        origins[_i].settings);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) result = result_of(folder, "baseline");
    const char *most;
    const double share = energy_assumed_share(result, &most);
    ck_assert_str_eq(most, _i == 1 ? "dram_io" : "crossbar_mm");
    ck_assert_msg((share > 0.5) == !!origins[_i].said, "%g", share);
    ck_assert(!strstr(outcome.out, "rest on assumed figures") == !origins[_i].said);
    if (origins[_i].said) ck_assert_ptr_nonnull(strstr(outcome.out, origins[_i].said));
    const double io = result_number(result, "consumption.figures.dram_io"),
                 bytes = result_number(result, "summary.dram.read_bytes")
                         + result_number(result, "summary.dram.write_bytes");
    ck_assert_double_eq_tol(io, (_i ? 9.1 : 0.8) * 8 * bytes * 1e-6, 1e-6 * io);
    temporary_remove(folder);
}
END_TEST

START_TEST(what_moves_no_byte_has_no_energy_of_one)
{
    char *folder = temporary_folder();
    run_scenario(folder, "register-access -v stages --set workload.operations=4");
    g_autoptr(JsonNode) result = result_of(folder, "stages");
    ck_assert_double_gt(result_number(result, "consumption.power_w"), 0);
    ck_assert_double_nan(result_number(result, "consumption.dram_pj_a_bit"));
    ck_assert_double_nan(result_number(result, "consumption.pj_a_byte"));
    temporary_remove(folder);
}
END_TEST

/* A V100's banks have 16384 rows of 1 KiB, which take 909 pJ each. */
static const struct {
    const char *commands;
    double rows;
} rounds[] = {{"8192", 2}, {"16384", 1}, {"32768", 1}};

START_TEST(a_refresh_takes_the_rows_that_have_their_turn)
{
    char *folder = temporary_folder();
    g_autofree char *line =
        g_strdup_printf("quickstart -v baseline --set workload.array_bytes=64KiB --set "
                        "dram.refresh_commands=%s",
                        rounds[_i].commands);
    run_scenario(folder, line);
    g_autoptr(JsonNode) result = result_of(folder, "baseline");
    ck_assert_double_eq(result_number(result, "consumption.units.dram_channel.events.refreshes.pj"),
                        909 * rounds[_i].rows);
    temporary_remove(folder);
}
END_TEST

static double parameter(const char *folder, const char *arguments, const char *key)
{
    g_autofree char *line = g_strdup_printf("show quickstart --json %s", arguments);
    const Outcome outcome = warpmem(folder, line);
    g_autoptr(JsonNode) values = json_from_string(outcome.out, NULL);
    ck_assert_msg(outcome.status == 0 && values, "%s", outcome.errors);
    JsonArray *list = json_node_get_array(values);
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonNode *row = json_array_get_element(list, i);
        if (!strcmp(result_text(row, "name"), key))
            return g_ascii_strtod(result_text(row, "value"), NULL);
    }
    return NAN;
}

START_TEST(a_part_of_DRAM_brings_its_energy)
{
    char *folder = temporary_folder();
    const char *wide = "--set machine.peak_bandwidth_gbps=0 --set dram.part=";
    g_autofree char *gddr5 = g_strconcat(wide, "gddr5_7000", NULL),
                    *back = g_strconcat(wide, "gddr5_7000 --set dram.part=hbm2_2000", NULL);
    ck_assert_double_eq(parameter(folder, "", "energy.dram_io"), 0.8);
    ck_assert_double_eq(parameter(folder, gddr5, "energy.dram_io"), 9.1);
    ck_assert_double_eq(parameter(folder, back, "energy.dram_io"), 0.8);
    ck_assert_double_eq(parameter(folder, gddr5, "energy.node"), 12);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("energy");
    tcase_add_test(cases, energies_of_events_add_up_to_the_run);
    tcase_add_test(cases, stages_take_what_is_counted_there);
    tcase_add_test(cases, halves_of_L2_are_apart);
    tcase_add_test(cases, a_byte_of_shared_memory_takes_what_its_own_array_does);
    tcase_add_test(cases, written_data_takes_energy_where_it_waits);
    tcase_add_loop_test(cases, energy_and_time_go_where_the_documents_say, 0,
                        G_N_ELEMENTS(choices));
    tcase_add_loop_test(cases, what_rests_on_assumed_figures_is_said, 0, G_N_ELEMENTS(origins));
    tcase_add_test(cases, what_moves_no_byte_has_no_energy_of_one);
    tcase_add_loop_test(cases, a_refresh_takes_the_rows_that_have_their_turn, 0,
                        G_N_ELEMENTS(rounds));
    tcase_add_test(cases, a_part_of_DRAM_brings_its_energy);
    return harness_run_cases("energy", cases);
}
