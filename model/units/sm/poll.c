/* The SM: warps that wait for a value, and what ends a run. */
#include <inttypes.h>

#include "units/sm/private.h"

static bool holds(Until until, uint32_t value, uint32_t wanted)
{
    switch (until) {
    case UNTIL_ANYTHING: return true;
    case UNTIL_EQUAL: return value == wanted;
    case UNTIL_OTHER: return value != wanted;
    case UNTIL_LESS: return value < wanted;
    case UNTIL_AT_MOST: return value <= wanted;
    case UNTIL_GREATER: return value > wanted;
    case UNTIL_AT_LEAST: return value >= wanted;
    }
    g_assert_not_reached();
}

static uint32_t wanted_by(const Instruction *poll, uint32_t lane)
{
    return poll->operand + lane * (uint32_t)poll->operand_stride;
}

/* Nothing else may be going on any more: then the value never comes. */
static void give_up(SM *self, const WarpAccess *access, uint32_t lane)
{
    static const char *const words[] = {"", "==", "!=", "<", "<=", ">", ">="};
    const Warp *warp = &self->warp[access->warp];
    const Instruction *poll = &access->instruction;
    uint64_t address[LANES_MAX];
    warp_access_lane_addresses(access, address);
    GError *error = g_error_new(
        PARAM_ERROR, 0,
        "kernel %s, line %u: warp %u of CTA %" G_GUINT64_FORMAT " waits for the word at 0x%" PRIx64
        " to be %s %u and found %u %" G_GUINT64_FORMAT
        " times in a row (sm.poll_limit). Do the CTAs that have to change it fit on the "
        "machine? This SM holds %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
        " CTAs; the others start when these have ended",
        warp->kernel->name, poll->source_line, warp->cursor.warp, warp->cursor.cta, address[lane],
        words[poll->until], wanted_by(poll, lane), access->lanes->value[lane], warp->polled,
        self->resident_ctas.now, warp->kernel->ctas);
    unit_give_up(&self->unit, error);
}

G_GNUC_NO_INLINE bool sm_end_poll(SM *self, const WarpAccess *access)
{
    Warp *warp = &self->warp[access->warp];
    const Instruction *poll = &access->instruction;
    uint64_t without = 0;
    for (uint64_t rest = poll->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (!holds((Until)poll->until, access->lanes->value[lane], wanted_by(poll, lane)))
            without |= rest & -rest;
    }
    self->polls++;
    if (!without) {
        warp->polled = 0;
        return true;
    }
    self->polls_repeated++;
    const uint32_t first = (uint32_t)__builtin_ctzll(without), value = access->lanes->value[first];
    warp->polled = warp->polled && value == warp->last_value ? warp->polled + 1 : 1;
    warp->last_value = value;
    warp->next.mask = without;
    if (warp->polled >= self->poll_limit) give_up(self, access, first);
    return false;
}

G_GNUC_NO_INLINE void sm_reject_instruction(SM *self, const Kernel *kernel, ExecutionPool pool)
{
    static const char *const names[EXECUTION_POOLS] = {"core",       "int",     "fp64", "sfu",
                                                       "load_store", "texture", "other"};
    unit_reject_input(
        &self->unit,
        g_error_new(
            PARAM_ERROR, 0,
            "kernel %s: an instruction needs units that the SM does not have: sm.%s_units = 0",
            kernel->name, names[pool]));
}
