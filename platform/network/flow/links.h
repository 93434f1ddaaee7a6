/* The links that packets take where SimGrid times them: so that what each carried can be counted,
 * and told as the graph that the network is. */
#pragma once

#include "platform/network/platform_routes.h"

/* Of one network: `link` and `hop` of `flow`, and each route's part of the latter. A FATPIPE is
 * left out: nobody waits for it. Without error: whatever SimGrid carries can be told. */
void flow_links_read(FlowRoutes *flow, const PlatformQuestion *question,
                     const PlatformRoutes *platform, NetworkRole role);
void flow_links_finish(FlowRoutes *flow);
