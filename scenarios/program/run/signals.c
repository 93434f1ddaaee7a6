#include "scenarios/program/run/signals.h"

#include <signal.h>
#include <unistd.h>

/* What the handler sees; one of each in a process. */
static struct {
    volatile sig_atomic_t child, interrupted, line_requested;
    Simulation *volatile simulation;
    Progress *volatile progress;
} state;

static void handle(int number)
{
    if (number == SIGINT) state.interrupted = 1;
    if (number == SIGINT && state.simulation) simulation_interrupt(state.simulation);
    if (number == SIGUSR1 && !state.child) state.line_requested = 1;
    if (number == SIGUSR1 && state.progress) progress_request_line(state.progress);
    if (state.child > 0) kill(state.child, number);
}

/* Calls are restarted: a file that is being read during start-up is read to its end. */
static void watch(int number)
{
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_watch(void)
{
    watch(SIGINT);
    watch(SIGUSR1);
}

bool signals_interrupted(void)
{
    return state.interrupted;
}

pid_t signals_fork(void)
{
    sigset_t both, before;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGUSR1);
    sigprocmask(SIG_BLOCK, &both, &before); /* until each side knows what it is */
    const pid_t child = fork();
    state.child = child > 0 ? child : 0;
    if (child > 0) state.line_requested = 0; /* the child's to answer */
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

void signals_child_ended(void)
{
    state.child = 0;
}

void signals_attach(Simulation *simulation, Progress *progress)
{
    state.progress = progress;
    state.simulation = simulation;
    if (simulation && state.interrupted) simulation_interrupt(simulation);
    if (progress && state.line_requested) progress_request_line(progress);
}
