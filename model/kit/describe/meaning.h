/* Meanings that are asked for one by one, as by a result's summary. A statistic has one at most;
 * what several units have is added up. */
#pragma once

/* NAME, whether NUMBER, LEVEL or TIMES (a distribution), and words for people. */
#define STAT_MEANINGS(X)                                                                           \
    X(CTAS, NUMBER, "CTAs completed")                                                              \
    X(WARP_INSTRUCTIONS, NUMBER, "instructions of warps")                                          \
    X(LOAD_INSTRUCTIONS, NUMBER, "loads of warps")                                                 \
    X(REQUESTED_BYTES, NUMBER, "bytes that lanes ask for")                                         \
    X(RESIDENT_WARPS, LEVEL, "resident warps")                                                     \
    X(WARPS_AT_RESULTS, NUMBER, "time of warps that wait for results")                             \
    X(WARPS_AT_BARRIERS, NUMBER, "time of warps that wait for others or their end")                \
    X(LOAD_LATENCY, TIMES, "latency of loads")                                                     \
    X(DEPENDENT_LOAD_LATENCY, TIMES, "latency of loads of a chain")                                \
    X(SAMPLE_LATENCY, TIMES, "latency of texture instructions")                                    \
    X(LINE_TRANSACTIONS, NUMBER, "line transactions")                                              \
    X(LINE_MESSAGES, NUMBER, "messages that the first level makes")                                \
    X(SHARED_ACCESSES, NUMBER, "accesses to shared memory")                                        \
    X(SHARED_PASSES, NUMBER, "passes of accesses to shared memory")                                \
    X(LOCAL_BYTES, NUMBER, "bytes of local memory")                                                \
    X(LOCAL_WRITE_BACKS, NUMBER, "write-backs of local memory")                                    \
    X(PACKETS_DELIVERED, NUMBER, "packets that arrived")                                           \
    X(HOPS, NUMBER, "links that packets took")                                                     \
    X(TRAFFIC_MADE, NUMBER, "traffic that sources made in the measured time")                      \
    X(TRAFFIC_ACCEPTED, NUMBER, "traffic that arrived in the measured time")                       \
    X(TRAFFIC_CYCLES, NUMBER, "cycles of the measured time, of all sources of traffic")            \
    X(TRAFFIC_LATENCY, TIMES, "latency of traffic")                                                \
    X(L2_LOOKUPS, NUMBER, "look-ups of an L2 slice")                                               \
    X(L1_LINES_BROUGHT, NUMBER, "lines that an L1 gave a place")                                   \
    X(L1_LINES_BROUGHT_BACK, NUMBER, "of these, lines that it had evicted")                        \
    X(TEXTURE_LINES_BROUGHT, NUMBER, "lines that a texture cache gave a place")                    \
    X(TEXTURE_LINES_BROUGHT_BACK, NUMBER, "of these, lines that it had evicted")                   \
    X(ROP_LINES_BROUGHT, NUMBER, "lines that a ROP's cache gave a place")                          \
    X(ROP_LINES_BROUGHT_BACK, NUMBER, "of these, lines that it had evicted")                       \
    X(ROP_BYTES_WRITTEN_BACK, NUMBER, "bytes that a ROP's cache wrote back to L2")                 \
    X(SHARED_L1_LINES_BROUGHT, NUMBER, "lines that a shared L1 gave a place")                      \
    X(SHARED_L1_LINES_BROUGHT_BACK, NUMBER, "of these, lines that it had evicted")                 \
    X(L2_LINES_BROUGHT, NUMBER, "lines that L2 gave a place")                                      \
    X(L2_LINES_BROUGHT_BACK, NUMBER, "of these, lines that L2 had evicted")                        \
    X(MEMORY_CACHE_LINES_BROUGHT, NUMBER, "lines that a memory-side cache gave a place")           \
    X(MEMORY_CACHE_LINES_BROUGHT_BACK, NUMBER, "of these, lines that it had evicted")              \
    X(ROW_HITS, NUMBER, "rows found open")                                                         \
    X(ACTIVATES, NUMBER, "rows opened")                                                            \
    X(BYTES_FROM_DRAM, NUMBER, "bytes read from DRAM")                                             \
    X(BYTES_TO_DRAM, NUMBER, "bytes written to DRAM")                                              \
    X(DATA_TO_DRAM, NUMBER, "of these, bytes of lines: not of codes")                              \
    X(BYTES_DIRTIED, NUMBER, "bytes that have to be written to DRAM")                              \
    X(BYTES_REPLACED, NUMBER, "of these, bytes that a copy from the host replaced")                \
    X(BYTES_WRITTEN_BACK, NUMBER, "bytes sent on their way to DRAM")                               \
    X(BYTES_CAUGHT, NUMBER, "of these, bytes that a memory-side cache took")                       \
    X(SAMPLES, NUMBER, "texture samples")                                                          \
    X(TEXELS, NUMBER, "texels read")                                                               \
    X(TEXEL_BYTES, NUMBER, "bytes of texels")                                                      \
    X(TEXTURE_LOOKUPS, NUMBER, "lines looked up for textures")                                     \
    X(TEXTURE_HITS, NUMBER, "of these, hits")                                                      \
    X(TEXTURE_MISSES, NUMBER, "of these, misses")                                                  \
    X(TEXTURE_MERGED, NUMBER, "of these, merged ones")                                             \
    X(TEXTURE_READS_OF_L1, NUMBER, "reads that the texture unit leaves to L1")                     \
    X(TEXTURE_LEVEL_LOOKUPS, NUMBER, "look-ups of a mip level, finest first")                      \
    X(TEXTURE_LEVEL_BYTES, NUMBER, "bytes of a mip level, finest first")                           \
    X(TEXTURE_BYTES_FROM_L2, NUMBER, "bytes of textures from L2")                                  \
    X(TEXTURE_BYTES_FROM_DRAM, NUMBER, "bytes of textures from DRAM")                              \
    X(DATA_INSTRUCTIONS, NUMBER, "memory instructions in the texture unit")                        \
    X(DATA_LOOKUPS, NUMBER, "their look-ups")                                                      \
    X(DATA_HITS, NUMBER, "of these, hits")                                                         \
    X(DATA_MISSES, NUMBER, "of these, misses")                                                     \
    X(DATA_LINES_PAST, NUMBER, "their lines that are not looked up")

typedef enum {
    MEANS_NOTHING,
#define MEANING_ID(name, kind, words) MEANS_##name,
    STAT_MEANINGS(MEANING_ID)
#undef MEANING_ID
        STAT_MEANING_COUNT
} StatMeaning;

typedef enum { MEANING_NUMBER, MEANING_LEVEL, MEANING_TIMES } MeaningKind;
