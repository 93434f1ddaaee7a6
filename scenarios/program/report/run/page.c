#include "scenarios/program/report/run/page.h"

#include "scenarios/program/report/pages.h"

#include "scenarios/program/result/result.h"

static void add_bounds(Document *document, JsonNode *result)
{
    document_section(document, "bounds", "What bound it",
                     "How much of what each part can do was used, and whether the run's own "
                     "counters agree with each other.");
    document_add(document, run_time_spent(result));
    document_add(document, run_utilisation(result));
    document_add(document, run_resources(result));
    document_add(document, run_resource_map(result));
    document_add(document, run_busiest_map(result));
    document_add(document, run_unloaded(result));
    document_add(document, run_littles_law(result));
    document_add(document, run_conservation(result, machine_unit_classes()));
}

Document *run_page(JsonNode *result)
{
    const char *variant = result_text(result, "variant");
    Document *document = document_new("run", result_text(result, "scenario"), variant);
    run_lead(document, result);
    add_bounds(document, result);
    run_why(document, result);
    run_kernels(document, result);
    run_latency(document, result);
    run_warps(document, result);
    run_time(document, result, machine_unit_classes());
    run_distribution(document, result);
    run_slowest(document, result);
    run_code(document, result);
    run_hot(document, result);
    run_heat(document, result, machine_unit_classes());
    run_links(document, result);
    run_caches(document, result);
    run_between(document, result);
    document_section(document, "cost", "What it costs", NULL);
    document_add(document, run_energy_stages(result));
    document_add(document, run_energy(result));
    document_add(document, run_storage(result));
    document_section(document, "counters", "Counters", NULL);
    document_add(document, run_counters(result, machine_unit_classes()));
    document_section(document, "parameters", "Parameters", NULL);
    document_add(document, run_parameters(result));
    return document;
}
