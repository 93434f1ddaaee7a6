/* Memory for large tables of which a run uses little: zero, and only what is touched is there. */
#pragma once

#include <stddef.h>

void *pages_new(size_t bytes);
void pages_free(void *pages, size_t bytes);

/* The same for many structs that live equally long: one behind the other, each from the beginning
 * of a line of the host's cache on. Zero: nothing yet. */
typedef struct PageBlock PageBlock;
typedef struct {
    PageBlock *block; /* the last one; it leads to those before it */
    size_t used;
} PageArena;

void *page_arena_take(PageArena *arena, size_t bytes);
void page_arena_finish(PageArena *arena);

/* The same where small ones are many; they begin at a line of the host's cache. */
void *sparse_new(size_t bytes);
void sparse_free(void *sparse, size_t bytes);
