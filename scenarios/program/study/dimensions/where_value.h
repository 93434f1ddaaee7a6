/* What conditions compute with: numbers with units, texts, yes and no. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Powers; a frequency is cycles a second, so that cycles / machine.core_clock is a time. */
typedef struct {
    int bytes, cycles, seconds;
} Unit;

typedef enum { VALUE_NUMBER, VALUE_TEXT, VALUE_TRUTH } ValueKind;

typedef struct {
    ValueKind kind;
    double number; /* of bytes, cycles, seconds */
    Unit unit;
    bool truth;
    const char *text; /* somebody else's */
} Value;

/* What a parameter's canonical text, or a quantity in a condition, is. */
Value value_read(const char *text);
static inline Value value_truth(bool truth)
{
    return (Value){.kind = VALUE_TRUTH, .truth = truth};
}

/* "+" ... and "<" ...; the error says what does not go together. */
bool value_compute(char symbol, const Value *a, const Value *b, Value *result, GError **error);
bool value_compare(const char *symbol, const Value *a, const Value *b, bool *result,
                   GError **error);

/* min, max (of any number of values), abs, mod. `value_functions` is NULL-terminated. */
extern const char *const value_functions[];
bool value_call(const char *function, const GArray *arguments, Value *result, GError **error);
