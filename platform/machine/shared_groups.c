#include "platform/machine/shared_groups.h"

#include "parts/bits.h"
#include "platform/machine/private.h"

static const char *const hashes[] = {"none", "xor_fold", "mix", NULL};

static const Param address_map_params[] = {
    PARAM_NUMBER(AddressMap, granularity, PARAM_BYTES, "256 B", 32, 1048576,
                 "consecutive bytes that one slice serves, a power of two"),
    PARAM_NUMBER(
        AddressMap, partition_bytes, PARAM_BYTES, "0 B", 0, 1048576,
        "consecutive bytes whose chunks the slices of a partition serve in turns, a power of "
        "two; 0: all slices take turns"),
    PARAM_ONE_OF(
        AddressMap, hash, hashes, "mix", "how rounds of chunks are rotated over the slices",
        .relieves = "pending_request_table request_network reply_network network l2_bandwidth "
                    "l2_capacity l2_pending dram_bandwidth dram_timing dram"),
    PARAM_END};

const ParamGroup address_map_group = {.name = "address_map",
                                      .summary = "interleaving of addresses over the L2 slices",
                                      .params = address_map_params};

static const char *const frame_orders[] = {"identity", "scattered", NULL};

static const Param pages_params[] = {
    PARAM_NUMBER(Frames, page_bytes, PARAM_BYTES, "2 MiB", 4096, 0x1p30,
                 "bytes of a page, a power of two"),
    PARAM_ONE_OF(Frames, frames, frame_orders, "identity",
                 "where pages lie: physical = virtual address, or in an arbitrary order"),
    PARAM_NUMBER(Frames, memory_bytes, PARAM_BYTES, "0 B", 0, 0x1p48,
                 "memory that scattered pages fill; 0: all DRAM", .only_if = "frames = scattered"),
    PARAM_NUMBER(Frames, seed, PARAM_COUNT, "0", 0, 0x1p53,
                 "of the scattered order, mixed with the run's seed",
                 .only_if = "frames = scattered"),
    PARAM_END};

const ParamGroup pages_group = {
    .name = "pages", .summary = "virtual to physical addresses", .params = pages_params};

static const char *const paging_modes[] = {"none", "demand", "unlimited", NULL};

static const Param paging_params[] = {
    PARAM_ONE_OF(Paging, mode, paging_modes, "none",
                 "arrays that DRAM has not room for are refused, or come from the host page by "
                 "page as they are first wanted; unlimited: no hardware, everything is in DRAM",
                 .perfect = PERFECT(IN("paging", "unlimited", .needs = "mode = demand"))),
    PARAM_NUMBER(Paging, page_bytes, PARAM_BYTES, "64 KiB", 4096, 0x1p30,
                 "demand: bytes of a page, that move together at least",
                 .only_if = "mode = demand"),
    PARAM_NUMBER(Paging, block_bytes, PARAM_BYTES, "2 MiB", 4096, 0x1p36,
                 "demand: bytes of a block, whose pages are prefetched and evicted together; at "
                 "most 64 pages",
                 .only_if = "mode = demand"),
    PARAM_NUMBER(Paging, memory_bytes, PARAM_BYTES, "0 B", 0, 0x1p48,
                 "demand: DRAM for pages; 0: all of it", .doubling = TWICE, .relieves = "paging",
                 .only_if = "mode = demand"),
    PARAM_END};

const ParamGroup paging_group = {.name = "paging",
                                 .summary = "memory that is with the host until it is wanted",
                                 .params = paging_params};

static const char *const ideals[] = {"no", "timing", "bandwidth", NULL};
static const char *const eccs[] = {"none", "sideband", "inline", NULL};
static const char *const refreshes[] = {"off", "per_bank", "all_bank", NULL};

#define DRAM_CYCLES(field, fallback, lowest, text, ...)                                            \
    PARAM_NUMBER(DramTiming, field, PARAM_DURATION, fallback, lowest, 1000, text, __VA_ARGS__)
