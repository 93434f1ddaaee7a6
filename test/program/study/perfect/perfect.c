/* Perfect components: what the settings mean to every preset, what the points of a study are, and
 * the bounds that are known. */
#include <math.h>

#include "program/study/perfect/machines.h"
#include "rigs/harness.h"
#include "scenarios/program/study/perfect/bounds.h"
#include "scenarios/program/study/table/database.h"

START_TEST(every_perfect_component_is_a_machine_of_every_preset)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load_machine(
        folder, machines[_i],
        "sequence = a, b\n[kernel a]\npattern = random\noperation = atomic\n[kernel b]\n"
        "pattern = texture_random");
    guint perfect = 0;
    for (const PerfectComponent *c = perfect_components(); c->name; c++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *why = NULL;
        g_autoptr(Configuration) configuration =
            perfect_apply(c, first_configuration(scenario), &why, &error);
        ck_assert_msg(!error, "%s: %s", c->name, error ? error->message : "");
        ck_assert(!configuration == (why != NULL));
        if (!configuration) continue;
        const Variant variant = {(char *)c->name, configuration};
        ck_assert_msg(variant_check(&variant, &error), "%s, %s: %s", machines[_i], c->name,
                      error ? error->message : "");
        perfect++;
    }
    ck_assert_uint_ge(perfect, 20);
    temporary_remove(folder);
}
END_TEST

/* --- settings --------------------------------------------------------------------------------- */

/* Of a setting of the component on a machine; NULL: it is left out, with `reason`. */
static char *value_with(const char *machine, const char *component, const char *name, char **reason)
{
    char *folder = temporary_folder();
    g_autoptr(Scenario) scenario = load_machine(folder, machine, "pattern = stream");
    g_autoptr(Configuration) perfect =
        perfect_apply(perfect_find(component), first_configuration(scenario), reason, NULL);
    g_auto(GStrv) words = g_strsplit(name, ".", 2);
    const Setting *setting = perfect ? configuration_find(perfect, words[0], words[1]) : NULL;
    char *value = setting ? g_strdup(setting->value) : NULL;
    temporary_remove(folder);
    return value;
}

