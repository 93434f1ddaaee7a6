#include "kit/observe/pages.h"

#include <errno.h>
#include <glib.h>
#include <sys/mman.h>

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
