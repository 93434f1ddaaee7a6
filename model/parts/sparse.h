/* Memory for arrays of the model: zero, and only what is touched is there. malloc clears what it
 * gives, and so touches all of it; a run uses little of most tables, nothing of units that rest. */
#pragma once

#include <stddef.h>

/* From the beginning of a line of the host's cache on. Of one thread. */
void *sparse_new(size_t bytes);
void sparse_free(void *sparse); /* may be NULL */

#define SPARSE_ARRAY(type, count) ((type *)sparse_new((size_t)(count) * sizeof(type)))
