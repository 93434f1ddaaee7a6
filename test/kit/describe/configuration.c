#include <check.h>

#include "kit/describe/configuration.h"
#include "rigs/harness.h"

typedef struct {
    uint64_t ways, capacity;
    char *label;
} Example;

static const Param params[] = {
    PARAM_NUMBER(Example, ways, PARAM_COUNT, "4", 1, 64, "ways"),
    PARAM_NUMBER(Example, capacity, PARAM_BYTES, "32 KiB", 1024, 1 << 20, "capacity"),
    PARAM_STRING(Example, label, "plain", "label"),
    PARAM_END,
};
static const Param more_params[] = {
    PARAM_NUMBER(Example, ways, PARAM_COUNT, "4", 1, 64, "another table of the same group"),
    PARAM_END,
};
static const ParamGroup l1 = {.name = "l1", .summary = "an example", .params = params};
static const ParamGroup sm = {.name = "sm", .summary = "another", .params = more_params};
static const ParamGroup wire = {
    .name = "wire", .summary = "any number", .params = more_params, .named = true};
static const ParamGroup *const groups[] = {&l1, &sm, NULL};
static const ParamGroup *const named[] = {&l1, &wire, NULL};

START_TEST(a_replaced_setting_keeps_its_position)
{
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "ways", "4", "a.ini", 3);
    configuration_set(configuration, "l1", "capacity", "64 KiB", "a.ini", 4);
    configuration_set(configuration, "l1", "ways", "8", NULL, 0);
    ck_assert_uint_eq(configuration_size(configuration), 2);
    ck_assert_str_eq(configuration_at(configuration, 0)->key, "ways");
    g_autofree char *set = setting_describe_place(configuration_at(configuration, 0));
    ck_assert_str_eq(set, "--set: ");
    g_autofree char *file = setting_describe_place(configuration_at(configuration, 1));
    ck_assert_str_eq(file, "a.ini:4: ");
}
END_TEST

START_TEST(a_copy_is_independent)
{
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "ways", "4", "a.ini", 3);
    g_autoptr(Configuration) copy = configuration_copy(configuration);
    configuration_set(copy, "l1", "ways", "8", NULL, 0);
    ck_assert_str_eq(configuration_find(configuration, "l1", "ways")->value, "4");
    ck_assert_int_eq(configuration_find(configuration, "l1", "ways")->line, 3);
    ck_assert_ptr_null(configuration_find(configuration, "l1", "sets"));
}
END_TEST

START_TEST(an_object_is_filled_with_defaults_and_settings)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "label", "mine", "a.ini", 1);
    configuration_set(configuration, "kernel one", "ways", "16", "a.ini", 2);
    ck_assert(configuration_apply(configuration, &l1, &example, &error));
    ck_assert_str_eq(example.label, "mine");
    ck_assert_uint_eq(example.ways, 4);
    ck_assert(configuration_apply_as(configuration, "kernel one", &l1, &example, &error));
    ck_assert_str_eq(example.label, "plain");
    ck_assert_uint_eq(example.ways, 16);
    param_clear(params, &example);
}
END_TEST

START_TEST(a_bad_value_is_reported_with_its_place)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "capacity", "64", "a.ini", 7);
    ck_assert(!configuration_apply(configuration, &l1, &example, &error));
    ck_assert_str_eq(error->message,
                     "a.ini:7: l1.capacity = 64: a unit is missing; bytes are written as "
                     "64 B, 64 KiB ..., from 1 KiB to 1 MiB");
    ck_assert_ptr_null(example.label);
}
END_TEST

START_TEST(a_comment_behind_a_value_is_named)
{
    Example example = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "ways", "4 # four", "a.ini", 7);
    ck_assert(!configuration_apply(configuration, &l1, &example, &error));
    ck_assert_str_eq(error->message,
                     "a.ini:7: l1.ways = 4 # four: takes no unit; allowed: whole number from 1 to "
                     "64; a # comment has a line of its own");
    g_clear_error(&error);
    setting_reject(configuration_find(configuration, "l1", "ways"), &error, "odd");
    ck_assert_str_eq(error->message,
                     "a.ini:7: l1.ways = 4 # four: odd; a # comment has a line of its own");
}
END_TEST

static const struct {
    const char *group, *key, *message;
} unknown[] = {
    {"l1", "capcity",
     "a.ini:7: l1.capcity = 1: 'l1' has no parameter 'capcity'; did you mean 'capacity'?"},
    {"l1", "banks",
     "a.ini:7: l1.banks = 1: 'l1' has no parameter 'banks'; there are ways, capacity, label"},
    {"l3", "ways", "a.ini:7: l3.ways = 1: there is no group 'l3'; did you mean 'l1'?"},
    {"texture", "ways", "a.ini:7: texture.ways = 1: there is no group 'texture'; there are l1, sm"},
};

START_TEST(an_unknown_key_names_the_nearest_valid_one)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "sm", "ways", "1", "a.ini", 6);
    ck_assert(configuration_check(configuration, NULL, groups, &error));
    configuration_set(configuration, unknown[_i].group, unknown[_i].key, "1", "a.ini", 7);
    ck_assert(!configuration_check(configuration, NULL, groups, &error));
    ck_assert_str_eq(error->message, unknown[_i].message);
}
END_TEST

