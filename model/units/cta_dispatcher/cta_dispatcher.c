/* The CTA dispatcher: runs the launches one after the other and hands CTAs to SMs that have room.
 *
 *            ┌──to_sm[i]──> SM i : "a kernel starts", then one message a CTA
 *   launches ┤
 *            └─from_sm[i]── SM i : "this is what I have", then one message a completed CTA, and
 *                                  "nothing is outstanding" where something was
 *
 * CTAs go to the SMs in turn, `launches_per_interval` every `launch_interval`. A launch that is
 * concurrent starts together with the one before it, and an SM has CTAs of both side by side; the
 * dispatcher keeps account of what the CTAs it sent take of each SM. The channels' delays are the
 * launch latency and the drain latency of a CTA; with the interval they set the turnaround that
 * limits short CTAs.
 * A CTA gives its room back when its warps have ended; a launch ends when, besides, L2 has
 * acknowledged all that its CTAs have stored and reduced. For its way to DRAM nobody waits.
 *
 * Not modelled: clusters of CTAs, priorities, kernels that join or leave others that run. Sources:
 * interval and latencies are calibrated to the low-occupancy rows of gpu-benches' gpu-stream on a
 * V100 (about 0.43 blocks a cycle, turnaround of 369 cycles for a store-only block). */
#include "units/cta_dispatcher/private.h"

#include <string.h>

static const PortRow ports[] = {
    PORT_INPUTS(CtaDispatcher, from_sm, "offers of room and completed CTAs"),
    PORT_OUTPUTS(CtaDispatcher, to_sm, "kernel starts and CTAs"), PORT_END};

static const SharedRow shared[] = {SHARED(CtaDispatcher, launches), SHARED(CtaDispatcher, record),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    CtaDispatcher *self = (CtaDispatcher *)unit;
    uint32_t largest = 0;
    for (guint i = 0; i < self->launches->launches->len; i++)
        largest = MAX(largest, launch_list_together(self->launches, i));
    self->room = g_new0(Room, self->to_sm.count);
    self->group = g_new0(Running, largest + 1);
    for (uint32_t k = 0; k < largest; k++) {
        self->group[k].fits = g_new0(bool, self->to_sm.count);
        self->group[k].share = g_new0(CtaShare, self->to_sm.count);
    }
    unit_wake_at(unit, unit->clock->period);
    return true;
}

static void teardown(Unit *unit)
{
    CtaDispatcher *self = (CtaDispatcher *)unit;
    g_free(self->room);
    for (Running *r = self->group; r && r->fits; r++) {
        g_free(r->fits);
        g_free(r->share);
    }
    g_free(self->group);
}

static Kernel *kernel_of(const CtaDispatcher *self, const Running *running)
{
    return launch_list_at(self->launches, running->index)->kernel;
}

static void announce(CtaDispatcher *self, BoundaryKind kind, guint launch, Time at)
{
    unit_announce(&self->unit, &(Boundary){.at = at,
                                           .announced = self->unit.inbox.now,
                                           .issued = self->record[launch].issued,
                                           .began = MIN(self->began, self->unit.inbox.now),
                                           .kind = kind,
                                           .launch = launch_list_at(self->launches, launch)});
}

static void prepare_next(CtaDispatcher *self, Time now)
{
    if (self->next_launch == self->launches->launches->len) {
        self->state = FINISHED;
        return;
    }
    const Time gap = self->next_launch ? clock_cycles(self->unit.clock, self->kernel_gap) : 0;
    self->starts_at =
        now + MAX(gap, clock_ceil(self->unit.clock, unit_boundary_delay(&self->unit)));
    self->group_size = launch_list_together(self->launches, self->next_launch);
    for (uint32_t k = 0; k < self->group_size; k++)
        announce(self, BOUNDARY_KERNEL_START, self->next_launch + k, self->starts_at);
    self->state = ANNOUNCED;
    unit_wake_at(&self->unit, self->starts_at);
}

static CtaMessage *new_message(CtaDispatcher *self, const Running *running, void *stream,
                               uint64_t cta)
{
    CtaMessage *message = unit_new(&self->unit, MESSAGE_CTA);
    message->kernel = kernel_of(self, running);
    message->stream = stream;
    message->cta = cta;
    message->launch = (uint32_t)(running - self->group);
    message->owes = message->keeps = false;
    return message;
}

static void start_group(CtaDispatcher *self, Time now)
{
    self->state = RUNNING;
    self->began = TIME_NEVER;
    self->turn = self->group_turn = self->offers = 0;
    for (uint32_t k = 0; k < self->group_size; k++) {
        Running *running = &self->group[k];
        memset(running->share, 0, self->to_sm.count * sizeof *running->share);
        *running = (Running){
            .index = self->next_launch + k, .fits = running->fits, .share = running->share};
        for (uint32_t i = 0; i < self->to_sm.count; i++)
            channel_send(&self->to_sm.at[i],
                         &new_message(self, running, NULL, CTA_KERNEL_START)->message, now);
    }
}

