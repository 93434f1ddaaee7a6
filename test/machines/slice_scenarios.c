/* The scenarios about the L2 slice as a non-blocking cache, run as by a user, and the timeline. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

static const char *const variants[] = {"baseline", "in-order", "blocking", "pointer"};

typedef struct {
    gint64 begin, end; /* core cycles from the first request's issue */
    char served_by[8];
} Row;

static JsonNode *parse(const char *folder, const char *variant)
{
    g_autofree char *text = result_text(folder, variant);
    JsonNode *node = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(node);
    return node;
}

static JsonArray *timeline_of(JsonNode *result)
{
    return json_object_get_array_member(json_node_get_object(result), "timeline");
}

/* A core cycle in fs: V100's 1380 MHz. */
enum { CYCLE = 724638 };

static void read_rows(const char *folder, const char *variant, Row rows[4])
{
    g_autoptr(JsonNode) result = parse(folder, variant);
    JsonArray *list = timeline_of(result);
    ck_assert_uint_eq(json_array_get_length(list), 4);
    gint64 origin = 0;
    for (guint i = 0; i < 4; i++) {
        JsonObject *row = json_array_get_object_element(list, i);
        const gint64 begin = json_object_get_int_member(row, "begin");
        if (!i) origin = begin;
        rows[i].begin = (begin - origin) / CYCLE;
        rows[i].end = (json_object_get_int_member(row, "end") - origin) / CYCLE;
        g_strlcpy(rows[i].served_by, json_object_get_string_member(row, "served_by"),
                  sizeof rows[i].served_by);
    }
}

static void expect_servers(const Row rows[4])
{
    static const char *const served_by[] = {"l2", "dram", "l2", "l2"};
    for (guint i = 0; i < 4; i++) ck_assert_str_eq(rows[i].served_by, served_by[i]);
}

/* A hit: 40 on the way to L2 and back and to the registers + 33 at L2 = 73. The miss takes 280. */
START_TEST(hits_complete_under_a_miss_out_of_order)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant baseline");
    read_rows(folder, "baseline", rows);
    expect_servers(rows);
    for (gint64 i = 0; i < 4; i++) ck_assert_int_eq(rows[i].begin, 4 * i);
    ck_assert_int_eq(rows[0].end, 73);
    ck_assert_int_eq(rows[1].end, 4 + 280);
    ck_assert_int_eq(rows[2].end, 8 + 73);
    ck_assert_int_eq(rows[3].end, 12 + 73);
    temporary_remove(folder);
}
END_TEST

/* Their data has been read long before; it leaves right behind the miss's. */
START_TEST(in_order_hits_complete_behind_the_miss)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant in-order");
    read_rows(folder, "in-order", rows);
    expect_servers(rows);
    ck_assert_int_eq(rows[1].end, 4 + 280);
    ck_assert_int_eq(rows[2].end, rows[1].end + 1);
    ck_assert_int_eq(rows[3].end, rows[1].end + 2);
    temporary_remove(folder);
}
END_TEST

/* Looked up when the fill is there, they take 33 cycles from then on and the miss 20. */
START_TEST(a_blocking_cache_looks_the_hits_up_behind_the_miss)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant blocking");
    read_rows(folder, "blocking", rows);
    expect_servers(rows);
    ck_assert_int_eq(rows[1].end, 4 + 280);
    ck_assert_int_eq(rows[2].end, rows[1].end + 33 - 20);
    ck_assert_int_eq(rows[3].end, rows[2].end + 1);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_load_whose_address_comes_from_the_miss_waits_for_it)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant pointer");
    read_rows(folder, "pointer", rows);
    expect_servers(rows);
    ck_assert_int_gt(rows[2].begin, rows[1].end);
    ck_assert_int_eq(rows[2].end, rows[2].begin + 73);
    temporary_remove(folder);
}
END_TEST

