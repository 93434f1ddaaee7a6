#include "scenarios/report/run_page.h"

#include "scenarios/report/pages.h"

#include "scenarios/result.h"
#include "scenarios/verdict.h"

Document *run_page(JsonNode *result)
{
    const char *variant = result_text(result, "variant");
    g_autofree char *sentence = verdict_sentence(result);
    Document *document = document_new("run", result_text(result, "scenario"), variant);
    document_lead(document, "Bound by", sentence);
    run_latency(document, result);
    run_warps(document, result);
    run_time(document, result);
    run_distribution(document, result);
    run_slowest(document, result);
    run_code(document, result);
    run_hot(document, result);
    run_heat(document, result);
    run_caches(document, result);
    return document;
}
