/* Payloads of points that were simulated before, a file each, named by the point's key: all that a
 * run depends on, and the build of the program. It may be removed at any time. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* In the user's cache folder, newly allocated. */
char *store_folder(const char *name);

/* Newly allocated; NULL: nothing is known of the key. */
char *store_read(const char *folder, const char *key);

/* False with errno's number: it could not be written. */
bool store_write(const char *folder, const char *key, const char *payload, int *code);
