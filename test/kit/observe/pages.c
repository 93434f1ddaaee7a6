#include "kit/observe/pages.h"

#include <check.h>
#include <string.h>

#include "kit/gpu/message.h"
#include "rigs/harness.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

/* Among them one that is larger than a block of the arena. */
START_TEST(what_an_arena_gives_is_zero_and_begins_a_line_and_nobody_elses)
{
    static const size_t sizes[] = {1, 200, 64, 3 << 20, 65, 700000, 700000, 8};
    unsigned char *given[G_N_ELEMENTS(sizes)];
    PageArena arena = {0};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        given[i] = page_arena_take(&arena, sizes[i]);
        ck_assert_uint_eq((uintptr_t)given[i] % HOST_LINE, 0);
        ck_assert(is_zero(given[i], sizes[i]));
        memset(given[i], (int)i + 1, sizes[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        for (size_t k = 0; k<sizes[i]; k += sizes[i]> 1 ? sizes[i] - 1 : 1)
            ck_assert_uint_eq(given[i][k], i + 1);
    page_arena_finish(&arena);
    ck_assert_ptr_null(arena.block);
}
END_TEST

HARNESS_MAIN("pages", what_an_arena_gives_is_zero_and_begins_a_line_and_nobody_elses)
