/* Pages in blocks, and the neighbours that a fault brings. */
#include "rigs/harness.h"

#include "parts/address/paging.h"

#include <string.h>

enum { KIB = 1024 };

static Paging paging_of(uint64_t page_kib, uint64_t block_kib, uint64_t memory_kib)
{
    return (Paging){.mode = PAGING_DEMAND,
                    .page_bytes = page_kib * KIB,
                    .block_bytes = block_kib * KIB,
                    .memory_bytes = memory_kib * KIB};
}

START_TEST(an_address_has_a_block_and_a_page_in_it)
{
    Paging paging = paging_of(64, 512, 0);
    ck_assert(paging_setup(&paging, 4096 * KIB, NULL));
    ck_assert_uint_eq(paging.pages, 64);
    ck_assert_uint_eq(paging_all(&paging), 0xff);
    ck_assert_uint_eq(paging_block(&paging, 513 * KIB), 1);
    ck_assert_uint_eq(paging_page(&paging, 511 * KIB), 0x80);
    ck_assert_uint_eq(paging_page(&paging, 577 * KIB), 0x02);
}
END_TEST

/* Halves of halves around the page: more than half of one has to be there, or it is left alone. */
START_TEST(the_largest_part_of_which_more_than_half_is_present_comes)
{
    static const struct {
        uint64_t present, page, found;
    } rows[] = {
        {0x01, 0x01, 0x01}, /* one of two */
        {0x03, 0x02, 0x03}, /* both; two of four */
        {0x07, 0x04, 0x0f}, /* three of four; three of eight */
        {0x1f, 0x10, 0xff}, /* five of eight */
        {0x87, 0x80, 0x80}, /* four of eight, and one of the upper four */
        {0xe8, 0x08, 0x08},
    };
    Paging paging = paging_of(64, 512, 0);
    ck_assert(paging_setup(&paging, 4096 * KIB, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_uint_eq(paging_neighbours(&paging, rows[i].present, rows[i].page), rows[i].found);
}
END_TEST

START_TEST(a_block_is_1_to_64_pages_and_memory_two_blocks_or_more)
{
    static const struct {
        uint64_t page, block, memory; /* KiB */
        const char *message;          /* NULL: good */
    } rows[] = {
        {64, 4096, 8192, NULL},
        {64, 64, 128, NULL},
        {48, 2048, 0, "paging.page_bytes = 49152 B: must be a power of two"},
        {64, 8192, 0, "paging.block_bytes = 8388608 B: must be a power of two and 1 to 64 pages"},
        {64, 32, 0, "paging.block_bytes"},
        {64, 2048, 2048, "paging.memory_bytes = 2097152 B: less than two blocks"},
        {64, 2048, 16448, "paging.memory_bytes = 16842752 B: more than the DRAM channels hold"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        Paging paging = paging_of(rows[i].page, rows[i].block, rows[i].memory);
        ck_assert(paging_setup(&paging, 16384 * KIB, &error) == !rows[i].message);
        if (rows[i].message)
            ck_assert_msg(strstr(error->message, rows[i].message), "%s", error->message);
    }
}
END_TEST

HARNESS_MAIN("paging", an_address_has_a_block_and_a_page_in_it,
             the_largest_part_of_which_more_than_half_is_present_comes,
             a_block_is_1_to_64_pages_and_memory_two_blocks_or_more)
