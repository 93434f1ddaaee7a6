/* The line at the bottom of a terminal. */
#include <fcntl.h>
#include <unistd.h>

#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/run/status_line.h"

/* What goes to standard error where the terminal is so wide, newly allocated. */
static char *shown(const char *text, const char *columns)
{
    char *folder = temporary_folder(), *written = NULL;
    g_autofree char *path = temporary_file(folder, "errors", "");
    const int file = open(path, O_WRONLY), before = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    g_setenv("COLUMNS", columns, TRUE);
    status_line_show(text);
    dup2(before, STDERR_FILENO);
    close(before);
    close(file);
    ck_assert(g_file_get_contents(path, &written, NULL, NULL));
    temporary_remove(folder);
    return written;
}

START_TEST(the_line_is_shorter_than_the_terminal_is_wide)
{
    g_autofree char *narrow = shown("baseline (1 of 4): 45 %, 35.6 us simulated", "20"),
                    *wide = shown("baseline (1 of 4)", "60"),
                    *letters = shown("\303\244\303\266\303\274\303\237", "4"),
                    *unknown = shown("baseline", "many");
    ck_assert_str_eq(narrow, "\r\033[Kbaseline (1 of 4): ");
    ck_assert_str_eq(wide, "\r\033[Kbaseline (1 of 4)");
    ck_assert_str_eq(letters, "\r\033[K\303\244\303\266\303\274");
    ck_assert_str_eq(unknown, "\r\033[Kbaseline");
}
END_TEST

START_TEST(there_is_none_where_nothing_can_be_taken_away)
{
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
    ck_assert(!grantpt(terminal) && !unlockpt(terminal));
    const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    dup2(other, STDERR_FILENO);
    g_setenv("TERM", "xterm", TRUE);
    const bool fits = status_line_fits();
    g_setenv("TERM", "dumb", TRUE);
    const bool dumb = status_line_fits();
    dup2(before, STDERR_FILENO);
    close(before);
    close(other);
    close(terminal);
    ck_assert(fits && !dumb);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("status_line");
    tcase_add_test(cases, the_line_is_shorter_than_the_terminal_is_wide);
    tcase_add_test(cases, there_is_none_where_nothing_can_be_taken_away);
    Suite *suite = suite_create("status_line");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
