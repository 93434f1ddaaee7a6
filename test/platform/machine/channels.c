/* The table of channels, and what is wired by it. */
#include "platform/machine/private.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static const UnitClass *find_class(const char *name)
{
    const UnitClass *const *class = machine_unit_classes();
    while (*class && strcmp((*class)->name, name)) class ++;
    ck_assert_msg(*class, "there is no unit %s", name);
    return *class;
}

static const PortRow *find_port(const char *class, const char *port, bool output)
{
    const PortRow *row = class_find_port(find_class(class), port);
    ck_assert_msg(row, "%s has no port %s", class, port);
    ck_assert_int_eq(row->kind == PORT_OUT || row->kind == PORT_OUT_ARRAY, output);
    return row;
}

START_TEST(rows_lead_from_an_output_to_an_input)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        find_port(row->to, row->input, false);
        ck_assert_int_eq(!row->from, row->mapping == CHANNEL_FROM_SIMGRID);
        if (row->from) find_port(row->from, row->output, true);
        ck_assert_int_eq(!row->delay.name, !row->from);
    }
}
END_TEST

/* What is no part of a run in which the other is. */
static bool are_apart(const UnitClass *a, const UnitClass *b)
{
    return !((a->runs ? a->runs : IN_WHOLE) & (b->runs ? b->runs : IN_WHOLE));
}

/* An output of one unit leads to one input; networks have what units they join. */
START_TEST(no_port_has_two_rows_but_those_of_networks)
{
    for (const ChannelRow *a = machine_channel_rows(); a->to; a++)
        for (const ChannelRow *b = a + 1; b->to; b++) {
            const bool same_end = !strcmp(a->to, b->to) && !strcmp(a->input, b->input);
            const bool same_start =
                a->from && b->from && !strcmp(a->from, b->from) && !strcmp(a->output, b->output);
            const UnitPlace to = find_class(a->to)->place;
            const bool network =
                to == PLACE_NETWORK || (a->from && find_class(a->from)->place == PLACE_NETWORK);
            if (same_end) ck_assert(to == PLACE_NETWORK || strcmp(a->from, b->from));
            if (same_start)
                ck_assert(network || channel_gives_way(a, b->to) || channel_gives_way(b, a->to)
                          || are_apart(find_class(a->to), find_class(b->to)));
        }
}
END_TEST

/* --- machines --------------------------------------------------------------------------------- */

static const struct {
    const char *settings;
    guint channels; /* of three SMs and three slices */
} machines[] = {
    /* dispatcher 2 x 3, an SM 15 x 3, networks 4 x 3, a slice 6 x 3 */
    {"", 81},
    {"mmu.enabled = yes", 81 + 4 * 3},
    {"coherence_monitor.enabled = yes", 81 + 3 * 3},
    {"network.timing = flow", 81},
    /* an SM's ways to its coalescer and back */
    {"machine.request_coalescers = 2", 81 + 2 * 3},
    /* three stops, two ways round, two networks */
    {"network.topology = ring", 81 + 3 * 2 * 2},
    {"machine.l2_halves = 2; machine.partitions = 4", 81 + 2 + 6 + 4 * 4},
    {"machine.l2_halves = 4; machine.partitions = 4", 81 + 2 + 6 + 3 * 4 * 4},
    /* of a slice and its channel 3 x 3; to the switch and back 2 x 3, with each of 6 channels 3 */
    {"machine.channels_per_partition = 2", 81 - 3 * 3 + 2 * 3 + 3 * 6},
    /* a memory-side cache on both ways */
    {"machine.memory_caches = yes", 81 + 2 * 3},
    {"machine.channels_per_partition = 2; machine.memory_caches = yes",
     81 - 3 * 3 + 2 * 3 + (3 + 2) * 6},
};

static void count_channel(Channel *channel, void *user)
{
    ck_assert_uint_gt(channel->delay, 0);
    ck_assert_ptr_eq(channel->port->channel, channel);
    ++*(guint *)user;
}

START_TEST(a_machine_has_the_channels_of_its_units)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(machines[_i].settings);
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    guint count = 0;
    machine_wire(machine);
    for (guint i = 0; i < simulation_unit_count(machine->simulation); i++)
        unit_visit_channels(simulation_unit(machine->simulation, i), count_channel, &count);
    ck_assert_uint_eq(count, machines[_i].channels);
}
END_TEST

