/* What bounds a list of kernels that are bound by different things. */

#include "rigs/harness.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/report/run/advice.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/verdict/verdict.h"

#define KERNEL(name, bound, share)                                                                 \
    "{\"name\": \"" name "\", \"bound\": \"" bound "\", \"time_share\": " share "}"

/* Of all together the DRAM bus is busiest. */
static Verdict *verdict_beside(const char *kernels, double rest)
{
    g_autofree char *text = g_strdup_printf(
        "{\"summary\": {\"load_latency_cycles\": {\"mean\": 500.0}}, \"resources\":"
        " {\"access_scheduler\": {\"reads_waiting\": {\"kind\": \"place\", \"capacity\": 10, \"mean\": 9,"
        "   \"use\": 0.9, \"full\": 0.9, \"refused\": 7}},"
        "  \"dram_channel\": {\"data_bus\": {\"kind\": \"server\", \"capacity\": 1, \"mean\": 0.9,"
        "   \"use\": 0.9, \"full\": 0.9, \"refused\": 0}}},"
        " \"kernel_names\": [%s], \"kernel_rest\": {\"others\": {\"time_share\": %f}}}",
        kernels, rest);
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(result);
    Verdict *verdict = verdict_new(result);
    g_autofree char *rests = verdict->unlike ? rests_on_sentence(result, verdict) : NULL;
    ck_assert_ptr_null(rests);
    return verdict;
}

static Verdict *verdict_of(const char *kernels)
{
    return verdict_beside(kernels, 0);
}

static void expect_unlike(const char *kernels, const char *sentence)
{
    g_autoptr(Verdict) verdict = verdict_of(kernels);
    ck_assert_str_eq(verdict->sentence, sentence);
    ck_assert_str_eq(verdict->bound, "unlike kernels");
    ck_assert_ptr_null(verdict->chain);
    ck_assert_ptr_nonnull(advice_find(verdict->bound));
}

static void expect_alike(const char *kernels)
{
    g_autoptr(Verdict) verdict = verdict_of(kernels);
    ck_assert_str_eq(verdict->bound, "DRAM bus");
    ck_assert(!verdict->unlike);
}

START_TEST(each_has_its_own_where_that_of_all_is_of_few)
{
    expect_unlike(KERNEL("sum", "DRAM bus", "0.4") ", " KERNEL("turn", "bank conflicts", "0.6"),
                  "bank conflicts in turn (60 % of the time), DRAM bus in sum (40 %)");
    g_autoptr(Verdict) verdict =
        verdict_of(KERNEL("sum", "DRAM bus", "0.4") ", " KERNEL("turn", "bank conflicts", "0.6"));
    ck_assert_str_eq(verdict->kernel, "turn");
    expect_unlike(KERNEL("a", "L1 data", "0.3") ", " KERNEL("b", "latency", "0.45") ", " KERNEL(
                      "c", "L1 data", "0.25"),
                  "L1 data in a and 1 more (55 % of the time), latency in b (45 %)");
}
END_TEST

START_TEST(those_that_hardly_count_are_others)
{
    expect_unlike(KERNEL("a", "L1 data", "0.5") ", " KERNEL("b", "latency", "0.43") ", " KERNEL(
                      "c", "barriers", "0.04") ", " KERNEL("d", "SM issue", "0.03"),
                  "L1 data in a (50 % of the time), latency in b (43 %), others (7 %)");
}
END_TEST

/* Of more than 40 names. */
START_TEST(kernels_of_which_only_a_sum_is_known_count)
{
    g_autoptr(Verdict) verdict =
        verdict_beside(KERNEL("a", "DRAM bus", "0.45") ", " KERNEL("b", "latency", "0.35"), 0.2);
    ck_assert_str_eq(verdict->sentence,
                     "DRAM bus in a (45 % of the time), latency in b (35 %), others (20 %)");
}
END_TEST

START_TEST(what_bounds_most_of_them_bounds_the_list)
{
    expect_alike("");
    expect_alike(KERNEL("a", "latency", "1"));
    expect_alike(KERNEL("a", "DRAM bus", "0.55") ", " KERNEL("b", "latency", "0.45"));
}
END_TEST

HARNESS_MAIN("kernels", each_has_its_own_where_that_of_all_is_of_few,
             those_that_hardly_count_are_others, kernels_of_which_only_a_sum_is_known_count,
             what_bounds_most_of_them_bounds_the_list)
