#include "workloads/traces/generate.h"

#include <signal.h>
#include <sys/resource.h>

#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/temporary.h"
#include "workloads/traces/input.h"
#include "workloads/traces/reader.h"
#include "workloads/traces/summary.h"

static char *generate(const char *recipe, const char *const *settings)
{
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    const bool good = trace_generate(recipe, settings, folder, &error);
    ck_assert_msg(good, "%s", error ? error->message : "no error");
    return folder;
}

static char *read_text(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

/* --- the text --------------------------------------------------------------------------------- */

static const struct {
    const char *settings[6], *body;
} texts[] = {
    {{"tracer_version=5", NULL},
     "0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 0\n"
     "0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 0\n"
     "0020 0000000f 1 R8 LDG.E.64 1 R2 8 1 0x200000 8 0\n"
     "0030 0000000f 0 STG.E.64 2 R2 R8 8 1 0x0 8 0\n"
     "1000 ffffffff 0 EXIT 0 0 0\n"},
    {{"tracer_version=2", "address_mode=listed", "line_info=yes", NULL},
     "0 0 0 0 1 0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 \n"
     "0 0 0 0 1 0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 \n"
     "0 0 0 0 2 0020 0000000f 1 R8 LDG.E.64 1 R2 8 0 0x200000 0x200008 0x200010 0x200018 \n"
     "0 0 0 0 3 0030 0000000f 0 STG.E.64 2 R2 R8 8 0 0x0 0x8 0x10 0x18 \n"
     "0 0 0 0 256 1000 ffffffff 0 EXIT 0 0 \n"},
    {{"tracer_version=3", "address_mode=deltas", NULL},
     "0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 \n"
     "0010 ffffffff 1 R2 IMAD.WIDE 1 R2 0 \n"
     "0020 0000000f 1 R8 LDG.E.64 1 R2 8 2 0x200000 8 8 8 \n"
     "0030 0000000f 0 STG.E.64 2 R2 R8 8 2 0x0 8 8 8 \n"
     "1000 ffffffff 0 EXIT 0 0 \n"},
};

/* A copy of four elements: one warp, four lanes. */
START_TEST(a_trace_is_written_as_the_tracer_would)
{
    const char *settings[10] = {"array_bytes=32 B", "threads_per_cta=32", "index_instructions=2"};
    for (guint i = 0; texts[_i].settings[i]; i++) settings[3 + i] = texts[_i].settings[i];
    char *folder = generate("copy", settings);
    g_autofree char *text = read_text(folder, "kernel-1.traceg");
    g_autofree char *body =
        g_strconcat("#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 5\n", texts[_i].body,
                    "\n#END_TB\n\n", NULL);
    const char *begin = strstr(text, "#BEGIN_TB");
    ck_assert_ptr_nonnull(begin);
    ck_assert_str_eq(begin, body);
    ck_assert_ptr_nonnull(strstr(text, "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"));
    g_autofree char *list = read_text(folder, "kernelslist.g");
    ck_assert_str_eq(list, "kernel-1.traceg\n");
    temporary_remove(folder);
}
END_TEST

/* --- the stream ------------------------------------------------------------------------------- */

/* The trace of a warp says what the generator says, a run of arithmetic instructions one by one. */
static void compare_warp(const GArray *traced, const GArray *generated)
{
    guint at = 0;
    for (guint i = 0; i < generated->len; i++) {
        const Fetched *expected = fetched_at(generated, i);
        const bool is_run = expected->in.operation == OPERATION_ALU;
        for (uint32_t n = 0; n < (is_run ? expected->in.repeat : 1u); n++)
            assert_same_instruction(fetched_at(traced, at++), expected);
    }
    ck_assert_uint_eq(at, traced->len);
}

START_TEST(every_recipe_is_its_pattern_as_a_trace)
{
    const TraceRecipe *recipe = &trace_recipes()[_i];
    const bool streams = !strcmp(recipe->pattern, "stream");
    const bool chases = !strcmp(recipe->pattern, "pointer_chase");
    const char *settings[] = {streams  ? "array_bytes=30000 B"
                              : chases ? "loads=50"
                                       : "ctas=3",
                              NULL};
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "workload.pattern=%s\n", recipe->pattern);
    for (guint i = 0; recipe->settings[i]; i++)
        g_string_append_printf(text, "workload.%s\n", recipe->settings[i]);
    g_string_append_printf(text, "workload.%s\n", settings[0]);
    g_autoptr(Configuration) configuration = configure(text->str);
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    g_autoptr(LaunchList) generated = workload_build(configuration, &context, NULL);
    char *folder = generate(recipe->name, settings);
    g_autoptr(LaunchList) traced = launch_list_new();
    ck_assert(trace_list_read(folder, 0, traced, NULL));
    Kernel *a = kernel_of(traced, 0), *b = kernel_of(generated, 0);
    ck_assert_uint_eq(a->ctas, b->ctas);
    ck_assert_uint_eq(a->threads_per_cta, b->threads_per_cta);
    uint64_t cta;
    for (void *stream; (stream = a->class->open_cta(a, &cta, NULL));) {
        for (uint32_t w = 0; w < kernel_warps(a); w++) {
            g_autoptr(GArray) of_trace = fetch_warp(a, cta, w, stream);
            g_autoptr(GArray) of_pattern = fetch_warp(b, cta, w, NULL);
            compare_warp(of_trace, of_pattern);
        }
        a->class->close_cta(a, stream);
    }
    temporary_remove(folder);
}
END_TEST

