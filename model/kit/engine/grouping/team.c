#include "kit/engine/grouping/team.h"

#include <glib.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Looks at what is awaited: some 20 us. Who has looked so often in vain sleeps, or, where the
 * others have no processor to themselves, lets them go on. */
enum { LOOKS = 1000 };

typedef struct {
    Team *team;
    uint32_t number;
    GThread *thread;
} Member;

struct Team {
    uint32_t members;
    Member *member;
    TeamWork work;
    void *what;
    bool over;
    _Atomic uint32_t round; /* of work, that have begun */
    _Atomic uint32_t left;  /* members that are still at it */
    _Atomic uint32_t asleep;
    GMutex mutex;
    GCond begun;
};

static inline void look_again(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* The round that comes after `seen`. Who goes to sleep says so before its last look, and who begins
 * a round looks for sleepers behind it: one of them sees the other. */
static uint32_t await_round(Team *team, uint32_t seen)
{
    for (uint32_t looks = 0; looks < LOOKS; looks++) {
        if (atomic_load(&team->round) != seen) return seen + 1;
        look_again();
    }
    g_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->asleep, 1);
    while (atomic_load(&team->round) == seen) g_cond_wait(&team->begun, &team->mutex);
    atomic_fetch_sub(&team->asleep, 1);
    g_mutex_unlock(&team->mutex);
    return seen + 1;
}

static gpointer take_part(gpointer data)
{
    Member *member = data;
    Team *team = member->team;
    for (uint32_t seen = 0;;) {
        seen = await_round(team, seen);
        if (team->over) return NULL;
        team->work(team->what, member->number);
        atomic_fetch_sub(&team->left, 1);
    }
}

static void begin_round(Team *team)
{
    atomic_fetch_add(&team->round, 1);
    if (!atomic_load(&team->asleep)) return;
    g_mutex_lock(&team->mutex);
    g_cond_broadcast(&team->begun);
    g_mutex_unlock(&team->mutex);
}

Team *team_new(uint32_t members)
{
    Team *team = g_new0(Team, 1);
    team->members = members;
    team->member = g_new0(Member, members);
    g_mutex_init(&team->mutex);
    g_cond_init(&team->begun);
    for (uint32_t i = 1; i < members; i++) {
        team->member[i] = (Member){.team = team, .number = i};
        team->member[i].thread = g_thread_new("warpmem", take_part, &team->member[i]);
    }
    return team;
}

void team_free(Team *team)
{
    if (!team) return;
    team->over = true;
    begin_round(team);
    for (uint32_t i = 1; i < team->members; i++) g_thread_join(team->member[i].thread);
    g_mutex_clear(&team->mutex);
    g_cond_clear(&team->begun);
    g_free(team->member);
    g_free(team);
}

void team_do(Team *team, TeamWork work, void *what)
{
    team->work = work;
    team->what = what;
    atomic_store(&team->left, team->members - 1);
    begin_round(team);
    work(what, 0);
    for (uint32_t looks = 0; atomic_load(&team->left); looks++)
        if (looks < LOOKS)
            look_again();
        else
            sched_yield();
}
