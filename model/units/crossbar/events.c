/* The crossbar's own events. Links and packets take whole cycles, and few of them: many inputs and
 * outputs have theirs at the same time. So those of one time are together, a bit each, and times
 * are in order. */
#include "units/crossbar/private.h"

static uint32_t words_of(const Crossbar *self, EventKind kind)
{
    return kind == EVENT_LINK_IN || kind == EVENT_INPUT ? self->words : self->output_words;
}

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
static Moment *insert_moment(Crossbar *self, uint32_t place, Time at)
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

static void handle(Crossbar *self, EventKind kind, uint32_t index, Time now)
{
    switch (kind) {
    case EVENT_LINK_IN:
        self->input[index].link_timed = false;
        if (self->queueing == QUEUEING_FIFO)
            crossbar_fifo_ask(self, index, now);
        else
            crossbar_virtual_admit(self, index, now);
        break;
    case EVENT_INPUT:
        self->input[index].timed = false;
        crossbar_virtual_idle(self, index);
        break;
    case EVENT_OUTPUT:
        self->output[index].timed = false;
        set_insert(self->changed, index);
        break;
    case EVENT_LINK_OUT:
        self->output[index].link_timed = false;
        crossbar_drive_link(self, index, now);
        break;
    }
}

/* None has to do with another of its time, and what follows from it is later. */
static void handle_moment(Crossbar *self, Moment *moment, Time now)
{
    uint64_t *set = moment->sets;
    for (EventKind kind = EVENT_LINK_IN; kind <= EVENT_LINK_OUT; kind++)
        for (uint32_t w = 0; w < words_of(self, kind); w++, set++)
            for (; *set; *set &= *set - 1)
                handle(self, kind, w * WORD + (uint32_t)__builtin_ctzll(*set), now);
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
