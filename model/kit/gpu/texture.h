/* To the texture unit. */
#pragma once

#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"

/* Where a texture instruction samples: goes with it to the texture unit. */
typedef struct Samples {
    Message message;
    SampleCoordinates at;
} Samples;