static const Channel *channel_into(const Machine *machine, const char *class, guint number,
                                   const char *port)
{
    Unit *unit = machine_instances(machine, class)->pdata[number];
    const PortRow *row = class_find_port(unit->class, port);
    return ((const Port *)(const void *)((const char *)unit + row->offset))->channel;
}

/* Cycles of the sender, but reports, which all take equally long; credits: of the receiver. */
START_TEST(delays_and_credits_count_in_their_clocks)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(
        "machine.core_clock = 1000 MHz; machine.l2_clock = 500 MHz; machine.dram_clock = 250 MHz;"
        "channels.issue = 7 cycles; channels.l2_to_scheduler = 11 cycles; coherence_monitor.enabled = yes;"
        "channels.scheduler_credit = 3 cycles; channels.dram_to_l2 = 13 cycles; channels.reports = 17 cycles;"
        "channels.scheduler_input_queue = 29");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    machine_wire(machine);
    const Channel *issue = channel_into(machine, "load_store", 2, "from_sm"),
                  *down = channel_into(machine, "access_scheduler", 1, "from_l2"),
                  *up = channel_into(machine, "l2_slice", 1, "from_dram");
    const Unit *monitor = machine_instances(machine, "coherence_monitor")->pdata[0];
    ck_assert_uint_eq(issue->delay, 7 * TIME_NS);
    ck_assert_uint_eq(issue->credit_delay, 1 * TIME_NS);
    ck_assert_uint_eq(down->delay, 22 * TIME_NS);
    ck_assert_uint_eq(down->credit_delay, 12 * TIME_NS);
    ck_assert_uint_eq(down->capacity, 29);
    ck_assert_uint_eq(up->delay, 52 * TIME_NS);
    for (uint32_t i = 0; i < monitor->port_count; i++)
        ck_assert_uint_eq(monitor->ports[i]->channel->delay, 17 * TIME_NS);
}
END_TEST

/* What times become with another clock: as many cycles as they take, and no time but that. */
START_TEST(a_faster_dram_clock_leaves_times_and_scales_cycles)
{
    const struct {
        const char *clock;
        Time period;
        uint64_t tRAS, tRRD_S, tREFIpb, tCCD_L, way;
    } clocks[] = {{"machine.dram_clock = 877 MHz", 1140251, 28, 3, 213, 4, 51},
                  {"machine.dram_clock = 964.7 MHz", 1036592, 31, 4, 235, 4, 57},
                  {"machine.dram_clock = 438.5 MHz", 2280502, 14, 2, 106, 4, 26}};
    for (guint i = 0; i < G_N_ELEMENTS(clocks); i++) {
        g_autofree char *settings = g_strdup_printf(
            "%s; dram.tRAS = 31.93 ns; dram.tRRD_S = 3.42 ns; dram.tRRD_L = 3.42 ns;"
            "dram.tREFIpb = 243.75 ns; channels.dram_to_l2 = 58.15 ns",
            clocks[i].clock);
        g_autoptr(Configuration) configuration = small_machine_configuration(settings);
        g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
        machine_wire(machine);
        const DramTiming *dram = machine_dram(machine);
        ck_assert_uint_eq(dram->tRAS, clocks[i].tRAS);
        ck_assert_uint_eq(dram->tRRD_S, clocks[i].tRRD_S);
        ck_assert_uint_eq(dram->tREFIpb, clocks[i].tREFIpb);
        ck_assert_uint_eq(dram->tCCD_L, clocks[i].tCCD_L);
        const Channel *up = channel_into(machine, "l2_slice", 0, "from_dram"),
                      *down = channel_into(machine, "access_scheduler", 0, "from_l2");
        ck_assert_uint_eq(up->delay, clocks[i].way * clocks[i].period);
        ck_assert_uint_eq(down->delay, UINT64_C(80) * 724638);
    }
}
END_TEST

