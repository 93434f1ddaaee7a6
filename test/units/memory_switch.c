/* A memory switch between scripted sources, in place of slices or of DRAM channels, and sinks in
 * place of schedulers or slices. All paths take a cycle. */
#include "rigs/harness.h"
#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"

extern const UnitClass memory_switch_class;

enum { ENDS_MAX = 4 };

typedef struct {
    Harness *harness;
    AddressMap map;
    Unit *unit, *slice[ENDS_MAX], *scheduler[ENDS_MAX], *channel[ENDS_MAX], *receiver[ENDS_MAX];
} Rig;

static Unit *numbered(Unit *(*add)(Harness *, const char *), Harness *harness, const char *what,
                      uint32_t i)
{
    g_autofree char *path = g_strdup_printf("%s%u", what, i);
    return add(harness, path);
}

/* `room` in front of each scheduler. */
static Rig *rig_new(const char *settings, uint64_t slices, uint64_t channels, uint32_t room)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->map = (AddressMap){.granularity = 256, .slices_here = slices, .channels_here = channels};
    ck_assert(address_map_setup(&rig->map, slices, NULL));
    simulation_share(h->simulation, "address_map", &rig->map);
    rig->unit = harness_add(h, &memory_switch_class, "memory_switch", settings);
    unit_size_ports(rig->unit, "from_slices", (uint32_t)slices);
    unit_size_ports(rig->unit, "to_slices", (uint32_t)slices);
    unit_size_ports(rig->unit, "from_dram", (uint32_t)channels);
    unit_size_ports(rig->unit, "to_schedulers", (uint32_t)channels);
    for (uint32_t i = 0; i < slices; i++) {
        rig->slice[i] = numbered(harness_source, h, "slice", i);
        rig->receiver[i] = numbered(harness_sink, h, "receiver", i);
        harness_connect(h, rig->slice[i], "out", rig->unit, "from_slices",
                        (Path){.capacity = 16, .input_index = i});
        harness_connect(h, rig->unit, "to_slices", rig->receiver[i], "in",
                        (Path){.output_index = i});
    }
    for (uint32_t i = 0; i < channels; i++) {
        rig->channel[i] = numbered(harness_source, h, "channel", i);
        rig->scheduler[i] = numbered(harness_sink, h, "scheduler", i);
        harness_connect(h, rig->channel[i], "out", rig->unit, "from_dram",
                        (Path){.input_index = i});
        harness_connect(h, rig->unit, "to_schedulers", rig->scheduler[i], "in",
                        (Path){.capacity = room, .output_index = i});
    }
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* Chunks of 256 B go to the two channels in turns: 0, 2 and 4 are the first one's 0, 1 and 2. */
START_TEST(a_slice_feeds_its_channels_in_turns)
{
    static const Step steps[] = {{.at = 1, .address = 0, .sectors = 15},
                                 {.at = 1, .address = 256, .sectors = 15},
                                 {.at = 1, .address = 512, .sectors = 15},
                                 {.at = 1, .address = 1024 + 128, .sectors = 15}};
    g_autoptr(Rig) rig = rig_new(NULL, 1, 2, 16);
    harness_script(rig->slice[0], steps, G_N_ELEMENTS(steps));
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->scheduler[0]), 3);
    ck_assert_uint_eq(harness_arrivals(rig->scheduler[1]), 1);
    ck_assert_uint_eq(harness_transaction(rig->scheduler[0], 1)->local, 256);
    ck_assert_uint_eq(harness_transaction(rig->scheduler[0], 2)->local, 512 + 128);
    ck_assert_uint_eq(harness_transaction(rig->scheduler[1], 0)->local, 0);
    /* 1 down, 1 on; an output takes one a cycle */
    ck_assert_uint_eq(harness_arrival(rig->scheduler[0], 0)->cycle, 3);
    ck_assert_uint_eq(harness_arrival(rig->scheduler[0], 2)->cycle, 5);
    ck_assert_uint_eq(harness_arrival(rig->scheduler[1], 0)->cycle, 3);
    ck_assert_uint_eq(unit_count(rig->unit, "requests"), 4);
    ck_assert_uint_eq(unit_count(rig->unit, "waited"), 2);
}
END_TEST

