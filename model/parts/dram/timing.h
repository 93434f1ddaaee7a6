/* The geometry and the timing of one DRAM channel: immutable, in cycles of the command clock, as
 * data sheets state them (JESD212 GDDR5, JESD232 GDDR5X, JESD250 GDDR6, JESD235 HBM). A channel is
 * what has its own command and data bus: an HBM2 pseudo-channel is one. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { DRAM_BANKS_MAX = 64, DRAM_GROUPS_MAX = 16, DRAM_BURSTS_MAX = 16, DRAM_SPAN_MAX = 4 };
enum { DRAM_ALL_BANKS = 255 };

/* TIMING: every row is always open, the bus turns at once, nothing is refreshed: columns wait for
 * the data bus only. BANDWIDTH: nor for that, it carries any number of bursts at once. */
typedef enum { DRAM_IDEAL_NO, DRAM_IDEAL_TIMING, DRAM_IDEAL_BANDWIDTH } DramIdeal;
typedef enum { DRAM_REFRESH_OFF, DRAM_REFRESH_PER_BANK, DRAM_REFRESH_ALL_BANK } DramRefresh;

/* SIDEBAND: the codes have devices or pins of their own. INLINE: they lie among the data, the last
 * line of each `ecc_share`, and take bursts of their own. */
typedef enum { DRAM_ECC_NONE, DRAM_ECC_SIDEBAND, DRAM_ECC_INLINE } DramEcc;

/* How bursts lie behind the first one that take turns in banks of different groups and follow each
 * other as closely as the gaps allow, and what they keep free of others of their direction. Cycles;
 * of 64 of them a bit each, the lowest is `ahead` before the first burst. */
typedef struct {
    uint32_t ahead;
    uint32_t run_ends; /* bit i: behind burst i a column of another group would find a place */
    uint32_t end;      /* offset of the last burst ... */
    uint8_t latest;    /* ... and which bank has it */
    uint8_t banks, bursts;
    uint8_t bursts_of[DRAM_SPAN_MAX]; /* each bank */
    bool fits;                        /* all are among 64 cycles */
    bool without_gap;                 /* each one's data follows on that of the one before it */
    uint32_t last[DRAM_SPAN_MAX];     /* of each bank, its last burst */
    uint64_t kept_of_others;          /* of all other groups: some of `kept` */
    uint64_t columns[DRAM_SPAN_MAX];  /* of each bank, its bursts */
    uint64_t kept[DRAM_SPAN_MAX];     /* of the group of each bank */
    uint32_t offset[DRAM_BURSTS_MAX];
} DramPattern;

/* What an activate keeps free of other row commands: as in a pattern. */
typedef struct {
    uint64_t kept_of_others, kept; /* activates of other groups, and of its own */
    uint64_t kept_of_precharges;
    uint32_t ahead;
    bool fits;
} DramActivatePattern;

typedef struct {
    char *part;             /* what a scenario calls it; owned by whoever read the parameters */
    uint64_t channel_width; /* bytes */
    uint64_t burst_length;  /* beats */
    uint64_t data_rate;     /* beats in a cycle of the command clock */
    uint64_t bank_groups, banks_per_group, rows;
    uint64_t row_bytes;
    uint64_t
        interleaved_groups; /* groups that neighbouring pieces of `group_interleave` bytes lie in */
    uint64_t group_interleave;
    bool bank_hash; /* row bits are mixed into the bank bits */

    uint64_t CL, CWL;
    uint64_t tRCDRD, tRCDWR, tRP, tRAS, tRC;
    uint64_t tRRD_S, tRRD_L, tFAW, t32AW; /* t32AW 0: no such limit */
    uint64_t tCCD_S, tCCD_L, tWTR_S, tWTR_L;
    uint64_t tRTW; /* 0: CL + burst + 2 - CWL */
    uint64_t tRTP, tWR;
    uint32_t refresh; /* DramRefresh */
    uint32_t ideal;   /* DramIdeal */
    uint64_t tRFC, tRFCpb, tREFI, tREFIpb;
    uint64_t refresh_commands; /* in which each row of a bank has its turn */
    uint64_t command_buses;    /* 2: rows and columns have one each; 1: they share it */
    uint64_t activate_cycles, precharge_cycles; /* on the row command bus */
    uint64_t row_bus_sharers;                   /* channels that share one row command bus */
    uint32_t ecc;                               /* DramEcc */
    uint64_t ecc_share;                         /* INLINE: of so many lines one holds codes */

    /* Derived by dram_timing_setup. */
    uint64_t burst_bytes, burst_cycles, banks;
    uint32_t group_shift;   /* group = bank >> group_shift */
    uint32_t group_maps;    /* bit maps of groups (dram/slots.h), in whole blocks */
    uint64_t column_gap[2]; /* same direction: other group, same group */
    uint64_t read_to_write;
    uint64_t write_to_read[2]; /* other group, same group */
    uint64_t write_to_precharge;
    uint64_t activate_gap[2];                 /* other group, same group */
    uint64_t activate_slots, precharge_slots; /* of this channel's share of the row bus */
    bool row_bus_tight; /* its share of the row bus allows fewer activates than all else */
    uint64_t precharge_to_activate;
    uint64_t refresh_interval,
        refresh_cycles; /* of one bank, or of all together; closing the rows included */
    DramActivatePattern activate_pattern;
    DramPattern pattern[DRAM_SPAN_MAX][DRAM_BURSTS_MAX]; /* by banks and bursts, less one */
} DramTiming;

static inline uint64_t dram_group_of(const DramTiming *timing, uint64_t bank)
{
    return bank >> timing->group_shift;
}

/* Derives the rest; fails on combinations that no device can have. */
bool dram_timing_setup(DramTiming *timing, GError **error);

/* Part of it: dram/patterns.c. */
void dram_patterns_setup(DramTiming *timing);

/* What the bytes of all channels depend on, for messages. */
#define DRAM_BYTES_KEYS                                                                            \
    "machine.partitions, machine.channels_per_partition, machine.slices_per_partition, "           \
    "dram.bank_groups, dram.banks_per_group, dram.rows, dram.row_bytes"

/* Bytes of one channel that hold data. */
uint64_t dram_timing_capacity(const DramTiming *timing);
