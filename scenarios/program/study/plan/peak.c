#include "scenarios/program/study/plan/peak.h"

bool peak_depends_on(const char *name)
{
    static const char *const names[] = {"machine.dram_clock",
                                        "machine.partitions",
                                        "machine.slices_per_partition",
                                        "machine.channels_per_partition",
                                        "dram.channel_width",
                                        "dram.data_rate",
                                        NULL};
    return g_strv_contains(names, name);
}

void peak_forget(Configuration *configuration, const char *file, int line)
{
    configuration_set(configuration, "machine", "peak_bandwidth_gbps", "0", file, line);
}
