/* The rig: a source of warps' memory instructions, the load/store unit, a sink for lines (L1) and
 * one for shared-memory instructions that are done. All paths take a cycle: an instruction that is
 * issued at 10 is here at 11, and its first line is at L1 at 12. */
#include "unit_rig.h"

#include "parts/coalescer.h"

#include <string.h>

extern const UnitClass load_store_class;

typedef struct {
    uint64_t at;
    Operation operation;
    Space space;
    uint64_t base;
    int64_t stride;
    const uint64_t *addresses; /* of all lanes, instead */
    uint32_t mask;             /* 0: all lanes */
} Access;

typedef struct {
    Harness *harness;
    Unit *source, *unit, *l1, *sm;
    LineShape line;
    const Access *accesses;
    guint count;
} Rig;

static Message *make_access(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number >= rig->count) return NULL;
    const Access *wanted = &rig->accesses[number];
    *at = wanted->at * source->clock->period;
    WarpAccess *access = unit_new_access(source);
    access->issued = *at;
    access->warp = (uint32_t)number;
    access->instruction = (Instruction){.operation = (uint8_t)wanted->operation,
                                        .space = (uint8_t)wanted->space,
                                        .base = wanted->base,
                                        .stride = wanted->stride,
                                        .addresses = wanted->addresses,
                                        .mask = wanted->mask ? wanted->mask : UINT32_MAX,
                                        .width = 4,
                                        .hint = CACHE_STREAMING};
    if (wanted->addresses) memcpy(access->address, wanted->addresses, sizeof access->address);
    return &access->message;
}

typedef struct {
    uint32_t queue, l1; /* places; 0: without bound */
} Room;

static Rig *rig_new(const char *settings, Room room)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->source = harness_source(rig->harness, "source");
    rig->unit = harness_add(rig->harness, &load_store_class, "load_store", settings);
    rig->l1 = harness_sink(rig->harness, "l1");
    rig->sm = harness_sink(rig->harness, "sm");
    harness_connect(rig->harness, rig->source, "out", rig->unit, "from_sm",
                    (Path){.capacity = room.queue});
    harness_connect(rig->harness, rig->unit, "to_l1", rig->l1, "in", (Path){.capacity = room.l1});
    harness_connect(rig->harness, rig->unit, "to_sm", rig->sm, "in", (Path){.capacity = 0});
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Access *accesses, guint count)
{
    rig->accesses = accesses;
    rig->count = count;
    harness_generate(rig->source, make_access, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
}

#define RUN(rig, accesses) run(rig, accesses, G_N_ELEMENTS(accesses))

/* Lines `first`.. of the arrivals come in successive cycles, `apart`. */
static void assert_lines(const Rig *rig, uint64_t first, uint64_t count, uint64_t cycle,
                         uint64_t apart)
{
    for (uint64_t i = 0; i < count; i++)
        ck_assert_uint_eq(harness_arrival(rig->l1, first + i)->cycle, cycle + i * apart);
}

/* 1 + 32 + 16 lines, one a cycle without a gap: 12, 13 to 44, 45 to 60. */
START_TEST(an_instruction_of_k_lines_takes_k_passes)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 0, .stride = 4},
        {.at = 11, .operation = OPERATION_LOAD, .base = 0, .stride = 128},
        {.at = 12, .operation = OPERATION_LOAD, .base = 0, .stride = 64}};
    g_autoptr(Rig) rig = rig_new("pass_interval = 1 cycle", (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->l1), 1 + 32 + 16);
    assert_lines(rig, 0, 49, 12, 1);
    ck_assert_uint_eq(unit_count(rig->unit, "instructions"), 3);
    ck_assert_uint_eq(unit_count(rig->unit, "transactions"), 49);
    ck_assert_uint_eq(unit_count(rig->unit, "uncoalesced"), 2);
    ck_assert_uint_eq(unit_bytes(rig->unit, "requested_bytes"), 3 * 128);
}
END_TEST

START_TEST(passes_are_their_interval_apart)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 0, .stride = 64},
        {.at = 20, .operation = OPERATION_LOAD, .base = 0, .stride = 4}};
    g_autoptr(Rig) rig = rig_new("pass_interval = 3 cycles", (Room){0});
    RUN(rig, accesses);
    assert_lines(rig, 0, 17, 12, 3);
}
END_TEST

/* Bytes 224 to 351: sector 3 of line 128 is whole, and sectors 0 to 2 of line 256. 16 lanes
 * from 16 on: half of sector 0, sector 1, half of 2. */
START_TEST(lines_carry_their_sectors_and_their_type)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 224, .stride = 4},
        {.at = 20, .operation = OPERATION_STORE, .base = 16, .stride = 4, .mask = 0xffff},
        {.at = 30, .operation = OPERATION_ATOMIC, .base = 512 + 128, .stride = 0}};
    static const struct {
        uint64_t line;
        uint16_t sectors, partial;
        TransactionType type;
        uint32_t bytes;
    } expected[] = {{128, 8, 0, TRANSACTION_READ, 32},
                    {256, 7, 0, TRANSACTION_READ, 96},
                    {0, 7, 5, TRANSACTION_WRITE, 64},
                    {640, 1, 1, TRANSACTION_ATOMIC, 128}};
    g_autoptr(Rig) rig = rig_new(NULL, (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->l1), G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const Transaction *line = harness_transaction(rig->l1, i);
        ck_assert_uint_eq(line->line, expected[i].line);
        ck_assert_uint_eq(line->sectors, expected[i].sectors);
        ck_assert_uint_eq(line->partial, expected[i].partial);
        ck_assert_int_eq(line->type, expected[i].type);
        ck_assert_uint_eq(line->requested_bytes, expected[i].bytes);
        ck_assert_int_eq(line->hint, CACHE_STREAMING);
    }
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->l1, 1), 13 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 coalesce 2"); /* the second line, a pass later */
}
END_TEST

