/* The texture unit of an SM. */
#include "units/texture_private.h"

static const char *const caches[] = {"own", "l1", NULL};

static const Param params[] = {
    PARAM_ONE_OF(TextureUnit, cache, caches, "l1",
                 "where texels are kept: own, in arrays of the texture unit; l1, in the SM's L1"),
    PARAM_NUMBER(TextureUnit, capacity, PARAM_BYTES, "12 KiB", 256, 1048576,
                 "bytes of its own data array"),
    PARAM_END};

static const Stat stats[] = {STAT_END};

static const PortRow ports[] = {
    PORT_INPUT(TextureUnit, from_l1_fills, "replies of L2 for its own cache"),
    PORT_INPUT(TextureUnit, from_l1, "lines that L1 has read for it"),
    PORT_INPUT(TextureUnit, from_load_store, "memory instructions with their lines"),
    PORT_INPUT(TextureUnit, from_sm, "texture instructions with their coordinates"),
    PORT_OUTPUT(TextureUnit, to_sm, "completed instructions"),
    PORT_OUTPUT(TextureUnit, to_sm_stores, "stores whose operands have been read"),
    PORT_OUTPUT(TextureUnit, to_l1, "lines to be read, where L1 is its cache"),
    PORT_OUTPUT(TextureUnit, to_l1_misses, "requests for L2"),
    PORT_END};

static const SharedRow shared[] = {SHARED(TextureUnit, line), SHARED_END};

static void step(Unit *unit, Time now)
{
    (void)unit;
    (void)now;
}

const UnitClass texture_class = {.name = "texture",
                                 .summary = "texture unit: addresses, run-ahead tags, fragment "
                                            "FIFO, data array, filter",
                                 .size = sizeof(TextureUnit),
                                 .params = params,
                                 .stats = stats,
                                 .ports = ports,
                                 .shared = shared,
                                 .step = step};
