/* `-o FILE` of commands that write one file, with messages that name the option. */
#pragma once

#include <stdbool.h>

#include "kit/describe/output_file.h"

#define OUTPUT_OPTION_ERROR (g_quark_from_static_string("warpmem-output-option"))

/* Whether it could be written, said before what takes long. */
bool output_option_check(const char *path, GError **error);

bool output_option_write(const char *path, const GString *text, GError **error);

/* NULL with error. */
OutputFile *output_option_open(const char *path, GError **error);

/* All is written: it takes its name. */
bool output_option_publish(OutputFile *file, const char *path, GError **error);
