/* The kernel language: what atomics do, what a warp waits for, and surfaces. */
#include "code.h"
#include "rigs/harness.h"

static const struct {
    const char *code;
    AtomicOperation operation;
    uint32_t operand, compare;
    int32_t stride;
    bool result;
} atomics[] = {
    {"reduce A[0]", ATOMIC_ADD, 1, 0, 0, false},
    {"x = atomic A[0]", ATOMIC_ADD, 1, 0, 0, true},
    {"x = atomic.add A[0] by 7", ATOMIC_ADD, 7, 0, 0, true},
    {"reduce.inc A[0] by 9", ATOMIC_INC, 9, 0, 0, false},
    {"reduce.min A[0] by lane", ATOMIC_MIN, 0, 0, 1, false},
    {"reduce.max A[0] by 5 * lane + warp", ATOMIC_MAX, 1, 0, 5, false},
    {"x = atomic.exch A[0] by 0 - 1", ATOMIC_EXCHANGE, UINT32_MAX, 0, 0, true},
    {"x = atomic.cas A[0] from 3 to 4 * cta", ATOMIC_CAS, 8, 3, 0, true},
    {"reduce.and.cg A[0] by 0xff", ATOMIC_AND, 255, 0, 0, false},
    {"reduce.4.or A[0] by 1", ATOMIC_OR, 1, 0, 0, false},
    {"reduce.xor A[0] by 1", ATOMIC_XOR, 1, 0, 0, false},
    {"blend A[0]", ATOMIC_BLEND, 1, 0, 0, false},
};

/* Of warp 1 of CTA 2. */
START_TEST(an_atomic_does_what_it_says)
{
    g_autofree char *code = g_strconcat("global A[64]; ", atomics[_i].code, NULL);
    g_autoptr(GArray) warp = warp_of_code(code, 2, 1);
    const Instruction *in = &fetched_at(warp, 0)->in;
    ck_assert_int_eq(in->operation, OPERATION_ATOMIC);
    ck_assert_int_eq(in->atomic, atomics[_i].operation);
    ck_assert_uint_eq(in->operand, atomics[_i].operand);
    ck_assert_uint_eq(in->compare, atomics[_i].compare);
    ck_assert_int_eq(in->operand_stride, atomics[_i].stride);
    ck_assert_int_eq(in->until, UNTIL_ANYTHING);
    ck_assert_int_eq(!instruction_has_no_result(in), atomics[_i].result);
    ck_assert_uint_eq(in->width, 4);
}
END_TEST

static const struct {
    const char *comparison;
    Until until;
} comparisons[] = {{"==", UNTIL_EQUAL},   {"!=", UNTIL_OTHER},  {"<", UNTIL_LESS},
                   {"<=", UNTIL_AT_MOST}, {">", UNTIL_GREATER}, {">=", UNTIL_AT_LEAST}};

START_TEST(a_warp_waits_for_what_a_loop_says)
{
    g_autofree char *code =
        g_strdup_printf("global A[64]; for i in 0..3 { wait A[4 + lane] %s (i + 1) * ctas + lane }",
                        comparisons[_i].comparison);
    g_autoptr(GArray) warp = warp_of_code(code, 0, 0);
    ck_assert_uint_eq(warp->len, 3);
    for (guint i = 0; i < 3; i++) {
        const Instruction *in = &fetched_at(warp, i)->in;
        ck_assert_int_eq(in->atomic, ATOMIC_READ);
        ck_assert_int_eq(in->until, comparisons[_i].until);
        ck_assert_uint_eq(in->operand, 4 * (i + 1));
        ck_assert_int_eq(in->operand_stride, 1);
        ck_assert_uint_eq(in->destination_count, 1);
        ck_assert_uint_eq(address_at(warp, i, 3), FIRST + (4 + 3) * 4);
    }
}
END_TEST

/* The operand's registers are read, and a plain `wait` is what it was. */
START_TEST(a_known_variable_may_be_the_operand)
{
    g_autoptr(GArray) warp =
        warp_of_code("global A[64]; x = 3 * cta; reduce A[0] by x + 1; wait", 2, 0);
    const Instruction *in = &fetched_at(warp, 1)->in;
    ck_assert_uint_eq(in->operand, 7);
    ck_assert_uint_eq(in->source_count, 1);
    ck_assert_uint_eq(in->sources[0], fetched_at(warp, 0)->in.destination);
    ck_assert_int_eq(fetched_at(warp, 2)->in.operation, OPERATION_WAIT_STORES);
}
END_TEST

START_TEST(accesses_say_how_their_surface_is_stored)
{
    g_autoptr(GArray) warp = warp_of_code("param c = 10; global A[64]; global S[64] surface "
                                          "constant c quarter 2 * c half 70 align 512; "
                                          "global H[4] surface half 100; "
                                          "blend A[lane]; blend S[lane]; reduce H[0]",
                                          0, 0);
    static const TileMix expected[] = {{0, 0, 0}, {10, 20, 70}, {0, 0, 100}};
    for (guint i = 0; i < 3; i++) {
        const TileMix *tiles = &fetched_at(warp, i)->in.tiles;
        ck_assert_uint_eq(tiles->constant, expected[i].constant);
        ck_assert_uint_eq(tiles->quarter, expected[i].quarter);
        ck_assert_uint_eq(tiles->half, expected[i].half);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_atomics");
    tcase_add_loop_test(cases, an_atomic_does_what_it_says, 0, G_N_ELEMENTS(atomics));
    tcase_add_loop_test(cases, a_warp_waits_for_what_a_loop_says, 0, G_N_ELEMENTS(comparisons));
    tcase_add_test(cases, a_known_variable_may_be_the_operand);
    tcase_add_test(cases, accesses_say_how_their_surface_is_stored);
    return harness_run_cases("program_atomics", cases);
}
