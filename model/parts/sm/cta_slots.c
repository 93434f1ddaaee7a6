#include "parts/sm/cta_slots.h"

uint32_t cta_slots_open(CtaSlots *slots, void *cta)
{
    uint32_t slot = 0;
    while (slot < CTA_SLOTS && slots->slot[slot].cta) slot++;
    g_assert(slot < CTA_SLOTS);
    slots->slot[slot] = (CtaSlot){.cta = cta};
    return slot;
}

void cta_slots_add_warp(CtaSlots *slots, uint32_t slot, uint32_t warp)
{
    slots->slot[slot].warps |= UINT64_C(1) << warp;
}

void *cta_slots_end_warp(CtaSlots *slots, uint32_t slot, uint32_t warp)
{
    CtaSlot *of = &slots->slot[slot];
    of->warps &= ~(UINT64_C(1) << warp);
    return of->warps ? NULL : g_steal_pointer(&of->cta);
}

void cta_slots_arrive(CtaSlots *slots, uint32_t slot, uint32_t warp)
{
    slots->slot[slot].at_barrier |= UINT64_C(1) << warp;
}

uint64_t cta_slots_pass_barrier(CtaSlots *slots, uint32_t slot)
{
    CtaSlot *of = &slots->slot[slot];
    if (of->at_barrier != of->warps) return 0;
    const uint64_t passing = of->at_barrier;
    of->at_barrier = 0;
    return passing;
}

uint64_t cta_slots_at_barrier(const CtaSlots *slots)
{
    uint64_t warps = 0;
    for (uint32_t i = 0; i < CTA_SLOTS; i++) warps |= slots->slot[i].at_barrier;
    return warps;
}
