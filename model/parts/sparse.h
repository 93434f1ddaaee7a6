/* Memory for arrays of the model: zero, and only what is touched is there. malloc clears what it
 * gives, and so touches all of it; a run uses little of most tables, nothing of units that rest. */
#pragma once

#include <stddef.h>

/* From the beginning of a line of the host's cache on. Of one thread. */
void *sparse_new(size_t bytes);
void sparse_free(void *sparse); /* may be NULL */

/* The same, of which all will be touched: in pages of 2 MiB where the system has them. */
void *sparse_new_dense(size_t bytes);

/* From now on all is in such pages: a fault instead of five hundred, and some of what is not used
 * is there as well. For processes that set up a machine, run it for a moment and end. */
void sparse_prefer_large_pages(void);

#define SPARSE_ARRAY(type, count) ((type *)sparse_new((size_t)(count) * sizeof(type)))
