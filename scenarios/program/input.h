/* Files that the user names. */
#pragma once

#include <glib.h>

/* The whole of a file or of a pipe, which is read once, with a 0 behind it. A pipe or a device may
 * go on for ever: beyond 256 MiB it is refused. NULL with the reason alone: "No such file or
 * directory". */
char *input_read(const char *path, gsize *length, GError **error);
