/* The profile of shipped machines' results against the other members, and in every deployment. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

/* --- against the rest of the result ----------------------------------------------------------- */

#define SMALL                                                                                      \
    "[scenario]\ntitle = profile\nextends = v100\n"                                                \
    "[machine]\nsms = 3\npartitions = 3\nslices_per_partition = 1\npeak_bandwidth_gbps = 0\n"      \
    "[first_level]\narray = 0 B\n[l1]\ncapacity = 8 KiB\n[mmu]\nenabled = no\n"                    \
    "[l2_slice]\ncapacity = 16 KiB\n"

/* Local and shared memory, atomics with and without result, hints. From line 17 of the file on. */
#define PROGRAM                                                                                    \
    "[workload]\npattern = program\nctas = 6\nthreads_per_cta = 64\nlaunches = 2\n"                \
    "warm_up_launches = 1\ncode =\n  global c[1]\n  global a[4096]\n  local l[8]\n"                \
    "  shared s[64]\n  for i in 0..4 {\n  x = load.nc a[random(4096)]\n"                           \
    "  y = load.cg a[random(4096)]\n  z = int x, y\n  store l[i * 2], z\n"                         \
    "  store s[thread], z\n  barrier\n  w = load l[random(8)]\n  v = load s[63 - thread]\n"        \
    "  u = int w, v\n  store a[cta * 64 + thread], u\n  reduce a[random(4096)]\n"                  \
    "  if thread == 0 {\n  t = atomic c[0]\n  int t\n  }\n  barrier\n  }\n"

static const struct {
    const char *title, *scenario;
} runs[] = {
    {"a program", SMALL PROGRAM},
    {"a program through texture units", SMALL "[load_store]\nthrough_texture = everything\n"
                                              "[texture]\ncache = own\ncapacity = 4 KiB\n" PROGRAM},
    {"textures in L1", SMALL "[texture]\ncache = l1\n[workload]\npattern = texture_lookup\n"
                             "texture_width = 512\nctas = 8\niterations = 4\n"},
    {"textures in a cache of their own",
     SMALL "[texture]\ncache = own\ncapacity = 4 KiB\n[workload]\npattern = texture_lookup\n"
           "texture_width = 512\nctas = 8\niterations = 4\n"},
};

/* The text of its result. */
static char *run_text(const char *scenario, const char *settings)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "scenario.ini", scenario);
    g_autofree char *arguments = g_strdup_printf("%s %s", file, settings);
    run(folder, arguments);
    char *text = result_text(folder, "baseline");
    temporary_remove(folder);
    return text;
}

static JsonNode *run_scenario(guint number)
{
    g_autofree char *text = run_text(runs[number].scenario, "");
    JsonNode *result = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(result);
    return result;
}

static JsonObject *object_at(JsonNode *result, const char *path)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    JsonObject *object = json_node_get_object(result);
    for (char **name = names; *name; name++) {
        ck_assert_msg(json_object_has_member(object, *name), "no %s", path);
        object = json_object_get_object_member(object, *name);
    }
    return object;
}

static JsonArray *rows_of(JsonNode *result, const char *list)
{
    return json_object_get_array_member(object_at(result, "profile"), list);
}

static gint64 member(JsonObject *object, const char *name)
{
    return json_object_get_int_member_with_default(object, name, 0);
}

/* Of each member of `stages`, count and latency too: what the bands sum to. */
static void expect_bands(const char *class, JsonObject *stages, JsonObject *requests)
{
    g_autoptr(GList) names = json_object_get_members(stages);
    JsonArray *bands = requests ? json_object_get_array_member(requests, "bands") : NULL;
    for (const GList *name = names; name; name = name->next) {
        gint64 sum = 0;
        for (guint i = 0; bands && i < json_array_get_length(bands); i++) {
            JsonObject *band = json_array_get_object_element(bands, i);
            JsonObject *parts = json_object_get_object_member(band, "stages");
            sum += json_object_has_member(band, name->data) ? member(band, name->data)
                                                            : member(parts, name->data);
        }
        ck_assert_msg(sum == member(stages, name->data), "%s.%s", class, (char *)name->data);
    }
}

START_TEST(bands_sum_to_the_stages_of_the_result)
{
    g_autoptr(JsonNode) result = run_scenario((guint)_i);
    JsonObject *stages = object_at(result, "stages");
    JsonObject *requests = object_at(result, "profile.requests");
    g_autoptr(GList) classes = json_object_get_members(stages);
    guint filled = 0;
    for (const GList *class = classes; class; class = class->next) {
        JsonObject *profiled = json_object_has_member(requests, class->data)
                                   ? json_object_get_object_member(requests, class->data)
                                   : NULL;
        expect_bands(class->data, json_object_get_object_member(stages, class->data), profiled);
        filled += profiled != NULL;
    }
    ck_assert_uint_gt(filled, 1);
    ck_assert_uint_eq(filled, json_object_get_size(requests));
}
END_TEST

