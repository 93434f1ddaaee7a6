/* The scenario about a texture cache whose tags run ahead of its data, run as by a user. */
#include "harness.h"
#include "shipped.h"

static double cycles_of(const char *folder, const char *variant)
{
    return summary_of(folder, variant, "core_cycles");
}

static double texture_of(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.texture.total.%s", name);
    return result_number(folder, variant, path);
}

/* More than half of the fragments miss. The unit's own tests hold the exact rates. */
START_TEST(tags_that_run_ahead_beat_a_blocking_cache)
{
    char *folder = temporary_folder();
    run(folder, "texture-run-ahead --variant baseline --variant blocking");
    ck_assert_double_ge(texture_of(folder, "baseline", "misses"),
                        0.5 * texture_of(folder, "baseline", "lines"));
    ck_assert_double_ge(cycles_of(folder, "blocking"), 5 * cycles_of(folder, "baseline"));
    ck_assert_double_ge(texture_of(folder, "blocking", "stalls_blocking"), 1000);
    temporary_remove(folder);
}
END_TEST

/* A FIFO of 16 or 64 places is always full: a place lets a fragment through in the time of a way to
 * DRAM and back, which grows from 413 to 485 cycles as DRAM gets more to do. With 512 places others
 * are the limit. */
START_TEST(time_falls_with_the_places_of_the_fragment_fifo_until_they_suffice)
{
    static const struct {
        const char *variant;
        double places;
    } depths[] = {{"depth-16", 16}, {"depth-64", 64}};
    char *folder = temporary_folder();
    run(folder, "texture-run-ahead --variant baseline --variant depth-16 --variant depth-64 "
                "--variant depth-256");
    for (guint i = 0; i < G_N_ELEMENTS(depths); i++) {
        const char *variant = depths[i].variant;
        const double fragments = texture_of(folder, variant, "fragments");
        const double stay = cycles_of(folder, variant) * depths[i].places / fragments;
        ck_assert_double_ge(texture_of(folder, variant, "fragment_room.mean"),
                            0.95 * depths[i].places);
        ck_assert_double_ge(stay, 400);
        ck_assert_double_le(stay, 500);
    }
    ck_assert_double_ge(cycles_of(folder, "depth-64"), 2.5 * cycles_of(folder, "depth-256"));
    ck_assert_double_ge(cycles_of(folder, "depth-256"), 1.1 * cycles_of(folder, "baseline"));
    ck_assert_double_le(texture_of(folder, "baseline", "fragment_room.mean"), 0.8 * 512);
    temporary_remove(folder);
}
END_TEST

/* Of those that wait for nothing else: 600 cycles and the filter's 70, and a cycle or two for the
 * fill of a miss. */
START_TEST(in_a_pipeline_of_fixed_length_hits_take_as_long_as_misses)
{
    char *folder = temporary_folder();
    run(folder, "texture-run-ahead --variant baseline --variant fixed");
    const double hit = texture_of(folder, "fixed", "hit_latency.min_fs"),
                 miss = texture_of(folder, "fixed", "miss_latency.min_fs");
    ck_assert_double_ge(miss, hit);
    ck_assert_double_le(miss, 1.1 * hit);
    ck_assert_double_ge(texture_of(folder, "baseline", "miss_latency.min_fs"),
                        2 * texture_of(folder, "baseline", "hit_latency.min_fs"));
    ck_assert_double_le(cycles_of(folder, "fixed"), 1.05 * cycles_of(folder, "baseline"));
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("texture_rows", tags_that_run_ahead_beat_a_blocking_cache,
             time_falls_with_the_places_of_the_fragment_fifo_until_they_suffice,
             in_a_pipeline_of_fixed_length_hits_take_as_long_as_misses)
