/* What the SM hears of a store or reduction before it is done. */
#pragma once

#include "kit/gpu/message.h"
#include "kit/gpu/warp_access.h"

/* From whoever reads the operands, the load/store unit, L1 or the texture unit, to the SM: their
 * registers are free. The access itself comes back when the store is done. */
typedef struct {
    Message message;
    uint32_t warp;     /* slot in the SM ... */
    uint64_t warp_age; /* ... and which of its successive warps */
    Time released_at;  /* the operands have been read by then */
    bool last;         /* shared memory: nothing more is heard of it, it is done as well */
} StoreNotice;

/* Says that the operands of `access` will have been read by `at`. */
static inline StoreNotice *store_notice_new(MessageSource *messages, const WarpAccess *access,
                                            Time at)
{
    StoreNotice *notice = message_new(messages, MESSAGE_STORE_NOTICE);
    notice->warp = access->warp;
    notice->warp_age = access->warp_age;
    notice->released_at = at;
    notice->last = access->instruction.space == SPACE_SHARED;
    return notice;
}
