/* A resource that bounds, in words. */
#pragma once

#include "scenarios/program/verdict/pressure.h"

/* "DRAM bus (dram_channel.data_bus): busy 91 % of the time"; `list` has it. */
void words_say_resource(GString *text, const GPtrArray *list, const Pressure *pressure);