#define REFRESH_CYCLES(field, fallback, text, ...)                                                 \
    PARAM_NUMBER(DramTiming, field, PARAM_DURATION, fallback, 1, 1e6, text, __VA_ARGS__)

/* What opening a row takes is how far an ideal channel's scheduler looks ahead, too. */
#define REAL .only_if = "ideal = no"

/* The defaults are a pseudo-channel of V100's HBM2 at a command clock of 877 MHz; sources in
 * platform/presets/v100.ini. */
static const Param dram_params[] = {
    PARAM_STRING(DramTiming, part, "",
                 "part of `warpmem list parts` that this group and machine.dram_clock come from"),
    PARAM_NUMBER(DramTiming, channel_width, PARAM_BYTES, "8 B", 1, 64, "data bus of a channel"),
    PARAM_NUMBER(DramTiming, burst_length, PARAM_COUNT, "4", 1, 64, "beats in a burst"),
    PARAM_NUMBER(DramTiming, data_rate, PARAM_COUNT, "2", 1, 16,
                 "beats a command clock cycle: HBM 2, GDDR5 4, GDDR5X and GDDR6 8"),
    PARAM_NUMBER(DramTiming, bank_groups, PARAM_COUNT, "4", 1, DRAM_GROUPS_MAX,
                 "bank groups of a channel", .doubling = TWICE),
    PARAM_NUMBER(DramTiming, banks_per_group, PARAM_COUNT, "4", 1, DRAM_BANKS_MAX,
                 "banks of a group", .doubling = TWICE),
    PARAM_NUMBER(DramTiming, rows, PARAM_COUNT, "16384", 1, 4194304, "rows of a bank"),
    PARAM_NUMBER(DramTiming, row_bytes, PARAM_BYTES, "1 KiB", 64, 65536, "bytes of a row (page)"),
    PARAM_NUMBER(DramTiming, interleaved_groups, PARAM_COUNT, "2", 1, DRAM_SPAN_MAX,
                 "bank groups that neighbouring pieces of a line alternate between"),
    PARAM_NUMBER(DramTiming, group_interleave, PARAM_BYTES, "64 B", 8, 65536,
                 "bytes of such a piece"),
    PARAM_SWITCH(DramTiming, bank_hash, "yes", "row bits take part in the choice of the bank",
                 .relieves = "dram_bandwidth dram_timing dram"),
    DRAM_CYCLES(CL, "12 cycles", 1, "read latency: column to first data",
                .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
                .doubling = HALF),
    DRAM_CYCLES(CWL, "2 cycles", 1, "write latency: column to first data",
                .perfect = PERFECT(IN("dram_latency", "1 cycle"), IN("dram", "1 cycle")),
                .doubling = HALF, REAL),
    DRAM_CYCLES(tRCDRD, "12 cycles", 1, "activate to read", .doubling = HALF),
    DRAM_CYCLES(tRCDWR, "12 cycles", 1, "activate to write", .doubling = HALF),
    DRAM_CYCLES(tRP, "12 cycles", 1, "precharge to activate", .doubling = HALF),
    DRAM_CYCLES(tRAS, "28 cycles", 1, "activate to precharge", .doubling = HALF, REAL),
    DRAM_CYCLES(tRC, "40 cycles", 1,
                "activate to activate of one bank; tRAS + tRP where that is longer",
                .doubling = HALF, REAL),
    DRAM_CYCLES(tRRD_S, "3 cycles", 1, "activate to activate of another bank group",
                .doubling = HALF, REAL),
    DRAM_CYCLES(tRRD_L, "4 cycles", 1, "activate to activate of another bank in the group", REAL),
    DRAM_CYCLES(tFAW, "14 cycles", 0, "window of at most four activates; 0: no limit",
                .doubling = HALF, REAL),
    DRAM_CYCLES(t32AW, "0 cycles", 0, "window of at most 32 activates (GDDR5); 0: no limit",
                .doubling = HALF, REAL),
    DRAM_CYCLES(tCCD_S, "2 cycles", 1, "column to column of another bank group", .doubling = HALF,
                REAL),
    DRAM_CYCLES(tCCD_L, "4 cycles", 1, "column to column in one bank group", REAL),
    DRAM_CYCLES(tWTR_S, "6 cycles", 0, "end of write data to read in another bank group",
                .doubling = HALF, REAL),
    DRAM_CYCLES(tWTR_L, "8 cycles", 0, "end of write data to read in the bank group", REAL),
    DRAM_CYCLES(tRTW, "0 cycles", 0, "read to write column; 0: CL + burst + 2 - CWL",
                .perfect = PERFECT(IN("dram_latency", "0 cycles")), .doubling = HALF, REAL),
    DRAM_CYCLES(tRTP, "3 cycles", 1, "read to precharge", .doubling = HALF, REAL),
    DRAM_CYCLES(tWR, "10 cycles", 0, "end of write data to precharge", .doubling = HALF, REAL),
    PARAM_ONE_OF(DramTiming, refresh, refreshes, "per_bank", "how rows are refreshed", REAL),
    REFRESH_CYCLES(tRFC, "307 cycles", "refresh of all banks", .doubling = HALF,
                   .only_if = "refresh = all_bank"),
    REFRESH_CYCLES(tRFCpb, "141 cycles", "refresh of one bank", .doubling = HALF,
                   .only_if = "refresh = per_bank"),
    REFRESH_CYCLES(tREFI, "3420 cycles", "interval of all-bank refreshes", .doubling = TWICE,
                   .longest = true, .only_if = "refresh = all_bank"),
    REFRESH_CYCLES(tREFIpb, "213 cycles",
                   "interval of the channel's per-bank refreshes, which go round the banks",
                   .doubling = TWICE, .longest = true, .only_if = "refresh = per_bank"),
    PARAM_NUMBER(
        DramTiming, refresh_commands, PARAM_COUNT, "8192", 1, 4194304,
        "refreshes in which each row of a bank has its turn: one opens `rows` / this many, "
        "which takes energy"),
    PARAM_NUMBER(DramTiming, command_buses, PARAM_COUNT, "2", 1, 2,
                 "2: row and column commands have a bus each (HBM); 1: they share it (GDDR)"),
    PARAM_NUMBER(DramTiming, activate_cycles, PARAM_CYCLES, "2 cycles", 1, 8,
                 "an activate on its command bus"),
    PARAM_NUMBER(DramTiming, precharge_cycles, PARAM_CYCLES, "1 cycle", 1, 8,
                 "a precharge on its command bus", REAL),
    PARAM_NUMBER(DramTiming, row_bus_sharers, PARAM_COUNT, "2", 1, 8,
                 "channels that share a row command bus"),
    PARAM_ONE_OF(DramTiming, ecc, eccs, "none",
                 "codes that correct errors. sideband: stored and moved beside the data (HBM); "
                 "inline: among the data (GDDR), which takes capacity and bursts. With either, "
                 "what is written in part is read first",
                 .perfect = PERFECT(IN("dram_bandwidth", "none"), IN("dram", "none"))),
    PARAM_NUMBER(DramTiming, ecc_share, PARAM_COUNT, "16", 4, 64,
                 "inline: of so many lines one holds the codes of the others",
                 .only_if = "ecc = inline"),
    PARAM_ONE_OF(DramTiming, ideal, ideals, "no",
                 "no hardware, a bound. timing: rows are always open, the data bus turns at once, "
                 "nothing is refreshed; bandwidth: besides, it carries any number of bursts at "
                 "once. Data comes CL after its column, either way",
                 .perfect = PERFECT(IN("dram_timing", "timing", .only_if = "ideal = no"),
                                    IN("dram_bandwidth", "bandwidth"), IN("dram", "bandwidth"))),
    PARAM_END};

