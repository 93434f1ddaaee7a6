/* What is read of resources, at any time and of a region. */
#include "kit/observe/meter.h"
#include "kit/observe/series.h"
#include "rigs/harness.h"

typedef struct {
    Server port, pipe;
    uint64_t places, at_once, turned_away;
    Level table;
    ServerArray bank;
} Shop;

static const ResourceRow rows[] = {
    RESOURCE_ONE_SERVER(Shop, port, "one at a time"),
    RESOURCE_ONE_SERVER(Shop, pipe, "some at once", RESOURCE_CAPACITY(Shop, at_once)),
    RESOURCE_ONE_PLACE(Shop, table, "holds some", RESOURCE_CAPACITY(Shop, places),
                       .refusals = "turned_away"),
    RESOURCE_MANY_SERVERS(Shop, bank, "two of a kind"), RESOURCE_END};

enum { PORT, PIPE, TABLE, BANK_0, BANK_1, METERS };

typedef struct {
    Shop shop;
    MeterList meters;
} Rig;

static void rig_init(Rig *rig)
{
    *rig = (Rig){.shop = {.places = 2, .at_once = 4, .bank = server_array_new(2)}};
    for (const ResourceRow *row = rows; row->name; row++)
        meter_list_add_resource(&rig->meters, row, row->refusals ? &rig->shop.turned_away : NULL,
                                &rig->shop);
}

static void rig_finish(Rig *rig)
{
    g_free(rig->shop.bank.at);
    meter_list_finish(&rig->meters);
}

static ResourceCount read_at(const Rig *rig, uint32_t meter, Time at)
{
    return meter_read(&rig->meters.at[meter], at);
}

START_TEST(a_row_has_a_meter_for_each_of_its_elements)
{
    Rig rig;
    rig_init(&rig);
    ck_assert_uint_eq(rig.meters.count, METERS);
    ck_assert_str_eq(rig.meters.at[BANK_1].name, "bank");
    ck_assert_uint_eq(rig.meters.at[BANK_1].index, 1);
    ck_assert(rig.meters.at[BANK_1].many && !rig.meters.at[PORT].many);
    ck_assert_ptr_eq(rig.meters.at[BANK_0].name, rig.meters.at[BANK_1].name);
    ck_assert_uint_eq(rig.meters.at[PORT].capacity, 1);
    ck_assert_uint_eq(rig.meters.at[PIPE].capacity, 4);
    ck_assert_int_eq(rig.shop.table.full_at, 2);
    rig_finish(&rig);
}
END_TEST

/* The second row's server serves none at once. */
START_TEST(what_there_are_none_of_has_no_meter)
{
    Rig rig = {.shop = {.places = 2}};
    meter_list_add_resource(&rig.meters, &rows[PIPE], NULL, &rig.shop);
    ck_assert_uint_eq(rig.meters.count, 0);
    meter_list_add_resource(&rig.meters, &rows[PORT], NULL, &rig.shop);
    ck_assert_uint_eq(rig.meters.count, 1);
    rig_finish(&rig);
}
END_TEST

/* 10 from 5, then 10 behind it: done at 25. */
START_TEST(a_server_has_not_done_what_lies_ahead)
{
    Rig rig;
    rig_init(&rig);
    server_book(&rig.shop.port, 5, 10);
    server_book(&rig.shop.port, 15, 10);
    ck_assert_uint_eq(read_at(&rig, PORT, 12).work, 7);
    ck_assert_uint_eq(read_at(&rig, PORT, 25).work, 20);
    ck_assert_uint_eq(read_at(&rig, PORT, 40).full, 20);
    rig_finish(&rig);
}
END_TEST

