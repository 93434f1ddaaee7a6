#include "units/l2_slice/evicted_tags.h"

#include "parts/sparse.h"

void evicted_tags_init(EvictedTags *evicted, uint64_t lines)
{
    const uint32_t bits = bits_for(MAX(lines * EVICTED_REACH / EVICTED_SAMPLE, 2));
    *evicted = (EvictedTags){.marks = SPARSE_ARRAY(uint32_t, UINT64_C(1) << bits), .bits = bits};
}

void evicted_tags_finish(EvictedTags *evicted)
{
    sparse_free(evicted->marks);
}

static uint64_t hash_of(const EvictedTags *evicted, uint64_t line)
{
    return mix64(mix64(line) + evicted->age);
}

static uint32_t *place_of(const EvictedTags *evicted, uint64_t hash)
{
    return &evicted->marks[hash >> (64 - evicted->bits)];
}

void evicted_tags_add(EvictedTags *evicted, uint64_t line)
{
    const uint64_t hash = hash_of(evicted, line);
    *place_of(evicted, hash) = (uint32_t)hash | 1;
}

bool evicted_tags_has(const EvictedTags *evicted, uint64_t line)
{
    const uint64_t hash = hash_of(evicted, line);
    return *place_of(evicted, hash) == ((uint32_t)hash | 1);
}
