/* What a run says about its textures, and what it says bound it. */
#include "rigs/harness.h"
#include "scenarios/program/compare/compare.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/summary.h"

#define result_number shipped_number
#define result_text shipped_text
#include "rigs/shipped.h"
#undef result_number
#undef result_text

/* One texture unit, 1000 cycles of 1 ns. */
static const char sampled[] =
    "{\"schema_version\": 1, \"scenario\": \"S\", \"variant\": \"baseline\", \"partial\": false,"
    " \"summary\": {\"core_cycles\": 1000, \"time_ns\": 1000.0,"
    " \"dram\": {\"bandwidth_gbps\": 10.0, \"peak_gbps\": 100.0},"
    " \"texture\": {\"samples\": 4000, \"gsamples_per_s\": 4.0, \"texels\": 10000,"
    " \"accesses\": 2000, \"hits\": 1500, \"merged\": 100, \"misses\": 400, \"hit_rate\": 0.75,"
    " \"bytes_texels\": 40000, \"bytes_from_l2\": 16000, \"bytes_from_dram\": 8000,"
    " \"levels\": [{\"lines\": 1500, \"bytes_from_l2\": 12000}, {\"lines\": 400, \"bytes_from_l2\": 3000},"
    " {\"lines\": 0, \"bytes_from_l2\": 0}, {\"lines\": 100, \"bytes_from_l2\": 1000}]}},"
    " \"stages\": {}, \"parameters\": {\"texture\": {\"quads\": \"2\", \"quad_interval\": \"1 cycle\"}},"
    " \"resources\": {\"texture\": {\"filters\": {\"kind\": \"server\", \"capacity\": 2, \"mean\": 1,"
    " \"use\": 0.5, \"full\": 0.5, \"refused\": 0}}},"
    " \"units\": {\"texture\": {\"count\": 1, \"total\": {\"filter_turns\": 1000}}}}";

static JsonNode *parse(void)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(sampled, &error);
    ck_assert_msg(node != NULL, "%s", error ? error->message : "");
    return node;
}

static JsonObject *object_at(JsonNode *result, const char *path)
{
    return json_node_get_object(result_member(result, path));
}

static char *print_summary(JsonNode *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    summary_print(result, true, out);
    fclose(out);
    return text;
}

static char *print_comparison(JsonNode *results[2])
{
    const Comparison comparison = {results, NULL, 2};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    compare_print(&comparison, false, out);
    fclose(out);
    return text;
}

static void expect_line(const char *text, const char *pattern)
{
    ck_assert_msg(g_regex_match_simple(pattern, text, 0, 0), "no '%s' in\n%s", pattern, text);
}

START_TEST(a_run_with_textures_says_what_was_sampled_and_where_its_bytes_came_from)
{
    static const char *const lines[] = {
        "samples +4,000 +4\\.00 G a second, 4\\.00 a cycle and SM",
        "texels +10,000 +read for them, 2\\.50 a sample",
        "caches +accesses +hits +merged +misses +hit rate",
        "texels +2,000 +1,500 +100 +400 +75\\.0 %",
        "bytes +40\\.0 kB +as the shader sees them -> 16\\.0 kB from L2 -> 8\\.00 kB from DRAM",
        "mip level 0 +75\\.0 % +of the look-ups, 12\\.0 kB from L2",
        "mip level 1 +20\\.0 % +of the look-ups, 3\\.00 kB from L2",
        "mip level 3 on +5\\.0 % +of the look-ups, 1\\.00 kB from L2",
        "texture filter +50 % .*filters",
    };
    g_autoptr(JsonNode) result = parse();
    g_autofree char *text = print_summary(result);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) expect_line(text, lines[i]);
    ck_assert_ptr_null(strstr(text, "mip level 2"));
}
END_TEST

START_TEST(textures_kept_in_l1_have_no_bytes_by_level)
{
    g_autoptr(JsonNode) result = parse();
    JsonArray *levels =
        json_object_get_array_member(object_at(result, "summary.texture"), "levels");
    for (guint i = 0; i < 4; i++)
        json_object_remove_member(json_array_get_object_element(levels, i), "bytes_from_l2");
    g_autofree char *text = print_summary(result);
    expect_line(text, "mip level 1 +20\\.0 % +of the look-ups *\n");
}
END_TEST

START_TEST(a_run_without_textures_says_nothing_of_them)
{
    g_autoptr(JsonNode) result = parse();
    json_object_remove_member(object_at(result, "summary"), "texture");
    json_object_set_double_member(object_at(result, "resources.texture.filters"), "use", 0);
    json_object_remove_member(object_at(result, "units"), "texture");
    g_autofree char *text = print_summary(result);
    ck_assert_ptr_null(strstr(text, "textur"));
    ck_assert_ptr_null(strstr(text, "texels"));
    ck_assert_ptr_null(strstr(text, "mip level"));
}
END_TEST

