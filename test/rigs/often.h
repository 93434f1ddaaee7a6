/* See model/parts/often.h: every test's, compiled once for all. */
#include <check.h>
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