typedef struct {
    gint64 requests, latency, bytes, types, servers, stages;
} RowSum;

static void add_row(RowSum *sum, JsonObject *row)
{
    JsonObject *stages = json_object_get_object_member(row, "stages");
    g_autoptr(GList) names = json_object_get_members(stages);
    sum->requests += member(row, "requests");
    sum->latency += member(row, "latency");
    sum->bytes += member(row, "bytes");
    sum->types += member(row, "reads") + member(row, "writes") + member(row, "atomics");
    sum->servers +=
        member(row, "l1") + member(row, "prt") + member(row, "l2") + member(row, "dram");
    for (const GList *name = names; name; name = name->next)
        sum->stages += member(stages, name->data);
}

/* Without those of shared memory, which are in no array. */
static RowSum sum_rows(JsonNode *result, const char *list)
{
    RowSum sum = {0};
    JsonArray *rows = rows_of(result, list);
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const char *space = json_object_get_string_member_with_default(row, "space", "");
        if (strcmp(space, "shared") != 0) add_row(&sum, row);
    }
    return sum;
}

static RowSum sum_classes(JsonNode *result)
{
    RowSum sum = {0};
    JsonObject *classes = object_at(result, "profile.requests");
    g_autoptr(GList) names = json_object_get_members(classes);
    for (const GList *name = names; name; name = name->next) {
        JsonObject *class = json_object_get_object_member(classes, name->data);
        if (!strcmp(name->data, "shared")) continue;
        sum.requests += member(class, "count");
        sum.latency += member(class, "latency");
    }
    return sum;
}

START_TEST(instructions_and_arrays_sum_to_all_requests)
{
    g_autoptr(JsonNode) result = run_scenario((guint)_i);
    const RowSum instructions = sum_rows(result, "instructions");
    const RowSum arrays = sum_rows(result, "arrays"), classes = sum_classes(result);
    ck_assert_int_gt(instructions.bytes, 0);
    ck_assert(!memcmp(&instructions, &arrays, sizeof arrays));
    ck_assert_int_eq(instructions.requests, classes.requests);
    ck_assert_int_eq(instructions.latency, classes.latency);
    ck_assert_int_eq(instructions.types, classes.requests);
    ck_assert_int_eq(instructions.servers, classes.requests);
    ck_assert_int_eq(instructions.stages, classes.latency);
}
END_TEST

/* A lane's 4 bytes of 64 x 6 threads: 4 rounds of each of the instructions of the loop. */
START_TEST(a_program_s_instructions_have_the_lines_of_the_scenario)
{
    static const struct {
        gint64 line, bytes;
        const char *operation, *space;
    } cases[] = {
        {29, 6144, "load", "global"},  {30, 6144, "load", "global"},   {32, 6144, "store", "local"},
        {33, 6144, "store", "shared"}, {35, 6144, "load", "local"},    {36, 6144, "load", "shared"},
        {38, 6144, "store", "global"}, {39, 6144, "atomic", "global"}, {41, 96, "atomic", "global"},
    };
    g_autoptr(JsonNode) result = run_scenario(0);
    JsonArray *rows = rows_of(result, "instructions");
    guint found = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        if (i) {
            JsonObject *before = json_array_get_object_element(rows, i - 1);
            ck_assert_int_ge(member(before, "latency"), member(row, "latency"));
        }
        for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
            if (member(row, "source_line") != cases[k].line) continue;
            ck_assert_int_eq(member(row, "bytes"), cases[k].bytes);
            ck_assert_str_eq(json_object_get_string_member(row, "operation"), cases[k].operation);
            ck_assert_str_eq(json_object_get_string_member(row, "space"), cases[k].space);
            found++;
        }
    }
    ck_assert_uint_eq(found, G_N_ELEMENTS(cases));
    ck_assert_uint_eq(json_array_get_length(rows), found);
}
END_TEST

