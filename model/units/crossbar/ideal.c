/* An ideal network (network.ideal): an input's packets for an output stand in a queue of their own,
 * from which any number go at once. They wait for room at their destination and for nothing
 * else. */
#include "units/crossbar/private.h"

void crossbar_ideal_admit(Crossbar *self, uint32_t i)
{
    Input *input = &self->input[i];
    for (Transaction *packet; (packet = (Transaction *)port_withdraw(&self->inputs.at[i]));) {
        const uint32_t j = destination_of(self, packet);
        queue_append(self, queue_of(self, i, j), packet);
        set_insert(self->output[j].asking, i);
        set_insert(self->changed, j);
        input->held++;
        input->seen--;
    }
}

static void pass_on(Crossbar *self, uint32_t i, uint32_t j, Time now)
{
    VirtualQueue *queue = queue_of(self, i, j);
    Transaction *packet = queue_take(self, queue);
    if (!queue->first) set_remove(self->output[j].asking, i);
    self->input[i].held--;
    self->input[i].passed++;
    port_vacate(&self->inputs.at[i], now);
    crossbar_transfer(self, packet, j, now);
}

/* All that have room; the inputs in turn. */
static void serve(Crossbar *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    while (!set_has(self->blocked, j)) {
        const uint32_t i = sets_next(output->asking, self->idle, self->words, output->turn);
        if (i == NONE || !crossbar_output_ready(self, j, now)) return;
        output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
        pass_on(self, i, j, now);
    }
}

void crossbar_ideal_serve(Crossbar *self, Time now)
{
    for (uint32_t w = 0; w < self->output_words; w++)
        for (; self->changed[w]; self->changed[w] &= self->changed[w] - 1)
            serve(self, w * WORD + (uint32_t)__builtin_ctzll(self->changed[w]), now);
}
