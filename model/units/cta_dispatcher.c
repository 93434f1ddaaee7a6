/* The CTA dispatcher: runs the launches one after the other and hands CTAs to SMs that have room.
 *
 *            ┌──to_sm[i]──> SM i : "a kernel starts", then one message a CTA
 *   launches ┤
 *            └─from_sm[i]── SM i : "I have room for n CTAs", then one message a completed CTA
 *
 * CTAs go to the SMs in turn, one every `launch_interval`. The channels' delays are the launch
 * latency and the drain latency of a CTA; together with the interval they set the block
 * turnaround that limits kernels of short CTAs.
 *
 * Not modelled: concurrent kernels, clusters of CTAs, priorities. Sources: interval and
 * latencies are calibrated to the low-occupancy rows of gpu-benches' gpu-stream on V100 (about
 * 0.43 blocks a cycle, turnaround of 369 cycles for a store-only block). */
#include "kit/unit.h"

typedef struct {
    Unit unit;
    PortArray from_sm;
    ChannelArray to_sm;
    const LaunchList *launches;
    LaunchRecord *record; /* by launch; read by the machine after the run */

    uint64_t launch_interval, kernel_gap;

    uint64_t kernels, ctas, waits_for_room;
    Level running;
    Histogram cta_time;

    guint next_launch; /* the one that runs, or will run next */
    enum { WAITING, ANNOUNCED, RUNNING, FINISHED } state;
    Time starts_at, free_at;
    uint64_t sent, completed;
    uint32_t turn, offers;
    uint32_t *room; /* CTAs that each SM can still take */
    bool stream_ended;
    CtaMessage *next_cta; /* of a stream: taken from it, not yet sent */
} CtaDispatcher;

