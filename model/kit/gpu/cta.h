/* Between the CTA dispatcher and an SM. */
#pragma once

#include "kit/describe/time.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/message.h"
#include "kit/gpu/occupancy.h"

/* CTA dispatcher to SM: a kernel starts, a CTA to run, or a kernel has ended; back: what the SM has
 * room for, a completed CTA, or that nothing is outstanding any more. */
typedef struct {
    Message message;
    const Kernel *kernel;
    void *stream;           /* of kernel->class->open_cta */
    uint64_t cta;           /* linear index, or one of those below */
    uint32_t launch;        /* of those that run concurrently */
    bool owes;              /* back, completed: CTA_ALL_ACKNOWLEDGED will follow */
    bool keeps;             /* back: L1 may have stored data that L2 lacks */
    OccupancyLimits limits; /* back, when a kernel starts */
    Time launched;
    Time began, ended;  /* back, completed: on the SM */
    Time kernels_began; /* when the first one of those that run concurrently was launched */
} CtaMessage;

#define CTA_KERNEL_START UINT64_MAX
/* What the launch's CTAs on this SM have stored and reduced is acknowledged. */
#define CTA_ALL_ACKNOWLEDGED (UINT64_MAX - 1)
/* All of the launch is done but for what L1 keeps of its stores: that is to be written back. */
#define CTA_WRITE_BACK (UINT64_MAX - 2)
