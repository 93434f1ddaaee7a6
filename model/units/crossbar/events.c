/* The crossbar's own events. Links and packets take whole cycles, and few of them: many inputs and
 * outputs have theirs at the same time. So those of one time are together, a bit each, and times
 * are in order. */
#include "units/crossbar/private.h"

/* The sets of a moment stand one behind the other. */
static uint64_t *set_of(const Crossbar *self, Moment *moment, EventKind kind)
{
    const uint32_t inputs = MIN(kind, EVENT_OUTPUT), outputs = kind - inputs;
    return moment->sets + inputs * self->words + outputs * self->output_words;
}

static Moment *new_moment(const Crossbar *self)
{
    const uint32_t words = 2 * (self->words + self->output_words);
    return g_malloc0(sizeof(Moment) + words * sizeof(uint64_t));
}

/* Behind those that are to come there are empty ones. */
G_GNUC_NO_INLINE static Moment *insert_moment(Crossbar *self, uint32_t place, Time at)
{
    if (self->moments == self->moment_room) {
        self->moment = g_renew(Moment *, self->moment, ++self->moment_room);
        self->moment[self->moments] = new_moment(self);
    }
    Moment *moment = self->moment[self->moments];
    for (uint32_t k = self->moments++; k > place; k--) self->moment[k] = self->moment[k - 1];
    moment->at = at;
    self->moment[place] = moment;
    return moment;
}

void crossbar_expect(Crossbar *self, EventKind kind, uint32_t index, Time at)
{
    uint32_t place = self->moments;
    while (place && self->moment[place - 1]->at > at) place--;
    Moment *moment = place && self->moment[place - 1]->at == at ? self->moment[place - 1]
                                                                : insert_moment(self, place, at);
    set_insert(set_of(self, moment, kind), index);
}

static void handle_link_in(Crossbar *self, uint32_t i, Time now)
{
    self->input[i].link_timed = false;
    if (self->queueing == QUEUEING_FIFO)
        crossbar_fifo_ask(self, i, now);
    else
        crossbar_virtual_admit(self, i, now);
}

static void handle_input(Crossbar *self, uint32_t i, Time now)
{
    (void)now;
    self->input[i].timed = false;
    crossbar_virtual_idle(self, i);
}

static void handle_link_out(Crossbar *self, uint32_t j, Time now)
{
    self->output[j].link_timed = false;
    crossbar_drive_link(self, j, now);
}

static void handle_outputs(Crossbar *self, uint64_t *set)
{
    for (uint32_t w = 0; w < self->output_words; w++) {
        self->changed[w] |= set[w];
        self->timed[w] &= ~set[w];
        set[w] = 0;
    }
}

static inline void handle_each(Crossbar *self, uint64_t *set, uint32_t words, Time now,
                               void (*handle)(Crossbar *self, uint32_t index, Time now))
{
    for (uint32_t w = 0; w < words; w++)
        for (; set[w]; set[w] &= set[w] - 1) handle(self, set_first(set[w], w), now);
}

/* None has to do with another of its time, and what follows from it is later. */
static void handle_moment(Crossbar *self, Moment *moment, Time now)
{
    const uint32_t words = self->words;
    handle_each(self, set_of(self, moment, EVENT_LINK_IN), words, now, handle_link_in);
    handle_each(self, set_of(self, moment, EVENT_INPUT), words, now, handle_input);
    handle_outputs(self, set_of(self, moment, EVENT_OUTPUT));
    handle_each(self, set_of(self, moment, EVENT_LINK_OUT), self->output_words, now,
                handle_link_out);
}

void crossbar_handle_events(Crossbar *self, Time now)
{
    while (self->moments && self->moment[0]->at <= now) {
        Moment *first = self->moment[0];
        handle_moment(self, first, now);
        self->moments--;
        for (uint32_t k = 0; k < self->moments; k++) self->moment[k] = self->moment[k + 1];
        self->moment[self->moments] = first;
    }
}

void crossbar_forget_events(Crossbar *self)
{
    for (uint32_t k = 0; k < self->moment_room; k++) g_free(self->moment[k]);
    g_free(self->moment);
}