/* --- mistakes --------------------------------------------------------------------------------- */

static const struct {
    const char *recipe, *setting, *message;
} mistakes[] = {
    {"strem", NULL,
     "no trace is called 'strem', did you mean 'stream'?; there are stream, copy, "
     "triad, strided, random, chase, atomics"},
    {"stream", "array_bytes", "'array_bytes' is not key=value"},
    {"stream", "aray_bytes=1 MiB",
     "'aray_bytes' is no key of the trace 'stream', did you mean 'array_bytes'?"},
    {"stream", "kernels=1", "'kernels' is no key of the trace 'stream'; there are operation, "},
    {"random", "compression=bz2", "--set: trace.compression = bz2: not known, did you mean 'gz'"},
};

START_TEST(a_mistake_is_named)
{
    const char *const settings[] = {mistakes[_i].setting, NULL};
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    ck_assert(!trace_generate(mistakes[_i].recipe, settings, folder, &error));
    ck_assert_msg(g_str_has_prefix(error->message, mistakes[_i].message), "%s", error->message);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_named)
{
    g_autoptr(GError) error = NULL;
    ck_assert(!trace_generate("chase", NULL, "/dev/null/traces", &error));
    ck_assert_str_eq(error->message, "/dev/null/traces: cannot be written: Not a directory");
}
END_TEST

static const char *const sampling[] = {
    "workload.pattern=blit\n",
    "workload.pattern=program\nworkload.code=texture T[8]; x = texel T[lane]\n",
};

START_TEST(samples_are_no_trace)
{
    static const char *const names[] = {"blit", "program"};
    g_autoptr(GError) error = NULL;
    const TraceEncoding encoding = {.tracer_version = 5};
    g_autoptr(LaunchList) list = launches_of(sampling[_i]);
    ck_assert(!trace_write(list, &encoding, "/nowhere", &error));
    g_autofree char *expected = g_strdup_printf(
        "kernel %s: samples textures at coordinates, a trace can have only addresses", names[_i]);
    ck_assert_str_eq(error->message, expected);
}
END_TEST

START_TEST(warps_of_64_lanes_are_no_trace)
{
    static const TraceEncoding encoding = {.tracer_version = 5};
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autoptr(LaunchList) list = launches_with("workload.pattern=pointer_chase\n", 64);
    ck_assert(!trace_write(list, &encoding, folder, &error));
    ck_assert_str_eq(error->message, "kernel pointer_chase: has warps of 64 lanes, a trace can "
                                     "have only warps of 32");
    temporary_remove(folder);
}
END_TEST

static const char *const compressions[] = {"compression=none", "compression=gz", "compression=xz"};

START_TEST(a_full_disk_is_an_error)
{
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) return;
    g_autoptr(GError) error = NULL;
    TraceOutput *output = trace_output_open("/dev/full", COMPRESSION_GZIP, NULL);
    trace_output_text(output, "text");
    ck_assert_ptr_null(trace_output_close(output, &error));
    ck_assert_str_eq(error->message, "/dev/full: cannot be written: No space left on device");
}
END_TEST

START_TEST(a_trace_for_which_the_disk_is_too_small_leaves_the_old_one)
{
    static const char *const small[] = {"array_bytes=4 KiB", NULL};
    const char *const large[] = {"array_bytes=1 MiB", compressions[_i], NULL};
    g_autoptr(GError) error = NULL;
    char *folder = generate("stream", small);
    g_autofree char *before = read_text(folder, "kernel-1.traceg");
    g_autofree char *list_before = read_text(folder, "kernelslist.g");
    temporary_limit(1000);
    const bool good = trace_generate("stream", large, folder, &error);
    temporary_limit(RLIM_INFINITY);
    ck_assert(!good);
    ck_assert_msg(g_str_has_suffix(error->message, ": File too large"), "%s", error->message);
    g_autofree char *after = read_text(folder, "kernel-1.traceg");
    g_autofree char *list_after = read_text(folder, "kernelslist.g");
    ck_assert_str_eq(after, before);
    ck_assert_str_eq(list_after, list_before);
    ck_assert_uint_eq(temporary_count(folder), 2);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_trace_for_which_the_disk_is_too_small_is_none)
{
    static const char *const large[] = {"array_bytes=1 MiB", NULL};
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    temporary_limit(1000);
    const bool good = trace_generate("stream", large, folder, &error);
    temporary_limit(RLIM_INFINITY);
    ck_assert(!good);
    ck_assert_uint_eq(temporary_count(folder), 0);
    temporary_remove(folder);
}
END_TEST

static char *describe(const char *path)
{
    g_autoptr(GError) error = NULL;
    GString *text = g_string_new(NULL);
    ck_assert_msg(trace_describe(path, text, &error), "%s", error ? error->message : "");
    return g_string_free(text, FALSE);
}

