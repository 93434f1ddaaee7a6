/* What cannot be meant, and what is warned about. */
#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* Blanks around a word are no part of it. */
START_TEST(rules_between_units_are_about_what_was_read_of_the_text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(NULL);
    configuration_set(configuration, "load_store", "through_texture", " everything", NULL, 0);
    configuration_set(configuration, "texture", "cache", " own", NULL, 0);
    ck_assert_msg(machine_check(configuration, &error), "%s", error ? error->message : "");
    configuration_remove(configuration, "texture", "cache");
    ck_assert(!machine_check(configuration, &error));
    ck_assert_str_eq(error->message, "--set: load_store.through_texture = everything: needs "
                                     "texture.cache = own, or nothing");
    g_clear_error(&error);
    configuration_set(configuration, "load_store", "through_texture", " nothing", NULL, 0);
    ck_assert_msg(machine_check(configuration, &error), "%s", error ? error->message : "");
}
END_TEST

START_TEST(a_queue_that_cannot_keep_its_path_busy_is_warned_about)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(
        "network.l2_input_buffer = 49; network.request_destination_latency = 25 cycles");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, 1);
    ck_assert_ptr_nonnull(strstr(warnings->pdata[0], "network.l2_input_buffer = 49: too small"));
}
END_TEST

/* An instruction of 32 lanes a cycle over 4 + 1 cycles; one of 4 lanes, an eighth of that. */
START_TEST(queues_of_the_texture_unit_are_warned_about)
{
    static const struct {
        const char *settings, *warning;
    } rows[] = {
        {"sm.texture_lanes = 32; channels.texture_issue = 4 cycles",
         "channels.texture_issue_queue = 4: too small"},
        {"sm.texture_lanes = 32; channels.texture_issue = 4 cycles; channels.texture_issue_queue = 5",
         NULL},
        {"channels.texture_issue_queue = 1", NULL},
        {"channels.texture_to_l1_queue = 2", NULL},
        {"channels.texture_to_l1_queue = 1", "channels.texture_to_l1_queue = 1: too small"},
    };
    g_autoptr(Configuration) configuration = small_machine_configuration(rows[_i].settings);
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, rows[_i].warning != NULL);
    if (rows[_i].warning) ck_assert_ptr_nonnull(strstr(warnings->pdata[0], rows[_i].warning));
}
END_TEST

/* The scheduler turns the bus for sixteen writes, and there are never as many. */
START_TEST(a_store_queue_that_fills_no_batch_is_warned_about)
{
    static const struct {
        const char *settings;
        bool warns;
    } rows[] = {{"", true},
                {"; l2_slice.store_queue_entries = 16", false},
                {"; access_scheduler.drain_idle = 0 cycles", false},
                {"; l2_slice.written_data = line", false}};
    g_autofree char *settings =
        g_strconcat("l2_slice.written_data = store_queue; l2_slice.store_queue_entries = 15;"
                    "access_scheduler.drain_high = 16; access_scheduler.drain_low = 8;"
                    "access_scheduler.drain_idle = 200 cycles",
                    rows[_i].settings, NULL);
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, rows[_i].warns);
    if (rows[_i].warns)
        ck_assert_str_eq(warnings->pdata[0],
                         "l2_slice.store_queue_entries = 15: never as many as "
                         "access_scheduler.drain_high = 16, so that all wait until it has been "
                         "idle for drain_idle = 200 cycles");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("plausible");
    tcase_add_test(cases, rules_between_units_are_about_what_was_read_of_the_text);
    tcase_add_test(cases, a_queue_that_cannot_keep_its_path_busy_is_warned_about);
    tcase_add_loop_test(cases, a_store_queue_that_fills_no_batch_is_warned_about, 0, 4);
    tcase_add_loop_test(cases, queues_of_the_texture_unit_are_warned_about, 0, 5);
    return harness_run_cases("plausible", cases);
}
