#include "platform/machine/channels.h"

#define DELAY(field, fallback, text)                                                               \
    PARAM_NUMBER(ChannelParams, field, PARAM_CYCLES, fallback, 1, 100000, text)
#define ROOM(field, fallback, text)                                                                \
    PARAM_NUMBER(ChannelParams, field, PARAM_COUNT, fallback, 1, 65536, text)

static const Param channel_params[] = {
    DELAY(cta_launch, "150 cycles",
          "from the CTA dispatcher's decision until the CTA's warps are resident"),
    DELAY(cta_drain, "150 cycles", "from the end of a CTA's last warp until the dispatcher knows"),
    DELAY(issue, "4 cycles", "from warp issue to the load/store unit (operand read)"),
    ROOM(issue_queue, "5", "memory instructions that wait in front of the load/store unit"),
    DELAY(l1_input, "4 cycles", "from the load/store unit to L1"),
    ROOM(l1_input_queue, "5", "memory instructions that wait in front of L1"),
    DELAY(l1_to_registers, "6 cycles", "from L1 to the register file"),
    DELAY(shared_to_registers, "2 cycles", "from shared memory to the register file"),
    DELAY(texture_issue, "4 cycles", "from issue of a texture instruction to the texture unit"),
    ROOM(texture_issue_queue, "4", "texture instructions that wait in the texture unit"),
    DELAY(texture_input, "1 cycle", "from the load/store unit to the texture unit"),
    ROOM(texture_input_queue, "4", "memory instructions that wait in front of the texture unit"),
    DELAY(texture_to_l1, "1 cycle", "from the texture unit to L1, and by it to L2"),
    ROOM(texture_to_l1_queue, "4", "requests of the texture unit that wait in front of L1"),
    DELAY(l1_to_texture, "1 cycle", "from L1, and by it from L2, to the texture unit"),
    DELAY(texture_to_registers, "6 cycles", "from the texture unit to the register file"),
    DELAY(l1_to_mmu, "3 cycles", "from L1 to the MMU"),
    ROOM(mmu_input_queue, "8", "translations of an SM that wait in front of the MMU"),
    DELAY(mmu_to_l1, "3 cycles", "from the MMU to L1"),
    DELAY(reports, "64 cycles",
          "from L1s and L2 slices to the coherence monitor; no result depends on it"),
    DELAY(l2_cross, "50 cycles",
          "from an L2 slice to its twin of the other half, where machine.l2_halves = 2 (L2 clock)"),
    ROOM(l2_cross_queue, "64", "requests from the other half that wait in front of an L2 slice"),
    DELAY(l2_to_scheduler, "60 cycles",
          "from an L2 slice to its memory access scheduler (L2 clock)"),
    ROOM(scheduler_input_queue, "32", "requests that wait in front of a memory access scheduler"),
    DELAY(scheduler_credit, "8 cycles",
          "until the L2 slice knows of free room in front of its scheduler (DRAM clock)"),
    DELAY(scheduler_to_dram, "1 cycle",
          "from the memory access scheduler to the DRAM channel (DRAM clock)"),
    DELAY(dram_to_l2, "50 cycles", "from the DRAM data pins to the L2 slice (DRAM clock)"),
    DELAY(l2_to_rop, "2 cycles", "from an L2 slice to its ROP (L2 clock)"),
    ROOM(rop_input_queue, "32", "atomics that wait in front of a ROP"),
    DELAY(rop_to_l2, "2 cycles", "from a ROP to its L2 slice (L2 clock)"),
    PARAM_NUMBER(ChannelParams, rop_output_queue, PARAM_COUNT, "32", 4, 65536,
                 "results, fetches and write-backs of a ROP that wait in front of its L2 slice"),
    PARAM_END};

const ParamGroup channels_group = {"channels", "delays and capacities of the paths between units",
                                   channel_params};
