/* The vocabulary of the unit tests: a few units between scripted sources and recording sinks, on
 * one tile.
 *
 *     Harness *h = harness_new();
 *     Unit *source = harness_source(h, "source"), *sink = harness_sink(h, "sink");
 *     Unit *unit = harness_add(h, &some_class, "unit", "latency = 20 cycles; entries = 4");
 *     harness_connect(h, source, "out", unit, "from_somewhere", (Path){.delay = 1});
 *     harness_connect(h, unit, "to_somewhere", sink, "in", (Path){.delay = 1});
 *     static const Step steps[] = {{.at = 5, .address = 0x80, .sectors = 15}};
 *     harness_script(source, steps, 1);
 *     harness_run(h);
 *     ck_assert_uint_eq(harness_arrival(sink, 0)->cycle, 27); // 5 + 1 down + 20 + 1 up
 *
 * All clocks run at 1 GHz unless harness_clock says otherwise. A mistake in the set-up aborts the
 * test. SimGrid's engine starts once a process: one harness_run a test. */
#pragma once

#include "kit/describe/configuration.h"
#include "kit/engine/simulation.h"
#include "kit/gpu/line_request.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/address/paging.h"
#include "parts/dram/timing.h"

#include <check.h>

typedef struct {
    Simulation *simulation;
    const Clock *clock; /* of the units that are added next */
    RunReport report;
    uint64_t warp_lanes;
    HalvesLinks halves; /* none */
    Paging paging;      /* none */
    DramTiming dram;    /* rows of 1 KiB */
    LineFit fit;        /* lines of L2 are those of L1, of sectors of 32 B */
    GPtrArray *made;    /* classes and port tables, to be freed */
} Harness;

Harness *harness_new(void);
void harness_free(Harness *harness);

/* Warps of the units under test; 32 at first. */
void harness_set_warp_lanes(Harness *harness, uint64_t lanes);

/* The units added from now on belong to a domain of this frequency. */
const Clock *harness_clock(Harness *harness, const char *name, uint64_t hertz);

/* `settings` is "key = value; key = value", or NULL. A unit with an array of inputs gets another
 * input, which nobody feeds, before its own: a port's order is not its place in an array. */
Unit *harness_add(Harness *harness, const UnitClass *unit_class, const char *path,
                  const char *settings);

/* In cycles of the sender's clock; the credit delay in cycles of the receiver's. Zero delays mean
 * one. */
typedef struct {
    uint32_t capacity; /* 0: unbounded */
    uint64_t delay, credit_delay;
    uint32_t output_index, input_index;
} Path;

void harness_connect(Harness *harness, Unit *from, const char *output, Unit *to, const char *input,
                     Path path);

/* Of an object with such parameters those of "key = value; key = value". */
void harness_set(const Param *params, const char *settings, void *object);

/* Starts SimGrid with networks of these routes, or none, and so many tiles. */
bool harness_start_engine(Simulation *simulation, const NetworkRoutes routes[NETWORKS],
                          uint32_t tiles, GError **error);

/* Sets up and runs to the end; both abort the test on an error. */
RunOutcome harness_run(Harness *harness);

/* As harness_run, for runs that end with an error; NULL when there was none. */
GError *harness_run_for_error(Harness *harness);

/* xorshift64, so that the samples are the same everywhere. */
static inline uint64_t harness_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* --- sources: the port "out" --- */

Unit *harness_source(Harness *harness, const char *path);

/* Makes the number-th message of a source, with unit_new(source, ...); NULL ends the script. It is
 * sent at *at at the earliest, and when there is room. */
typedef Message *(*Maker)(Unit *source, uint64_t number, Time *at, void *user);
void harness_generate(Unit *source, Maker maker, void *user);

/* A transaction to send at a cycle of the source's clock; `address` is both line and local
 * address. */
typedef struct {
    uint64_t at;
    TransactionType type;
    uint64_t address;
    uint16_t sectors;
    uint16_t partial;
} Step;

/* `steps` must outlive the run. */
void harness_script(Unit *source, const Step *steps, uint32_t count);

/* --- sinks: the port "in" --- */

Unit *harness_sink(Harness *harness, const char *path);

/* The sink takes nothing before this cycle. */
void harness_withhold(Unit *sink, uint64_t until);

/* Called for every message as the sink takes it; the sink frees it afterwards unless true is
 * returned. */
typedef bool (*Watch)(Unit *sink, Message *message, Time now, void *user);
void harness_watch(Unit *sink, Watch watch, void *user);

/* What came, in order. Copies: pointers inside may be stale, but those to an access's parts. */
typedef struct {
    Time at;
    uint64_t cycle; /* of the sink's clock */
    Message *message;
} Arrived;

/* A message as it is now, and an access with its parts, newly allocated: g_free. */
void *harness_copy(const Message *message);

uint64_t harness_arrivals(const Unit *sink);
const Arrived *harness_arrival(const Unit *sink, uint64_t index);
const Transaction *harness_transaction(const Unit *sink, uint64_t index);

/* Keeps no copies, only the count and the last arrival: for long runs. */
void harness_forget(Unit *sink);

/* --- checks --- */

/* The stages of a transaction from its beginning until `end`, as text: "l2_queue 3 l2_tag 20", in
 * cycles; to be freed. Stages of no length are left out. */
char *harness_stages(const Transaction *transaction, Time end, const Clock *clock);

/* Runs a suite and returns main's status; the suite is taken over. Temporary files go into a folder
 * that is removed at the end, whatever became of the tests. */
int harness_run_suite(Suite *suite);
/* Of one test case. */
int harness_run_cases(const char *name, TCase *cases);
/* ... and of one with the same lines over and over, left out where `repeating` programs are. */
int harness_run_repeating(const char *name, TCase *cases, TCase *repeating);
int harness_main(const char *name, const TTest *const *tests, guint count);
#define HARNESS_MAIN(name, ...)                                                                    \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return harness_main(name, tests, G_N_ELEMENTS(tests));                                     \
    }