START_TEST(groups_of_a_named_table_have_names)
{
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "wire a-*", more_params[0].name, "1", "a.ini", 6);
    configuration_set(configuration, "wire b", more_params[0].name, "2", "a.ini", 7);
    configuration_set(configuration, "wire a-*", "further", "2", "a.ini", 8);
    ck_assert(param_group_holds(&wire, "wire b") && !param_group_holds(&wire, "wire"));
    ck_assert(!param_group_holds(&wire, "wires b") && !param_group_holds(&l1, "l1 b"));
    ck_assert_str_eq(param_group_name_of(&wire, "wire a-*"), "a-*");
    ck_assert(configuration_is_first(configuration, 1));
    ck_assert(!configuration_is_first(configuration, 2));
    g_autoptr(GError) error = NULL;
    ck_assert(!configuration_check(configuration, NULL, named, &error));
    ck_assert_msg(
        g_str_has_prefix(error->message, "a.ini:8: wire a-*.further = 2: 'wire a-*' has "), "%s",
        error->message);
    g_clear_error(&error);
    configuration_remove(configuration, "wire a-*", "further");
    ck_assert(configuration_check(configuration, NULL, named, NULL));
    configuration_set(configuration, "wire", "ways", "2", "a.ini", 9);
    ck_assert(!configuration_check(configuration, NULL, named, &error));
    ck_assert_str_eq(error->message, "a.ini:9: wire.ways = 2: is written [wire NAME]: whose it is");
}
END_TEST

START_TEST(what_is_wrong_with_a_setting_is_said_with_its_place)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) cause = g_error_new(PARAM_ERROR, 0, "not readable");
    const Setting set = {"l1", "ways", "8", NULL, 0},
                  file = {"kernel one", "ctas", "2", "a.ini", 3},
                  code = {"workload", "code", "load a[0]\nbarrier", "a.ini", 4};
    ck_assert(!setting_reject(&file, &error, "at most %d", 1));
    ck_assert(!setting_prefix_error(&set, &cause));
    ck_assert_str_eq(error->message, "a.ini:3: kernel one.ctas = 2: at most 1");
    ck_assert_str_eq(cause->message, "--set: l1.ways = 8: not readable");
    g_clear_error(&error);
    ck_assert(!setting_reject(&code, &error, "does not fit"));
    ck_assert_str_eq(error->message, "a.ini:4: workload.code: does not fit");
    ck_assert(!setting_reject(&set, NULL, "whatever"));
}
END_TEST

static const struct {
    const char *message, *place;
} located[] = {
    {"l1.ways = 3: odd", "a.ini:3: "},
    {"l1.ways", "a.ini:3: "},
    {"l1.capacity 64 KiB: large", "--set: "},
    {"l1.capacity 64 KiB: more than ways", "--set: "},
    {"l1.ways_more: another", ""},
    {"l1.sets = 4: nobody set it", ""},
    {"l1.sets = 4: more than ways", "a.ini:3: l1.ways = 3, with "},
    {"l1.sets = 4: not capacity / ways", "--set: l1.capacity = 64 KiB, with "},
    {"l1.ways = 3: capacity is no multiple", "--set: l1.capacity = 64 KiB, with a.ini:3: "},
    {"l1.ways = 3: too many for label", "a.ini:4: l1.label = x, with a.ini:3: "},
    {"l1.ways = 3: too many for l2.ways", "b.ini:1: l2.ways = 4, with a.ini:3: "},
    {"l1.ways = 3: label and capacity", "--set: l1.capacity = 64 KiB, with a.ini:3: "},
    {"l1.ways = 3: odd; it knows label, capacity", "a.ini:3: "},
    {"l1.ways = 3: no label; did you mean 'capacity'?", "a.ini:4: l1.label = x, with a.ini:3: "},
    {"kernel one.ctas: none", "a.ini:9: "},
    {"l1: capacity", ""},
    {"a.ini:3: l1.ways = 3: odd", ""},
    {"a.ini:3: l1.ways = 3: too many for capacity", "--set: l1.capacity = 64 KiB, with "},
    {"a.ini:3: kernel one.warps is not set: l2.ways", "b.ini:1: l2.ways = 4, with "},
    {"l1.ini:3: l1.ways = 3: odd", ""},
    {"--set: l1.capacity = 64 KiB: odd", ""},
    {"--set: l1.capacity = 64 KiB: more than ways", ""},
    {"--set: l1.capacity = 64 KiB, with a.ini:3: l1.ways = 3: odd", ""},
    {"ways", ""},
};

START_TEST(a_message_that_names_a_setting_gains_its_place)
{
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, "l1", "ways", "3", "a.ini", 3);
    configuration_set(configuration, "l1", "label", "x", "a.ini", 4);
    configuration_set(configuration, "l1", "capacity", "64 KiB", NULL, 0);
    configuration_set(configuration, "l2", "ways", "4", "b.ini", 1);
    configuration_set(configuration, "kernel one", "ctas", "0", "a.ini", 9);
    g_autoptr(GError) error = g_error_new_literal(PARAM_ERROR, 0, located[_i].message);
    ck_assert(!configuration_locate_error(configuration, &error));
    g_autofree char *expected = g_strconcat(located[_i].place, located[_i].message, NULL);
    ck_assert_str_eq(error->message, expected);
    ck_assert(!configuration_locate_error(configuration, NULL));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("configuration");
    tcase_add_test(cases, a_replaced_setting_keeps_its_position);
    tcase_add_test(cases, a_copy_is_independent);
    tcase_add_test(cases, an_object_is_filled_with_defaults_and_settings);
    tcase_add_test(cases, a_bad_value_is_reported_with_its_place);
    tcase_add_test(cases, a_comment_behind_a_value_is_named);
    tcase_add_loop_test(cases, an_unknown_key_names_the_nearest_valid_one, 0,
                        G_N_ELEMENTS(unknown));
    tcase_add_test(cases, groups_of_a_named_table_have_names);
    tcase_add_test(cases, what_is_wrong_with_a_setting_is_said_with_its_place);
    tcase_add_loop_test(cases, a_message_that_names_a_setting_gains_its_place, 0,
                        G_N_ELEMENTS(located));
    Suite *suite = suite_create("configuration");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
