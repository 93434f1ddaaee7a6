#include "parts/cache/word_table.h"

#include <string.h>

#include "parts/bits.h"

static uint64_t home_of(const WordTable *table, uint64_t key)
{
    return (key * GOLDEN_STEP) >> (64 - table->bits);
}

static uint64_t mask_of(const WordTable *table)
{
    return (UINT64_C(1) << table->bits) - 1;
}

void word_table_init(WordTable *table, uint32_t bits)
{
    *table = (WordTable){.key = g_new0(uint64_t, UINT64_C(1) << bits),
                         .value = g_new0(uint32_t, UINT64_C(1) << bits),
                         .bits = bits};
}

void word_table_finish(WordTable *table)
{
    g_free(table->key);
    g_free(table->value);
    *table = (WordTable){0};
}

void word_table_clear(WordTable *table)
{
    memset(table->key, 0, sizeof *table->key << table->bits);
    table->used = 0;
}

/* Where the key is, or the free place where it would be. */
static uint64_t find(const WordTable *table, uint64_t key)
{
    uint64_t at = home_of(table, key);
    while (table->key[at] && table->key[at] != key + 1) at = (at + 1) & mask_of(table);
    return at;
}

uint32_t word_table_read(const WordTable *table, uint64_t key)
{
    const uint64_t at = find(table, key);
    return table->key[at] ? table->value[at] : 0;
}

static void grow(WordTable *table)
{
    WordTable larger;
    word_table_init(&larger, table->bits + 1);
    for (uint64_t i = 0; i <= mask_of(table); i++)
        if (table->key[i]) word_table_write(&larger, table->key[i] - 1, table->value[i]);
    word_table_finish(table);
    *table = larger;
}

/* What follows without a gap moves up, unless that would be before its home. */
static void remove_at(WordTable *table, uint64_t hole)
{
    const uint64_t mask = mask_of(table);
    for (uint64_t at = (hole + 1) & mask; table->key[at]; at = (at + 1) & mask) {
        const uint64_t home = home_of(table, table->key[at] - 1);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        table->key[hole] = table->key[at];
        table->value[hole] = table->value[at];
        hole = at;
    }
    table->key[hole] = 0;
    table->used--;
}

void word_table_write(WordTable *table, uint64_t key, uint32_t value)
{
    uint64_t at = find(table, key);
    if (!value) {
        if (table->key[at]) remove_at(table, at);
        return;
    }
    if (!table->key[at]) {
        if (4 * (uint64_t)(table->used + 1) > 3 * (mask_of(table) + 1)) {
            grow(table);
            at = find(table, key);
        }
        table->used++;
        table->key[at] = key + 1;
    }
    table->value[at] = value;
}
