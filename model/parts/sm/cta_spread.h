/* How the CTAs of a launch were spread over the SMs: which of them had most, and how long they
 * stood without one before their first CTA and after their last one. Times are fs. */
#pragma once

#include <glib.h>
#include <stdint.h>

/* Of one SM. */
typedef struct {
    uint64_t ctas;
    uint64_t first, last; /* its first CTA began, its last one ended */
    uint64_t stayed;      /* time of its CTAs, added up */
} CtaShare;

void cta_share_add(CtaShare *share, uint64_t began, uint64_t ended);

/* Of all SMs. */
typedef struct {
    uint64_t sms;           /* that had one */
    uint64_t most, least;   /* CTAs that an SM had */
    uint64_t before, after; /* time of all of them; of an SM without CTAs all is after */
    uint64_t longest;       /* of an SM, from its first CTA to its last one's end */
    uint64_t stayed;
} CtaSpread;

/* The launch ran from `start` to `end`: SMs x this time is `before` + `after` + the time from first
 * to last of each. */
CtaSpread cta_spread_sum(const CtaShare *share, uint32_t sms, uint64_t start, uint64_t end);
