#include "kit/engine/simulation.h"
#include "kit/gpu/warp_access.h"
#include "rigs/harness.h"

static void enter_all(Transaction *transaction, const uint64_t (*rows)[2], guint count)
{
    for (guint i = 0; i < count; i++) transaction_enter(transaction, (Stage)rows[i][0], rows[i][1]);
}

static void expect_stamps(const Transaction *transaction, const uint64_t (*rows)[2], guint count)
{
    uint64_t stamps[TRANSACTION_STAMPS];
    ck_assert_uint_eq(transaction_stamps(transaction, stamps), count);
    for (guint i = 0; i < count; i++) {
        ck_assert_uint_eq(stamp_stage(stamps[i]), rows[i][0]);
        ck_assert_uint_eq(stamp_time(stamps[i]), rows[i][1]);
    }
}

/* How long the transaction was in each stage; the sum is end - began by construction of the log. */
static Time measure(const Transaction *transaction, Time end, Time stage[STAGE_COUNT])
{
    Time sum = 0;
    uint64_t stamps[TRANSACTION_STAMPS];
    const unsigned count = transaction_stamps(transaction, stamps);
    memset(stage, 0, sizeof *stage * STAGE_COUNT);
    for (unsigned i = 0; i < count; i++) {
        const bool last = i + 1u == count;
        const Time from = stamp_time(stamps[i]);
        const Time to = last ? end : stamp_time(stamps[i + 1]);
        ck_assert_uint_ge(to, from);
        stage[stamp_stage(stamps[i])] += to - from;
        sum += to - from;
    }
    return sum;
}

START_TEST(a_transaction_is_in_one_stage_after_the_other)
{
    static const uint64_t rows[][2] = {
        {STAGE_ISSUE, 10}, {STAGE_COALESCE, 14}, {STAGE_L1_TAG, 20}, {STAGE_ISSUE, 21}};
    Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
    enter_all(&transaction, rows, 4);
    expect_stamps(&transaction, rows, 4);
    ck_assert_uint_eq(transaction_began(&transaction), 10);
}
END_TEST

START_TEST(a_stage_of_no_length_vanishes)
{
    static const uint64_t entered[][2] = {{STAGE_ISSUE, 10},
                                          {STAGE_COALESCE, 14},
                                          {STAGE_REPLAY, 14},
                                          {STAGE_L1_TAG, 14},
                                          {STAGE_FILL, 30}};
    static const uint64_t kept[][2] = {{STAGE_ISSUE, 10}, {STAGE_L1_TAG, 14}, {STAGE_FILL, 30}};
    Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
    enter_all(&transaction, entered, 5);
    expect_stamps(&transaction, kept, 3);
}
END_TEST

START_TEST(entering_the_present_stage_again_changes_nothing)
{
    static const uint64_t entered[][2] = {
        {STAGE_ISSUE, 10}, {STAGE_REPLAY, 14}, {STAGE_REPLAY, 19}};
    Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
    enter_all(&transaction, entered, 3);
    expect_stamps(&transaction, entered, 2);
}
END_TEST

/* How long it was in each is right, and the last ones are known one by one. */
START_TEST(a_full_log_tells_what_is_long_ago_by_stage)
{
    enum { ROUNDS = 5 * STAGE_WORDS };
    Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
    for (Time i = 0; i < ROUNDS; i++) {
        transaction_enter(&transaction, STAGE_L1_TAG, 11 * i);
        transaction_enter(&transaction, STAGE_REPLAY, 11 * i + 10);
    }
    StageSums sums = {.count = 0};
    ck_assert(transaction_account(&transaction, 11 * ROUNDS, &sums));
    ck_assert_uint_eq(sums.stage[STAGE_L1_TAG], 10 * ROUNDS);
    ck_assert_uint_eq(sums.stage[STAGE_REPLAY], ROUNDS);
    uint64_t stamps[TRANSACTION_STAMPS];
    const unsigned count = transaction_stamps(&transaction, stamps);
    for (unsigned i = 1; i < STAGE_WORDS / 2; i++) {
        const Time expected = 11 * (ROUNDS - i / 2) - i % 2;
        ck_assert_uint_eq(stamp_time(stamps[count - i]), expected);
    }
}
END_TEST

