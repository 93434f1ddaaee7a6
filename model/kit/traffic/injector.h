/* What units have in common that inject traffic into a part of the machine: sources that make
 * packets at their times, the time that is measured, and what is counted of it.
 *
 * Sources are open loops: when a packet is made does not depend on what became of those before. One
 * that finds no room waits at its source, where any number may, and its latency counts from when it
 * was made. Nothing is kept of those that wait but the time of the first: the next one is drawn
 * when it has left. A source sends one packet a cycle at most. With a limit of `outstanding`
 * packets the loop is closed: a source makes none while so many of its own are under way.
 *
 *   │ warm_up │ duration: what is made is measured │ until all of it has arrived │
 *             └ the region of interest begins                                    └ it ends
 *
 * Each source draws from a stream of its own, whose seed is its number's: the same packets are made
 * whatever machine they go into. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/kernel.h"
#include "kit/gpu/transaction.h"
#include "kit/traffic/arrivals.h"
#include "kit/traffic/traffic.h"

typedef struct {
    uint64_t random;
    uint64_t made; /* cycle of its next packet; UINT64_MAX: there is none */
    uint64_t outstanding;
    uint64_t accepted;
} TrafficSource;

/* The beginning of the struct of such a unit. */
typedef struct Injector {
    Unit unit;
    const LaunchList *launches;
    LaunchRecord *record;

    uint64_t generated, accepted, delivered;
    uint64_t source_cycles, least_from_source, most_from_source;
    uint64_t source_wait;
    Level under_way;
    Histogram latency;
    StageSums stages_traffic;

    /* set by the unit's setup, before injector_setup */
    uint32_t sources;
    ChannelArray *outputs; /* of each source */
    Stage waits, leaves;   /* where a packet is that waits at its source, and when it has left */
    uint16_t sectors;      /* of its data */
    void (*fill)(struct Injector *injector, uint32_t source, Transaction *packet);
    /* Cycle of the next packet of a source that has just sent one; UINT64_MAX: there is none. NULL:
     * as the arrivals say. */
    uint64_t (*next)(struct Injector *injector, uint32_t source);

    const Traffic *traffic;
    Arrivals *arrivals; /* one of all sources, or one of each */
    bool apart;
    TrafficSource *source;
    uint64_t *due;   /* of each source, when its next packet may leave: cycle */
    uint64_t writes; /* of 2^64 */
    uint64_t in_flight;
    uint64_t first_cycle, from_cycle, until_cycle;
    enum { INJECTOR_NEW, INJECTOR_RUNS, INJECTOR_ENDED } state;
} Injector;

/* clang-format off */
#define INJECTOR_SHARED(Type) \
    {"launches", offsetof(Type, injector.launches)}, {"record", offsetof(Type, injector.record)}
/* clang-format on */

/* Rows of its statistics: `what` is "packets" or "requests". */
#define INJECTOR_STATS(what)                                                                       \
    STAT_NUMBER(Injector, generated, STAT_COUNT, NULL,                                             \
                what " that sources made in the measured time", .means = MEANS_TRAFFIC_MADE),      \
        STAT_NUMBER(Injector, accepted, STAT_COUNT, NULL,                                          \
                    what " that arrived in the measured time, whenever they were made",            \
                    .means = MEANS_TRAFFIC_ACCEPTED),                                              \
        STAT_NUMBER(Injector, delivered, STAT_COUNT, NULL,                                         \
                    what " that arrived, until all that are measured had"),                        \
        STAT_NUMBER(Injector, source_cycles, STAT_COUNT, NULL,                                     \
                    "cycles of the measured time, of all sources together",                        \
                    .means = MEANS_TRAFFIC_CYCLES),                                                \
        STAT_NUMBER(Injector, least_from_source, STAT_COUNT, NULL,                                 \
                    "accepted of the source of which fewest were"),                                \
        STAT_NUMBER(Injector, most_from_source, STAT_COUNT, NULL, "... of which most were"),       \
        STAT_NUMBER(Injector, source_wait, STAT_TIME, NULL,                                        \
                    "sum of the times that measured ones waited at their sources"),                \
        STAT_OCCUPANCY_OVER_TIME(Injector, under_way, NULL, what " that have left their sources",  \
                                 CURVES(CURVE("traffic: " what " under way"))),                    \
        STAT_DISTRIBUTION(Injector, latency, NULL,                                                 \
                          "of measured " what ", from when it was made until it arrived",          \
                          .means = MEANS_TRAFFIC_LATENCY),                                         \
        STAT_BREAKDOWN(Injector, stages_traffic, what " that are measured")

/* The traffic of the run. */
const Traffic *injector_traffic(const Injector *self);

/* `rates`, packets a cycle: of all sources, or where `apart` of each. */
void injector_setup(Injector *self, const double *rates, bool apart);
void injector_teardown(Injector *self);

/* At the end of each step: begins, sends what is due, ends. */
void injector_work(Injector *self, Time now);

/* The packet has arrived where its way ends; frees it. */
void injector_complete(Injector *self, Transaction *packet, Time now);

bool injector_unfinished(const Injector *self, GString *what);
