#include "scenarios/program/language/peak.h"

#include <string.h>

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

void peak_void_by(Configuration *configuration, const Configuration *changes)
{
    const Setting *stated = configuration_find(configuration, "machine", "peak_bandwidth_gbps");
    if (!stated || !strcmp(stated->value, "0")
        || configuration_find(changes, "machine", "peak_bandwidth_gbps"))
        return;
    for (guint i = 0; i < configuration_size(changes); i++) {
        const Setting *change = configuration_at(changes, i);
        g_autofree char *name = g_strdup_printf("%s.%s", change->group, change->key);
        if (!peak_depends_on(name)) continue;
        peak_forget(configuration, change->file, change->line);
        return;
    }
}