/* All stages, each for long, and again: more than there are words, however they are told. */
static void lose_stages(Transaction *transaction)
{
    for (Time i = 0; i < 2 * STAGE_COUNT; i++)
        transaction_enter_slowly(transaction, (Stage)(i % STAGE_COUNT), i * STAGE_LONG);
}

/* The sum is right all the same, but not where the time was spent. */
START_TEST(a_log_of_more_stages_than_have_room_keeps_its_last_and_says_so)
{
    const Time end = UINT64_C(2) * STAGE_COUNT * STAGE_LONG;
    Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
    lose_stages(&transaction);
    StageSums sums = {.count = 0};
    ck_assert(!transaction_account(&transaction, end, &sums));
    ck_assert_uint_eq(transaction.stage, STAGE_WORDS / 2 % STAGE_COUNT); /* two words each */
    Time stage[STAGE_COUNT];
    ck_assert_uint_eq(measure(&transaction, end, stage), end);
}
END_TEST

/* The longest time that is kept of a request is 2^58 fs, nearly five minutes. */
START_TEST(a_stamp_holds_every_stage_and_minutes_of_time)
{
    const Time late = UINT64_C(270) * 1000000000 * TIME_NS;
    ck_assert_uint_le(STAGE_COUNT, 64);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
        const uint64_t rows[][2] = {{stage, late}};
        Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
        enter_all(&transaction, rows, 1);
        expect_stamps(&transaction, rows, 1);
    }
}
END_TEST

/* Of a time the log has one word for 26 bits, or a further one for 31 more. */
START_TEST(a_stage_may_last_for_minutes)
{
    static const Time lengths[] = {1, (UINT64_C(1) << 26) - 1, UINT64_C(1) << 26,
                                   (UINT64_C(5) << 26) + 3, (UINT64_C(1) << 57) - 1};
    static const unsigned words[] = {1, 1, 2, 2, 2};
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        const uint64_t rows[][2] = {{STAGE_ISSUE, 3}, {STAGE_L2_QUEUE, 3 + lengths[i]}};
        Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
        enter_all(&transaction, rows, 2);
        expect_stamps(&transaction, rows, 2);
        ck_assert_uint_eq(transaction.stages, 1 + words[i]);
        StageSums sums = {.count = 0};
        ck_assert(transaction_account(&transaction, 10 + lengths[i], &sums));
        ck_assert_uint_eq(sums.stage[STAGE_ISSUE], lengths[i]);
        ck_assert_uint_eq(sums.stage[STAGE_L2_QUEUE], 7);
    }
}
END_TEST

/* A stage whose number has not room in a word takes two, however short it is. */
START_TEST(a_stage_behind_the_others_is_kept_and_inherited)
{
    static const Time lengths[] = {1, (UINT64_C(5) << 26) + 3};
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        const Time end = 3 + lengths[i];
        const uint64_t rows[][2] = {{STAGE_ISSUE, 1}, {STAGE_PAGE, 3}, {STAGE_L2_QUEUE, end}};
        Transaction transaction = {.stage_began = BEFORE_ALL_STAGES},
                    merged = {.stage_began = BEFORE_ALL_STAGES};
        enter_all(&transaction, rows, 2);
        transaction_enter_slowly(&transaction, STAGE_L2_QUEUE, end);
        expect_stamps(&transaction, rows, 3);
        ck_assert_uint_eq(transaction.stages, 1 + 1 + 2);
        transaction_enter(&merged, STAGE_COALESCE, 0);
        transaction_inherit(&merged, &transaction, 2);
        StageSums sums = {.count = 0};
        ck_assert(transaction_account(&merged, end + 5, &sums));
        ck_assert_uint_eq(sums.stage[STAGE_COALESCE], 2);
        ck_assert_uint_eq(sums.stage[STAGE_ISSUE], 1);
        ck_assert_uint_eq(sums.stage[STAGE_PAGE], lengths[i]);
        ck_assert_uint_eq(sums.stage[STAGE_L2_QUEUE], 5);
    }
}
END_TEST

