/* What happened between the kernels of a recorded list, by the program's own result. */
#include "rigs/harness.h"
#include "rigs/program.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

static const char scenario[] = "[scenario]\ntitle = T\nextends = v100\n[machine]\nsms = 2\n"
                               "[workload]\npattern = trace\nfile = kernelslist.g\n";

/* Version 6, a damaged nregs, an opcode that nobody knows. */
static const char kernel[] = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"
                             "-nregs = 300\n-accelsim tracer version = 6\n#\n";
static const char cta[] =
    "#BEGIN_TB\nthread block = %u,0,0\ncluster id = 0,0,0\nwarp = 0\ninsts = 3\n"
    "0008 ffffffff 1 R4 LDG.E 1 R2 4 1 0x%u000 4 0 0 NoVal\n"
    "0010 00000001 0 UTMALDG.2D 2 UR4 UR8 128 0x400 0 4096 0 3 1 0x10000 0 0 NoVal\n"
    "0020 ffffffff 0 EXIT 0 0 0 0 NoVal\n#END_TB\n";

static char *write_kernel(const char *folder, uint32_t ctas)
{
    g_autoptr(GString) text = g_string_new(kernel);
    for (uint32_t i = 0; i < ctas; i++) g_string_append_printf(text, cta, i, i + 1);
    return temporary_file(folder, "kernel-1.traceg", text->str);
}

static JsonNode *run_list(const char *folder, const char *list, const char *words)
{
    g_autofree char *names = temporary_file(folder, "kernelslist.g", list);
    g_autofree char *file = temporary_file(folder, "t.ini", scenario);
    g_autofree char *line = g_strconcat("run t.ini -o out ", words, NULL);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    return json_file(folder, "out/baseline/result.json");
}

static double number(JsonNode *result, const char *name)
{
    g_autofree char *path = g_strconcat("summary.between_kernels.", name, NULL);
    return result_number(result, path);
}

static JsonNode *element(JsonNode *result, const char *path, guint index)
{
    return json_array_get_element(json_node_get_array(result_member(result, path)), index);
}

static const char with_copies[] =
    "MemcpyHtoD,0x1000,12000\nMemcpyHtoD,0x2000,24000\nkernel-1.traceg\nncclAllReduce\n"
    "MemcpyDtoH,0x1000,6000\nkernel-1.traceg\nncclAllReduce\nMemcpyDtoH,0x1000,6000\n";

/* At 12 GB/s 12000 B are 1 us; each copy has 10 us of its own. */
START_TEST(copies_take_time_of_their_own)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(JsonNode) result = run_list(folder, with_copies, "");
    ck_assert_double_eq(number(result, "to_device.count"), 2);
    ck_assert_double_eq(number(result, "to_device.bytes"), 36000);
    ck_assert_double_eq(number(result, "to_device.time_ns"), 23000);
    ck_assert_double_eq(number(result, "to_host.time_ns"), 21000);
    ck_assert_double_eq(number(result, "others.ncclAllReduce"), 2);
    JsonNode *first = element(result, "summary.kernels", 0),
             *last = element(result, "summary.kernels", 1);
    const double end = result_number(last, "memory_end_ns");
    ck_assert_double_eq_tol(number(result, "list_ns"), end + 44000, 1e-6);
    ck_assert_double_eq_tol(number(result, "gaps_ns"),
                            result_number(last, "begin_ns") - result_number(first, "memory_end_ns"),
                            1e-6);
    JsonNode *row = element(result, "summary.between_kernels.rows", 1);
    ck_assert_double_eq_tol(result_number(row, "list_ns"),
                            result_number(first, "memory_end_ns") + 23000, 1e-6);
    ck_assert_double_eq(result_number(row, "to_host.time_ns"), 10500);
    temporary_remove(folder);
}
END_TEST

