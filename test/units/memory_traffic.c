/* Requests of a list must be what the same requests of a scripted source are: two schedulers, each
 * with its channel, one behind the unit and one behind a source.
 *
 *     memory_traffic ──> scheduler ──> channel ──┐
 *           └────────────────────────────────────┘
 *     source ──────────> scheduler ──> channel ──> sink
 *
 * All paths take a cycle. A boundary's notice is 64 cycles: cycle 0 of a list is cycle 65. */
#include "units/access_scheduler/rig.h"

#include "kit/traffic/traffic.h"
#include "parts/address/address_map.h"
#include "rigs/unit_rig.h"

extern const UnitClass memory_traffic_class;

enum { FIRST = 65, REQUESTS = 600, LIST_MAX = 4096 };

typedef struct {
    DramRig *dram;
    Unit *traffic, *scheduler, *channel;
    AddressMap address_map;
    LaunchList *launches;
    LaunchRecord record[2];
    Kernel kernel;
    Traffic what;
    TrafficRequest request[LIST_MAX];
    Step step[LIST_MAX];
    uint32_t count;
} Rig;

static void free_nothing(G_GNUC_UNUSED Kernel *kernel)
{
}

static const KernelClass no_kernel = {.free = free_nothing};

static void connect_traffic(Rig *rig)
{
    Harness *h = rig->dram->harness;
    rig->traffic = harness_add(h, &memory_traffic_class, "memory_traffic", NULL);
    rig->scheduler = harness_add(h, &access_scheduler_class, "other", NULL);
    rig->channel = harness_add(h, &dram_channel_class, "channel", "verify = yes");
    unit_size_ports(rig->traffic, "to_schedulers", 1);
    unit_size_ports(rig->traffic, "from_dram", 1);
    harness_connect(h, rig->traffic, "to_schedulers", rig->scheduler, "from_l2",
                    (Path){.capacity = 64});
    harness_connect(h, rig->scheduler, "to_dram", rig->channel, "from_scheduler", (Path){0});
    harness_connect(h, rig->channel, "to_l2", rig->traffic, "from_dram", (Path){0});
}

static Rig *rig_new(DramRefresh refresh)
{
    Rig *rig = g_new0(Rig, 1);
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = refresh;
    rig->dram = dram_rig_new(timing, NULL);
    rig->address_map = (AddressMap){.granularity = 256};
    ck_assert(address_map_setup(&rig->address_map, 1, NULL));
    rig->what = (Traffic){.part = TRAFFIC_INTO_MEMORY, .bytes = 128, .load = 1};
    rig->kernel = (Kernel){.class = &no_kernel, .traffic = &rig->what};
    rig->launches = launch_list_new();
    const Launch launch = {.kernel = &rig->kernel, .measured = true};
    g_array_append_val(rig->launches->launches, launch);
    Simulation *simulation = rig->dram->harness->simulation;
    simulation_share(simulation, "launches", rig->launches);
    simulation_share(simulation, "record", rig->record);
    simulation_share(simulation, "address_map", &rig->address_map);
    connect_traffic(rig);
    simulation_set_boundary_delay(simulation, 64 * TIME_NS);
    return rig;
}

static void add(Rig *rig, uint64_t cycle, uint64_t address, bool write)
{
    ck_assert_uint_lt(rig->count, LIST_MAX);
    rig->request[rig->count] = (TrafficRequest){cycle, address, write};
    rig->step[rig->count++] = (Step){.at = FIRST + cycle,
                                     .type = write ? TRANSACTION_WRITE : TRANSACTION_READ,
                                     .address = address,
                                     .sectors = 15};
}

static void go(Rig *rig)
{
    rig->what.requests = rig->request;
    rig->what.request_count = rig->count;
    harness_script(rig->dram->source, rig->step, rig->count);
    dram_rig_run(rig->dram);
}

static void rig_free(Rig *rig)
{
    dram_rig_free(rig->dram);
    launch_list_free(rig->launches);
    g_free(rig);
}

static Time sum_of_latencies(const Rig *rig)
{
    Time sum = 0;
    for (uint32_t k = 0; k < rig->count; k++) {
        const Arrived *arrived = harness_arrival(rig->dram->sink, k);
        const Transaction *request = (const Transaction *)arrived->message;
        uint32_t n = 0; /* addresses differ */
        while (rig->step[n].address != request->line) n++;
        sum += arrived->at - rig->step[n].at * TIME_NS;
    }
    return sum;
}

static void assert_alike(const Rig *rig)
{
    static const char *const counts[] = {"reads",         "writes",      "row_hits", "row_misses",
                                         "row_conflicts", "turnarounds", "drains"};
    const Histogram *latency = unit_histogram(rig->traffic, "latency");
    ck_assert_uint_eq(harness_arrivals(rig->dram->sink), rig->count);
    ck_assert_uint_eq(latency->count, rig->count);
    ck_assert_uint_eq(latency->sum, sum_of_latencies(rig));
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
        ck_assert_uint_eq(unit_count(rig->scheduler, counts[i]),
                          unit_count(rig->dram->scheduler, counts[i]));
    ck_assert_uint_eq(unit_bytes(rig->traffic, "bytes_read"),
                      unit_bytes(rig->channel, "bytes_read")
                          + unit_bytes(rig->scheduler, "bytes_forwarded"));
    ck_assert_uint_eq(unit_bytes(rig->traffic, "bytes_written"),
                      unit_bytes(rig->channel, "bytes_written"));
    ck_assert_uint_eq(unit_count(rig->traffic, "carried_over"), 0);
    const StageSums *stages = unit_stages(rig->traffic, "stages_traffic");
    Time sum = 0;
    for (unsigned i = 0; i < STAGE_COUNT; i++) sum += stages->stage[i];
    ck_assert_uint_eq(sum, latency->sum);
    assert_little(rig->traffic, "under_way");
}

