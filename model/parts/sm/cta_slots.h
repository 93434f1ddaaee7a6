/* The resident CTAs of an SM: which warps each has, and which of them wait at its barrier. Sets of
 * warps are a bit a warp. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { CTA_SLOTS = 64 };

typedef struct {
    void *cta;      /* what the owner keeps of it; NULL: the slot is free */
    uint64_t warps; /* those that have not ended */
    uint64_t at_barrier;
} CtaSlot;

typedef struct {
    CtaSlot slot[CTA_SLOTS];
} CtaSlots;

/* The lowest free slot, now the CTA's; the caller knows that there is one. */
uint32_t cta_slots_open(CtaSlots *slots, void *cta);

void cta_slots_add_warp(CtaSlots *slots, uint32_t slot, uint32_t warp);

/* The CTA when that was its last warp: its slot is free again. Otherwise NULL. */
void *cta_slots_end_warp(CtaSlots *slots, uint32_t slot, uint32_t warp);

void cta_slots_arrive(CtaSlots *slots, uint32_t slot, uint32_t warp);

/* The warps that pass the barrier now: all that have not ended, once each is there; otherwise
 * none. */
uint64_t cta_slots_pass_barrier(CtaSlots *slots, uint32_t slot);

uint64_t cta_slots_at_barrier(const CtaSlots *slots);
