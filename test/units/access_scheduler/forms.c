/* Queueing formulas of the memory access scheduler and its channel: the waiting time at one bank,
 * and Little's law. Every command of every run passes the checker. Every part of platform/dram is
 * tried. */
#include <math.h>

#include "parts.h"
#include "rigs/unit_rig.h"

/* --- row 11: random arrivals at one bank, a new row each time --- */

enum { ARRIVALS = 5000, WARM_UP = 500, ROWS = 512, LINES = 4000 };

typedef struct {
    const DramRig *rig;
    GRand *random;
    double mean; /* cycles from arrival to arrival; at most one a cycle */
    uint64_t cycle;
} Arrivals;

/* Geometric distances are a Bernoulli trial each cycle. */
static uint64_t next_distance(Arrivals *arrivals)
{
    const double u = g_rand_double(arrivals->random);
    return 1 + (uint64_t)floor(log1p(-u) / log1p(-1 / arrivals->mean));
}

static Message *at_random(Unit *source, uint64_t number, Time *at, void *user)
{
    Arrivals *arrivals = user;
    if (number >= ARRIVALS) return NULL;
    arrivals->cycle += next_distance(arrivals);
    *at = arrivals->cycle * TIME_NS;
    const uint32_t row = (uint32_t)number % ROWS;
    return dram_rig_request(source, TRANSACTION_READ, dram_rig_address(arrivals->rig, 0, row, 0),
                            32);
}

/* Mean waiting time of the same arrivals at a server that takes D (Lindley's recursion). */
static double wait_of_queue(guint32 seed, double mean, double D, uint64_t count, uint64_t warm_up)
{
    Arrivals arrivals = {.random = g_rand_new_with_seed(seed), .mean = mean};
    double wait = 0, sum = 0;
    next_distance(&arrivals); /* to the first */
    for (uint64_t i = 1; i < count; i++) {
        wait = fmax(0, wait + D - (double)next_distance(&arrivals));
        if (i >= warm_up) sum += wait;
    }
    g_rand_free(arrivals.random);
    return sum / (double)(count - warm_up);
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

static double formula_of_wait(double load, double D)
{
    return load * (D - 1) / (2 * (1 - load));
}

/* Geo/D/1: W = load x (D - 1) / (2 (1 - load)), which is M/D/1's load x D / (2 (1 - load)) when a
 * cycle is short. */
START_TEST(row_11_a_queue_with_such_arrivals_waits_as_the_formula_says)
{
    const double load = loads[_i], D = 48;
    const double wait = wait_of_queue(1, D / load, D, 4000000, 1000);
    ck_assert_double_eq_tol(wait / formula_of_wait(load, D), 1, 0.01);
}
END_TEST

/* A read that waits finds the row of the one before open and its own activate D after that one's;
 * one that does not wait pays the whole conflict, of which the precharge overlaps with nothing: the
 * base is tRP + tRCD + CL + tB, and D runs from activate to activate.
 *
 * So few arrivals wait longer or shorter than the mean by chance. What a queue with these very
 * arrivals waits too long is taken off; that has mean zero. */
START_TEST(row_11_random_arrivals_wait_at_one_bank_as_M_D_1_says)
{
    const int parts = count_parts();
    const Part p = part_without_refresh(_i % parts);
    const DramTiming *t = &p.timing;
    const double load = loads[_i / parts], D = service(t);
    const guint32 seed = (guint32)_i + 1;
    g_autoptr(DramRig) rig =
        dram_rig_new(*t, "policy = fifo; read_entries = 4096; read_ways = 512");
    Arrivals arrivals = {rig, g_rand_new_with_seed(seed), D / load, 0};
    Latencies latencies = {0};
    harness_generate(rig->source, at_random, &arrivals);
    harness_forget(rig->sink);
    harness_watch(rig->sink, add_latency, &latencies);
    dram_rig_run(rig);
    g_rand_free(arrivals.random);
    const double wires = 2, wait = formula_of_wait(load, D);
    const double chance = wait_of_queue(seed, D / load, D, ARRIVALS, WARM_UP) - wait;
    const double measured =
        (double)latencies.sum / (double)TIME_NS / (double)(latencies.seen - WARM_UP) - wires;
    const double formula = (double)(t->tRP + t->tRCDRD + t->CL) + p.burst + wait;
    if (g_getenv("CLOSED_FORMS_PRINT"))
        g_print("11 load %.2f, %s: measured %.2f, of this chance %.2f, formula %.2f (%+.2f %%)\n",
                load, p.name, measured, chance, formula, 100 * ((measured - chance) / formula - 1));
    ck_assert_uint_eq(latencies.seen, ARRIVALS);
    ck_assert_msg(fabs((measured - chance) / formula - 1) < 0.005, "%s, load %.2f: %.2f, not %.2f",
                  p.name, load, measured - chance, formula);
}
END_TEST

/* --- row 12: Little's law, from two independent measurements --- */

static Message *stream(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    *at = 0;
    return number < LINES ? dram_rig_request(source, TRANSACTION_READ, number * 128, 128) : NULL;
}

/* A saturated stream keeps the store full: its entries = throughput x the stay in it. The stay is
 * what a read waits until it is decided. */
START_TEST(row_12_the_store_holds_throughput_times_stay)
{
    const Part p = part_without_refresh(_i);
    g_autoptr(DramRig) rig = dram_rig_new(p.timing, "read_entries = 64");
    harness_generate(rig->source, stream, NULL);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    const Level *level = unit_level(rig->scheduler, "reads_waiting");
    const double line = p.gap * 128 / (double)bytes_of_burst(&p.timing); /* cycles, row 1 */
    const double stay = (double)level->stay / (double)level->arrivals / (double)TIME_NS;
    ck_assert_uint_eq(level->integral, level->stay);
    if (g_getenv("CLOSED_FORMS_PRINT"))
        g_print("12 %s: %.2f lines wait, throughput x stay\n", p.name, stay / line);
    ck_assert_double_eq_tol(stay / line, 64, 64 * 0.03);
    ck_assert_uint_eq(level->maximum, 64);
}
END_TEST

int main(void)
{
    const int parts = count_parts(), points = (int)G_N_ELEMENTS(loads);
    TCase *cases = tcase_create("scheduler_forms");
    tcase_add_loop_test(cases, row_11_a_queue_with_such_arrivals_waits_as_the_formula_says, 0,
                        points);
    tcase_add_loop_test(cases, row_11_random_arrivals_wait_at_one_bank_as_M_D_1_says, 0,
                        parts * points);
    tcase_add_loop_test(cases, row_12_the_store_holds_throughput_times_stay, 0, parts);
    return harness_run_cases("scheduler_forms", cases);
}
