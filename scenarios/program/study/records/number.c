#include "scenarios/program/study/records/number.h"

#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/nearest.h"
#include "kit/describe/param.h"

typedef struct {
    const char *written, *unit;
    double factor;
} Scale;

static const Scale scales[] = {
    {"", "", 1},
    {"%", "", 0.01},
    {"B", "B", 1},
    {"KiB", "B", 1024},
    {"MiB", "B", 1 << 20},
    {"GiB", "B", 1 << 30},
    {"TiB", "B", 1099511627776},
    {"kB", "B", 1e3},
    {"MB", "B", 1e6},
    {"GB", "B", 1e9},
    {"TB", "B", 1e12},
    {"Hz", "Hz", 1},
    {"kHz", "Hz", 1e3},
    {"MHz", "Hz", 1e6},
    {"GHz", "Hz", 1e9},
    {"fs", "ns", 1e-6},
    {"ps", "ns", 1e-3},
    {"ns", "ns", 1},
    {"us", "ns", 1e3},
    {"ms", "ns", 1e6},
    {"s", "ns", 1e9},
    {"cycle", "cycles", 1},
    {"cycles", "cycles", 1},
    {"B/cycle", "B/cycle", 1},
    {"KiB/cycle", "B/cycle", 1024},
};

bool number_read(const char *text, double *number, const char **unit)
{
    double value;
    const char *end = decimal_read(text, &value);
    if (!end) return false;
    const char *written = end + strspn(end, " ");
    for (unsigned i = 0; i < G_N_ELEMENTS(scales); i++) {
        if (strcmp(scales[i].written, written) != 0) continue;
        *number = value * scales[i].factor;
        if (unit) *unit = scales[i].unit;
        return true;
    }
    return false;
}

const char *number_nearest_unit(const char *word)
{
    const char *names[G_N_ELEMENTS(scales) + 1] = {NULL};
    for (unsigned i = 1; i < G_N_ELEMENTS(scales); i++) names[i - 1] = scales[i].written;
    return nearest_word(word, names);
}