const ParamGroup dram_group = {
    .name = "dram", .summary = "geometry and timing of a DRAM channel", .params = dram_params};

bool shared_groups_settle(DramTiming *dram, uint64_t hertz, GError **error)
{
    for (const Param *param = dram_params; param->name; param++) {
        if (param_settle(param, dram, (ParamClock){"machine.dram_clock", hertz}, error)) continue;
        g_prefix_error(error, "dram.%s = ", param->name);
        return false;
    }
    return true;
}

bool shared_groups_setup(AddressMap *address_map, DramTiming *dram, uint64_t slices, GError **error)
{
    return address_map_setup(address_map, slices, error) && dram_timing_setup(dram, error);
}

/* --- lines ------------------------------------------------------------------------------------ */

LineShape lines_of_l2(const MachineParams *params)
{
    const uint64_t line = params->l2_line_bytes, sector = params->l2_sector_bytes;
    return (LineShape){(uint32_t)(line ? line : params->line_bytes),
                       (uint32_t)(sector ? sector : params->sector_bytes)};
}

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, PARAM_ERROR, 0, text);
    return false;
}

static bool check_power(uint32_t bytes, const char *level, const char *key, GError **error)
{
    return is_power_of_two(bytes)
           || refuse(error, "machine.%s%s: %u B is not a power of two", level, key, bytes);
}

