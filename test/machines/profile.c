/* The profile of a whole machine against a record of all of its requests. */
#include "rigs/harness.h"
#include "rigs/small_machine.h"
#include "scenarios/program/result/result.h"

#define MIXED_READS                                                                                \
    "workload.pattern = random; workload.ctas = 48; workload.threads_per_cta = 256;"               \
    "workload.iterations = 12; workload.footprint = 64 KiB;"                                       \
    "machine.request_coalescers = 1; request_coalescer.capacity = 4 KiB"

enum { EVERYTHING = 200000 };

/* Loads of L1 hits and merged ones, of a shared L1, L2 and DRAM, all of them in the timeline. */
static JsonNode *new_recorded_profile(GPtrArray **record)
{
    Machine *machine = small_machine_new(NULL, MIXED_READS);
    g_autoptr(Configuration) configuration = small_machine_configuration(MIXED_READS);
    g_autoptr(LaunchList) none = launch_list_new();
    const TimelineSelection everything = {.capacity = EVERYTHING, .one_in = 1, .until = TIME_NEVER};
    simulation_set_timeline(machine_simulation(machine), &everything);
    const RunReport report = small_machine_run(machine);
    const Run run = {.name = {"reads", NULL},
                     .variant = "baseline",
                     .configuration = configuration,
                     .machine = machine,
                     .report = &report,
                     .launches = none};
    g_autoptr(Aggregate) aggregate = aggregate_new(machine, 0);
    *record = timeline_rows(simulation_timeline(machine_simulation(machine)));
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    JsonWriter writer = json_go_on(json);
    result_write_profile(&writer, &run, aggregate, RESULT_WHOLE);
    json_builder_end_object(json);
    g_autoptr(JsonNode) result = json_builder_get_root(json);
    return json_node_ref(result_member(result, "profile"));
}

static JsonObject *object_at(JsonNode *profile, const char *path)
{
    JsonNode *node = result_member(profile, path);
    ck_assert_msg(node != NULL, "no %s", path);
    return json_node_get_object(node);
}

/* NULL: nobody serves it here. */
static const char *const classes[] = {[SERVED_L1] = "load_l1_hit",
                                      [SERVED_PRT] = "load_merged",
                                      [SERVED_SHARED_L1] = "load_shared_l1",
                                      [SERVED_L2] = "load_l2_hit",
                                      [SERVED_DRAM] = "load_dram"};

static Time latency_of(const TimelineRow *row)
{
    return row->end - timeline_row_began(row);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    const Time x = *(const Time *)a, y = *(const Time *)b;
    return (x > y) - (x < y);
}

/* In order. */
static GArray *latencies_of(const GPtrArray *record, ServedBy server)
{
    GArray *latencies = g_array_new(FALSE, FALSE, sizeof(Time));
    for (guint i = 0; i < record->len; i++) {
        const TimelineRow *row = record->pdata[i];
        if (row->served_by != server) continue;
        const Time latency = latency_of(row);
        g_array_append_val(latencies, latency);
    }
    g_array_sort(latencies, compare_times);
    return latencies;
}

/* Nearest rank: the smallest that so many of a thousand do not exceed. */
static double exact(const GArray *latencies, guint thousandths)
{
    const guint rank = (latencies->len * thousandths + 999) / 1000;
    return (double)g_array_index(latencies, Time, MAX(rank, 1) - 1);
}

static void expect_percentiles(JsonObject *histogram, const GArray *latencies)
{
    static const struct {
        const char *name;
        guint thousandths;
    } percentiles[] = {
        {"p50_fs", 500}, {"p90_fs", 900}, {"p95_fs", 950}, {"p99_fs", 990}, {"p999_fs", 999}};
    ck_assert_int_eq(json_object_get_int_member(histogram, "count"), latencies->len);
    ck_assert_double_eq((double)json_object_get_int_member(histogram, "min_fs"),
                        exact(latencies, 0));
    ck_assert_double_eq((double)json_object_get_int_member(histogram, "max_fs"),
                        exact(latencies, 1000));
    for (guint i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        const double want = exact(latencies, percentiles[i].thousandths);
        const double got = (double)json_object_get_int_member(histogram, percentiles[i].name);
        ck_assert_msg(got >= want * (1 - 0.008) && got <= want * (1 + 0.008), "%s: %.0f, not %.0f",
                      percentiles[i].name, got, want);
    }
}

