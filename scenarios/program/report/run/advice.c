#include "scenarios/program/report/run/advice.h"

#include <string.h>

const Advice *advice_table(void)
{
    static const Advice table[] = {
        {"CTA launch",
         "Thread blocks are too short for the rate at which they start: make each do more.",
         "workload.threads_per_cta, cta_dispatcher.launch_interval", "cta_launch"},
        {"SM issue", "The SMs issue all they can: fewer instructions for each byte, or more SMs.",
         "machine.sms, sm.dispatches, sm.schedulers", "issue"},
        {"texture filter",
         "The filters combine texels all the time: cheaper filtering, or more quads at once.",
         "texture.quads, texture.quad_interval", "texture_bandwidth"},
        {"L1 look-up",
         "L1's tags are busy: instructions whose lanes touch fewer lines, or tags that look up "
         "more.",
         "l1.tag_banks, l1.lookup_interval, l1.lookups_per_interval", "l1_bandwidth"},
        {"L1 data",
         "L1's data array is busy: an order of accesses with fewer bank conflicts, or wider banks.",
         "l1.data_banks, l1.data_bank_bytes", "bank_conflicts"},
        {"request network",
         "The way from the SMs to L2 is full, as a rule of what is stored: fewer or fuller stores, "
         "or "
         "wider links.",
         "network.request_destination_bandwidth, network.request_source_bandwidth",
         "request_network"},
        {"L2 data", "The ports of L2's data arrays are busy: more slices, or wider ports.",
         "l2_slice.data_bandwidth, machine.slices_per_partition", "l2_bandwidth"},
        {"DRAM bus",
         "DRAM moves almost all that it can: move fewer bytes (a larger L2, denser accesses), or "
         "faster DRAM.",
         "machine.dram_clock, l2_slice.capacity, dram.channel_width", "dram_bandwidth"},
        {"reply network", "The way from L2 to the SMs is full: more hits in L1, or wider links.",
         "network.reply_source_bandwidth, network.reply_destination_bandwidth", "reply_network"},
        {"outstanding misses",
         "L1 had no room for further misses: more entries, or a shorter way to wait for.",
         "l1.prt_entries, l1.prt_merges", "pending_request_table"},
        {"L1 sets",
         "All ways of a set were being filled: more ways, or a set index that spreads lines.",
         "l1.sets, l1.set_index, l1.capacity", "l1_capacity"},
        {"outstanding fetches",
         "The L2 slices had no room for further fetches: more entries, or faster DRAM.",
         "l2_slice.pending_entries, l2_slice.pending_merges", "l2_pending"},
        {"fragment FIFO", "Texels on their way filled the fragment FIFO: make it longer.",
         "texture.fragment_fifo", "fragment_fifo"},
        {"texture reorder buffer", "Texture misses filled the reorder buffer: more entries.",
         "texture.reorder_entries", "fragment_fifo"},
        {"texture miss request FIFO",
         "Texture misses came faster than they left: a larger texture cache.",
         "texture.miss_fifo, texture.capacity", "fragment_fifo"},
        {"blocking texture cache", "The texture cache waited for each miss: let it run ahead.",
         "texture.run_ahead", "fragment_fifo"},
        {"latency",
         "Nothing is full, requests just take their time: more of them at once (warps, or "
         "independent "
         "loads in a warp), or a shorter way.",
         "workload.threads_per_cta, sm.max_warps, l1.hit_latency", "occupancy"},
        {0},
    };
    return table;
}

const Advice *advice_find(const char *bound)
{
    for (const Advice *advice = advice_table(); advice->bound; advice++)
        if (!strcmp(advice->bound, bound)) return advice;
    return 0;
}
