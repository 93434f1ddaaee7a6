/* The signals of `study run`: SIGINT, SIGTERM and SIGHUP end it, SIGUSR1 asks how far it is. They
 * are delivered only while the process waits; processes that it forks have them blocked. A signal
 * that was ignored when the program started stays ignored. */
#pragma once

#include <signal.h>
#include <stdbool.h>

void interrupts_watch(void);
/* The signals' mask while waiting, for ppoll. */
const sigset_t *interrupts_mask(void);

bool interrupts_came(void);
/* Whether a line was asked for since the last call. */
bool interrupts_take_request(void);
