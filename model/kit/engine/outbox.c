/* What leaves a tile: one bundle for each tile that is written to in a window. */
#include "kit/engine/internal.h"

Bundle *bundle_take(Simulation *simulation)
{
    Bundle *bundle = simulation->free_bundles;
    if (bundle)
        simulation->free_bundles = bundle->next;
    else
        bundle = g_new0(Bundle, 1);
    bundle->count = 0;
    return bundle;
}

void bundle_give_back(Simulation *simulation, Bundle *bundle)
{
    bundle->next = simulation->free_bundles;
    simulation->free_bundles = bundle;
}

void tile_post(Tile *tile, const Parcel *parcel)
{
    const uint32_t to = parcel->to->tile->number;
    Bundle *bundle = tile->outbox[to];
    if (!bundle) {
        bundle = tile->outbox[to] = bundle_take(tile->simulation);
        tile->dirty[tile->dirty_count++] = to;
    }
    if (bundle->count == bundle->room) {
        bundle->room = bundle->room ? 2 * bundle->room : 64;
        bundle->parcel = g_renew(Parcel, bundle->parcel, bundle->room);
    }
    bundle->parcel[bundle->count++] = *parcel;
}