/* 10 from 0, and 10 booked at 12 for 40 to 50: at 12 as at 40 the first ten are done. */
START_TEST(a_server_has_not_done_what_is_booked_for_later)
{
    Rig rig;
    rig_init(&rig);
    server_book(&rig.shop.port, 0, 10);
    ck_assert_uint_eq(read_at(&rig, PORT, 12).work, 10);
    server_book(&rig.shop.port, 40, 10);
    ck_assert_uint_eq(read_at(&rig, PORT, 15).work, 10);
    ck_assert_uint_eq(read_at(&rig, PORT, 40).work, 10);
    ck_assert_uint_eq(read_at(&rig, PORT, 44).work, 14);
    ck_assert_uint_eq(read_at(&rig, PORT, 50).work, 20);
    rig_finish(&rig);
}
END_TEST

/* Four pieces of 8 at once are 32 of work, and fill it for 8. */
START_TEST(a_server_of_four_is_full_for_a_quarter_of_its_work)
{
    Rig rig;
    rig_init(&rig);
    for (int i = 0; i < 4; i++) server_book_share(&rig.shop.pipe, 100, 8, 4);
    ck_assert_uint_eq(read_at(&rig, PIPE, 104).work, 16);
    ck_assert_uint_eq(read_at(&rig, PIPE, 108).work, 32);
    ck_assert_uint_eq(read_at(&rig, PIPE, 200).full, 8);
    rig_finish(&rig);
}
END_TEST

/* One from 10, two from 20 to 50. */
START_TEST(a_place_is_full_while_it_holds_its_capacity)
{
    Rig rig;
    rig_init(&rig);
    level_enter(&rig.shop.table, 10);
    level_enter(&rig.shop.table, 20);
    ck_assert_uint_eq(read_at(&rig, TABLE, 30).full, 10);
    ck_assert_uint_eq(read_at(&rig, TABLE, 30).work, 30);
    level_leave(&rig.shop.table, 50, 10);
    rig.shop.turned_away = 3;
    const ResourceCount count = read_at(&rig, TABLE, 60);
    ck_assert_uint_eq(count.full, 30);
    ck_assert_uint_eq(count.work, 10 + 60 + 10);
    ck_assert_uint_eq(count.refused, 3);
    rig_finish(&rig);
}
END_TEST

/* Begun before the region: 5 of 20 lie in it. */
/* Two come at 10 and 20 and leave together at 50, one comes at 30 and stays beyond the end. */
START_TEST(those_who_leave_a_place_say_how_long_they_stayed)
{
    Rig rig;
    rig_init(&rig);
    Level *table = &rig.shop.table;
    level_enter(table, 10);
    level_enter(table, 20);
    level_enter(table, 30);
    level_leave_together(table, 50, 2, 10 + 20);
    const ResourceCount early = read_at(&rig, TABLE, 55), late = read_at(&rig, TABLE, 60);
    ck_assert_uint_eq(late.work, 40 + 30 + 30);
    ck_assert_uint_eq(late.stayed, 40 + 30);
    ck_assert_uint_eq(late.came, 3);
    ck_assert_uint_eq(late.inside, 1);
    ck_assert_uint_eq(resource_count_since(late, early).inside, 2); /* at both ends */
    ck_assert_uint_eq(resource_count_since(late, early).stayed, 0);
    rig_finish(&rig);
}
END_TEST

START_TEST(a_region_has_what_was_done_in_it)
{
    Rig rig;
    rig_init(&rig);
    server_book(&rig.shop.port, 0, 20);
    server_book(&rig.shop.bank.at[1], 30, 4);
    meter_list_open(&rig.meters, 15);
    meter_list_keep(&rig.meters, 33);
    ck_assert_uint_eq(rig.meters.length, 18);
    ck_assert_uint_eq(rig.meters.at[PORT].counted.work, 5);
    ck_assert_uint_eq(rig.meters.at[BANK_0].counted.work, 0);
    ck_assert_uint_eq(rig.meters.at[BANK_1].counted.work, 3);
    rig_finish(&rig);
}
END_TEST

/* Four intervals are read together: of the first four the port is busy for one and a half, of the
 * others, of which the last is half as long, for two. Of the banks one row, their sum. */
