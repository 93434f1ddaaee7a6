/* What rows of parameters say of components and of what-ifs that double. */
#include "platform/machine/machine.h"
#include "program/study/perfect/machines.h"
#include "rigs/harness.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/perfect/doubling.h"
#include "workloads/workload.h"

static void check_double(const Configuration *configuration, const ResolvedValue *value,
                         const char *machine)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *other = param_double(value->param, value->value);
    if (!other) return;
    g_autoptr(Configuration) changed = configuration_copy(configuration);
    configuration_set(changed, value->group, value->key, other, NULL, 0);
    const Variant variant = {value->key, changed};
    ck_assert_msg(variant_check(&variant, &error), "%s, %s.%s = %s: %s", machine, value->group,
                  value->key, other, error ? error->message : "");
}

/* Of few SMs and partitions, which are quick to build. */
static Configuration *small_machine(const Configuration *whole)
{
    Configuration *small = configuration_copy(whole);
    configuration_set(small, "machine", "sms", "2", NULL, 0);
    configuration_set(small, "machine", "partitions", "2", NULL, 0);
    configuration_set(small, "machine", "peak_bandwidth_gbps", "0", NULL, 0);
    return small;
}

START_TEST(every_doubling_is_a_machine_of_every_preset)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario =
        load_machine(folder, machines[_i], "pattern = random\noperation = atomic");
    g_autoptr(Configuration) configuration = small_machine(first_configuration(scenario));
    g_autoptr(GPtrArray) values = resolve_values(configuration, NULL);
    guint doublings = 0;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_autofree char *name = g_strdup_printf("%s.%s", value->group, value->key);
        if (!value->param || !value->param->doubling || !perfect_has_use(name, values)) continue;
        check_double(configuration, value, machines[_i]);
        doublings++;
    }
    ck_assert_uint_ge(doublings, 100);
    temporary_remove(folder);
}
END_TEST

/* A parameter that relieves nothing would never be tried. */
START_TEST(every_doubling_relieves_a_component)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++) {
            bool relieves = false;
            for (const PerfectComponent *c = perfect_components(); c->name; c++)
                relieves |= perfect_is_relieved(c, (*group)->name, param);
            ck_assert_msg(relieves || !param->doubling, "%s.%s", (*group)->name, param->name);
        }
}
END_TEST

START_TEST(what_a_row_relieves_is_there)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++) {
            g_auto(GStrv) names = g_strsplit(param->relieves ? param->relieves : "", " ", -1);
            for (char **name = names; *name; name++)
                ck_assert_msg(perfect_find(*name), "%s.%s: %s", (*group)->name, param->name, *name);
        }
}
END_TEST

/* "GROUP.KEY" of the machine. */
static bool is_relieved(const char *component, const char *name)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param && param->name; param++) {
            g_autofree char *own = g_strdup_printf("%s.%s", (*group)->name, param->name);
            if (!strcmp(own, name))
                return perfect_is_relieved(perfect_find(component), (*group)->name, param);
        }
    ck_abort_msg("no %s", name);
}

START_TEST(a_component_is_relieved_by_its_own_parts)
{
    ck_assert(is_relieved("pending_request_table", "l1.prt_entries")); /* a role */
    ck_assert(is_relieved("translation", "mmu.lookups_per_cycle"));    /* a capacity */
    ck_assert(is_relieved("translation", "mmu.walk_level_latency"));   /* the group */
    ck_assert(is_relieved("translation", "l1.tlb_entries"));           /* the row says so */
    ck_assert(is_relieved("dram_timing", "machine.dram_clock"));
    ck_assert(!is_relieved("l1_latency", "l1.tlb_entries"));
    ck_assert(!is_relieved("l1_latency", "l1.prt_entries"));
    ck_assert(!is_relieved("translation", "l1.prt_entries"));
    ck_assert(!is_relieved("dram", "channels.l1_to_mmu"));
    ck_assert(!is_relieved("request_network", "network.reply_source_bandwidth"));
}
END_TEST

START_TEST(a_component_may_include_others)
{
    ck_assert(perfect_includes(perfect_find("dram"), perfect_find("dram_timing")));
    ck_assert(perfect_includes(perfect_find("network"), perfect_find("reply_network")));
    ck_assert(!perfect_includes(perfect_find("dram_timing"), perfect_find("dram")));
    ck_assert(!perfect_includes(perfect_find("dram_timing"), perfect_find("dram_bandwidth")));
    ck_assert(!perfect_includes(perfect_find("network"), perfect_find("l2_latency")));
}
END_TEST

