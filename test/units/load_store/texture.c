/* Which memory instructions the load/store unit sends to the texture unit, and what a full port
 * there means for the others. Taken at 11, gone a cycle later. */
#include "rig.h"

typedef struct {
    Access access;
    bool with[3]; /* to the texture unit with nothing, read_only, everything */
} Way;

#define LOAD .operation = OPERATION_LOAD
#define STORE .operation = OPERATION_STORE
#define ATOMIC .operation = OPERATION_ATOMIC

static const Way ways[] = {
    {{LOAD}, {false, false, true}},
    {{LOAD, .read_only = true}, {false, true, true}},
    {{LOAD, .space = SPACE_LOCAL}, {false, false, true}},
    {{LOAD, .space = SPACE_LOCAL, .read_only = true}, {false, false, true}},
    {{STORE}, {false, false, true}},
    {{STORE, .read_only = true}, {false, false, true}},
    {{STORE, .space = SPACE_LOCAL}, {false, false, true}},
    {{ATOMIC}, {false, false, true}},
    {{ATOMIC, .has_result = true}, {false, false, true}},
    {{LOAD, .space = SPACE_SHARED}, {false, false, false}},
    {{ATOMIC, .space = SPACE_SHARED}, {false, false, false}},
    /* of a trace */
    {{LOAD, .space = SPACE_TEXTURE}, {true, true, true}},
    {{STORE, .space = SPACE_TEXTURE}, {true, true, true}},
};

static const char *const settings[] = {"through_texture = nothing", "through_texture = read_only",
                                       "through_texture = everything"};

START_TEST(an_instruction_goes_where_its_space_and_hint_say)
{
    const Way *way = &ways[_i / 3];
    const bool texture = way->with[_i % 3];
    Access access = way->access;
    access.at = 10;
    g_autoptr(Rig) rig = rig_new(settings[_i % 3], (Around){0});
    run(rig, &access, 1);
    ck_assert_uint_eq(harness_arrivals(rig->texture), texture);
    ck_assert_uint_eq(harness_arrivals(rig->l1), !texture);
    ck_assert_uint_eq(unit_count(rig->unit, "texture_instructions"), texture);
    const Arrived *arrived = harness_arrival(texture ? rig->texture : rig->l1, 0);
    ck_assert_uint_eq(arrived->cycle, 12);
    const WarpAccess *gone = (const WarpAccess *)arrived->message;
    ck_assert_uint_eq(gone->lines > 0, access.space != SPACE_SHARED);
    ck_assert_uint_eq(gone->began, 11 * TIME_NS);
}
END_TEST

START_TEST(constants_never_leave)
{
    static const Access accesses[] = {{.at = 10, .space = SPACE_CONSTANT, .stride = SAME}};
    g_autoptr(Rig) rig = rig_new("through_texture = everything", (Around){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->texture) + harness_arrivals(rig->l1), 0);
    ck_assert_uint_eq(harness_arrivals(rig->sm), 1);
}
END_TEST

/* 20 cycles after 11, one to the SM, and one for each of the 31 lanes that follow the first. */
START_TEST(operands_of_a_reduction_are_read_here_wherever_it_goes)
{
    static const Access accesses[] = {{.at = 10, ATOMIC, .stride = SAME}};
    g_autoptr(Rig) rig =
        rig_new("through_texture = everything; atomic_latency = 20 cycles", (Around){0});
    RUN(rig, accesses);
    const StoreNotice *notice = notice_at(rig, 0);
    ck_assert_uint_eq(notice->released_at, (11 + 20 + 31 + 1) * TIME_NS);
}
END_TEST

/* The texture unit's one place is taken until 100 and known to be free at 101. The third
 * instruction waits for it with its lines, and the last, to L1, behind it. */
START_TEST(who_waits_for_the_texture_unit_holds_up_what_comes_after_it_only)
{
    static const Access accesses[] = {
        {.at = 10, .read_only = true}, {.at = 11}, {.at = 12, .read_only = true}, {.at = 13}};
    g_autoptr(Rig) rig = rig_new("through_texture = read_only", (Around){.texture = 1});
    harness_withhold(rig->texture, 100);
    RUN(rig, accesses);
    at_l1(rig, 0, 13);
    ck_assert_uint_eq(harness_arrival(rig->texture, 1)->cycle, 102);
    at_l1(rig, 1, 102); /* has been waiting in the queue */
    ck_assert_uint_eq(unit_count(rig->unit, "texture_stalls"), 2); /* at 13 and at 14 */
    ck_assert_uint_eq(unit_count(rig->unit, "stalls"), 0);
}
END_TEST

START_TEST(a_full_port_of_L1_stops_the_way_to_the_texture_unit_as_well)
{
    static const Access accesses[] = {{.at = 10}, {.at = 11}, {.at = 12, .read_only = true}};
    g_autoptr(Rig) rig = rig_new("through_texture = read_only", (Around){.l1 = 1});
    harness_withhold(rig->l1, 100);
    RUN(rig, accesses);
    at_l1(rig, 1, 102);
    ck_assert_uint_eq(harness_arrival(rig->texture, 0)->cycle, 102);
    ck_assert_uint_gt(unit_count(rig->unit, "stalls"), 0);
    ck_assert_uint_eq(unit_count(rig->unit, "texture_stalls"), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("load_store_texture");
    tcase_add_loop_test(cases, an_instruction_goes_where_its_space_and_hint_say, 0,
                        3 * (int)G_N_ELEMENTS(ways));
    tcase_add_test(cases, constants_never_leave);
    tcase_add_test(cases, operands_of_a_reduction_are_read_here_wherever_it_goes);
    tcase_add_test(cases, who_waits_for_the_texture_unit_holds_up_what_comes_after_it_only);
    tcase_add_test(cases, a_full_port_of_L1_stops_the_way_to_the_texture_unit_as_well);
    return harness_run_cases("load_store_texture", cases);
}