/* Whatever the link is, and whether there are copies: what they bring to L2 is left out. */
START_TEST(no_kernel_s_time_changes_by_them)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    static const char *const words[] = {
        "--set workload.memory_copies=no",
        "--set workload.memory_copies=no --set host_link.gbps=1 --set 'host_link.latency=1 ms'",
        "--set workload.memory_copies=no"};
    g_autofree char *hash = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(JsonNode) result =
            run_list(folder, i == 2 ? "kernel-1.traceg\nkernel-1.traceg\n" : with_copies, words[i]);
        if (!hash) hash = g_strdup(result_text(result, "hash"));
        ck_assert_str_eq(result_text(result, "hash"), hash);
        ck_assert_double_eq(number(result, "to_host.count"), i == 2 ? 0 : 2);
    }
    temporary_remove(folder);
}
END_TEST

/* The copy is twice as long as L2: of what was stored before it nothing is still to be written. */
START_TEST(what_a_copy_replaced_is_not_unwritten)
{
    char *folder = temporary_folder();
    static const char stores[] =
        "-kernel name = s\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
        "-accelsim tracer version = 6\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
        "cluster id = 0,0,0\nwarp = 0\ninsts = 2\n"
        "0008 ffffffff 0 STG.E 2 R2 R4 4 1 0x1000 4 0 0 NoVal\n"
        "0010 ffffffff 0 EXIT 0 0 0 0 NoVal\n#END_TB\n";
    g_autofree char *path = write_kernel(folder, 2),
                    *stored = temporary_file(folder, "kernel-2.traceg", stores);
    static const char *const lists[] = {
        "kernel-2.traceg\nkernel-1.traceg\n",
        "kernel-2.traceg\nMemcpyHtoD,0x10000000,12582912\nkernel-1.traceg\n"};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(JsonNode) result = run_list(folder, lists[i], "");
        ck_assert_double_eq(result_number(result, "summary.dram.unwritten_bytes"), i ? 0 : 128);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(what_was_left_out_is_named_at_the_end)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(JsonNode) result = run_list(folder, with_copies, "");
    JsonObject *opcodes = json_node_get_object(result_member(result, "input.unknown_opcodes"));
    ck_assert_int_eq(json_object_get_int_member(opcodes, "UTMALDG.2D"), 4);
    ck_assert_str_eq(json_node_get_string(element(result, "input.warnings", 0)),
                     "kernel-1.traceg:4: nregs '300', expected 0 to 255; taken as 255");
    const Outcome outcome = warpmem(folder, "run t.ini");
    static const char *const said[] = {"UTMALDG.2D  4  instructions of an unknown opcode",
                                       "warning: kernel-1.traceg:4: nregs '300'", "ncclAllReduce",
                                       "2 copies, 36.0 kB"};
    for (guint i = 0; i < G_N_ELEMENTS(said); i++)
        ck_assert_msg(strstr(outcome.out, said[i]), "%s in %s", said[i], outcome.out);
    temporary_remove(folder);
}
END_TEST

/* Up to its first CTA. */
START_TEST(the_page_of_one_kernel_says_what_passed_before_it)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(JsonNode) result = run_list(folder, "kernel-1.traceg\n", "");
    g_autofree char *time = text_time(result_number(result, "time.outside_fs") * 1e-6),
                    *words = g_strdup_printf("Before, between and behind kernels another %s passed",
                                             time);
    ck_assert_int_eq(warpmem(folder, "report out/baseline").status, 0);
    g_autofree char *page = contents(folder, "out/baseline/report.html");
    ck_assert_msg(strstr(page, words), "%s", words);
    temporary_remove(folder);
}
END_TEST

