/* What bound a run. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

typedef struct {
    /* in a word or two: a resource's name, "latency", "tail of CTAs", "unlike kernels" */
    char *bound;
    /* in a line: "DRAM bus (dram_channel.data_bus): busy 91 % of the time"; two that are close are
     * both named; of a list of unlike kernels what bounds which of them */
    char *sentence;
    bool unlike;  /* it is such a list: what follows is of its kernels together */
    char *kernel; /* of such a list the one that is named first; else NULL */
    /* the way along which the pressure comes back, "sm.to_load_store 98 % > ... >
     * dram_channel.data_bus 91 %"; NULL: there is none, or kernels are unlike */
    char *chain;
    /* the perfect one that removes the bound, or what those wait for that it waits for; NULL: none
     * is known */
    const char *component;
    /* of `ends` what is nearly as busy in front of the first; NULL: there is none */
    char *also;
    GStrv ends; /* the resources that are named, "mmu.tlb_ports": none, one or two */
} Verdict;

Verdict *verdict_new(JsonNode *result);
/* Where `list` (pressure.h) has the resources, and not the result. */
Verdict *verdict_new_with(JsonNode *result, GPtrArray *list);
void verdict_free(Verdict *verdict);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Verdict, verdict_free)
