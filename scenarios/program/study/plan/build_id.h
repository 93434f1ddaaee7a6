/* Which build of the program this is: results of different builds do not belong into one table. */
#pragma once

#include "scenarios/program/study/plan/manifest.h"

/* The linker's build identifier, hexadecimal. */
const char *build_id(void);

/* Whether this build planned the study. The error names both. */
bool build_check(const Manifest *manifest, const char *directory, GError **error);
