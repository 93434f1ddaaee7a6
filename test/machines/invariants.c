/* What must be true of every drained run, from independent counters. */
#include <string.h>

#include "machines/drained_runs.h"
#include "rigs/harness.h"
#include "rigs/texture_kernel.h"

typedef struct {
    const char *settings;
    Machine *machine;
    RunReport report;
} Finished;

static Finished run(int number)
{
    Finished finished = {.settings = runs[number],
                         .machine =
                             texture_machine_new("simulation.timeline = 10000", runs[number])};
    finished.report = small_machine_run(finished.machine);
    ck_assert_int_eq(finished.report.outcome, RUN_FINISHED);
    return finished;
}

static uint64_t sum(const Finished *finished, const char *unit_class, const char *name)
{
    return small_machine_sum(finished->machine, unit_class, name);
}

/* Calls the check for each statistic of a type, of every unit. */
typedef void (*StatCheck)(const Unit *unit, const Stat *stat, const void *field);

static guint visit_stats(const Finished *finished, StatType type, StatCheck check)
{
    guint count = 0;
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        for (const Stat *stat = unit->class->stats; stat->name; stat++) {
            if (stat->type != type) continue;
            check(unit, stat, (const char *)unit + stat->offset);
            count++;
        }
    }
    return count;
}

static void expect_stages_add_up(const Unit *unit, const Stat *stat, const void *field)
{
    const StageSums *sums = field;
    Time total = 0;
    for (unsigned i = 0; i < STAGE_COUNT; i++) total += sums->stage[i];
    ck_assert_msg(total == sums->latency,
                  "%s.%s: latency %" G_GUINT64_FORMAT ", stages %" G_GUINT64_FORMAT, unit->path,
                  stat->name, sums->latency, total);
    ck_assert(sums->count || !sums->latency);
}

static void the_stages_of_each_request_class_add_up_to_its_latency(const Finished *finished)
{
    ck_assert_uint_ge(visit_stats(finished, STAT_STAGES, expect_stages_add_up), 18);
}

/* Each load, store and atomic that L1 took is in one class of the breakdown. */
static void every_request_is_in_one_class_of_the_breakdown(const Finished *finished)
{
    static const char *const loads[] = {"stages_load_l1_hit", "stages_load_merged",
                                        "stages_load_shared_l1", "stages_load_l2_hit",
                                        "stages_load_dram"};
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint u = 0; u < simulation_unit_count(simulation); u++) {
        const Unit *unit = simulation_unit(simulation, u);
        if (strcmp(unit->class->name, "l1") != 0) continue;
        uint64_t count = 0;
        for (guint i = 0; i < G_N_ELEMENTS(loads); i++)
            count += ((const StageSums *)small_machine_stat(unit->class, unit, loads[i]))->count;
        const StageSums *stores = small_machine_stat(unit->class, unit, "stages_store");
        const StageSums *atomics = small_machine_stat(unit->class, unit, "stages_atomic");
        /* the texture unit's are in its own classes */
        ck_assert_uint_eq(count, sum(finished, unit->path, "accesses")
                                     - sum(finished, unit->path, "texture_accesses"));
        ck_assert_uint_eq(stores->count,
                          small_machine_sum(finished->machine, unit->path, "writes"));
        ck_assert_uint_eq(atomics->count,
                          small_machine_sum(finished->machine, unit->path, "atomics"));
    }
}

static void expect_balance(const Finished *finished, const char *prefix, const char *of)
{
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        if (strcmp(unit->class->name, prefix) != 0) continue;
        const uint64_t replies = sum(finished, unit->path, "replies");
        ck_assert_uint_eq(replies, sum(finished, unit->path, of));
    }
}

/* The ROP's requests are looked up and no SM's; atomics go on to it. */
static uint64_t requests_at_l2(const Finished *finished)
{
    return sum(finished, "l2_slice", "accesses") - sum(finished, "l2_slice", "rop_requests")
           + sum(finished, "l2_slice", "atomics");
}

static void every_request_has_one_reply(const Finished *finished)
{
    expect_balance(finished, "l1", "requests");
    ck_assert_uint_eq(sum(finished, "l2_slice", "replies"), requests_at_l2(finished));
    const uint64_t requests = sum(finished, "l1", "requests");
    ck_assert_uint_gt(requests, 0);
    ck_assert_uint_eq(requests_at_l2(finished), requests);
    ck_assert_uint_eq(sum(finished, "crossbar[request]", "packets"), requests);
    ck_assert_uint_eq(sum(finished, "crossbar[reply]", "packets"), requests);
}