static const struct {
    const char *machine, *component, *name;
    const char *value;  /* NULL: it is not there */
    const char *reason; /* NULL: the component is in the study */
} settings[] = {
    {"extends = v100", "dram_timing", "dram.ideal", "timing", NULL},
    {"extends = v100", "pending_request_table", "l1.prt_entries", "16384", NULL},
    {"[l1]\nprt_entries = 20000", "pending_request_table", "l1.prt_entries", "20000", NULL},
    /* a unified array, or an L1 of its own */
    {"extends = v100", "l1_capacity", "first_level.array", "4 MiB", NULL},
    {"extends = v100", "l1_capacity", "l1.capacity", NULL, NULL},
    {"extends = k80", "l1_capacity", "first_level.array", "4 MiB", NULL},
    {"[l1]\ncapacity = 64 KiB", "l1_capacity", "l1.capacity", "4 MiB", NULL},
    {"[l1]\ncapacity = 64 KiB", "l1_capacity", "first_level.array", NULL, NULL},
    {"[l1]\ncapacity = 4 MiB", "l1_capacity", "l1.capacity", NULL, "it is so already"},
    /* SimGrid's solver has no part in an ideal network */
    {"[network]\ntiming = flow\nplatform = t.xml", "network", "network.platform", NULL, NULL},
    {"[network]\ntiming = flow\nplatform = t.xml", "network", "network.timing", "packet", NULL},
    {"[network]\ntiming = flow", "reply_network", "network.ideal", NULL,
     "it needs network.timing = packet"},
    {"extends = v100", "network", "network.link_latency", NULL, NULL},
    {"[network]\ntopology = ring\nlink_latency = 5 cycles", "network", "network.link_latency",
     "1 cycle", NULL},
    /* nothing to do */
    {"[mmu]\nenabled = yes", "translation", "mmu.enabled", "no", NULL},
    {"[mmu]\nenabled = no", "translation", "mmu.enabled", NULL, "it needs mmu.enabled = yes"},
    {"[l1]\nideal_banks = yes", "bank_conflicts", "l1.ideal_banks", NULL, "it is so already"},
    {"extends = v100\n[dram]\nideal = bandwidth", "dram_timing", "dram.ideal", NULL,
     "it is so already"},
    {"extends = v100\n[network]\nideal = replies", "request_network", "network.ideal", "both",
     NULL},
    {"extends = v100\n[network]\nideal = requests", "reply_network", "network.ideal", "both", NULL},
    {"extends = v100\n[network]\nideal = both", "request_network", "network.ideal", "both", NULL},
    {"extends = v100\n[network]\nideal = both", "reply_network", "network.ideal", "both", NULL},
    {"extends = k80", "l1_bandwidth", "l1.replay_latency", "1 cycle", NULL},
    {"extends = v100", "fragment_fifo", "texture.fragment_fifo", NULL, "no textures are used"},
    {"extends = v100", "rop_atomics", "rop.lanes", NULL, "no atomics are used"},
    {"extends = v100", "sm_atomics", "load_store.atomic_interval", NULL, "no atomics are used"},
    {"extends = v100", "texture_latency", "texture.load_latency", NULL, "no textures are used"},
    {"extends = v100", "texture_bandwidth", "texture.quads", NULL, "no textures are used"},
    {"[load_store]\nthrough_texture = everything\n[texture]\ncache = own", "texture_latency",
     "texture.load_latency", "1 cycle", NULL},
    {"[load_store]\nthrough_texture = everything\n[texture]\ncache = own", "texture_cache",
     "texture.capacity", "1 MiB", NULL},
    {"extends = v100\n[load_store]\nthrough_texture = read_only", "texture_cache",
     "texture.capacity", NULL, "it needs texture.cache = own"},
    {"extends = v100", "l2_halves", "l2_slice.cross_entries", NULL,
     "it needs machine.l2_halves != 1"},
    {"extends = v100\n[machine]\nl2_halves = 4", "l2_halves", "half_link.bandwidth",
     "1048576 B/cycle", NULL},
    {"[sm]\nint_units = 0", "issue", "sm.int_units", "0", NULL},
    {"[sm]\nint_units = 0", "issue", "sm.int_lanes", "64", NULL},
};

START_TEST(a_component_changes_what_the_machine_has_and_what_is_not_perfect)
{
    g_autofree char *reason = NULL;
    g_autofree char *value =
        value_with(settings[_i].machine, settings[_i].component, settings[_i].name, &reason);
    ck_assert_pstr_eq(reason, settings[_i].reason);
    ck_assert_pstr_eq(value, settings[_i].value);
}
END_TEST

/* --- bounds ----------------------------------------------------------------------------------- */

static void add_point(Manifest *manifest, sqlite3 *database, const char *perfect, double time,
                      const char *status)
{
    Point *point = manifest_add_point(manifest);
    const guint number = manifest->points->len - 1;
    const char *values[] = {perfect, NULL};
    point->values = g_strdupv((char **)(uintptr_t)values);
    g_autofree char *row = g_strdup_printf("INSERT INTO points VALUES (%u, '%s', 'of 3 s');"
                                           "INSERT INTO parameters VALUES (%u, 'perfect', '%s')",
                                           number, status, number, perfect);
    ck_assert_int_eq(sqlite3_exec(database, row, NULL, NULL, NULL), SQLITE_OK);
    if (strcmp(status, "done") != 0) return;
    g_autofree char *result =
        g_strdup_printf("INSERT INTO results VALUES (%u, %f, NULL, %f)", number, time, 1000 / time);
    ck_assert_int_eq(sqlite3_exec(database, result, NULL, NULL, NULL), SQLITE_OK);
}

