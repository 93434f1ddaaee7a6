/* Words for where units stand and for the channels between them. */
#pragma once

#include "platform/machine/channels.h"

/* "one an SM", "core clock", "in the core" */
const char *unit_per_name(UnitPer per);
const char *unit_clock_name(UnitClock clock);
const char *unit_place_name(UnitPlace place);
/* "sm[..].l1": the paths of a class, newly allocated. */
char *unit_path_pattern(const UnitClass *unit);

/* "sm.to_load_store", and the input that it leads to; newly allocated. */
char *channel_name(const ChannelRow *row);
char *channel_end(const ChannelRow *row);
/* "memory_switch or memory_cache": to whom it gives way, newly allocated; "": to nobody. */
char *channel_others(const ChannelRow *row);
/* Which units it joins. */
const char *channel_mapping_name(ChannelMapping mapping);