static void end_launch(CtaDispatcher *self, Running *running, Time now)
{
    LaunchRecord *record = &self->record[running->index];
    running->ended = true;
    self->kernels++;
    record->end = now;
    record->spread = cta_spread_sum(running->share, self->to_sm.count, record->start, now);
    self->waited_for_memory += now - record->issued;
    announce(self, BOUNDARY_KERNEL_END, running->index,
             now + clock_ceil(self->unit.clock, unit_boundary_delay(&self->unit)));
}

/* --- the room of the SMs ---------------------------------------------------------------------- */

static void look_for_room(CtaDispatcher *self, uint32_t sm)
{
    const Room *room = &self->room[sm];
    for (uint32_t k = 0; k < self->group_size; k++)
        self->group[k].fits[sm] =
            occupancy_fits(&room->limits, &room->use, kernel_of(self, &self->group[k]));
}

static void take_offer(CtaDispatcher *self, uint32_t sm, const CtaMessage *message)
{
    self->room[sm] = (Room){.limits = message->limits};
    self->offers++;
    look_for_room(self, sm);
}

static void take_completed(CtaDispatcher *self, uint32_t sm, const CtaMessage *message, Time now)
{
    Running *running = &self->group[message->launch];
    Kernel *kernel = kernel_of(self, running);
    occupancy_remove(&self->room[sm].limits, &self->room[sm].use, kernel);
    look_for_room(self, sm);
    self->ctas++;
    running->completed++;
    running->owing += message->owes;
    self->room[sm].keeps = message->keeps;
    cta_share_add(&running->share[sm], message->began, message->ended);
    histogram_add(&self->cta_time, now - message->launched);
    level_leave(&self->running, now, message->launched);
    if (message->stream) kernel->class->close_cta(kernel, message->stream);
}

static void take_message(CtaDispatcher *self, uint32_t sm, const CtaMessage *message, Time now)
{
    switch (message->cta) {
    case CTA_KERNEL_START: take_offer(self, sm, message); break;
    case CTA_ALL_ACKNOWLEDGED:
        self->group[message->launch].owing--;
        self->room[sm].keeps = message->keeps;
        break;
    default: take_completed(self, sm, message, now); break;
    }
}

static void take_from_sms(CtaDispatcher *self, Time now)
{
    for (uint32_t k = 0; k < self->unit.fresh_count; k++) {
        const uint32_t i = port_array_index(&self->from_sm, self->unit.fresh[k]);
        CtaMessage *message;
        while ((message = (CtaMessage *)port_take(&self->from_sm.at[i], now))) {
            take_message(self, i, message, now);
            unit_free_message(&self->unit, &message->message);
        }
    }
}

/* The next SM in turn that has room; UINT32_MAX: none. */
static uint32_t find_room(const CtaDispatcher *self, const Running *running)
{
    for (uint32_t k = 0; k < self->to_sm.count; k++) {
        const uint32_t i = (self->turn + k) % self->to_sm.count;
        if (running->fits[i]) return i;
    }
    return UINT32_MAX;
}

/* --- launching -------------------------------------------------------------------------------- */

/* With how far the run came until its input was found broken. */
static void reject_input(CtaDispatcher *self, const Running *running, GError *error)
{
    char *message = g_strdup_printf(
        "%s (launch %u of %u; %" G_GUINT64_FORMAT " of its CTAs were launched)", error->message,
        running->index + 1, self->launches->launches->len, running->sent);
    g_free(error->message);
    error->message = message;
    unit_reject_input(&self->unit, error);
}

/* The next CTA to launch, or NULL at the end of the kernel or on broken input. */
static CtaMessage *next_cta(CtaDispatcher *self, Running *running)
{
    Kernel *kernel = kernel_of(self, running);
    if (running->next_cta) return g_steal_pointer(&running->next_cta);
    if (!kernel->class->open_cta)
        return running->sent < kernel->ctas ? new_message(self, running, NULL, running->sent)
                                            : NULL;
    if (running->stream_ended) return NULL;
    GError *error = NULL;
    uint64_t cta;
    void *stream = kernel->class->open_cta(kernel, &cta, &error);
    if (stream) return new_message(self, running, stream, cta);
    running->stream_ended = true;
    if (error) reject_input(self, running, error);
    return NULL;
}

static bool all_sent(CtaDispatcher *self, Running *running)
{
    running->next_cta = next_cta(self, running);
    return !running->next_cta;
}

/* Of several launches in an interval each has its share of it. */
static void take_launch_port(CtaDispatcher *self, Time now)
{
    const Time interval = clock_cycles(self->unit.clock, self->launch_interval);
    const uint64_t at_once = self->launches_per_interval;
    self->launch_free = MAX(self->launch_free, now) + time_share(interval, at_once);
    server_book_share(&self->launch_port, now, interval, at_once);
}

static void launch(CtaDispatcher *self, Running *running, uint32_t sm, Time now)
{
    CtaMessage *message = next_cta(self, running);
    message->launched = now;
    message->kernels_began = self->began = MIN(self->began, now);
    occupancy_add(&self->room[sm].limits, &self->room[sm].use, message->kernel);
    look_for_room(self, sm);
    self->turn = (sm + 1) % self->to_sm.count;
    if (!running->sent++) self->record[running->index].start = now;
    take_launch_port(self, now);
    level_enter(&self->running, now);
    channel_send(&self->to_sm.at[sm], &message->message, now);
}

