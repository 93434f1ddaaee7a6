/* A resource that bounds, and the way to it, in words. */
#pragma once

#include "scenarios/program/verdict/pressure.h"

/* "DRAM bus (dram_channel.data_bus): busy 91 % of the time"; `list` has it. */
void words_say_resource(GString *text, const GPtrArray *list, const Pressure *pressure);

/* "sm.to_load_store 98 % > dram_channel.data_bus 91 %", newly allocated; NULL: it has no two. */
char *words_of_way(const GPtrArray *way);