/* What leaves the one is what enters the other; packets have a header of 8 bytes besides. */
static void the_bytes_that_are_sent_are_the_bytes_that_arrive(const Finished *f)
{
    const uint64_t headers = 8 * sum(f, "l1", "requests");
    const uint64_t to_sms = sum(f, "l2_slice", "bytes_read");
    const uint64_t to_l2 = sum(f, "l1", "bytes_to_network");
    ck_assert_uint_eq(sum(f, "crossbar[reply]", "bytes"), to_sms + headers);
    ck_assert_uint_eq(sum(f, "crossbar[request]", "bytes"), to_l2 + headers);
    ck_assert_uint_eq(sum(f, "l1", "bytes_from_network"), to_sms);
    const bool atomics = sum(f, "l1", "atomics") > 0; /* and then nothing else */
    ck_assert_uint_eq(sum(f, "l2_slice", "bytes_written"), atomics ? 0 : to_l2);
    const bool reductions = strstr(f->settings, "reduce"); /* only acknowledged */
    if (atomics) ck_assert_uint_eq(to_sms, reductions ? 0 : to_l2);
    ck_assert_uint_eq(sum(f, "l1", "bytes_requested"), sum(f, "load_store", "requested_bytes"));
    ck_assert_uint_eq(sum(f, "l1", "bytes_requested"), sum(f, "sm", "requested_bytes"));
}

static void dram_moves_what_l2_fills_and_writes_back(const Finished *f)
{
    ck_assert_uint_eq(sum(f, "dram_channel", "bytes_read")
                          + sum(f, "access_scheduler", "bytes_forwarded"),
                      sum(f, "l2_slice", "bytes_filled"));
    ck_assert_uint_eq(sum(f, "dram_channel", "bytes_written"),
                      sum(f, "l2_slice", "bytes_written_back"));
    const uint64_t dirtied = sum(f, "l2_slice", "bytes_dirtied"),
                   written = sum(f, "l2_slice", "bytes_written_back");
    const uint64_t left = dirtied < written ? written - dirtied : dirtied - written;
    ck_assert_uint_le(left, UINT64_C(3) * 16 * 1024); /* L2's capacity */
    ck_assert_uint_eq(sum(f, "access_scheduler", "reads"), sum(f, "l2_slice", "fills"));
    ck_assert_uint_eq(sum(f, "access_scheduler", "writes"), sum(f, "l2_slice", "write_backs"));
    ck_assert_uint_eq(sum(f, "l2_slice", "fills"), sum(f, "l2_slice", "misses"));
}

/* Stores of parts of sectors, where L2 lets them pass. */
static uint64_t past_the_cache(const Finished *finished, const char *cache)
{
    return strcmp(cache, "l2_slice") != 0 ? 0 : sum(finished, cache, "bypassed");
}

static void every_access_hits_misses_or_is_merged(const Finished *f)
{
    static const char *const caches[] = {"l1", "l2_slice"};
    /* the ROP does the slice's atomics, and looks up what it needs for them */
    const uint64_t looked_up[] = {sum(f, "l1", "accesses"), sum(f, "l2_slice", "accesses")};
    for (guint i = 0; i < G_N_ELEMENTS(caches); i++)
        ck_assert_uint_eq(looked_up[i], sum(f, caches[i], "hits") + sum(f, caches[i], "misses")
                                            + sum(f, caches[i], "merged")
                                            + past_the_cache(f, caches[i]));
    ck_assert_uint_eq(sum(f, "rop", "requests"),
                      sum(f, "rop", "hits") + sum(f, "rop", "misses") + sum(f, "rop", "merged"));
    ck_assert_uint_eq(sum(f, "rop", "requests"), sum(f, "l2_slice", "atomics"));
    ck_assert_uint_eq(sum(f, "l2_slice", "accesses"), sum(f, "l2_slice", "reads")
                                                          + sum(f, "l2_slice", "writes")
                                                          + sum(f, "l2_slice", "rop_requests"));
    ck_assert_uint_le(sum(f, "l2_slice", "load_hits"), sum(f, "l2_slice", "reads"));
    ck_assert_uint_le(sum(f, "l2_slice", "atomic_hits"), sum(f, "l2_slice", "rop_requests"));
    ck_assert_uint_eq(sum(f, "l1", "accesses") + sum(f, "l1", "writes") + sum(f, "l1", "atomics"),
                      sum(f, "load_store", "transactions") + sum(f, "l1", "texture_accesses"));
}

