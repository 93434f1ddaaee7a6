/* What was worked out once and kept is what would be worked out now: outlooks, row plans, and how
 * early an access can be at best. */
#include "rigs/harness.h"

#include "parts/dram/state.h"

static const DramTiming base = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 8,
                                .rows = 64,
                                .row_bytes = 512,
                                .interleaved_groups = 2,
                                .group_interleave = 64,
                                .row_bus_sharers = 2,
                                .command_buses = 2,
                                .activate_cycles = 2,
                                .precharge_cycles = 1,
                                .CL = 12,
                                .CWL = 2,
                                .tRCDRD = 12,
                                .tRCDWR = 12,
                                .tRP = 6,
                                .tRAS = 14,
                                .tRC = 20,
                                .tRRD_S = 3,
                                .tRRD_L = 4,
                                .tCCD_S = 2,
                                .tCCD_L = 4,
                                .tWTR_S = 6,
                                .tWTR_L = 8,
                                .tRTP = 3,
                                .tWR = 10,
                                .tRFC = 60,
                                .tRFCpb = 20,
                                .tREFI = 900,
                                .tREFIpb = 110};

enum { LINES = 256, AHEAD = 200 };

/* What is kept of an access that could be the next one of its bank set. */
typedef struct {
    DramAccess access;
    uint64_t not_before, until;
    uint64_t changes; /* that the channel had when the rest was worked out */
    uint64_t estimate, estimate_holds;
    uint64_t earliest, earliest_holds;
} Kept;

typedef struct {
    DramState state;
    DramOutlook outlook[2];
    Kept kept[LINES];
    GRand *random;
    uint64_t bounds, bounds_that_matter, held;
    uint64_t turns[DRAM_TURN_UNKNOWN + 1];
} Rig;

static void set_up(Rig *rig, const DramTiming *timing)
{
    DramMap map;
    dram_map_setup(&map, timing);
    dram_state_init(&rig->state, timing, AHEAD);
    for (uint64_t i = 0; i < LINES; i++) {
        Kept *kept = &rig->kept[i];
        *kept = (Kept){.access = {.write = i % 5 == 0}};
        const uint32_t sectors = i % 3 ? 0xf : 0x3;
        dram_map_access(&map, (uint64_t)g_rand_int_range(rig->random, 0, 512) * 512, sectors,
                        &kept->access);
    }
}

/* A fresh outlook, and a row plan that nobody has made before. */
static void expect_as_if_new(Rig *rig, const Kept *kept)
{
    const bool write = kept->access.write;
    DramOutlook fresh = {0};
    dram_state_look(&rig->state, write, 0, &rig->outlook[write]);
    const uint64_t found =
        dram_state_estimate(&rig->state, &kept->access, &rig->outlook[write], UINT64_MAX);
    const uint64_t earliest = dram_state_earliest(&rig->state, &kept->access, 0);
    memset(rig->state.planned, 0, sizeof rig->state.planned);
    dram_state_look(&rig->state, write, 0, &fresh);
    ck_assert_uint_eq(found, dram_state_estimate(&rig->state, &kept->access, &fresh, UINT64_MAX));
    ck_assert_uint_eq(earliest, dram_state_earliest(&rig->state, &kept->access, 0));
    ck_assert_uint_le(found, earliest);
}

/* Who goes first of all is known without an estimate. */
static void expect_turn(Rig *rig, const DramAccess *access)
{
    DramOutlook *outlook = &rig->outlook[access->write];
    dram_state_look(&rig->state, access->write, 0, outlook);
    const uint64_t first = outlook->first_column;
    const DramTurn turn = dram_state_turn(&rig->state, access, outlook);
    const uint64_t at = dram_state_estimate(&rig->state, access, outlook, UINT64_MAX);
    if (turn == DRAM_GOES_FIRST) ck_assert(at == first && outlook->certain);
    if (turn == DRAM_GOES_LATER) ck_assert_uint_gt(at, first);
    rig->turns[turn]++;
}