/* How many settings make each perfect: a row that loses its role is missed here. */
static const struct {
    const char *component;
    guint settings;
} sizes[] = {
    {"issue", 22},
    {"arithmetic_latency", 10},
    {"occupancy", 6},
    {"cta_launch", 5},
    {"bank_conflicts", 1},
    {"pending_request_table", 5},
    {"store_buffers", 2},
    {"l1_latency", 11},
    {"l1_bandwidth", 13},
    {"l1_capacity", 2},
    {"translation", 1},
    {"texture_cache", 1},
    {"texture_latency", 9},
    {"texture_bandwidth", 12},
    {"fragment_fifo", 7},
    {"request_network", 8},
    {"reply_network", 7},
    {"network", 19},
    {"l2_halves", 6},
    {"l2_capacity", 1},
    {"l2_bandwidth", 5},
    {"l2_latency", 3},
    {"l2_pending", 8},
    {"sm_atomics", 6},
    {"rop_atomics", 16},
    {"scheduler_queue", 9},
    {"dram_timing", 1},
    {"dram_latency", 10},
    {"dram_bandwidth", 3},
    {"dram", 12},
    {"paging", 1},
    {"register_file", 2},
    {"shared_l1", 3},
    {"shared_l1_capacity", 1},
    {"memory_cache_bandwidth", 4},
    {"memory_cache_pending", 2},
};

START_TEST(each_component_has_the_settings_that_rows_give_it)
{
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const PerfectComponent *c = perfect_find(sizes[i].component);
        ck_assert_msg(c && c->settings->len == sizes[i].settings, "%s: %u", sizes[i].component,
                      c ? c->settings->len : 0);
    }
}
END_TEST

/* What each piece of work takes is 0 or any part of a cycle where they are perfect, or they are
 * ideal by another parameter; of one word there is nothing to do at once. */
static const char others[] =
    " sm.warp_launches sm.register_waits load_store.same_address l1.arbiter l1.array_write "
    "l1.conflicts request_coalescer.paths request_coalescer.data_array half_link.link "
    "rop.word_turns mmu.tlb_ports pager.handler pager.link_in pager.link_out crossbar.passing "
    "crossbar.taking dram_channel.command_buses dram_channel.activate_gap "
    "dram_channel.activates_of_4 dram_channel.activates_of_32 dram_channel.refresh "
    "dram_channel.row_cycles dram_channel.bank_groups dram_channel.data_bus ";

static bool has_width(const UnitClass *class, const char *key)
{
    const Param *param = class->params;
    while (param->name && strcmp(param->name, key) != 0) param++;
    return param->name && param->type == PARAM_COUNT && param->perfect;
}

static bool is_as_wide_as_wanted(const UnitClass *class, const ResourceRow *row)
{
    const Param *capacity = class_find_capacity(class, row);
    g_auto(GStrv) keys = g_strsplit(row->rests_on ? row->rests_on : "", " ", -1);
    bool wide = capacity && has_width(class, capacity->name);
    for (char **key = keys; *key; key++) wide |= has_width(class, *key);
    return wide;
}

START_TEST(a_perfect_server_does_several_things_at_a_time)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const ResourceRow *row = (*class)->resources; row && row->name; row++) {
            g_autofree char *name = g_strdup_printf(" %s.%s ", (*class)->name, row->name);
            if (!resource_is_server(row) || row->links || strstr(others, name)) continue;
            ck_assert_msg(is_as_wide_as_wanted(*class, row), "%s", name);
        }
}
END_TEST

/* --- what a role says ------------------------------------------------------------------------- */

static const Param *find_param(const char *group, const char *key)
{
    for (const ParamGroup *const *g = machine_groups(); *g; g++)
        for (const Param *p = (*g)->params; p && p->name; p++)
            if (!strcmp((*g)->name, group) && !strcmp(p->name, key)) return p;
    return NULL;
}

static void check_value(const Param *param, const char *text)
{
    union {
        uint64_t quantity;
        double ratio;
    } object;
    g_autoptr(GError) error = NULL;
    Param row = *param;
    row.offset = 0;
    ck_assert_msg(param->type == PARAM_TEXT || param_parse(&row, text, &object, &error), "%s: %s",
                  param->name, error ? error->message : "");
}

/* Of "KEY = VALUE", where KEY may have a group of its own. */
static void check_condition(const char *group, const char *condition)
{
    if (!condition) return;
    g_auto(GStrv) words = g_strsplit(condition, " ", 3);
    g_auto(GStrv) names = g_strsplit(words[0], ".", 2);
    ck_assert_msg(!strcmp(words[1], "=") || !strcmp(words[1], "!="), "%s", condition);
    const Param *param = names[1] ? find_param(names[0], names[1]) : find_param(group, names[0]);
    ck_assert_msg(param != NULL, "[%s]: %s", group, condition);
    check_value(param, words[2]);
}