static const Param params[] = {
    PARAM_NUMBER(CtaDispatcher, launch_interval, PARAM_CYCLES, "2 cycles", 1, 10000,
                 "cycles from one CTA launch to the next"),
    PARAM_NUMBER(
        CtaDispatcher, kernel_gap, PARAM_CYCLES, "2000 cycles", 64, 10000000,
        "cycles between the end of a kernel and the start of the next; not part of kernel time"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(CtaDispatcher, kernels, STAT_COUNT, NULL, "kernels completed"),
    STAT_NUMBER(CtaDispatcher, ctas, STAT_COUNT, "sm__ctas_launched.sum", "CTAs completed"),
    STAT_NUMBER(CtaDispatcher, waits_for_room, STAT_COUNT, NULL,
                "times no SM had room for the next CTA"),
    STAT_OCCUPANCY(CtaDispatcher, running, NULL, "CTAs launched and not completed"),
    STAT_DISTRIBUTION(CtaDispatcher, cta_time, NULL,
                      "from the launch of a CTA until its completion is known"),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUTS(CtaDispatcher, from_sm, "offers of room and completed CTAs"),
    PORT_OUTPUTS(CtaDispatcher, to_sm, "kernel starts and CTAs"), PORT_END};

static const SharedRow shared[] = {SHARED(CtaDispatcher, launches), SHARED(CtaDispatcher, record),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    CtaDispatcher *self = (CtaDispatcher *)unit;
    self->room = g_new0(uint32_t, self->to_sm.count);
    unit_wake_at(unit, unit->clock->period);
    return true;
}

static void teardown(Unit *unit)
{
    g_free(((CtaDispatcher *)unit)->room);
}

static const Launch *current(const CtaDispatcher *self)
{
    return &g_array_index(self->launches->launches, Launch, self->next_launch);
}

static void announce(CtaDispatcher *self, BoundaryKind kind, Time at)
{
    unit_announce(&self->unit, &(Boundary){.at = at, .kind = kind, .launch = current(self)});
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
    announce(self, BOUNDARY_KERNEL_START, self->starts_at);
    self->state = ANNOUNCED;
    unit_wake_at(&self->unit, self->starts_at);
}

static CtaMessage *new_message(CtaDispatcher *self, void *stream, uint64_t cta)
{
    CtaMessage *message = unit_new_cta(&self->unit);
    message->kernel = current(self)->kernel;
    message->stream = stream;
    message->cta = cta;
    message->count = 0;
    return message;
}

static void start_kernel(CtaDispatcher *self, Time now)
{
    self->state = RUNNING;
    self->sent = self->completed = 0;
    self->offers = 0;
    self->turn = 0;
    self->stream_ended = false;
    for (uint32_t i = 0; i < self->to_sm.count; i++)
        channel_send(&self->to_sm.at[i], &new_message(self, NULL, CTA_KERNEL_START)->message, now);
}

static void end_kernel(CtaDispatcher *self, Time now)
{
    self->kernels++;
    if (!self->sent) self->record[self->next_launch].start = now; /* a stream without CTAs */
    self->record[self->next_launch].end = now;
    announce(self, BOUNDARY_KERNEL_END,
             now + clock_ceil(self->unit.clock, unit_boundary_delay(&self->unit)));
    self->next_launch++;
    prepare_next(self, now);
}

static void take_from_sms(CtaDispatcher *self, Time now)
{
    for (uint32_t k = 0; k < self->unit.fresh_count; k++) {
        const uint32_t i = self->unit.fresh[k];
        CtaMessage *message;
        while ((message = (CtaMessage *)port_take(&self->from_sm.at[i], now))) {
            if (message->cta == CTA_KERNEL_START) {
                self->room[i] = message->count;
                self->offers++;
            } else {
                self->room[i]++;
                self->ctas++;
                self->completed++;
                histogram_add(&self->cta_time, now - message->launched);
                level_leave(&self->running, now, message->launched);
                Kernel *kernel = current(self)->kernel;
                if (message->stream) kernel->class->close_cta(kernel, message->stream);
            }
            unit_free_message(&self->unit, &message->message);
        }
    }
}

/* The next SM in turn that has room; UINT32_MAX: none. */
static uint32_t find_room(CtaDispatcher *self)
{
    for (uint32_t k = 0; k < self->to_sm.count; k++) {
        const uint32_t i = (self->turn + k) % self->to_sm.count;
        if (self->room[i]) return i;
    }
    return UINT32_MAX;
}

/* The next CTA to launch, or NULL at the end of the kernel or on broken input. */
static CtaMessage *next_cta(CtaDispatcher *self)
{
    Kernel *kernel = current(self)->kernel;
    if (self->next_cta) return g_steal_pointer(&self->next_cta);
    if (!kernel->class->open_cta)
        return self->sent < kernel->ctas ? new_message(self, NULL, self->sent) : NULL;
    if (self->stream_ended) return NULL;
    GError *error = NULL;
    uint64_t cta;
    void *stream = kernel->class->open_cta(kernel, &cta, &error);
    if (stream) return new_message(self, stream, cta);
    self->stream_ended = true;
    if (error) unit_reject_input(&self->unit, error);
    return NULL;
}

static bool all_sent(CtaDispatcher *self)
{
    self->next_cta = next_cta(self);
    return !self->next_cta;
}

static void launch(CtaDispatcher *self, uint32_t sm, Time now)
{
    CtaMessage *message = next_cta(self);
    message->launched = now;
    self->room[sm]--;
    self->turn = (sm + 1) % self->to_sm.count;
    if (!self->sent++) self->record[self->next_launch].start = now;
    self->free_at = now + clock_cycles(self->unit.clock, self->launch_interval);
    level_enter(&self->running, now);
    channel_send(&self->to_sm.at[sm], &message->message, now);
}

static void run_kernel(CtaDispatcher *self, Time now)
{
    if (self->offers < self->to_sm.count) return;
    if (all_sent(self)) {
        if (self->completed == self->sent) end_kernel(self, now);
        return;
    }
    if (self->free_at > now) {
        unit_wake_at(&self->unit, self->free_at);
        return;
    }
    const uint32_t sm = find_room(self);
    if (sm == UINT32_MAX) {
        self->waits_for_room++;
        return;
    }
    launch(self, sm, now);
    unit_wake_at(&self->unit, self->free_at);
}

static void step(Unit *unit, Time now)
{
    CtaDispatcher *self = (CtaDispatcher *)unit;
    take_from_sms(self, now);
    switch (self->state) {
    case WAITING: prepare_next(self, now); break;
    case ANNOUNCED:
        if (now >= self->starts_at) start_kernel(self, now);
        break;
    case RUNNING: run_kernel(self, now); break;
    case FINISHED: break;
    }
}

static bool unfinished(Unit *unit, GString *what)
{
    CtaDispatcher *self = (CtaDispatcher *)unit;
    if (self->state == FINISHED) return false;
    g_string_append_printf(
        what, "kernel %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " launched CTAs completed",
        current(self)->kernel->name, self->completed, self->sent);
    for (uint32_t i = 0; i < self->to_sm.count; i++)
        unit_waits_for(unit, channel_receiver(&self->to_sm.at[i]));
    return true;
}

const UnitClass cta_dispatcher_class = {.name = "cta_dispatcher",
                                        .summary =
                                            "hands the CTAs of each kernel to SMs that have room",
                                        .size = sizeof(CtaDispatcher),
                                        .params = params,
                                        .stats = stats,
                                        .ports = ports,
                                        .shared = shared,
                                        .setup = setup,
                                        .step = step,
                                        .teardown = teardown,
                                        .unfinished = unfinished};
