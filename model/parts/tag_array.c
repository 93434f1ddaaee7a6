#include "parts/tag_array.h"

#include <string.h>

void tag_array_init(TagArray *tags, uint64_t sets, uint64_t ways)
{
    const uint64_t lines = sets * ways;
    uint32_t bits = 4;
    while ((UINT64_C(1) << bits) < 2 * lines) bits++;
    *tags = (TagArray){.sets = sets,
                       .ways = ways,
                       .lines = g_new0(TagLine, lines),
                       .newest = g_new(uint32_t, sets),
                       .oldest = g_new(uint32_t, sets),
                       .bucket = g_new(uint32_t, UINT64_C(1) << bits),
                       .bucket_shift = 64 - bits};
    tag_array_invalidate(tags);
}

void tag_array_finish(TagArray *tags)
{
    g_free(tags->lines);
    g_free(tags->newest);
    g_free(tags->oldest);
    g_free(tags->bucket);
    memset(tags, 0, sizeof *tags);
}

static inline uint32_t *bucket_of(const TagArray *tags, uint64_t line)
{
    return &tags->bucket[(line * UINT64_C(0x9e3779b97f4a7c15)) >> tags->bucket_shift];
}

static void link_set(TagArray *tags, uint64_t set)
{
    const uint32_t first = (uint32_t)(set * tags->ways), last = first + (uint32_t)tags->ways - 1;
    for (uint32_t i = first; i <= last; i++)
        tags->lines[i] = (TagLine){.newer = i == first ? TAG_NONE : i - 1,
                                   .older = i == last ? TAG_NONE : i + 1,
                                   .chain = TAG_NONE};
    tags->newest[set] = first;
    tags->oldest[set] = last;
}

void tag_array_invalidate(TagArray *tags)
{
    memset(tags->bucket, 0xff, sizeof *tags->bucket << (64 - tags->bucket_shift));
    for (uint64_t set = 0; set < tags->sets; set++) link_set(tags, set);
}

void tag_array_clean(TagArray *tags)
{
    for (uint64_t i = 0; i < tags->sets * tags->ways; i++) tags->lines[i].dirty = 0;
}

uint32_t tag_array_find(const TagArray *tags, uint64_t line)
{
    uint32_t index = *bucket_of(tags, line);
    while (index != TAG_NONE && tags->lines[index].line != line) index = tags->lines[index].chain;
    return index;
}

static void unlink_line(TagArray *tags, uint32_t index, uint64_t set)
{
    const TagLine *line = &tags->lines[index];
    *(line->newer == TAG_NONE ? &tags->newest[set] : &tags->lines[line->newer].older) = line->older;
    *(line->older == TAG_NONE ? &tags->oldest[set] : &tags->lines[line->older].newer) = line->newer;
}

void tag_array_touch(TagArray *tags, uint32_t index)
{
    const uint64_t set = index / tags->ways;
    if (tags->newest[set] == index) return;
    unlink_line(tags, index, set);
    TagLine *line = &tags->lines[index];
    line->newer = TAG_NONE;
    line->older = tags->newest[set];
    tags->lines[line->older].newer = index;
    tags->newest[set] = index;
}

uint32_t tag_array_victim(const TagArray *tags, uint64_t line)
{
    uint32_t index = tags->oldest[line % tags->sets];
    while (index != TAG_NONE && tags->lines[index].fetching) index = tags->lines[index].newer;
    return index;
}

static void leave_bucket(TagArray *tags, uint32_t index)
{
    uint32_t *at = bucket_of(tags, tags->lines[index].line);
    while (*at != index) at = &tags->lines[*at].chain;
    *at = tags->lines[index].chain;
}

void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line)
{
    TagLine *place = &tags->lines[index];
    if (place->used) leave_bucket(tags, index);
    place->line = line;
    place->used = true;
    place->valid = place->dirty = 0;
    uint32_t *bucket = bucket_of(tags, line);
    place->chain = *bucket;
    *bucket = index;
    tag_array_touch(tags, index);
}