/* At the SM: each is issued behind the data of the one before, needed or not. */
START_TEST(executed_in_order_each_load_begins_behind_the_one_before)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant in-order-execution");
    read_rows(folder, "in-order-execution", rows);
    expect_servers(rows);
    for (guint i = 1; i < 4; i++) {
        ck_assert_int_ge(rows[i].begin, rows[i - 1].end);
        ck_assert_int_le(rows[i].begin, rows[i - 1].end + 4);
    }
    temporary_remove(folder);
}
END_TEST

/* An L1 that is asked for its one entry first holds up what would hit. */
START_TEST(hits_of_L1_pass_a_miss_unless_it_blocks)
{
    char *folder = temporary_folder();
    Row rows[4];
    run(folder, "four-loads --variant l1 --variant l1-blocking");
    read_rows(folder, "l1", rows);
    for (guint i = 2; i < 4; i++) ck_assert_int_lt(rows[i].end, 40);
    read_rows(folder, "l1-blocking", rows);
    for (guint i = 2; i < 4; i++) {
        ck_assert_str_eq(rows[i].served_by, "l1");
        ck_assert_int_gt(rows[i].end, rows[1].end);
    }
    temporary_remove(folder);
}
END_TEST

/* Arithmetic that needs a hit's data goes on under the miss. */
START_TEST(uses_of_hits_proceed_under_a_miss_out_of_order)
{
    char *folder = temporary_folder();
    double cycles[G_N_ELEMENTS(variants)];
    run(folder, "four-loads");
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++)
        cycles[i] = summary_of(folder, variants[i], "core_cycles");
    for (guint i = 1; i < G_N_ELEMENTS(variants); i++)
        ck_assert_double_gt(cycles[i], cycles[i - 1]);
    /* two times twelve instructions of 4 cycles, of the third and fourth load, less the hit that
     * the miss does not hide */
    ck_assert_double_ge(cycles[1] - cycles[0], 2 * 12 * 4);
    temporary_remove(folder);
}
END_TEST

/* --- the timeline ----------------------------------------------------------------------------- */

START_TEST(the_stages_of_each_request_add_up_to_its_time)
{
    char *folder = temporary_folder();
    run(folder, "store-queue --variant baseline --set workload.array_bytes=16KiB "
                "--set simulation.timeline=50");
    g_autoptr(JsonNode) result = parse(folder, "baseline");
    JsonArray *list = timeline_of(result);
    ck_assert_uint_eq(json_array_get_length(list), 50);
    gint64 before = 0;
    for (guint i = 0; i < 50; i++) {
        JsonObject *row = json_array_get_object_element(list, i);
        JsonArray *stages = json_object_get_array_member(row, "stages");
        gint64 at = json_object_get_int_member(row, "begin");
        ck_assert_int_ge(at, before);
        before = at;
        for (guint k = 0; k < json_array_get_length(stages); k++)
            at += json_object_get_int_member(json_array_get_object_element(stages, k), "fs");
        ck_assert_int_eq(at, json_object_get_int_member(row, "end"));
    }
    temporary_remove(folder);
}
END_TEST

static char *printed(const char *arguments)
{
    g_autofree char *line = g_strdup_printf("%s run %s", g_getenv("WARPMEM_PROGRAM"), arguments);
    char *text = NULL;
    int status = 0;
    ck_assert(g_spawn_command_line_sync(line, &text, NULL, &status, NULL));
    ck_assert(WIFEXITED(status) && !WEXITSTATUS(status));
    return text;
}

#define SHORT_STREAM                                                                               \
    "store-queue --variant baseline --set workload.array_bytes=16KiB "                             \
    "--set simulation.timeline=20 --set simulation.deployment="

START_TEST(the_timeline_is_the_same_in_every_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    g_autofree char *expected_json = NULL, *expected_text = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        char *folder = temporary_folder();
        g_autofree char *arguments = g_strconcat(SHORT_STREAM, deployments[i], NULL);
        run(folder, arguments);
        char *json = result_text(folder, "baseline"), *text = printed(arguments);
        ck_assert_ptr_nonnull(strstr(json, "\"timeline\""));
        ck_assert_ptr_nonnull(strstr(text, "the first 20 requests"));
        if (i) {
            ck_assert_str_eq(json, expected_json);
            ck_assert_str_eq(text, expected_text);
        }
        g_free(i ? json : NULL);
        g_free(i ? text : NULL);
        if (!i) {
            expected_json = json;
            expected_text = text;
        }
        temporary_remove(folder);
    }
}
END_TEST

