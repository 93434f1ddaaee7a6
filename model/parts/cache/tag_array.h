/* Tags of a sectored, set-associative cache: where a line is, which of its sectors are valid and
 * dirty, and which line goes next. A set of few ways is looked through. Of more, where a line's set
 * is known at once, a hash of each of the set's lines, a byte, lies beside what the policy knows of
 * them, and is looked at before the lines are. Elsewhere look-up is a hash over all lines, so that
 * a set may have hundreds of ways.
 *
 * There may be more tags than lines that have data. When all of these are in use, a line whose set
 * has a free way takes the data of another set's: each set in its turn gives up the line that its
 * policy names. */
#pragma once

#include "parts/cache/replacement.h"
#include "parts/cache/set_index.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { TAG_NONE = UINT32_MAX };

/* Left out: modulo, LRU, seed 0. */
typedef struct {
    uint64_t sets, ways; /* any numbers from 1 */
    SetIndex set_index;
    ReplacementPolicy replacement;
    uint64_t candidates; /* of sampled_lru; 0 counts as 1 */
    uint64_t seed;       /* of policies that draw */
    uint64_t most;       /* lines that have data at once; 0: all */
} TagArrayShape;

/* Four are a line of the host's cache. */
typedef struct {
    uint64_t line;         /* address / line_bytes; meaningful when `used` */
    uint16_t valid, dirty; /* sectors, bit 0 = lowest address */
    uint16_t fetching; /* outstanding requests that will fill this line: it must not be evicted */
    uint8_t copied;    /* the cache's own: who may have a copy of the line, a bit each */
    bool used : 1;
    bool writing : 1;  /* its data waits here until a write of it is done: it must not be evicted */
    uint8_t owner : 6; /* the cache's own: class of the request that brought it */
} TagLine;

G_STATIC_ASSERT(sizeof(TagLine) == 16);

/* What a look-up reads, and what a new line reads besides, are lines of the host's cache. */
typedef struct {
    _Alignas(64) TagLine *lines; /* sets x ways, a set's ways together */
    /* Of each set: unless `most`, how many ways were given to a line, the first ones; its lines'
     * hashes; what `replacement` knows. */
    uint64_t *state;
    uint32_t state_words; /* from a set's state to the next one's */
    uint32_t hash_words;  /* 0: there are buckets instead, */
    uint32_t *bucket;     /* ... or NULL, of few ways: links to the first line */
    uint32_t *chain;      /* of a line whose link says that there are more, to the next one */
    uint32_t bucket_shift;
    bool strays; /* lines were forgotten that were being fetched */
    uint64_t ways, sets;
    Divisor by_ways;
    SetChoice choice;
    uint64_t most, used;       /* lines with data, at most and now; most = 0: of all tags */
    uint64_t *filled;          /* a bit a set: some of its ways were given to a line */
    uint64_t next_set, stride; /* whose turn it is, and how far it is to the one after it */
    Replacement replacement;
} TagArray;

void tag_array_init(TagArray *tags, const TagArrayShape *shape);
void tag_array_finish(TagArray *tags);

/* What a look-up of the line touches is fetched; `behind`: what is found through that, the line
 * that makes room for it. */
void tag_array_foresee(const TagArray *tags, uint64_t line, bool behind);

/* The line's index or TAG_NONE. */
uint32_t tag_array_find(const TagArray *tags, uint64_t line);

/* Tells the replacement policy that the line was used. */
void tag_array_touch(TagArray *tags, uint32_t index);

/* The line that would make room for `line`: a way that is not filled, or what the policy names,
 * never a line that is being fetched. TAG_NONE: every way is. Only where all tags have data. */
uint32_t tag_array_victim(const TagArray *tags, uint64_t line);

/* The same of any array, where the victim may be another set's. */
typedef struct {
    uint32_t victim;      /* TAG_NONE: there is no room */
    uint32_t place : 31;  /* where the line comes: as a rule the victim's */
    uint32_t in_turn : 1; /* the victim is that of a set whose turn it was */
} TagRoom;

TagRoom tag_array_room(const TagArray *tags, uint64_t line);

/* True: the line must stay. */
typedef bool (*TagLineStays)(const TagLine *line);

/* The same of a set by another rule about what must stay, also for lines that were never filled. */
uint32_t tag_array_oldest(const TagArray *tags, uint64_t set, TagLineStays stays);

/* The set that `line` belongs to. */
uint64_t tag_array_set_of(const TagArray *tags, uint64_t line);

/* Gives the place `index`, which came from tag_array_victim, to `line`, without valid sectors. */
void tag_array_replace(TagArray *tags, uint32_t index, uint64_t line);

/* The same of what came from tag_array_room, since when nothing has changed. */
void tag_array_take(TagArray *tags, TagRoom room, uint64_t line);

/* Forgets everything, and returns how many lines had written data; whoever fetches for a line must
 * not fill it. It costs as much as there is to be forgotten. */
uint64_t tag_array_invalidate(TagArray *tags);
void tag_array_clean(TagArray *tags);
