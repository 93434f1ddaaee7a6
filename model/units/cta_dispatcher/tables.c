/* The CTA dispatcher's parameters, statistics and resources. */
#include "units/cta_dispatcher/private.h"

static const char *const orders[] = {"in_turn", "in_order", NULL};

const Param cta_dispatcher_params[] = {
    PARAM_NUMBER(CtaDispatcher, launch_interval, PARAM_CYCLES, "2 cycles", 1, 10000,
                 "cycles in which launches_per_interval CTAs are launched",
                 .perfect = PERFECT(IN("cta_launch", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(CtaDispatcher, launches_per_interval, PARAM_COUNT, "1", 1, 64,
                 "CTAs launched in launch_interval", .perfect = PERFECT(IN("cta_launch", "64")),
                 .doubling = TWICE),
    PARAM_NUMBER(
        CtaDispatcher, kernel_gap, PARAM_CYCLES, "2000 cycles", 64, 10000000,
        "cycles between the end of a kernel and the start of the next; not part of kernel time"),
    PARAM_ONE_OF(CtaDispatcher, kernel_order, orders, "in_turn",
                 "of concurrent kernels: a CTA of each in turn, or those of a later one only when "
                 "an earlier one has none that fits"),
    PARAM_END};

const Stat cta_dispatcher_stats[] = {
    STAT_NUMBER(CtaDispatcher, kernels, STAT_COUNT, NULL, "kernels completed"),
    STAT_NUMBER(CtaDispatcher, ctas, STAT_COUNT, "sm__ctas_launched.sum", "CTAs completed",
                .means = MEANS_CTAS),
    STAT_NUMBER(CtaDispatcher, waits_for_room, STAT_COUNT, NULL,
                "times no SM had room for the next CTA"),
    STAT_NUMBER(CtaDispatcher, waited_for_memory, STAT_TIME, NULL,
                "from the end of a kernel's last CTA until its stores and reductions were "
                "acknowledged, of all kernels"),
    STAT_OCCUPANCY_OVER_TIME(CtaDispatcher, running, NULL, "CTAs launched and not completed"),
    STAT_DISTRIBUTION(CtaDispatcher, cta_time, NULL,
                      "from the launch of a CTA until its completion is known"),
    STAT_END};

const ResourceRow cta_dispatcher_resources[] = {
    RESOURCE_ONE_SERVER(CtaDispatcher, launch_port, "launches of CTAs",
                        RESOURCE_CAPACITY(CtaDispatcher, launches_per_interval), .unit = "CTAs",
                        .headline = "CTA launch", .component = "cta_launch", .feeds = "to_sm",
                        .rests_on = "launch_interval launches_per_interval", .work = "ctas"),
    RESOURCE_END};
