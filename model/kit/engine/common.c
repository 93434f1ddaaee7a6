#include "kit/engine/common.h"

void common_init(Common *common)
{
    *common = (Common){.outcome = RUN_FINISHED};
    g_mutex_init(&common->stopping);
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
    g_mutex_clear(&common->stopping);
}

void common_stop(Common *common, RunOutcome outcome, GError *error)
{
    g_mutex_lock(&common->stopping);
    common->stop = true;
    if (common->error) {
        g_clear_error(&error);
    } else {
        common->outcome = outcome;
        common->error = error;
    }
    g_mutex_unlock(&common->stopping);
}
