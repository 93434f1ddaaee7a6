/* The DRAM timings that formulas are tested with. */
#pragma once

#include "rig.h"

typedef struct {
    const char *name;
    DramTiming timing; /* without refresh */
} NamedTiming;

enum { TIMINGS = 4 };

/* HBM2 2 Gb/s and GDDR6 14 Gb/s of Ramulator 2.1, GDDR5 1 Gb x32 of DRAMsim3, in their cycles. */
static inline DramTiming timing_hbm2_ramulator(DramTiming t)
{
    t.CL = 14, t.CWL = 5, t.tRCDRD = 14, t.tRCDWR = 12, t.tRP = 14, t.tRAS = 34, t.tRC = 48;
    t.tRRD_S = t.tRRD_L = 4, t.tFAW = 15, t.tCCD_S = 2, t.tCCD_L = 4, t.tWTR_S = 6, t.tWTR_L = 8;
    t.tWR = 16, t.tRTP = 5, t.tRFC = 350, t.tRFCpb = 160, t.tREFI = 3900, t.tREFIpb = 244;
    return t;
}

static inline DramTiming timing_gddr5(DramTiming t)
{
    t.channel_width = 4, t.burst_length = 8, t.data_rate = 4, t.row_bytes = 2048, t.rows = 16384;
    t.CL = 24, t.CWL = 7, t.tRCDRD = 18, t.tRCDWR = 15, t.tRP = 18, t.tRAS = 42, t.tRC = 60;
    t.tRRD_S = t.tRRD_L = 9, t.tFAW = 35, t.t32AW = 280, t.tCCD_S = 2, t.tCCD_L = 3;
    t.tWTR_S = t.tWTR_L = 8, t.tWR = 18, t.tRTP = 3, t.tRFC = 98, t.tREFI = 11699;
    t.activate_cycles = 1, t.row_bus_sharers = 1;
    return t;
}

static inline DramTiming timing_gddr6(DramTiming t)
{
    t.channel_width = 2, t.burst_length = 16, t.data_rate = 8, t.row_bytes = 2048;
    t.CL = 24, t.CWL = 6, t.tRCDRD = 27, t.tRCDWR = 16, t.tRP = 27, t.tRAS = 53, t.tRC = 79;
    t.tRRD_S = t.tRRD_L = 8, t.tFAW = 29, t.tCCD_S = 2, t.tCCD_L = 4, t.tWTR_S = 9, t.tWTR_L = 11;
    t.tWR = 27, t.tRTP = 4, t.tRFC = 211, t.tREFI = 3333, t.activate_cycles = 1;
    t.row_bus_sharers = 1;
    return t;
}

static inline NamedTiming named_timing(int number)
{
    const DramTiming timing = without_refresh();
    const NamedTiming timings[TIMINGS] = {{"HBM2 of V100", timing},
                                          {"HBM2 of Ramulator", timing_hbm2_ramulator(timing)},
                                          {"GDDR5 of DRAMsim3", timing_gddr5(timing)},
                                          {"GDDR6 of Ramulator", timing_gddr6(timing)}};
    return timings[number];
}
