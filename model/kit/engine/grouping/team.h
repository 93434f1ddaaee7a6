/* Host threads that do the same work side by side, each its own part of it. Between two pieces of
 * work the others wait for the next one, first awake, since it often comes within microseconds. */
#pragma once

#include <stdint.h>

typedef struct Team Team;

/* The caller is member 0 of so many. */
Team *team_new(uint32_t members);
void team_free(Team *team);

typedef void (*TeamWork)(void *what, uint32_t member);

/* Every member does it; returns when all have, and whoever comes after it sees what they did. */
void team_do(Team *team, TeamWork work, void *what);
