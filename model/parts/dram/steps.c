#include <string.h>

#include "parts/dram/state.h"

void dram_steps_spell_out(DramSteps *steps)
{
    const DramPattern *pattern = steps->pattern;
    if (!pattern) return;
    DramStep *first = steps->step, *end = first + steps->count;
    while (!dram_step_is_column(first)) first++;
    memmove(first + pattern->bursts, first + 1, (size_t)(end - first - 1) * sizeof *first);
    for (uint32_t i = pattern->bursts; i--;)
        first[i] = (DramStep){.cycle = first->cycle + pattern->offset[i],
                              .row = first->row,
                              .column = dram_access_column(&steps->access, i),
                              .kind = first->kind,
                              .bank = steps->access.bank[dram_access_which(&steps->access, i)]};
    steps->count += pattern->bursts - 1u;
    steps->pattern = NULL;
}