/* Of lengths whose rests may look like longer stages themselves. */
START_TEST(stages_are_read_back_as_they_were_read)
{
    static const Time lengths[] = {1,
                                   STAGE_LONG - 1,
                                   STAGE_LONG,
                                   3 * (Time)STAGE_LONG + 5,
                                   (Time)STAGE_LONG << STAGE_TIME_BITS,
                                   7};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (unsigned round = 0; round < 1000; round++) {
        Transaction transaction = {.stage_began = BEFORE_ALL_STAGES};
        Time now = 10;
        for (unsigned i = 0; i < 20; i++) {
            transaction_enter_slowly(&transaction, (Stage)(i % STAGE_COUNT), now);
            now += lengths[g_rand_int_range(random, 0, G_N_ELEMENTS(lengths))];
        }
        PassedStage read[STAGE_WORDS];
        const uint32_t *const end = transaction_passed_end(&transaction);
        unsigned count = 0;
        for (const uint32_t *next = transaction.passed; next != end;)
            read[count++] = passed_stage_read(&next);
        for (const uint32_t *next = end; next != transaction.passed;) {
            const PassedStage back = passed_stage_read_back(&transaction, &next);
            ck_assert_uint_eq(back.stage, read[--count].stage);
            ck_assert_uint_eq(back.length, read[count].length);
        }
        ck_assert_uint_eq(count, 0);
    }
}
END_TEST

START_TEST(stages_that_go_back_in_time_are_not_accounted_for)
{
    Transaction before = {.stage_began = BEFORE_ALL_STAGES},
                beyond = {.stage_began = BEFORE_ALL_STAGES};
    StageSums sums = {.count = 0};
    transaction_enter(&before, STAGE_ISSUE, 10);
    transaction_enter(&before, STAGE_L1_TAG, 9);
    ck_assert(!transaction_account(&before, 20, &sums));
    transaction_enter(&beyond, STAGE_ISSUE, 10);
    ck_assert(transaction_account(&beyond, 10, &sums));
    ck_assert(!transaction_account(&beyond, 9, &sums));
}
END_TEST

/* Lines of the host's cache: what queues touch, what caches touch, and two of stages. */
START_TEST(a_transaction_is_small)
{
    ck_assert_uint_lt(offsetof(Transaction, message.entry), HOST_LINE);
    ck_assert_uint_eq(offsetof(Transaction, line), HOST_LINE);
    ck_assert_uint_eq(offsetof(Transaction, began), 2 * HOST_LINE);
    ck_assert_uint_ge(4 * HOST_LINE, offsetof(Transaction, passed[28]));
    ck_assert_uint_le(sizeof(Transaction), 8 * HOST_LINE);
}
END_TEST

/* The primary is at 5..10 in l1_tag, 10..40 in request_wire, 40..60 in l2_queue, then in fill.
 * The other waits from 30 on: for it 10 of request_wire, all of l2_queue, all of fill. */
START_TEST(a_merged_request_has_the_stages_of_its_primary_from_the_merge_on)
{
    static const uint64_t primary_rows[][2] = {
        {STAGE_L1_TAG, 5}, {STAGE_REQUEST_WIRE, 10}, {STAGE_L2_QUEUE, 40}, {STAGE_FILL, 60}};
    static const uint64_t own_rows[][2] = {{STAGE_ISSUE, 12}, {STAGE_COALESCE, 20}};
    static const uint64_t expected[][2] = {{STAGE_ISSUE, 12},
                                           {STAGE_COALESCE, 20},
                                           {STAGE_REQUEST_WIRE, 30},
                                           {STAGE_L2_QUEUE, 40},
                                           {STAGE_FILL, 60}};
    Transaction primary = {.stage_began = BEFORE_ALL_STAGES},
                merged = {.stage_began = BEFORE_ALL_STAGES};
    enter_all(&primary, primary_rows, 4);
    enter_all(&merged, own_rows, 2);
    transaction_inherit(&merged, &primary, 30);
    expect_stamps(&merged, expected, 5);
}
END_TEST

