/* To the texture unit, and between it and an L1 that is its cache. */
#pragma once

#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/warp_access.h"

/* Where a texture instruction samples: goes with it to the texture unit. */
typedef struct Samples {
    Message message;
    SampleCoordinates at;
} Samples;

/* Lines that the texture unit reads together: an access to L1, where its instruction samples, and
 * the same on its way back. */
typedef struct {
    WarpAccess access;
    uint32_t fragment;   /* whoever asked knows what it is */
    Time ready;          /* the lines were known */
    Transaction *record; /* back: the line that came last, with the stages of the read; or NULL */
} TextureFetch;
