#include "scenarios/program/language/house_words.h"

const char *unit_per_name(UnitPer per)
{
    switch (per) {
    case PER_MACHINE: return "one a machine";
    case PER_SM: return "one an SM";
    case PER_COALESCER: return "one a part of the SMs, machine.request_coalescers in all";
    case PER_SLICE: return "one a slice";
    case PER_SWITCH: return "one a partition whose slices and DRAM channels are not equally many";
    case PER_CHANNEL: return "one a DRAM channel";
    case PER_MEMORY_CACHE: return "one a DRAM channel, where machine.memory_caches = yes";
    case PER_CROSSBAR: return "one a network that is a crossbar";
    case PER_FLOW: return "one a network that SimGrid times";
    case PER_STOP: return "one a stop of a network";
    case PER_HALVES_LINK: return "two from each half of L2 to each other";
    }
    return "?";
}

const char *unit_clock_name(UnitClock clock)
{
    switch (clock) {
    case CLOCK_CORE: return "core clock";
    case CLOCK_NETWORK: return "network clock";
    case CLOCK_L2: return "L2 clock";
    case CLOCK_DRAM: return "DRAM clock";
    case CLOCKS: break;
    }
    return "?";
}

const char *unit_place_name(UnitPlace place)
{
    switch (place) {
    case PLACE_DISPATCHER: return "at the front";
    case PLACE_CORE: return "in the core";
    case PLACE_SHARED: return "near all cores";
    case PLACE_NETWORK: return "in the network";
    case PLACE_MEMORY: return "at the memory";
    }
    return "?";
}

char *unit_path_pattern(const UnitClass *unit)
{
    g_auto(GStrv) numbers = g_strsplit(unit->path, "%u", -1);
    g_autofree char *path = g_strjoinv("..", numbers);
    g_auto(GStrv) words = g_strsplit(path, "%s", -1);
    return g_strjoinv("..", words);
}

char *channel_name(const ChannelRow *row)
{
    return row->from ? g_strdup_printf("%s.%s", row->from, row->output) : channel_end(row);
}

char *channel_end(const ChannelRow *row)
{
    return g_strdup_printf("%s.%s", row->to, row->input);
}

char *channel_others(const ChannelRow *row)
{
    return g_strjoin(" or ", row->unless[0] ? row->unless[0] : "", row->unless[1], NULL);
}

const char *channel_mapping_name(ChannelMapping mapping)
{
    switch (mapping) {
    case CHANNEL_SAME_NUMBER: return "units of one number";
    case CHANNEL_IN_PARTITION: return "all of a partition";
    case CHANNEL_IN_SHARE: return "SMs and the coalescer of their part";
    case CHANNEL_INTO_LINK: return "each slice and its half's link to another half";
    case CHANNEL_OUT_OF_LINK: return "each link between halves and its slices there";
    case CHANNEL_INTO_NETWORK: return "each unit and its stop of the network";
    case CHANNEL_OUT_OF_NETWORK: return "each stop of the network and its units";
    case CHANNEL_NEIGHBOURS: return "neighbouring stops of a network";
    case CHANNEL_FROM_SIMGRID: return "SimGrid and a network that it times";
    }
    return "?";
}