/* Instructions, lines and requests of the texture unit, as its neighbours count them. */
static void the_texture_unit_and_its_neighbours_agree(const Finished *f)
{
    const uint64_t instructions = sum(f, "sm", "texture_instructions");
    ck_assert_uint_eq(sum(f, "texture", "instructions"), instructions);
    ck_assert(!!instructions == !strstr(f->settings, "workload."));
    ck_assert_uint_eq(sum(f, "texture", "requests"), sum(f, "l1", "texture_requests"));
    ck_assert_uint_eq(sum(f, "texture", "replies"), sum(f, "texture", "requests"));
    ck_assert_uint_eq(sum(f, "l1", "texture_replies"), sum(f, "l1", "texture_requests"));
    ck_assert_uint_eq(sum(f, "texture", "requests"), sum(f, "texture", "misses"));
    ck_assert_uint_eq(sum(f, "texture", "l1_reads"), sum(f, "texture", "l1_replies"));
    const bool own = sum(f, "texture", "requests") > 0;
    ck_assert(own || !instructions || sum(f, "texture", "l1_reads") > 0);
    ck_assert_uint_eq(sum(f, "texture", "lines"),
                      own ? sum(f, "texture", "hits") + sum(f, "texture", "misses")
                          : sum(f, "l1", "texture_accesses"));
    ck_assert_uint_eq(sum(f, "l1", "texture_accesses"), sum(f, "l1", "texture_hits")
                                                            + sum(f, "l1", "texture_misses")
                                                            + sum(f, "l1", "texture_merged"));
    ck_assert_uint_eq(sum(f, "texture", "lines"), sum(f, "texture", "lines_level_0")
                                                      + sum(f, "texture", "lines_level_1")
                                                      + sum(f, "texture", "lines_level_2")
                                                      + sum(f, "texture", "lines_level_3"));
}

static void every_fragment_is_in_one_class_of_the_breakdown(const Finished *finished)
{
    static const char *const classes[] = {"stages_texture_hit", "stages_texture_merged",
                                          "stages_texture_shared_l1", "stages_texture_l2_hit",
                                          "stages_texture_dram"};
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint u = 0; u < simulation_unit_count(simulation); u++) {
        const Unit *unit = simulation_unit(simulation, u);
        if (strcmp(unit->class->name, "texture") != 0) continue;
        uint64_t count = 0;
        for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
            count += ((const StageSums *)small_machine_stat(unit->class, unit, classes[i]))->count;
        ck_assert_uint_eq(count, sum(finished, unit->path, "fragments"));
    }
}

/* Of the MMU; and what is not translated by an L1 TLB waits for one. */
static void every_translation_that_is_asked_for_is_answered(const Finished *f)
{
    const uint64_t asked = sum(f, "l1", "tlb_misses");
    ck_assert_uint_eq(sum(f, "mmu", "requests"), asked);
    ck_assert_uint_eq(sum(f, "mmu", "replies"), asked);
    ck_assert_uint_eq(sum(f, "mmu", "hits") + sum(f, "mmu", "misses") + sum(f, "mmu", "merged"),
                      asked);
    ck_assert_uint_eq(sum(f, "mmu", "walks"), sum(f, "mmu", "misses"));
    const uint64_t translated = asked + sum(f, "l1", "tlb_hits") + sum(f, "l1", "tlb_merged");
    ck_assert_uint_eq(translated, translated ? sum(f, "l1", "requests") : 0);
}

/* The SM counts how many warps there are and not how long each stays. */
static bool has_stays(const Unit *unit)
{
    return strcmp(unit->class->name, "sm") != 0;
}

static void expect_drained(const Unit *unit, const Stat *stat, const void *field)
{
    const Level *level = field;
    ck_assert_msg(!level->now, "%s.%s: %" G_GUINT64_FORMAT " left", unit->path, stat->name,
                  level->now);
    ck_assert_msg(!level->integral == !level->arrivals || !level->stay, "%s.%s", unit->path,
                  stat->name);
}

/* Occupancy x time on the left, arrivals x time of stay on the right: exactly, in femtoseconds. */
static void expect_littles_law(const Unit *unit, const Stat *stat, const void *field)
{
    const Level *level = field;
    if (!has_stays(unit)) return;
    ck_assert_msg(level->integral == level->stay,
                  "%s.%s: integral %" G_GUINT64_FORMAT ", stays %" G_GUINT64_FORMAT, unit->path,
                  stat->name, level->integral, level->stay);
}