/* Of two files the second one's nregs is damaged. */
START_TEST(what_is_wrong_with_kernels_that_do_not_run_is_not_said)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autofree char *damaged = contents(folder, "kernel-1.traceg");
    g_auto(GStrv) parts = g_strsplit(damaged, "-nregs = 300\n", 2);
    g_autofree char *good = g_strjoinv("", parts);
    g_autofree char *second = temporary_file(folder, "kernel-2.traceg", good);
    static const char list[] = "kernel-2.traceg\nkernel-1.traceg\n";
    for (guint number = 1; number <= 2; number++) {
        g_autofree char *words = g_strdup_printf("--kernels %u", number),
                        *line = g_strdup_printf("check t.ini --kernels %u", number);
        g_autoptr(JsonNode) result = run_list(folder, list, words);
        const Outcome check = warpmem(folder, line);
        ck_assert_int_eq(!result_member(result, "input.warnings"), number == 1);
        ck_assert_int_eq(!strstr(check.errors, "nregs '300'"), number == 1);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(the_page_has_a_row_for_each_place_with_commands)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(JsonNode) result = run_list(folder, with_copies, "");
    ck_assert_int_eq(warpmem(folder, "report out/baseline --data tables").status, 0);
    g_autofree char *places = contents(folder, "tables/between_kernels.csv");
    g_autofree char *others = contents(folder, "tables/left_out.csv");
    g_auto(GStrv) lines = g_strsplit(g_strchomp(places), "\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), 1 + 3);
    ck_assert_msg(g_str_has_prefix(lines[1], "k,0.0,36000,23.0,0,0.0,0,0.0"), "%s", lines[1]);
    ck_assert_msg(g_str_has_prefix(lines[3], "the end,"), "%s", lines[3]);
    ck_assert_msg(strstr(others, "UTMALDG.2D,unknown opcode,4"), "%s", others);
    ck_assert_msg(strstr(others, "ncclAllReduce,command of the list,2"), "%s", others);
    temporary_remove(folder);
}
END_TEST

/* A copy before each of 1203 launches. */
START_TEST(places_of_a_long_list_that_are_left_out_are_counted)
{
    enum { LAUNCHES = 1203 };
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < LAUNCHES; i++)
        g_string_append(list, "MemcpyHtoD,0x1000,12000\nkernel-1.traceg\n");
    g_autoptr(JsonNode) result = run_list(folder, list->str, "");
    ck_assert_uint_eq(result_length(result_array(result, "summary.between_kernels.rows")), 1000);
    ck_assert_double_eq(number(result, "rows_left_out"), LAUNCHES - 1000);
    ck_assert_double_eq(number(result, "to_device.count"), LAUNCHES);
    ck_assert_int_eq(warpmem(folder, "report out/baseline --data tables").status, 0);
    g_autofree char *page = contents(folder, "out/baseline/report.html");
    ck_assert_ptr_nonnull(strstr(page, "Of 1203 places of the list the first 200 are shown."));
    ck_assert_ptr_nonnull(strstr(page, "of which copies 13.2 ms"));
    temporary_remove(folder);
}
END_TEST

/* 30 names, of which the last 7 are told together: 1 + ... + 30 less 1 + ... + 23. */
START_TEST(of_many_names_the_last_ones_are_told_together)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autoptr(GString) list = g_string_new("kernel-1.traceg\n");
    for (guint name = 1; name <= 30; name++)
        for (guint i = 0; i < name; i++) g_string_append_printf(list, "event%u\n", name);
    g_autoptr(JsonNode) result = run_list(folder, list->str, "");
    ck_assert_double_eq(number(result, "others.event30"), 30);
    const Outcome outcome = warpmem(folder, "run t.ini");
    g_auto(GStrv) words = g_strsplit_set(strstr(outcome.out, "event23 "), " \n", -1);
    g_autoptr(GString) text = g_string_new(NULL);
    for (char **word = words; *word; word++)
        if (**word) g_string_append_printf(text, "%s ", *word);
    ck_assert_msg(g_str_has_prefix(text->str, "event23 23 not modelled, takes no time "
                                              "7 more names 189 not modelled, takes no time "),
                  "%s", text->str);
    temporary_remove(folder);
}
END_TEST

/* What ran of a kernel is part of the list's time so far. */
START_TEST(an_interrupted_list_is_as_long_as_what_ran)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autofree char *names =
        temporary_file(folder, "kernelslist.g", "MemcpyHtoD,0x1000,12000\nkernel-1.traceg\n");
    g_autofree char *text = g_strdup_printf("[scenario]\ntitle = T\nextends = v100\n"
                                            "[workload]\npattern = trace\nlaunches = 50000\n"
                                            "file = %s\n",
                                            folder);
    Started started = start(text, "small.ini");
    interrupt_run(&started);
    g_autoptr(JsonNode) result = json_file(started.folder, "out/baseline/result.json");
    ck_assert(result_is_partial(result));
    ck_assert_double_eq_tol(
        number(result, "list_ns"),
        result_number(result, "summary.end_ns") + number(result, "to_device.time_ns"), 1e-3);
    const Outcome shown = warpmem(started.folder, "report out/baseline -o page.html");
    ck_assert_msg(!shown.status, "%s", shown.errors);
    g_autofree char *page = contents(started.folder, "page.html");
    ck_assert_ptr_nonnull(strstr(page, "The list as far as it ran takes "));
    temporary_remove(started.folder);
    temporary_remove(folder);
}
END_TEST

