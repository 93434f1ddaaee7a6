#include "kit/observe/pages.h"

#include <errno.h>
#include <glib.h>
#include <sys/mman.h>

#include "kit/gpu/message.h"

enum { BLOCK_BYTES = 1 << 20 };

struct PageBlock {
    PageBlock *before;
    size_t bytes;
};

/* A distribution has 3,072 buckets with stages of their own, about 800 KB, of which a run
 * touches a few dozen pages; memory from malloc would be cleared, and so touched, as a whole. */
void *pages_new(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) g_error("no memory for %zu bytes: %s", bytes, g_strerror(errno));
    return pages;
}

void pages_free(void *pages, size_t bytes)
{
    if (pages) munmap(pages, bytes);
}

static void add_block(PageArena *arena, size_t bytes)
{
    PageBlock *block = pages_new(bytes);
    *block = (PageBlock){arena->block, bytes};
    arena->block = block;
    arena->used = HOST_LINE;
}

void *page_arena_take(PageArena *arena, size_t bytes)
{
    const size_t wanted = (bytes + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
    if (!arena->block || arena->block->bytes - arena->used < wanted)
        add_block(arena, MAX((size_t)BLOCK_BYTES, HOST_LINE + wanted));
    arena->used += wanted;
    return (char *)arena->block + arena->used - wanted;
}

void page_arena_finish(PageArena *arena)
{
    for (PageBlock *block = arena->block, *before; block; block = before) {
        before = block->before;
        pages_free(block, block->bytes);
    }
    *arena = (PageArena){0};
}

/* What is smaller has few pages of which any is not touched. */
enum { SPARSE_BYTES = 16384 };

void *sparse_new(size_t bytes)
{
    return bytes < SPARSE_BYTES ? g_aligned_alloc0(1, bytes, HOST_LINE) : pages_new(bytes);
}

void sparse_free(void *sparse, size_t bytes)
{
    if (bytes < SPARSE_BYTES)
        g_aligned_free(sparse);
    else
        pages_free(sparse, bytes);
}
