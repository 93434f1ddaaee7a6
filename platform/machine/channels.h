/* The channels between units: one table of all, and `[channels]`, the delays and capacities of
 * those that are not network links. */
#pragma once

#include "kit/gpu/network.h"
#include "platform/machine/machine.h"

typedef struct {
    uint64_t cta_launch, cta_drain;
    uint64_t issue, issue_queue;
    uint64_t l1_input, l1_input_queue;
    uint64_t l1_to_registers, shared_to_registers;
    uint64_t texture_issue, texture_issue_queue, texture_input, texture_input_queue;
    uint64_t texture_to_l1, texture_to_l1_queue, l1_to_texture, texture_to_registers;
    uint64_t l1_to_coalescer, coalescer_input_queue, coalescer_to_l1;
    uint64_t l1_to_mmu, mmu_input_queue, mmu_to_l1, mmu_to_l2, l2_to_mmu, reports;
    uint64_t l2_to_pager, pager_to_l2;
    uint64_t l2_cross, l2_cross_queue;
    uint64_t l2_to_scheduler, scheduler_input_queue, scheduler_credit, scheduler_to_dram,
        dram_to_l2;
    uint64_t memory_cache_input_queue, memory_cache_credit, memory_cache_to_scheduler,
        dram_to_memory_cache;
    uint64_t switch_input_queue, switch_credit, switch_to_scheduler, switch_to_l2;
    uint64_t l2_to_rop, rop_input_queue, rop_to_l2, rop_output_queue;
} ChannelParams;

extern const ParamGroup channels_group;

/* Which instances of the two classes a row connects. */
typedef enum {
    /* of one number; where a class is one a machine, its port is an array, by that number */
    CHANNEL_SAME_NUMBER,
    CHANNEL_IN_PARTITION,   /* of slices or DRAM channels and the switch, which has arrays */
    CHANNEL_INTO_LINK,      /* between halves of L2, of the row's way; likewise */
    CHANNEL_OUT_OF_LINK,    /* likewise */
    CHANNEL_IN_SHARE,       /* of SMs and the coalescers that they share, which have arrays */
    CHANNEL_INTO_NETWORK,   /* each by its own link; the delay is what SimGrid says of it */
    CHANNEL_OUT_OF_NETWORK, /* likewise */
    CHANNEL_NEIGHBOURS,     /* of routers; likewise */
    CHANNEL_FROM_SIMGRID    /* no unit sends: what SimGrid has carried; by number of its source */
} ChannelMapping;

/* A parameter: of the machine's groups, or of either of the two classes. */
typedef struct {
    const char *name; /* "channels.issue", "gate.latency"; NULL: none */
    size_t offset;    /* in the machine; 0: it is a unit's */
} ChannelParam;

/* A row a channel. Classes of which this machine has none, and units whose parameter `enabled` is
 * off, have no channels. */
typedef struct {
    const char *from, *output, *to, *input;
    ChannelMapping mapping;
    NetworkRole role;       /* of a way into a network or out of one, or between halves */
    ChannelParam capacity;  /* none: the receiver has reserved room by its own protocol */
    ChannelParam delay;     /* cycles of the sender, or of `clock`, or a time */
    ChannelParam bandwidth; /* of a way between halves; others have none of their own */
    ChannelParam credit; /* cycles of the receiver until the sender knows of free room; none: 1 */
    UnitClock clock;
    /* The user is warned of a capacity too small for one message a cycle; or, where there are
     * lanes, for the warps that so many are: the product of two parameters of the sender. */
    bool keeps_up;
    const char *lanes[2];
    const char *unless[2]; /* classes: not in a machine that has units of one of them */
    ChannelTalk talk; /* questions or answers: neither binds the engine where nobody has asked */
} ChannelRow;

/* Whether it is not in a machine that has units of the class, because those stand in its way. */
bool channel_gives_way(const ChannelRow *row, const char *class);

/* Ends with a row without `to`. */
const ChannelRow *machine_channel_rows(void);

/* Makes cycles of delays that are given as times, of the clocks that the rows say; the error is of
 * a range. */
bool machine_settle_delays(Machine *machine, GError **error);

/* Whether the machine has units at both ends, and they are enabled. */
bool machine_has_channel(const Machine *machine, const ChannelRow *row);

/* Whether a machine has units of the class. */
typedef bool (*MachineHas)(const char *class, gconstpointer of);

/* Whether the parameter says something of units that there are, or of a way between some. Of groups
 * that are neither nothing is known: true. */
bool machine_concerns(const char *group, const char *key, MachineHas has, gconstpointer of);

/* What the parameter is in this machine; 0: the row has none. */
uint64_t machine_channel_number(const Machine *machine, const ChannelParam *param, ParamType type);
