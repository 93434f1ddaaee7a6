/* Storage of shipped machines against sums done by hand. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/cost/storage.h"
#include "scenarios/program/result/result.h"

static JsonNode *storage_of(const char *folder, const char *machine)
{
    g_autofree char *arguments = g_strdup_printf("show %s --storage --json", machine);
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    JsonNode *node = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(node);
    return node;
}

static double number(JsonNode *storage, const char *row, const char *member)
{
    g_autofree char *path = g_strdup_printf("units.%s.%s", row, member);
    return result_number(storage, path);
}

/* Of a row of one unit: entries, bits of an entry; and units. */
typedef struct {
    const char *row;
    double entries, bits, units;
} Sum;

/* V100. A virtual address has 49 bits, 42 of them a line's; a physical one 40, 33 of a line.
 * L1: 1,024 tags for 968 lines, in 256 sets: tag 34, 4 valid, 4 dirty; 4 ages of 8 bits a set.
 * PRT: valid 1, line 42, sectors 4, place 10, 9 waiters of 24.
 * L2: 768 lines in 48 sets, of which 5 bits are not in the tag: 28 + 4 + 4; LRU 16 ranks of 4. */
static const Sum v100[] = {
    {"sm.register_bits", 65536, 32, 80},
    {"l1.data_bits", 32768, 32, 80},
    {"l1.tag_bits", 1024, 42, 80},
    {"l1.replacement_bits", 256, 32, 80},
    {"l1.prt_bits", 512, 1 + 42 + 4 + 10 + 9 * 24, 80},
    {"l1.write_buffer_bits", 32, 42 + 1024 + 128, 80},
    {"l1.tlb_bits", 16, 1 + 28 + 19, 80},
    {"l1.input_bits", 5, 64 + 32 * 50, 80},
    {"l2_slice.data_bits", 3072, 256, 64},
    {"l2_slice.tag_bits", 768, 36, 64},
    {"l2_slice.replacement_bits", 48, 64, 64},
    {"l2_slice.pending_bits", 192, 1 + 33 + 4 + 10 + 65 * 20, 64},
    {"l2_slice.input_bits", 64, 33 + 4 + 16 + 1152, 64},
    {"access_scheduler.read_store_bits", 64, 33 + 4 + 16 + 6, 64},
    {"mmu.tlb_bits", 256, 1 + 24 + 15, 1},
};

START_TEST(storage_of_v100_is_what_one_computes_by_hand)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) storage = storage_of(folder, "v100");
    for (guint i = 0; i < G_N_ELEMENTS(v100); i++) {
        const Sum *sum = &v100[i];
        const double units = number(storage, sum->row, "units"),
                     bits = number(storage, sum->row, "bits");
        ck_assert_msg(number(storage, sum->row, "entry_bits") == sum->bits, "%s: %.0f bits",
                      sum->row, number(storage, sum->row, "entry_bits"));
        ck_assert_msg(units == sum->units && bits == sum->entries * sum->bits * sum->units,
                      "%s: %.0f bits in %.0f units", sum->row, bits, units);
    }
    /* 20 MiB of registers, 10 MiB of L1, 6 MiB of L2 */
    ck_assert_double_eq(number(storage, "sm.register_bits", "bits"), 20 * 8 * 1048576.0);
    ck_assert_double_eq(number(storage, "l1.data_bits", "bits"), 10 * 8 * 1048576.0);
    ck_assert_double_eq(number(storage, "l2_slice.data_bits", "bits"), 6 * 8 * 1048576.0);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_total_is_the_sum_of_its_rows)
{
    static const char *const machines[] = {"v100", "gtx480", "gcn", "network-load"};
    char *folder = temporary_folder();
    g_autoptr(JsonNode) storage = storage_of(folder, machines[_i]);
    g_autoptr(GArray) entries = storage_entries(storage);
    double bits = 0, mm2 = 0;
    for (guint i = 0; i < entries->len; i++) {
        const StorageEntry *entry = &g_array_index(entries, StorageEntry, i);
        ck_assert_msg(entry->summary && entry->entries * entry->entry_bits == entry->bits, "%s.%s",
                      entry->unit, entry->name);
        bits += entry->bits;
        mm2 += entry->mm2;
    }
    ck_assert_double_gt(bits, 0);
    ck_assert_double_eq(bits, result_number(storage, "total_bits"));
    ck_assert_double_eq_tol(mm2, result_number(storage, "area_mm2"), 1e-9 * mm2);
    temporary_remove(folder);
}
END_TEST

