#include "scenarios/program/run/signals.h"

#include <signal.h>
#include <unistd.h>

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* What the handlers see; one of each in a process. */
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

static void handle_request(int number)
{
    if (!hand_on(number)) state.line_requested = 1;
    if (state.progress) progress_request_line(state.progress);
}

static void handle_end(int number)
{
    hand_on(number);
    state.interrupted = 1;
    if (state.simulation) simulation_interrupt(state.simulation);
}

/* Calls are restarted: a file that is being read during start-up is read to its end. */
static void watch(int number, void (*handle)(int number))
{
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void signals_watch(void)
{
    watch(SIGUSR1, handle_request);
    for (unsigned i = 0; i < G_N_ELEMENTS(end_signals); i++) watch(end_signals[i], handle_end);
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
    sigset_t watched, before;
    sigemptyset(&watched);
    sigaddset(&watched, SIGUSR1);
    for (unsigned i = 0; i < G_N_ELEMENTS(end_signals); i++) sigaddset(&watched, end_signals[i]);
    sigprocmask(SIG_BLOCK, &watched, &before); /* until each side knows what it is */
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
