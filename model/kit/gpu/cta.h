/* Between the CTA dispatcher and an SM. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"
#include "kit/gpu/occupancy.h"

/* CTA dispatcher to SM: a kernel starts, or a CTA to run; back: what the SM has room for, or a
 * completed CTA. */
typedef struct {
    Message message;
    const Kernel *kernel;
    void *stream;           /* of kernel->class->open_cta */
    uint64_t cta;           /* linear index, or CTA_KERNEL_START */
    uint32_t launch;        /* of those that run concurrently */
    OccupancyLimits limits; /* back, when a kernel starts */
    Time launched;
} CtaMessage;

#define CTA_KERNEL_START UINT64_MAX
