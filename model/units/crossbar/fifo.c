/* One queue an input, which is the port itself. Only its head asks, so inputs that ask an output
 * are idle and each output can choose without regard to the others. */
#include "units/crossbar/private.h"

/* An input whose head waits for an output that another one's packet keeps passes on nothing. */
static void keep_waiting(Crossbar *self, uint32_t i, Time now, Time until)
{
    server_book(&self->passing.at[i], now, until - now);
}

/* The head of input i asks for its output, now or when it may. */
void crossbar_fifo_ask(Crossbar *self, uint32_t i, Time now)
{
    Input *input = &self->input[i];
    const Transaction *head = (Transaction *)port_peek(&self->inputs.at[i]);
    if (!head || input->asking) return;
    if (input->free_at > now) {
        if (!input->link_timed) crossbar_expect(self, EVENT_LINK_IN, i, input->free_at);
        input->link_timed = true;
        return;
    }
    const uint32_t j = destination_of(self, head);
    Output *output = &self->output[j];
    if (output->free_at > now || output->asked) self->blocked_head++;
    if (output->free_at > now) keep_waiting(self, i, now, output->free_at);
    set_insert(output->asking, i);
    output->asked++;
    set_insert(self->changed, j);
    input->asking = true;
    input->asked_at = now;
}

/* Packets of one source occupy its link one after the other; a head can ask when its first byte
 * is there. */
static void become_head(Crossbar *self, uint32_t i, Time not_before, Time now)
{
    Input *input = &self->input[i];
    const Transaction *head = (Transaction *)port_peek(&self->inputs.at[i]);
    if (!head) return;
    const Time here = MAX(head->entered, input->up_free);
    crossbar_bring(self, i, head, here);
    input->free_at = MAX(here, not_before);
    crossbar_fifo_ask(self, i, now);
}

void crossbar_fifo_arrive(Crossbar *self, uint32_t i, bool was_empty, Time now)
{
    if (was_empty) become_head(self, i, self->input[i].free_at, now);
}

static uint32_t find_oldest(const Crossbar *self, const Output *output)
{
    uint32_t oldest = NONE;
    Time since = TIME_NEVER;
    for (uint32_t w = 0; w < self->words; w++)
        for (uint64_t word = output->asking[w]; word; word &= word - 1) {
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(word);
            const Transaction *head = (Transaction *)port_peek(&self->inputs.at[i]);
            if (head->entered >= since) continue;
            since = head->entered;
            oldest = i;
        }
    return oldest;
}

/* Each input asks one output, so what iSLIP grants is accepted: it is round robin then. */
static uint32_t choose(const Crossbar *self, const Output *output)
{
    if (self->arbitration == ARBITRATION_OLDEST_FIRST) return find_oldest(self, output);
    return sets_next(output->asking, self->idle, self->words, output->turn);
}

static void keep_others_waiting(Crossbar *self, const Output *output, Time now)
{
    if (!output->asked) return;
    for (uint32_t w = 0; w < self->words; w++)
        for (uint64_t word = output->asking[w]; word; word &= word - 1)
            keep_waiting(self, set_first(word, w), now, output->free_at);
}

static void move(Crossbar *self, uint32_t i, uint32_t j, Time now)
{
    Input *input = &self->input[i];
    Output *output = &self->output[j];
    Transaction *packet = (Transaction *)port_take(&self->inputs.at[i], now);
    self->head_wait += now - input->asked_at;
    set_remove(output->asking, i);
    output->asked--;
    output->turn = i + 1 < self->inputs.count ? i + 1 : 0;
    crossbar_pass(self, i, j, now, crossbar_transfer(self, packet, j, now));
    keep_others_waiting(self, output, now);
    input->asking = false;
    input->passed++;
    input->seen--;
    become_head(self, i, output->free_at, now);
}

static void serve(Crossbar *self, uint32_t j, Time now)
{
    Output *output = &self->output[j];
    if (output->free_at <= now) {
        const uint32_t i = choose(self, output);
        if (i == NONE || !crossbar_output_ready(self, j, now)) return;
        move(self, i, j, now);
    }
    if (output->asked) crossbar_expect_free(self, j);
}

void crossbar_fifo_serve(Crossbar *self, Time now)
{
    for (uint32_t w = 0; w < self->output_words; w++) {
        while (self->changed[w]) {
            const uint32_t j = w * WORD + (uint32_t)__builtin_ctzll(self->changed[w]);
            self->changed[w] &= self->changed[w] - 1;
            serve(self, j, now);
        }
    }
}
