#include "scenarios/program/result/profile.h"

JsonNode *result_profile(const Run *run, const Aggregate *aggregate)
{
    const Profile *profile = simulation_profile(machine_simulation(run->machine));
    if (!profile) return NULL;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    result_put_series(json, aggregate);
    result_put_requests(json, profile);
    result_put_instructions(json, profile, run->launches->kernels);
    result_put_arrays(json, profile);
    result_put_slowest(json, profile);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
