#include "scenarios/result_profile.h"

JsonNode *result_profile(const Run *run, const Aggregate *aggregate)
{
    if (!simulation_profiles(machine_simulation(run->machine))) return NULL;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    result_put_series(json, aggregate);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