START_TEST(lanes_with_addresses_of_their_own_are_grouped_by_line)
{
    static uint64_t addresses[WARP_LANES];
    for (uint32_t i = 0; i < WARP_LANES; i++) addresses[i] = 128 * (i % 3) + 4 * i;
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .addresses = addresses}};
    g_autoptr(Rig) rig = rig_new(NULL, (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->l1), 3);
    for (uint64_t i = 0; i < 3; i++)
        ck_assert_uint_eq(harness_transaction(rig->l1, i)->line, 128 * i);
}
END_TEST

/* The first instruction is taken at 11. With 32 lines, its passes go on until 43, and the second,
 * here at 13, is taken 8 passes before that, at 35. */
START_TEST(an_instruction_is_taken_when_few_passes_are_left)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 0, .stride = 128},
        {.at = 12, .operation = OPERATION_LOAD, .base = 0, .stride = 4}};
    g_autoptr(Rig) rig = rig_new("lines_ahead = 8", (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrival(rig->l1, 32)->cycle, 44);
    ck_assert_uint_eq(unit_level(rig->unit, "queue")->stay, (35 - 13) * TIME_NS);
    assert_little(rig->unit, "queue");
}
END_TEST

START_TEST(without_lines_ahead_an_instruction_waits_for_the_last_pass)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 0, .stride = 128},
        {.at = 12, .operation = OPERATION_LOAD, .base = 0, .stride = 4}};
    g_autoptr(Rig) rig = rig_new("lines_ahead = 0", (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrival(rig->l1, 32)->cycle, 44);
    ck_assert_uint_eq(unit_level(rig->unit, "queue")->stay, (43 - 13) * TIME_NS);
}
END_TEST

/* Six instructions of 32 lines, two of which can wait: the SM is refused, but the passes go on. */
START_TEST(no_more_instructions_wait_than_the_queue_holds)
{
    static Access accesses[6];
    for (guint i = 0; i < G_N_ELEMENTS(accesses); i++)
        accesses[i] = (Access){.at = 10 + i, .operation = OPERATION_LOAD, .stride = 128};
    g_autoptr(Rig) rig = rig_new(NULL, (Room){.queue = 2});
    RUN(rig, accesses);
    ck_assert_uint_eq(rig->unit->ports[0]->highest, 2);
    ck_assert_uint_gt(rig->unit->ports[0]->channel->refused, 0);
    assert_lines(rig, 0, 6 * 32, 12, 1);
}
END_TEST

/* L1's one place is taken until 100 and known to be free at 101; then a line every two cycles. */
START_TEST(lines_wait_while_L1_has_no_room)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .base = 0, .stride = 12}};
    g_autoptr(Rig) rig = rig_new(NULL, (Room){.l1 = 1});
    harness_withhold(rig->l1, 100);
    RUN(rig, accesses);
    static const uint64_t cycles[] = {100, 102, 104};
    ck_assert_uint_eq(harness_arrivals(rig->l1), G_N_ELEMENTS(cycles));
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++)
        ck_assert_uint_eq(harness_arrival(rig->l1, i)->cycle, cycles[i]);
    ck_assert_uint_eq(unit_count(rig->unit, "stalls"), 2);
}
END_TEST

/* Here at 11, done 15 cycles later, back at 27; the next one a pass later. A global load behind
 * them waits for their two passes. */
START_TEST(shared_and_constant_instructions_are_done_here)
{
    static const Access accesses[] = {
        {.at = 10, .operation = OPERATION_LOAD, .space = SPACE_SHARED, .stride = 4},
        {.at = 10, .operation = OPERATION_LOAD, .space = SPACE_CONSTANT, .stride = 0},
        {.at = 10, .operation = OPERATION_LOAD, .space = SPACE_GLOBAL, .stride = 4}};
    g_autoptr(Rig) rig = rig_new("shared_latency = 15 cycles", (Room){0});
    RUN(rig, accesses);
    ck_assert_uint_eq(harness_arrivals(rig->sm), 2);
    for (uint64_t i = 0; i < 2; i++) {
        const Arrived *done = harness_arrival(rig->sm, i);
        ck_assert_uint_eq(((const WarpAccess *)done->message)->warp, i);
        ck_assert_uint_eq(done->cycle, 27 + i);
    }
    ck_assert_uint_eq(harness_arrivals(rig->l1), 1);
    assert_lines(rig, 0, 1, 14, 1);
    ck_assert_uint_eq(unit_count(rig->unit, "shared_instructions"), 2);
    assert_little(rig->unit, "queue");
}
END_TEST

HARNESS_MAIN("load_store", an_instruction_of_k_lines_takes_k_passes,
             passes_are_their_interval_apart, lines_carry_their_sectors_and_their_type,
             lanes_with_addresses_of_their_own_are_grouped_by_line,
             an_instruction_is_taken_when_few_passes_are_left,
             without_lines_ahead_an_instruction_waits_for_the_last_pass,
             no_more_instructions_wait_than_the_queue_holds, lines_wait_while_L1_has_no_room,
             shared_and_constant_instructions_are_done_here)