/* Two slices, three requests each at once; an output takes one a cycle, or two. */
START_TEST(slices_that_share_a_channel_have_turns)
{
    static const Step steps[] = {{.at = 1, .address = 0, .sectors = 15},
                                 {.at = 1, .address = 128, .sectors = 15},
                                 {.at = 1, .address = 256, .sectors = 15}};
    static const uint64_t local[] = {0, 256, 128, 256 + 128, 512, 512 + 256};
    static const char *const settings[] = {NULL, "requests_per_cycle = 2"};
    for (guint k = 0; k < G_N_ELEMENTS(settings); k++) {
        g_autoptr(Rig) rig = rig_new(settings[k], 2, 1, 16);
        for (uint32_t i = 0; i < 2; i++) harness_script(rig->slice[i], steps, G_N_ELEMENTS(steps));
        ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
        ck_assert_uint_eq(harness_arrivals(rig->scheduler[0]), G_N_ELEMENTS(local));
        for (guint i = 0; i < G_N_ELEMENTS(local); i++) {
            ck_assert_uint_eq(harness_transaction(rig->scheduler[0], i)->local, local[i]);
            ck_assert_uint_eq(harness_arrival(rig->scheduler[0], i)->cycle, 3 + i / (k + 1));
        }
        ck_assert_uint_eq(unit_booked(rig->unit, "outputs"), G_N_ELEMENTS(local));
    }
}
END_TEST

/* The first channel takes nothing until 100; its second request waits in the switch. */
START_TEST(a_full_scheduler_holds_up_nobody_of_another_channel)
{
    static const Step steps[] = {{.at = 1, .address = 0, .sectors = 15},
                                 {.at = 1, .address = 512, .sectors = 15},
                                 {.at = 1, .address = 256, .sectors = 15}};
    g_autoptr(Rig) rig = rig_new(NULL, 1, 2, 1);
    harness_withhold(rig->scheduler[0], 100);
    harness_script(rig->slice[0], steps, G_N_ELEMENTS(steps));
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrival(rig->scheduler[1], 0)->cycle, 3);
    const Transaction *held = harness_transaction(rig->scheduler[0], 1);
    ck_assert_uint_gt(harness_arrival(rig->scheduler[0], 1)->cycle, 100);
    ck_assert_uint_eq(unit_count(rig->unit, "refused_scheduler"), 1);
    g_autofree char *stages =
        harness_stages(held, harness_arrival(rig->scheduler[0], 1)->at, rig->harness->clock);
    ck_assert_msg(strstr(stages, "l2_miss_queue 9") != NULL, "%s", stages);
}
END_TEST

/* Addresses in a channel shared by two slices: chunks 0 and 2 are the first slice's 0 and 1. */
START_TEST(what_comes_back_finds_its_slice_and_its_address)
{
    static const Step steps[] = {{.at = 1, .address = 512 + 128, .sectors = 15},
                                 {.at = 1, .address = 256, .sectors = 15}};
    g_autoptr(Rig) rig = rig_new(NULL, 2, 1, 16);
    harness_script(rig->channel[0], steps, G_N_ELEMENTS(steps));
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_transaction(rig->receiver[0], 0)->local, 256 + 128);
    ck_assert_uint_eq(harness_transaction(rig->receiver[1], 0)->local, 0);
    ck_assert_uint_eq(harness_arrival(rig->receiver[0], 0)->cycle, 3);
    ck_assert_uint_eq(unit_count(rig->unit, "replies"), 2);
}
END_TEST

HARNESS_MAIN("memory_switch", a_slice_feeds_its_channels_in_turns,
             slices_that_share_a_channel_have_turns,
             a_full_scheduler_holds_up_nobody_of_another_channel,
             what_comes_back_finds_its_slice_and_its_address)