START_TEST(work_over_time_is_spread_over_intervals_that_are_read_together)
{
    static const Stat no_stats[] = {STAT_END};
    const Time half = SERIES_FIRST_INTERVAL / 2;
    Rig rig;
    rig_init(&rig);
    server_book(&rig.shop.bank.at[0], 0, 3);
    Series *series = series_new(no_stats, &rig.meters);
    ck_assert_uint_eq(series->open.rows, 4);
    series_restart(series, 3);
    server_book(&rig.shop.port, 3 + half, 3 * half);
    server_book(&rig.shop.bank.at[0], 3, 7);
    server_book(&rig.shop.bank.at[1], 3, 5);
    for (Time at = 2 * half; at <= 8 * half; at += 2 * half)
        series_close(series, &rig.shop, 3 + at);
    server_book(&rig.shop.port, 3 + 8 * half, 4 * half);
    for (Time at = 10 * half; at <= 12 * half; at += 2 * half)
        series_close(series, &rig.shop, 3 + at);
    series_keep(series, &rig.shop, 3 + 13 * half, false);
    ck_assert_uint_eq(series->kept.count, 7);
    uint64_t sum = 0;
    for (guint i = 0; i < 7; i++) sum += series_value(&series->kept, 0, i);
    ck_assert_uint_eq(sum, 7 * half);
    for (guint i = 0; i < 4; i++)
        ck_assert_uint_eq(series_value(&series->kept, 0, i), 3 * half / 4);
    ck_assert_uint_eq(series_value(&series->kept, 0, 4), 4 * half * 2 / 5);
    ck_assert_uint_eq(series_value(&series->kept, 0, 4), series_value(&series->kept, 0, 5));
    ck_assert_uint_eq(series_value(&series->kept, 3, 0), 3);
    series_free(series);
    rig_finish(&rig);
}
END_TEST

/* As of a router's links, where there is none to the north. */
START_TEST(an_array_need_not_begin_with_its_first_element)
{
    static const Stat no_stats[] = {STAT_END};
    Rig rig;
    rig_init(&rig);
    MeterList meters = {.count = 0};
    meter_list_add(&meters, &rig.meters.at[PORT]);
    for (uint32_t index = 1; index < 3; index++) {
        Meter link = rig.meters.at[BANK_1];
        link.name = "link";
        link.index = index;
        meter_list_add(&meters, &link);
    }
    Series *series = series_new(no_stats, &meters);
    ck_assert_uint_eq(series->open.rows, 2);
    ck_assert_uint_eq(series->row[0].meters, 1);
    ck_assert_uint_eq(series->row[1].meters, 2);
    series_free(series);
    meter_list_finish(&meters);
    rig_finish(&rig);
}
END_TEST

static uint32_t reads;

static ResourceCount count_reads(G_GNUC_UNUSED void *field, G_GNUC_UNUSED Time at)
{
    reads++;
    return (ResourceCount){.work = 7};
}

/* At the start; once whether it is empty, and once whether it was for 100 intervals. */
START_TEST(what_rests_is_not_read_for_each_of_many_intervals)
{
    static const Stat no_stats[] = {STAT_END};
    MeterList meters = {.count = 0};
    meter_list_add(&meters, &(Meter){.name = "port", .capacity = 1, .read = count_reads});
    Series *series = series_new(no_stats, &meters);
    series_restart(series, 0);
    series_close(series, NULL, 100 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(series->open.count, 100);
    ck_assert_uint_eq(series->open.moved, 0);
    ck_assert_uint_eq(reads, 3);
    series_free(series);
    meter_list_finish(&meters);
}
END_TEST

HARNESS_MAIN("meter", a_row_has_a_meter_for_each_of_its_elements,
             what_there_are_none_of_has_no_meter, a_server_has_not_done_what_lies_ahead,
             a_server_has_not_done_what_is_booked_for_later,
             a_server_of_four_is_full_for_a_quarter_of_its_work,
             a_place_is_full_while_it_holds_its_capacity, a_region_has_what_was_done_in_it,
             those_who_leave_a_place_say_how_long_they_stayed,
             what_rests_is_not_read_for_each_of_many_intervals,
             an_array_need_not_begin_with_its_first_element,
             work_over_time_is_spread_over_intervals_that_are_read_together)