START_TEST(percentiles_of_each_class_are_within_0_8_percent_of_the_exact_ones)
{
    g_autoptr(GPtrArray) record = NULL;
    g_autoptr(JsonNode) profile = new_recorded_profile(&record);
    guint requests = 0;
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        if (!classes[i]) continue;
        g_autofree char *path = g_strdup_printf("requests.%s.histogram", classes[i]);
        g_autoptr(GArray) latencies = latencies_of(record, (ServedBy)i);
        ck_assert_uint_gt(latencies->len, 100);
        requests += latencies->len;
        expect_percentiles(object_at(profile, path), latencies);
    }
    ck_assert_uint_eq(requests, record->len);
    ck_assert_uint_lt(requests, EVERYTHING);
}
END_TEST

/* The fewest whole buckets from the top that hold one request in a hundred. */
START_TEST(the_slowest_hundredth_is_the_top_of_the_distribution)
{
    g_autoptr(GPtrArray) record = NULL;
    g_autoptr(JsonNode) profile = new_recorded_profile(&record);
    g_autoptr(GArray) latencies = latencies_of(record, SERVED_DRAM);
    JsonObject *slowest = object_at(profile, "requests.load_dram.slowest");
    const Time from = (Time)json_object_get_int_member(slowest, "from_fs");
    const guint hundredth = (latencies->len + 99) / 100;
    guint count = 0, above = 0;
    Time sum = 0;
    for (guint i = 0; i < latencies->len; i++) {
        const Time latency = g_array_index(latencies, Time, i);
        count += latency >= from;
        sum += latency >= from ? latency : 0;
        above += histogram_bucket_of(latency) > histogram_bucket_of(from);
    }
    ck_assert_uint_eq(histogram_bucket_lowest(histogram_bucket_of(from)), from);
    ck_assert_uint_ge(count, hundredth);
    ck_assert_uint_lt(above, hundredth);
    ck_assert_int_eq(json_object_get_int_member(slowest, "count"), count);
    ck_assert_uint_eq((Time)json_object_get_int_member(slowest, "latency"), sum);
}
END_TEST

static gint compare_slow(gconstpointer a, gconstpointer b)
{
    const TimelineRow *x = *(const TimelineRow *const *)a, *y = *(const TimelineRow *const *)b;
    if (latency_of(x) != latency_of(y)) return latency_of(x) > latency_of(y) ? -1 : 1;
    const Time began = timeline_row_began(x), other = timeline_row_began(y);
    return began != other ? (began > other) - (began < other) : (x->id > y->id) - (x->id < y->id);
}

START_TEST(the_slowest_of_a_result_are_those_of_a_full_record)
{
    g_autoptr(GPtrArray) record = NULL;
    g_autoptr(JsonNode) profile = new_recorded_profile(&record);
    JsonArray *slowest = json_object_get_array_member(json_node_get_object(profile), "slowest");
    g_ptr_array_sort(record, compare_slow);
    ck_assert_uint_eq(json_array_get_length(slowest), PROFILE_SLOWEST);
    for (guint i = 0; i < PROFILE_SLOWEST; i++) {
        JsonObject *row = json_array_get_object_element(slowest, i);
        const TimelineRow *want = record->pdata[i];
        ck_assert_uint_eq((Time)json_object_get_int_member(row, "begin"), timeline_row_began(want));
        ck_assert_uint_eq((Time)json_object_get_int_member(row, "end"), want->end);
        ck_assert_int_eq(json_object_get_int_member(row, "sm"), want->sm);
        ck_assert_int_eq(json_object_get_int_member(row, "warp"), want->warp);
        ck_assert_uint_eq((uint64_t)json_object_get_int_member(row, "address"), want->address);
        ck_assert_str_eq(json_object_get_string_member(row, "class"), classes[want->served_by]);
        ck_assert_int_gt(json_object_get_int_member(row, "pc"), 0);
    }
}
END_TEST

HARNESS_MAIN("profile of a machine",
             percentiles_of_each_class_are_within_0_8_percent_of_the_exact_ones,
             the_slowest_hundredth_is_the_top_of_the_distribution,
             the_slowest_of_a_result_are_those_of_a_full_record)
