#include "parts/address/frames.h"

#include "rigs/harness.h"

enum { KIB = 1024 };

static Frames make(uint64_t pages, uint64_t seed)
{
    Frames frames = {.page_bytes = 4 * KIB, .frames = FRAMES_SCATTERED, .seed = seed};
    ck_assert(frames_setup(&frames, pages * 4 * KIB, 1, NULL));
    return frames;
}

static uint64_t page_of(const Frames *frames, uint64_t page)
{
    return frames_physical(frames, page * 4 * KIB) / (4 * KIB);
}

START_TEST(identity_changes_nothing)
{
    Frames frames = {.page_bytes = 4 * KIB};
    ck_assert(frames_setup(&frames, 100, 1, NULL)); /* no whole page, and it does not matter */
    ck_assert_uint_eq(frames_physical(&frames, 0x123456789), 0x123456789);
    ck_assert_uint_eq(frames_virtual(&frames, 0x123456789), 0x123456789);
}
END_TEST

START_TEST(every_page_has_a_frame_of_its_own_and_comes_back)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 64, 100, 1000, 4096, 4097};
    for (guint n = 0; n < G_N_ELEMENTS(sizes); n++) {
        const Frames frames = make(sizes[n], 7);
        g_autofree bool *taken = g_new0(bool, sizes[n]);
        for (uint64_t page = 0; page < sizes[n]; page++) {
            const uint64_t frame = page_of(&frames, page);
            ck_assert_uint_lt(frame, sizes[n]);
            ck_assert(!taken[frame]);
            taken[frame] = true;
            ck_assert_uint_eq(frames_virtual(&frames, frame * 4 * KIB), page * 4 * KIB);
        }
    }
}
END_TEST

START_TEST(bytes_keep_their_place_in_the_page)
{
    const Frames frames = make(1000, 7);
    const uint64_t first = frames_physical(&frames, 77 * 4 * KIB);
    ck_assert_uint_eq(first % (4 * KIB), 0);
    ck_assert_uint_eq(frames_physical(&frames, 77 * 4 * KIB + 4095), first + 4095);
}
END_TEST

/* Addresses of real programs lie far beyond the memory's size. */
START_TEST(addresses_beyond_the_memory_are_permuted_within_their_multiple_of_it)
{
    const Frames frames = make(1000, 7);
    guint others = 0;
    for (uint64_t page = 0; page < 1000; page++) {
        const uint64_t far = UINT64_C(3000000) + page, frame = page_of(&frames, far);
        ck_assert_uint_ge(frame, 3000000);
        ck_assert_uint_lt(frame, 3001000);
        ck_assert_uint_eq(frames_virtual(&frames, frame * 4 * KIB), far * 4 * KIB);
        others += frame - 3000000 != page_of(&frames, page);
    }
    ck_assert_uint_gt(others, 900);
}
END_TEST

/* A permutation at random keeps one page in its place on average, and one neighbour beside it. */
START_TEST(pages_are_scattered_and_the_seed_says_how)
{
    const Frames frames = make(4096, 7), other = make(4096, 8);
    guint kept = 0, neighbours = 0, same = 0;
    for (uint64_t page = 0; page < 4095; page++) {
        kept += page_of(&frames, page) == page;
        neighbours += page_of(&frames, page + 1) == page_of(&frames, page) + 1;
        same += page_of(&frames, page) == page_of(&other, page);
    }
    ck_assert_uint_lt(kept, 8);
    ck_assert_uint_lt(neighbours, 8);
    ck_assert_uint_lt(same, 8);
}
END_TEST

START_TEST(sizes_that_cannot_be_are_refused)
{
    static const struct {
        Frames frames;
        const char *message;
    } rows[] = {
        {{.page_bytes = 5000}, "pages.page_bytes = 5000 B: must be a power of two"},
        {{.page_bytes = 4096, .frames = FRAMES_SCATTERED, .memory_bytes = 5000},
         "pages.memory_bytes = 5000 B: not a whole number of pages (page_bytes)"},
        {{.page_bytes = 1 << 20, .frames = FRAMES_SCATTERED},
         "pages.memory_bytes = 65536 B: not a whole number of pages (page_bytes)"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Frames frames = rows[i].frames;
        g_autoptr(GError) error = NULL;
        ck_assert(!frames_setup(&frames, 65536, 1, &error));
        ck_assert_str_eq(error->message, rows[i].message);
    }
    Frames nowhere = {.page_bytes = 4096, .frames = FRAMES_SCATTERED};
    ck_assert(!frames_setup(&nowhere, 0, 1, NULL));
}
END_TEST

HARNESS_MAIN("frames", identity_changes_nothing, every_page_has_a_frame_of_its_own_and_comes_back,
             bytes_keep_their_place_in_the_page,
             addresses_beyond_the_memory_are_permuted_within_their_multiple_of_it,
             pages_are_scattered_and_the_seed_says_how, sizes_that_cannot_be_are_refused)