/* A line's data and mask lie where its write waits, and what they take with them. */
START_TEST(written_data_lies_with_the_scheduler_or_in_L2)
{
    static const struct {
        const char *sets;
        double data;
    } cases[] = {
        {"", 1024 + 128},
        {"-s l2_slice.written_data=line", 0},
        {"-s l2_slice.written_data=store_queue", 0},
        {"-s l2_slice.written_data=line -s l2_slice.partial_write=bypass", 1024 + 128},
        {"-s l2_slice.written_data=line -s machine.memory_caches=yes", 1024 + 128},
    };
    char *folder = temporary_folder();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *machine = g_strconcat("v100 ", cases[i].sets, NULL);
        g_autoptr(JsonNode) storage = storage_of(folder, machine);
        const double store = number(storage, "access_scheduler.write_store_bits", "entry_bits"),
                     input = number(storage, "access_scheduler.input_bits", "entry_bits");
        ck_assert_msg(store == 33 + 4 + 16 + 6 + cases[i].data, "%s: %.0f", cases[i].sets, store);
        ck_assert_msg(input == 33 + 4 + 16 + cases[i].data, "%s: %.0f", cases[i].sets, input);
    }
    temporary_remove(folder);
}
END_TEST

/* What tells who has copies, which row is open, and what waits between tags and array or for the
 * rest of what it writes in part. */
START_TEST(state_that_a_setting_needs_is_counted)
{
    static const struct {
        const char *machine, *row;
        double entries, bits;
    } rows[] = {
        {"a100", "l2_slice.tag_bits", 4096, 25 + 8 + 1},
        {"a100 -s machine.l2_halves=1", "l2_slice.tag_bits", 4096, 25 + 8},
        {"a100 -s machine.l2_halves=4", "l2_slice.tag_bits", 4096, 25 + 8 + 3},
        {"v100", "access_scheduler.open_row_bits", 16, 1 + 14},
        {"v100 -s access_scheduler.page_policy=adaptive", "access_scheduler.history_bits", 16, 2},
        {"v100 -s dram.ecc=sideband", "access_scheduler.own_bits", 64 + 4, 33 + 4 + 16 + 1152},
        {"a100 -s l1.data_backlog=20cycles", "l1.backlog_bits", 20, 24 + 32 * (1 + 18)},
    };
    char *folder = temporary_folder();
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(JsonNode) storage = storage_of(folder, rows[i].machine);
        const double bits = number(storage, rows[i].row, "entry_bits"),
                     entries = number(storage, rows[i].row, "entries")
                               / number(storage, rows[i].row, "units");
        ck_assert_msg(bits == rows[i].bits && entries == rows[i].entries, "%s: %.0f x %.0f",
                      rows[i].machine, entries, bits);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(registers_are_in_as_many_parts_as_schedulers_can_have)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) storage =
        storage_of(folder, "v100 -s sm.register_banks=2 -s sm.register_partitions=8");
    ck_assert_double_eq(number(storage, "sm.register_bits", "banks"), 4 * 2);
    temporary_remove(folder);
}
END_TEST

/* Tags: a line a quarter as long has four times as many, each two bits longer and with two bits
 * of sectors in place of eight; 16 places of lines and addresses in the store queue. */
START_TEST(narrow_lines_have_more_tags_and_shorter_queues)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) wide = storage_of(folder, "line-size"),
                        narrow = storage_of(folder, "line-size -v line-32");
    ck_assert_double_eq(number(narrow, "l2_slice.tag_bits", "entries"),
                        4 * number(wide, "l2_slice.tag_bits", "entries"));
    ck_assert_double_eq(number(wide, "l2_slice.tag_bits", "entry_bits"), 28 + 8);
    ck_assert_double_eq(number(narrow, "l2_slice.tag_bits", "entry_bits"), 28 + 2);
    ck_assert_double_eq(number(wide, "l2_slice.store_address_bits", "bits")
                            + number(wide, "l2_slice.store_data_bits", "bits"),
                        16912);
    ck_assert_double_eq(number(narrow, "l2_slice.store_address_bits", "bits")
                            + number(narrow, "l2_slice.store_data_bits", "bits"),
                        4656);
    temporary_remove(folder);
}
END_TEST

