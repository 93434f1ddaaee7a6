/* What bound the runs whose results are named, as JSON: for verdicts.py. */
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/verdict/verdict.h"

static void put_verdict(JsonBuilder *json, JsonNode *result)
{
    g_autoptr(Verdict) verdict = verdict_new(result);
    json_builder_begin_object(json);
    json_put_text(json, "bound", verdict->bound);
    json_put_text(json, "sentence", verdict->sentence);
    json_put_text(json, "component", verdict->component);
    json_put_text(json, "chain", verdict->chain);
    json_builder_end_object(json);
}

int main(int argc, char **argv)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (int i = 1; i < argc; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(JsonNode) result = result_read(argv[i], &error);
        if (!result) g_error("%s", error->message);
        put_verdict(json, result);
    }
    json_builder_end_array(json);
    json_print(json, stdout);
    return 0;
}
