#include "parts/dram/timing.h"

#include "parts/bits.h"
#include "parts/dram/slot_ring.h"

G_GNUC_PRINTF(3, 4)
static bool demand(bool fine, GError **error, const char *format, ...)
{
    if (fine) return true;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0, "dram.%s", text);
    return false;
}

static bool check_powers(const DramTiming *t, GError **error)
{
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {{"channel_width", t->channel_width},
                  {"burst_length", t->burst_length},
                  {"data_rate", t->data_rate},
                  {"bank_groups", t->bank_groups},
                  {"banks_per_group", t->banks_per_group},
                  {"rows", t->rows},
                  {"row_bytes", t->row_bytes},
                  {"group_interleave", t->group_interleave},
                  {"interleaved_groups", t->interleaved_groups},
                  {"row_bus_sharers", t->row_bus_sharers},
                  {"ecc_share", MAX(t->ecc_share, 1)}}; /* 0: of who sets no parameters */
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
        if (!demand(is_power_of_two(fields[i].value), error,
                    "%s = %" G_GUINT64_FORMAT ": must be a power of two", fields[i].name,
                    fields[i].value))
            return false;
    return true;
}

static bool check_geometry(const DramTiming *t, GError **error)
{
    const uint64_t burst = t->channel_width * t->burst_length;
    return demand(t->burst_length >= t->data_rate, error,
                  "burst_length = %" G_GUINT64_FORMAT ": shorter than the %" G_GUINT64_FORMAT
                  " beats of one command clock cycle (data_rate)",
                  t->burst_length, t->data_rate)
           && demand(t->bank_groups * t->banks_per_group <= DRAM_BANKS_MAX, error,
                     "bank_groups = %" G_GUINT64_FORMAT
                     ": with banks_per_group = %" G_GUINT64_FORMAT " more than %d banks",
                     t->bank_groups, t->banks_per_group, DRAM_BANKS_MAX)
           && demand(t->bank_groups <= DRAM_GROUPS_MAX, error,
                     "bank_groups = %" G_GUINT64_FORMAT ": at most %d", t->bank_groups,
                     DRAM_GROUPS_MAX)
           && demand(t->row_bytes >= burst, error,
                     "row_bytes = %" G_GUINT64_FORMAT
                     " B: does not hold a burst of %" G_GUINT64_FORMAT
                     " B (channel_width x burst_length)",
                     t->row_bytes, burst)
           && demand(t->group_interleave >= burst && t->group_interleave <= t->row_bytes, error,
                     "group_interleave = %" G_GUINT64_FORMAT
                     " B: must lie between a burst (%" G_GUINT64_FORMAT
                     " B, channel_width x burst_length) and a row (%" G_GUINT64_FORMAT
                     " B, row_bytes)",
                     t->group_interleave, burst, t->row_bytes)
           && demand(t->interleaved_groups <= MIN(t->bank_groups, DRAM_SPAN_MAX), error,
                     "interleaved_groups = %" G_GUINT64_FORMAT
                     ": at most %d, and the %" G_GUINT64_FORMAT " bank_groups",
                     t->interleaved_groups, DRAM_SPAN_MAX, t->bank_groups);
}

