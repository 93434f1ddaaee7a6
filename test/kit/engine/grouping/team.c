/* Threads that do the same work side by side. */
#include "kit/engine/grouping/team.h"

#include "rigs/harness.h"

enum { MEMBERS = 3, ROUNDS = 2000 };

typedef struct {
    uint64_t done[MEMBERS]; /* rounds, by member */
    uint64_t seen;          /* by member 0, of what the others had done in the round before */
} Work;

static void count(void *what, uint32_t member)
{
    Work *work = what;
    work->done[member]++;
}

static void look(void *what, uint32_t member)
{
    Work *work = what;
    if (!member) work->seen += work->done[1] == work->done[0] && work->done[2] == work->done[0];
}

START_TEST(every_member_does_every_round_and_sees_the_one_before)
{
    Work work = {.seen = 0};
    Team *team = team_new(MEMBERS);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        team_do(team, count, &work);
        team_do(team, look, &work);
    }
    team_free(team);
    for (uint32_t i = 0; i < MEMBERS; i++) ck_assert_uint_eq(work.done[i], ROUNDS);
    ck_assert_uint_eq(work.seen, ROUNDS);
}
END_TEST

/* Longer than anybody stays awake. */
START_TEST(who_has_gone_to_sleep_is_woken)
{
    Work work = {.seen = 0};
    Team *team = team_new(MEMBERS);
    for (uint32_t i = 0; i < 3; i++) {
        g_usleep(20000);
        team_do(team, count, &work);
    }
    g_usleep(20000);
    team_free(team);
    ck_assert_uint_eq(work.done[MEMBERS - 1], 3);
}
END_TEST

START_TEST(a_team_of_one_works_alone)
{
    Work work = {.seen = 0};
    Team *team = team_new(1);
    team_do(team, count, &work);
    team_free(team);
    ck_assert_uint_eq(work.done[0], 1);
}
END_TEST

HARNESS_MAIN("team", every_member_does_every_round_and_sees_the_one_before,
             who_has_gone_to_sleep_is_woken, a_team_of_one_works_alone)
