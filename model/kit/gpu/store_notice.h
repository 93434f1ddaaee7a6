/* What the SM hears of a store or reduction before it is done, and of L1's write-backs. */
#pragma once

#include "kit/gpu/message.h"
#include "kit/gpu/warp_access.h"

typedef enum {
    STORE_RELEASED, /* its operands have been read: the access itself comes back when it is done */
    STORE_ENDS,     /* ... and it is done: a warp's fence */
    /* L1 makes place for another line of the launch; L2 has what was there */
    WRITE_BACK_BEGINS,
    WRITE_BACK_ENDS,
    LINES_KEPT /* L1 has written global lines that L2 lacks, and had none */
} StoreStep;

/* From whoever reads the operands, the load/store unit, L1 or the texture unit, to the SM. The
 * other way, from the SM to L1, it is the order to write back what L1 keeps of global stores, and
 * comes back when L2 has it: WRITE_BACK_ENDS, or STORE_ENDS for a warp's fence. */
typedef struct {
    Message message;
    StoreStep step;
    uint32_t launch;   /* of those that run concurrently */
    uint32_t warp;     /* of a store: slot in the SM ... */
    uint64_t warp_age; /* ... and which of its successive warps */
    Time released_at;  /* the operands have been read by then: their registers are free */
} StoreNotice;

/* Says that the operands of `access` will have been read by `at`. */
static inline StoreNotice *store_notice_new(MessageSource *messages, const WarpAccess *access,
                                            Time at)
{
    StoreNotice *notice = message_new(messages, MESSAGE_STORE_NOTICE);
    notice->step = STORE_RELEASED;
    notice->launch = access->launch;
    notice->warp = access->warp;
    notice->warp_age = access->warp_age;
    notice->released_at = at;
    return notice;
}

static inline StoreNotice *write_back_notice_new(MessageSource *messages, uint32_t launch,
                                                 StoreStep step)
{
    StoreNotice *notice = message_new(messages, MESSAGE_STORE_NOTICE);
    notice->step = step;
    notice->launch = launch;
    return notice;
}
