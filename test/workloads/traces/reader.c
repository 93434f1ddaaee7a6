#include "workloads/traces/reader.h"
#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/temporary.h"
#include "text.h"
#include "workloads/traces/generate.h"

#include <malloc.h>

/* --- files ------------------------------------------------------------------------------------ */

static const char two_ctas[] = HEADER(
    "2,2,1", "40,1,1",
    "4") "#BEGIN_TB\n\nthread block = 1,1,0\n\nwarp = 1\ninsts = 3\n"
         "0008 000000ff 1 R1 MOV 0 0 \n\n"
         "0010 00000000 0 EXIT 0 0 \n"
         "0020 000000ff 1 R4 LDG.E 1 R2 4 1 0x1000 4\n"
         "warp = 0\ninsts = 0\n\n#END_TB\n"
         "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n0008 00000000 0 EXIT 0 0\n#END_TB\n"
         "#BEGIN_TB\nthread block = 0,1,0\n#END_TB\n"
         "#BEGIN_TB\nthread block = 1,0,0\n#END_TB"; /* no newline at the end */

static Kernel *open_kernel(const char *path)
{
    g_autoptr(GError) error = NULL;
    Kernel *kernel = trace_kernel_new(path, &error);
    ck_assert_msg(kernel != NULL, "%s", error ? error->message : "no error");
    return kernel;
}

static void *open_next(Kernel *kernel, uint64_t *cta)
{
    g_autoptr(GError) error = NULL;
    void *stream = kernel->class->open_cta(kernel, cta, &error);
    ck_assert_msg(!error, "%s", error ? error->message : "");
    return stream;
}

START_TEST(a_header_describes_the_kernel)
{
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", two_ctas);
    Kernel *kernel = open_kernel(path);
    ck_assert_str_eq(kernel->name, "k");
    ck_assert_uint_eq(kernel->ctas, 4);
    ck_assert_uint_eq(kernel->threads_per_cta, 40);
    ck_assert_uint_eq(kernel->registers_per_thread, 20);
    ck_assert_uint_eq(kernel->shared_bytes_per_cta, 64);
    ck_assert_uint_eq(trace_kernel_header(kernel)->binary_version, 70);
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

START_TEST(ctas_come_in_the_file_s_order_at_each_launch)
{
    static const uint64_t order[] = {3, 0, 2, 1};
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", two_ctas);
    Kernel *kernel = open_kernel(path);
    for (uint32_t launch = 0; launch < 2; launch++) {
        uint64_t cta;
        for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
            void *stream = open_next(kernel, &cta);
            ck_assert_uint_eq(cta, order[i]);
            kernel->class->close_cta(kernel, stream);
        }
        ck_assert_ptr_null(open_next(kernel, &cta));
    }
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

START_TEST(only_the_last_instruction_of_a_warp_is_its_exit)
{
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", two_ctas);
    Kernel *kernel = open_kernel(path);
    uint64_t cta;
    void *stream = open_next(kernel, &cta);
    g_autoptr(GArray) warp = fetch_warp(kernel, cta, 1, stream);
    g_autoptr(GArray) idle = fetch_warp(kernel, cta, 0, stream);
    ck_assert_uint_eq(warp->len, 4); /* MOV, EXIT of no lane, LDG, the EXIT that the trace lacks */
    ck_assert_uint_eq(fetched_at(warp, 1)->in.operation, OPERATION_ALU);
    ck_assert_uint_eq(fetched_at(warp, 2)->address[7], 0x101c);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.pc, 0x30);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.mask, 0xff); /* 40 threads: 8 in warp 1 */
    ck_assert_uint_eq(idle->len, 1);
    ck_assert_uint_eq(fetched_at(idle, 0)->in.mask, UINT32_MAX);
    kernel->class->close_cta(kernel, stream);
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

