/* Lists of requests and matrices, of each format, and what is wrong with them. */
#include "workloads/traffic/requests.h"

#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "workloads/traffic/matrix.h"

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static GArray *read_text(const char *text, Format format, GError **error)
{
    g_autofree char *path = temporary_file(folder, "list", text);
    return requests_read(path, format, 32, 128, error);
}

static const struct {
    Format format;
    const char *text;
    uint64_t second; /* cycle of the second */
} formats[] = {
    {REQUESTS_PLAIN, "# a comment\n0 0x100 R\n\n 7\t512 W # at last\n", 7},
    {REQUESTS_PLAIN, "\xef\xbb\xbf\n0 0x100 R\n7 0x200 W\n", 7},
    {REQUESTS_DRAMSIM3, "0x100 READ 0\n0x200 WRITE 7\n", 7},
    {REQUESTS_RAMULATOR, "0x100 R\n0x200 W\n", 0},
    {REQUESTS_DRAMSYS, "0: read 0x100\n7:\twrite 0x200", 7},
};

START_TEST(each_format_has_its_order_of_words)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) requests = read_text(formats[_i].text, formats[_i].format, &error);
    ck_assert_msg(requests, "%s", error ? error->message : "");
    ck_assert_uint_eq(requests->len, 2);
    const TrafficRequest first = g_array_index(requests, TrafficRequest, 0),
                         second = g_array_index(requests, TrafficRequest, 1);
    ck_assert(first.address == 0x100 && !first.write && first.cycle == 0);
    ck_assert(second.address == 0x200 && second.write && second.cycle == formats[_i].second);
}
END_TEST

static const struct {
    const char *text, *says;
} broken[] = {
    {"0 0x100 R\n1 0x200\n", "list:2: 2 words, expected cycle address R|W"},
    {"0 0x100 X\n", "list:1: 'X' is no operation, R, READ, W or WRITE"},
    {"0 0xfg R\n", "list:1: '0xfg' is no address"},
    {"-1 0x100 R\n", "list:1: '-1' is no cycle"},
    {"5 0x100 R\n4 0x100 R\n", "list:2: cycle 4 comes after cycle 5"},
    {"0 0x170 R\n", "list:1: 32 B from 0x170 on are not in one line of 128 B"},
    {"0 0xffffffffffffffff R\n", "list:1: '0xffffffffffffffff' is no address"},
    {"# nothing\n", "list:1: the file has no request"},
    {"", "list: the file has no request"},
};

START_TEST(a_broken_line_is_named)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) requests = read_text(broken[_i].text, REQUESTS_PLAIN, &error);
    ck_assert(!requests);
    ck_assert_msg(strstr(error->message, broken[_i].says), "%s", error->message);
}
END_TEST

START_TEST(a_compressed_list_is_the_same)
{
    g_autofree char *path = temporary_file(folder, "list", "0 0x100 R\n3 0x200 W\n");
    g_autofree char *line = g_strdup_printf("gzip %s", path);
    ck_assert(g_spawn_command_line_sync(line, NULL, NULL, NULL, NULL));
    g_autofree char *compressed = g_strconcat(path, ".gz", NULL);
    g_autoptr(GArray) requests = requests_read(compressed, REQUESTS_PLAIN, 32, 128, NULL);
    ck_assert_uint_eq(requests->len, 2);
    ck_assert_uint_eq(g_array_index(requests, TrafficRequest, 1).cycle, 3);
}
END_TEST

/* --- matrices --- */

static double *read_matrix(const char *text, GError **error)
{
    g_autofree char *path = temporary_file(folder, "matrix", text);
    return matrix_read(path, 2, 3, error);
}

START_TEST(a_matrix_has_a_line_each_source)
{
    g_autofree double *matrix = read_matrix("0 0.5 0.25 # SM 0\n1e-1 0 0\n", NULL);
    static const double expected[] = {0, 0.5, 0.25, 0.1, 0, 0};
    ck_assert_ptr_nonnull(matrix);
    for (guint i = 0; i < 6; i++) ck_assert_double_eq(matrix[i], expected[i]);
}
END_TEST

static const struct {
    const char *text, *says;
} broken_matrices[] = {
    {"0 0 1\n0 1\n", "matrix:2: 2 numbers for 3 destinations"},
    {"0 0 1\n", "matrix:1: the file ends after 1 of 2 sources"},
    {"0 0 1\n0 0 1\n0 0 1\n", "matrix:3: more lines than the 2 sources"},
    {"0 0 -1\n0 0 1\n", "matrix:1: '-1' is no number from 0 on"},
    {"0 0 nan\n0 0 1\n", "matrix:1: 'nan' is no number from 0 on"},
};

START_TEST(a_broken_matrix_is_named)
{
    g_autoptr(GError) error = NULL;
    g_autofree double *matrix = read_matrix(broken_matrices[_i].text, &error);
    ck_assert(!matrix);
    ck_assert_msg(strstr(error->message, broken_matrices[_i].says), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("requests");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_loop_test(cases, each_format_has_its_order_of_words, 0, (int)G_N_ELEMENTS(formats));
    tcase_add_loop_test(cases, a_broken_line_is_named, 0, (int)G_N_ELEMENTS(broken));
    tcase_add_test(cases, a_compressed_list_is_the_same);
    tcase_add_test(cases, a_matrix_has_a_line_each_source);
    tcase_add_loop_test(cases, a_broken_matrix_is_named, 0, (int)G_N_ELEMENTS(broken_matrices));
    return harness_run_cases("requests", cases);
}
