/* What a summary says of traffic without a GPU. */
#include "scenarios/program/say/summary_traffic.h"

#include "rigs/harness.h"
#include "scenarios/program/say/json_text.h"

static const struct {
    const char *summary, *words;
} runs[] = {
    {"\"accepted_rate\": 0.6013, \"offered_rate\": 1, \"traffic_latency\": {\"mean\": 12.34}",
     "0.6013 packets a cycle and source, mean latency 12.3 cycles"},
    {"\"traffic_latency\": {\"mean\": 12.34}", "mean latency 12.3 cycles"},
    {"\"accepted_rate\": 0, \"offered_rate\": 0",
     "0 packets a cycle and source, no latency measured"},
    {"\"accepted_rate\": 0.1, \"offered_rate\": 0.1, \"traffic_latency\": {\"mean\": 99.0}, "
     "\"dram\": {\"read_bytes\": 64, \"write_bytes\": 0, \"bandwidth_gbps\": 80.0, "
     "\"peak_gbps\": 112.0}",
     "DRAM 80.0 GB/s of 112.0, mean latency 99.0 cycles"},
};

START_TEST(a_run_of_traffic_is_said_in_its_own_words)
{
    g_autofree char *text = g_strdup_printf("{\"summary\": {%s}}", runs[_i].summary);
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    g_autofree char *words = summary_traffic_words(result);
    ck_assert(summary_has_traffic(result));
    ck_assert_str_eq(words, runs[_i].words);
}
END_TEST

START_TEST(a_run_of_kernels_has_no_traffic)
{
    g_autoptr(JsonNode) result = json_from_string(
        "{\"summary\": {\"dram\": {\"read_bytes\": 64, \"write_bytes\": 0}}}", NULL);
    ck_assert(!summary_has_traffic(result));
    ck_assert(!summary_has_dram_traffic(result));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("summary_traffic");
    tcase_add_loop_test(cases, a_run_of_traffic_is_said_in_its_own_words, 0,
                        (int)G_N_ELEMENTS(runs));
    tcase_add_test(cases, a_run_of_kernels_has_no_traffic);
    return harness_run_cases("summary_traffic", cases);
}