START_TEST(a_comparison_has_the_samples_and_bytes_of_textures)
{
    g_autoptr(JsonNode) before = parse(), after = parse();
    JsonObject *texture = object_at(after, "summary.texture");
    json_object_set_double_member(texture, "gsamples_per_s", 6);
    json_object_set_int_member(texture, "bytes_from_dram", 4000000);
    JsonNode *results[] = {before, after};
    g_autofree char *text = print_comparison(results);
    expect_line(text, "texture, G samples/s +4\\.00 +6\\.00 +\\+50\\.0 %");
    expect_line(text, "texture hits, % +75\\.0 +75\\.0");
    expect_line(text, "texture from L2, MB +0\\.02 +0\\.02");
    expect_line(text, "texture, DRAM, MB +0\\.01 +4\\.00");
}
END_TEST

/* --- whole runs ------------------------------------------------------------------------------- */

START_TEST(a_run_adds_up_what_its_texture_units_l1_and_l2_did)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant elastic-alone "
                "--set workload.texture_format=rgba32f");
    const char *variant = "elastic-alone";
    const double steps = shipped_number(folder, variant, "units.texture.total.steps");
    ck_assert_double_eq(summary_of(folder, variant, "texture.samples"), 4 * 256);
    ck_assert_double_eq(summary_of(folder, variant, "texture.bytes_texels"), 16 * 4 * 256);
    ck_assert_double_eq(summary_of(folder, variant, "texture.bytes_from_l2"),
                        shipped_number(folder, variant, "units.texture.total.bytes_from_network"));
    ck_assert_double_eq(summary_of(folder, variant, "texture.bytes_from_dram"),
                        summary_of(folder, variant, "dram.read_bytes"));
    ck_assert_double_eq(steps, 256);
    /* texels of 16 bytes, of which 8 pass at a time */
    ck_assert_double_eq(shipped_number(folder, variant, "units.texture.total.filter_turns"),
                        2 * steps);
    temporary_remove(folder);
}
END_TEST

/* Pixels four texels apart: level 2 of the finest texture, and nothing else. */
START_TEST(a_result_has_look_ups_and_bytes_by_mip_level)
{
    char *folder = temporary_folder();
    run(folder, "blit --variant smaller-mips --set texture.cache=own");
    g_autofree char *text = shipped_text(folder, "smaller-mips");
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    JsonArray *levels =
        json_object_get_array_member(object_at(result, "summary.texture"), "levels");
    ck_assert_uint_eq(json_array_get_length(levels), 4);
    for (guint i = 0; i < 4; i++) {
        JsonNode *level = json_array_get_element(levels, i);
        const double lines = result_number(level, "lines"),
                     bytes = result_number(level, "bytes_from_l2");
        ck_assert_double_eq(lines, i == 2 ? result_number(result, "summary.texture.accesses") : 0);
        ck_assert_double_eq(bytes,
                            i == 2 ? result_number(result, "summary.texture.bytes_from_l2") : 0);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(with_l1_as_the_cache_its_look_ups_are_the_textures)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant elastic-alone --set texture.cache=l1");
    const char *variant = "elastic-alone";
    ck_assert_double_eq(summary_of(folder, variant, "texture.accesses"),
                        shipped_number(folder, variant, "units.l1.total.texture_accesses"));
    ck_assert_double_gt(summary_of(folder, variant, "texture.hit_rate"), 0.2);
    ck_assert_double_gt(summary_of(folder, variant, "texture.bytes_from_dram"), 0);
    temporary_remove(folder);
}
END_TEST

/* The same program has as many spills either way: 1,704 KB of them on a V100. */
START_TEST(spills_through_the_texture_unit_are_local_memory_as_well)
{
    static const char *const ways[] = {"", " --set texture.cache=own"
                                           " --set load_store.through_texture=everything"};
    for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
        char *folder = temporary_folder();
        g_autofree char *spills = g_strconcat("spills --variant registers-48", ways[i], NULL);
        run(folder, spills);
        ck_assert_double_eq(summary_of(folder, "registers-48", "local_bytes"), 1703936);
        g_autofree char *text = shipped_text(folder, "registers-48");
        g_autoptr(JsonNode) result = json_from_string(text, NULL);
        JsonNode *results[] = {result, result};
        g_autofree char *table = print_comparison(results);
        expect_line(table, "local memory, MB +1\\.70 +1\\.70");
        if (i) expect_line(table, "texture load hits, % +\\d+\\.\\d +\\d+\\.\\d");
        temporary_remove(folder);
    }
}
END_TEST

START_TEST(a_result_without_textures_has_no_member_of_them)
{
    char *folder = temporary_folder();
    run(folder, "four-loads --variant baseline");
    g_autofree char *text = shipped_text(folder, "baseline");
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    ck_assert_ptr_null(result_member(result, "summary.texture"));
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("texture_summary",
             a_run_with_textures_says_what_was_sampled_and_where_its_bytes_came_from,
             textures_kept_in_l1_have_no_bytes_by_level,
             a_run_without_textures_says_nothing_of_them,
             a_comparison_has_the_samples_and_bytes_of_textures,
             a_run_adds_up_what_its_texture_units_l1_and_l2_did,
             a_result_has_look_ups_and_bytes_by_mip_level,
             with_l1_as_the_cache_its_look_ups_are_the_textures,
             spills_through_the_texture_unit_are_local_memory_as_well,
             a_result_without_textures_has_no_member_of_them)
