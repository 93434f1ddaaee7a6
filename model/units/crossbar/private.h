/* What the crossbar's own files share. crossbar.c has the picture, the tables and the step;
 * crossbar/fifo.c and crossbar/virtual.c the two kinds of input queue; crossbar/output.c the
 * outputs; crossbar/events.c what is to come; crossbar/foresee.c what a visit begins with. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/sm/coalescer.h"

enum { WORD = 64, NONE = UINT32_MAX, PACKET_SIZES = SECTORS_MAX + 1 };

typedef enum { QUEUEING_FIFO, QUEUEING_VIRTUAL_OUTPUT } Queueing;
typedef enum { ARBITRATION_ROUND_ROBIN, ARBITRATION_OLDEST_FIRST, ARBITRATION_ISLIP } Arbitration;

/* LINK_IN: a packet's first byte comes out of the link from its source. INPUT, OUTPUT: it may pass
 * on another packet. LINK_OUT: the link to the destination may carry another one. */
typedef enum { EVENT_LINK_IN, EVENT_INPUT, EVENT_OUTPUT, EVENT_LINK_OUT } EventKind;

/* All events of one time. */
typedef struct {
    Time at;
    uint64_t sets[]; /* by kind */
} Moment;

/* A packet in a virtual output queue. */
typedef struct {
    Transaction *packet;
    Time first_at; /* of the first: since when it could have gone */
    uint32_t next; /* of its queue, but not of the last one; of a free place: another, 0: none */
} Waiting;

/* Of one input, the packets for one output. */
typedef struct {
    uint32_t first, last; /* their places; no first: it is empty */
} VirtualQueue;

/* An input and an output are a line of the host's cache each. */
typedef struct {
    Time up_free; /* the link from the source has carried what came so far */
    Time free_at; /* fifo: the head may ask from then on; virtual output: it is idle again */
    const Transaction *latest; /* of those whose first byte has come out of the link */
    bool asking;               /* fifo: the head's bit is set at its output */
    bool link_timed;           /* an event is pending: for its link; */
    bool timed;                /* for itself */
    uint32_t seen;             /* packets in the port whose arrival has been noted */
    uint32_t held;             /* virtual output: packets in its queues */
    uint64_t *wanted;          /* virtual output: outputs that it has packets for, a bit each */
    uint64_t passed;           /* packets, since measuring began */
    union {
        Time asked_at; /* fifo: when the head did */
        struct {
            uint32_t turn;  /* islip: the output that comes first when several grant */
            uint32_t offer; /* ... the one that does so far; NONE */
        };
    };
} Input;

G_STATIC_ASSERT(sizeof(Input) == HOST_LINE);

typedef struct {
    Time free_at;
    uint64_t passed;  /* packets, since measuring began */
    uint64_t *asking; /* inputs with a packet for it, a bit each */
    uint32_t asked;   /* how many these are; not of an ideal network */
    uint32_t turn;    /* the input that comes first in the next choice */
    bool link_timed;  /* an event is pending for its link */
    /* with speed-up, in front of the link: */
    uint32_t held;
    MessageList queue;
    Time link_free;
} Output;

G_STATIC_ASSERT(sizeof(Output) == HOST_LINE);

/* Of a transaction in this network. */
typedef struct {
    uint8_t queue, transfer, wire;
} CrossbarStages;