/* What lanes asked for is what the shader sees. */
START_TEST(texture_instructions_count_the_bytes_of_their_texels)
{
    g_autoptr(JsonNode) result = run_scenario((guint)_i);
    const RowSum instructions = sum_rows(result, "instructions");
    JsonObject *texture = object_at(result, "summary.texture");
    JsonArray *rows = rows_of(result, "instructions");
    gint64 bytes = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        if (!strcmp(json_object_get_string_member(row, "space"), "texture"))
            bytes += member(row, "bytes");
    }
    ck_assert_int_gt(instructions.bytes, 0);
    ck_assert_int_eq(bytes, member(texture, "bytes_texels"));
}
END_TEST

/* --- arrays, warm-up -------------------------------------------------------------------------- */

#define TRIAD                                                                                      \
    SMALL "[workload]\npattern = stream\noperation = triad\narray_bytes = 32 KiB\nlaunches = 3\n"  \
          "threads_per_cta = 64\nwarm_up_launches = 1\nbase = 1 MiB\n"

static JsonObject *first_of_timeline(JsonNode *result)
{
    JsonObject *object = json_node_get_object(result);
    return json_array_get_object_element(json_object_get_array_member(object, "timeline"), 0);
}

/* Two measured launches: each array's 256 lines twice. */
START_TEST(arrays_have_the_names_of_the_workload_and_no_warm_up)
{
    static const struct {
        const char *name, *address, *type;
    } arrays[] = {
        {"a", "0x100000", "writes"}, {"b", "0x300000", "reads"}, {"c", "0x500000", "reads"}};
    g_autofree char *text = run_text(TRIAD, "--set simulation.timeline=1");
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    JsonArray *rows = rows_of(result, "arrays");
    ck_assert_uint_eq(json_array_get_length(rows), G_N_ELEMENTS(arrays));
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        ck_assert_str_eq(json_object_get_string_member(row, "name"), arrays[i].name);
        ck_assert_str_eq(json_object_get_string_member(row, "address"), arrays[i].address);
        ck_assert_int_eq(member(row, "size"), 32 * 1024);
        ck_assert_int_eq(member(row, "requests"), 2 * 256);
        ck_assert_int_eq(member(row, arrays[i].type), 2 * 256);
        ck_assert_int_eq(member(row, "bytes"), 2 * 32 * 1024);
    }
    JsonArray *slowest = rows_of(result, "slowest");
    const gint64 start = member(first_of_timeline(result), "begin");
    for (guint i = 0; i < json_array_get_length(slowest); i++) {
        JsonObject *row = json_array_get_object_element(slowest, i);
        ck_assert_int_ge(member(row, "begin"), start);
        ck_assert_str_eq(json_object_get_string_member(row, "kernel"), "stream triad");
    }
}
END_TEST

/* --- settings of the run ---------------------------------------------------------------------- */

START_TEST(the_profile_is_the_same_in_every_deployment)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    g_autofree char *expected = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        g_autofree char *setting =
            g_strdup_printf("--set simulation.deployment=%s", deployments[i]);
        g_autofree char *text = run_text(runs[_i].scenario, setting);
        ck_assert_ptr_nonnull(strstr(text, "\"p999_fs\""));
        if (expected) ck_assert_str_eq(text, expected);
        if (!expected) expected = g_steal_pointer(&text);
    }
}
END_TEST

/* The profile is all that is missing. */
START_TEST(without_a_profile_everything_else_is_the_same)
{
    g_autofree char *with = run_text(runs[0].scenario, "");
    g_autofree char *without = run_text(runs[0].scenario, "--set simulation.profile=no");
    g_autoptr(JsonNode) full = json_from_string(with, NULL);
    g_autoptr(JsonNode) bare = json_from_string(without, NULL);
    ck_assert(json_object_has_member(json_node_get_object(full), "profile"));
    ck_assert(!json_object_has_member(json_node_get_object(bare), "profile"));
    json_object_remove_member(json_node_get_object(full), "profile");
    ck_assert(json_node_equal(full, bare));
}
END_TEST

int main(void)
{
    const int all = G_N_ELEMENTS(runs);
    TCase *cases = tcase_create("profile of results");
    tcase_add_loop_test(cases, bands_sum_to_the_stages_of_the_result, 0, all);
    tcase_add_loop_test(cases, instructions_and_arrays_sum_to_all_requests, 0, all);
    tcase_add_test(cases, a_program_s_instructions_have_the_lines_of_the_scenario);
    tcase_add_loop_test(cases, texture_instructions_count_the_bytes_of_their_texels, 2, all);
    tcase_add_test(cases, arrays_have_the_names_of_the_workload_and_no_warm_up);
    tcase_add_loop_test(cases, the_profile_is_the_same_in_every_deployment, 0, all);
    tcase_add_test(cases, without_a_profile_everything_else_is_the_same);
    return harness_run_cases("profile of results", cases);
}
