/* `summary.texture` of result.json: what the texture units did; of runs that sample textures. */
#include "scenarios/program/result/texture.h"

#include "scenarios/program/say/json_text.h"

enum { LEVELS = 4 };

static const char *const level_lines[LEVELS] = {"lines_level_0", "lines_level_1", "lines_level_2",
                                                "lines_level_3"};
static const char *const level_bytes[LEVELS] = {"bytes_level_0", "bytes_level_1", "bytes_level_2",
                                                "bytes_level_3"};

static uint64_t count(const Aggregate *aggregate, const char *name)
{
    return aggregate_number(aggregate, "texture", name);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Of lines that were looked up, those of texels: memory instructions may go the same way. */
static uint64_t count_texels(const Aggregate *aggregate, const char *all, const char *data)
{
    return count(aggregate, all) - count(aggregate, data);
}

/* The tags are the texture units' own or, where these have none, L1's. */
static void put_hit_rate(JsonBuilder *json, const Aggregate *aggregate)
{
    const uint64_t lines = count_texels(aggregate, "lines", "data_lines_read");
    const uint64_t hits = count_texels(aggregate, "hits", "data_hits")
                          + aggregate_number(aggregate, "l1", "texture_hits");
    json_put_real(json, "hit_rate", share(hits, lines));
    json_put_number(json, "accesses", lines);
    json_put_number(json, "hits", hits);
    json_put_number(json, "misses",
                    count_texels(aggregate, "misses", "data_misses")
                        + aggregate_number(aggregate, "l1", "texture_misses"));
    json_put_number(json, "merged", aggregate_number(aggregate, "l1", "texture_merged"));
}

static void put_latency(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate)
{
    const Histogram *latency = aggregate_stat(aggregate, "sm", "sample_latency", STAT_HISTOGRAM);
    if (!latency || !latency->count) return;
    json_put_real(json, "mean_latency_cycles",
                  time_to_cycles(machine_clock(machine, "core"), latency->sum)
                      / (double)latency->count);
}

/* L1 does not know what level a line is of that it fetches. */
static void put_levels(JsonBuilder *json, const Aggregate *aggregate)
{
    const bool in_l1 = count(aggregate, "l1_reads") > 0;
    json_builder_set_member_name(json, "levels");
    json_builder_begin_array(json);
    for (unsigned i = 0; i < LEVELS; i++) {
        json_builder_begin_object(json);
        json_put_number(json, "lines", count(aggregate, level_lines[i]));
        if (!in_l1) json_put_number(json, "bytes_from_l2", count(aggregate, level_bytes[i]));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_bytes(JsonBuilder *json, const Aggregate *aggregate)
{
    json_put_number(json, "bytes_texels", count(aggregate, "bytes_texels"));
    json_put_number(json, "bytes_from_l2",
                    aggregate_number(aggregate, "l2_slice", "bytes_texture_read"));
    json_put_number(json, "bytes_from_dram",
                    aggregate_number(aggregate, "l2_slice", "bytes_texture_filled"));
}

uint64_t result_texture_data_lines(const Aggregate *aggregate)
{
    return count(aggregate, "data_lines_read") + count(aggregate, "past_cache")
           + count(aggregate, "stores") + count(aggregate, "atomics");
}

void result_put_texture_data(JsonBuilder *json, const Aggregate *aggregate)
{
    const uint64_t lines = count(aggregate, "data_lines_read");
    if (!count(aggregate, "data_instructions")) return;
    json_builder_set_member_name(json, "texture_data");
    json_builder_begin_object(json);
    json_put_real(json, "hit_rate", share(count(aggregate, "data_hits"), lines));
    json_put_number(json, "accesses", lines);
    json_put_number(json, "hits", count(aggregate, "data_hits"));
    json_put_number(json, "misses", count(aggregate, "data_misses"));
    json_builder_end_object(json);
}

void result_put_texture(const Machine *machine, JsonBuilder *json, const Aggregate *aggregate,
                        Time span)
{
    const uint64_t samples = count(aggregate, "samples");
    if (!samples) return;
    json_builder_set_member_name(json, "texture");
    json_builder_begin_object(json);
    json_put_number(json, "samples", samples);
    json_put_real(json, "gsamples_per_s", span ? (double)samples * 1e6 / (double)span : 0);
    json_put_number(json, "texels", count(aggregate, "texels"));
    put_latency(machine, json, aggregate);
    put_hit_rate(json, aggregate);
    put_bytes(json, aggregate);
    put_levels(json, aggregate);
    json_builder_end_object(json);
}
