/* Between L1 and the MMU. */
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
