#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/temporary.h"
#include "text.h"
#include "workloads/traces/generate.h"
#include "workloads/traces/reader.h"

static const char good[] =
    HEADER("1,1,1", "32,1,1", "4") "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n";

#define EXPECTED "expected MemcpyHtoD,0xADDRESS,BYTES with BYTES up to 2^48"

static const struct {
    const char *list, *message;
} bad_lists[] = {
    {"kernel-1.tracez\n",
     "kernelslist.g:1: 'kernel-1.tracez', expected .traceg, which Accel-Sim's traceDsm makes of it"},
    {"kernel-1.traceg\nkernel-2.traceg\n",
     "kernelslist.g:2: 'kernel-2.traceg', expected a trace file beside the list, plain, .xz or .gz"},
    {"MemcpyHtoD,0x12,\nkernel-1.traceg\n", "kernelslist.g:1: 'MemcpyHtoD,0x12,', " EXPECTED},
    {"MemcpyHtoD,0x10,281474976710657\n", EXPECTED},
    {"\xef\xbb\xbf-kernel name = k\n",
     "kernelslist.g:1: '-kernel name = k', expected a list's "
     "command; a kernel's own file is known by .traceg in its name"},
    {"MemcpyHtoD,0xg,4\n", "kernelslist.g:1: 'MemcpyHtoD,0xg,4', " EXPECTED},
    {"MemcpyHtoD,0xffffffffffffff00,1000\n",
     "kernelslist.g:1: 'MemcpyHtoD,0xffffffffffffff00,1000', " EXPECTED},
    {"-kernel name = k\n",
     "kernelslist.g:1: '-kernel name = k', expected a list's command; a kernel's own file is known "
     "by .traceg in its name"},
    {"# MemcpyHtoD\n#kernel-2.traceg\n", "kernelslist.g:2: the list names no kernel"},
    {"MemcpyDtoH,0x1,4\n", "kernelslist.g:1: the list names no kernel"},
    {"", "/kernelslist.g: the list names no kernel"},
};

START_TEST(a_broken_list_is_named_with_its_line)
{
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    g_autofree char *kernel = temporary_file(folder, "kernel-1.traceg", good);
    g_autofree char *path = temporary_file(folder, "kernelslist.g", bad_lists[_i].list);
    g_autoptr(LaunchList) list = launch_list_new();
    ck_assert(!trace_list_read(path, 0, list, &error));
    ck_assert_msg(g_str_has_suffix(error->message, bad_lists[_i].message), "%s", error->message);
    ck_assert(g_str_has_prefix(error->message, folder));
    temporary_remove(folder);
}
END_TEST

/* --- broken files ----------------------------------------------------------------------------- */

#define CTA HEADER("1,1,1", "32,1,1", "4") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
#define END "\n#END_TB\n"
#define IN_CTA ", in CTA 0,0,0 of kernel k, behind 0 of its 1 CTAs"
#define CTA_6                                                                                      \
    HEADER("1,1,1", "32,1,1", "6") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"

