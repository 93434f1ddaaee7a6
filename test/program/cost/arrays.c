/* Energy of arrays: of what is read and written there, whatever is sent or asked for. */
#include "program/cost/runs.h"
#include "rigs/harness.h"

static const char scenario[] =
    "[scenario]\ntitle = Arrays\nextends = v100\nbaseline = no\n[machine]\nsms = 1\n"
    "partitions = 1\nslices_per_partition = 1\npeak_bandwidth_gbps = 0\n[mmu]\nenabled = no\n"
    "[workload]\npattern = program\nctas = 1\nthreads_per_cta = 32\ncode = int\n";

static double number_of(JsonNode *result, const char *format, const char *name)
{
    g_autofree char *path = g_strdup_printf(format, name);
    return result_number(result, path);
}

static double total_of(JsonNode *result, const char *statistic)
{
    return number_of(result, "units.l2_slice.total.%s", statistic);
}

#define CODE(text) "workload.code = global A[4096]; for i in 0..64 { " text " }\n"

/* A load that misses has its data as it comes; the first of those that hit missed: two fetches of
 * 64 B. Without a cache the ROP reads and writes a sector each time, of which the first comes from
 * DRAM with its neighbour. Of the lines that a half loads every second is at home in the other. */
static const struct {
    const char *name, *settings;
    double read, written;
} slices[] = {
    {"misses", CODE("x = load.cg A[i * 32 + lane]"), 0, 64 * 128},
    {"hits", CODE("x = load.cg A[lane]; int x"), 63 * 128, 128},
    {"stores", CODE("store A[i * 32 + lane]"), 0, 64 * 128},
    {"past", CODE("store A[i * 64 + lane * 2]") "l2_slice.partial_write = bypass", 0, 0},
    {"evicted", CODE("store A[i * 32 + lane]") "l2_slice.capacity = 4 KiB", 32 * 128, 64 * 128},
    {"queued",
     CODE("store A[i * 32 + lane]") "l2_slice.capacity = 4 KiB\n"
                                    "l2_slice.written_data = store_queue",
     32 * 128, 64 * 128},
    {"cached", CODE("reduce A[0]"), 0, 64},
    {"uncached", CODE("reduce A[0]") "rop.cache_entries = 0", 63 * 32, 64 + 64 * 32},
    {"halves",
     "extends = a100\nmachine.sms = 2\nmachine.partitions = 2\nmmu.enabled = no\n" CODE(
         "x = load.cg A[i * 32 + lane]"),
     0, 64 * 128 * 1.5},
};

static void begin(GString *text, const char *name, const char *settings)
{
    g_string_append_printf(text, "[variant %s]\n%s\n", name, settings);
}

static void run_text(const char *folder, const char *text)
{
    g_autofree char *file = temporary_file(folder, "arrays.ini", text);
    run_scenario(folder, "arrays.ini");
}

static void run_slices(const char *folder)
{
    g_autoptr(GString) text = g_string_new(scenario);
    for (guint i = 0; i < G_N_ELEMENTS(slices); i++)
        begin(text, slices[i].name, slices[i].settings);
    run_text(folder, text->str);
}

START_TEST(L2_takes_what_its_array_reads_and_writes)
{
    char *folder = temporary_folder();
    run_slices(folder);
    for (guint i = 0; i < G_N_ELEMENTS(slices); i++) {
        g_autoptr(JsonNode) result = result_of(folder, slices[i].name);
        const double read = total_of(result, "bytes_array_read"),
                     written = total_of(result, "bytes_array_written");
        ck_assert_msg(read == slices[i].read && written == slices[i].written, "%s: %g, %g",
                      slices[i].name, read, written);
    }
    temporary_remove(folder);
}
END_TEST

static double energy_of(JsonNode *result, const char *unit)
{
    return number_of(result, "consumption.units.%s.uj", unit);
}

START_TEST(a_ROP_cache_saves_energy_and_a_store_queue_takes_some)
{
    char *folder = temporary_folder();
    run_slices(folder);
    g_autoptr(JsonNode) cached = result_of(folder, "cached"),
                        uncached = result_of(folder, "uncached"),
                        evicted = result_of(folder, "evicted"),
                        queued = result_of(folder, "queued");
    ck_assert_double_lt(energy_of(cached, "l2_slice") + energy_of(cached, "rop"),
                        energy_of(uncached, "l2_slice"));
    ck_assert_double_gt(energy_of(queued, "l2_slice"), energy_of(evicted, "l2_slice"));
    ck_assert_double_gt(energy_of(queued, "l2_slice.events.write_backs"), 0);
    ck_assert_double_gt(energy_of(queued, "l2_slice.events.bytes_written_back"), 0);
    temporary_remove(folder);
}
END_TEST

#define FROM_SHARED(text) "workload.code = shared T[1024]; for i in 0..64 { " text " }"

/* 64 loads of a word a lane, of which each bank has one, one has all, or one lane wants one. What
 * more passes take is what comes with a pass, and with a replay. */