/* Without points. */
static Manifest *new_study(sqlite3 **database)
{
    Manifest *manifest = manifest_new();
    ck_assert_int_eq(sqlite3_open(":memory:", database), SQLITE_OK);
    const char *tables = "CREATE TABLE points(point, status, message);"
                         "CREATE TABLE parameters(point, name, value);"
                         "CREATE TABLE results(point, time_ns, load_latency_mean, requested_gbps)";
    ck_assert_int_eq(sqlite3_exec(*database, tables, NULL, NULL, NULL), SQLITE_OK);
    manifest_add_dimension(manifest)->name = g_strdup("perfect");
    manifest_add_base(manifest);
    return manifest;
}

static const ResultColumn *column_called(const char *name)
{
    return &result_columns()[result_column_find(name)];
}

/* The baseline twice: 120 and 80 ns, on average 100. */
static GPtrArray *known_bounds(const char *on, GError **error)
{
    g_autoptr(sqlite3) database = NULL;
    g_autoptr(Manifest) manifest = new_study(&database);
    add_point(manifest, database, "baseline", 120, "done");
    add_point(manifest, database, "baseline", 80, "done");
    add_point(manifest, database, "l2_pending", 100.05, "done");
    add_point(manifest, database, "network", 125, "done");
    add_point(manifest, database, "dram", 40, "done");
    add_point(manifest, database, "dram", 60, "done");
    add_point(manifest, database, "issue", 0, "timeout");
    add_point(manifest, database, "l2_latency", 80, "done");
    return perfect_bounds(manifest, database, column_called(on), error);
}

static const struct {
    const char *component;
    double value, factor, share;
    bool negligible;
} known[] = {{"dram", 50, 2, 0.5, false},
             {"l2_latency", 80, 1.25, 0.2, false},
             {"l2_pending", 100.05, 0.9995, -0.0005, true},
             {"network", 125, 0.8, -0.25, false}};

START_TEST(bounds_are_means_of_replications_the_strongest_first)
{
    g_autoptr(GPtrArray) groups = known_bounds("time_ns", NULL);
    ck_assert_uint_eq(groups->len, 1);
    const BoundGroup *group = groups->pdata[0];
    ck_assert_double_eq(group->baseline.value, 100);
    ck_assert_uint_eq(group->bounds->len, 5);
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        const Bound *bound = group->bounds->pdata[i];
        ck_assert_str_eq(bound->component, known[i].component);
        ck_assert_double_eq_tol(bound->value, known[i].value, 1e-9);
        ck_assert_double_eq_tol(bound->speedup, known[i].factor, 1e-6);
        ck_assert_double_eq_tol(bound->share, known[i].share, 1e-6);
        ck_assert(bound_is_negligible(bound) == known[i].negligible);
        ck_assert(isnan(bound->others[BOUND_LATENCY]));
    }
    const Bound *failed = group->bounds->pdata[4];
    ck_assert_str_eq(failed->component, "issue");
    ck_assert_str_eq(failed->problem, "timeout: of 3 s");
    ck_assert(isnan(failed->speedup));
}
END_TEST

/* Of a bandwidth more is better: (1000 / 40 + 1000 / 60) / 2 over (1000 / 120 + 1000 / 80) / 2. */
START_TEST(a_result_of_which_more_is_better_gains)
{
    g_autoptr(GPtrArray) groups = known_bounds("requested_gbps", NULL);
    const Bound *first = ((const BoundGroup *)groups->pdata[0])->bounds->pdata[0];
    ck_assert_str_eq(first->component, "dram");
    ck_assert_double_eq_tol(first->speedup, 2, 1e-6);
    ck_assert_double_eq_tol(first->share, 1, 1e-6);
}
END_TEST

