/* The memory access scheduler: codes that correct errors, and what is written in part.
 *
 * With dram.ecc = inline the last line of each `ecc_share` lines holds the codes of the others, in
 * the same row. The burst with a line's codes is read, or written, behind its data, unless it is
 * among the `ecc_entries` bursts that are kept here. A kept burst that was changed is written when
 * it has to go; one that is to be changed and is not here is read first. */
#include "units/access_scheduler/private.h"

bool access_scheduler_check_ecc(const AccessScheduler *self, GError **error)
{
    const DramTiming *dram = self->dram;
    const uint64_t line = self->line->line_bytes;
    if (dram->ecc != DRAM_ECC_INLINE) return true;
    if (line * dram->ecc_share <= dram->interleaved_groups * dram->row_bytes
        && line / dram->ecc_share <= dram->burst_bytes
        && line / dram->burst_bytes < DRAM_BURSTS_MAX)
        return true;
    g_set_error(error, PARAM_ERROR, 0,
                "dram.ecc_share = %" G_GUINT64_FORMAT
                ": with ecc = inline so many lines of %" G_GUINT64_FORMAT
                " B (machine.l2_line_bytes or machine.line_bytes) "
                "must fit into a row of the interleaved groups (row_bytes x interleaved_groups), "
                "and a line's codes into a burst of %" G_GUINT64_FORMAT
                " B (channel_width x burst_length), of which a line has at most %d",
                dram->ecc_share, line, dram->burst_bytes, DRAM_BURSTS_MAX - 1);
    return false;
}

uint64_t access_scheduler_line_among_codes(const AccessScheduler *self, uint64_t local)
{
    const uint64_t bytes = self->line->line_bytes, line = local / bytes;
    const uint64_t share = self->dram->ecc_share;
    return (line / (share - 1) * share + line % (share - 1)) * bytes;
}

/* --- bursts of codes -------------------------------------------------------------------------- */

/* Its first byte. */
static uint64_t codes_of(const AccessScheduler *self, uint64_t line)
{
    const uint64_t bytes = self->line->line_bytes, share = self->dram->ecc_share;
    const uint64_t number = line / bytes, last = number | (share - 1);
    const uint64_t at = last * bytes + number % share * (bytes / share);
    return at - at % self->dram->burst_bytes;
}

static DramAccess access_codes(AccessScheduler *self, uint64_t codes, bool write)
{
    const uint64_t in_line = codes % self->line->line_bytes;
    DramAccess access = {.write = write};
    dram_map_access(&self->map, codes - in_line, 1u << (in_line / self->dram->burst_bytes),
                    &access);
    return access;
}

static EccEntry *find_codes(const AccessScheduler *self, uint64_t codes)
{
    for (uint32_t i = 0; i < self->ecc_kept; i++)
        if (self->codes[i].at == codes) return &self->codes[i];
    return NULL;
}

/* The codes lie in the row of the data, and so in one of the banks of its bank set. */
static void append(DramAccess *access, const DramAccess *codes)
{
    uint8_t bank = 0;
    while (bank < access->banks && access->bank[bank] != codes->bank[0]) bank++;
    if (bank == access->banks) access->bank[bank] = codes->bank[0];
    dram_access_add_apart(access, bank, dram_access_column(codes, 0));
}

bool access_scheduler_add_codes(AccessScheduler *self, DramAccess *access, uint64_t line)
{
    const uint64_t codes = codes_of(self, line);
    if (self->ecc_entries && (access->write || find_codes(self, codes))) return false;
    const DramAccess burst = access_codes(self, codes, access->write);
    append(access, &burst);
    return true;
}

/* --- the scheduler's own requests ------------------------------------------------------------- */

static void ask(AccessScheduler *self, const OwnRequest *request)
{
    g_assert(self->own_count < access_scheduler_own_most(self, true));
    self->own[self->own_count++] = *request;
}

bool access_scheduler_store_own(AccessScheduler *self, Time now)
{
    do {
        if (!access_scheduler_store(self, &self->own[0].access, &self->own[0].what, now))
            return false;
        self->own_count--;
        for (uint32_t i = 0; i < self->own_count; i++) self->own[i] = self->own[i + 1];
    } while (self->own_count);
    return true;
}

static void count_burst(AccessScheduler *self, bool write)
{
    *(write ? &self->ecc_writes : &self->ecc_reads) += 1;
    *(write ? &self->bytes_ecc_written : &self->bytes_ecc_read) += self->dram->burst_bytes;
}

static void ask_for_codes(AccessScheduler *self, uint64_t codes, bool write)
{
    const uint64_t in_line = codes % self->line->line_bytes;
    ask(self, &(OwnRequest){.access = access_codes(self, codes, write),
                            .what = {.purpose = FOR_CODES,
                                     .line = codes - in_line,
                                     .sectors = 1u << (in_line / self->dram->burst_bytes)}});
    count_burst(self, write);
}

static EccEntry *oldest_codes(const AccessScheduler *self)
{
    EccEntry *oldest = &self->codes[0];
    for (uint32_t i = 1; i < self->ecc_kept; i++)
        if (self->codes[i].used < oldest->used) oldest = &self->codes[i];
    return oldest;
}

static EccEntry *keep(AccessScheduler *self, uint64_t codes)
{
    EccEntry *entry;
    if (self->ecc_kept < self->ecc_entries) {
        entry = &self->codes[self->ecc_kept++];
    } else {
        entry = oldest_codes(self);
        if (entry->changed) ask_for_codes(self, entry->at, true);
    }
    *entry = (EccEntry){.at = codes};
    return entry;
}

void access_scheduler_use_codes(AccessScheduler *self, uint64_t line, bool write, bool moved)
{
    if (moved) count_burst(self, write);
    if (!self->ecc_entries) return;
    const uint64_t codes = codes_of(self, line);
    EccEntry *entry = find_codes(self, codes);
    self->ecc_hits += entry != NULL;
    if (!entry) {
        entry = keep(self, codes);
        if (write) ask_for_codes(self, codes, false);
    }
    entry->used = ++self->ecc_uses;
    entry->changed = entry->changed || write;
}

/* --- what is written in part ------------------------------------------------------------------ */

uint32_t access_scheduler_lacking(const AccessScheduler *self, const Transaction *write)
{
    if (self->dram->ecc == DRAM_ECC_NONE) return 0;
    const uint32_t whole = write->sectors & ~(uint32_t)write->partial;
    const uint32_t sector = self->line->sector_bytes, burst = (uint32_t)self->dram->burst_bytes;
    uint32_t lacking = access_scheduler_bursts(self, write->partial);
    if (sector >= burst) return lacking;
    const uint32_t each = burst / sector, all = (1u << each) - 1;
    const uint32_t wanted = access_scheduler_bursts(self, write->sectors);
    for (uint32_t i = 0; wanted >> i; i++)
        if ((wanted >> i & 1) && (whole >> i * each & all) != all) lacking |= 1u << i;
    return lacking;
}

/* Its read is booked: the write follows, on the bus behind it. */
void access_scheduler_write_merged(AccessScheduler *self, const RowRequest *read)
{
    const Transaction *write = read->owner;
    const uint64_t line = access_scheduler_request_line(self, read);
    OwnRequest request = {
        .access = {.write = true},
        .what = {.owner = read->owner, .purpose = FOR_L2, .line = line, .sectors = write->sectors}};
    dram_map_access(&self->map, line, access_scheduler_bursts(self, write->sectors),
                    &request.access);
    request.what.moves_codes =
        access_scheduler_has_codes(self) && access_scheduler_add_codes(self, &request.access, line);
    ask(self, &request);
}
