#include "platform/machine/host_link.h"

/* 12 GB/s: measured from V100s behind PCIe 3 x16, of 15.75 that the standard has (github.com,
 * ZaidQureshi/bam, issue 54). The latency is assumed. */
static const Param host_link_params[] = {
    PARAM_NUMBER(HostLink, gbps, PARAM_COUNT, "12", 1, 10000,
                 "GB/s of a copy between the host's memory and the GPU's"),
    PARAM_NUMBER(HostLink, latency, PARAM_TIME, "10 us", 0, 1e12,
                 "of each copy, whatever its size: the driver's call and the copy engine's start"),
    PARAM_END};

const ParamGroup host_link_group = {
    .name = "host_link",
    .summary = "copies between the host and the GPU, which take time between kernels",
    .params = host_link_params};

Time host_link_copy_time(const HostLink *link, uint64_t bytes)
{
    __extension__ typedef unsigned __int128 Wide;
    const Wide fs = (Wide)bytes * 1000000 / link->gbps; /* 10^15 / 10^9 of them in a second */
    return link->latency + (Time)fs;
}
