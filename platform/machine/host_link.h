/* `[host_link]`: the way between the host's memory and the GPU's, that copies of a list take. */
#pragma once

#include "kit/describe/param.h"
#include "kit/describe/time.h"

typedef struct {
    uint64_t gbps;    /* 10^9 bytes a second */
    uint64_t latency; /* fs */
} HostLink;

extern const ParamGroup host_link_group;

/* Of a copy that has the link for itself. */
Time host_link_copy_time(const HostLink *link, uint64_t bytes);
