#include "parts/sparse.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "rigs/harness.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

static bool is_filled(const unsigned char *bytes, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value) return false;
    return true;
}

/* Among them some that are larger than what shares a block; given again after having been used. */
START_TEST(what_is_given_is_zero_and_begins_a_line_and_nobody_elses)
{
    static const size_t sizes[] = {1, 200, 64, 3 << 20, 65, 200000, 262144, 262145, 700000, 8};
    unsigned char *given[G_N_ELEMENTS(sizes)];
    for (int round = 0; round < 4; round++) {
        for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
            given[i] = (round + i) % 2 ? sparse_new_dense(sizes[i]) : sparse_new(sizes[i]);
            ck_assert_uint_eq((uintptr_t)given[i] % HOST_LINE, 0);
            ck_assert(is_zero(given[i], sizes[i]));
            memset(given[i], (int)i + 1, sizes[i]);
        }
        for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
            ck_assert(is_filled(given[i], sizes[i], (int)i + 1));
        for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) sparse_free(given[i]);
    }
    sparse_free(NULL);
}
END_TEST

static size_t mapped_bytes(void)
{
    g_autofree char *text = NULL;
    size_t pages = 0;
    ck_assert(g_file_get_contents("/proc/self/statm", &text, NULL, NULL));
    ck_assert_int_eq(sscanf(text, "%zu", &pages), 1);
    return pages * 4096;
}

/* 400 MB in all, of which at most a block of 1 MiB and what malloc keeps stay. */
START_TEST(what_is_freed_is_the_systems_again)
{
    const size_t before = mapped_bytes();
    void *given[4000];
    for (guint i = 0; i < G_N_ELEMENTS(given); i++) given[i] = sparse_new(100000);
    ck_assert_uint_gt(mapped_bytes(), before + 400000000 - (1 << 20));
    for (guint i = 0; i < G_N_ELEMENTS(given); i++) sparse_free(given[i]);
    ck_assert_uint_le(mapped_bytes(), before + (4 << 20));
}
END_TEST

/* Page faults of 12 MiB, as a small machine's; all of it is zero, and used. */
static long count_faults(void)
{
    enum { PARTS = 60, BYTES = 200000 };
    unsigned char *given[PARTS];
    struct rusage before, after;
    bool zero = true;
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < PARTS; i++) {
        given[i] = sparse_new_dense(BYTES);
        zero &= is_zero(given[i], BYTES);
        memset(given[i], 1, BYTES);
    }
    for (int i = 0; i < PARTS; i++) sparse_free(given[i]);
    getrusage(RUSAGE_SELF, &after);
    ck_assert(zero);
    return after.ru_minflt - before.ru_minflt;
}

START_TEST(where_machines_follow_each_other_the_next_one_has_the_pages_of_the_last)
{
    const long first = count_faults(), second = count_faults();
    ck_assert_int_le(2 * second, first);
}
END_TEST

HARNESS_MAIN("sparse", what_is_given_is_zero_and_begins_a_line_and_nobody_elses,
             what_is_freed_is_the_systems_again,
             where_machines_follow_each_other_the_next_one_has_the_pages_of_the_last)
