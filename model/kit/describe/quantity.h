/* Whole numbers with a unit, as text: "6 MiB", "1.5 us", "30 cycles". Decimal digits
 * never pass through a double. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a value is, and in which unit it is stored: the whole-number types first. */
typedef enum {
    PARAM_COUNT,     /* uint64_t, a plain number */
    PARAM_CYCLES,    /* uint64_t, "30 cycles" of the owner's clock */
    PARAM_BYTES,     /* uint64_t, "128 B", "48 KiB", "6 MiB", "4 GiB" */
    PARAM_TIME,      /* uint64_t fs, "1.5 us", "20 ns", "500 ps" */
    PARAM_FREQUENCY, /* uint64_t Hz, "1380 MHz", "1.2 GHz" */
    PARAM_BANDWIDTH, /* uint64_t bytes per cycle of the owner's clock, "32 B/cycle" */
    PARAM_DURATION,  /* uint64_t, "30 cycles", or "14 ns" until param_settle makes cycles of it */
    PARAM_RATIO,     /* double, "0.75" or "75 %" */
    PARAM_BOOL,      /* bool, yes/no (true/false, on/off, 1/0 are read too) */
    PARAM_CHOICE,    /* uint32_t, index into `choices` */
    PARAM_TEXT,      /* char *, owned by the object */
} ParamType;

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

/* For the whole-number types only: COUNT to DURATION. */
bool param_is_quantity(ParamType type);
const QuantityWords *quantity_words(ParamType type);

/* No space is around the text. `unit` is what stands behind the number, whatever the result. */
QuantityResult quantity_read(ParamType type, const char *text, uint64_t *value, const char **unit);

/* A duration that is a time has this bit, and the femtoseconds below it. */
#define DURATION_TIME (UINT64_C(1) << 63)

/* A time in cycles of a clock, at most UINT64_MAX: rounded down where it must not be longer, else
 * up. What is above a whole number by less than 2.6 % of a cycle counts as that number then
 * (JESD79-4, rounding algorithms: t / tCK + 0.974, cut off), since clocks are stated rounded. */
uint64_t duration_cycles(uint64_t femtoseconds, uint64_t hertz, bool longest);

/* PARAM_TIME or PARAM_CYCLES, whichever a duration's text is in. */
ParamType duration_type(const char *text);

/* Canonical and exact; newly allocated. */
char *quantity_format(ParamType type, uint64_t value);

/* Whose unit it is, and how many stored units; "" is that of a plain number. False: of no type. */
bool quantity_find_unit(const char *unit, ParamType *type, uint64_t *scale);

/* The nearest unit to a mistyped one, or NULL. */
const char *quantity_nearest_unit(ParamType type, const char *unit);
/* All units of the type: "B, KiB, MiB"; newly allocated. */
char *quantity_list_units(ParamType type);
