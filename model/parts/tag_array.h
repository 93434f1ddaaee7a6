/* Tags of a sectored, set-associative cache: where a line is, which of its sectors are valid and
 * dirty, and which line goes next. Look-up is a hash over all lines, so that a set may have
 * hundreds of ways (V100's L1 has 256). */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { TAG_NONE = UINT32_MAX };

typedef struct {
    uint64_t line;         /* address / line_bytes; meaningful when `used` */
    uint32_t newer, older; /* recency list of the set */
    uint32_t chain;        /* next line of the same hash bucket */
    uint16_t valid, dirty; /* sectors, bit 0 = lowest address */
    uint16_t fetching; /* outstanding requests that will fill this line: it must not be evicted */
    bool used;
} TagLine;

typedef struct {
    uint64_t sets, ways;
    TagLine *lines;            /* sets x ways, a set's ways together */
    uint32_t *newest, *oldest; /* by set */
    uint32_t *bucket;
    uint32_t bucket_shift;
} TagArray;

void tag_array_init(TagArray *tags, uint64_t sets, uint64_t ways);
void tag_array_finish(TagArray *tags);

/* The line's index or TAG_NONE. */
uint32_t tag_array_find(const TagArray *tags, uint64_t line);

/* Makes the line the most recently used of its set. */
void tag_array_touch(TagArray *tags, uint32_t index);

/* The line that would make room for `line`: least recently used of its set, never one that is
 * being fetched. TAG_NONE: every way is. */
uint32_t tag_array_victim(const TagArray *tags, uint64_t line);

/* Gives the place `index` to `line`, most recently used, without valid sectors. */
void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line);

/* Forgets everything; nothing may be being fetched. */
void tag_array_invalidate(TagArray *tags);
void tag_array_clean(TagArray *tags);
