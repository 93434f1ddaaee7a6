/* What Check spends on a case besides the case. */
#pragma once

/* A process that is forked from now on ends without what is done at exit: to destroy what SimGrid
 * and the simulators that it is linked with have set up takes longer than most cases. */
void cases_leave_at_once(void);

/* What meson.build has ck_assert call instead of Check's _mark_point, which writes to a file where
 * the assertion is, each time. This one writes the first time: a crash is behind the last line that
 * was new. */
void mark_new_point(const char *file, int line);
