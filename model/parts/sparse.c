#include "parts/sparse.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* Where somebody looks, what follows belongs to nobody. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

/* What is larger than a share of a block has one of its own. */
enum { LINE = 64, BLOCK = 2 << 20, LARGE = BLOCK / 8 };

typedef enum { PAGES_SMALL, PAGES_LARGE, PAGES } Pages;

/* One behind the other until the block is full; it goes when the last of them goes. A block begins
 * at a multiple of BLOCK, so that it is found from whatever begins in it. */
typedef struct {
    size_t bytes, used;
    uint32_t count;
    Pages pages;
} Block;

/* Threads of a run take from them. */
static GMutex taking;
static Block *open_block[PAGES];
static bool large_pages;
enum { SPARES = 8 };
static Block *spare[SPARES]; /* all zeros */
static int spares;

void sparse_prefer_large_pages(void)
{
    large_pages = true;
}

static void *map(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) g_error("no memory for %zu bytes: %s", bytes, g_strerror(errno));
    return pages;
}

static Block *block_new(size_t bytes, Pages kind)
{
    char *pages = map(bytes + BLOCK);
    const size_t before = -(uintptr_t)pages & (BLOCK - 1);
    if (before) munmap(pages, before);
    munmap(pages + before + bytes, BLOCK - before);
    if (kind == PAGES_LARGE) madvise(pages + before, bytes, MADV_HUGEPAGE); /* or as it is */
    Block *block = (Block *)(void *)(pages + before);
    *block = (Block){.bytes = bytes, .used = LINE, .pages = kind};
    ASAN_POISON_MEMORY_REGION((char *)block + LINE, bytes - LINE);
    return block;
}

static void block_free(Block *block)
{
    ASAN_UNPOISON_MEMORY_REGION(block, block->bytes);
    munmap(block, block->bytes);
}

/* Where machines follow each other, the next one has them: to clear what was used of one takes less
 * time than the system takes for another page of 2 MiB. */
static bool keep_as_spare(Block *block)
{
    if (spares == SPARES || block->pages != PAGES_LARGE || block->bytes != BLOCK) return false;
    ASAN_UNPOISON_MEMORY_REGION(block, block->used);
    memset(block + 1, 0, block->used - sizeof *block);
    block->used = LINE;
    ASAN_POISON_MEMORY_REGION((char *)block + LINE, BLOCK - LINE);
    spare[spares++] = block;
    return true;
}

static Block *block_next(Pages kind)
{
    return kind == PAGES_SMALL || !spares ? block_new(BLOCK, kind) : spare[--spares];
}

static void *take(Block *block, size_t bytes, size_t lines)
{
    char *at = (char *)block + block->used;
    block->used += lines;
    block->count++;
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
    return at;
}

static void *take_from_open(Pages kind, size_t bytes, size_t lines)
{
    Block **open = &open_block[kind];
    if (*open && (*open)->bytes - (*open)->used < lines) *open = NULL;
    if (!*open) *open = block_next(kind);
    return take(*open, bytes, lines);
}

static void *take_any(Pages kind, size_t bytes)
{
    const size_t lines = (bytes + LINE - 1) / LINE * LINE + GAP;
    if (lines > LARGE)
        return take(block_new((lines + LINE + 4095) / 4096 * 4096, kind), bytes, lines);
    g_mutex_lock(&taking);
    void *sparse = take_from_open(kind, bytes, lines);
    g_mutex_unlock(&taking);
    return sparse;
}

void *sparse_new(size_t bytes)
{
    return take_any(large_pages ? PAGES_LARGE : PAGES_SMALL, bytes);
}

void *sparse_new_dense(size_t bytes)
{
    return take_any(PAGES_LARGE, bytes);
}

void sparse_free(void *sparse)
{
    if (!sparse) return;
    Block *block = (Block *)((uintptr_t)sparse & ~(uintptr_t)(BLOCK - 1));
    g_mutex_lock(&taking);
    bool last = !--block->count;
    if (last && block == open_block[block->pages]) open_block[block->pages] = NULL;
    if (last) last = !keep_as_spare(block);
    g_mutex_unlock(&taking);
    if (last) block_free(block);
}
