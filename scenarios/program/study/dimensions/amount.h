/* Numbers of a parameter, exactly and with the precision to which they are written: for ranges,
 * whose values are as precise as their ends. */
#pragma once

#include "kit/describe/param.h"

/* In 10^-18 of the parameter's stored unit: all of a uint64_t, and 18 decimals of a ratio. */
__extension__ typedef __int128 Fixed;

#define FIXED_ONE ((Fixed)1000000000000000000)

typedef struct {
    Fixed value;
    Fixed precision; /* of the last digit that is written: 1.5 KiB is written to 0.1 KiB */
} Amount;

/* A parameter that is a number: COUNT to RATIO. */
bool amount_is_number(const Param *param);

/* The error is param_parse's: value, reason, what is allowed. */
bool amount_read(const Param *param, const char *text, Amount *amount, GError **error);

/* The nearest multiple of `precision`, halves upwards. */
Fixed fixed_round(Fixed value, Fixed precision);
double fixed_to_double(Fixed value);

/* A plain decimal number of at most 18 decimals, and nothing behind it. */
bool fixed_read(const char *text, Amount *amount);

/* `value` times `factor`, the first one whole for all parameters but ratios. */
Fixed fixed_scale(Fixed value, Fixed factor);

/* Canonical text of the nearest value that the parameter can have, newly allocated; NULL with
 * error when it is out of the parameter's range. */
char *amount_write(const Param *param, Fixed value, GError **error);
