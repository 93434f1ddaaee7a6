#include "parts/cache/tag_array.h"

#include <string.h>

#include "parts/sparse.h"

const char *const set_index_names[] = {"modulo", "xor", NULL};

void tag_array_init(TagArray *tags, const TagArrayShape *shape)
{
    const uint64_t sets = shape->sets, lines = sets * shape->ways;
    const uint32_t bits = MAX(bits_for(2 * lines), 4);
    *tags = (TagArray){.sets = sets,
                       .ways = shape->ways,
                       .by_sets = divisor_of(sets),
                       .by_ways = divisor_of(shape->ways),
                       .set_bits = shape->set_index == SET_INDEX_XOR ? MAX(bits_for(sets), 1) : 0,
                       .lines = SPARSE_ARRAY(TagLine, lines),
                       .filled = SPARSE_ARRAY(uint32_t, sets),
                       .bucket = SPARSE_ARRAY(uint32_t, UINT64_C(1) << bits),
                       .bucket_shift = 64 - bits};
    replacement_init(&tags->replacement, shape->replacement, sets, shape->ways,
                     MAX(shape->candidates, 1), shape->seed);
}

void tag_array_finish(TagArray *tags)
{
    sparse_free(tags->lines);
    sparse_free(tags->filled);
    sparse_free(tags->bucket);
    replacement_finish(&tags->replacement);
    memset(tags, 0, sizeof *tags);
}

static inline uint32_t *bucket_of(const TagArray *tags, uint64_t line)
{
    return &tags->bucket[hash_near(line, 0, tags->bucket_shift)];
}

/* Each line takes its bucket along: whatever else the bucket leads to goes as well. */
static uint64_t forget_lines(TagArray *tags, TagLine *line, uint64_t count)
{
    uint64_t dirty = 0;
    for (const TagLine *end = line + count; line < end; line++) {
        dirty += line->dirty != 0;
        tags->strays |= line->fetching != 0;
        *bucket_of(tags, line->line) = 0;
        *line = (TagLine){.line = 0};
    }
    return dirty;
}

/* Where strays may have come, places that were given to nobody are forgotten as well. */
uint64_t tag_array_invalidate(TagArray *tags)
{
    const bool strays = tags->strays;
    uint64_t dirty = 0;
    for (uint64_t set = 0; set < tags->sets; set++) {
        const uint32_t filled = tags->filled[set];
        if (!filled && !strays) continue;
        dirty += forget_lines(tags, &tags->lines[set * tags->ways], strays ? tags->ways : filled);
        replacement_forget(&tags->replacement, set, filled);
        tags->filled[set] = 0;
    }
    return dirty;
}

void tag_array_clean(TagArray *tags)
{
    for (uint64_t set = 0; set < tags->sets; set++)
        for (uint32_t way = 0; way < tags->filled[set]; way++)
            tags->lines[set * tags->ways + way].dirty = 0;
}

uint32_t tag_array_find(const TagArray *tags, uint64_t line)
{
    uint32_t link = *bucket_of(tags, line);
    while (link && tags->lines[link - 1].line != line) link = tags->lines[link - 1].chain;
    return link - 1;
}

static uint64_t set_of(const TagArray *tags, uint64_t line)
{
    uint64_t fields = line;
    if (tags->set_bits)
        for (fields = 0; line; line >>= tags->set_bits) fields ^= line;
    return fields - divide(&tags->by_sets, fields) * tags->sets;
}

void tag_array_touch(TagArray *tags, uint32_t index)
{
    const uint64_t set = divide(&tags->by_ways, index);
    replacement_use(&tags->replacement, set, (uint32_t)(index - set * tags->ways));
}

static bool is_being_fetched(const void *user, uint64_t set, uint32_t way)
{
    const TagArray *tags = user;
    return tags->lines[set * tags->ways + way].fetching;
}

uint32_t tag_array_victim(const TagArray *tags, uint64_t line)
{
    const uint64_t set = set_of(tags, line), first = set * tags->ways;
    if (tags->filled[set] < tags->ways) return (uint32_t)first + tags->filled[set];
    const uint32_t first_choice = replacement_oldest(&tags->replacement, set);
    if (first_choice != TAG_NONE && !tags->lines[first + first_choice].fetching)
        return (uint32_t)first + first_choice;
    const uint32_t way = replacement_victim(&tags->replacement, set, is_being_fetched, tags);
    return way == TAG_NONE ? TAG_NONE : (uint32_t)first + way;
}

typedef struct {
    const TagArray *tags;
    TagLineStays stays;
} Rule;

static bool must_stay(const void *user, uint64_t set, uint32_t way)
{
    const Rule *rule = user;
    return rule->stays(&rule->tags->lines[set * rule->tags->ways + way]);
}

uint32_t tag_array_oldest(const TagArray *tags, uint64_t line, TagLineStays stays)
{
    const uint64_t set = set_of(tags, line);
    const Rule rule = {tags, stays};
    const uint32_t way = replacement_victim(&tags->replacement, set, must_stay, &rule);
    return way == TAG_NONE ? TAG_NONE : (uint32_t)(set * tags->ways) + way;
}

TagLine *tag_array_set(const TagArray *tags, uint64_t line)
{
    return &tags->lines[set_of(tags, line) * tags->ways];
}

static void leave_bucket(TagArray *tags, uint32_t index)
{
    uint32_t *at = bucket_of(tags, tags->lines[index].line);
    while (*at != index + 1) at = &tags->lines[*at - 1].chain;
    *at = tags->lines[index].chain;
}

void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line)
{
    const uint64_t set = divide(&tags->by_ways, index);
    TagLine *place = &tags->lines[index];
    if (place->used)
        leave_bucket(tags, index);
    else
        tags->filled[set]++;
    place->line = line;
    place->used = true;
    place->valid = place->dirty = 0;
    place->writing = false;
    place->copied = 0;
    uint32_t *bucket = bucket_of(tags, line);
    place->chain = *bucket;
    *bucket = index + 1;
    replacement_fill(&tags->replacement, set, (uint32_t)(index - set * tags->ways));
}
