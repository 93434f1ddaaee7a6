#include "parts/cache/tag_array.h"

#include <string.h>

#include "parts/sparse.h"

const char *const set_index_names[] = {"modulo", "xor", "polynomial", NULL};

enum { LINE_BITS = 64, FIELD_BITS = 4, FIELD_VALUES = 1 << FIELD_BITS, DEGREES = 16 };

/* Primitive polynomials over GF(2) by degree, the one with the lowest number of each. */
static const uint32_t primitive[DEGREES + 1] = {0x1,    0x3,    0x7,    0xb,    0x13,   0x25,
                                                0x43,   0x83,   0x11d,  0x211,  0x409,  0x805,
                                                0x1053, 0x201b, 0x402b, 0x8003, 0x1002d};

/* Of each field of a line's number, by its value: their exclusive or is the line's. */
static uint16_t *new_remainders(uint64_t sets)
{
    const uint32_t degree = bits_for(sets);
    g_assert(degree <= DEGREES);
    uint16_t *remainders = g_new0(uint16_t, LINE_BITS / FIELD_BITS * FIELD_VALUES);
    uint32_t power = degree ? 1 : 0;
    for (unsigned bit = 0; bit < LINE_BITS; bit++) {
        uint16_t *field = &remainders[bit / FIELD_BITS * FIELD_VALUES];
        for (unsigned value = 0; value < FIELD_VALUES; value++)
            if (value >> bit % FIELD_BITS & 1) field[value] ^= (uint16_t)power;
        power <<= 1;
        if (power >> degree & 1) power ^= primitive[degree];
    }
    return remainders;
}

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

void tag_array_init(TagArray *tags, const TagArrayShape *shape)
{
    const uint64_t sets = shape->sets, lines = sets * shape->ways;
    const uint32_t bits = MAX(bits_for(2 * lines), 4);
    *tags = (TagArray){.sets = sets,
                       .ways = shape->ways,
                       .by_sets = divisor_of(sets),
                       .by_ways = divisor_of(shape->ways),
                       .set_bits = shape->set_index == SET_INDEX_XOR ? MAX(bits_for(sets), 1) : 0,
                       .remainders =
                           shape->set_index == SET_INDEX_POLYNOMIAL ? new_remainders(sets) : NULL,
                       .lines = SPARSE_ARRAY(TagLine, lines),
                       .filled = SPARSE_ARRAY(uint32_t, sets),
                       .bucket = SPARSE_ARRAY(uint32_t, UINT64_C(1) << bits),
                       .bucket_shift = 64 - bits,
                       .most = shape->most,
                       .stride = shape->most ? stride_of_turns(sets) : 0};
    replacement_init(&tags->replacement, shape->replacement, sets, shape->ways,
                     MAX(shape->candidates, 1), shape->seed);
}

void tag_array_finish(TagArray *tags)
{
    sparse_free(tags->lines);
    sparse_free(tags->filled);
    sparse_free(tags->bucket);
    g_free(tags->remainders);
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

/* Ways that may be in use; behind them are none. */
static uint32_t ways_filled(const TagArray *tags, uint64_t set)
{
    return tags->most && tags->filled[set] ? (uint32_t)tags->ways : tags->filled[set];
}

/* Where strays may have come, places that were given to nobody are forgotten as well. */
uint64_t tag_array_invalidate(TagArray *tags)
{
    const bool strays = tags->strays;
    uint64_t dirty = 0;
    if (!tags->used && !strays) return 0;
    for (uint64_t set = 0; set < tags->sets; set++) {
        const uint32_t filled = ways_filled(tags, set);
        if (!filled && !strays) continue;
        dirty += forget_lines(tags, &tags->lines[set * tags->ways], strays ? tags->ways : filled);
        replacement_forget(&tags->replacement, set, filled);
        tags->filled[set] = 0;
    }
    tags->used = 0;
    return dirty;
}

void tag_array_clean(TagArray *tags)
{
    for (uint64_t set = 0; set < tags->sets; set++)
        for (uint32_t way = 0; way < ways_filled(tags, set); way++)
            tags->lines[set * tags->ways + way].dirty = 0;
}

uint32_t tag_array_find(const TagArray *tags, uint64_t line)
{
    uint32_t link = *bucket_of(tags, line);
    while (link && tags->lines[link - 1].line != line) link = tags->lines[link - 1].chain;
    return link - 1;
}

static uint64_t remainder_of(const uint16_t *remainders, uint64_t line)
{
    uint64_t remainder = 0;
    for (const uint16_t *field = remainders; line; line >>= FIELD_BITS, field += FIELD_VALUES)
        remainder ^= field[line % FIELD_VALUES];
    return remainder;
}

static uint64_t set_of(const TagArray *tags, uint64_t line)
{
    uint64_t fields = line;
    if (tags->set_bits)
        for (fields = 0; line; line >>= tags->set_bits) fields ^= line;
    if (tags->remainders) fields = remainder_of(tags->remainders, line);
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
        if (tags->filled[set]) victim = victim_of_set(tags, set);
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
    if (tags->filled[set] < tags->ways) return (uint32_t)first + tags->filled[set];
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

static void leave_bucket(TagArray *tags, uint32_t index)
{
    uint32_t *at = bucket_of(tags, tags->lines[index].line);
    while (*at != index + 1) at = &tags->lines[*at - 1].chain;
    *at = tags->lines[index].chain;
}

static void give_up(TagArray *tags, uint32_t index)
{
    const uint64_t set = divide(&tags->by_ways, index);
    leave_bucket(tags, index);
    tags->lines[index] = (TagLine){.line = 0};
    tags->filled[set]--;
    tags->used--;
    tags->next_set = set_after(tags, set);
}

void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line)
{
    const uint64_t set = divide(&tags->by_ways, index);
    TagLine *place = &tags->lines[index];
    if (place->used) {
        leave_bucket(tags, index);
    } else {
        tags->filled[set]++;
        tags->used++;
    }
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

void tag_array_take(TagArray *tags, TagRoom room, uint64_t line)
{
    if (room.in_turn) give_up(tags, room.victim);
    tag_array_replace(tags, room.place, line);
}
