#include "parts/sm/cta_spread.h"

void cta_share_add(CtaShare *share, uint64_t began, uint64_t ended)
{
    share->first = share->ctas ? MIN(share->first, began) : began;
    share->last = MAX(share->last, ended);
    share->stayed += ended - began;
    share->ctas++;
}

static void add_sm(CtaSpread *spread, const CtaShare *share, uint64_t start, uint64_t end)
{
    spread->most = MAX(spread->most, share->ctas);
    spread->least = MIN(spread->least, share->ctas);
    if (!share->ctas) {
        spread->after += end - start;
        return;
    }
    spread->sms++;
    spread->before += share->first - start;
    spread->after += end - share->last;
    spread->longest = MAX(spread->longest, share->last - share->first);
    spread->stayed += share->stayed;
}

CtaSpread cta_spread_sum(const CtaShare *share, uint32_t sms, uint64_t start, uint64_t end)
{
    CtaSpread spread = {.least = sms ? UINT64_MAX : 0};
    for (uint32_t i = 0; i < sms; i++) add_sm(&spread, &share[i], start, end);
    return spread;
}
