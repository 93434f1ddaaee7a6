#include "kit/traffic/injector.h"

#include "kit/observe/region.h"
#include "parts/bits.h"

static const Launch *launch_of(const Injector *self)
{
    return launch_list_at(self->launches, 0);
}

const Traffic *injector_traffic(const Injector *self)
{
    return launch_of(self)->kernel->traffic;
}

static Time time_of(const Injector *self, uint64_t cycle)
{
    return clock_cycles(self->unit.clock, cycle);
}

void injector_setup(Injector *self, const double *rates, bool apart)
{
    self->traffic = injector_traffic(self);
    self->apart = apart;
    self->writes = share_of_64_bits(self->traffic->write_share);
    self->source = g_new0(TrafficSource, self->sources);
    self->due = g_new0(uint64_t, self->sources);
    self->arrivals = g_new0(Arrivals, apart ? self->sources : 1);
    for (uint32_t i = 0; i < (apart ? self->sources : 1); i++)
        arrivals_init(&self->arrivals[i], rates[i]);
    for (uint32_t i = 0; i < self->sources; i++)
        self->source[i].random = mix64(mix64(self->traffic->seed) ^ i);
    unit_wake_at(&self->unit, self->unit.clock->period);
}

void injector_teardown(Injector *self)
{
    g_free(self->arrivals);
    g_free(self->source);
    g_free(self->due);
}

/* --- the measured time ------------------------------------------------------------------------ */

static void announce(Injector *self, BoundaryKind kind, Time at)
{
    unit_announce(&self->unit, &(Boundary){.at = at,
                                           .announced = self->unit.inbox.now,
                                           .issued = self->record->issued,
                                           .began = self->record->start,
                                           .kind = kind,
                                           .launch = launch_of(self)});
}

static Time boundary_delay(const Injector *self)
{
    return clock_ceil(self->unit.clock, unit_boundary_delay(&self->unit));
}

/* The next packet is made in the cycle `after` + a gap, if that is not too late. */
static uint64_t draw_next(Injector *self, uint32_t i, uint64_t after)
{
    const Arrivals *arrivals = &self->arrivals[self->apart ? i : 0];
    const uint64_t left = self->until_cycle - after;
    const uint64_t gap = arrivals_gap(arrivals, left, &self->source[i].random);
    return gap < left ? after + gap : UINT64_MAX;
}

static void make_next(Injector *self, uint32_t i, uint64_t earliest)
{
    TrafficSource *source = &self->source[i];
    source->made = self->next ? self->next(self, i) : draw_next(self, i, source->made);
    self->due[i] = MAX(source->made, earliest);
}

static void begin(Injector *self, Time now)
{
    const Traffic *traffic = self->traffic;
    const Time period = self->unit.clock->period;
    const Time starts = now + MAX(boundary_delay(self), time_of(self, traffic->warm_up));
    self->from_cycle = starts / period;
    self->until_cycle = traffic->duration ? self->from_cycle + traffic->duration : UINT64_MAX;
    self->first_cycle = self->from_cycle - traffic->warm_up;
    self->record->start = starts;
    announce(self, BOUNDARY_KERNEL_START, starts);
    for (uint32_t i = 0; i < self->sources; i++) {
        self->source[i].made = self->first_cycle - 1;
        make_next(self, i, 0);
    }
    self->state = INJECTOR_RUNS;
}

static void count_sources(Injector *self, uint64_t cycle)
{
    self->least_from_source = UINT64_MAX;
    for (uint32_t i = 0; i < self->sources; i++) {
        const uint64_t accepted = self->source[i].accepted;
        self->least_from_source = MIN(self->least_from_source, accepted);
        self->most_from_source = MAX(self->most_from_source, accepted);
    }
    self->source_cycles = self->sources * (MIN(cycle, self->until_cycle) - self->from_cycle);
}

static void end(Injector *self, Time now)
{
    self->state = INJECTOR_ENDED;
    self->record->issued = self->record->end = now;
    count_sources(self, now / self->unit.clock->period);
    announce(self, BOUNDARY_KERNEL_END, now + boundary_delay(self));
}

static bool is_measured(const Injector *self, uint64_t cycle)
{
    return cycle >= self->from_cycle && cycle < self->until_cycle;
}

