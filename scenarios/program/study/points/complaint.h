/* What a process said that broke off. */
#pragma once

/* The first lines of what a process said that broke off, as one, without process numbers and
 * addresses, which differ from run to run; newly allocated, "" when nothing was said. */
char *complaint_clean(const char *text);
