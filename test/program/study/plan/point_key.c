/* Keys of a study's points: the same for the same run, others for others. */
#include "rigs/harness.h"

#include "program/study/plan_rig.h"
#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/plan/point_key.h"

/* --- the same run --- */

static const char one_point[] = "l1.prt_entries = 256\n";

START_TEST(the_same_resolved_point_has_the_same_key)
{
    static const struct {
        const char *study, *sets;
    } same[] = {
        {"l1.prt_entries = 256\n", NULL},
        {"# a comment\ndesign = zip\n\nl1.prt_entries = 256\n", NULL},
        {"l1.prt_entries = 8\n", "study.l1.prt_entries=256"},
        {"replications = 1\n", "l1.prt_entries=256"},
        {"l2_slice.capacity = 96 KiB\n", "l1.prt_entries=256"},
        {"l2_slice.capacity = 0.09375 MiB\nl1.prt_entries = 256\n", NULL},
        {"l1.prt_entries = 256\n", "simulation.seed=1"},
        {"l1.prt_entries = 256\n", "simulation.quantum=10 ns"},
        {"l1.prt_entries = 256\n", "simulation.deployment=unit"},
        {"l1.prt_entries = 256\nvariant = prt-8\n", NULL},
    };
    g_auto(Planned) first = plan_study(one_point);
    for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
        g_auto(Planned) other = plan_text(study_scenario, same[i].study, same[i].sets);
        ck_assert_msg(!strcmp(point_key_of(&first, 0), point_key_of(&other, 0)), "%s, --set %s",
                      same[i].study, same[i].sets);
    }
}
END_TEST

START_TEST(what_changes_a_run_changes_its_key)
{
    static const char *const sets[] = {
        "study.l1.prt_entries=128",
        "simulation.seed=2",
        "l1.hit_latency=31 cycles",
        "l2_slice.capacity=192 KiB",
        "machine.sms=3",
        "dram.CL=13 cycles",
        "network.request_source_bandwidth=64 B/cycle",
        "channels.issue=3 cycles",
        "address_map.hash=none",
        "pages.seed=1",
        "workload.array_bytes=64 KiB",
        "workload.launches=2",
        "scenario.extends=a100",
        "dram.part=hbm3_6400",
        "study.variant=half",
    };
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(Planned) first = plan_study(one_point);
    g_hash_table_add(seen, g_strdup(point_key_of(&first, 0)));
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
        g_auto(Planned) other = plan_text(study_scenario, one_point, sets[i]);
        ck_assert_msg(g_hash_table_add(seen, g_strdup(point_key_of(&other, 0))),
                      "--set %s changes no key", sets[i]);
    }
}
END_TEST

/* --- the hash itself --- */

static GPtrArray *two_values(const char *first, const char *second)
{
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    ResolvedValue *ways = g_new0(ResolvedValue, 1), *sets = g_new0(ResolvedValue, 1);
    *ways = (ResolvedValue){.group = (char *)"l1", .key = (char *)"ways", .value = (char *)first};
    *sets = (ResolvedValue){.group = (char *)"l2", .key = (char *)"sets", .value = (char *)second};
    g_ptr_array_add(values, ways);
    g_ptr_array_add(values, sets);
    return values;
}

static const char *const nothing[] = {NULL};

static char *key_of(const char *program, const GPtrArray *values)
{
    g_autoptr(PointKey) key = point_key_new(program, values, nothing);
    char *text = g_malloc0(KEY_LENGTH + 1);
    point_key_compute(key, nothing, 1, text);
    return text;
}

START_TEST(a_key_depends_on_the_program_and_not_on_the_order_of_groups)
{
    g_autoptr(GPtrArray) values = two_values("4", "64"), swapped = two_values("4", "64"),
                         other = two_values("64", "4");
    gpointer first = swapped->pdata[0];
    swapped->pdata[0] = swapped->pdata[1];
    swapped->pdata[1] = first;
    g_autofree char *key = key_of("warpmem 0.1.0", values),
                    *again = key_of("warpmem 0.1.0", swapped),
                    *newer = key_of("warpmem 0.2.0", values),
                    *exchanged = key_of("warpmem 0.1.0", other);
    ck_assert_uint_eq(strlen(key), KEY_LENGTH);
    ck_assert_uint_eq(strspn(key, "0123456789abcdef"), KEY_LENGTH);
    ck_assert_str_eq(key, again);
    ck_assert_str_ne(key, newer);
    ck_assert_str_ne(key, exchanged);
}
END_TEST

START_TEST(names_and_values_do_not_run_into_each_other)
{
    g_autoptr(GPtrArray) values = two_values("4", "64"), shifted = two_values("s4", "64");
    ((ResolvedValue *)shifted->pdata[0])->key = (char *)"way";
    g_autofree char *key = key_of("p", values), *other = key_of("p", shifted);
    ck_assert_str_ne(key, other);
}
END_TEST

