#include "parts/sm/register_file.h"

#include <check.h>

#include "rigs/harness.h"

#include <signal.h>

/* Kepler's: 2048 entries of 32 lanes, 64 warps. */
static RegisterFile file_of(uint32_t granularity, uint32_t share)
{
    RegisterFile file;
    const RegisterFileShape shape = {2048, granularity, share};
    register_file_init(&file, &shape);
    return file;
}

START_TEST(a_warp_has_32_registers_if_all_slots_are_used)
{
    RegisterFile file = file_of(8, 0);
    for (uint32_t w = 0; w < 64; w++) {
        ck_assert(register_file_allocate(&file, w, 32));
        ck_assert_uint_eq(file.base[w], 32 * w);
    }
    ck_assert_uint_eq(file.allocated, 2048);
    register_file_release(&file, 17);
    ck_assert(register_file_allocate(&file, 17, 30));
    ck_assert_uint_eq(file.base[17], 32 * 17);
}
END_TEST

START_TEST(blocks_are_rounded_up)
{
    RegisterFile file = file_of(8, 0);
    ck_assert(register_file_allocate(&file, 0, 33));
    ck_assert(register_file_allocate(&file, 1, 1));
    ck_assert_uint_eq(file.base[1], 40);
    ck_assert_uint_eq(file.allocated, 48);
}
END_TEST

/* 1024 entries free, in two gaps of 512. */
START_TEST(a_block_is_contiguous)
{
    RegisterFile file = file_of(1, 0);
    for (uint32_t w = 0; w < 4; w++) ck_assert(register_file_allocate(&file, w, 512));
    ck_assert(!register_file_allocate(&file, 4, 1));
    register_file_release(&file, 0);
    register_file_release(&file, 2);
    ck_assert(!register_file_allocate(&file, 4, 513));
    ck_assert_uint_eq(file.allocated, 1024);
    ck_assert(register_file_allocate(&file, 4, 100));
    ck_assert_uint_eq(file.base[4], 0);
    ck_assert(register_file_allocate(&file, 5, 500));
    ck_assert_uint_eq(file.base[5], 1024);
    ck_assert(register_file_allocate(&file, 6, 412));
    ck_assert_uint_eq(file.base[6], 100);
    register_file_release(&file, 1);
    ck_assert(register_file_allocate(&file, 7, 512));
    ck_assert_uint_eq(file.base[7], 512);
}
END_TEST

START_TEST(no_registers_take_no_place)
{
    RegisterFile file = file_of(8, 0);
    for (uint32_t w = 0; w < 3; w++) ck_assert(register_file_allocate(&file, w, 0));
    ck_assert(register_file_allocate(&file, 3, 2048));
    for (uint32_t w = 0; w < 4; w++) register_file_release(&file, w);
    ck_assert_uint_eq(file.allocated, 0);
}
END_TEST

START_TEST(a_fixed_mapping_gives_every_slot_its_part)
{
    RegisterFile file = file_of(8, 32);
    ck_assert(!register_file_allocate(&file, 0, 33));
    ck_assert(register_file_allocate(&file, 5, 16));
    ck_assert_uint_eq(file.base[5], 5 * 32);
    ck_assert_uint_eq(file.allocated, 32);
    register_file_release(&file, 5);
    ck_assert_uint_eq(file.allocated, 0);
}
END_TEST

START_TEST(a_block_is_released_once)
{
    RegisterFile file = file_of(8, 0);
    ck_assert(register_file_allocate(&file, 5, 8));
    register_file_release(&file, 5);
    register_file_release(&file, 5);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("register_file");
    tcase_add_test(cases, a_warp_has_32_registers_if_all_slots_are_used);
    tcase_add_test(cases, blocks_are_rounded_up);
    tcase_add_test(cases, a_block_is_contiguous);
    tcase_add_test(cases, no_registers_take_no_place);
    tcase_add_test(cases, a_fixed_mapping_gives_every_slot_its_part);
    tcase_add_test_raise_signal(cases, a_block_is_released_once, SIGABRT);
    return harness_run_cases("register_file", cases);
}
