/* `[channels]`: delays and capacities of the paths between units that are not network links. */
#pragma once

#include "kit/describe/param.h"

typedef struct {
    uint64_t cta_launch, cta_drain;
    uint64_t issue, issue_queue;
    uint64_t l1_input, l1_input_queue;
    uint64_t l1_to_registers, shared_to_registers;
    uint64_t texture_issue, texture_issue_queue, texture_input, texture_input_queue;
    uint64_t texture_to_l1, texture_to_l1_queue, l1_to_texture, texture_to_registers;
    uint64_t l1_to_mmu, mmu_input_queue, mmu_to_l1, reports;
    uint64_t l2_cross, l2_cross_queue;
    uint64_t l2_to_scheduler, scheduler_input_queue, scheduler_credit, scheduler_to_dram,
        dram_to_l2;
    uint64_t l2_to_rop, rop_input_queue, rop_to_l2, rop_output_queue;
} ChannelParams;

extern const ParamGroup channels_group;
