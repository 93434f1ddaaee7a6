#include "scenarios/program/study/points/interrupts.h"

#include <glib.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

/* What the handler sees; one of each in a process. */
static struct {
    volatile sig_atomic_t ended, requested;
    sigset_t before; /* the mask */
} state;

static void handle(int number)
{
    if (number == SIGUSR1)
        state.requested = 1;
    else
        state.ended = 1;
}

static void watch(int number, sigset_t *blocked)
{
    const struct sigaction action = {.sa_handler = handle};
    struct sigaction before;
    sigaddset(blocked, number);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void interrupts_watch(void)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) watch(ends[i], &blocked);
    watch(SIGUSR1, &blocked);
    sigprocmask(SIG_BLOCK, &blocked, &state.before);
}

const sigset_t *interrupts_mask(void)
{
    return &state.before;
}

bool interrupts_came(void)
{
    return state.ended;
}

bool interrupts_take_request(void)
{
    const bool requested = state.requested;
    state.requested = 0;
    return requested;
}
