/* The profiles of a simulation: what its tiles collect, and what is kept of it. */
#include "kit/engine/internal.h"

/* Units of a class share what the plan has of it. */
void simulation_plan_profile(Simulation *simulation)
{
    if (!simulation->profile) return;
    ProfilePlan *plan = simulation->profile_plan =
        profile_plan_new(g_hash_table_lookup(simulation->shared, "launches"));
    g_autoptr(GHashTable) of_class = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        const UnitClass *unit_class = unit->class;
        gpointer classes;
        if (!g_hash_table_lookup_extended(of_class, unit_class, NULL, &classes)) {
            classes = (gpointer)(uintptr_t)profile_plan_add(plan, unit_class->stats);
            g_hash_table_insert(of_class, (gpointer)(uintptr_t)unit_class, classes);
        }
        unit->request_classes = classes;
    }
}

void simulation_keep_profile(Simulation *simulation, Tile *tile)
{
    if (!simulation->profile_plan) return;
    if (!simulation->kept_profile) simulation->kept_profile = profile_new(simulation->profile_plan);
    if (!tile->profile) return;
    profile_merge(simulation->kept_profile, tile->profile);
    profile_clear(tile->profile);
}

void simulation_keep_profiles(Simulation *simulation)
{
    if (simulation->kept_profile) return;
    for (uint32_t i = 0; i < simulation->tile_count; i++)
        simulation_keep_profile(simulation, simulation->tiles[i]);
}

const Profile *simulation_profile(const Simulation *simulation)
{
    return simulation->kept_profile;
}
