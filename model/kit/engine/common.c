#include "kit/engine/common.h"

void common_init(Common *common)
{
    *common = (Common){.outcome = RUN_FINISHED};
    pools_init(&common->pools);
    boundaries_init(&common->boundaries);
    region_init(&common->region);
}

void common_finish(Common *common)
{
    region_finish(&common->region);
    boundaries_finish(&common->boundaries);
    bundle_store_finish(&common->bundles);
    pools_finish(&common->pools);
    g_clear_error(&common->error);
}

void common_stop(Common *common, RunOutcome outcome, GError *error)
{
    common->stop = true;
    if (common->error) {
        g_clear_error(&error);
        return;
    }
    common->outcome = outcome;
    common->error = error;
}
