/* What a line of an access becomes on its way to L2, and what comes back of it. */
#include "kit/gpu/line_request.h"

#include "rigs/harness.h"

enum { LINE = 0x1000, LINE_BYTES = 128 };

typedef struct {
    Harness *harness;
    Unit *unit;
    WarpAccess *access;
} Rig;

/* Lanes 0, 1 and 33 want a word each: the first two in the line, the third in the next one. */
static Rig rig_new(Operation operation)
{
    static const uint64_t addresses[] = {LINE + 8, LINE + 124, LINE + LINE_BYTES};
    Rig rig = {.harness = harness_new()};
    rig.unit = harness_source(rig.harness, "source");
    rig.access = unit_new(rig.unit, MESSAGE_WARP_ACCESS);
    const Instruction instruction = {.operation = (uint8_t)operation,
                                     .mask = UINT64_C(1) << 33 | 3,
                                     .addresses = addresses,
                                     .width = 4,
                                     .operand = 9};
    warp_access_begin(&rig.unit->messages, rig.access, &instruction, 0);
    return rig;
}

static Transaction *request(const Rig *rig, uint16_t partial)
{
    const AccessLine line = {.line = LINE, .bytes = 8, .sectors = 9, .partial = partial};
    return line_request_new(&rig->unit->messages, rig->access, &line, LINE_BYTES);
}

START_TEST(a_load_asks_for_the_sectors_of_the_line)
{
    Rig rig = rig_new(OPERATION_LOAD);
    const Transaction *read = request(&rig, 9);
    ck_assert_uint_eq(read->type, TRANSACTION_READ);
    ck_assert_uint_eq(read->virtual_line, LINE);
    ck_assert_uint_eq(read->sectors, 9);
    ck_assert_uint_eq(read->requested_bytes, 8);
    ck_assert_ptr_eq(read->access, rig.access);
    ck_assert_ptr_null(read->operands);
    harness_free(rig.harness);
}
END_TEST

/* Bytes 8 to 11 and 124 to 127. */
START_TEST(a_store_of_parts_says_which_bytes)
{
    Rig rig = rig_new(OPERATION_STORE);
    const Transaction *write = request(&rig, 9);
    ck_assert_uint_eq(write->type, TRANSACTION_WRITE);
    ck_assert_uint_eq(write->partial, 9);
    ck_assert_uint_eq(write->written[0], UINT64_C(0xf) << 8);
    ck_assert_uint_eq(write->written[1], UINT64_C(0xf) << 60);
    for (guint i = 2; i < LINE_WORDS; i++) ck_assert_uint_eq(write->written[i], 0);
    harness_free(rig.harness);
}
END_TEST

START_TEST(an_atomic_takes_the_operands_of_the_lines_lanes_and_brings_their_values)
{
    Rig rig = rig_new(OPERATION_ATOMIC);
    Transaction *atomic = request(&rig, 0);
    ck_assert_uint_eq(atomic->type, TRANSACTION_ATOMIC);
    AtomicOperands *operands = atomic->operands;
    ck_assert_uint_eq(operands->lanes, 3);
    ck_assert_uint_eq(operands->offset[0], 8);
    ck_assert_uint_eq(operands->offset[1], 124);
    ck_assert_uint_eq(operands->operand, 9);
    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        operands->value[lane] = 100 + lane;
        rig.access->lanes->value[lane] = 0;
    }
    line_request_take_values(&rig.unit->messages, rig.access, operands);
    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        ck_assert_uint_eq(rig.access->lanes->value[lane], lane < 2 ? 100 + lane : 0);
    ck_assert_ptr_eq(unit_new(rig.unit, MESSAGE_ATOMIC_OPERANDS), operands); /* they were freed */
    harness_free(rig.harness);
}
END_TEST

/* Lines of 128 B in sectors of 32, at L2 of 512 B in sectors of 16: this one is the second. */
static const LineFit fit = {.line_bytes = 512, .sector_bytes = 32 / 2, .sectors = 2};
enum { IN_LINE = 128, SECTOR = 3 << 2 * 3 | 3 }; /* 0 and 3 */