/* 1000 / 1e12 GB/s are 0 to six decimals. */
START_TEST(what_the_baseline_has_none_of_has_no_shares)
{
    g_autoptr(sqlite3) database = NULL;
    g_autoptr(Manifest) manifest = new_study(&database);
    add_point(manifest, database, "baseline", 1e12, "done");
    add_point(manifest, database, "dram", 50, "done");
    g_autoptr(GPtrArray) groups =
        perfect_bounds(manifest, database, column_called("requested_gbps"), NULL);
    const BoundGroup *group = groups->pdata[0];
    const Bound *bound = group->bounds->pdata[0];
    ck_assert_double_eq(group->baseline.value, 0);
    ck_assert_double_eq(bound->value, 20);
    ck_assert(isnan(bound->speedup) && isnan(bound->share));
}
END_TEST

START_TEST(a_result_that_is_neither_better_nor_worse_has_no_bound)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(known_bounds("transactions", &error));
    ck_assert_ptr_nonnull(strstr(error->message, "transactions: more of it is neither better"));
}
END_TEST

/* --- studies ---------------------------------------------------------------------------------- */

/* Runs the program; what it prints, newly allocated. */
static char *program(int expected, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *rest = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = g_strdup_printf("%s %s", g_getenv("WARPMEM_PROGRAM"), rest);
    char *out = NULL, *errors = NULL;
    int status = 0;
    ck_assert(g_spawn_command_line_sync(line, &out, &errors, &status, NULL));
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == expected, "%s: %s", line, errors);
    char *text = g_strconcat(out, errors, NULL);
    g_free(out);
    g_free(errors);
    return text;
}

static const struct {
    const char *variant;
    const char *first[3];
    double share; /* of the first: at least */
} bounds[] = {{"stream", {"dram", "dram_bandwidth", NULL}, 0.3},
              {"chase", {"network", "request_network", "reply_network"}, 0.6},
              {"conflicts", {"bank_conflicts", NULL}, 0.9},
              {"few-misses", {"pending_request_table", "dram", NULL}, 0.85}};

/* CSV: perfect,time_ns,load_latency_mean,requested_gbps,factor,gain behind the variant. */
static void check_order(char **lines, const char *const *first, double least)
{
    ck_assert_ptr_nonnull(strstr(lines[0], "variant,perfect,time_ns,"));
    for (guint i = 0; i < 3 && first[i]; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[2 + i], ",", -1);
        ck_assert_str_eq(cells[1], first[i]);
        if (!i) ck_assert_double_ge(g_ascii_strtod(cells[6], NULL), least);
    }
}

START_TEST(what_bounds_a_run_comes_first)
{
    char *folder = temporary_folder();
    g_free(program(0, "study plan scenarios/studies/perfect.ini --set study.variant=%s -o %s/s",
                   bounds[_i].variant, folder));
    g_free(program(0, "study run %s/s -j 2", folder));
    g_autofree char *csv = program(0, "study perfect %s/s --csv", folder);
    g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);
    check_order(lines, bounds[_i].first, bounds[_i].share);
    g_autofree char *text = program(0, "study perfect %s/s", folder);
    g_autofree char *verdict = g_strdup_printf(": %s costs at most ", bounds[_i].first[0]);
    ck_assert_msg(strstr(text, verdict) != NULL, "no '%s' in %s", verdict, text);
    ck_assert_ptr_nonnull(strstr(text, "Less than 0.1 %: "));
    ck_assert_ptr_nonnull(strstr(text, "Left out, it needs machine.l2_halves != 1: l2_halves."));
    g_autofree char *json = program(0, "study perfect %s/s --on load_latency_p99 --json", folder);
    ck_assert_ptr_nonnull(strstr(json, "\"on\": \"load_latency_p99\""));
    g_autofree char *by =
        g_strdup_printf("\"by\": {\n        \"variant\": \"%s\"\n", bounds[_i].variant);
    ck_assert_msg(strstr(json, by) && strstr(json, "\"gain\": "), "%s", json);
    g_autofree char *dram = program(0, "study perfect %s/s --on dram_gbps", folder);
    const bool idle = _i == 1 || _i == 2; /* nothing goes to DRAM */
    ck_assert(idle == (strstr(dram, "Nothing to compare: issue, ") != NULL));
    temporary_remove(folder);
}
END_TEST

