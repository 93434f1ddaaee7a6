/* Whole numbers with a unit, as text: "6 MiB", "1.5 us", "30 cycles". Decimal digits
 * never pass through a double. */
#pragma once

#include "kit/describe/param.h"

typedef enum {
    QUANTITY_OK,
    QUANTITY_MALFORMED, /* no number at the beginning */
    QUANTITY_UNITLESS,
    QUANTITY_UNKNOWN_UNIT,
    QUANTITY_FRACTION, /* not whole in the stored unit */
    QUANTITY_TOO_LARGE,
    QUANTITY_NEGATIVE,
} QuantityResult;

/* Words for messages about one type of quantity. */
typedef struct {
    const char *noun;        /* "bytes" */
    const char *are_written; /* "bytes are written as"; NULL when there is no unit */
    const char *stored;      /* the stored unit: "femtoseconds" */
    const char *example[2];  /* units for an example; the second may be NULL */
    const char *suffix;      /* of every canonical text, or NULL when the unit varies */
} QuantityWords;

/* For the whole-number types only: COUNT to BANDWIDTH. */
bool param_is_quantity(ParamType type);
const QuantityWords *quantity_words(ParamType type);

/* `number` and `unit` receive the two parts as written, newly allocated, whatever the result. */
QuantityResult quantity_read(ParamType type, const char *text, uint64_t *value, char **number,
                             char **unit);

/* Canonical and exact; newly allocated. */
char *quantity_format(ParamType type, uint64_t value);

/* The nearest unit to a mistyped one, or NULL. */
const char *quantity_nearest_unit(ParamType type, const char *unit);
/* All units of the type: "B, KiB, MiB"; newly allocated. */
char *quantity_list_units(ParamType type);
