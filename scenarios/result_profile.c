#include "scenarios/result_profile.h"

#include "scenarios/result_requests.h"

JsonNode *result_profile(const Run *run, const Aggregate *aggregate)
{
    if (!simulation_profiles(machine_simulation(run->machine))) return NULL;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    result_put_series(json, aggregate);
    put_requests(json, run);
    put_instructions(json, run);
    put_arrays(json, run);
    put_slowest(json, run);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
