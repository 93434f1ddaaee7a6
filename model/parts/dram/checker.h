/* Judges a log of DRAM commands, in the order of their cycles, against a channel's timing.
 *
 * A table of smallest distances between two kinds of command, each in a scope (bank, group,
 * channel), and the row that each bank has open. It is written from the standards' tables and
 * shares nothing with dram_state except the parameters, so that one finds the other's mistakes. */
#pragma once

#include "parts/dram/state.h"

typedef struct DramChecker DramChecker;

DramChecker *dram_checker_new(const DramTiming *timing);
void dram_checker_free(DramChecker *checker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DramChecker, dram_checker_free)

/* NULL when the command is allowed; otherwise what it violates, valid until the next call. */
const char *dram_checker_feed(DramChecker *checker, const DramStep *step);
