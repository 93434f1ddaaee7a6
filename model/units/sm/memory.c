/* The SM and its ways to memory: whether they have room, and what comes back. */
#include "kit/gpu/store_notice.h"
#include "units/sm/private.h"

static const ExecutionPool pools[MEMORY_PATHS] = {
    [PATH_LOAD_STORE] = POOL_LOAD_STORE, [PATH_TEXTURE] = POOL_TEXTURE};

void sm_note_room(SM *self, Time now)
{
    self->units.blocked = 0;
    for (uint32_t p = 0; p < MEMORY_PATHS; p++)
        if (!channel_ready(self->path[p].to, now)) self->units.blocked |= 1u << pools[p];
}

void sm_await_room(SM *self, Time now)
{
    for (uint32_t p = 0; p < MEMORY_PATHS; p++)
        if (self->units.blocked >> pools[p] & 1 && self->pool.ready & self->pool.wants[pools[p]])
            channel_await(self->path[p].to, now);
}

uint64_t sm_count_outstanding(const SM *self)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < self->launches; i++) count += self->outstanding[i].count;
    return count;
}

/* What is heard of a store may come when its warp is gone: NULL. */
static Scoreboard *board_of(SM *self, uint32_t warp, uint64_t age)
{
    return age == self->pool.age[warp] ? &self->warp[warp].scoreboard : NULL;
}

/* Of a store, a reduction or a write-back of L1's: with the last one the launch may have ended. */
static void end_one(SM *self, uint32_t launch, Time now)
{
    Outstanding *outstanding = &self->outstanding[launch];
    if (--outstanding->count || !outstanding->awaited) return;
    outstanding->awaited = false;
    CtaMessage *message = unit_new(&self->unit, MESSAGE_CTA);
    message->cta = CTA_ALL_ACKNOWLEDGED;
    message->launch = launch;
    message->keeps = self->l1_keeps;
    channel_send(&self->to_dispatcher, &message->message, now);
}

static void order_write_back(SM *self, StoreNotice *order, Time now)
{
    self->outstanding[order->launch].count++;
    channel_send(&self->to_l1, &order->message, now);
}

void sm_end_launch(SM *self, CtaMessage *message, Time now)
{
    const uint32_t launch = message->launch;
    StoreNotice *order = write_back_notice_new(&self->unit.messages, launch, WRITE_BACK_ENDS);
    self->outstanding[launch].awaited = true;
    order_write_back(self, order, now);
    unit_free_message(&self->unit, &message->message);
}

/* As if the warp stored it. */
static void order_for_fence(SM *self, uint32_t w, Time now)
{
    Warp *warp = &self->warp[w];
    StoreNotice *order = write_back_notice_new(&self->unit.messages, warp->launch, STORE_ENDS);
    order->warp = w;
    order->warp_age = self->pool.age[w];
    order->released_at = now;
    scoreboard_start_store(&warp->scoreboard);
    order_write_back(self, order, now);
}

G_GNUC_NO_INLINE bool sm_fence_waits(SM *self, uint32_t w, Time earliest, Time now)
{
    Warp *warp = &self->warp[w];
    warp->fenced = self->l1_keeps && !warp->fenced;
    if (!warp->fenced) return false;
    order_for_fence(self, w, now);
    sm_classify(self, w, earliest, now);
    return true;
}

static void note_notice(SM *self, const StoreNotice *notice)
{
    Scoreboard *board = board_of(self, notice->warp, notice->warp_age);
    if (!board) return;
    scoreboard_release_store(board, notice->released_at);
    if (notice->step == STORE_ENDS) scoreboard_acknowledge_store(board);
}

/* Of a store to shared memory there has been no notice. */
static void note_store(SM *self, const WarpAccess *access, Time now)
{
    end_one(self, access->launch, now);
    Scoreboard *board = board_of(self, access->warp, access->warp_age);
    if (!board) return;
    if (access->instruction.space == SPACE_SHARED
        && access->instruction.operation == OPERATION_STORE)
        scoreboard_release_store(board, access->released_at);
    scoreboard_acknowledge_store(board);
}

static void note_load(SM *self, const WarpAccess *access, Time now)
{
    const Instruction *done = &access->instruction;
    Scoreboard *board = &self->warp[access->warp].scoreboard;
    scoreboard_end_load(board, done->destination, done->destination_count);
    Time readable = now + self->write_delay;
    if (self->ports.write)
        readable = sm_write_results(self, access->warp, done, readable, self->load_forwarded);
    if (readable > now)
        scoreboard_note_result(board, done->destination, done->destination_count, readable, now);
    const Time left = access->issued - self->path[sm_path_of(done)].delay;
    const Time latency = readable - left;
    histogram_add(&self->load_latency, latency);
    if (instruction_samples(done)) {
        self->sampling--;
        histogram_add(&self->sample_latency, latency);
    }
    if (access->dependent) histogram_add(&self->dependent_load_latency, latency);
}

G_GNUC_NO_INLINE static void take_notice(SM *self, const StoreNotice *notice, Time now)
{
    if (notice->step == WRITE_BACK_BEGINS) {
        self->outstanding[notice->launch].count++;
        return;
    }
    if (notice->step == LINES_KEPT) {
        self->l1_keeps = true;
        return;
    }
    if (notice->step != STORE_RELEASED) end_one(self, notice->launch, now);
    if (notice->step == WRITE_BACK_ENDS) return;
    note_notice(self, notice);
    if (!warp_pool_waits(&self->pool, notice->warp)) return;
    sm_slots_keep_answer(self, notice->warp, NULL, SLOT_STORES, now);
    sm_classify(self, notice->warp, now, now);
}

static SlotUse use_of(const WarpAccess *access)
{
    const Instruction *done = &access->instruction;
    if (instruction_samples(done)) return SLOT_SAMPLE;
    if (instruction_has_no_result(done)) return SLOT_STORES;
    switch ((Space)done->space) {
    case SPACE_SHARED: return SLOT_SHARED;
    case SPACE_CONSTANT: return SLOT_CONSTANT;
    case SPACE_TEXTURE: return SLOT_SAMPLE;
    case SPACE_GLOBAL:
    case SPACE_LOCAL: return (SlotUse)(SLOT_L1 + access->served_by);
    }
    g_assert_not_reached();
}

/* What came may have been what the warp waited for. */
static void take_access(SM *self, WarpAccess *access, Time now)
{
    const uint32_t w = access->warp;
    if (instruction_has_no_result(&access->instruction))
        note_store(self, access, now);
    else
        note_load(self, access, now);
    const bool waits = warp_pool_waits(&self->pool, w);
    if (waits) sm_slots_keep_answer(self, w, access, use_of(access), now);
    const bool polls = access->instruction.until;
    const Time earliest = polls ? now + clock_cycles(self->unit.clock, self->poll_interval) : now;
    if (polls && sm_end_poll(self, access))
        sm_fetch_next(self, w, earliest, now);
    else if (waits)
        sm_classify(self, w, earliest, now);
    if (access->answer) unit_free_message(&self->unit, &access->answer->message);
}

void sm_take_completed(SM *self, Port *port, Time now)
{
    Message *message;
    while ((message = port_take(port, now))) {
        if (message->kind == MESSAGE_STORE_NOTICE)
            take_notice(self, (const StoreNotice *)message, now);
        else
            take_access(self, (WarpAccess *)message, now);
        unit_free_message(&self->unit, message);
    }
}
