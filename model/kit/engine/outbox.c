#include "kit/engine/outbox.h"

static Bundle *bundle_take(BundleStore *store)
{
    Bundle *bundle = store->free;
    if (bundle)
        store->free = bundle->next;
    else
        bundle = g_new0(Bundle, 1);
    bundle->count = 0;
    bundle->due = TIME_NEVER;
    return bundle;
}

/* It keeps its room: after a few windows no bundle grows any more. */
void bundle_give_back(BundleStore *store, Bundle *bundle)
{
    bundle->next = store->free;
    store->free = bundle;
}

static void bundle_free(Bundle *bundle)
{
    if (!bundle) return;
    g_free(bundle->parcel);
    g_free(bundle);
}

void bundle_store_finish(BundleStore *store)
{
    for (Bundle *bundle = store->free, *next; bundle; bundle = next) {
        next = bundle->next;
        bundle_free(bundle);
    }
}

void outbox_init(Outbox *outbox, BundleStore *store, uint32_t tiles)
{
    outbox->store = store;
    outbox->bundle = g_new0(Bundle *, tiles);
    outbox->dirty = g_new0(uint32_t, tiles);
}

/* A run may end while a tile sends its bundles. */
void outbox_finish(Outbox *outbox)
{
    for (uint32_t i = 0; i < outbox->dirty_count; i++)
        bundle_free(outbox->bundle[outbox->dirty[i]]);
    g_free(outbox->bundle);
    g_free(outbox->dirty);
}

/* Tiles that are written to are listed: of the many that there may be, a window writes to few. */
void outbox_post(Outbox *outbox, uint32_t to, const Parcel *parcel)
{
    Bundle *bundle = outbox->bundle[to];
    if (!bundle) {
        bundle = outbox->bundle[to] = bundle_take(outbox->store);
        outbox->dirty[outbox->dirty_count++] = to;
    }
    if (bundle->count == bundle->room) {
        bundle->room = bundle->room ? 2 * bundle->room : 64;
        bundle->parcel = g_renew(Parcel, bundle->parcel, bundle->room);
    }
    bundle->parcel[bundle->count++] = *parcel;
    bundle->due = MIN(bundle->due, parcel->due);
}
