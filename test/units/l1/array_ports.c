/* The ports of L1's array, what they do side by side, and the places of the write data buffer that
 * stores hold until their data is there. See rig.h for the times. */
#include "rig.h"

/* Line 5 is there since 117. A store that hits it, at 204, writes the array for a cycle, by a port
 * of its own or the only one. */
static const struct {
    const char *settings;
    uint64_t writes, reads;
} ports[] = {{"", 0, 2}, {"array_ports = 1R1W", 2, 2}, {"array_ports = 1RW", 0, 4}};

START_TEST(fills_and_stores_that_hit_take_a_port_of_the_array)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = ANY},
        {.at = 203, .line = 5, .operation = STORES, .back = 203 + STORE},
        {.at = 204, .line = 5, .back = 204 + HIT}};
    g_autoptr(Rig) rig = rig_new(ports[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_passes"), ports[_i].writes);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), ports[_i].reads);
    ck_assert_uint_eq(unit_booked(rig->l1, "array_write"), ports[_i].writes);
}
END_TEST

/* Line 5 is here at 117 and read by who waits; a hit that comes then is read at 118, or at 119
 * where writing the line has taken the port at 117. */
static const struct {
    const char *settings;
    uint64_t hit;
} shared_port[] = {{"", 118}, {"array_ports = 1R1W", 118}, {"array_ports = 1RW", 119}};

START_TEST(a_fill_keeps_loads_from_the_only_port)
{
    const Lookup lookups[] = {{.at = 1, .line = 6, .back = ANY},
                              {.at = 10, .line = 5, .back = ANY},
                              {.at = 116, .line = 6, .back = shared_port[_i].hit - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new(shared_port[_i].settings, 0);
    RUN(rig, lookups);
}
END_TEST

/* Two lines are here at 117: the second is written, and read, a cycle later. The only port writes
 * and reads the first before. */
static uint64_t line_6_is_faster(const Transaction *transaction)
{
    return transaction->line == 6 * 128 ? 99 : 100;
}

static const struct {
    const char *settings;
    uint64_t first, second, fill; /* cycles of both from their fills on */
} busy_ports[] = {{"array_ports = 1R1W", 117 + 17, 118 + 17, 16 + 16},
                  {"array_ports = 1RW", 118 + 17, 120 + 17, 17 + 17}};

START_TEST(a_fill_waits_for_the_port_that_writes)
{
    const Lookup lookups[] = {{.at = 10, .line = 5, .back = busy_ports[_i].first},
                              {.at = 11, .line = 6, .back = busy_ports[_i].second}};
    g_autoptr(Rig) rig = rig_new(busy_ports[_i].settings, 0);
    rig->l2->latency_of = line_6_is_faster;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_passes"), _i ? 0 : 2);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_FILL), busy_ports[_i].fill);
}
END_TEST

/* Data is in the buffer until the banks have it, 9 cycles after its last pass: with one place the
 * second store is accepted at 20, and the third, of two passes, at 29. */
static const struct {
    const char *settings;
    uint64_t second, third;
} places[] = {
    {"write_buffer_entries = 1", 20, 31}, {"write_buffer_entries = 2", 12, 22}, {"", 12, 15}};

START_TEST(shared_stores_take_places_of_the_write_data_buffer)
{
    const Lookup lookups[] = {
        {.at = 10, .space = IN_SHARED, .operation = STORES, .back = 12},
        {.at = 11, .space = IN_SHARED, .operation = STORES, .back = places[_i].second + 1},
        {.at = 12,
         .space = IN_SHARED,
         .operation = STORES,
         .stride = 8,
         .back = places[_i].third + 1}};
    g_autoptr(Rig) rig = rig_new(places[_i].settings, 0);
    RUN(rig, lookups);
    const Level *buffer = unit_level(rig->l1, "write_buffer");
    ck_assert_uint_eq(buffer->arrivals, 3);
    ck_assert_uint_eq(buffer->stay, (9 + 9 + 2 + 9) * TIME_NS);
}
END_TEST

/* A store that finds the way open is in the buffer for the 4 cycles of its look-up. */
START_TEST(a_global_store_has_its_place_until_it_leaves)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE},
        {.at = 11, .line = 2, .operation = STORES, .back = 15 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("write_buffer_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 1);
    ck_assert_uint_eq(unit_level(rig->l1, "write_buffer")->stay, (4 + 4) * TIME_NS);
}
END_TEST

/* What writes shared memory takes the port for writes: a store that, an atomic both. */
START_TEST(stores_to_shared_memory_have_the_port_for_writes)
{
    static const Lookup lookups[] = {
        {.at = 10, .space = IN_SHARED, .operation = STORES, .back = 12},
        {.at = 20, .space = IN_SHARED, .operation = ATOMIC, .back = ANY},
        {.at = 30, .space = IN_SHARED, .back = 30 + SHARED_HIT}};
    g_autoptr(Rig) rig = rig_new("array_ports = 1R1W", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_passes"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 2);
}
END_TEST

/* Eight hits of so many passes each, at once, when the line is there. */
static const struct {
    const char *settings;
    uint8_t space, width;
    uint64_t later[8]; /* each comes so many cycles behind the first */
} at_once[] = {
    {"", GLOBAL, 4, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"", IN_SHARED, 4, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"lookups_per_interval = 2", GLOBAL, 4, {0, 1, 2, 3, 4, 5, 6, 7}}, /* the array takes one */
    {"data_ports = 2", GLOBAL, 4, {0, 1, 2, 3, 4, 5, 6, 7}},           /* the tags do */
    {"data_ports = 2", IN_SHARED, 4, {0, 0, 1, 1, 2, 2, 3, 3}},
    {"data_ports = 3", IN_SHARED, 4, {0, 0, 0, 1, 1, 1, 2, 2}},
    {"data_ports = 64", IN_SHARED, 4, {0}},
    {"data_ports = 64; replay_entries = 2", IN_SHARED, 4, {0}}, /* places are free at once */
    {"data_ports = 2; lookups_per_interval = 2", GLOBAL, 4, {0, 0, 1, 1, 2, 2, 3, 3}},
    {"data_ports = 2; lookups_per_interval = 2; overlap = yes",
     GLOBAL,
     4,
     {0, 0, 1, 1, 2, 2, 3, 3}},
    /* two passes each: so many accesses have a port that there are passes enough */
    {"data_ports = 2; lookups_per_interval = 2", GLOBAL, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"data_ports = 4; lookups_per_interval = 4; overlap = yes",
     GLOBAL,
     8,
     {0, 0, 1, 1, 2, 2, 3, 3}},
    {"data_ports = 64; lookups_per_interval = 64", GLOBAL, 16, {0}},
};

START_TEST(ports_and_look_ups_serve_accesses_side_by_side)
{
    Lookup lookups[10];
    const Lookup lookup = {.space = at_once[_i].space, .width = at_once[_i].width, .back = ANY};
    for (guint i = 0; i < G_N_ELEMENTS(lookups); i++) {
        lookups[i] = lookup;
        lookups[i].at = i ? i > 1 ? 3000 : 1000 : 10;
    }
    g_autoptr(Rig) rig = rig_new(at_once[_i].settings, 0);
    RUN(rig, lookups);
    for (guint i = 0; i < 8; i++)
        ck_assert_uint_eq(came_back(rig, i + 2) - came_back(rig, 2), at_once[_i].later[i]);
}
END_TEST

/* A third of a cycle is no whole number of femtoseconds. */
START_TEST(what_is_done_side_by_side_takes_nothing_from_what_was_done_before)
{
    static const Lookup lookups[] = {{.at = 10, .space = IN_SHARED, .back = ANY},
                                     {.at = 1000, .space = IN_SHARED, .back = ANY},
                                     {.at = 1000, .space = IN_SHARED, .back = ANY},
                                     {.at = 1000, .space = IN_SHARED, .back = ANY}};
    g_autoptr(Rig) rig = rig_new("data_ports = 3", 0);
    RUN(rig, lookups);
    const Server *array = unit_meter_at(rig->l1, "data_array", 0)->field;
    ck_assert_uint_ge(server_work(array, 3, array->since), TIME_NS);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_array_ports");
    tcase_add_loop_test(cases, fills_and_stores_that_hit_take_a_port_of_the_array, 0,
                        G_N_ELEMENTS(ports));
    tcase_add_loop_test(cases, a_fill_keeps_loads_from_the_only_port, 0, G_N_ELEMENTS(shared_port));
    tcase_add_loop_test(cases, a_fill_waits_for_the_port_that_writes, 0, G_N_ELEMENTS(busy_ports));
    tcase_add_loop_test(cases, shared_stores_take_places_of_the_write_data_buffer, 0,
                        G_N_ELEMENTS(places));
    tcase_add_test(cases, a_global_store_has_its_place_until_it_leaves);
    tcase_add_test(cases, stores_to_shared_memory_have_the_port_for_writes);
    tcase_add_loop_test(cases, ports_and_look_ups_serve_accesses_side_by_side, 0,
                        G_N_ELEMENTS(at_once));
    tcase_add_test(cases, what_is_done_side_by_side_takes_nothing_from_what_was_done_before);
    return harness_run_cases("l1_array_ports", cases);
}
