/* How many misses an SM takes: load/store unit and L1 as on a V100, in front of a cold TLB.
 *
 * accel-sim's l1_mshr benchmark on a TITAN V: 32 warps load at once, each from 32 lines 4 KiB
 * apart, all missing. 17 loads are accepted within 21 cycles, the next three after 44, 76 and 108,
 * a missed line a cycle; then none until 738. */
#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

extern const UnitClass load_store_class, l1_class;

enum { WARPS = 32, WALK = 726, DRAM = 430 };

typedef struct {
    Harness *harness;
    Unit *source, *load_store, *l1;
    LineShape line;
    AddressMap map;
    Frames pages;
    uint64_t accepted[WARPS + 1]; /* cycle */
} Rig;

/* Called for the next one when one has been accepted. */
static Message *make_load(Unit *source, uint64_t number, Time *at, void *user)
{
    Rig *rig = user;
    if (number) rig->accepted[number - 1] = source->inbox.now / source->clock->period;
    if (number == WARPS) return NULL;
    *at = number * source->clock->period;
    WarpAccess *access = unit_new(source, MESSAGE_WARP_ACCESS);
    const Instruction load = {.operation = OPERATION_LOAD,
                              .space = SPACE_GLOBAL,
                              .base = number * 32 * 4096,
                              .stride = 4096,
                              .mask = UINT32_MAX,
                              .width = 4,
                              .destination = 8,
                              .destination_count = 1};
    warp_access_begin(&source->messages, access, &load, *at);
    access->warp = (uint32_t)number;
    return &access->message;
}

static Rig *rig_run(const char *l1_settings)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *harness = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    rig->pages = (Frames){.page_bytes = 2 << 20};
    ck_assert(address_map_setup(&rig->map, 2, NULL));
    ck_assert(frames_setup(&rig->pages, UINT64_C(1) << 32, 1, NULL));
    simulation_share(harness->simulation, "l1_line", &rig->line);
    simulation_share(harness->simulation, "address_map", &rig->map);
    simulation_share(harness->simulation, "pages", &rig->pages);
    rig->source = harness_source(harness, "source");
    rig->load_store = harness_add(harness, &load_store_class, "load_store", NULL);
    g_autofree char *settings =
        g_strconcat("prt_entries = 512; replay_entries = 6; tlb_entries = 16; tlb_pending = 120; ",
                    l1_settings, NULL);
    rig->l1 = harness_add(harness, &l1_class, "l1", settings);
    Unit *sink = harness_sink(harness, "constants"), *registers = harness_sink(harness, "sm"),
         *values = harness_sink(harness, "shared");
    far_side_add(harness, rig->l1, "to_request_network", "from_reply_network", 0)->latency = DRAM;
    far_side_add(harness, rig->l1, "to_mmu", "from_mmu", 8)->latency = WALK;
    harness_connect(harness, rig->source, "out", rig->load_store, "from_sm", (Path){.capacity = 5});
    harness_connect(harness, rig->load_store, "to_l1", rig->l1, "from_load_store",
                    (Path){.capacity = 5, .delay = 4});
    harness_connect(harness, rig->load_store, "to_sm", sink, "in", (Path){.capacity = 0});
    harness_connect(harness, rig->l1, "to_sm", registers, "in", (Path){.capacity = 0});
    harness_connect(harness, rig->l1, "to_sm_shared", values, "in", (Path){.capacity = 0});
    harness_connect(harness, rig->l1, "to_sm_notices", harness_sink(harness, "notices"), "in",
                    (Path){.capacity = 0});
    harness_generate(rig->source, make_load, rig);
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

START_TEST(seventeen_loads_are_accepted_at_once_then_one_in_32_cycles_then_none)
{
    static const uint64_t measured[] = {44, 76, 108, 738};
    g_autoptr(Rig) rig = rig_run("");
    ck_assert_uint_le(rig->accepted[16], 21);
    ck_assert_uint_gt(rig->accepted[17], 30);
    for (guint i = 0; i < G_N_ELEMENTS(measured); i++) {
        const double error = (double)rig->accepted[17 + i] - (double)measured[i];
        ck_assert_msg(error > -12 && error < 12, "load %u at %" G_GUINT64_FORMAT ", not %u", 17 + i,
                      rig->accepted[17 + i], (unsigned)measured[i]);
    }
    for (guint i = 18; i < 20; i++) ck_assert_uint_eq(rig->accepted[i] - rig->accepted[i - 1], 32);
    ck_assert_uint_eq(unit_level(rig->l1, "translating")->maximum, 120);
}
END_TEST

START_TEST(a_small_pending_request_table_is_the_limit)
{
    g_autoptr(Rig) rig = rig_run("prt_entries = 64");
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->maximum, 64);
    ck_assert_uint_gt(rig->accepted[19], 400); /* two loads are under way; the rest waits */
}
END_TEST

HARNESS_MAIN("outstanding", seventeen_loads_are_accepted_at_once_then_one_in_32_cycles_then_none,
             a_small_pending_request_table_is_the_limit)