START_TEST(local_addresses_are_offsets_in_the_thread_s_window)
{
    static const char text[] =
        HEADER("1,1,1", "64,1,1", "4") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 1\n"
                                       "0010 ffffffff 1 R4 LDL 1 R1 4 1 0xfffff8 0\n#END_TB\n";
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", text);
    Kernel *kernel = trace_kernel_new(path, NULL);
    uint64_t cta;
    void *stream = open_next(kernel, &cta);
    g_autoptr(GArray) warp = fetch_warp(kernel, cta, 1, stream);
    ck_assert_int_eq(fetched_at(warp, 0)->in.space, SPACE_LOCAL);
    for (guint lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(fetched_at(warp, 0)->address[lane], 0xfffff8);
    kernel->class->close_cta(kernel, stream);
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

/* --- what is not modelled, or wrong ----------------------------------------------------------- */

/* As version 6 writes it, with values of registers, a bulk copy and a matrix multiplication. */
static const char hopper[] =
    HEADER("2,1,1", "32,1,1",
           "6") "#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\n"
                "cluster rank = 0\n\nwarp = 0\ninsts = 6\n"
                "0008 ffffffff 1 UR4 UMOV 0 0 0 0 NoVal\n"
                "0010 00000001 0 UTMALDG.2D 2 UR4 UR8 128 0x400 1 0x3 4096 0 4 0x10000 3 128 128 "
                "0 0 NoVal\n"
                "0020 00000001 0 UTMALDG.2D 2 UR4 UR8 128 0x400 0 4096 0 3 2 0x10000 0x20000 0 0 "
                "NoVal\n"
                "0030 ffffffff 1 R24 HGMMA.64x8x16.F16 2 R24 UR4 1 0 0 0 Val 1 0x1 1 0x2 1 0x3\n"
                "0040 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 0 Val 1 0x1 1 0x2\n"
                "0050 ffffffff 0 EXIT 0 0 0 0 NoVal\n#END_TB\n"
                "#BEGIN_TB\nthread block = 1,0,0\ncluster id = 0,0,0\ncluster cta = 1,0,0\n"
                "cluster rank = 1\n#END_TB\n";

START_TEST(what_the_model_does_not_know_is_counted_by_name)
{
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", hopper);
    Kernel *kernel = open_kernel(path);
    uint64_t cta;
    void *stream = open_next(kernel, &cta);
    g_autoptr(GArray) warp = fetch_warp(kernel, cta, 0, stream);
    ck_assert_uint_eq(warp->len, 6);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.operation, OPERATION_ALU);
    ck_assert_uint_eq(fetched_at(warp, 4)->address[31], 0x1000 + 31 * 4);
    ck_assert_uint_eq(kernel->notes->len, 2);
    const KernelNote *copies = kernel->notes->pdata[0], *matrices = kernel->notes->pdata[1];
    ck_assert_str_eq(copies->name, "UTMALDG.2D");
    ck_assert_uint_eq(copies->count, 2);
    ck_assert_str_eq(matrices->name, "HGMMA.64x8x16.F16");
    ck_assert_uint_eq(matrices->count, 1);
    kernel->class->close_cta(kernel, stream);
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

/* Of threads of a block: 65536 registers are the most that it can have. */
static const struct {
    const char *written, *block;
    uint32_t taken;
} damaged[] = {{"300", "32,1,1", 255},
               {"300", "257,1,1", 224},
               {"300", "1024,1,1", 64},
               {"-1161904184", "32,1,1", 255},
               {"18446744073709551616", "32,1,1", 255}};

START_TEST(registers_beyond_their_range_are_limited_and_said)
{
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strdup_printf("-nregs = %s\n-kernel name = k\n-shmem = 64\n-grid dim = (1,1,1)\n"
                        "-block dim = (%s)\n#\n",
                        damaged[_i].written, damaged[_i].block);
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", text);
    g_autofree char *said = g_strdup_printf("%s:1: nregs '%s', expected 0 to 255; taken as %u",
                                            path, damaged[_i].written, damaged[_i].taken);
    Kernel *kernel = open_kernel(path);
    const KernelNote *note = kernel->notes->pdata[0];
    ck_assert_int_eq(note->kind, NOTE_WARNING);
    ck_assert_str_eq(note->name, said);
    ck_assert_uint_eq(kernel->registers_per_thread, damaged[_i].taken);
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_kernel_whose_name_is_empty_has_one)
{
    char *folder = temporary_folder();
    g_autofree char *path =
        temporary_file(folder, "kernel-1.traceg",
                       "-kernel name = \n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#\n");
    Kernel *kernel = open_kernel(path);
    ck_assert_str_eq(kernel->name, "kernel");
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

/* --- the same stream in every encoding -------------------------------------------------------- */

/* The instructions of all warps of all launches, of Fetched. */
static GArray *fetch_all(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(LaunchList) list = launch_list_new();
    GArray *all = g_array_new(FALSE, TRUE, sizeof(Fetched));
    ck_assert_msg(trace_list_read(path, 0, list, &error), "%s", error ? error->message : "");
    for (guint i = 0; i < list->launches->len; i++) {
        Kernel *kernel = kernel_of(list, i);
        uint64_t cta;
        for (void *stream; (stream = open_next(kernel, &cta));) {
            for (uint32_t w = 0; w < kernel_warps(kernel); w++) {
                g_autoptr(GArray) warp = fetch_warp(kernel, cta, w, stream);
                g_array_append_vals(all, warp->data, warp->len);
            }
            kernel->class->close_cta(kernel, stream);
        }
    }
    return all;
}

#define ENCODINGS (TRACE_VERSION_MAX * 3 * 3) /* versions, modes, compressions */

/* The first TRACE_VERSION_MAX have all versions, modes and compressions. */
static TraceEncoding encoding_of(uint32_t number)
{
    const uint32_t version = number % TRACE_VERSION_MAX, round = number / TRACE_VERSION_MAX;
    return (TraceEncoding){.tracer_version = 1 + version,
                           .address_mode = 1 + (round + version) % 3,
                           .compression = (round / 3 + version / 2) % 3,
                           .line_info = (number + round) % 2};
}

START_TEST(every_encoding_gives_the_same_stream)
{
    const TraceEncoding encoding = encoding_of((uint32_t)_i);
    const TraceEncoding plain = {.tracer_version = 5};
    g_autoptr(GError) error = NULL;
    g_autoptr(LaunchList) list = launches_of(
        "workload.sequence=a,b,c,d\n"
        "kernel a.pattern=random\nkernel a.ctas=3\nkernel a.threads_per_cta=72\n"
        "kernel a.operation=load_store\nkernel a.iterations=3\n"
        "kernel b.pattern=strided\nkernel b.ctas=2\nkernel b.operation=atomic\n"
        "kernel b.element_bytes=8 B\nkernel b.lane_stride=40 B\nkernel b.compute_instructions=3\n"
        "kernel c.pattern=pointer_chase\nkernel c.loads=20\nkernel c.active_lanes=3\n"
        "kernel d.pattern=stream\nkernel d.operation=triad\nkernel d.array_bytes=1000 B\n");
    char *one = temporary_folder(), *other = temporary_folder();
    ck_assert(trace_write(list, &plain, one, &error));
    ck_assert(trace_write(list, &encoding, other, &error));
    g_autoptr(GArray) expected = fetch_all(one);
    g_autoptr(GArray) got = fetch_all(other);
    ck_assert_uint_gt(expected->len, 300);
    ck_assert_uint_eq(got->len, expected->len);
    for (guint i = 0; i < got->len; i++) {
        assert_same_instruction(fetched_at(got, i), fetched_at(expected, i));
        if (encoding.line_info && fetched_at(got, i)->in.pc >= 16)
            ck_assert_uint_gt(fetched_at(got, i)->in.source_line, 0);
    }
    temporary_remove(one);
    temporary_remove(other);
}
END_TEST

START_TEST(a_long_trace_does_not_fill_memory)
{
    static const char *const settings[] = {"ctas=200", "iterations=20", "compression=gz", NULL};
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    ck_assert(trace_generate("random", settings, folder, &error)); /* 11 MB of text */
    g_autofree char *path = g_build_filename(folder, "kernel-1.traceg.gz", NULL);
    Kernel *kernel = open_kernel(path);
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    uint64_t cta, ctas = 0;
    size_t most = 0;
    for (void *stream; (stream = open_next(kernel, &cta)); ctas++) {
        const size_t now = mallinfo2().uordblks + mallinfo2().hblkhd;
        most = MAX(most, now);
        kernel->class->close_cta(kernel, stream);
    }
    ck_assert_uint_eq(ctas, 200);
    ck_assert_uint_lt(most, before + (1 << 20));
    kernel_free(kernel);
    temporary_remove(folder);
}
END_TEST

/* --- lists ------------------------------------------------------------------------------------ */

/* A folder may be called as the kernels in it. */
START_TEST(a_list_is_one_whatever_its_folder_is_called)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *inner = g_build_filename(folder, "my.traceg.d", NULL);
    ck_assert(
        trace_generate("stream", (const char *const[]){"array_bytes=4KiB", NULL}, inner, &error));
    g_autofree char *path = g_build_filename(inner, "kernelslist.g", NULL);
    const char *const names[] = {inner, path};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(LaunchList) list = launch_list_new();
        ck_assert_msg(trace_list_read(names[i], 0, list, &error), "%s",
                      error ? error->message : "");
        ck_assert_uint_eq(list->launches->len, 1);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(copies_belong_to_the_kernel_behind_them)
{
    char *folder = temporary_folder();
    g_autofree char *one = temporary_file(folder, "kernel-1.traceg", two_ctas);
    g_autofree char *two = temporary_file(folder, "kernel-2.traceg", two_ctas);
    g_autofree char *names = temporary_file(folder, "kernelslist.g",
                                            "MemcpyHtoD,0x00007f0000001000,400\n\n"
                                            "kernel-1.traceg\nMemcpyDtoH,0x00007f0000001000,400\n"
                                            "ncclAllReduce(0x1,5)\n"
                                            "MemcpyHtoD,0x2000,8\nMemcpyHtoD,0x3000,16\n"
                                            "kernel-2.traceg\nMemcpyHtoD,0x4000,32\n");
    g_autofree char *text = g_strdup_printf("workload.pattern=trace\nworkload.file=%s\n"
                                            "workload.launches=2",
                                            names);
    g_autoptr(LaunchList) list = launches_of(text);
    ck_assert_uint_eq(list->launches->len, 4);
    ck_assert_uint_eq(list->kernels->len, 2);
    for (guint i = 0; i < 4; i++) {
        const Launch *launch = &g_array_index(list->launches, Launch, i);
        ck_assert_uint_eq(launch->copy_count, i % 2 ? 2 : 1);
        ck_assert_uint_eq(launch->copies[0].address, i % 2 ? 0x2000 : 0x7f0000001000);
        ck_assert_uint_eq(launch->copies[launch->copy_count - 1].bytes, i % 2 ? 16 : 400);
    }
    static const struct {
        CommandKind kind;
        const char *name;
        guint before;
        uint64_t bytes;
    } commands[] = {{COMMAND_COPY_TO_DEVICE, "MemcpyHtoD", 0, 400},
                    {COMMAND_COPY_TO_HOST, "MemcpyDtoH", 1, 400},
                    {COMMAND_OTHER, "ncclAllReduce", 1, 0},
                    {COMMAND_COPY_TO_DEVICE, "MemcpyHtoD", 1, 8},
                    {COMMAND_COPY_TO_DEVICE, "MemcpyHtoD", 1, 16},
                    {COMMAND_COPY_TO_DEVICE, "MemcpyHtoD", 2, 32}};
    ck_assert_uint_eq(list->commands->len, 2 * G_N_ELEMENTS(commands));
    for (guint i = 0; i < list->commands->len; i++) {
        const HostCommand *command = &g_array_index(list->commands, HostCommand, i);
        const guint n = i % G_N_ELEMENTS(commands), repeat = i / G_N_ELEMENTS(commands);
        ck_assert_int_eq(command->kind, commands[n].kind);
        ck_assert_str_eq(command->name, commands[n].name);
        ck_assert_uint_eq(command->before, commands[n].before + 2 * repeat);
        ck_assert_uint_eq(command->bytes, commands[n].bytes);
    }
    g_autofree char *less = g_strdup_printf("workload.pattern=trace\nworkload.file=%s\n"
                                            "workload.memory_copies=no\nworkload.max_kernels=1",
                                            folder);
    g_autoptr(LaunchList) first = launches_of(less);
    ck_assert_uint_eq(first->launches->len, 1);
    ck_assert_ptr_null(g_array_index(first->launches, Launch, 0).copies);
    temporary_remove(folder);
}
END_TEST

static const char of_stream[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                                "-cuda stream id = %u\n#\n";

/* Kernels by their streams; a space is a copy. 1: starts together with the one before. */
static const struct {
    const char *streams, *together;
} side_by_side[] = {{"123", "011"}, {"121", "010"},  {"1123", "0011"}, {"102", "000"},
                    {"1 2", "00"},  {"12 3", "010"}, {"00", "00"}};

START_TEST(streams_run_side_by_side_when_asked_for)
{
    char *folder = temporary_folder();
    g_autoptr(GString) names = g_string_new(NULL);
    for (const char *p = side_by_side[_i].streams; *p; p++) {
        const uint32_t stream = (uint32_t)(*p - '0');
        if (*p == ' ') {
            g_string_append(names, "MemcpyHtoD,0x1000,4\n");
            continue;
        }
        g_autofree char *name = g_strdup_printf("kernel-%u.traceg", stream);
        g_autofree char *text = g_strdup_printf(of_stream, stream);
        g_autofree char *path = temporary_file(folder, name, text);
        g_string_append_printf(names, "%s\n", name);
    }
    g_autofree char *path = temporary_file(folder, "kernelslist.g", names->str);
    for (uint32_t asked = 0; asked < 2; asked++) {
        g_autofree char *text = g_strdup_printf(
            "workload.pattern=trace\nworkload.file=%s\nworkload.concurrent_streams=%s", path,
            asked ? "yes" : "no");
        g_autoptr(LaunchList) list = launches_of(text);
        ck_assert_uint_eq(list->launches->len, strlen(side_by_side[_i].together));
        for (guint i = 0; i < list->launches->len; i++)
            ck_assert_uint_eq(g_array_index(list->launches, Launch, i).concurrent,
                              asked && side_by_side[_i].together[i] == '1');
    }
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("trace reader"), *repeating = tcase_create("other encodings");
    tcase_add_test(cases, a_header_describes_the_kernel);
    tcase_add_test(cases, ctas_come_in_the_file_s_order_at_each_launch);
    tcase_add_test(cases, only_the_last_instruction_of_a_warp_is_its_exit);
    tcase_add_test(cases, local_addresses_are_offsets_in_the_thread_s_window);
    tcase_add_test(cases, what_the_model_does_not_know_is_counted_by_name);
    tcase_add_loop_test(cases, registers_beyond_their_range_are_limited_and_said, 0,
                        G_N_ELEMENTS(damaged));
    tcase_add_test(cases, a_kernel_whose_name_is_empty_has_one);
    tcase_add_loop_test(cases, every_encoding_gives_the_same_stream, 0, TRACE_VERSION_MAX);
    tcase_add_loop_test(repeating, every_encoding_gives_the_same_stream, TRACE_VERSION_MAX,
                        ENCODINGS);
    tcase_add_test(cases, a_long_trace_does_not_fill_memory);
    tcase_add_test(cases, a_list_is_one_whatever_its_folder_is_called);
    tcase_add_test(cases, copies_belong_to_the_kernel_behind_them);
    tcase_add_loop_test(cases, streams_run_side_by_side_when_asked_for, 0,
                        G_N_ELEMENTS(side_by_side));
    return harness_run_repeating("trace reader", cases, repeating);
}
