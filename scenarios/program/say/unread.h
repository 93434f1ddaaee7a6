/* Settings that mean nothing to any machine of a scenario: who changes one sees no effect, and
 * might take that for an answer. */
#pragma once

#include "platform/machine/machine.h"
#include "scenarios/program/language/scenario.h"

typedef struct Unread Unread;

/* Of the settings those that stand in this file (NULL: in none) or are the command line's: what a
 * scenario extends serves others as well. */
Unread *unread_new(const char *file);
void unread_free(Unread *unread);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Unread, unread_free)

void unread_note(Unread *unread, const Configuration *configuration, const Machine *machine);

/* Of a point of a study what varies, with the point's value, wherever it stands. */
void unread_note_study(Unread *unread, const Configuration *settings,
                       const Configuration *configuration, const Machine *machine);

/* A line of stderr each. */
void unread_warn(Unread *unread);

/* Of the one variant that is run; of several the scenario's own settings are for others as well. */
void unread_warn_of_one(const Scenario *scenario, const Variant *variant, const Machine *machine);