/* Each line that is looked up in a cycle is compared with the tags of a set. */
START_TEST(lines_looked_up_together_are_compared_together)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) one = storage_of(folder, "v100 --set l1.tag_banks=1"),
                        four = storage_of(folder, "v100");
    ck_assert_double_eq(number(one, "l1.tag_bits", "compared_bits"), 4 * 34);
    ck_assert_double_eq(number(four, "l1.tag_bits", "compared_bits"), 4 * 4 * 34);
    ck_assert_double_eq(number(four, "l1.tag_bits", "bits"), number(one, "l1.tag_bits", "bits"));
    temporary_remove(folder);
}
END_TEST

/* Channels between routers: a ring of three has a buffer each way for each kind of packet. */
START_TEST(buffers_of_channels_are_counted_with_the_unit_that_has_them)
{
    char *folder = temporary_folder();
    const char *set = "v100 --set network.input_buffer=%d --set machine.sms=4";
    g_autofree char *few = g_strdup_printf(set, 10), *many = g_strdup_printf(set, 30);
    g_autoptr(JsonNode) small = storage_of(folder, few), large = storage_of(folder, many);
    ck_assert_double_eq(number(small, "crossbar.input_bits", "entries"), 10 * (4 + 64));
    ck_assert_double_eq(number(large, "crossbar.input_bits", "entries"), 30 * (4 + 64));
    temporary_remove(folder);
}
END_TEST

static double area_of(const char *folder, const char *sets, const char *row)
{
    g_autofree char *machine = g_strconcat("v100 ", sets, NULL);
    g_autoptr(JsonNode) storage = storage_of(folder, machine);
    return number(storage, row, "mm2");
}

static double area_of_l2(const char *folder, const char *sets)
{
    return area_of(folder, sets, "l2_slice.data_bits");
}

/* 6 MiB of cells of 0.074 um2 (12FFN), 1R1W: 1.15 times as long and as wide, 70 % of a macro. */
START_TEST(area_is_cells_and_what_is_around_them)
{
    const double l2 = 6 * 8 * 1048576.0 * 0.074e-6 * 1.15 * 1.15 / 0.7,
                 power = log(0.86 / 0.16) / log(90 / 28.0);
    const struct {
        const char *sets;
        double times;
    } changes[] = {
        {"", 1},
        {"-s l2_slice.array_ports=1RW", 1 / (1.15 * 1.15)},
        {"-s l2_slice.array_ports=2R1W", 1.3 * 1.3 / (1.15 * 1.15)},
        {"-s l2_slice.capacity=192KiB", 2},
        {"-s area.efficiency=0.35", 2},
        {"-s area.cell=0.148", 2},
        {"-s energy.node=28", 0.16 / 0.074},
        {"-s energy.node=40", 0.16 * pow(40 / 28.0, power) / 0.074},
        {"-s energy.node=180", 4 * 0.86 / 0.074},
        {"-s energy.node=1", 0.0175 / 4 / 0.074},
    };
    char *folder = temporary_folder();
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++)
        ck_assert_msg(fabs(area_of_l2(folder, changes[i].sets) / l2 / changes[i].times - 1) < 1e-9,
                      "%s", changes[i].sets);
    temporary_remove(folder);
}
END_TEST

/* Each port of a bank but the first makes its cell 1.15 times as long and as wide. */
START_TEST(the_array_of_L1_has_the_ports_that_it_is_timed_with)
{
    static const struct {
        const char *sets;
        uint32_t ports;
    } arrays[] = {
        {"", 2},
        {"-s l1.array_ports=1R1W", 2},
        {"-s l1.array_ports=1RW", 1},
        {"-s l1.data_ports=2", 4},
        {"-s l1.data_ports=2 -s l1.array_ports=1R1W", 3},
        {"-s l1.data_ports=2 -s l1.array_ports=1RW", 2},
    };
    char *folder = temporary_folder();
    const double two = area_of(folder, "", "l1.data_bits");
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        ck_assert_double_eq_tol(area_of(folder, arrays[i].sets, "l1.data_bits") / two,
                                pow((1 + 0.15 * (arrays[i].ports - 1)) / 1.15, 2), 1e-9);
    temporary_remove(folder);
}
END_TEST

/* 64 MiB of data and 1,088 macros of 6 KiB of tags at 7 nm, on dies of 36 and 41 mm2. */
START_TEST(a_published_cache_lies_between_the_lower_and_the_upper_number)
{
    char *folder = temporary_folder();
    const double l2 = area_of_l2(folder, "-s energy.node=7 -s l2_slice.array_ports=1RW"),
                 lower = l2 / 6 * (64 + 1088 * 6 / 1024.0);
    ck_assert_double_eq_tol(lower, 22.8, 0.05);
    ck_assert_double_lt(lower, 36);
    ck_assert_double_gt(2 * lower, 41);
    temporary_remove(folder);
}
END_TEST

