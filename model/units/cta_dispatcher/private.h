/* What the files of the CTA dispatcher share; nobody else includes this. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/cta.h"

/* A launch of the group that runs. */
typedef struct {
    guint index; /* in the list of launches */
    uint64_t sent, completed;
    uint32_t owing; /* SMs that wait for acknowledgements */
    bool stream_ended, issued, ended;
    bool cleaned;         /* SMs have been told to write back what their L1s keep */
    CtaMessage *next_cta; /* of a stream: taken from it, not yet sent */
    bool *fits;           /* by SM: it has room for a CTA */
    CtaShare *share;      /* by SM */
} Running;

typedef struct {
    OccupancyLimits limits;
    OccupancyUse use;
    bool keeps; /* its L1 may have stored data that L2 lacks */
} Room;

typedef struct {
    Unit unit;
    PortArray from_sm;
    ChannelArray to_sm;
    const LaunchList *launches;
    LaunchRecord *record; /* by launch; read by the machine after the run */

    uint64_t launch_interval, launches_per_interval, kernel_gap;
    uint32_t kernel_order;

    uint64_t kernels, ctas, waits_for_room;
    Time waited_for_memory;
    Level running;
    Histogram cta_time;
    Server launch_port;

    guint next_launch; /* the first of the group that runs, or will run next */
    enum { WAITING, ANNOUNCED, RUNNING, FINISHED } state;
    Time starts_at, began; /* the group; with its first CTA, TIME_NEVER: before */
    Time launch_free;      /* of several launches in an interval, on average */
    Running *group;
    uint32_t group_size, group_turn, turn, offers;
    Room *room; /* by SM */
} CtaDispatcher;

enum { IN_TURN, IN_ORDER }; /* cta_dispatcher.kernel_order */

extern const Param cta_dispatcher_params[];
extern const Stat cta_dispatcher_stats[];
extern const ResourceRow cta_dispatcher_resources[];
