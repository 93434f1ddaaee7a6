/* What a machine asks of its units: parameters by name, ports by place. */
#include "kit/engine/simgrid/flow.h"
#include "rigs/toy_unit.h"

#include <signal.h>

typedef struct {
    Unit unit;
    uint64_t entries, latency;
    uint32_t colour;
    bool enabled;
} Furnished;

static const char *const colours[] = {"red", "green", NULL};
static const Param furniture[] = {
    PARAM_NUMBER(Furnished, entries, PARAM_COUNT, "7", 1, 9, "entries"),
    PARAM_NUMBER(Furnished, latency, PARAM_CYCLES, "3 cycles", 1, 9, "latency"),
    PARAM_ONE_OF(Furnished, colour, colours, "green", "colour"),
    PARAM_SWITCH(Furnished, enabled, "yes", "whether it is there"), PARAM_END};
static const UnitClass furnished_class = {
    .name = "furnished", .summary = "has parameters", .params = furniture};

static Furnished furnished(void)
{
    static char path[] = "sm[1].furnished";
    Furnished it = {.unit = {.class = &furnished_class, .path = path}};
    param_set_defaults(furniture, &it);
    return it;
}

/* An event costs the lines of the host's cache that it touches. */
START_TEST(what_every_message_touches_is_a_line_each)
{
    ck_assert_uint_eq(sizeof(Inbox), HOST_LINE);
    ck_assert_uint_eq(sizeof(Port), HOST_LINE);
    ck_assert_uint_eq(offsetof(Channel, capacity), HOST_LINE);
    ck_assert_uint_eq(offsetof(Unit, messages), 2 * HOST_LINE);
}
END_TEST

START_TEST(a_parameter_is_found_by_name_and_type)
{
    const Furnished it = furnished();
    ck_assert_uint_eq(unit_number(&it.unit, "entries", PARAM_COUNT), 7);
    ck_assert_uint_eq(unit_number(&it.unit, "latency", PARAM_CYCLES), 3);
    ck_assert_str_eq(unit_choice(&it.unit, "colour"), "green");
    ck_assert_ptr_eq(unit_parameter(&it.unit, "enabled", PARAM_BOOL), &it.enabled);
}
END_TEST

/* Rows that were renamed or got another type: nobody looks for them behind the table's end. */
static const struct {
    const char *name;
    ParamType type;
} absent[] = {{"entry", PARAM_COUNT}, {"entries", PARAM_BYTES}, {"enabled", PARAM_COUNT}};

START_TEST(a_parameter_that_is_not_there_ends_the_program)
{
    const Furnished it = furnished();
    unit_parameter(&it.unit, absent[_i].name, absent[_i].type);
}
END_TEST

/* What nobody has said is none of what can be said. */
static const struct {
    UnitPer per;
    UnitClock clock;
    UnitPlace place;
    const char *path, *lacks;
} said[] = {
    {PER_SM, CLOCK_CORE, PLACE_CORE, "sm[%u].toy", NULL},
    {PER_STOP, CLOCK_NETWORK, PLACE_NETWORK, "toy[%s][%u]", NULL},
    {PER_MACHINE, CLOCK_DRAM, PLACE_SHARED, "toy", NULL},
    {0, CLOCK_CORE, PLACE_CORE, "sm[%u].toy", "how many there are"},
    {PER_HALVES_LINK, CLOCK_L2, PLACE_NETWORK, "toy[%s][%u]", NULL},
    {PER_MEMORY_CACHE + 1, CLOCK_CORE, PLACE_CORE, "sm[%u].toy", "how many there are"},
    {PER_SM, 0, PLACE_CORE, "sm[%u].toy", "which clock it has"},
    {PER_SM, CLOCKS, PLACE_CORE, "sm[%u].toy", "which clock it has"},
    {PER_SM, CLOCK_CORE, 0, "sm[%u].toy", "where it is placed"},
    {PER_SM, CLOCK_CORE, PLACE_MEMORY + 1, "sm[%u].toy", "where it is placed"},
    {PER_SM, CLOCK_CORE, PLACE_CORE, NULL, "a path with the numbers of one"},
    {PER_SM, CLOCK_CORE, PLACE_CORE, "toy", "a path with the numbers of one"},
    {PER_SM, CLOCK_CORE, PLACE_CORE, "sm[%s].toy", "a path with the numbers of one"},
    {PER_SLICE, CLOCK_L2, PLACE_MEMORY, "partition[%u]", "a path with the numbers of one"},
    {PER_MACHINE, CLOCK_CORE, PLACE_SHARED, "toy[%u]", "a path with the numbers of one"},
};