/* --- sending ---------------------------------------------------------------------------------- */

static Transaction *new_packet(Injector *self, uint32_t i, Time now)
{
    TrafficSource *source = &self->source[i];
    Transaction *packet = unit_new(&self->unit, MESSAGE_TRANSACTION);
    const bool write = self->writes && random_next(&source->random) < self->writes;
    packet->message.entry = i;
    packet->type = write ? TRANSACTION_WRITE : TRANSACTION_READ;
    packet->sectors = self->sectors;
    packet->partial = 0;
    packet->left = now;
    self->fill(self, i, packet);
    transaction_enter(packet, self->waits, time_of(self, source->made));
    transaction_enter(packet, self->leaves, now);
    return packet;
}

/* False: the source has to wait. */
static bool send(Injector *self, uint32_t i, uint64_t cycle, Time now)
{
    TrafficSource *source = &self->source[i];
    Channel *output = &self->outputs->at[i];
    const uint64_t most = self->traffic->outstanding;
    if (most && source->outstanding == most) return false;
    if (!channel_ready(output, now)) {
        channel_await(output, now);
        return false;
    }
    Transaction *packet = new_packet(self, i, now);
    if (is_measured(self, source->made)) {
        self->generated++;
        self->source_wait += now - time_of(self, source->made);
    }
    source->outstanding++;
    self->in_flight++;
    level_enter(&self->under_way, now);
    channel_send(output, &packet->message, now);
    make_next(self, i, cycle + 1);
    return true;
}

void injector_work(Injector *self, Time now)
{
    if (self->state == INJECTOR_NEW) begin(self, now);
    const uint64_t cycle = now / self->unit.clock->period;
    const bool is_over = self->traffic->duration && cycle >= self->until_cycle;
    bool more = false;
    /* the measured time ends, whatever happens then; a list has no such time */
    uint64_t wake = is_over ? UINT64_MAX : self->until_cycle;
    for (uint32_t i = 0; i < self->sources; i++) {
        if (self->due[i] <= cycle && !send(self, i, cycle, now)) {
            more = true;
            continue;
        }
        if (self->due[i] == UINT64_MAX) continue;
        more = true;
        wake = MIN(wake, self->due[i]);
    }
    if (wake != UINT64_MAX) unit_wake_at(&self->unit, time_of(self, wake));
    if (more || self->in_flight || self->state == INJECTOR_ENDED) return;
    if (is_over || !self->traffic->duration) end(self, now);
}

/* --- arrivals --------------------------------------------------------------------------------- */

/* The source was at its limit, and makes its next packet now at the earliest. */
static void go_on(Injector *self, uint32_t i, Time now)
{
    TrafficSource *source = &self->source[i];
    const uint64_t cycle = now / self->unit.clock->period;
    if (source->made >= cycle) return;
    source->made = cycle < self->until_cycle ? cycle : UINT64_MAX;
    self->due[i] = MAX(self->due[i], source->made);
}

/* It was asked for by no instruction, so the profile has none of it. */
static void account(Injector *self, const Transaction *packet, Time now)
{
    const CompletedRequest request = {&self->unit, packet, now, &self->stages_traffic};
    histogram_add(&self->latency, now - transaction_began(packet));
    if (!transaction_account(packet, now, &self->stages_traffic))
        unit_fail(&self->unit, "the stages of a packet are not in order");
    observation_record(self->unit.observation, &request, now);
}

void injector_complete(Injector *self, Transaction *packet, Time now)
{
    TrafficSource *source = &self->source[packet->message.entry];
    const Time period = self->unit.clock->period, made = transaction_began(packet);
    self->in_flight--;
    self->delivered++;
    if (source->outstanding-- == self->traffic->outstanding)
        go_on(self, packet->message.entry, now);
    level_leave(&self->under_way, now, packet->left);
    if (is_measured(self, now / period)) {
        self->accepted++;
        source->accepted++;
    }
    if (is_measured(self, made / period)) account(self, packet, now);
    unit_free_message(&self->unit, &packet->message);
}

bool injector_unfinished(const Injector *self, GString *what)
{
    if (self->state == INJECTOR_ENDED) return false;
    g_string_append_printf(what, "%" G_GUINT64_FORMAT " packets have not arrived", self->in_flight);
    return true;
}