/* The header has 15 lines; the instruction of CTA stands in line 20. */
static const struct {
    const char *text, *message;
} broken[] = {
    {"", " the file ends here, expected a line that begins with # and ends the header"},
    {"\177ELF\n", "1: '\\177ELF', expected '-key = value' or # at the header's end"},
    {"-kernel name = k\n#\n", "2: the header has no '-grid dim = (x,y,z)'"},
    {"-grid dim = (1,1,1)\n#\n", "2: the header has no '-block dim = (x,y,z)'"},
    {"-grid dim = (1,0,1)\n#\n",
     "1: '(1,0,1)', expected (x,y,z), three whole numbers from 1 to 2147483647"},
    {"-grid dim = (1,1)\n#\n",
     "1: '(1,1)', expected (x,y,z), three whole numbers from 1 to 2147483647"},
    {"-shmem = many\n#\n", "1: shmem 'many', expected a decimal number"},
    {"-shmem = -1\n#\n", "1: shmem '-1', expected 0 to 4294967295"},
    {"-shmem = 0x100000000\n#\n", "1: shmem 0x100000000, expected 0 to 4294967295"},
    {"-shmem = 5 x\n#\n", "1: '5 x', expected a number and no more"},
    {"-nregs = 5 x\n#\n", "1: '5 x', expected a number and no more"},
    {"-nregs = many\n#\n", "1: nregs 'many', expected a decimal number"},
    {"-cuda stream id = 99999999999999999999\n#\n",
     "1: cuda stream id '99999999999999999999', expected 0 to 9223372036854775807"},
    {"-enable lineinfo = 2\n#\n", "1: enable lineinfo '2', expected 0 to 1"},
    {"-local mem base_addr = 0xzz\n#\n",
     "1: local mem base_addr '0xzz', expected a hexadecimal number of at most 64 bits"},
    {HEADER("1,1,1", "32,1,1", "7"), "11: accelsim tracer version '7', expected 1 to 6"},
    {HEADER("99999,99999,1", "32,1,1", "5"), "3: the grid has more than 2^31 CTAs"},
    {HEADER("1,1,1", "64,64,1", "5"), "4: '(64,64,1)', expected a block of at most 2048 threads"},
    {HEADER("2,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n",
     "18: the file ends behind 1 of the 2 CTAs of kernel k"},
    {HEADER("1,1,1", "32,1,1", "5") "warp = 0\n",
     "16: 'warp = 0', expected '#BEGIN_TB', which Accel-Sim's post-traces-processing writes"},
    {HEADER("1,1,1", "32,1,1", "5") "#BEGIN_TB\nwarp = 0\n",
     "17: 'warp = 0', expected 'thread block = x,y,z'"},
    {HEADER("1,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 0,1,0\n",
     "17: 'thread block = 0,1,0', expected a CTA inside the grid"},
    {HEADER("2,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n"
                                    "#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n",
     "20: 'thread block = 1,0,0', expected each CTA once"},
    {HEADER("1,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 0\n",
     "18: warp '1', expected 0 to 0"},
    {HEADER("1,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n#END_TB\n",
     "19: '#END_TB', expected 'insts = COUNT'"},
    {HEADER("1,1,1", "32,1,1", "5") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = -1\n",
     "19: insts '-1', expected 0 to 9223372036854775807"},
    {CTA "0008 ffffffff 0 EXIT 0 0\nwarp = 0\ninsts = 1\n", "21: warp 0 stands twice in this CTA"},
    {CTA "", "19: the file ends here, expected an instruction" IN_CTA},
    {CTA "0008 ffffffff 0 EXIT 0 0\n",
     "20: the file ends here, expected 'warp = N' or '#END_TB'" IN_CTA},
    {CTA "0008 fff", "20: the destination register is missing, expected a decimal number; "
                     "the file ends here" IN_CTA},
    {CTA "0008 ffffffff 0 EXIT 0 0\n#EN",
     "21: '#EN', expected 'warp = N' or '#END_TB'; the file ends here" IN_CTA},
    {CTA "#END_TB\n", "20: the warp ends after 0 instructions, expected 1"},
    {CTA "0008 ffffffff 0 NOP 0 0\n0010 ffffffff 0 EXIT 0 0" END,
     "21: '0010 ffffffff 0 EXIT 0 0', expected 'warp = N' or '#END_TB'"},
    {CTA "xyz ffffffff 0 EXIT 0 0" END,
     "20: program counter 'xyz', expected a hexadecimal number of at most 64 bits"},
    {CTA "0008 fffffffff 0 EXIT 0 0" END,
     "20: active mask 'fffffffff', expected a hexadecimal number of 32 bits"},
    {CTA "0008 ffffffff x EXIT 0 0" END, "20: destination register 'x', expected a decimal number"},
    {CTA "0008 ffffffff 1 EXIT 0 0" END,
     "20: destination register 'EXIT', expected a register from R0 to R255"},
    {CTA "0008 ffffffff 1 R256 MOV 0 0" END,
     "20: destination register 'R256', expected a register from R0 to R255"},
    {CTA "0008 ffffffff 0 ldg 0 0" END,
     "20: opcode 'ldg', expected a dotted SASS name in capitals"},
    {CTA "0008 ffffffff 0 MOV 2 R1" END,
     "20: the source register is missing, expected a register from R0 to R255"},
    {CTA "0008 ffffffff 0 MOV 0" END, "20: the memory width is missing, expected a decimal number"},
    {CTA "0008 ffffffff 0 MOV 0 0 7" END, "20: surplus text '7', expected the end of the line"},
    {CTA "0008 00000003 0 STG.E 1 R2 4 3 0x1000 4" END, "20: address mode '3', expected 0, 1 or 2"},
    {CTA "0008 00000005 0 STG.E 1 R2 4 1 0x1000 4" END,
     "20: address mode '1', expected 0 or 2, since the active lanes are no run"},
    {CTA "0008 00000003 0 STG.E 1 R2 4 0 0x1000" END,
     "20: the address is missing, expected a hexadecimal number of at most 64 bits"},
    {CTA "0008 00000003 0 STG.E 1 R2 4 0 0x1000 0x1004 0x1008" END,
     "20: surplus text '0x1008', expected the end of the line"},
    {CTA "0008 00000003 0 STG.E 1 R2 4 1 0x1000" END,
     "20: the stride is missing, expected a decimal number"},
    {CTA "0008 00000003 0 STG.E 1 R2 4 2 0x1000 0x4" END,
     "20: address delta '0x4', expected a decimal number"},
    {CTA_6 "0008 ffffffff 1 R1 MOV 1 R2 0 0 0 Val 1 0x5 2 0x6 0x7" END,
     "20: number of values '2', expected 1 or 32 of a register"},
    {CTA_6 "0008 ffffffff 1 R1 MOV 1 R2 0 0 0 Val 1 0x5" END,
     "20: the number of values is missing, expected a decimal number"},
    {CTA_6 "0008 ffffffff 1 R1 HGMMA.64x8x16.F16 1 R2 7 0 0 0 NoVal" END,
     "20: end of a group '7', expected 0 to 1"},
    {CTA_6 "0008 ffffffff 1 R1 MOV 1 R2 0 0 0 NoVal 3" END,
     "20: surplus text '3', expected the end of the line"},
    {CTA "0008 00000001 0 STG.E 1 R2 4 2 0x11112222333344445" END,
     "20: base address '0x11112222333344445', expected a hexadecimal number of at most 64 bits"},
};

static char *read_to_error(const char *path)
{
    g_autoptr(GError) error = NULL;
    Kernel *kernel = trace_kernel_new(path, &error);
    uint64_t cta;
    for (void *stream; kernel && (stream = kernel->class->open_cta(kernel, &cta, &error));)
        kernel->class->close_cta(kernel, stream);
    kernel_free(kernel);
    return error ? g_strdup(error->message) : g_strdup("no error");
}

START_TEST(a_broken_line_is_named_with_its_number)
{
    char *folder = temporary_folder();
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", broken[_i].text);
    g_autofree char *message = read_to_error(path);
    g_autofree char *expected = g_strconcat(path, ":", broken[_i].message, NULL);
    ck_assert_str_eq(message, expected);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_line_longer_than_the_buffer_is_refused)
{
    char *folder = temporary_folder();
    g_autofree char *blanks = g_strnfill(300 * 1024, ' ');
    g_autofree char *text = g_strconcat("-kernel name = k\n", blanks, NULL);
    g_autofree char *path = temporary_file(folder, "kernel-1.traceg", text);
    g_autofree char *message = read_to_error(path);
    ck_assert_msg(g_str_has_suffix(message, ":2: the line is longer than 256 KiB"), "%s", message);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
    g_autofree char *message = read_to_error("no/such.traceg");
    ck_assert_str_eq(message, "no/such.traceg: cannot be read: No such file or directory");
}
END_TEST

/* Compressed data that are cut off, and that have a byte changed, for gzip and xz. */
static const struct {
    const char *compression;
    bool cut;
    const char *message;
} damaged[] = {
    {"gz", true, "the compressed data end early"},
    {"xz", true, "the compressed data end early"},
    {"gz", false, "the gzip data are damaged"},
    {"xz", false, "the xz data are damaged"},
};

START_TEST(damaged_compressed_data_are_refused)
{
    g_autofree char *setting = g_strconcat("compression=", damaged[_i].compression, NULL);
    const char *const settings[] = {setting, "ctas=2", NULL};
    char *folder = temporary_folder();
    g_autoptr(GError) error = NULL;
    ck_assert(trace_generate("random", settings, folder, &error));
    g_autofree char *name = g_strconcat("kernel-1.traceg.", damaged[_i].compression, NULL);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *bytes = NULL;
    gsize length;
    ck_assert(g_file_get_contents(path, &bytes, &length, NULL));
    if (!damaged[_i].cut) memset(bytes + length / 2, 0xff, 16);
    ck_assert(g_file_set_contents(path, bytes,
                                  damaged[_i].cut ? (gssize)length / 2 : (gssize)length, NULL));
    g_autofree char *message = read_to_error(path);
    ck_assert(g_str_has_prefix(message, path));
    ck_assert_msg(strstr(message, damaged[_i].message), "%s", message);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("trace errors");
    tcase_add_loop_test(cases, a_broken_list_is_named_with_its_line, 0, G_N_ELEMENTS(bad_lists));
    tcase_add_loop_test(cases, a_broken_line_is_named_with_its_number, 0, G_N_ELEMENTS(broken));
    tcase_add_test(cases, a_line_longer_than_the_buffer_is_refused);
    tcase_add_test(cases, a_missing_file_is_named);
    tcase_add_loop_test(cases, damaged_compressed_data_are_refused, 0, G_N_ELEMENTS(damaged));
    Suite *suite = suite_create("trace errors");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
