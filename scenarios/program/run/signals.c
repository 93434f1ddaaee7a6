#include "scenarios/program/run/signals.h"

#include <signal.h>
#include <unistd.h>

/* What the handler sees; one of each in a process. */
static struct {
    volatile sig_atomic_t interrupted, line_requested;
    volatile sig_atomic_t children[SIGNALS_CHILDREN_MAX]; /* 0: none */
    Simulation *volatile simulation;
    Progress *volatile progress;
} state;

static bool hand_on(int number)
{
    bool any = false;
    for (unsigned i = 0; i < SIGNALS_CHILDREN_MAX; i++) {
        const pid_t child = state.children[i];
        if (child <= 0) continue;
        kill(child, number);
        any = true;
    }
    return any;
}

static void handle(int number)
{
    const bool has_children = hand_on(number);
    if (number == SIGINT) state.interrupted = 1;
    if (number == SIGINT && state.simulation) simulation_interrupt(state.simulation);
    if (number == SIGUSR1 && !has_children) state.line_requested = 1;
    if (number == SIGUSR1 && state.progress) progress_request_line(state.progress);
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

static void replace_child(pid_t before, pid_t after)
{
    unsigned i = 0;
    while (i < SIGNALS_CHILDREN_MAX && state.children[i] != before) i++;
    if (i < SIGNALS_CHILDREN_MAX) state.children[i] = after;
}

static void forget_children(void)
{
    for (unsigned i = 0; i < SIGNALS_CHILDREN_MAX; i++) state.children[i] = 0;
}

pid_t signals_fork(void)
{
    sigset_t both, before;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGUSR1);
    sigprocmask(SIG_BLOCK, &both, &before); /* until each side knows what it is */
    const pid_t child = fork();
    if (child > 0) {
        replace_child(0, child);
        state.line_requested = 0; /* the child's to answer */
    } else if (!child) {
        forget_children();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return child;
}

void signals_child_ended(pid_t child)
{
    replace_child(child, 0);
}

void signals_attach(Simulation *simulation, Progress *progress)
{
    state.progress = progress;
    state.simulation = simulation;
    if (simulation && state.interrupted) simulation_interrupt(simulation);
    if (progress && state.line_requested) progress_request_line(progress);
}
