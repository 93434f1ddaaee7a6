/* What a run says of a program that may be wrong, and of everything that was counted. */
#include "scenarios/program/say/summary.h"
#include "rigs/harness.h"

static const char counted[] =
    "{\"schema_version\": 1, \"scenario\": \"S\", \"variant\": \"baseline\", \"partial\": false,"
    " \"summary\": {\"core_cycles\": 1000, \"time_ns\": 1000.0,"
    " \"dram\": {\"bandwidth_gbps\": 10.0, \"peak_gbps\": 100.0}},"
    " \"stages\": {}, \"parameters\": {}, \"resources\": {},"
    " \"units\": {\"coherence_monitor\": {\"count\": 1, \"total\": {\"stale_hits\": 1860,"
    " \"conflicting_writes\": 0}}, \"access_scheduler\": {\"count\": 2, \"total\":"
    " {\"turnarounds\": 12}}, \"crossbar\": {\"count\": 2, \"total\": {\"bytes\": 4096}}}}";

static char *print(void (*say)(JsonNode *result, FILE *out))
{
    g_autoptr(JsonNode) result = json_from_string(counted, NULL);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    say(result, out);
    fclose(out);
    return text;
}

static void say_all(JsonNode *result, FILE *out)
{
    summary_print(result, true, out);
}

static void say_some(JsonNode *result, FILE *out)
{
    summary_print(result, false, out);
}

static bool says(void (*say)(JsonNode *result, FILE *out), const char *words)
{
    char *text = print(say);
    const bool found = strstr(text, words) != NULL;
    free(text);
    return found;
}

START_TEST(stale_hits_are_told_of_a_run_that_has_some)
{
    ck_assert(says(say_some, "  stale hits             1,860  hits on a sector"));
    ck_assert(!says(say_some, "conflicting writes"));
    ck_assert(says(summary_print_brief, "DRAM 10.0 GB/s, 1,860 stale hits; bound by"));
}
END_TEST

START_TEST(details_have_each_counter_that_moved)
{
    ck_assert(says(say_all, "    access_scheduler.turnarounds       12  "));
    ck_assert(says(say_all, "    crossbar.bytes                4.10 kB  "));
    ck_assert(says(say_all, "    coherence_monitor.stale_hits    1,860  "));
    ck_assert(!says(say_all, "coherence_monitor.conflicting_writes"));
    ck_assert(!says(say_some, "access_scheduler.turnarounds"));
}
END_TEST

HARNESS_MAIN("summary", stale_hits_are_told_of_a_run_that_has_some,
             details_have_each_counter_that_moved)
