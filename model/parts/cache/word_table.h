/* Numbers by address: an open-addressing table that holds what is not 0 and doubles when it is
 * three quarters full. */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    uint64_t *key; /* + 1; 0: free */
    uint32_t *value;
    uint32_t bits, used;
} WordTable;

void word_table_init(WordTable *table, uint32_t bits);
void word_table_finish(WordTable *table);

/* 0 where nothing was put. */
uint32_t word_table_read(const WordTable *table, uint64_t key);

/* A value of 0 removes the key. */
void word_table_write(WordTable *table, uint64_t key, uint32_t value);

/* Forgets everything and keeps its room. */
void word_table_clear(WordTable *table);
