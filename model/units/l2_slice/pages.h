/* What an L2 slice knows of memory that may be with the host; part of its private header. */
#pragma once

#include "kit/gpu/message_list.h"
#include "parts/address/paging.h"
#include "parts/cache/word_table.h"

/* What a slice knows of a block of pages. */
typedef struct {
    uint64_t here;    /* in DRAM: requests are let at them */
    uint64_t written; /* by requests that were, since they came */
    uint64_t unused;  /* brought unasked, and none was let at them yet */
} PageBlock;

/* A page that is not there, and the requests that wait for it. */
typedef struct {
    uint64_t block, page;
    Time came; /* the first of them */
    MessageList waiting;
} AbsentPage;

/* What a slice knows of memory that may be with the host. */
typedef struct {
    const Paging *shape;
    WordTable place; /* by number of block: its place in `blocks`, plus 1 */
    GArray *blocks;  /* of PageBlock, as they were first asked for */
    AbsentPage *absent;
    MessageList admitted; /* their page has come; they go before those in the port */
} HostedPages;
