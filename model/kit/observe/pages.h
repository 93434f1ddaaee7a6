/* Memory for large tables of which a run uses little: zero, and only what is touched is there. */
#pragma once

#include <stddef.h>

void *pages_new(size_t bytes);
void pages_free(void *pages, size_t bytes);