typedef struct {
    Unit unit;
    PortArray inputs;
    ChannelArray outputs;
    const NetworkRoutes *networks;
    const LineShape *line;

    uint64_t header_bytes, islip_iterations, speedup, output_buffer;
    uint32_t queueing, arbitration;

    uint64_t packets, bytes, blocked_head, blocked_output, full_input, full_output;
    uint64_t busy, busy_sources, head_wait, wire_time;
    uint64_t least_from_input, most_from_input, least_to_output, most_to_output;
    Level queued, output_queued;

    ServerArray source_links, passing, taking, destination_links;
    LevelArray output_queues;

    const NetworkRoutes *routes;
    uint32_t packet_bytes[PACKET_SIZES]; /* by sectors of data */
    Input *input;
    Output *output;
    /* of each link, by sectors of data: how long it carries a packet; ideal: 0 */
    const uint64_t **up_cycles, **down_cycles;
    Time *wire;                   /* as NetworkWires.wire; NULL: there are no places */
    Time *last;                   /* by output: when its last packet is over its wire */
    uint32_t words, output_words; /* of a set of inputs, of outputs */
    uint64_t *sets;               /* all sets of inputs and outputs */
    VirtualQueue *virtual;        /* input x outputs + output */
    /* What is in them, from 1 on: a packet that has waited for long is not touched for another. */
    Waiting *waiting;
    uint32_t waiting_room, free_waiting;
    uint64_t *idle, *offered; /* inputs that may pass on a packet; that have offers */
    uint64_t *matching;       /* outputs that take part */
    uint32_t first_output;    /* round robin: which of them chooses first */
    Moment **moment;          /* in order */
    uint32_t moments, moment_room;
    uint64_t *changed; /* outputs to look at in this step */
    uint64_t *timed;   /* outputs with an event when they are free */
    uint64_t *blocked; /* outputs that wait for their destinations' room */
    Time *room_at;     /* of these: not before then; 0: that is not known */
    CrossbarStages stages;
    uint32_t blocked_outputs;
    bool measuring;
} Crossbar;

/* --- sets ------------------------------------------------------------------------------------- */

static inline void set_insert(uint64_t *set, uint32_t member)
{
    set[member / WORD] |= UINT64_C(1) << (member % WORD);
}

static inline void set_remove(uint64_t *set, uint32_t member)
{
    set[member / WORD] &= ~(UINT64_C(1) << (member % WORD));
}

static inline bool set_has(const uint64_t *set, uint32_t member)
{
    return set[member / WORD] >> (member % WORD) & 1;
}

static inline uint32_t set_first(uint64_t word, uint32_t w)
{
    return w * WORD + (uint32_t)__builtin_ctzll(word);
}

static inline bool sets_meet(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] & b[w]) return true;
    return false;
}

/* The first common member at or after `turn`, or else from the beginning; NONE. */
static inline uint32_t sets_next(const uint64_t *a, const uint64_t *b, uint32_t words,
                                 uint32_t turn)
{
    uint32_t w = turn / WORD;
    const uint64_t word = a[w] & b[w] & (~UINT64_C(0) << (turn % WORD));
    if (word) return set_first(word, w);
    for (uint32_t k = 0; k < words; k++) {
        w = w + 1 < words ? w + 1 : 0;
        if (a[w] & b[w]) return set_first(a[w] & b[w], w);
    }
    return NONE;
}

/* --- packets ---------------------------------------------------------------------------------- */

static inline bool is_request_network(const Crossbar *self)
{
    return self->unit.number == NETWORK_REQUEST;
}

static inline bool is_ideal(const Crossbar *self)
{
    return self->routes->ideal;
}

static inline uint32_t destination_of(const Crossbar *self, const Transaction *packet)
{
    return network_destination(self->unit.number, packet);
}

static inline uint32_t sectors_of(const Crossbar *self, const Transaction *packet)
{
    return network_packet_sectors(self->unit.number, packet);
}

/* The end of `slots` turns of the crossbar from `now` on, which is the beginning of one; there are
 * `speedup` to a cycle. */
static inline Time after_slots(const Crossbar *self, Time now, uint64_t slots)
{
    const Time period = self->unit.clock->period;
    if (self->speedup == 1) return now + slots * period;
    const Time rest = now % period;
    const uint64_t slot = (rest * self->speedup + period - 1) / period + slots;
    return now - rest + slot / self->speedup * period
           + slot % self->speedup * period / self->speedup;
}

extern const StorageRow crossbar_storage[];
StorageSize crossbar_packet_size(const Unit *unit, const StorageMachine *machine);

/* --- virtual output queues -------------------------------------------------------------------- */

/* All places are taken: there are more. */
void crossbar_make_room_to_wait(Crossbar *self);

static inline VirtualQueue *queue_of(const Crossbar *self, uint32_t i, uint32_t j)
{
    return &self->virtual[(size_t)i * self->outputs.count + j];
}

