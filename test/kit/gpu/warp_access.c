/* An access and its parts: what it takes, and that it comes back. */
#include "kit/gpu/warp_access.h"
#include "kit/gpu/texture.h"
#include "rigs/harness.h"

#include <stddef.h>

static uint64_t parts_taken(const Unit *unit, MessageKind kind)
{
    uint64_t count = 0;
    for (const Message *part = unit->messages.pools->kind[kind].free; part; part = part->next)
        count++;
    return unit->messages.pools->kind[kind].messages - count;
}

/* Its header and the first lines of a coalesced access are in a few lines of the host's cache. */
START_TEST(an_access_is_small)
{
    ck_assert_uint_eq(offsetof(WarpAccess, kernel), HOST_LINE);
    ck_assert_uint_eq(2 * HOST_LINE, offsetof(WarpAccess, instruction.base));
    ck_assert_uint_ge(5 * HOST_LINE, offsetof(WarpAccess, few[2]));
    ck_assert_uint_le(sizeof(WarpAccess), 7 * HOST_LINE);
}
END_TEST

START_TEST(few_lines_are_in_the_access_and_many_beside_it)
{
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    for (uint32_t lines = 0; lines <= ACCESS_LINES; lines++) {
        WarpAccess *access = unit_new(unit, MESSAGE_WARP_ACCESS);
        ck_assert_uint_eq(access->lines, 0);
        warp_access_take_lines(&unit->messages, access, lines);
        ck_assert_uint_eq(access->lines, lines);
        for (uint32_t i = 0; i < lines; i++) access->line[i] = (AccessLine){.line = 128 * i};
        ck_assert_uint_eq(parts_taken(unit, MESSAGE_ACCESS_LINES), lines > ACCESS_FEW);
        unit_free_message(unit, &access->message);
        ck_assert_uint_eq(parts_taken(unit, MESSAGE_ACCESS_LINES), 0);
    }
    harness_free(harness);
}
END_TEST

/* Whatever became of the one that had its memory: a texture unit's reads are made without
 * warp_access_begin. */
START_TEST(a_new_access_has_been_refused_by_nothing)
{
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    for (uint32_t round = 0; round < 2; round++) {
        TextureFetch *fetch = unit_new(unit, MESSAGE_TEXTURE_FETCH);
        ck_assert_int_eq(fetch->access.refused, REFUSED_NOT);
        fetch->access.refused = REFUSED_NETWORK;
        unit_free_message(unit, &fetch->access.message);
    }
    harness_free(harness);
}
END_TEST

/* The addresses are copied: the warp's next instruction overwrites its list. */
START_TEST(lanes_are_there_for_lists_and_atomics)
{
    static const struct {
        bool list;
        Operation operation;
    } rows[] = {{false, OPERATION_LOAD}, {true, OPERATION_LOAD}, {false, OPERATION_ATOMIC}};
    Harness *harness = harness_new();
    Unit *unit = harness_source(harness, "source");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t list[] = {4096, 512}, address[LANES_MAX];
        const Instruction instruction = {.operation = (uint8_t)rows[i].operation,
                                         .mask = 5,
                                         .base = 100,
                                         .stride = 4,
                                         .addresses = rows[i].list ? list : NULL};
        WarpAccess *access = unit_new(unit, MESSAGE_WARP_ACCESS);
        const uint64_t made = message_source_made(&unit->messages);
        warp_access_begin(&unit->messages, access, &instruction, 0);
        list[0] = list[1] = 0;
        warp_access_lane_addresses(access, address);
        ck_assert_uint_eq(address[0], rows[i].list ? 4096 : 100);
        ck_assert_uint_eq(address[2], rows[i].list ? 512 : 108);
        ck_assert_uint_eq(parts_taken(unit, MESSAGE_ACCESS_LANES), i > 0);
        ck_assert_uint_eq(message_source_made(&unit->messages), made); /* a part has no id */
        unit_free_message(unit, &access->message);
        ck_assert_uint_eq(parts_taken(unit, MESSAGE_ACCESS_LANES), 0);
    }
    harness_free(harness);
}
END_TEST

HARNESS_MAIN("warp access", an_access_is_small, a_new_access_has_been_refused_by_nothing,
             few_lines_are_in_the_access_and_many_beside_it, lanes_are_there_for_lists_and_atomics)
