/* L1's way to L2, and what is refused for want of it. */
#pragma once

#include "units/l1/private.h"

/* --- l1/translate.c --- */

/* What keeps a transaction for this virtual line from going to L2, or to those who wait for its
 * translation: the counter of such refusals; NULL: nothing. */
uint64_t *l1_blocked_by(L1 *self, uint64_t line, Time now);

/* The same of one whose translation is known. */
uint64_t *l1_blocked_by_network(L1 *self, Time now);

/* The same as l1_blocked_by, of channels that were found full and will wake L1. */
Refusal l1_stays_blocked_by(const L1 *self, uint64_t line);

/* Would a further transaction for the line contend for what `claim` counts refusals of? */
bool l1_contends(const L1 *self, uint64_t line, const uint64_t *claim);

/* Sends to L2 as soon as the way there is free and the address known; after l1_blocked_by. Returns
 * when it leaves, or is left to its translation. */
Time l1_depart(L1 *self, Transaction *transaction, Time now);

/* `come`: some have; those that had no room on the way to L2 are tried as well. */
void l1_take_translations(L1 *self, bool come, Time now);

/* What was full may have room now: then what was refused for it is tried again. */
void l1_note_room(L1 *self, Time now);

/* --- l1/refused.c --- */

/* The access has just been refused, and its next line is not in L1. */
void l1_note_absent(L1 *self, const WarpAccess *access);

/* Most who are refused are refused again for the same: then nothing is looked up. */
bool l1_is_still_refused(L1 *self, WarpAccess *access, Time now);

/* What has come to the arbiter in vain since the last step; mostly that was in one cycle. */
void l1_count_retries_in_vain(L1 *self, Time now);
static inline void l1_count_in_vain(L1 *self, Time now)
{
    if (!self->left_until && self->vain_from >= now) return;
    if (self->left_until || now - self->vain_from > self->unit.clock->period) {
        l1_count_retries_in_vain(self, now);
        return;
    }
    self->replays++;
    self->wasted_replays++;
}

/* One that was refused would be tried again at `at`, and none has a time of its own. False: that
 * may not be in vain, or it is the only one. Else the next step is the first that may not be in
 * vain, or the last one. */
bool l1_leave_retries(L1 *self, Time at, Time now);
