#include "kit/gpu/message.h"

#include "kit/gpu/access_report.h"
#include "kit/gpu/atomic.h"
#include "kit/gpu/cta.h"
#include "kit/gpu/dram_commands.h"
#include "kit/gpu/store_notice.h"
#include "kit/gpu/texture.h"
#include "kit/gpu/transaction.h"
#include "kit/gpu/translation.h"
#include "kit/gpu/warp_access.h"

const MessageRow message_rows[MESSAGE_KINDS] = {
#define ROW(kind, name, type, init) {name, sizeof(type), init},
    MESSAGES(ROW)
#undef ROW
};