START_TEST(a_stream_is_the_streams_of_a_source)
{
    Rig *rig = rig_new(DRAM_REFRESH_PER_BANK);
    for (uint32_t k = 0; k < REQUESTS; k++) add(rig, 5 * k, 128 * k, false);
    go(rig);
    assert_alike(rig);
    rig_free(rig);
}
END_TEST

START_TEST(reads_and_writes_in_turns_are_those_of_a_source)
{
    Rig *rig = rig_new(DRAM_REFRESH_PER_BANK);
    for (uint32_t k = 0; k < REQUESTS; k++) add(rig, 4 * k, 128 * k, mix64(k) % 3 == 0);
    go(rig);
    assert_alike(rig);
    ck_assert_uint_gt(unit_count(rig->scheduler, "turnarounds"), 4);
    rig_free(rig);
}
END_TEST

/* All at once: a request waits for room at its source, and its latency counts from when it was due.
 * One bank, a row each: D from one to the next (row 3 of the closed forms), and the first has the
 * bank to itself. */
START_TEST(a_row_of_one_bank_each_takes_a_row_cycle)
{
    Rig *rig = rig_new(DRAM_REFRESH_OFF);
    const DramTiming *t = &rig->dram->timing;
    for (uint32_t row = 0; row < 200; row++)
        add(rig, 0, dram_rig_address(rig->dram, 0, row, 0), false);
    go(rig);
    assert_alike(rig);
    const uint64_t D = MAX(t->tRC, t->tRAS + t->tRP);
    const Time cycles = (rig->record->end - FIRST * TIME_NS) / TIME_NS;
    const Time alone = unit_histogram(rig->traffic, "latency")->minimum / TIME_NS;
    ck_assert_uint_eq(cycles, 199 * D + alone);
    rig_free(rig);
}
END_TEST

/* With one under way there is no queue: the time is the sum of the latencies. */
START_TEST(one_outstanding_request_waits_for_the_one_before)
{
    Rig *rig = rig_new(DRAM_REFRESH_PER_BANK);
    rig->what.outstanding = 1;
    for (uint32_t k = 0; k < 50; k++) add(rig, 0, 4096 * k, false);
    rig->what.requests = rig->request;
    rig->what.request_count = rig->count;
    dram_rig_run(rig->dram);
    const Level *under_way = unit_level(rig->traffic, "under_way");
    ck_assert_uint_eq(under_way->maximum, 1);
    ck_assert_uint_eq(under_way->integral, rig->record->end - FIRST * TIME_NS);
    rig_free(rig);
}
END_TEST

/* Of half the peak, whatever waits. */
START_TEST(a_walk_asks_for_its_share_of_the_peak)
{
    Rig *rig = rig_new(DRAM_REFRESH_PER_BANK);
    rig->what.load = 0.5;
    rig->what.warm_up = 200;
    rig->what.duration = 20000;
    rig->what.array_bytes = 1 << 20;
    rig->what.write_share = 0.25;
    dram_rig_run(rig->dram);
    const double lines = 0.5 * 20000 * (double)rig->dram->timing.channel_width
                         * (double)rig->dram->timing.data_rate / 128;
    ck_assert_double_eq_tol((double)unit_count(rig->traffic, "generated") / lines, 1, 0.03);
    ck_assert_double_eq_tol((double)unit_count(rig->traffic, "accepted") / lines, 1, 0.03);
    ck_assert_double_eq_tol((double)unit_count(rig->scheduler, "writes")
                                / (double)unit_count(rig->scheduler, "reads"),
                            1.0 / 3, 0.03);
    ck_assert_uint_eq(unit_count(rig->traffic, "source_cycles"), 20000);
    const uint64_t warm_up =
        unit_count(rig->traffic, "delivered") - unit_count(rig->traffic, "generated");
    ck_assert_uint_gt(unit_count(rig->traffic, "carried_over"), 0);
    ck_assert_uint_le(unit_count(rig->traffic, "carried_over"), warm_up);
    rig_free(rig);
}
END_TEST

/* The first sector of each line lies in half of the banks. */
START_TEST(random_requests_for_parts_of_lines_use_all_banks)
{
    Rig *rig = rig_new(DRAM_REFRESH_PER_BANK);
    rig->what.walk = WALK_RANDOM;
    rig->what.bytes = 32;
    rig->what.load = 0.2;
    rig->what.duration = 50000;
    rig->what.array_bytes = 1 << 20;
    dram_rig_run(rig->dram);
    const uint64_t bursts = unit_count(rig->channel, "reads"),
                   banks = rig->dram->timing.bank_groups * rig->dram->timing.banks_per_group;
    const BankCounts *counts = unit_statistic(rig->channel, "bank_accesses", STAT_BANKS);
    ck_assert_uint_eq(bursts, unit_count(rig->scheduler, "reads"));
    for (uint64_t bank = 0; bank < banks; bank++)
        ck_assert_double_eq_tol((double)(counts->bank[bank] * banks) / (double)bursts, 1, 0.3);
    rig_free(rig);
}
END_TEST

HARNESS_MAIN("memory_traffic", a_stream_is_the_streams_of_a_source,
             reads_and_writes_in_turns_are_those_of_a_source,
             a_row_of_one_bank_each_takes_a_row_cycle,
             one_outstanding_request_waits_for_the_one_before,
             a_walk_asks_for_its_share_of_the_peak,
             random_requests_for_parts_of_lines_use_all_banks)
