/* What a process that broke off had said. */
#pragma once

/* The first lines as one, without process numbers and addresses, which differ from run to run;
 * newly allocated, "" when nothing was said. */
char *complaint_clean(const char *text);