static const struct {
    const char *name, *settings;
    double words, passes;
} words[] = {
    {"apart", FROM_SHARED("x = load T[lane]"), 64 * 32, 64},
    {"together", FROM_SHARED("x = load T[lane * 32]"), 64 * 32, 64 * 32},
    {"alone", FROM_SHARED("if lane < 1 { x = load T[lane] }"), 64, 64},
};

START_TEST(words_that_meet_in_a_bank_take_no_more)
{
    char *folder = temporary_folder();
    g_autoptr(GString) text = g_string_new(scenario);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) begin(text, words[i].name, words[i].settings);
    run_text(folder, text->str);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(JsonNode) result = result_of(folder, words[i].name);
        const char *event = "consumption.units.l1.events.%s.count";
        ck_assert_double_eq(number_of(result, event, "bytes_shared_read"), 4 * words[i].words);
        ck_assert_double_eq(number_of(result, event, "register_lanes"), words[i].words);
        ck_assert_double_eq(number_of(result, event, "data_passes"), words[i].passes);
        const char *each = "consumption.units.l1.events.%s.pj";
        ck_assert_double_lt(number_of(result, each, "data_passes"),
                            8 * number_of(result, each, "register_lanes"));
    }
    temporary_remove(folder);
}
END_TEST

/* On one SM of each, 64 words a lane: what misses goes through the reorder buffer into the array, a
 * line of GCN that is stored whole into the array, and all of it between array and lanes. */
static const struct {
    const char *name, *settings;
    double read, filled, written, lanes;
} textures[] = {
    {"texture-misses", "extends = gtx780\n" CODE("x = load.nc A[i * 32 + lane]"), 8192, 8192, 8192,
     8192},
    {"texture-hits", "extends = gtx780\n" CODE("x = load.nc A[lane]; int x"), 8192, 128, 128, 8192},
    {"texture-stores", "extends = gcn\n" CODE("store A[i * 32 + lane]"), 0, 0, 8192, 8192},
};

/* The presets' machines are larger. */
#define SMALL "machine.sms = 1\nmachine.partitions = 1\nmmu.enabled = no\n"

START_TEST(the_texture_unit_takes_what_passes_through_it)
{
    static const char *const events[] = {"bytes_array_read", "bytes_from_network",
                                         "bytes_array_written", "bytes_data"};
    char *folder = temporary_folder();
    g_autoptr(GString) text = g_string_new(scenario);
    for (guint i = 0; i < G_N_ELEMENTS(textures); i++) {
        begin(text, textures[i].name, textures[i].settings);
        g_string_append(text, SMALL);
    }
    run_text(folder, text->str);
    for (guint i = 0; i < G_N_ELEMENTS(textures); i++) {
        g_autoptr(JsonNode) result = result_of(folder, textures[i].name);
        const double bytes[] = {textures[i].read, textures[i].filled, textures[i].written,
                                textures[i].lanes};
        for (guint k = 0; k < G_N_ELEMENTS(events); k++) {
            g_autofree char *event = g_strconcat("texture.events.", events[k], NULL);
            ck_assert_msg(number_of(result, "consumption.units.%s.count", event) == bytes[k],
                          "%s: %s", textures[i].name, events[k]);
            ck_assert_int_eq(energy_of(result, event) > 0, bytes[k] > 0);
        }
        ck_assert_double_gt(energy_of(result, "texture.events.requests"), 0);
    }
    temporary_remove(folder);
}
END_TEST

/* Data that lanes store waits in the same buffer, wherever it goes. */
START_TEST(stores_to_shared_memory_go_through_the_write_data_buffer)
{
    char *folder = temporary_folder();
    g_autoptr(GString) text = g_string_new(scenario);
    begin(text, "shared", FROM_SHARED("store T[lane]"));
    begin(text, "global", CODE("store A[lane]"));
    run_text(folder, text->str);
    g_autoptr(JsonNode) shared = result_of(folder, "shared"), global = result_of(folder, "global");
    const double way = number_of(shared, "consumption.units.l1.events.%s.pj", "register_lanes") / 4,
                 byte = number_of(shared, "consumption.units.l1.events.%s.pj", "bytes_stored");
    ck_assert_double_gt(byte, way);
    ck_assert_double_eq(energy_of(shared, "l1.events.bytes_stored"), 64 * 128 * byte * 1e-6);
    ck_assert_double_eq(energy_of(shared, "l1.events.bytes_stored"),
                        energy_of(global, "l1.events.bytes_stored"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("arrays");
    tcase_add_test(cases, L2_takes_what_its_array_reads_and_writes);
    tcase_add_test(cases, a_ROP_cache_saves_energy_and_a_store_queue_takes_some);
    tcase_add_test(cases, words_that_meet_in_a_bank_take_no_more);
    tcase_add_test(cases, the_texture_unit_takes_what_passes_through_it);
    tcase_add_test(cases, stores_to_shared_memory_go_through_the_write_data_buffer);
    return harness_run_cases("arrays", cases);
}