static bool check_pairs(const DramTiming *t, GError **error)
{
    const struct {
        const char *longer, *shorter;
        uint64_t most, least;
    } pairs[] = {{"tCCD_L", "tCCD_S", t->tCCD_L, t->tCCD_S},
                 {"tRRD_L", "tRRD_S", t->tRRD_L, t->tRRD_S},
                 {"tWTR_L", "tWTR_S", t->tWTR_L, t->tWTR_S},
                 {"tRAS", "tRCDRD", t->tRAS, t->tRCDRD}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (!demand(pairs[i].most >= pairs[i].least, error,
                    "%s = %" G_GUINT64_FORMAT " cycles: shorter than %s = %" G_GUINT64_FORMAT
                    " cycles",
                    pairs[i].longer, pairs[i].most, pairs[i].shorter, pairs[i].least))
            return false;
    return demand(
        !t->tRTW || t->tRTW + t->CWL >= t->CL + t->burst_cycles, error,
        "tRTW = %" G_GUINT64_FORMAT
        " cycles: would let write data collide with read data; at least %" G_GUINT64_FORMAT
        " (CL + burst_length / data_rate - CWL), or 0 to derive it",
        t->tRTW, t->CL + t->burst_cycles - t->CWL);
}

static bool check_buses(const DramTiming *t, GError **error)
{
    return demand(t->command_buses != 1 || t->row_bus_sharers == 1, error,
                  "row_bus_sharers = %" G_GUINT64_FORMAT
                  ": channels share a row command bus, and with command_buses = 1 there is none",
                  t->row_bus_sharers);
}

static bool check_refresh(const DramTiming *t, GError **error)
{
    if (t->refresh == DRAM_REFRESH_OFF) return true;
    const bool per_bank = t->refresh == DRAM_REFRESH_PER_BANK;
    return demand(t->refresh_interval > 2 * t->refresh_cycles, error,
                  "%s = %" G_GUINT64_FORMAT
                  " cycles: with refresh = %s a bank is refreshed every %" G_GUINT64_FORMAT
                  " cycles%s for %" G_GUINT64_FORMAT " (%s + tRP), more than half of the time",
                  per_bank ? "tREFIpb" : "tREFI", per_bank ? t->tREFIpb : t->tREFI,
                  per_bank ? "per_bank" : "all_bank", t->refresh_interval,
                  per_bank ? " (bank_groups x banks_per_group)" : "", t->refresh_cycles,
                  per_bank ? "tRFCpb" : "tRFC");
}

/* With one latency in both directions, columns one burst apart are data without a gap. */
static void idealize(DramTiming *t)
{
    t->CWL = t->CL;
    t->tRTW = 0;
    t->refresh = DRAM_REFRESH_OFF;
    t->column_gap[0] = t->column_gap[1] = t->burst_cycles;
    t->read_to_write = t->write_to_read[0] = t->write_to_read[1] = t->burst_cycles;
}

static void derive(DramTiming *t)
{
    t->burst_bytes = t->channel_width * t->burst_length;
    t->burst_cycles = t->burst_length / t->data_rate;
    t->banks = t->bank_groups * t->banks_per_group;
    t->group_shift = (uint32_t)__builtin_ctzll(t->banks_per_group);
    t->group_maps = slot_ring_blocks(t->bank_groups);
    t->column_gap[0] = MAX(t->burst_cycles, t->tCCD_S);
    t->column_gap[1] = MAX(t->burst_cycles, t->tCCD_L);
    const uint64_t read_ends = t->CL + t->burst_cycles + 2;
    t->read_to_write = t->tRTW ? t->tRTW : read_ends > t->CWL ? read_ends - t->CWL : 1;
    t->write_to_read[0] = t->CWL + t->burst_cycles + t->tWTR_S;
    t->write_to_read[1] = t->CWL + t->burst_cycles + t->tWTR_L;
    t->write_to_precharge = t->CWL + t->burst_cycles + t->tWR;
    t->activate_slots = t->activate_cycles * t->row_bus_sharers;
    t->precharge_slots = t->precharge_cycles * t->row_bus_sharers;
    t->precharge_to_activate = MAX(t->tRP, t->precharge_slots);
    t->activate_gap[0] = MAX(t->tRRD_S, t->activate_slots);
    t->activate_gap[1] = MAX(t->tRRD_L, t->activate_slots);
    const uint64_t of_others = MAX(t->tRRD_S, MAX(t->tFAW / 4, t->t32AW / 32));
    t->row_bus_tight =
        t->row_bus_sharers > 1 && of_others <= t->activate_slots + t->precharge_slots;
    const bool per_bank = t->refresh == DRAM_REFRESH_PER_BANK;
    t->refresh_interval = per_bank ? t->tREFIpb * t->banks : t->tREFI;
    t->refresh_cycles = t->tRP + (per_bank ? t->tRFCpb : t->tRFC);
    if (t->ideal != DRAM_IDEAL_NO) idealize(t);
    dram_patterns_setup(t);
}

bool dram_timing_setup(DramTiming *timing, GError **error)
{
    if (!check_powers(timing, error) || !check_geometry(timing, error)) return false;
    derive(timing);
    return check_pairs(timing, error) && check_buses(timing, error) && check_refresh(timing, error);
}

uint64_t dram_timing_capacity(const DramTiming *timing)
{
    const uint64_t bytes = timing->banks * timing->rows * timing->row_bytes;
    return timing->ecc == DRAM_ECC_INLINE ? bytes - bytes / timing->ecc_share : bytes;
}
