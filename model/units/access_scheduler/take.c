/* The memory access scheduler: requests on their way into the stores. */
#include "units/access_scheduler/private.h"

uint32_t access_scheduler_bursts_of(const AccessScheduler *self, uint32_t sectors)
{
    const uint32_t sector = self->line->sector_bytes, burst = (uint32_t)self->dram->burst_bytes;
    uint32_t bursts = 0;
    for (uint32_t i = 0; sectors >> i; i++) {
        if (!(sectors >> i & 1)) continue;
        const uint32_t first = i * sector / burst, last = ((i + 1) * sector - 1) / burst;
        bursts |= ((2u << last) - 1) & ~((1u << first) - 1);
    }
    return bursts;
}

uint64_t access_scheduler_request_line(const AccessScheduler *self, const RowRequest *request)
{
    if (request->purpose == FOR_CODES) return request->line;
    return access_scheduler_line(self, ((const Transaction *)request->owner)->local);
}

/* --- reads of what waits to be written --- */

static const DecidedWrite *decided_at(const AccessScheduler *self, uint32_t index)
{
    return &self->decided[(self->first_decided + index) & (self->decided_room - 1)];
}

G_GNUC_NO_INLINE static uint32_t sectors_decided(AccessScheduler *self, uint64_t line)
{
    const uint64_t now = self->state.now;
    while (self->decided_count && decided_at(self, 0)->last_column <= now) {
        self->first_decided++;
        self->decided_count--;
    }
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < self->decided_count; i++) {
        const DecidedWrite *write = decided_at(self, i);
        if (write->line == line && write->last_column > now) sectors |= write->sectors;
    }
    return sectors;
}

/* Sectors of the access's line whose latest data is here or in L2, whole, because a write has not
 * gone. Of one that is written in part DRAM has the rest. */
static uint32_t sectors_unwritten(AccessScheduler *self, const DramAccess *access, uint64_t line)
{
    const RowSorter *sorter = &self->sorter[WRITES];
    if (!sorter->count && !self->decided_count) return 0;
    if (self->policy == POLICY_IN_ORDER) return 0; /* the write goes first */
    uint32_t sectors = self->decided_count ? sectors_decided(self, line) : 0;
    const RowRequest *write = row_sorter_find(sorter, access->bank_set, access->row);
    for (; write; write = row_sorter_at(sorter, write->next))
        if (access_scheduler_request_line(self, write) == line) sectors |= write->sectors;
    return sectors;
}

/* The whole read is answered with what is to be written: a message without commands. */
G_GNUC_NO_INLINE static bool answer(AccessScheduler *self, Transaction *transaction, Time now)
{
    if (!channel_ready(&self->to_dram, now)) {
        channel_await(&self->to_dram, now);
        return false;
    }
    self->reads++;
    self->forwarded++;
    level_enter(&self->reads_waiting, now);
    level_leave(&self->reads_waiting, now, now);
    histogram_add(&self->wait, now - transaction->entered);
    transaction_enter(transaction, STAGE_SCHEDULER_WAIT, transaction->entered);
    transaction_enter(transaction, STAGE_MEMORY_WIRE, now);
    DramCommands *commands = access_scheduler_new_commands(self, transaction);
    channel_send(&self->to_dram, &commands->message, now);
    return true;
}

/* --- into the stores --- */

/* There is no place, or no way, before one has left. */
static void refuse(AccessScheduler *self, bool write)
{
    self->head_waits = true;
    if (self->refused) return;
    self->refused = true;
    const RowSorter *sorter = &self->sorter[write];
    if (sorter->count < sorter->entries)
        self->refused_rows++;
    else if (write)
        self->refused_writes++;
    else
        self->refused_reads++;
}

bool access_scheduler_store(AccessScheduler *self, const DramAccess *access, const RequestFor *what,
                            Time now)
{
    RowSorter *sorter = &self->sorter[access->write];
    RowRequest *request = row_sorter_add(sorter, access);
    if (!request) {
        refuse(self, access->write);
        return false;
    }
    if (what->purpose == FOR_CODES)
        request->line = what->line;
    else
        request->owner = what->owner;
    request->purpose = what->purpose;
    request->came = now;
    request->sequence = self->sequence++;
    request->sectors = what->sectors;
    level_enter(access->write ? &self->writes_waiting : &self->reads_waiting, now);
    if (row_sorter_is_alone(sorter, request)) {
        row_sorter_row(sorter, request)->came = now;
        level_enter(access_scheduler_rows(self, access->write), now);
    }
    if (access_scheduler_has_codes(self) && what->purpose != FOR_CODES)
        access_scheduler_use_codes(self, what->line, access->write, what->moves_codes);
    return true;
}

