/* `-o FILE` of commands that write one file: complete or not at all. "-" is standard output; what
 * is no file, such as a pipe, is written in place. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#define OUTPUT_FILE_ERROR (g_quark_from_static_string("warpmem-output-file"))

/* Whether it could be written, said before what takes long. */
bool output_file_check(const char *path, GError **error);

bool output_file_write(const char *path, const GString *text, GError **error);