static void place(Transaction *transaction)
{
    transaction->line = 0x7000 + IN_LINE;
    transaction->local = 0x200 + IN_LINE;
}

START_TEST(at_L2_a_store_is_for_a_part_of_its_line)
{
    Rig rig = rig_new(OPERATION_STORE);
    Transaction *write = request(&rig, 8);
    place(write);
    line_fit_request(&fit, write);
    ck_assert_uint_eq(write->line, 0x7000);
    ck_assert_uint_eq(write->local, 0x200);
    ck_assert_uint_eq(write->virtual_line, LINE); /* L1's */
    ck_assert_uint_eq(write->sectors, SECTOR << 8);
    ck_assert_uint_eq(write->partial, (3 << 2 * 3) << 8);
    ck_assert_uint_eq(write->written[2], UINT64_C(0xf) << 8);
    ck_assert_uint_eq(write->written[3], UINT64_C(0xf) << 60);
    for (guint i = 0; i < LINE_WORDS; i++)
        if (i != 2 && i != 3) ck_assert_uint_eq(write->written[i], 0);
    harness_free(rig.harness);
}
END_TEST

START_TEST(at_L2_an_atomics_words_lie_further_back_in_the_line)
{
    Rig rig = rig_new(OPERATION_ATOMIC);
    Transaction *atomic = request(&rig, 0);
    place(atomic);
    line_fit_request(&fit, atomic);
    ck_assert_uint_eq(atomic->operands->offset[0], IN_LINE + 8);
    ck_assert_uint_eq(atomic->operands->offset[1], IN_LINE + 124);
    harness_free(rig.harness);
}
END_TEST

/* Sectors of 32 B of the second 32 bytes of a line: bits move within words as well. */
START_TEST(bytes_move_within_and_across_words)
{
    static const LineFit narrow = {.line_bytes = 512, .sector_bytes = 32, .sectors = 1};
    Rig rig = rig_new(OPERATION_STORE);
    Transaction *write = request(&rig, 9);
    write->line = 32;
    write->local = 32;
    line_fit_request(&narrow, write);
    ck_assert_uint_eq(write->sectors, 9 << 1);
    ck_assert_uint_eq(write->written[0], UINT64_C(0xf) << 40);
    ck_assert_uint_eq(write->written[1], 0);
    ck_assert_uint_eq(write->written[2], UINT64_C(0xf) << 28);
    harness_free(rig.harness);
}
END_TEST

START_TEST(lines_that_are_the_same_stay_as_they_are)
{
    static const LineFit same = {.line_bytes = 128, .sector_bytes = 32, .sectors = 1, .same = true};
    Rig rig = rig_new(OPERATION_STORE);
    Transaction *write = request(&rig, 9);
    place(write);
    line_fit_request(&same, write);
    ck_assert_uint_eq(write->line, 0x7000 + IN_LINE);
    ck_assert_uint_eq(write->sectors, 9);
    harness_free(rig.harness);
}
END_TEST

START_TEST(what_is_reported_of_a_line_is_reported_of_L2s)
{
    AccessReport report = {
        .line = 0x7000 + IN_LINE, .sectors = 9, .partial = 8, .read_at = {100, 0, 0, 103}};
    line_fit_report(&fit, &report);
    ck_assert_uint_eq(report.line, 0x7000);
    ck_assert_uint_eq(report.sectors, SECTOR << 8);
    ck_assert_uint_eq(report.partial, (3 << 2 * 3) << 8);
    for (guint s = 0; s < SECTORS_MAX; s++)
        ck_assert_uint_eq(report.read_at[s], s == 8 || s == 9 ? 100 : s == 14 || s == 15 ? 103 : 0);
}
END_TEST

HARNESS_MAIN("line_request", at_L2_a_store_is_for_a_part_of_its_line,
             at_L2_an_atomics_words_lie_further_back_in_the_line,
             bytes_move_within_and_across_words, lines_that_are_the_same_stay_as_they_are,
             what_is_reported_of_a_line_is_reported_of_L2s, a_load_asks_for_the_sectors_of_the_line,
             a_store_of_parts_says_which_bytes,
             an_atomic_takes_the_operands_of_the_lines_lanes_and_brings_their_values)
