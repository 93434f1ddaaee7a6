#include "parts/address/page_table.h"

#include "rigs/harness.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

/* Pages of 2 MiB, of which an entry of the TLB covers 16: their 8-byte entries are a line. */
static const PageTable table = {.page_bytes = 2 * MIB,
                                .tlb_entry_bytes = 32 * MIB,
                                .directory_entry_bytes = UINT64_C(512) * MIB,
                                .fanout_bits = 9,
                                .line_bytes = 128,
                                .sector_bytes = 32};

static void expect(PageTablePlace place, PageTablePlace first, uint64_t offset, uint16_t sectors)
{
    ck_assert_uint_eq(place.line, first.line + offset);
    ck_assert_uint_eq(place.sectors, sectors);
}

START_TEST(what_an_entry_of_the_TLB_covers_is_read_together)
{
    const PageTablePlace first = page_table_place(&table, 0, 0);
    expect(first, first, 0, 15);
    expect(page_table_place(&table, 0, 32 * MIB - 1), first, 0, 15);
    expect(page_table_place(&table, 0, 32 * MIB), first, 128, 15);
}
END_TEST

/* An entry of 8 bytes covers 512 MiB, then 256 GiB: four are a sector. */
START_TEST(neighbours_of_a_directory_share_a_sector)
{
    const uint64_t reach = table.directory_entry_bytes;
    const PageTablePlace first = page_table_place(&table, 1, 0);
    expect(page_table_place(&table, 1, reach - 1), first, 0, 1);
    expect(page_table_place(&table, 1, 3 * reach), first, 0, 1);
    expect(page_table_place(&table, 1, 4 * reach), first, 0, 2);
    expect(page_table_place(&table, 1, 16 * reach), first, 128, 1);
    const PageTablePlace above = page_table_place(&table, 2, 0);
    expect(page_table_place(&table, 2, 511 * reach), above, 0, 1);
    expect(page_table_place(&table, 2, UINT64_C(2048) * reach), above, 0, 2);
}
END_TEST

START_TEST(levels_lie_apart)
{
    ck_assert_uint_ne(page_table_place(&table, 0, 0).line, page_table_place(&table, 1, 0).line);
    ck_assert_uint_ne(page_table_place(&table, 1, 0).line, page_table_place(&table, 2, 0).line);
}
END_TEST

/* More entries than a line has: those of the others are read when they are wanted. */
START_TEST(no_more_than_a_line_is_read)
{
    PageTable fine = table;
    fine.page_bytes = 64 * KIB;
    expect(page_table_place(&fine, 0, 0), page_table_place(&fine, 0, 0), 0, 15);
    fine.tlb_entry_bytes = 64 * KIB;
    expect(page_table_place(&fine, 0, 5 * 64 * KIB), page_table_place(&fine, 0, 0), 0, 2);
    /* a page that several entries of the TLB share */
    fine.page_bytes = 2 * MIB;
    expect(page_table_place(&fine, 0, MIB), page_table_place(&fine, 0, 0), 0, 1);
}
END_TEST

HARNESS_MAIN("page_table", what_an_entry_of_the_TLB_covers_is_read_together,
             neighbours_of_a_directory_share_a_sector, levels_lie_apart,
             no_more_than_a_line_is_read)