START_TEST(any_scenario_can_be_asked)
{
    g_autofree char *text =
        program(0, "study plan scenarios/quickstart.ini --design perfect --dry-run --json");
    ck_assert_ptr_nonnull(strstr(text, "\"design\": \"perfect\""));
    ck_assert_ptr_nonnull(strstr(text, "baseline, issue, "));
    ck_assert_ptr_nonnull(strstr(text, "\"skipped\": 14"));
    ck_assert_ptr_nonnull(strstr(text, "\"rejected\": 0"));
}
END_TEST

START_TEST(the_list_says_what_makes_a_component_perfect)
{
    g_autofree char *text = program(0, "study perfect --list");
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        ck_assert_msg(strstr(text, c->name) && strstr(text, c->summary), "%s", c->name);
    ck_assert_ptr_nonnull(strstr(text, "\n  dram.ideal = bandwidth\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n  l1.prt_entries >= 16384\n"));
    g_autofree char *csv = program(0, "study perfect --list --csv");
    ck_assert(g_str_has_prefix(csv, "perfect,summary,needs,parameter,value,only_if\r\n"));
    ck_assert_ptr_nonnull(strstr(csv, ",l1.prt_entries,>= 16384,\r\n"));
    g_autofree char *both = program(2, "study perfect /nowhere --csv --json");
    ck_assert_ptr_nonnull(strstr(both, "--json and --csv: choose one"));
    g_autofree char *none = program(2, "study perfect");
    ck_assert_ptr_nonnull(strstr(none, "DIR is missing"));
}
END_TEST

START_TEST(a_parameter_beside_the_components_is_refused)
{
    g_autofree char *text = program(2, "study plan scenarios/studies/perfect.ini --dry-run --set "
                                       "study.l1.prt_entries=4,8");
    ck_assert_ptr_nonnull(strstr(text, "beside design = perfect only variants"));
}
END_TEST

START_TEST(a_study_of_another_design_has_no_perfect_components)
{
    char *folder = temporary_folder();
    g_free(program(0, "study plan scenarios/studies/perfect.ini --design grid -o %s/s", folder));
    g_autofree char *text = program(2, "study perfect %s/s", folder);
    ck_assert_ptr_nonnull(strstr(text, "only design = perfect makes components perfect"));
    g_autofree char *near = program(2, "study perfect %s/s --on time_n", folder);
    ck_assert_ptr_nonnull(strstr(near, "--on time_n: no such result; did you mean 'time_ns'?"));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfect");
    TCase *table = tcase_create("table"), *studies = tcase_create("studies");
    tcase_add_loop_test(table, every_perfect_component_is_a_machine_of_every_preset, 0,
                        G_N_ELEMENTS(machines));
    tcase_add_loop_test(table, a_component_changes_what_the_machine_has_and_what_is_not_perfect, 0,
                        G_N_ELEMENTS(settings));
    tcase_add_test(table, bounds_are_means_of_replications_the_strongest_first);
    tcase_add_test(table, what_the_baseline_has_none_of_has_no_shares);
    tcase_add_test(table, a_result_of_which_more_is_better_gains);
    tcase_add_test(table, a_result_that_is_neither_better_nor_worse_has_no_bound);
    tcase_add_loop_test(studies, what_bounds_a_run_comes_first, 0, G_N_ELEMENTS(bounds));
    tcase_add_test(studies, any_scenario_can_be_asked);
    tcase_add_test(studies, the_list_says_what_makes_a_component_perfect);
    tcase_add_test(studies, a_parameter_beside_the_components_is_refused);
    tcase_add_test(studies, a_study_of_another_design_has_no_perfect_components);
    suite_add_tcase(suite, table);
    suite_add_tcase(suite, studies);
    return harness_run_suite(suite);
}
