/* L1 with the texture unit's two sides: requests of its own cache, which pass, and reads of what L1
 * caches for it. A request takes 1 in + 1 out + 100 + 1 back + 1 to the texture unit; a read what a
 * load takes. */
#pragma once

#include "rig.h"

#include "kit/gpu/texture.h"

enum { PASS = 104, ROOM = 16, LINES = 6 };

static const TextureBinding binding;

typedef struct {
    uint64_t at, line;
    TransactionType type;
    bool has_result;
    uint64_t back; /* 0: not asked */
} Request;

typedef struct {
    uint64_t at;
    uint64_t line[LINES]; /* numbers; 0: no more */
    uint16_t sectors;     /* of each; 0: one */
    uint64_t back;
} Read;

static const Request *requests;
static const Read *reads;
static guint request_count, read_count;
static Unit *fills, *lines_read;
static FarSide *mmu;

static inline TextureFetch *fetch_of(Unit *source, const Instruction *instruction, Time at)
{
    TextureFetch *fetch = unit_new(source, MESSAGE_TEXTURE_FETCH);
    WarpAccess *access = &fetch->access;
    warp_access_begin(&source->messages, access, instruction, at);
    leave_anything(access);
    access->reached = access->began = fetch->ready = at;
    fetch->record = NULL;
    access->dependent = false;
    return fetch;
}

static inline Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    if (number >= request_count) return NULL;
    const Request *request = &requests[number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    const Instruction instruction = {.operation = request->type == TRANSACTION_READ ? OPERATION_LOAD
                                                  : request->type == TRANSACTION_WRITE
                                                      ? OPERATION_STORE
                                                      : OPERATION_ATOMIC,
                                     .destination_count = request->has_result};
    transaction->virtual_line = request->line * 128;
    transaction->sectors = 3;
    transaction->partial = 0;
    transaction->type = (uint8_t)request->type;
    transaction->no_result = !request->has_result;
    transaction->source = 77;
    transaction->message.entry = (uint32_t)number;
    transaction->access = &fetch_of(source, &instruction, *at)->access;
    transaction_enter(transaction, STAGE_TEXTURE_TAG, *at);
    return &transaction->message;
}

static inline Message *make_read(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    if (number >= read_count) return NULL;
    const Read *read = &reads[number];
    *at = read->at * source->clock->period;
    const Instruction instruction = {
        .operation = OPERATION_LOAD, .space = SPACE_TEXTURE, .binding = &binding};
    TextureFetch *fetch = fetch_of(source, &instruction, *at);
    WarpAccess *access = &fetch->access;
    fetch->fragment = (uint32_t)number;
    const uint16_t sectors = read->sectors ? read->sectors : 1;
    for (; access->lines < LINES && read->line[access->lines]; access->lines++)
        access->line[access->lines] =
            (AccessLine){.line = read->line[access->lines] * 128, .bytes = 16, .sectors = sectors};
    return &access->message;
}

static inline Rig *rig_new_with_texture(const char *settings, uint32_t network_room)
{
    Rig *rig = rig_new(settings, network_room);
    Unit *misses = harness_source(rig->harness, "misses"),
         *reader = harness_source(rig->harness, "reader");
    fills = harness_sink(rig->harness, "fills");
    lines_read = harness_sink(rig->harness, "lines_read");
    harness_connect(rig->harness, misses, "out", rig->l1, "from_texture_misses",
                    (Path){.capacity = ROOM});
    harness_connect(rig->harness, reader, "out", rig->l1, "from_texture", (Path){.capacity = ROOM});
    harness_connect(rig->harness, rig->l1, "to_texture_fills", fills, "in", (Path){0});
    harness_connect(rig->harness, rig->l1, "to_texture", lines_read, "in", (Path){0});
    harness_generate(misses, make_request, rig);
    harness_generate(reader, make_read, rig);
    requests = NULL;
    reads = NULL;
    request_count = read_count = 0;
    return rig;
}

/* As in test_l1_translation: two entries of 4 KiB, an MMU that answers after 20 cycles. */
static inline Rig *rig_new_with_mmu(const char *settings, uint32_t network_room, uint32_t mmu_room)
{
    g_autofree char *all = g_strconcat("tlb_entries = 2; tlb_entry_bytes = 4 KiB;"
                                       "tlb_hit_latency = 2 cycles;",
                                       settings, NULL);
    Rig *rig = rig_new_with_texture(all, network_room);
    mmu = far_side_add(rig->harness, rig->l1, "to_mmu", "from_mmu", mmu_room);
    mmu->latency = 20;
    return rig;
}

#define PASSING(list) (requests = (list), request_count = G_N_ELEMENTS(list))
#define READING(list) (reads = (list), read_count = G_N_ELEMENTS(list))

static inline void run_all(Rig *rig, const Lookup *lookups, guint count)
{
    run(rig, lookups, count);
    for (guint i = 0; i < request_count; i++) {
        if (!requests[i].back) continue;
        uint64_t found = 0;
        for (uint64_t k = 0; k < harness_arrivals(fills); k++)
            if (harness_transaction(fills, k)->message.entry == i)
                found = harness_arrival(fills, k)->cycle;
        ck_assert_msg(found == requests[i].back, "request %u at %" G_GUINT64_FORMAT, i, found);
    }
    for (guint i = 0; i < read_count; i++) {
        uint64_t found = 0;
        for (uint64_t k = 0; k < harness_arrivals(lines_read); k++)
            if (((const TextureFetch *)harness_arrival(lines_read, k)->message)->fragment == i)
                found = harness_arrival(lines_read, k)->cycle;
        ck_assert_msg(reads[i].back == ANY || found == reads[i].back,
                      "read %u at %" G_GUINT64_FORMAT, i, found);
    }
    ck_assert_uint_eq(harness_arrivals(fills), request_count);
    ck_assert_uint_eq(harness_arrivals(lines_read), read_count);
    assert_stays(rig, "texture_queue");
}