/* False: no CTA is left, or no SM has room for one of any kernel. */
static bool launch_next(CtaDispatcher *self, Time now)
{
    bool waits = false;
    for (uint32_t k = 0; k < self->group_size; k++) {
        const uint32_t g = (self->group_turn + k) % self->group_size;
        if (all_sent(self, &self->group[g])) continue;
        const uint32_t sm = find_room(self, &self->group[g]);
        waits |= sm == UINT32_MAX;
        if (sm == UINT32_MAX) continue;
        launch(self, &self->group[g], sm, now);
        if (self->kernel_order == IN_TURN) self->group_turn = (g + 1) % self->group_size;
        return true;
    }
    self->waits_for_room += waits;
    return false;
}

static Time next_launch_at(const CtaDispatcher *self)
{
    return clock_floor(self->unit.clock, self->launch_free);
}

/* No CTA is left to send or to wait for. */
static void note_issued(CtaDispatcher *self, Running *running, Time now)
{
    LaunchRecord *record = &self->record[running->index];
    if (running->issued) return;
    running->issued = true;
    record->issued = now;
    if (!running->sent) record->start = now; /* a stream without CTAs */
}

/* True: some SMs' L1s are to write back what they keep of stores, and are waited for. */
static bool clean(CtaDispatcher *self, Running *running, Time now)
{
    if (running->cleaned) return false;
    running->cleaned = true;
    for (uint32_t i = 0; i < self->to_sm.count; i++) {
        if (!self->room[i].keeps) continue;
        self->room[i].keeps = false;
        running->owing++;
        channel_send(&self->to_sm.at[i], &new_message(self, running, NULL, CTA_WRITE_BACK)->message,
                     now);
    }
    return running->owing;
}

/* The launches that have nothing left to send or to wait for end; true: some have CTAs to send. */
static bool end_launches(CtaDispatcher *self, Time now)
{
    bool more = false;
    for (uint32_t k = 0; k < self->group_size; k++) {
        Running *running = &self->group[k];
        if (running->ended) continue;
        if (!all_sent(self, running)) {
            more = true;
        } else if (running->completed == running->sent) {
            note_issued(self, running, now);
            if (!running->owing && !clean(self, running, now)) end_launch(self, running, now);
        }
    }
    return more;
}

static bool group_has_ended(const CtaDispatcher *self)
{
    for (uint32_t k = 0; k < self->group_size; k++)
        if (!self->group[k].ended) return false;
    return true;
}

static void run_group(CtaDispatcher *self, Time now)
{
    if (self->offers < self->to_sm.count * self->group_size) return;
    const bool more = end_launches(self, now);
    if (group_has_ended(self)) {
        self->next_launch += self->group_size;
        prepare_next(self, now);
    }
    if (!more) return;
    while (next_launch_at(self) <= now)
        if (!launch_next(self, now)) return;
    unit_wake_at(&self->unit, next_launch_at(self));
}

static void step(Unit *unit, Time now)
{
    CtaDispatcher *self = (CtaDispatcher *)unit;
    take_from_sms(self, now);
    switch (self->state) {
    case WAITING: prepare_next(self, now); break;
    case ANNOUNCED:
        if (now >= self->starts_at) start_group(self, now);
        break;
    case RUNNING: run_group(self, now); break;
    case FINISHED: break;
    }
}

static void describe(const CtaDispatcher *self, const Running *running, GString *what)
{
    g_string_append_printf(
        what, "kernel %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " launched CTAs completed",
        kernel_of(self, running)->name, running->completed, running->sent);
    if (running->owing)
        g_string_append_printf(what, ", stores or reductions of %u SMs are not acknowledged",
                               running->owing);
}

static bool unfinished(Unit *unit, GString *what)
{
    CtaDispatcher *self = (CtaDispatcher *)unit;
    if (self->state == FINISHED) return false;
    for (uint32_t k = 0; k < self->group_size; k++) {
        const Running *running = &self->group[k];
        if (running->ended) continue;
        if (k) g_string_append(what, ", ");
        describe(self, running, what);
    }
    for (uint32_t i = 0; i < self->to_sm.count; i++)
        unit_waits_for(unit, channel_receiver(&self->to_sm.at[i]));
    return true;
}

const UnitClass cta_dispatcher_class = {.name = "cta_dispatcher",
                                        .summary =
                                            "hands the CTAs of each kernel to SMs that have room",
                                        .per = PER_MACHINE,
                                        .clock = CLOCK_CORE,
                                        .place = PLACE_DISPATCHER,
                                        .path = "cta_dispatcher",
                                        .size = sizeof(CtaDispatcher),
                                        .params = cta_dispatcher_params,
                                        .stats = cta_dispatcher_stats,
                                        .ports = ports,
                                        .resources = cta_dispatcher_resources,
                                        .shared = shared,
                                        .setup = setup,
                                        .step = step,
                                        .teardown = teardown,
                                        .unfinished = unfinished};
