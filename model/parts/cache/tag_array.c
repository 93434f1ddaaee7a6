#include "parts/cache/tag_array.h"

#include <string.h>

#include "parts/fetch_ahead.h"
#include "parts/sparse.h"

/* Tags of so few ways are a line or two of the host's cache; hashes of so many are a line, or a
 * word. */
enum { FEW_WAYS = 8, HASHED_WAYS = 64, WORD_WAYS = 8, WORD_SETS = 64 };

/* A link is a place + 1; 0: nowhere. */
#define GOES_ON (UINT32_C(1) << 31)

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

static inline uint64_t *state_of(const TagArray *tags, uint64_t set)
{
    return tags->state + set * tags->state_words;
}

static inline uint64_t *ways_filled(const TagArray *tags, uint64_t set)
{
    return state_of(tags, set);
}

static inline uint64_t *hashes_of(const TagArray *tags, uint64_t set)
{
    return state_of(tags, set) + 1;
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

static inline uint64_t set_of(const TagArray *tags, uint64_t line)
{
    return set_choice_of(&tags->choice, line);
}

/* --- where a line is -------------------------------------------------------------------------- */

static inline uint32_t *bucket_of(const TagArray *tags, uint64_t line)
{
    return &tags->bucket[hash_near(line, 0, tags->bucket_shift)];
}

static inline uint32_t place_of(uint32_t link)
{
    return (link & ~GOES_ON) - 1;
}

static inline uint32_t link_after(const TagArray *tags, uint32_t link)
{
    return link & GOES_ON ? tags->chain[place_of(link)] : 0;
}

static uint32_t find_in_bucket(const TagArray *tags, uint64_t line)
{
    uint32_t link = *bucket_of(tags, line);
    while (link && tags->lines[place_of(link)].line != line) link = link_after(tags, link);
    return place_of(link);
}

static void enter_bucket(TagArray *tags, uint32_t index, uint64_t line)
{
    uint32_t *bucket = bucket_of(tags, line);
    if (*bucket) tags->chain[index] = *bucket;
    *bucket = (index + 1) | (*bucket ? GOES_ON : 0);
}

static void leave_bucket(TagArray *tags, uint32_t index)
{
    uint32_t *at = bucket_of(tags, tags->lines[index].line);
    while (place_of(*at) != index) at = &tags->chain[place_of(*at)];
    *at = link_after(tags, *at);
}

/* 0 is a way without a line, and no other byte is nearly the same. A product alone would be much
 * the same for lines at some equal steps, as a stream's are. */
static inline uint8_t hash_of(uint64_t line)
{
    return (uint8_t)((line * GOLDEN_STEP >> 32) * MIX_SECOND >> 57 | 0x80);
}

static inline void set_hash(TagArray *tags, uint64_t set, uint32_t way, uint8_t hash)
{
    set_byte(&hashes_of(tags, set)[way / WORD_WAYS], way % WORD_WAYS, hash);
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
    const TagLine *way = tag_array_set(tags, line);
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
        if (tags->most) fetch_ahead(&tags->lines[tags->next_set * tags->ways]);
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

static inline bool is_filled(const TagArray *tags, uint64_t set)
{
    return tags->filled[set / WORD_SETS] >> set % WORD_SETS & 1;
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

static bool is_being_fetched(const void *user, uint64_t set, uint32_t way)
{
    const TagArray *tags = user;
    return tags->lines[set * tags->ways + way].fetching;
}

/* --- fewer lines with data than tags ---------------------------------------------------------- */

static TagRoom room_at(uint32_t place)
{
    return (TagRoom){.victim = place, .place = place};
}

static bool has_data_to_give(const TagLine *line)
{
    return line->used && !line->fetching;
}

static bool has_none_to_give(const void *user, uint64_t set, uint32_t way)
{
    const TagArray *tags = user;
    return !has_data_to_give(&tags->lines[set * tags->ways + way]);
}

/* Where there are many more tags than data, most sets have one line at most. */
static uint32_t victim_of_set(const TagArray *tags, uint64_t set)
{
    const uint32_t first = (uint32_t)(set * tags->ways), end = first + (uint32_t)tags->ways;
    uint32_t victim = TAG_NONE, count = 0;
    for (uint32_t i = first; i < end; i++) {
        if (!has_data_to_give(&tags->lines[i])) continue;
        victim = i;
        count++;
    }
    if (count < 2) return victim;
    return first + replacement_victim(&tags->replacement, set, has_none_to_give, tags);
}

static uint64_t set_after(const TagArray *tags, uint64_t set)
{
    set += tags->stride;
    return set >= tags->sets ? set - tags->sets : set;
}

static uint32_t victim_in_turn(const TagArray *tags)
{
    uint32_t victim = TAG_NONE;
    uint64_t set = tags->next_set;
    for (uint64_t i = 0; i < tags->sets && victim == TAG_NONE; i++, set = set_after(tags, set))
        if (is_filled(tags, set)) victim = victim_of_set(tags, set);
    return victim;
}

/* TAG_NONE: all ways are in use. */
static uint32_t free_way(const TagArray *tags, uint64_t set)
{
    const uint64_t first = set * tags->ways;
    for (uint64_t i = first; i < first + tags->ways; i++)
        if (!tags->lines[i].used) return (uint32_t)i;
    return TAG_NONE;
}

static TagRoom find_data(const TagArray *tags, uint64_t set)
{
    const uint32_t way = free_way(tags, set);
    if (way == TAG_NONE) return room_at(victim_of_set(tags, set));
    if (tags->used < tags->most) return room_at(way);
    const uint32_t victim = victim_in_turn(tags);
    const bool own = victim - (uint32_t)(set * tags->ways) < tags->ways; /* it is free then, too */
    return (TagRoom){.victim = victim, .place = own ? MIN(way, victim) : way, .in_turn = true};
}

/* --- victims ---------------------------------------------------------------------------------- */

static uint32_t choose_victim(const TagArray *tags, uint64_t set)
{
    const uint64_t first = set * tags->ways;
    const uint64_t filled = *ways_filled(tags, set);
    if (filled < tags->ways) return (uint32_t)(first + filled);
    const uint32_t first_choice = replacement_oldest(&tags->replacement, set);
    if (first_choice != TAG_NONE && !tags->lines[first + first_choice].fetching)
        return (uint32_t)first + first_choice;
    const uint32_t way = replacement_victim(&tags->replacement, set, is_being_fetched, tags);
    return way == TAG_NONE ? TAG_NONE : (uint32_t)first + way;
}

TagRoom tag_array_room(const TagArray *tags, uint64_t line)
{
    const uint64_t set = set_of(tags, line);
    return tags->most ? find_data(tags, set) : room_at(choose_victim(tags, set));
}

uint32_t tag_array_victim(const TagArray *tags, uint64_t line)
{
    g_assert(!tags->most);
    return choose_victim(tags, set_of(tags, line));
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

/* --- a new line ------------------------------------------------------------------------------- */

static void take_way(TagArray *tags, uint64_t set)
{
    tags->filled[set / WORD_SETS] |= UINT64_C(1) << set % WORD_SETS;
    if (!tags->most) ++*ways_filled(tags, set);
    tags->used++;
}

static void leave_way(TagArray *tags, uint64_t set)
{
    tags->used--;
    for (uint64_t i = set * tags->ways; i < (set + 1) * tags->ways; i++)
        if (tags->lines[i].used) return;
    tags->filled[set / WORD_SETS] &= ~(UINT64_C(1) << set % WORD_SETS);
}

static void give_up(TagArray *tags, uint32_t index)
{
    const uint64_t set = divide(&tags->by_ways, index);
    if (tags->bucket)
        leave_bucket(tags, index);
    else if (tags->hash_words)
        set_hash(tags, set, (uint32_t)(index - set * tags->ways), 0);
    tags->lines[index] = (TagLine){.line = 0};
    leave_way(tags, set);
    tags->next_set = set_after(tags, set);
}

/* Where the line will be found. */
static void enter(TagArray *tags, uint64_t set, uint32_t way, uint64_t line)
{
    const uint32_t index = (uint32_t)(set * tags->ways) + way;
    if (tags->hash_words) set_hash(tags, set, way, hash_of(line));
    if (!tags->bucket) return;
    if (tags->lines[index].used) leave_bucket(tags, index);
    enter_bucket(tags, index, line);
}

void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line)
{
    const uint64_t set = divide(&tags->by_ways, index);
    const uint32_t way = (uint32_t)(index - set * tags->ways);
    TagLine *place = &tags->lines[index];
    enter(tags, set, way, line);
    if (!place->used) take_way(tags, set);
    *place = (TagLine){.line = line, .fetching = place->fetching, .used = true};
    replacement_fill(&tags->replacement, set, way);
}

void tag_array_take(TagArray *tags, TagRoom room, uint64_t line)
{
    if (room.in_turn) give_up(tags, room.victim);
    tag_array_replace(tags, room.place, line);
}
