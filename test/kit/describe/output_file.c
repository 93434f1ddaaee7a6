/* Files that appear whole or not at all, on a disk that takes so much and no more. */
#include "kit/describe/output_file.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"

#include <check.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    char *folder, *path;
} Place;

static Place new_place(void)
{
    Place place = {.folder = g_dir_make_tmp("output-XXXXXX", NULL)};
    ck_assert_ptr_nonnull(place.folder);
    place.path = g_build_filename(place.folder, "file", NULL);
    return place;
}

/* Only what the test put there may be left. */
static void remove_place(Place *place)
{
    g_unlink(place->path);
    ck_assert_int_eq(g_rmdir(place->folder), 0);
    g_free(place->path);
    g_free(place->folder);
}

static void expect(const Place *place, const char *text)
{
    g_autofree char *found = NULL;
    ck_assert(g_file_get_contents(place->path, &found, NULL, NULL));
    ck_assert_str_eq(found, text);
    ck_assert_uint_eq(temporary_count(place->folder), 1);
}

START_TEST(a_file_has_its_text_and_takes_the_place_of_the_old_one)
{
    Place place = new_place();
    ck_assert_int_eq(output_file_check(place.path), 0);
    ck_assert_uint_eq(temporary_count(place.folder), 0);
    ck_assert_int_eq(output_file_write(place.path, "old", 3), 0);
    expect(&place, "old");
    ck_assert_int_eq(output_file_write(place.path, "new text", 8), 0);
    expect(&place, "new text");
    remove_place(&place);
}
END_TEST

START_TEST(a_file_is_readable_as_others_are)
{
    Place place = new_place();
    struct stat status;
    umask(022);
    ck_assert_int_eq(output_file_write(place.path, "", 0), 0);
    ck_assert_int_eq(g_stat(place.path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0644);
    remove_place(&place);
}
END_TEST

START_TEST(until_it_is_published_the_old_one_stands)
{
    int code = 1;
    Place place = new_place();
    ck_assert_int_eq(output_file_write(place.path, "old", 3), 0);
    OutputFile *file = output_file_open(place.path, &code);
    ck_assert_int_eq(code, 0);
    fputs("new", output_file_stream(file));
    ck_assert_str_ne(output_file_place(file), place.path);
    ck_assert_int_eq(output_file_finish(file), 0);
    g_autofree char *old = NULL, *new = NULL;
    ck_assert(g_file_get_contents(place.path, &old, NULL, NULL));
    ck_assert(g_file_get_contents(output_file_place(file), &new, NULL, NULL));
    ck_assert_str_eq(old, "old");
    ck_assert_str_eq(new, "new");
    ck_assert_int_eq(output_file_publish(file), 0);
    output_file_free(file);
    expect(&place, "new");
    remove_place(&place);
}
END_TEST

START_TEST(what_is_not_published_is_removed)
{
    int code = 1;
    Place place = new_place();
    OutputFile *file = output_file_open(place.path, &code);
    fputs("new", output_file_stream(file));
    ck_assert_uint_eq(temporary_count(place.folder), 1);
    output_file_free(file);
    ck_assert_uint_eq(temporary_count(place.folder), 0);
    output_file_free(output_file_prepare(place.path, "new", 3, &code));
    ck_assert_int_eq(code, 0);
    remove_place(&place);
}
END_TEST

static void end_by(int number, bool in_a_child)
{
    output_file_clean_up_on_signals();
    if (!in_a_child) raise(number);
    if (!fork()) raise(number);
    wait(NULL);
    _exit(0);
}

/* Several, of which the second is removed already and the third published. The child of a process
 * does not remove what is its parent's. */
START_TEST(a_signal_removes_what_is_not_published)
{
    enum { FILES = 4 };
    const bool in_a_child = _i == 1;
    int code, state = 0;
    Place place = new_place();
    const pid_t child = fork();
    if (!child) {
        OutputFile *file[FILES];
        for (guint i = 0; i < FILES; i++)
            file[i] = output_file_prepare(place.path, "new", 3, &code);
        output_file_free(file[1]);
        output_file_publish(file[2]);
        signal(SIGTERM, SIG_DFL);
        end_by(SIGTERM, in_a_child);
    }
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(WIFSIGNALED(state), !in_a_child);
    if (!in_a_child) expect(&place, "new");
    ck_assert_uint_eq(temporary_count(place.folder), in_a_child ? 3 : 1);
    g_autoptr(GDir) files = g_dir_open(place.folder, 0, NULL);
    for (const char *name; (name = g_dir_read_name(files));) {
        g_autofree char *path = g_build_filename(place.folder, name, NULL);
        g_unlink(path);
    }
    remove_place(&place);
}
END_TEST

/* Less than a buffer, which only the end writes, and more, which fails before. */
START_TEST(a_full_disk_leaves_the_old_one)
{
    static const gsize sizes[] = {2000, 1000000};
    Place place = new_place();
    g_autofree char *text = g_strnfill(sizes[_i], 'x');
    ck_assert_int_eq(output_file_write(place.path, "old", 3), 0);
    temporary_limit(1000);
    const int code = output_file_write(place.path, text, sizes[_i]);
    temporary_limit(RLIM_INFINITY);
    ck_assert_int_eq(code, EFBIG);
    expect(&place, "old");
    remove_place(&place);
}
END_TEST

START_TEST(what_is_no_file_is_written_in_place)
{
    Place place = new_place();
    g_autofree char *text = NULL;
    ck_assert_int_eq(symlink("/dev/null", place.path), 0);
    ck_assert_int_eq(output_file_check(place.path), 0);
    ck_assert_int_eq(output_file_write(place.path, "text", 4), 0);
    ck_assert_uint_eq(temporary_count(place.folder), 1);
    ck_assert(g_file_test(place.path, G_FILE_TEST_IS_SYMLINK));
    remove_place(&place);
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) return;
    ck_assert_int_eq(output_file_write("/dev/full", "text", 4), ENOSPC);
}
END_TEST

START_TEST(a_place_that_cannot_be_written_is_said_before)
{
    Place place = new_place();
    g_autofree char *below = g_build_filename(place.path, "file", NULL);
    ck_assert_int_eq(output_file_check(place.folder), EISDIR);
    ck_assert_int_eq(output_file_check(below), ENOENT);
    ck_assert_int_eq(output_file_check("/dev/null/file"), ENOTDIR);
    ck_assert_int_eq(output_file_check("-"), 0);
    ck_assert_int_eq(output_file_write(below, "text", 4), ENOENT);
    ck_assert_int_eq(output_file_write(place.folder, "text", 4), EISDIR);
    remove_place(&place);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, a_file_has_its_text_and_takes_the_place_of_the_old_one);
    tcase_add_test(cases, a_file_is_readable_as_others_are);
    tcase_add_test(cases, until_it_is_published_the_old_one_stands);
    tcase_add_test(cases, what_is_not_published_is_removed);
    tcase_add_loop_test(cases, a_signal_removes_what_is_not_published, 0, 2);
    tcase_add_loop_test(cases, a_full_disk_leaves_the_old_one, 0, 2);
    tcase_add_test(cases, what_is_no_file_is_written_in_place);
    tcase_add_test(cases, a_place_that_cannot_be_written_is_said_before);
    Suite *suite = suite_create("output_file");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
