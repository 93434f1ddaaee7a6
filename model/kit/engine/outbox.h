/* What leaves a tile in a window: one bundle for each tile that is written to. SimGrid takes about
 * 5 us for a communication, as long as the model takes for whole transactions; so everything that
 * goes from one tile to another in a window is one communication. */
#pragma once

#include "kit/engine/inbox.h"

typedef struct {
    Time due;
    struct Channel *channel;
    Message *message; /* NULL: a wake-up of its sender, which waits for a credit */
} Parcel;

typedef struct Bundle {
    struct Bundle *next; /* of the store's */
    Parcel *parcel;
    uint32_t count, room;
    Time due; /* of the first to be */
} Bundle;

/* Of a run: a bundle that has been unpacked at one tile leaves from any other. */
typedef struct {
    Bundle *free;
    uint64_t sent, in_flight; /* SimGrid communications */
} BundleStore;

void bundle_store_finish(BundleStore *store);
void bundle_give_back(BundleStore *store, Bundle *bundle);

/* Of a tile. */
typedef struct {
    BundleStore *store;
    Bundle **bundle;              /* by tile; NULL: nothing to send */
    uint32_t *dirty, dirty_count; /* tiles with a bundle, in order of the first parcel */
} Outbox;

void outbox_init(Outbox *outbox, BundleStore *store, uint32_t tiles);
void outbox_finish(Outbox *outbox);

/* For the tile of this number, another one: leaves with the window's bundle. */
void outbox_post(Outbox *outbox, uint32_t to, const Parcel *parcel);
