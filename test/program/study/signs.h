/* Points that meet, or hold until they are told to go: no clock decides what a case sees. */
#pragma once

#include <check.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a case and its points tell each other, whatever the machine is busy with. */
typedef struct {
    int begun[2], go[2];        /* pipes */
    guint *met, *inside, *most; /* of all processes; GLib's atomics */
} Signs;
static Signs signs;

static inline void signs_new(void)
{
    guint *shared =
        mmap(NULL, 3 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(shared != MAP_FAILED);
    ck_assert_int_eq(pipe(signs.begun), 0);
    ck_assert_int_eq(pipe(signs.go), 0);
    signs.met = shared, signs.inside = shared + 1, signs.most = shared + 2;
}

/* Says that it has begun, and goes on when it is told to. */
static inline void hold(void)
{
    char byte = 'x';
    if (write(signs.begun[1], &byte, 1) != 1 || read(signs.go[0], &byte, 1) != 1) _exit(97);
}

static inline void wait_until_it_holds(void)
{
    char byte;
    ck_assert_int_eq(read(signs.begun[0], &byte, 1), 1);
}

static inline void let_go(void)
{
    ck_assert_int_eq(write(signs.go[1], "x", 1), 1);
}

/* Ends when a second one has come, so that a pool that runs one at a time never ends. */
static inline void meet(void)
{
    const guint ticket = (guint)g_atomic_int_add(signs.met, 1);
    const guint inside = (guint)g_atomic_int_add(signs.inside, 1) + 1;
    if (inside > *signs.most) g_atomic_int_set(signs.most, inside);
    while ((guint)g_atomic_int_get(signs.met) < (ticket | 1) + 1) g_usleep(1000);
    g_atomic_int_add(signs.inside, -1);
}

/* In a call that waits: from then on it notices that it was stopped. */
static inline void wait_until_it_sleeps(pid_t pid)
{
    g_autofree char *name = g_strdup_printf("/proc/%d/stat", (int)pid);
    for (bool sleeps = false; !sleeps; g_usleep(1000)) {
        g_autofree char *text = NULL;
        ck_assert(g_file_get_contents(name, &text, NULL, NULL));
        sleeps = strstr(text, ") S ") != NULL;
    }
}