/* Requests 1, 3 and 4 under the miss: their bars begin with the core and the network and end while
 * that of 2 is in DRAM. */
START_TEST(the_printed_bars_show_who_waits)
{
    g_autofree char *blocking = printed("four-loads --variant blocking");
    g_autofree char *free = printed("four-loads --variant baseline");
    ck_assert_ptr_nonnull(strstr(blocking, "wwwwwwwwwwwwwwwwwwww"));
    ck_assert_ptr_null(strstr(free, "ww"));
    ck_assert_ptr_nonnull(strstr(free, "mmddd"));
    ck_assert_ptr_nonnull(strstr(free, "0x180000  dram           4  284"));
}
END_TEST

START_TEST(without_a_timeline_a_result_has_none)
{
    char *folder = temporary_folder();
    run(folder, "four-loads --variant baseline --set simulation.timeline=0");
    g_autoptr(JsonNode) result = parse(folder, "baseline");
    ck_assert(!json_object_has_member(json_node_get_object(result), "timeline"));
    temporary_remove(folder);
}
END_TEST

/* --- studies ---------------------------------------------------------------------------------- */

static double slice(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.l2_slice.total.%s", name);
    return result_number(folder, variant, path);
}

/* 25 entries are needed on average: 16 are too few, 32 as good as any number. */
START_TEST(the_store_queue_next_to_memory_needs_16_to_32_entries)
{
    char *folder = temporary_folder();
    run(folder, "store-queue --variant baseline --variant entries-8 --variant entries-16 "
                "--variant entries-32 --variant entries-64");
    const double unbound = summary_of(folder, "baseline", "core_cycles");
    ck_assert_double_gt(summary_of(folder, "entries-8", "core_cycles"), 1.4 * unbound);
    ck_assert_double_gt(summary_of(folder, "entries-16", "core_cycles"), 1.1 * unbound);
    ck_assert_double_lt(summary_of(folder, "entries-32", "core_cycles"), 1.01 * unbound);
    ck_assert_double_lt(summary_of(folder, "entries-64", "core_cycles"), 1.01 * unbound);
    /* rate x latency: what is in the queue on average */
    const double stay = slice(folder, "baseline", "store_queue.stay_fs") / CYCLE / unbound;
    ck_assert_double_gt(stay, 16);
    ck_assert_double_lt(stay, 32);
    ck_assert_double_eq(slice(folder, "baseline", "refused_store_queue"), 0);
    ck_assert_double_gt(slice(folder, "entries-16", "refused_store_queue"), 10000);
    temporary_remove(folder);
}
END_TEST

/* 16 entries of 8 x line + (40 - log2(line)) bits. */
START_TEST(longer_lines_have_fewer_tags_and_cost_more_in_queues)
{
    static const struct {
        const char *variant;
        double bits;
    } rows[] = {{"line-32", 4656},
                {"line-64", 8736},
                {"baseline", 16912},
                {"line-256", 33280},
                {"line-512", 66032}};
    char *folder = temporary_folder();
    run(folder, "line-size --variant line-32 --variant line-64 --variant baseline "
                "--variant line-256 --variant line-512");
    double before = 1;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const double rate = summary_of(folder, rows[i].variant, "l2.hit_rate");
        ck_assert_double_lt(rate, before);
        before = rate;
        ck_assert_double_eq(slice(folder, rows[i].variant, "store_queue_bits"), rows[i].bits);
    }
    temporary_remove(folder);
}
END_TEST

/* Tags, queues and what stays of L2 are those of its own line, whatever L1's is; who asks for the
 * second half of a line that is fetched whole needs no fetch of its own. */