START_TEST(a_value_that_a_point_changes_counts_like_one_that_stands_there)
{
    static const char *const names[] = {"l2.sets", NULL};
    static const char *const sixty_four[] = {"64", NULL}, *const four[] = {"4", NULL};
    g_autoptr(GPtrArray) values = two_values("4", "16"), fixed = two_values("4", "64");
    g_autoptr(PointKey) key = point_key_new("p", values, names);
    g_autofree char *wanted = key_of("p", fixed);
    char text[KEY_LENGTH + 1], other[KEY_LENGTH + 1], seeded[KEY_LENGTH + 1];
    point_key_compute(key, sixty_four, 1, text);
    point_key_compute(key, four, 1, other);
    point_key_compute(key, sixty_four, 2, seeded);
    ck_assert_str_eq(text, wanted);
    ck_assert_str_ne(other, wanted);
    ck_assert_str_ne(seeded, wanted);
}
END_TEST

/* --- files --- */

static char *copy_file(const char *source, const char *folder, const char *name)
{
    g_autofree char *from = g_build_filename(g_getenv("WARPMEM_ROOT"), source, NULL);
    g_autofree char *text = NULL;
    ck_assert_msg(g_file_get_contents(from, &text, NULL, NULL), "no %s", from);
    return temporary_file(folder, name, text);
}

static void append_to(const char *path, const char *more)
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_autofree char *longer = g_strconcat(text, more, NULL);
    ck_assert(g_file_set_contents(path, longer, -1, NULL));
}

static Manifest *plan_file(const char *path)
{
    g_autoptr(GError) error = NULL;
    Manifest *manifest = plan_new(path, NULL, NULL, &error);
    ck_assert_msg(manifest != NULL, "%s", error ? error->message : "");
    return manifest;
}

static const BaseFile *file_of(const Manifest *manifest, guint index)
{
    const Base *base = manifest->bases->pdata[0];
    ck_assert_uint_lt(index, base->files->len);
    return base->files->pdata[index];
}

START_TEST(all_files_of_a_trace_count_with_their_content)
{
    char *folder = temporary_folder();
    g_autofree char *list =
        copy_file("workloads/traces/vectoradd/kernelslist.g", folder, "kernelslist.g");
    g_autofree char *kernel =
        copy_file("workloads/traces/vectoradd/kernel-1.traceg", folder, "kernel-1.traceg");
    g_autofree char *file = temporary_file(
        folder, "x.ini",
        "[scenario]\nextends = v100\n[machine]\nsms = 2\n[workload]\npattern = trace\n"
        "file = kernelslist.g\n[study]\nl1.prt_entries = 8\n");
    g_autoptr(Manifest) before = plan_file(file), again = plan_file(file);
    ck_assert_str_eq(file_of(before, 0)->path, list);
    ck_assert_str_eq(file_of(before, 1)->path, kernel);
    ck_assert_str_eq(point_of(before, 0)->key, point_of(again, 0)->key);
    expect_value(before, 0, "workload.file", list);
    append_to(kernel, "\n");
    g_autoptr(Manifest) after = plan_file(file);
    ck_assert_str_ne(file_of(before, 1)->sha256, file_of(after, 1)->sha256);
    ck_assert_str_eq(file_of(before, 0)->sha256, file_of(after, 0)->sha256);
    ck_assert_str_ne(point_of(before, 0)->key, point_of(after, 0)->key);
    temporary_remove(folder);
}
END_TEST

/* --set of the scenario's own platform, once from where it is and once from a copy. */
START_TEST(a_platform_file_counts_with_its_content_and_not_with_its_name)
{
    char *folder = temporary_folder();
    g_autofree char *copy = copy_file("scenarios/network/flow-tree.xml", folder, "mine.xml");
    g_autofree char *original =
        g_build_filename(g_getenv("WARPMEM_ROOT"), "scenarios/network/flow-tree.xml", NULL);
    g_autofree char *scenario =
        g_build_filename(g_getenv("WARPMEM_ROOT"), "scenarios/network/flow.ini", NULL);
    g_autofree char *text = g_strdup_printf(
        "[scenario]\nextends = %s\n[study]\nvariant = tree\nnetwork.platform = %s, mine.xml\n",
        scenario, original);
    g_autofree char *file = temporary_file(folder, "x.ini", text);
    g_autoptr(Manifest) before = plan_file(file);
    ck_assert_str_eq(file_of(before, 0)->path, original);
    ck_assert_str_eq(point_of(before, 0)->key, point_of(before, 1)->key);
    ck_assert_uint_eq(before->bases->len, 2);
    expect_value(before, 1, "network.platform", copy);
    append_to(copy, "<!-- another -->\n");
    g_autoptr(Manifest) after = plan_file(file);
    ck_assert_str_eq(point_of(after, 0)->key, point_of(before, 0)->key);
    ck_assert_str_ne(point_of(after, 1)->key, point_of(before, 0)->key);
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("point_key", the_same_resolved_point_has_the_same_key,
             what_changes_a_run_changes_its_key,
             a_key_depends_on_the_program_and_not_on_the_order_of_groups,
             names_and_values_do_not_run_into_each_other,
             a_value_that_a_point_changes_counts_like_one_that_stands_there,
             all_files_of_a_trace_count_with_their_content,
             a_platform_file_counts_with_its_content_and_not_with_its_name)
