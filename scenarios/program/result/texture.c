/* `summary.texture` of result.json: what the texture units did; of runs that sample textures. */
#include "scenarios/program/result/texture.h"

#include "kit/describe/role.h"
#include "scenarios/program/say/json_text.h"

static uint64_t count(const Aggregate *aggregate, StatMeaning meaning)
{
    return aggregate_number(aggregate, meaning);
}

/* Of lines that were looked up, those of texels: memory instructions may go the same way. */
static uint64_t count_texels(const Aggregate *aggregate, StatMeaning all, StatMeaning data)
{
    return count(aggregate, all) - count(aggregate, data);
}

/* The tags are the texture units' own or, where these have none, L1's. */
static void put_hit_rate(JsonBuilder *json, const Aggregate *aggregate)
{
    const uint64_t lines = count_texels(aggregate, MEANS_TEXTURE_LOOKUPS, MEANS_DATA_LOOKUPS);
    const uint64_t hits = count_texels(aggregate, MEANS_TEXTURE_HITS, MEANS_DATA_HITS);
    json_put_real(json, "hit_rate", aggregate_ratio((double)hits, (double)lines));
    json_put_number(json, "accesses", lines);
    json_put_number(json, "hits", hits);
    json_put_number(json, "misses",
                    count_texels(aggregate, MEANS_TEXTURE_MISSES, MEANS_DATA_MISSES));
    json_put_number(json, "merged", count(aggregate, MEANS_TEXTURE_MERGED));
}

static void put_latency(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate)
{
    const Histogram *latency = aggregate_times(aggregate, MEANS_SAMPLE_LATENCY);
    if (!latency || !latency->count) return;
    json_put_real(json, "mean_latency_cycles",
                  time_to_cycles(machine_clock(machine, "core"), latency->sum)
                      / (double)latency->count);
}

/* Rows of levels stand in the order of levels. L1 does not know what level a line is of that it
 * fetches. */
static void put_levels(JsonBuilder *json, const Aggregate *aggregate)
{
    const bool in_l1 = count(aggregate, MEANS_TEXTURE_READS_OF_L1) > 0;
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, MEANS_TEXTURE_LEVEL_LOOKUPS);
    const Stat *lines = stat_that_means(sum->class->stats, MEANS_TEXTURE_LEVEL_LOOKUPS),
               *bytes = stat_that_means(sum->class->stats, MEANS_TEXTURE_LEVEL_BYTES);
    json_builder_set_member_name(json, "levels");
    json_builder_begin_array(json);
    while (lines && bytes) {
        json_builder_begin_object(json);
        json_put_number(json, "lines", stat_number(lines, sum->sum));
        if (!in_l1) json_put_number(json, "bytes_from_l2", stat_number(bytes, sum->sum));
        json_builder_end_object(json);
        lines = stat_that_means(lines + 1, MEANS_TEXTURE_LEVEL_LOOKUPS);
        bytes = stat_that_means(bytes + 1, MEANS_TEXTURE_LEVEL_BYTES);
    }
    json_builder_end_array(json);
}

static void put_bytes(JsonBuilder *json, const Aggregate *aggregate)
{
    json_put_number(json, "bytes_texels", count(aggregate, MEANS_TEXEL_BYTES));
    json_put_number(json, "bytes_from_l2", count(aggregate, MEANS_TEXTURE_BYTES_FROM_L2));
    json_put_number(json, "bytes_from_dram", count(aggregate, MEANS_TEXTURE_BYTES_FROM_DRAM));
}

uint64_t result_texture_data_lines(const Aggregate *aggregate)
{
    return count(aggregate, MEANS_DATA_LOOKUPS) + count(aggregate, MEANS_DATA_LINES_PAST);
}

void result_put_texture_data(JsonBuilder *json, const Aggregate *aggregate)
{
    const uint64_t lines = count(aggregate, MEANS_DATA_LOOKUPS);
    if (!count(aggregate, MEANS_DATA_INSTRUCTIONS)) return;
    json_builder_set_member_name(json, "texture_data");
    json_builder_begin_object(json);
    json_put_real(json, "hit_rate",
                  aggregate_ratio((double)count(aggregate, MEANS_DATA_HITS), (double)lines));
    json_put_number(json, "accesses", lines);
    json_put_number(json, "hits", count(aggregate, MEANS_DATA_HITS));
    json_put_number(json, "misses", count(aggregate, MEANS_DATA_MISSES));
    json_builder_end_object(json);
}

void result_put_texture(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate,
                        Time span)
{
    const uint64_t samples = count(aggregate, MEANS_SAMPLES);
    if (!samples) return;
    json_builder_set_member_name(json, "texture");
    json_builder_begin_object(json);
    json_put_number(json, "samples", samples);
    json_put_real(json, "gsamples_per_s", span ? (double)samples * 1e6 / (double)span : 0);
    json_put_number(json, "texels", count(aggregate, MEANS_TEXELS));
    put_latency(machine, json, aggregate);
    put_hit_rate(json, aggregate);
    put_bytes(json, aggregate);
    put_levels(json, aggregate);
    json_builder_end_object(json);
}
