/* What nearly every file reads, compiled once a library (c_pch of meson). No file includes this:
 * each includes what it uses. */
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