/* Registers have three ports, and most other arrays of V100 fewer than 16 KiB; at 40 nm no cell is
 * published here. */
START_TEST(area_on_assumed_figures_is_told)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) v100 = storage_of(folder, "v100"), k80 = storage_of(folder, "k80"),
                        fermi = storage_of(folder, "gtx480"),
                        set = storage_of(folder, "gtx480 -s area.cell=0.242");
    g_autofree char *line = storage_area_text(v100), *published = storage_area_text(k80);
    ck_assert_str_eq(line, "63 to 127 mm2 of SRAM, 80 % on assumed figures");
    ck_assert_ptr_null(strstr(published, "assumed"));
    ck_assert_double_eq_tol(result_number(fermi, "assumed_mm2"), result_number(fermi, "area_mm2"),
                            1e-9);
    ck_assert_double_lt(result_number(set, "assumed_mm2"), result_number(set, "area_mm2"));
    temporary_remove(folder);
}
END_TEST

START_TEST(what_a_change_costs_is_compared_and_checked)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "prt.ini",
                                           "[scenario]\ntitle = A smaller table\nextends = v100\n"
                                           "[workload]\npattern = stream\narray_bytes = 64 KiB\n"
                                           "[variant few]\nl1.prt_entries = 64\n");
    const Outcome check = warpmem(folder, "check prt.ini"),
                  run = warpmem(folder, "run prt.ini -q -o out"),
                  compare = warpmem(folder, "compare out");
    ck_assert_ptr_nonnull(strstr(check.out, "\nfew: storage "));
    ck_assert_msg(run.status == 0, "%s", run.errors);
    ck_assert_msg(g_regex_match_simple("\n  storage, MiB +\\d+\\.\\d+ +\\d+\\.\\d+ +-\\d\\.\\d %\n",
                                       compare.out, 0, 0),
                  "%s", compare.out);
    ck_assert_ptr_nonnull(strstr(compare.out, "\n  SRAM, mm2 "));
    temporary_remove(folder);
}
END_TEST

START_TEST(storage_is_listed_and_explained)
{
    char *folder = temporary_folder();
    const Outcome list = warpmem(folder, "list storage"),
                  explain = warpmem(folder, "explain l1.prt_bits"),
                  both = warpmem(folder, "show v100 --storage --picture");
    ck_assert_ptr_nonnull(strstr(list.out, "  l1.prt_bits "));
    ck_assert_ptr_nonnull(strstr(explain.out, "room for: prt merge_room\n"));
    ck_assert_int_eq(both.status, 2);
    temporary_remove(folder);
}
END_TEST

START_TEST(sizes_are_written_in_a_unit_that_suits_them)
{
    static const struct {
        double bits;
        const char *text;
    } sizes[] = {{40, "40 bits"}, {8192, "1.00 KiB"}, {167772160, "20.00 MiB"}};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *text = storage_text(sizes[i].bits);
        ck_assert_str_eq(text, sizes[i].text);
    }
}
END_TEST

int main(void)
{
    TCase *machines = tcase_create("storage");
    tcase_add_test(machines, storage_of_v100_is_what_one_computes_by_hand);
    tcase_add_loop_test(machines, the_total_is_the_sum_of_its_rows, 0, 4);
    tcase_add_test(machines, written_data_lies_with_the_scheduler_or_in_L2);
    tcase_add_test(machines, state_that_a_setting_needs_is_counted);
    tcase_add_test(machines, registers_are_in_as_many_parts_as_schedulers_can_have);
    tcase_add_test(machines, narrow_lines_have_more_tags_and_shorter_queues);
    tcase_add_test(machines, lines_looked_up_together_are_compared_together);
    tcase_add_test(machines, buffers_of_channels_are_counted_with_the_unit_that_has_them);
    tcase_add_test(machines, area_is_cells_and_what_is_around_them);
    tcase_add_test(machines, a_published_cache_lies_between_the_lower_and_the_upper_number);
    tcase_add_test(machines, the_array_of_L1_has_the_ports_that_it_is_timed_with);
    tcase_add_test(machines, area_on_assumed_figures_is_told);
    tcase_add_test(machines, what_a_change_costs_is_compared_and_checked);
    tcase_add_test(machines, storage_is_listed_and_explained);
    tcase_add_test(machines, sizes_are_written_in_a_unit_that_suits_them);
    return harness_run_cases("storage", machines);
}