G_GNUC_NO_INLINE static bool store_with_codes(AccessScheduler *self, const DramAccess *access,
                                              RequestFor *what, Time now)
{
    DramAccess both = *access;
    what->moves_codes = access_scheduler_add_codes(self, &both, what->line);
    return access_scheduler_store(self, &both, what, now);
}

static bool store(AccessScheduler *self, Transaction *transaction, const DramAccess *access,
                  uint64_t line, Time now)
{
    const uint32_t in_part = access->write ? transaction->partial : 0;
    RequestFor what = {transaction, line, transaction->sectors & ~in_part, FOR_L2, false};
    return access_scheduler_has_codes(self) ? store_with_codes(self, access, &what, now)
                                            : access_scheduler_store(self, access, &what, now);
}

/* The write itself comes into the store when its rest has been read. */
G_GNUC_NO_INLINE static bool store_merge(AccessScheduler *self, Transaction *write,
                                         uint32_t lacking, uint64_t line, Time now)
{
    RequestFor rest = {.owner = write, .purpose = FOR_MERGE, .line = line};
    DramAccess read = {.write = false};
    dram_map_access(&self->map, line, lacking, &read);
    if (access_scheduler_has_codes(self))
        rest.moves_codes = access_scheduler_add_codes(self, &read, line);
    if (!access_scheduler_store(self, &read, &rest, now)) return false;
    self->merges++;
    self->bytes_ecc_read += (uint64_t)__builtin_popcount(lacking) * self->dram->burst_bytes;
    return true;
}

/* Where it will lie in its store. */
static const DramAccess *decode(AccessScheduler *self, const Transaction *transaction,
                                uint64_t line)
{
    const bool write = transaction->type == TRANSACTION_WRITE;
    DramAccess *access = row_sorter_next_access(&self->sorter[write]);
    access->write = write;
    dram_map_access(&self->map, line, access_scheduler_bursts(self, transaction->sectors), access);
    return access;
}

/* No place is left, and nothing waits to be written: what the request is need not be known. */
static bool is_hopeless(const AccessScheduler *self, bool write)
{
    const RowSorter *sorter = &self->sorter[write];
    if (sorter->count < sorter->entries) return false;
    return write || (!self->sorter[WRITES].count && !self->decided_count);
}

/* Of a read the sectors that are `here` need not come from DRAM. */
static bool take_rest(AccessScheduler *self, Transaction *transaction, const DramAccess *access,
                      uint32_t here, Time now)
{
    const uint64_t line = access_scheduler_line(self, transaction->local);
    const uint32_t lacking = access->write ? access_scheduler_lacking(self, transaction) : 0;
    if (lacking) return store_merge(self, transaction, lacking, line, now);
    if (!here) return store(self, transaction, access, line, now);
    if (here == transaction->sectors) return answer(self, transaction, now);
    DramAccess rest = {.write = false};
    dram_map_access(&self->map, line, access_scheduler_bursts(self, transaction->sectors & ~here),
                    &rest);
    return store(self, transaction, &rest, line, now);
}

/* Bursts bring, or mask, what nobody asked for where they are longer than sectors. */
static void count_bytes(AccessScheduler *self, const Transaction *transaction, uint32_t here)
{
    const uint64_t burst = self->dram->burst_bytes;
    const bool write = transaction->type == TRANSACTION_WRITE;
    if (write) self->bytes_written += access_scheduler_bytes(self, transaction->sectors);
    if (here) self->bytes_forwarded += access_scheduler_bytes(self, here);
    if (burst <= self->line->sector_bytes) return;
    const uint32_t sectors = transaction->sectors & ~here;
    const uint32_t bursts = access_scheduler_bursts_of(self, sectors);
    *(write ? &self->bytes_masked : &self->bytes_overfetched) +=
        (uint64_t)__builtin_popcount(bursts) * burst - access_scheduler_bytes(self, sectors);
}

static bool take(AccessScheduler *self, Transaction *transaction, Time now)
{
    const bool write = transaction->type == TRANSACTION_WRITE;
    if (is_hopeless(self, write)) {
        refuse(self, write);
        return false;
    }
    transaction->entered = port_came(&self->from_l2);
    const uint64_t line = access_scheduler_line(self, transaction->local);
    const DramAccess *access = decode(self, transaction, line);
    const uint32_t here = write ? 0 : transaction->sectors & sectors_unwritten(self, access, line);
    if (!take_rest(self, transaction, access, here, now)) return false;
    count_bytes(self, transaction, here);
    return true;
}

void access_scheduler_take_all(AccessScheduler *self, Time now)
{
    self->head_waits = false;
    while ((!self->own_count || access_scheduler_store_own(self, now)) && self->from_l2.count
           && take(self, (Transaction *)port_peek(&self->from_l2), now)) {
        port_take(&self->from_l2, now);
        self->refused = false;
    }
}