/* Which keys say it: "l2_", or "" where L2 has none of its own. */
typedef struct {
    const char *line, *sector;
} LevelKeys;

static bool check_line(LineShape line, LevelKeys level, GError **error)
{
    if (!check_power(line.line_bytes, level.line, "line_bytes", error)
        || !check_power(line.sector_bytes, level.sector, "sector_bytes", error))
        return false;
    if (line.line_bytes % line.sector_bytes || line.line_bytes / line.sector_bytes > SECTORS_MAX)
        return refuse(error,
                      "machine.%ssector_bytes: %u B does not divide a line of %u B "
                      "(machine.%sline_bytes) into at most %d sectors",
                      level.sector, line.sector_bytes, line.line_bytes, level.line, SECTORS_MAX);
    return true;
}

/* A request is for a line of L1: part of one line of L2, and a whole number of its sectors. */
static bool check_lines(const MachineParams *params, LineShape l1, LineShape l2, GError **error)
{
    const LevelKeys level = {params->l2_line_bytes ? "l2_" : "",
                             params->l2_sector_bytes ? "l2_" : ""};
    if (!check_line(l1, (LevelKeys){"", ""}, error) || !check_line(l2, level, error)) return false;
    if (l2.line_bytes < l1.line_bytes)
        return refuse(error,
                      "machine.l2_line_bytes: %u B is shorter than a line of L1, "
                      "machine.line_bytes = %u B",
                      l2.line_bytes, l1.line_bytes);
    if (l2.sector_bytes > l1.sector_bytes)
        return refuse(error,
                      "machine.l2_sector_bytes: %u B is larger than a sector of L1, "
                      "machine.sector_bytes = %u B; what L2 fetches at once is "
                      "l2_slice.fill_bytes",
                      l2.sector_bytes, l1.sector_bytes);
    return true;
}

bool lines_setup(Machine *machine, GError **error)
{
    const MachineParams *params = &machine->params;
    const LineShape l1 = {(uint32_t)params->line_bytes, (uint32_t)params->sector_bytes},
                    l2 = lines_of_l2(params);
    if (!check_lines(params, l1, l2, error)) return false;
    if (machine->address_map.granularity < l2.line_bytes)
        return refuse(error,
                      "address_map.granularity: %" G_GUINT64_FORMAT
                      " B is smaller than a line of %u B (machine.l2_line_bytes or "
                      "machine.line_bytes)",
                      machine->address_map.granularity, l2.line_bytes);
    machine->l1_line = l1;
    machine->line = l2;
    machine->fit =
        (LineFit){.line_bytes = l2.line_bytes,
                  .sector_bytes = l2.sector_bytes,
                  .sectors = l1.sector_bytes / l2.sector_bytes,
                  .same = l1.line_bytes == l2.line_bytes && l1.sector_bytes == l2.sector_bytes};
    return true;
}