START_TEST(a_merge_at_a_change_of_stage_takes_the_new_one)
{
    static const uint64_t primary_rows[][2] = {{STAGE_L1_TAG, 5}, {STAGE_REQUEST_WIRE, 10}};
    static const uint64_t own_rows[][2] = {{STAGE_ISSUE, 2}};
    static const uint64_t expected[][2] = {{STAGE_ISSUE, 2}, {STAGE_REQUEST_WIRE, 10}};
    Transaction primary = {.stage_began = BEFORE_ALL_STAGES},
                merged = {.stage_began = BEFORE_ALL_STAGES};
    enter_all(&primary, primary_rows, 2);
    enter_all(&merged, own_rows, 1);
    transaction_inherit(&merged, &primary, 10);
    expect_stamps(&merged, expected, 2);
}
END_TEST

static Time random_log(GRand *random, Transaction *transaction, Time from, int entries)
{
    Time now = from;
    for (int i = 0; i < entries; i++) {
        const Stage stage = (Stage)g_rand_int_range(random, 0, STAGE_COUNT);
        if (transaction->stage < STAGES_IN_WORD)
            transaction_enter(transaction, stage, now);
        else
            transaction_enter_slowly(transaction, stage, now);
        now += (Time)g_rand_int_range(random, 0, 20);
    }
    return now;
}

/* Of the primary's log, what it spent in each stage from `from` on. */
static void measure_from(const Transaction *primary, Time from, Time end, Time stage[STAGE_COUNT])
{
    memset(stage, 0, sizeof *stage * STAGE_COUNT);
    uint64_t stamps[TRANSACTION_STAMPS];
    const unsigned count = transaction_stamps(primary, stamps);
    for (Time t = from; t < end; t++) {
        unsigned i = 0;
        while (i + 1 < count && stamp_time(stamps[i + 1]) <= t) i++;
        stage[stamp_stage(stamps[i])]++;
    }
}

START_TEST(the_stages_of_a_merged_request_sum_up_to_its_latency)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (unsigned round = 0; round < 2000; round++) {
        Transaction primary = {.stage_began = BEFORE_ALL_STAGES},
                    merged = {.stage_began = BEFORE_ALL_STAGES};
        Time own[STAGE_COUNT], theirs[STAGE_COUNT], all[STAGE_COUNT];
        const Time sent = random_log(random, &primary, 100, 3);
        const Time began = (Time)g_rand_int_range(random, 50, 200);
        Time merged_at = random_log(random, &merged, began, g_rand_int_range(random, 1, 5));
        merged_at = MAX(merged_at, sent);
        const Time end = random_log(random, &primary, sent, g_rand_int_range(random, 1, 20)) + 500;
        measure(&merged, merged_at, own);
        transaction_inherit(&merged, &primary, merged_at);
        measure_from(&primary, merged_at, end, theirs);
        ck_assert_uint_eq(measure(&merged, end, all), end - began);
        for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
            ck_assert_uint_eq(all[stage], own[stage] + theirs[stage]);
    }
}
END_TEST

/* What it inherits is not whole where the other one's log is not. */
START_TEST(a_merged_request_inherits_that_stages_were_lost)
{
    Transaction primary = {.stage_began = BEFORE_ALL_STAGES},
                merged = {.stage_began = BEFORE_ALL_STAGES};
    lose_stages(&primary);
    transaction_enter(&merged, STAGE_ISSUE, 7);
    transaction_inherit(&merged, &primary, primary.stage_began);
    StageSums sums = {.count = 0};
    ck_assert_uint_lt(merged.stages, STAGE_WORDS);
    ck_assert(!transaction_account(&merged, TIME_NEVER, &sums));
}
END_TEST

START_TEST(a_merged_request_with_a_full_log_keeps_its_sum)
{
    Transaction primary = {.stage_began = BEFORE_ALL_STAGES},
                merged = {.stage_began = BEFORE_ALL_STAGES};
    for (Time i = 0; i < TRANSACTION_STAMPS; i++)
        transaction_enter(&primary, i % 2 ? STAGE_REPLAY : STAGE_L1_TAG, 10 * i);
    for (Time i = 0; i < TRANSACTION_STAMPS / 2; i++)
        transaction_enter(&merged, i % 2 ? STAGE_ISSUE : STAGE_COALESCE, 7 + i);
    transaction_inherit(&merged, &primary, 55);
    ck_assert_uint_le(merged.stages, STAGE_WORDS + 1);
    ck_assert(!merged.stages_lost);
    Time stage[STAGE_COUNT];
    ck_assert_uint_eq(measure(&merged, 5000, stage), 5000 - 7);
}
END_TEST

