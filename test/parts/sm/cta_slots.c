#include "parts/sm/cta_slots.h"

#include <check.h>

#include "rigs/harness.h"

#include <signal.h>

static int first_cta, second_cta, third_cta;

START_TEST(a_cta_gets_the_lowest_free_slot)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    ck_assert_uint_eq(cta_slots_open(&slots, &first_cta), 0);
    ck_assert_uint_eq(cta_slots_open(&slots, &second_cta), 1);
    cta_slots_add_warp(&slots, 0, 5);
    ck_assert_ptr_eq(cta_slots_end_warp(&slots, 0, 5), &first_cta);
    ck_assert_uint_eq(cta_slots_open(&slots, &third_cta), 0);
    ck_assert_ptr_eq(slots.slot[1].cta, &second_cta);
}
END_TEST

START_TEST(the_last_warp_to_end_gives_the_cta_back)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    const uint32_t slot = cta_slots_open(&slots, &first_cta);
    cta_slots_add_warp(&slots, slot, 0);
    cta_slots_add_warp(&slots, slot, 40);
    cta_slots_add_warp(&slots, slot, 63);
    ck_assert_ptr_null(cta_slots_end_warp(&slots, slot, 40));
    ck_assert_ptr_null(cta_slots_end_warp(&slots, slot, 0));
    ck_assert_ptr_eq(cta_slots_end_warp(&slots, slot, 63), &first_cta);
    ck_assert_ptr_null(slots.slot[slot].cta);
}
END_TEST

START_TEST(a_barrier_lets_all_pass_when_the_last_one_is_there)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    const uint32_t slot = cta_slots_open(&slots, &first_cta);
    cta_slots_add_warp(&slots, slot, 2);
    cta_slots_add_warp(&slots, slot, 63);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), 0);
    cta_slots_arrive(&slots, slot, 63);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), 0);
    ck_assert_uint_eq(cta_slots_at_barrier(&slots), UINT64_C(1) << 63);
    cta_slots_arrive(&slots, slot, 2);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), UINT64_C(1) << 63 | 4);
    ck_assert_uint_eq(cta_slots_at_barrier(&slots), 0);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), 0);
}
END_TEST

START_TEST(warps_that_have_ended_do_not_hold_up_a_barrier)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    const uint32_t slot = cta_slots_open(&slots, &first_cta);
    for (uint32_t w = 0; w < 3; w++) cta_slots_add_warp(&slots, slot, w);
    cta_slots_arrive(&slots, slot, 0);
    cta_slots_arrive(&slots, slot, 2);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), 0);
    ck_assert_ptr_null(cta_slots_end_warp(&slots, slot, 1));
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, slot), 5);
}
END_TEST

START_TEST(each_cta_has_a_barrier_of_its_own)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    const uint32_t one = cta_slots_open(&slots, &first_cta),
                   other = cta_slots_open(&slots, &second_cta);
    cta_slots_add_warp(&slots, one, 0);
    cta_slots_add_warp(&slots, other, 1);
    cta_slots_add_warp(&slots, other, 2);
    cta_slots_arrive(&slots, other, 1);
    cta_slots_arrive(&slots, one, 0);
    ck_assert_uint_eq(cta_slots_at_barrier(&slots), 3);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, one), 1);
    ck_assert_uint_eq(cta_slots_pass_barrier(&slots, other), 0);
    ck_assert_uint_eq(cta_slots_at_barrier(&slots), 2);
}
END_TEST

START_TEST(there_is_no_slot_behind_the_last)
{
    CtaSlots slots = {.slot = {{.warps = 0}}};
    for (uint32_t i = 0; i <= CTA_SLOTS; i++) cta_slots_open(&slots, &first_cta);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cta_slots");
    tcase_add_test(cases, a_cta_gets_the_lowest_free_slot);
    tcase_add_test(cases, the_last_warp_to_end_gives_the_cta_back);
    tcase_add_test(cases, a_barrier_lets_all_pass_when_the_last_one_is_there);
    tcase_add_test(cases, warps_that_have_ended_do_not_hold_up_a_barrier);
    tcase_add_test(cases, each_cta_has_a_barrier_of_its_own);
    tcase_add_test_raise_signal(cases, there_is_no_slot_behind_the_last, SIGABRT);
    return harness_run_cases("cta_slots", cases);
}
