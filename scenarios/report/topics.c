/* The captions of reports, in the order of the page. */
#include "scenarios/report/figure.h"

const FigureTopic *figure_topics(void)
{
    static const FigureTopic topics[] = {
        {"stage_breakdown", "Where the latency went", FIGURE_STACKED_BARS,
         "The mean latency of a request of each class, divided into the stages that it was in.",
         "ns",
         "A request is in exactly one stage at any time, so a bar's length is the mean latency. "
         "Long stages that end in 'queue' or 'wait' are contention; the others are distance."},
        {.name = NULL},
    };
    return topics;
}
