/* Several runs in one test: SimGrid's engine starts once a process, so each has one of its own. */
#pragma once

#include <check.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls `work` in a child process, which fills `size` bytes (at most a pipe's 4 KiB) at `result`. A
 * failed assertion in the child fails the test. */
static inline void run_apart(void (*work)(const void *input, void *result), const void *input,
                             void *result, size_t size)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        work(input, result);
        _exit(write(ends[1], result, size) == (ssize_t)size ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], result, size);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    ck_assert_int_eq(got, (ssize_t)size);
}