/* Two slices and four channels of each of three partitions. */
START_TEST(slices_and_channels_of_a_partition_meet_in_its_switch)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(
        "machine.slices_per_partition = 2; machine.channels_per_partition = 4;"
        "channels.switch_input_queue = 7; channels.scheduler_input_queue = 29");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    machine_wire(machine);
    const GPtrArray *switches = machine_instances(machine, "memory_switch"),
                    *channels = machine_instances(machine, "dram_channel");
    ck_assert_uint_eq(switches->len, 3);
    ck_assert_uint_eq(channels->len, 12);
    const Unit *last = channels->pdata[11];
    ck_assert_str_eq(last->path, "partition[2].channel[3].dram");
    const Channel *down = channel_into(machine, "access_scheduler", 6, "from_l2"),
                  *back = channel_into(machine, "l2_slice", 3, "from_dram");
    ck_assert_ptr_eq(inbox_unit(down->from), switches->pdata[1]);
    ck_assert_ptr_eq(inbox_unit(back->from), switches->pdata[1]);
    ck_assert_uint_eq(down->capacity, 29);
    const Unit *first = switches->pdata[0];
    ck_assert_uint_eq(first->port_count, 2 + 4);
}
END_TEST

/* Of five SMs and two coalescers the first has three; its ports follow the SMs. */
START_TEST(sms_share_coalescers_in_their_order)
{
    g_autoptr(Configuration) configuration =
        small_machine_configuration("machine.sms = 5; machine.request_coalescers = 2");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    machine_wire(machine);
    const GPtrArray *coalescers = machine_instances(machine, "request_coalescer");
    for (guint sm = 0; sm < 5; sm++) {
        const Channel *back = channel_into(machine, "l1", sm, "from_reply_network");
        ck_assert_ptr_eq(inbox_unit(back->from), coalescers->pdata[sm / 3]);
    }
    ck_assert_uint_eq(((const Unit *)coalescers->pdata[0])->port_count, 2 * 3);
    ck_assert_uint_eq(((const Unit *)coalescers->pdata[1])->port_count, 2 * 2);
}
END_TEST

/* As a row of a new unit would have it, which needs no parameter of [channels]. */
START_TEST(a_row_may_take_its_delay_from_a_units_own_parameter)
{
    g_autoptr(Configuration) configuration =
        small_machine_configuration("l1.hit_latency = 23 cycles; l1.prt_entries = 19");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    const ChannelParam delay = {.name = "l1.hit_latency"}, room = {.name = "l1.prt_entries"},
                       none = {.name = NULL};
    ck_assert_uint_eq(machine_channel_number(machine, &delay, PARAM_CYCLES), 23);
    ck_assert_uint_eq(machine_channel_number(machine, &room, PARAM_COUNT), 19);
    ck_assert_uint_eq(machine_channel_number(machine, &none, PARAM_COUNT), 0);
}
END_TEST

static bool is_named(const char *class, gconstpointer names)
{
    return g_strv_contains(names, class);
}

/* A unit's, a channel's with both ends, one without its second; and what is of no unit. */
START_TEST(a_parameter_concerns_a_machine_that_has_its_units)
{
    static const char *const names[] = {"l1", "l2_slice", "access_scheduler", NULL};
    ck_assert(machine_concerns("l1", "ways", is_named, names));
    ck_assert(!machine_concerns("router", "arbitration", is_named, names));
    ck_assert(machine_concerns("channels", "scheduler_input_queue", is_named, names));
    ck_assert(!machine_concerns("channels", "switch_credit", is_named, names));
    ck_assert(!machine_concerns("channels", "l1_to_coalescer", is_named, names));
    ck_assert(machine_concerns("machine", "sms", is_named, names));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("channels");
    tcase_add_test(cases, rows_lead_from_an_output_to_an_input);
    tcase_add_test(cases, a_parameter_concerns_a_machine_that_has_its_units);
    tcase_add_test(cases, no_port_has_two_rows_but_those_of_networks);
    tcase_add_loop_test(cases, a_machine_has_the_channels_of_its_units, 0, G_N_ELEMENTS(machines));
    tcase_add_test(cases, delays_and_credits_count_in_their_clocks);
    tcase_add_test(cases, a_faster_dram_clock_leaves_times_and_scales_cycles);
    tcase_add_test(cases, slices_and_channels_of_a_partition_meet_in_its_switch);
    tcase_add_test(cases, sms_share_coalescers_in_their_order);
    tcase_add_test(cases, a_row_may_take_its_delay_from_a_units_own_parameter);
    return harness_run_cases("channels", cases);
}
