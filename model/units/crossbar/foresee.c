/* The crossbar: packets that will be passed on in a visit. */
#include "units/crossbar/private.h"

enum { OF_AN_OUTPUT = 8, OF_ALL = 512 };

/* What a network reads of it, and the log of its stages. */
static inline void foresee_packet(const Transaction *packet)
{
    fetch_ahead(packet);
    fetch_ahead(packet->passed);
}

/* Of those who ask for output j, the next in turn. */
static uint32_t note_output(const Crossbar *self, uint32_t j, const Waiting **noted, uint32_t count)
{
    const Output *output = &self->output[j];
    const uint32_t end = MIN(count + MIN(output->asked, OF_AN_OUTPUT), OF_ALL);
    for (uint32_t i = output->turn; count < end; i = i + 1 < self->inputs.count ? i + 1 : 0) {
        i = sets_next(output->asking, output->asking, self->words, i);
        const Waiting *first = queue_first(self, queue_of(self, i, j));
        fetch_ahead(first);
        noted[count++] = first;
    }
    return count;
}

void crossbar_foresee(const Unit *unit)
{
    const Crossbar *self = (const Crossbar *)unit;
    if (!self->virtual || !self->queued.now) return;
    const Waiting *noted[OF_ALL]; /* not all of it is used */
    uint32_t count = 0;
    for (uint32_t j = 0; j < self->outputs.count; j++)
        if (self->output[j].asked) count = note_output(self, j, noted, count);
    for (uint32_t k = 0; k < count; k++) foresee_packet(noted[k]->packet);
}