START_TEST(a_new_transaction_knows_of_nobody)
{
    Transaction transaction;
    memset(&transaction, 0xff, sizeof transaction);
    message_rows[MESSAGE_TRANSACTION].init(&transaction.message);
    ck_assert_ptr_null(transaction.access);
    ck_assert_ptr_null(transaction.operands);
    ck_assert_ptr_null(transaction.merged);
    ck_assert_uint_eq(transaction.stages, 0);
    ck_assert(!transaction.for_rop && !transaction.kept_by_rop && !transaction.for_texture);
    for (guint i = 0; i < TRANSACTION_AT_L2; i++) ck_assert_uint_eq(transaction.at_l2[i], 0);
}
END_TEST

START_TEST(a_recycled_transaction_is_as_good_as_new)
{
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    Transaction *used = unit_new(unit, MESSAGE_TRANSACTION);
    WarpAccess *access = unit_new(unit, MESSAGE_WARP_ACCESS);
    transaction_enter(used, STAGE_FILL, 40);
    used->access = access;
    used->merged = used;
    unit_free_message(unit, &used->message);
    unit_free_message(unit, &access->message);
    Transaction *again = unit_new(unit, MESSAGE_TRANSACTION);
    ck_assert_ptr_eq(again, used);
    ck_assert_uint_eq(again->stages, 0);
    ck_assert_ptr_null(again->access);
    ck_assert_ptr_null(again->merged);
    ck_assert_ptr_null(again->message.next);
    ck_assert_uint_eq(again->message.id, 2);
    harness_free(harness);
}
END_TEST

/* Served by a hit at 40; by a fill at 300, after its fetch was looked up at 40; at 40 when nothing
 * is spent between the look-up and the way back. */
START_TEST(a_reply_says_when_its_data_was_read)
{
    static const struct {
        uint64_t entered[5][2];
        Time read_at;
    } rows[] = {
        {{{STAGE_L2_QUEUE, 30},
          {STAGE_L2_TAG, 40},
          {STAGE_REPLY_WIRE, 70},
          {STAGE_REPLY_QUEUE, 90},
          {STAGE_REPLY_WIRE, 95}},
         40},
        {{{STAGE_L2_TAG, 40},
          {STAGE_MEMORY_WIRE, 50},
          {STAGE_L2_TAG, 300},
          {STAGE_REPLY_WIRE, 320},
          {STAGE_FILL, 360}},
         300},
        {{{STAGE_MEMORY_WIRE, 30}, {STAGE_REPLY_QUEUE, 40}}, 40},
    };
    for (guint r = 0; r < G_N_ELEMENTS(rows); r++) {
        Transaction reply = {.stage_began = BEFORE_ALL_STAGES};
        for (guint i = 0; i < 5 && rows[r].entered[i][1]; i++)
            enter_all(&reply, &rows[r].entered[i], 1);
        ck_assert_uint_eq(transaction_read_at(&reply), rows[r].read_at);
    }
}
END_TEST

HARNESS_MAIN("transaction", a_reply_says_when_its_data_was_read,
             a_transaction_is_in_one_stage_after_the_other, a_stage_of_no_length_vanishes,
             entering_the_present_stage_again_changes_nothing,
             a_full_log_tells_what_is_long_ago_by_stage,
             a_log_of_more_stages_than_have_room_keeps_its_last_and_says_so,
             a_merged_request_inherits_that_stages_were_lost,
             a_stamp_holds_every_stage_and_minutes_of_time, a_stage_may_last_for_minutes,
             a_stage_behind_the_others_is_kept_and_inherited,
             stages_are_read_back_as_they_were_read,
             stages_that_go_back_in_time_are_not_accounted_for, a_transaction_is_small,
             a_merged_request_has_the_stages_of_its_primary_from_the_merge_on,
             a_merge_at_a_change_of_stage_takes_the_new_one,
             the_stages_of_a_merged_request_sum_up_to_its_latency,
             a_merged_request_with_a_full_log_keeps_its_sum, a_new_transaction_knows_of_nobody,
             a_recycled_transaction_is_as_good_as_new)
