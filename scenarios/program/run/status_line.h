/* The line at the bottom of a terminal that says how far something is. */
#pragma once

#include <stdbool.h>

/* Whether standard error is a terminal that can take a line away. */
bool status_line_fits(void);

/* In place of the one before, no longer than the terminal is wide. */
void status_line_show(const char *text);
void status_line_hide(void);
