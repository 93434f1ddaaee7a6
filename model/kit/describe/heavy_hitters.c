#include "kit/describe/heavy_hitters.h"

#include <glib.h>
#include <string.h>

#include "parts/bits.h"

static uint8_t tag_of(uint64_t address)
{
    return (uint8_t)((address * GOLDEN_STEP) >> 56); /* multiplicative hashing */
}

/* Most addresses have no row, and no row has their tag. */
static bool may_have_row(const HeavyHitters *hitters, uint8_t tag)
{
    uint64_t any = 0;
    for (uint64_t word = 0; word < HEAVY_ROWS / 8; word++)
        any |= bytes_like(hitters->tag[word], tag);
    return any;
}

static uint64_t find(const HeavyHitters *hitters, uint64_t address, uint8_t tag)
{
    for (uint64_t word = 0; word < HEAVY_ROWS / 8; word++)
        for (uint64_t maybe = bytes_like(hitters->tag[word], tag); maybe; maybe &= maybe - 1) {
            const uint64_t row = word * 8 + (uint64_t)__builtin_ctzll(maybe) / 8;
            if (hitters->row[row].address == address && row < hitters->rows) return row;
        }
    return HEAVY_ROWS;
}

static void find_lowest(HeavyHitters *hitters)
{
    hitters->least = hitters->row[0].count;
    for (uint64_t i = 1; i < HEAVY_ROWS; i++)
        hitters->least = MIN(hitters->least, hitters->row[i].count);
    for (uint64_t i = 0; i < HEAVY_ROWS; i++)
        if (hitters->row[i].count == hitters->least) hitters->lowest |= UINT64_C(1) << i;
}

/* Counts only rise, so that a row that was above the least once stays there. */
static uint64_t lowest_row(HeavyHitters *hitters)
{
    if (!hitters->lowest) find_lowest(hitters);
    return (uint64_t)__builtin_ctzll(hitters->lowest);
}

static uint64_t take_row(HeavyHitters *hitters, uint64_t address, uint8_t tag)
{
    const bool room = hitters->rows < HEAVY_ROWS;
    const uint64_t at = room ? hitters->rows++ : lowest_row(hitters);
    HeavyRow *row = &hitters->row[at];
    *row = (HeavyRow){address, row->count, row->count};
    set_byte(&hitters->tag[at / 8], at % 8, tag);
    return at;
}

void heavy_hitters_count(HeavyHitters *hitters, uint64_t address, uint64_t count)
{
    const uint8_t tag = tag_of(address);
    uint64_t at = may_have_row(hitters, tag) ? find(hitters, address, tag) : HEAVY_ROWS;
    if (at == HEAVY_ROWS) at = take_row(hitters, address, tag);
    hitters->last = at;
    hitters->lowest &= ~(UINT64_C(1) << at);
    hitters->row[at].count += count;
}

/* --- all units of a class --------------------------------------------------------------------- */

static int compare_addresses(gconstpointer a, gconstpointer b)
{
    const HeavyRow *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* By what is certain: where many addresses share the rows, `count` says how many there were. */
static int compare_counts(gconstpointer a, gconstpointer b)
{
    const HeavyRow *x = a, *y = b;
    const uint64_t sure_x = x->count - x->error, sure_y = y->count - y->error;
    if (sure_x != sure_y) return sure_x < sure_y ? 1 : -1;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : compare_addresses(a, b);
}

/* Rows in order of address: those of one address become one. */
static void add_up(GArray *rows)
{
    HeavyRow *row = (HeavyRow *)(void *)rows->data;
    guint kept = 0;
    for (guint i = 0; i < rows->len; i++) {
        if (kept && row[kept - 1].address == row[i].address) {
            row[kept - 1].count += row[i].count;
            row[kept - 1].error += row[i].error;
        } else {
            row[kept++] = row[i];
        }
    }
    g_array_set_size(rows, kept);
}

void heavy_hitters_unite(HeavyHitters *into, const HeavyHitters *const *from, uint64_t count)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(HeavyRow));
    for (uint64_t i = 0; i < count; i++)
        g_array_append_vals(rows, from[i]->row, (guint)from[i]->rows);
    g_array_sort(rows, compare_addresses);
    add_up(rows);
    g_array_sort(rows, compare_counts);
    memset(into, 0, sizeof *into);
    into->rows = MIN(rows->len, HEAVY_ROWS);
    if (into->rows) memcpy(into->row, rows->data, into->rows * sizeof(HeavyRow));
}