/* Of a queue that is not empty. */
static inline Waiting *queue_first(const Crossbar *self, const VirtualQueue *queue)
{
    return &self->waiting[queue->first];
}

static inline void queue_append(Crossbar *self, VirtualQueue *queue, Transaction *packet)
{
    if (!self->free_waiting) crossbar_make_room_to_wait(self);
    const uint32_t place = self->free_waiting;
    Waiting *waiting = &self->waiting[place];
    self->free_waiting = waiting->next;
    waiting->packet = packet;
    if (queue->first)
        self->waiting[queue->last].next = place;
    else
        queue->first = place;
    queue->last = place;
}

/* The first one, of a queue that is not empty. */
static inline Transaction *queue_take(Crossbar *self, VirtualQueue *queue)
{
    const uint32_t place = queue->first;
    Waiting *waiting = &self->waiting[place];
    queue->first = place == queue->last ? 0 : waiting->next;
    waiting->next = self->free_waiting;
    self->free_waiting = place;
    return waiting->packet;
}

/* --- between the files ------------------------------------------------------------------------ */

/* An event of an input or output, which has none of this kind yet. */
void crossbar_expect(Crossbar *self, EventKind kind, uint32_t index, Time at);

/* Output j is looked at when it may pass on another packet. */
static inline void crossbar_expect_free(Crossbar *self, uint32_t j)
{
    if (set_has(self->timed, j)) return;
    set_insert(self->timed, j);
    crossbar_expect(self, EVENT_OUTPUT, j, self->output[j].free_at);
}

/* Those that are due. */
void crossbar_handle_events(Crossbar *self, Time now);
void crossbar_forget_events(Crossbar *self);

/* Has output j got room for a packet now? If not, it is looked at again when it has. */
bool crossbar_output_ready(Crossbar *self, uint32_t j, Time now);

/* The link from the source of input i carries the packet from `here` on. */
static inline void crossbar_bring(Crossbar *self, uint32_t i, const Transaction *packet, Time here)
{
    const uint64_t cycles = self->up_cycles[i][sectors_of(self, packet)];
    const Time service = clock_cycles(self->unit.clock, cycles);
    self->input[i].up_free = here + service;
    self->input[i].latest = packet;
    self->busy_sources += service;
    server_book(&self->source_links.at[i], here, service);
}

/* When the last byte of a packet that leaves its input has come; some time that is over, if it has
 * already. Of those whose first byte is here only the latest can be incomplete. */
static inline Time crossbar_complete(const Crossbar *self, const Transaction *packet)
{
    const Input *input = &self->input[network_source(self->unit.number, packet)];
    return input->latest == packet ? input->up_free : 0;
}

/* Input i passes a packet on to output j until `end`. */
static inline void crossbar_pass(Crossbar *self, uint32_t i, uint32_t j, Time now, Time end)
{
    self->input[i].free_at = self->output[j].free_at = end;
    server_book(&self->passing.at[i], now, end - now);
}

/* The packet leaves its input for output j, which is ready. When both may pass on another one. */
Time crossbar_transfer(Crossbar *self, Transaction *packet, uint32_t j, Time now);

/* The link of output j carries the next packet of its queue, if it can now. */
void crossbar_drive_link(Crossbar *self, uint32_t j, Time now);
void crossbar_look_at_blocked(Crossbar *self, Time now);

/* A visit begins: packets that will go have waited since an earlier one. */
void crossbar_foresee(const Unit *unit);

/* Looks at input i after an arrival, when the link brings a packet, or when the input is idle. */
void crossbar_fifo_arrive(Crossbar *self, uint32_t i, bool was_empty, Time now);
void crossbar_fifo_ask(Crossbar *self, uint32_t i, Time now);
void crossbar_virtual_admit(Crossbar *self, uint32_t i, Time now);
void crossbar_virtual_idle(Crossbar *self, uint32_t i);

/* Outputs that have changed take what they can. */
void crossbar_fifo_serve(Crossbar *self, Time now);
void crossbar_virtual_match(Crossbar *self, Time now);

/* An ideal network: into the queue for its output; on from there, as many as have room. */
void crossbar_ideal_admit(Crossbar *self, uint32_t i);
void crossbar_ideal_serve(Crossbar *self, Time now);
