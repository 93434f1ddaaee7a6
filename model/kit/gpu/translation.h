/* What virtual addresses need: between L1 and the MMU, and between L2 slices and the pager. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/message.h"

/* L1 to the MMU and back: a virtual address whose translation L1's TLB lacks. The answer says
 * only that it is known now; where the page lies everybody can compute. */
typedef struct {
    Message message;
    uint64_t address; /* first byte of what an entry of L1's TLB covers */
    uint32_t source;  /* SM: the answer's port */
    Time requested;   /* when it left L1 */
    Time entered;     /* the MMU's own: when it came, then when its look-up ended */
} Translation;

/* Pages that come to DRAM from the host, and leave it. */
typedef enum {
    PAGES_ABSENT, /* slice to pager: a request wants a page that is not there */
    PAGES_USED,   /* ... one that nobody had asked for is used */
    PAGES_LEFT,   /* ... answers PAGES_LEAVE: no request is let at them any more */
    PAGES_COME,   /* pager to all slices: they are in DRAM */
    PAGES_LEAVE   /* ... they are about to go */
} PageNews;

/* Of pages of one block. */
typedef struct {
    Message message;
    uint32_t news; /* a PageNews */
    uint64_t block, pages;
    /* of those that come, brought by a prefetch; of those that have left, written by the slice */
    uint64_t marked;
} PageNotice;