static void expect_bound(Rig *rig, Kept *kept)
{
    DramOutlook *outlook = &rig->outlook[kept->access.write];
    dram_state_look(&rig->state, kept->access.write, 0, outlook);
    const uint64_t at = dram_state_estimate(&rig->state, &kept->access, outlook, UINT64_MAX);
    if (rig->state.now < kept->until) {
        ck_assert_uint_ge(at, kept->not_before);
        rig->bounds++;
        rig->bounds_that_matter += kept->not_before > outlook->first_column;
    }
    ck_assert_uint_le(outlook->not_before, at);
    kept->not_before = outlook->not_before;
    kept->until = outlook->until;
}

static void expect_what_holds(Rig *rig, Kept *kept)
{
    const bool write = kept->access.write;
    DramOutlook *outlook = &rig->outlook[write];
    dram_state_look(&rig->state, write, 0, outlook);
    const uint64_t estimate = dram_state_estimate(&rig->state, &kept->access, outlook, UINT64_MAX);
    const uint64_t holds = outlook->holds;
    const uint64_t earliest = dram_state_earliest(&rig->state, &kept->access, 0);
    const bool unchanged = rig->state.changes == kept->changes;
    if (unchanged && rig->state.now <= kept->estimate_holds)
        ck_assert_uint_eq(estimate, kept->estimate);
    if (unchanged && rig->state.now <= kept->earliest_holds)
        ck_assert_uint_eq(earliest, kept->earliest);
    rig->held += unchanged && rig->state.now <= MIN(kept->estimate_holds, kept->earliest_holds);
    kept->changes = rig->state.changes;
    kept->estimate = estimate;
    kept->estimate_holds = holds;
    kept->earliest = earliest;
    kept->earliest_holds = rig->state.holds;
}

static void forget_bank_set(Rig *rig, uint32_t bank_set)
{
    for (uint32_t i = 0; i < LINES; i++)
        if (rig->kept[i].access.bank_set == bank_set) rig->kept[i].until = 0;
}

static void book(Rig *rig, const DramAccess *access)
{
    DramSteps steps;
    DramBooking booking = {.steps = &steps};
    dram_state_book(&rig->state, access, 0, &booking);
    forget_bank_set(rig, access->bank_set);
}

static void run(const DramTiming *timing, GRand *random)
{
    Rig *rig = g_new0(Rig, 1);
    rig->random = random;
    set_up(rig, timing);
    for (uint64_t n = 0, now = 0; n < 200; n++) {
        if (g_rand_int_range(random, 0, 3) == 0)
            dram_state_advance(&rig->state, now += (uint64_t)g_rand_int_range(random, 1, 8));
        for (int i = 0; i < LINES; i++) {
            expect_turn(rig, &rig->kept[i].access);
            expect_as_if_new(rig, &rig->kept[i]);
            expect_bound(rig, &rig->kept[i]);
            expect_what_holds(rig, &rig->kept[i]);
        }
        const DramAccess *access = &rig->kept[g_rand_int_range(random, 0, LINES)].access;
        if (n % 6) continue; /* else columns alone would decide */
        if (dram_state_earliest(&rig->state, access, 0) <= now + AHEAD) book(rig, access);
    }
    ck_assert_uint_gt(rig->bounds, 500);
    ck_assert_uint_gt(rig->bounds_that_matter, 50);
    ck_assert_uint_gt(rig->held, 500);
    for (int i = 0; i <= DRAM_TURN_UNKNOWN; i++) ck_assert_uint_gt(rig->turns[i], 50);
    dram_state_finish(&rig->state);
    g_free(rig);
}

START_TEST(what_is_kept_is_true)
{
    static const DramRefresh refresh[] = {DRAM_REFRESH_OFF, DRAM_REFRESH_PER_BANK,
                                          DRAM_REFRESH_ALL_BANK};
    g_autoptr(GRand) random = g_rand_new_with_seed(17);
    for (int i = 0; i < 6; i++) {
        DramTiming timing = base;
        timing.refresh = refresh[i % 3];
        timing.row_bus_sharers = i % 2 ? 4 : 1;
        ck_assert(dram_timing_setup(&timing, NULL));
        ck_assert(timing.row_bus_tight == (i % 2 == 1));
        run(&timing, random);
    }
}
END_TEST

HARNESS_MAIN("dram_outlook", what_is_kept_is_true)
