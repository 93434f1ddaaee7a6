/* See model/parts/often.h: the program reads and writes JSON, too. */
#include <errno.h>
#include <glib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
