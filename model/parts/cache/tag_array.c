#include <string.h>

#include "parts/cache/tag_sets.h"
#include "parts/fetch_ahead.h"
#include "parts/sparse.h"

/* Tags of so few ways are a line or two of the host's cache; hashes of so many are a line, or a
 * word. */
enum { FEW_WAYS = 8, HASHED_WAYS = 64 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Each set has its turn, neighbours long after each other: 5 / 13 is near the golden section. */
static uint64_t stride_of_turns(uint64_t sets)
{
    uint64_t stride = sets * 5 / 13 + 1;
    while (common_divisor(stride, sets) > 1) stride++;
    return stride % sets;
}

/* Several sets are side by side in a line of the host's cache, or one in whole lines. */
static uint32_t words_apart(uint64_t words)
{
    enum { LINE_WORDS = 8 };
    if (words <= LINE_WORDS) return 1u << bits_for(words);
    return (uint32_t)(words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
}

static void init_sets(TagArray *tags, const TagArrayShape *shape)
{
    const uint64_t words = replacement_words(shape->replacement, shape->ways);
    tags->state_words = words_apart(1 + tags->hash_words + words);
    tags->state = SPARSE_ARRAY(uint64_t, shape->sets * tags->state_words);
    tags->filled = SPARSE_ARRAY(uint64_t, (shape->sets + WORD_SETS - 1) / WORD_SETS);
    tags->replacement = (Replacement){.policy = shape->replacement,
                                      .ways = shape->ways,
                                      .words = hashes_of(tags, 0) + tags->hash_words,
                                      .stride = tags->state_words,
                                      .candidates = MAX(shape->candidates, 1),
                                      .seed = shape->seed};
    replacement_init(&tags->replacement, shape->sets);
}

static void init_buckets(TagArray *tags, uint64_t lines)
{
    const uint32_t bits = MAX(bits_for(2 * lines), 4);
    tags->bucket_shift = 64 - bits;
    tags->bucket = SPARSE_ARRAY(uint32_t, UINT64_C(1) << bits);
    tags->chain = SPARSE_ARRAY(uint32_t, lines);
}

static bool keeps_hashes(const TagArrayShape *shape)
{
    return shape->set_index == SET_INDEX_MODULO && shape->sets > 1 && shape->ways > FEW_WAYS
           && shape->ways <= HASHED_WAYS;
}

void tag_array_init(TagArray *tags, const TagArrayShape *shape)
{
    const uint64_t lines = shape->sets * shape->ways;
    const uint32_t words = (uint32_t)(shape->ways + WORD_WAYS - 1) / WORD_WAYS;
    *tags = (TagArray){.sets = shape->sets,
                       .ways = shape->ways,
                       .choice = set_choice_new(shape->set_index, shape->sets),
                       .by_ways = divisor_of(shape->ways),
                       .lines = SPARSE_ARRAY(TagLine, lines),
                       .hash_words = keeps_hashes(shape) ? words : 0,
                       .most = shape->most,
                       .stride = shape->most ? stride_of_turns(shape->sets) : 0};
    init_sets(tags, shape);
    if (!tags->hash_words && shape->ways > FEW_WAYS) init_buckets(tags, lines);
}

void tag_array_finish(TagArray *tags)
{
    sparse_free(tags->lines);
    sparse_free(tags->state);
    sparse_free(tags->filled);
    sparse_free(tags->bucket);
    sparse_free(tags->chain);
    set_choice_free(&tags->choice);
    memset(tags, 0, sizeof *tags);
}

/* --- where a line is -------------------------------------------------------------------------- */

static uint32_t find_in_bucket(const TagArray *tags, uint64_t line)
{
    uint32_t link = *bucket_of(tags, line);
    while (link && tags->lines[place_of(link)].line != line) link = link_after(tags, link);
    return place_of(link);
}

static uint32_t find_in_set(const TagArray *tags, uint64_t line)
{
    const uint64_t set = set_choice_modulo(&tags->choice, line);
    const uint64_t *hashes = hashes_of(tags, set), *end = hashes + tags->hash_words;
    const TagLine *first = &tags->lines[set * tags->ways];
    const uint8_t hash = hash_of(line);
    for (; hashes < end; hashes++, first += WORD_WAYS)
        for (uint64_t maybe = bytes_like(*hashes, hash); maybe; maybe &= maybe - 1) {
            const TagLine *found = first + (uint32_t)__builtin_ctzll(maybe) / WORD_WAYS;
            if (found->line == line) return (uint32_t)(found - tags->lines);
        }
    return TAG_NONE;
}

static uint32_t find_among_few(const TagArray *tags, uint64_t line)
{
    const uint64_t set = set_of(tags, line);
    const TagLine *way = &tags->lines[set * tags->ways];
    fetch_ahead(state_of(tags, set)); /* what comes next needs it, found or not */
    for (const TagLine *end = way + tags->ways; way < end; way++)
        if (way->line == line && way->used) return (uint32_t)(way - tags->lines);
    return TAG_NONE;
}

uint32_t tag_array_find(const TagArray *tags, uint64_t line)
{
    if (tags->bucket) return find_in_bucket(tags, line);
    return tags->hash_words ? find_in_set(tags, line) : find_among_few(tags, line);
}

/* Of one that was never filled no page is there, and what is fetched of such a page is looked for
 * in vain each time: that takes as long as memory. */
void tag_array_foresee(const TagArray *tags, uint64_t line, bool behind)
{
    if (!tags->used) return;
    const uint64_t set = set_of(tags, line);
    if (!behind) {
        fetch_ahead(state_of(tags, set));
        if (tags->bucket) fetch_ahead(bucket_of(tags, line));
        if (!tags->bucket && !tags->hash_words) fetch_ahead(&tags->lines[set * tags->ways]);
        return;
    }
    if (tags->most) return;
    const uint64_t filled = *ways_filled(tags, set);
    const uint32_t way =
        filled < tags->ways ? (uint32_t)filled : replacement_oldest(&tags->replacement, set);
    if (way != TAG_NONE) fetch_ahead(&tags->lines[set * tags->ways + way]);
}

/* --- all lines -------------------------------------------------------------------------------- */

/* Each line takes its bucket along: whatever else the bucket leads to goes as well. */
static uint64_t forget_lines(TagArray *tags, TagLine *line, uint64_t count)
{
    uint64_t dirty = 0;
    for (const TagLine *end = line + count; line < end; line++) {
        dirty += line->dirty != 0;
        tags->strays |= line->fetching != 0;
        if (tags->bucket) *bucket_of(tags, line->line) = 0;
        *line = (TagLine){.line = 0};
    }
    return dirty;
}

/* Ways that may be in use; behind them are none. */
static uint64_t ways_used(const TagArray *tags, uint64_t set)
{
    if (!is_filled(tags, set)) return 0;
    return tags->most ? tags->ways : *ways_filled(tags, set);
}

static uint64_t forget_set(TagArray *tags, uint64_t set, uint64_t ways)
{
    const uint64_t dirty = forget_lines(tags, &tags->lines[set * tags->ways], ways);
    memset(state_of(tags, set), 0, (1 + tags->hash_words) * sizeof *tags->state);
    tags->filled[set / WORD_SETS] &= ~(UINT64_C(1) << set % WORD_SETS);
    replacement_forget(&tags->replacement, set, ways);
    return dirty;
}

/* Where strays may have come, places that were given to nobody are forgotten as well. */
uint64_t tag_array_invalidate(TagArray *tags)
{
    const bool strays = tags->strays;
    uint64_t dirty = 0;
    if (!tags->used && !strays) return 0;
    for (uint64_t set = 0; set < tags->sets; set++) {
        const uint64_t ways = strays ? tags->ways : ways_used(tags, set);
        if (ways) dirty += forget_set(tags, set, ways);
    }
    tags->used = 0;
    return dirty;
}

void tag_array_clean(TagArray *tags)
{
    for (uint64_t set = 0; set < tags->sets; set++) {
        TagLine *line = &tags->lines[set * tags->ways];
        for (const TagLine *end = line + ways_used(tags, set); line < end; line++) line->dirty = 0;
    }
}

void tag_array_touch(TagArray *tags, uint32_t index)
{
    const uint64_t set = divide(&tags->by_ways, index);
    replacement_use(&tags->replacement, set, (uint32_t)(index - set * tags->ways));
}
