/* The text of a SimGrid platform without links that are removed: their elements are left out, and
 * routes that take them. What is left keeps its line. */
#pragma once

#include "platform/network/links/changes.h"

/* Newly allocated; changes->gone gains the names of the links. NULL with an error: a host has no
 * other link, or the text cannot be read. `name` is the platform's, for that. */
char *platform_without(const char *name, const char *text, const LinkChanges *changes,
                       GError **error);
