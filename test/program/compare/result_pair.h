/* Results of one resource, for what is said of two of them. */
#pragma once

#include <stdio.h>

#include "rigs/harness.h"
#include "scenarios/program/compare/compare.h"
#include "scenarios/program/result/result.h"

typedef struct {
    double time_us, clock_mhz, use;
    double busiest; /* use of the busiest instance; 0: all are as busy */
    const char *unit, *resource, *kind;
    double capacity;
    guint instances;        /* 0: four */
    const char *parameters; /* members of the parameters, as JSON */
    const char *total;      /* statistics of the unit */
    double latency_ns;      /* of 100 requests, in stage "dram_bus" of class "load" */
    const char *variant;    /* NULL: "one" */
    const char *origins;    /* NULL: none */
    const char *kernels;    /* elements, as JSON; NULL: none */
    const char *more; /* behind the resource, as JSON: of its unit, and of others; NULL: none */
} Case;

/* What is 0 or NULL is one of four DRAM buses; the core clock is 1 GHz. */
static inline JsonNode *result_of(const Case *one)
{
    g_autoptr(GError) error = NULL;
    const double clock = one->clock_mhz > 0 ? one->clock_mhz : 1000;
    const char *unit = one->unit ? one->unit : "dram_channel",
               *resource = one->resource ? one->resource : "data_bus";
    g_autofree char *origins =
        one->origins ? g_strdup_printf("\"origins\": {%s},", one->origins) : g_strdup("");
    g_autofree char *busiest =
        g_strdup_printf(", \"busiest\": {\"path\": \"one.of.them\", \"use\": %f, \"full\": %f}",
                        one->busiest, one->busiest);
    g_autofree char *text = g_strdup_printf(
        "{\"schema_version\": 1, \"scenario\": \"S\", \"variant\": \"%s\", %s"
        " \"summary\": {\"time_ns\": %f, \"core_cycles\": %f, \"requested_gbps\": %f,"
        "  \"dram\": {\"bandwidth_gbps\": 1.0, \"peak_gbps\": 2.0}, \"kernels\": [%s]},"
        " \"parameters\": {%s}, \"units\": {\"%s\": {\"total\": {%s}}},"
        " \"stages\": {\"load\": {\"count\": 100, \"latency\": %.0f, \"dram_bus\": %.0f}},"
        " \"resources\": {\"%s\": {\"%s\": {\"kind\": \"%s\", \"instances\": %u,"
        "  \"capacity\": %f, \"mean\": %f, \"use\": %f, \"full\": %f, \"refused\": 7%s}%s}}}",
        one->variant ? one->variant : "one", origins, one->time_us * 1e3, one->time_us * clock,
        1e3 / one->time_us, one->kernels ? one->kernels : "",
        one->parameters ? one->parameters : "", unit, one->total ? one->total : "",
        one->latency_ns * 1e6, one->latency_ns * 1e6, unit, resource,
        one->kind ? one->kind : "server", one->instances ? one->instances : 4,
        one->capacity > 0 ? one->capacity : 1.0, one->use, one->use, one->use,
        one->busiest > 0 ? busiest : "", one->more ? one->more : "");
    JsonNode *result = json_from_string(text, &error);
    ck_assert_msg(result != NULL, "%s", error ? error->message : "");
    return result;
}

/* What is printed of them. */
static inline char *printed(JsonNode *const *results, guint count,
                            void (*print)(const Comparison *comparison, FILE *out))
{
    const Comparison comparison = {results, NULL, count};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    print(&comparison, out);
    fclose(out);
    return text;
}