START_TEST(check_and_trace_info_name_it_too)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 2);
    g_autofree char *names = temporary_file(folder, "kernelslist.g", with_copies);
    g_autofree char *file = temporary_file(folder, "t.ini", scenario);
    const Outcome check = warpmem(folder, "check t.ini"), info = warpmem(folder, "trace info .");
    ck_assert_msg(
        strstr(check.errors, "kernel-1.traceg:4: nregs '300', expected 0 to 255; taken as"), "%s",
        check.errors);
    ck_assert_int_eq(check.status, 0);
    ck_assert_msg(strstr(info.out, "warning: ./kernel-1.traceg:4: nregs '300'"), "%s", info.out);
    ck_assert_msg(strstr(info.out, "unknown opcode UTMALDG.2D                   2\n"), "%s",
                  info.out);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_file_that_ends_early_says_what_was_run)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_kernel(folder, 1);
    g_autofree char *names = temporary_file(folder, "kernelslist.g", with_copies);
    g_autofree char *file = temporary_file(folder, "t.ini", scenario);
    const Outcome outcome = warpmem(folder, "run t.ini");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors,
                         "kernel-1.traceg:15: the file ends behind 1 of the 2 CTAs "
                         "of kernel k (launch 1 of 2; 1 of its CTAs were launched)"),
                  "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

/* A kernel is as busy however long the next one lets wait for itself. */
START_TEST(how_busy_a_part_is_does_not_change_by_them)
{
    static const char text[] = "[scenario]\ntitle = T\nextends = v100\n[machine]\nsms = 2\n"
                               "partitions = 2\npeak_bandwidth_gbps = 0\n"
                               "[workload]\npattern = stream\noperation = read\n"
                               "array_bytes = 128 KiB\nlaunches = 3\ncaches = cold\n"
                               "[variant far]\ncta_dispatcher.kernel_gap = 20000 cycles\n";
    static const char bus[] = "resources.dram_channel.data_bus.use";
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "t.ini", text);
    const Outcome outcome = warpmem(folder, "run t.ini -q -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) near = json_file(folder, "out/baseline/result.json"),
                        far = json_file(folder, "out/far/result.json");
    ck_assert_double_gt(result_number(near, bus), 0.05);
    ck_assert_double_eq_tol(result_number(far, bus) / result_number(near, bus), 1, 0.02);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("between kernels");
    tcase_add_test(cases, how_busy_a_part_is_does_not_change_by_them);
    tcase_add_test(cases, copies_take_time_of_their_own);
    tcase_add_test(cases, no_kernel_s_time_changes_by_them);
    tcase_add_test(cases, what_a_copy_replaced_is_not_unwritten);
    tcase_add_test(cases, what_was_left_out_is_named_at_the_end);
    tcase_add_test(cases, the_page_of_one_kernel_says_what_passed_before_it);
    tcase_add_test(cases, what_is_wrong_with_kernels_that_do_not_run_is_not_said);
    tcase_add_test(cases, the_page_has_a_row_for_each_place_with_commands);
    tcase_add_test(cases, places_of_a_long_list_that_are_left_out_are_counted);
    tcase_add_test(cases, of_many_names_the_last_ones_are_told_together);
    tcase_add_test(cases, an_interrupted_list_is_as_long_as_what_ran);
    tcase_add_test(cases, check_and_trace_info_name_it_too);
    tcase_add_test(cases, a_file_that_ends_early_says_what_was_run);
    Suite *suite = suite_create("between kernels");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