static void littles_law_holds_exactly_at_every_queue(const Finished *finished)
{
    ck_assert_uint_ge(visit_stats(finished, STAT_LEVEL, expect_littles_law), 30);
}

static void nothing_is_in_flight_at_the_end(const Finished *finished)
{
    visit_stats(finished, STAT_LEVEL, expect_drained);
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        ck_assert(!inbox_expects(&unit->inbox));
        for (uint32_t k = 0; k < unit->port_count; k++) ck_assert_uint_eq(unit->ports[k]->count, 0);
    }
}

/* Each level's arrivals are counted elsewhere too. */
static void arrivals_at_a_queue_are_those_that_were_sent_to_it(const Finished *finished)
{
    static const struct {
        const char *unit, *level, *counter;
    } rows[] = {{"l1", "prt", "misses"},
                {"l2_slice", "queue", "replies"},
                {"l2_slice", "pending", "misses"},
                {"l2_slice", "write_backs_outstanding", "write_backs"},
                {"rop", "operating", "requests"},
                {"crossbar", "queued", "packets"},
                {"access_scheduler", "reads_waiting", "reads"},
                {"access_scheduler", "writes_waiting", "writes"},
                {"texture", "queue", "instructions"},
                {"texture", "fragment_room", "fragments"},
                {"texture", "reorder_room", "requests"},
                {"l1", "texture_queue", "texture_requests"},
                {"cta_dispatcher", "running", "ctas"}};
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        for (guint r = 0; r < G_N_ELEMENTS(rows); r++) {
            if (strcmp(rows[r].unit, unit->class->name) != 0) continue;
            const Level *level = small_machine_stat(unit->class, unit, rows[r].level);
            const bool fetches = !strcmp(rows[r].level, "prt");
            const uint64_t stores = fetches ? sum(finished, unit->path, "store_fetches") : 0;
            ck_assert_uint_eq(level->arrivals, sum(finished, unit->path, rows[r].counter) + stores);
        }
    }
}

/* Schedulers x time, to the femtosecond; without what is no kernel's, x the kernels' time. */
static void every_slot_of_a_scheduler_is_counted_once(const Finished *finished)
{
    const Simulation *simulation = machine_simulation(finished->machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        uint64_t counted = 0, outside = 0, schedulers = 0;
        for (const Stat *stat = unit->class->stats; stat && stat->name; stat++) {
            if (stat->slot.of) counted += sum(finished, unit->path, stat->name);
            if (stat->slots == SLOTS_OUTSIDE) outside += sum(finished, unit->path, stat->name);
        }
        const MeterList *meters = unit_meters(unit);
        for (uint32_t m = 0; m < meters->count; m++)
            schedulers += strcmp(meters->at[m].name, "issue_slots") == 0;
        ck_assert_uint_eq(counted, counted ? schedulers * meters->length : 0);
        ck_assert_uint_eq(counted - outside,
                          counted ? schedulers * machine_measured_span(finished->machine, NULL)
                                  : 0);
    }
}

START_TEST(a_drained_run_keeps_its_books)
{
    static void (*const invariants[])(const Finished *) = {
        the_stages_of_each_request_class_add_up_to_its_latency,
        every_request_is_in_one_class_of_the_breakdown,
        every_request_has_one_reply,
        the_bytes_that_are_sent_are_the_bytes_that_arrive,
        dram_moves_what_l2_fills_and_writes_back,
        every_access_hits_misses_or_is_merged,
        the_texture_unit_and_its_neighbours_agree,
        every_fragment_is_in_one_class_of_the_breakdown,
        every_translation_that_is_asked_for_is_answered,
        littles_law_holds_exactly_at_every_queue,
        nothing_is_in_flight_at_the_end,
        arrivals_at_a_queue_are_those_that_were_sent_to_it,
        every_slot_of_a_scheduler_is_counted_once,
    };
    const Finished finished = run(_i);
    for (guint i = 0; i < G_N_ELEMENTS(invariants); i++) invariants[i](&finished);
    machine_free(finished.machine);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("invariants");
    tcase_add_loop_test(cases, a_drained_run_keeps_its_books, 0, G_N_ELEMENTS(runs));
    Suite *suite = suite_create("invariants");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