static void expect_row(const char *text, const char *name, guint number)
{
    g_autofree char *row = g_strdup_printf("\n  %-28s %16u\n", name, number);
    ck_assert_msg(strstr(text, row) != NULL, "%s: %u is not in\n%s", name, number, text);
}

/* However it is compressed: the old one is plain, which would be read first. */
START_TEST(a_new_trace_takes_the_place_of_the_old_one)
{
    static const char *const small[] = {"array_bytes=4 KiB", NULL};
    const char *const other[] = {"array_bytes=8 KiB", compressions[_i], NULL};
    char *folder = generate("stream", small);
    ck_assert(trace_generate("stream", other, folder, NULL));
    g_autofree char *text = describe(folder);
    expect_row(text, "bytes asked for", 8192);
    ck_assert_uint_eq(temporary_count(folder), 2);
    temporary_remove(folder);
}
END_TEST

/* --- the summary ------------------------------------------------------------------------------ */

/* 3 CTAs of 2 warps with 4 iterations of load and store of 32 elements, 128 B apart. */
START_TEST(a_summary_counts_what_the_trace_asks_for)
{
    static const char *const settings[] = {"ctas=3",
                                           "threads_per_cta=64",
                                           "iterations=4",
                                           "operation=load_store",
                                           "compute_instructions=2",
                                           NULL};
    char *folder = generate("strided", settings);
    g_autofree char *text = describe(folder);
    ck_assert_ptr_null(strstr(text, "all "));
    expect_row(text, "CTAs", 3);
    expect_row(text, "warps", 6);
    expect_row(text, "warp instructions", 6 * (4 * 4 + 1));
    expect_row(text, "  arithmetic and other", 6 * 8);
    expect_row(text, "  loads", 24);
    expect_row(text, "  stores", 24);
    expect_row(text, "  exits", 6);
    expect_row(text, "  arithmetic, fp32", 6 * 8);
    expect_row(text, "  accesses, global", 48);
    expect_row(text, "lane accesses", 48 * 32);
    expect_row(text, "bytes asked for", 48 * 32 * 4);
    expect_row(text, "sectors of 32 B", 48 * 32);
    g_autofree char *list = temporary_file(folder, "kernelslist.g",
                                           "MemcpyHtoD,0x0,64\nkernel-1.traceg\nMemcpyDtoH,0x0,8\n"
                                           "event,7\nMemcpyDtoH,0x0,16\nevent,8\n"
                                           "MemcpyHtoD,0x0,32\n");
    g_autofree char *with_commands = describe(folder);
    ck_assert_msg(g_str_has_suffix(with_commands,
                                   "\n  copies from the host                        2\n"
                                   "  copied bytes                               96\n"
                                   "  copies to the host                          2\n"
                                   "  copied bytes                               24\n"
                                   "  event                                       2\n"),
                  "%s", with_commands);
    temporary_remove(folder);
}
END_TEST

START_TEST(sectors_are_counted_once_in_any_order)
{
    static const char text[] =
        "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 4\n#\n"
        "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
        /* sectors 3, 1, 3, 0, 2 and, across a boundary, 4 and 5 */
        "0010 0000003f 1 R4 LDG.E.64 1 R2 8 0 0x60 0x20 0x64 0x00 0x40 0x9c\n"
        "0020 ffffffff 0 STS 2 R2 R4 4 1 0x0 4\n#END_TB\n";
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", text);
    g_autofree char *summary = describe(path);
    expect_row(summary, "sectors of 32 B", 6); /* shared memory has none */
    expect_row(summary, "  accesses, shared", 1);
    expect_row(summary, "bytes asked for", 6 * 8 + 32 * 4);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    guint recipes = 0;
    while (trace_recipes()[recipes].name) recipes++;
    TCase *cases = tcase_create("trace generate");
    tcase_add_loop_test(cases, a_trace_is_written_as_the_tracer_would, 0, G_N_ELEMENTS(texts));
    tcase_add_loop_test(cases, every_recipe_is_its_pattern_as_a_trace, 0, (int)recipes);
    tcase_add_loop_test(cases, a_mistake_is_named, 0, G_N_ELEMENTS(mistakes));
    tcase_add_test(cases, a_folder_that_cannot_be_made_is_named);
    tcase_add_test(cases, warps_of_64_lanes_are_no_trace);
    tcase_add_loop_test(cases, samples_are_no_trace, 0, G_N_ELEMENTS(sampling));
    tcase_add_test(cases, a_full_disk_is_an_error);
    tcase_add_loop_test(cases, a_trace_for_which_the_disk_is_too_small_leaves_the_old_one, 0,
                        G_N_ELEMENTS(compressions));
    tcase_add_test(cases, a_trace_for_which_the_disk_is_too_small_is_none);
    tcase_add_loop_test(cases, a_new_trace_takes_the_place_of_the_old_one, 0,
                        G_N_ELEMENTS(compressions));
    tcase_add_test(cases, a_summary_counts_what_the_trace_asks_for);
    tcase_add_test(cases, sectors_are_counted_once_in_any_order);
    Suite *suite = suite_create("trace generate");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
