#include "scenarios/program/study/records/number.h"

#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "kit/describe/quantity.h"

/* What a number of the type is in, and how many of its stored units that is: 1 ns is 1e6 fs. */
static const struct {
    const char *unit;
    double stored;
} units[] = {
    [PARAM_COUNT] = {"", 1},          [PARAM_CYCLES] = {"cycles", 1},
    [PARAM_BYTES] = {"B", 1},         [PARAM_TIME] = {"ns", 1e6},
    [PARAM_FREQUENCY] = {"Hz", 1},    [PARAM_BANDWIDTH] = {"B/cycle", 1},
    [PARAM_DURATION] = {"cycles", 1},
};

bool number_read(const char *text, double *number, const char **unit)
{
    double value;
    ParamType type = PARAM_COUNT;
    uint64_t scale = 1;
    const char *end = decimal_read(text, &value);
    if (!end) return false;
    const char *written = end + strspn(end, " ");
    const bool percent = !strcmp(written, "%");
    if (!percent && !quantity_find_unit(written, &type, &scale)) return false;
    *number = percent ? decimal_scale(value, -2) : value * ((double)scale / units[type].stored);
    if (unit) *unit = units[type].unit;
    return true;
}

const char *number_unit(ParamType type)
{
    return units[type].unit;
}

double number_of_stored(ParamType type, double stored)
{
    return stored / units[type].stored;
}

double number_or_switch(const char *text)
{
    double number = NAN;
    if (!text || number_read(text, &number, NULL)) return number;
    return !strcmp(text, "yes") ? 1 : !strcmp(text, "no") ? 0 : NAN;
}

const char *number_nearest_unit(const char *word)
{
    const char *names[PARAM_DURATION + 2] = {"%"};
    guint count = 1;
    for (ParamType type = PARAM_CYCLES; param_is_quantity(type); type++) {
        const char *near = quantity_nearest_unit(type, word);
        if (near) names[count++] = near;
    }
    return nearest_word(word, names);
}
