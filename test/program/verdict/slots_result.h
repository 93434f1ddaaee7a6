/* Results of slots and resources, and what is said of them. */
#pragma once

#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/verdict.h"

/* Of the slots, the resources, the stages and the summary of a result. */
static inline JsonNode *result_of(const char *slots, const char *resources, const char *more)
{
    g_autofree char *text =
        g_strdup_printf("{\"units\": {\"sm\": {\"total\": {%s}}}, \"resources\": {%s}, "
                        "\"summary\": {\"load_latency_cycles\": {\"mean\": 500.0}%s}}",
                        slots, resources, more);
    g_autoptr(GError) error = NULL;
    JsonNode *result = json_from_string(text, &error);
    ck_assert_msg(result != NULL, "%s: %s", text, error ? error->message : "");
    return result;
}

static inline void set_stages(JsonNode *result, const char *stages)
{
    json_object_set_member(json_node_get_object(result), "stages", json_from_string(stages, NULL));
}

#define SERVER(name, use)                                                                          \
    "\"" name "\": {\"kind\": \"server\", \"capacity\": 1, \"mean\": " use ", \"use\": " use       \
    ", \"full\": " use ", \"refused\": 0}"
static inline void expect_bound(JsonNode *result, const char *bound, const char *component,
                                const char *words)
{
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_msg(!strcmp(verdict->bound, bound), "%s", verdict->sentence);
    ck_assert_msg(!g_strcmp0(verdict->component, component), "%s: %s", verdict->sentence,
                  verdict->component);
    ck_assert_msg(strstr(verdict->sentence, words) != NULL, "'%s' has no '%s'", verdict->sentence,
                  words);
}
