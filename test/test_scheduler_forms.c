/* Queueing formulas of the memory access scheduler and its channel: the waiting time at one bank,
 * and Little's law. Every command of every run passes the checker. */
#include <math.h>

#include "timings.h"
#include "unit_rig.h"

/* --- row 11: random arrivals at one bank, a new row each time --- */

enum { ARRIVALS = 60000, WARM_UP = 2000, ROWS = 512 };

typedef struct {
    const DramRig *rig;
    GRand *random;
    double mean; /* cycles from arrival to arrival; at most one a cycle */
    uint64_t cycle;
} Arrivals;

/* Geometric distances are a Bernoulli trial each cycle. */
static Message *at_random(Unit *source, uint64_t number, Time *at, void *user)
{
    Arrivals *arrivals = user;
    if (number >= ARRIVALS) return NULL;
    const double u = g_rand_double(arrivals->random);
    arrivals->cycle += 1 + (uint64_t)floor(log1p(-u) / log1p(-1 / arrivals->mean));
    *at = arrivals->cycle * TIME_NS;
    const uint32_t row = (uint32_t)number % ROWS;
    return dram_rig_request(source, TRANSACTION_READ, dram_rig_address(arrivals->rig, 0, row, 0),
                            32);
}

typedef struct {
    uint64_t seen;
    Time sum;
} Latencies;

static bool add_latency(Unit *sink, Message *message, Time now, void *user)
{
    (void)sink;
    Latencies *latencies = user;
    if (++latencies->seen > WARM_UP)
        latencies->sum += now - ((const Transaction *)message)->entered;
    return false;
}

static double longest(double a, double b, double c)
{
    return fmax(fmax(a, b), c);
}

/* How long a read keeps the bank: row 3 of the closed forms. */
static double service(const DramTiming *t)
{
    return longest((double)t->tRC, (double)(t->tRAS + t->tRP),
                   (double)(t->tRCDRD + t->tRTP + t->tRP));
}

static const double loads[] = {0.12, 0.24, 0.48, 0.72, 0.84};

/* Geo/D/1: W = load x (D - 1) / (2 (1 - load)), which is M/D/1's load x D / (2 (1 - load)) when a
 * cycle is short. A read that waits finds the row of the one before open and its own activate D
 * after that one's; a read that does not wait pays the whole conflict, of which the precharge
 * overlaps with nothing: the base is tRP + tRCD + CL + tB, and D runs from activate to activate. */
START_TEST(row_11_random_arrivals_wait_at_one_bank_as_M_D_1_says)
{
    const NamedTiming named = named_timing(_i % TIMINGS);
    const DramTiming *t = &named.timing;
    const double load = loads[_i / TIMINGS], D = service(t);
    g_autoptr(DramRig) rig =
        dram_rig_new(*t, "policy = fifo; read_entries = 4096; read_ways = 512");
    Arrivals arrivals = {rig, g_rand_new_with_seed((guint32)_i + 1), D / load, 0};
    Latencies latencies = {0};
    harness_generate(rig->source, at_random, &arrivals);
    harness_forget(rig->sink);
    harness_watch(rig->sink, add_latency, &latencies);
    dram_rig_run(rig);
    g_rand_free(arrivals.random);
    const double wires = 2, burst = (double)t->burst_length / (double)t->data_rate;
    const double base = (double)(t->tRP + t->tRCDRD + t->CL) + burst;
    const double measured =
        (double)latencies.sum / (double)TIME_NS / (double)(latencies.seen - WARM_UP) - wires;
    const double formula = base + load * (D - 1) / (2 * (1 - load));
    if (g_getenv("CLOSED_FORMS_PRINT"))
        g_print("11 load %.2f, %s: measured %.2f, formula %.2f (%+.2f %%)\n", load, named.name,
                measured, formula, 100 * (measured / formula - 1));
    ck_assert_double_eq_tol(measured / formula, 1, 0.03);
}
END_TEST

/* --- row 12: Little's law, from two independent measurements --- */

static Message *stream(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    *at = 0;
    return number < ARRIVALS / 4 ? dram_rig_request(source, TRANSACTION_READ, number * 128, 128)
                                 : NULL;
}

/* A saturated stream keeps the store full: its entries = throughput x the stay in it. The stay is
 * what a read waits until it is decided. */
START_TEST(row_12_the_store_holds_throughput_times_stay)
{
    const NamedTiming named = named_timing(_i);
    const DramTiming *t = &named.timing;
    g_autoptr(DramRig) rig = dram_rig_new(*t, "read_entries = 64");
    harness_generate(rig->source, stream, NULL);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    const Level *level = unit_level(rig->scheduler, "reads_waiting");
    const double gap =
        longest((double)(t->burst_length / t->data_rate), (double)t->tCCD_S, (double)t->tCCD_L / 2);
    const double line = 4 * gap; /* cycles, row 1 */
    const double stay = (double)level->stay / (double)level->arrivals / (double)TIME_NS;
    ck_assert_uint_eq(level->integral, level->stay);
    if (g_getenv("CLOSED_FORMS_PRINT"))
        g_print("12 %s: %.2f lines wait, throughput x stay\n", named.name, stay / line);
    ck_assert_double_eq_tol(stay / line, 64, 64 * 0.03);
    ck_assert_uint_eq(level->maximum, 64);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("scheduler_forms");
    tcase_add_loop_test(cases, row_11_random_arrivals_wait_at_one_bank_as_M_D_1_says, 0,
                        TIMINGS * (int)G_N_ELEMENTS(loads));
    tcase_add_loop_test(cases, row_12_the_store_holds_throughput_times_stay, 0, TIMINGS);
    return harness_run_cases("scheduler_forms", cases);
}
