/* A tag array's room: which line goes, and how a new one comes. */
#include "parts/cache/tag_sets.h"
#include "parts/fetch_ahead.h"

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

/* From the set on, in the order of turns. */
static uint64_t filled_from(const TagArray *tags, uint64_t set)
{
    for (uint64_t i = 0; i < tags->sets && !is_filled(tags, set); i++) set = set_after(tags, set);
    return set;
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

uint32_t tag_array_oldest(const TagArray *tags, uint64_t set, TagLineStays stays)
{
    const Rule rule = {tags, stays};
    const uint32_t way = replacement_victim(&tags->replacement, set, must_stay, &rule);
    return way == TAG_NONE ? TAG_NONE : (uint32_t)(set * tags->ways) + way;
}

uint64_t tag_array_set_of(const TagArray *tags, uint64_t line)
{
    return set_of(tags, line);
}

/* --- a new line ------------------------------------------------------------------------------- */

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

/* The next one is on its way since the turn before this one. */
static void foresee_turn_after_next(const TagArray *tags)
{
    const uint64_t next = filled_from(tags, tags->next_set),
                   set = filled_from(tags, set_after(tags, next));
    fetch_ahead(&tags->lines[set * tags->ways]);
    fetch_ahead(state_of(tags, set));
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
    foresee_turn_after_next(tags);
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