START_TEST(a_class_says_how_many_which_clock_where_and_what_it_is_called)
{
    const UnitClass class = {.per = said[_i].per,
                             .clock = said[_i].clock,
                             .place = said[_i].place,
                             .path = said[_i].path};
    ck_assert_pstr_eq(unit_class_lacks(&class), said[_i].lacks);
}
END_TEST

START_TEST(a_choice_is_no_number)
{
    const Furnished it = furnished();
    unit_number(&it.unit, "colour", PARAM_CHOICE);
}
END_TEST

typedef struct {
    Unit unit;
    Port before, between;
    PortArray some, none, more;
} Sockets;

static const PortRow sockets[] = {
    PORT_INPUT(Sockets, before, "0"),  PORT_INPUTS(Sockets, some, "1-2"),
    PORT_INPUT(Sockets, between, "3"), PORT_INPUTS(Sockets, none, ""),
    PORT_INPUTS(Sockets, more, "4-5"), PORT_END};
static const Param nothing_to_set[] = {PARAM_END};
static const Stat nothing_to_count[] = {STAT_END};
static const UnitClass sockets_class = {.name = "sockets",
                                        .summary = "has inputs",
                                        .size = sizeof(Sockets),
                                        .params = nothing_to_set,
                                        .stats = nothing_to_count,
                                        .ports = sockets};

/* Ports 0 | 1 2 | 3 | 4 5; what is not in an array lies behind its end. */
START_TEST(a_port_is_found_in_its_array_by_its_order)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 1);
    Sockets *it = (Sockets *)simulation_add_unit(harness->simulation, &sockets_class, "sockets", 0,
                                                 harness->clock);
    unit_size_ports(&it->unit, "some", 2);
    unit_size_ports(&it->unit, "more", 2);
    harness_connect(harness, &toy->unit, "out", &it->unit, "more", (Path){.input_index = 1});
    ck_assert_uint_eq(it->unit.port_count, 6);
    for (uint32_t order = 0; order < 6; order++) {
        const uint32_t some = port_array_index(&it->some, order),
                       more = port_array_index(&it->more, order);
        ck_assert(some >= 2 || it->unit.ports[order] == &it->some.at[some]);
        ck_assert(more >= 2 || it->unit.ports[order] == &it->more.at[more]);
        ck_assert_int_eq(some < 2, order == 1 || order == 2);
        ck_assert_int_eq(more < 2, order >= 4);
    }
    harness_free(harness);
}
END_TEST

START_TEST(a_lane_ends_at_a_port_of_its_unit)
{
    Harness *harness = harness_new();
    Toy *one = toy_new(harness, "one", 2, 0), *other = toy_new(harness, "other", 1, 1);
    toy_connect(harness, other, one, (Path){.input_index = 1});
    simulation_use_flow(harness->simulation, 0);
    ck_assert_uint_eq(unit_add_lane(&one->unit, &one->in.at[1], 0, 0), 0);
    unit_add_lane(&one->unit, &other->in.at[0], 0, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("unit");
    tcase_add_test(cases, what_every_message_touches_is_a_line_each);
    tcase_add_test(cases, a_parameter_is_found_by_name_and_type);
    tcase_add_loop_test_raise_signal(cases, a_parameter_that_is_not_there_ends_the_program, SIGTRAP,
                                     0, G_N_ELEMENTS(absent));
    tcase_add_loop_test(cases, a_class_says_how_many_which_clock_where_and_what_it_is_called, 0,
                        G_N_ELEMENTS(said));
    tcase_add_test_raise_signal(cases, a_choice_is_no_number, SIGABRT);
    tcase_add_test(cases, a_port_is_found_in_its_array_by_its_order);
    tcase_add_test_raise_signal(cases, a_lane_ends_at_a_port_of_its_unit, SIGABRT);
    return harness_run_cases("unit", cases);
}