START_TEST(lines_of_L2_may_be_longer_than_those_of_L1)
{
    char *folder = temporary_folder();
    run(folder, "line-size --variant baseline --variant l1-64-l2-128 --variant whole-128 "
                "--variant l1-64-whole-128");
    ck_assert_double_eq(slice(folder, "l1-64-l2-128", "store_queue_bits"), 16912);
    ck_assert_double_eq_tol(summary_of(folder, "l1-64-l2-128", "l2.hit_rate"),
                            summary_of(folder, "baseline", "l2.hit_rate"), 0.02);
    const double halves = slice(folder, "l1-64-whole-128", "bytes_filled"),
                 whole = slice(folder, "whole-128", "bytes_filled");
    ck_assert_double_lt(halves, 1.05 * whole);
    ck_assert_double_gt(halves, 0.95 * whole);
    temporary_remove(folder);
}
END_TEST

/* Of most evicted lines few sectors are dirty: a quarter of the data, and of the bits, is
 * enough. */
START_TEST(addresses_and_data_of_the_store_queue_have_a_size_each)
{
    char *folder = temporary_folder();
    run(folder, "line-size --variant line-512 --variant line-512-data-64-sectors");
    const double whole = summary_of(folder, "line-512", "core_cycles"),
                 quarter = summary_of(folder, "line-512-data-64-sectors", "core_cycles");
    ck_assert_double_lt(quarter, 1.05 * whole);
    ck_assert_double_eq(slice(folder, "line-512-data-64-sectors", "store_queue_bits"),
                        16 * (40 - 9) + 64 * 32 * 8);
    temporary_remove(folder);
}
END_TEST

/* Fills are a third of what the array moves: in the hits' way with one port, beside them with two
 * ports. */
START_TEST(fills_and_hits_go_on_side_by_side_with_a_port_each)
{
    char *folder = temporary_folder();
    run(folder, "array-ports");
    const double one = summary_of(folder, "1RW", "core_cycles"),
                 apart = summary_of(folder, "baseline", "core_cycles"),
                 more = summary_of(folder, "2R1W", "core_cycles");
    ck_assert_double_lt(1.3 * apart, one);
    ck_assert_double_lt(1.05 * more, apart);
    temporary_remove(folder);
}
END_TEST

/* On four slices of an H100: drawn at random the rows of writes are hit a quarter of the time. */
START_TEST(cleaned_by_row_writes_stream)
{
    char *folder = temporary_folder();
    run(folder, "clean-ahead --variant one-by-one --variant by-row --set machine.sms=8 "
                "--set machine.partitions=2 --set machine.peak_bandwidth_gbps=0 "
                "--set 'kernel warm_up.array_bytes=5 MiB' --set 'kernel timed.array_bytes=4 MiB'");
    ck_assert_double_lt(summary_of(folder, "one-by-one", "dram.row_hit_rate"), 0.35);
    ck_assert_double_gt(summary_of(folder, "by-row", "dram.row_hit_rate"), 0.84);
    ck_assert_double_gt(summary_of(folder, "by-row", "counted_gbps"),
                        1.2 * summary_of(folder, "one-by-one", "counted_gbps"));
    /* hardly anything is written twice for that */
    ck_assert_double_lt(slice(folder, "by-row", "write_backs"),
                        1.04 * slice(folder, "one-by-one", "write_backs"));
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("slice_scenarios", hits_complete_under_a_miss_out_of_order,
             in_order_hits_complete_behind_the_miss,
             a_blocking_cache_looks_the_hits_up_behind_the_miss,
             a_load_whose_address_comes_from_the_miss_waits_for_it,
             executed_in_order_each_load_begins_behind_the_one_before,
             hits_of_L1_pass_a_miss_unless_it_blocks,
             uses_of_hits_proceed_under_a_miss_out_of_order,
             the_stages_of_each_request_add_up_to_its_time,
             the_timeline_is_the_same_in_every_deployment, the_printed_bars_show_who_waits,
             without_a_timeline_a_result_has_none,
             the_store_queue_next_to_memory_needs_16_to_32_entries,
             longer_lines_have_fewer_tags_and_cost_more_in_queues,
             lines_of_L2_may_be_longer_than_those_of_L1,
             addresses_and_data_of_the_store_queue_have_a_size_each,
             fills_and_hits_go_on_side_by_side_with_a_port_each, cleaned_by_row_writes_stream)