START_TEST(a_role_says_what_its_row_takes_and_parameters_that_there_are)
{
    for (const ParamGroup *const *g = machine_groups(); *g; g++)
        for (const Param *p = (*g)->params; p && p->name; p++)
            for (const PerfectRole *role = p->perfect; role && role->component; role++) {
                const char *value = role->value ? role->value : p->default_text;
                check_value(p, g_str_has_prefix(value, ">= ") ? value + 3 : value);
                check_condition((*g)->name, role->only_if);
                check_condition((*g)->name, role->needs);
            }
}
END_TEST

/* In the order of meson.build's list; a program or a trace may have anything. */
static const struct {
    const char *pattern;
    unsigned uses;
} uses[] = {
    {"pointer_chase", 0},
    {"stream", 0},
    {"strided", USE_ATOMICS},
    {"random", USE_ATOMICS},
    {"offered_load", 0},
    {"texture_chase", USE_TEXTURES},
    {"texture_random", USE_TEXTURES},
    {"texture_lookup", USE_TEXTURES},
    {"blit", USE_TEXTURES},
    {"convolution", USE_TEXTURES},
    {"raster", USE_TEXTURES | USE_ATOMICS},
    {"program", USE_TEXTURES | USE_ATOMICS},
    {"trace", USE_TEXTURES | USE_ATOMICS},
    {"network_traffic", 0},
    {"memory_traffic", 0},
    {"memory_list", 0},
};

START_TEST(a_pattern_says_what_its_kernels_may_use)
{
    const WorkloadClass *const *class = workload_classes();
    for (guint i = 0; i < G_N_ELEMENTS(uses); i++, class ++) {
        ck_assert_pstr_eq((*class)->name, uses[i].pattern);
        ck_assert_msg((*class)->uses == uses[i].uses, "%s", uses[i].pattern);
    }
    ck_assert_ptr_null(*class);
}
END_TEST

/* --- a new unit ------------------------------------------------------------------------------- */

typedef struct {
    uint64_t width, latency, entries;
} Gate;

static const Param gate_params[] = {
    PARAM_NUMBER(Gate, width, PARAM_COUNT, "1", 1, 8, "lanes",
                 .perfect = PERFECT(IN("gate", ">= 8", .needs = "entries != 0"))),
    PARAM_NUMBER(Gate, latency, PARAM_CYCLES, "4 cycles", 1, 9, "from request to scheduler",
                 .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("gate", "1 cycle"))),
    PARAM_NUMBER(
        Gate, entries, PARAM_COUNT, "4", 0, 9, "requests that wait",
        .perfect = PERFECT(IN("gate", NULL, .only_if = "machine.sms = 1", .serves = USE_ATOMICS))),
    PARAM_END};

/* Of a class that no table here knows. */
START_TEST(a_new_unit_has_its_component_in_the_words_of_its_rows)
{
    const ParamGroup gate = {
        .name = "gate", .summary = "between L2 and DRAM", .params = gate_params};
    const ParamGroup *const groups[] = {&gate, NULL};
    g_autoptr(GArray) components = perfect_gather(groups);
    ck_assert_uint_eq(components->len, 2);
    const PerfectComponent *known = &g_array_index(components, PerfectComponent, 0);
    ck_assert_str_eq(known->name, "dram_latency");
    ck_assert_str_eq(known->summary, perfect_find("dram_latency")->summary);
    ck_assert_uint_eq(known->settings->len, 1);
    const PerfectComponent *own = &g_array_index(components, PerfectComponent, 1);
    ck_assert_str_eq(own->name, "gate");
    ck_assert_str_eq(own->summary, "gate.width >= 8, gate.latency = 1 cycle, -gate.entries");
    ck_assert_str_eq(own->needs, "gate.entries != 0");
    ck_assert_uint_eq(own->serves, USE_ATOMICS);
    ck_assert_str_eq(g_array_index(own->settings, PerfectSetting, 2).only_if, "machine.sms = 1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *cases = tcase_create("rows");
    tcase_add_loop_test(cases, every_doubling_is_a_machine_of_every_preset, 0,
                        G_N_ELEMENTS(machines));
    tcase_add_test(cases, every_doubling_relieves_a_component);
    tcase_add_test(cases, what_a_row_relieves_is_there);
    tcase_add_test(cases, a_component_is_relieved_by_its_own_parts);
    tcase_add_test(cases, a_component_may_include_others);
    tcase_add_test(cases, each_component_has_the_settings_that_rows_give_it);
    tcase_add_test(cases, a_perfect_server_does_several_things_at_a_time);
    tcase_add_test(cases, a_role_says_what_its_row_takes_and_parameters_that_there_are);
    tcase_add_test(cases, a_pattern_says_what_its_kernels_may_use);
    tcase_add_test(cases, a_new_unit_has_its_component_in_the_words_of_its_rows);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
