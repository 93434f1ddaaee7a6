/* What the SM hears of a store or reduction before it is done. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/warp_access.h"

/* Says that the operands of `access` will have been read by `at`. */
static inline WarpAccess *unit_new_notice(Unit *unit, const WarpAccess *access, Time at)
{
    WarpAccess *notice = unit_new(unit, MESSAGE_WARP_ACCESS);
    warp_access_notice(notice, access, at);
    return notice;
}
