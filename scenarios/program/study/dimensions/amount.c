#include "scenarios/program/study/dimensions/amount.h"

#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/quantity.h"

enum { DECIMALS = 18 };

/* Room for any field that a number is stored in. */
typedef union {
    uint64_t whole;
    double real;
} Field;

bool amount_is_number(const Param *param)
{
    return param->type <= PARAM_RATIO;
}

Fixed fixed_round(Fixed value, Fixed precision)
{
    const Fixed rest = (value % precision + precision) % precision;
    return rest * 2 >= precision ? value - rest + precision : value - rest;
}

double fixed_to_double(Fixed value)
{
    return (double)(value / FIXED_ONE) + (double)(value % FIXED_ONE) / (double)FIXED_ONE;
}

static Fixed power_of_ten(unsigned exponent)
{
    Fixed power = 1;
    while (exponent--) power *= 10;
    return power;
}

bool fixed_read(const char *text, Amount *amount)
{
    Decimal decimal;
    const char *end = decimal_read_exact(text, &decimal);
    if (!end || *end || decimal.places > DECIMALS || decimal.count - decimal.places > DECIMALS + 1)
        return false;
    amount->precision = power_of_ten(DECIMALS - decimal.places);
    amount->value = (Fixed)decimal.digits * amount->precision * (decimal.negative ? -1 : 1);
    return true;
}

static bool read_ratio(const Param *param, const char *text, Amount *amount, GError **error)
{
    g_autofree char *number = g_strstrip(g_strdup(text));
    char *percent = strchr(number, '%');
    if (percent) *percent = '\0';
    if (!fixed_read(g_strchomp(number), amount)) {
        g_autofree char *range = param_describe_range(param);
        g_set_error(error, PARAM_ERROR, 0,
                    "%s: not written as a decimal, 0.75 or 75 %%; allowed: %s", text, range);
        return false;
    }
    const Fixed share = percent ? 100 : 1;
    amount->value /= share;
    amount->precision = MAX(amount->precision / share, 1);
    return true;
}

/* Of what param_parse has accepted. */
static Fixed precision_of(const Param *param, const char *text)
{
    g_autofree char *stripped = g_strstrip(g_strdup(text));
    g_autofree char *number = NULL;
    g_autofree char *unit = NULL;
    uint64_t scale = 0;
    quantity_read(param->type, stripped, &scale, &number, &unit);
    const char *point = strchr(number, '.');
    const unsigned decimals = point ? (unsigned)strlen(point + 1) : 0;
    g_autofree char *one = g_strconcat("1 ", unit, NULL);
    g_autofree char *ignored_number = NULL;
    g_autofree char *ignored_unit = NULL;
    quantity_read(param->type, g_strchomp(one), &scale, &ignored_number, &ignored_unit);
    return MAX(scale * FIXED_ONE / power_of_ten(MIN(decimals, DECIMALS)), 1);
}

bool amount_read(const Param *param, const char *text, Amount *amount, GError **error)
{
    Field field = {0};
    Param here = *param;
    here.offset = 0;
    if (!param_parse(&here, text, &field, error)) return false;
    if (param->type == PARAM_RATIO) return read_ratio(param, text, amount, error);
    *amount = (Amount){field.whole * FIXED_ONE, precision_of(param, text)};
    return true;
}

Fixed fixed_scale(Fixed value, Fixed factor)
{
    const Fixed whole = value / FIXED_ONE, rest = value % FIXED_ONE;
    Fixed product;
    if (__builtin_mul_overflow(whole, factor, &product)) return UINT64_MAX * FIXED_ONE;
    return product + rest * (factor / FIXED_ONE) + rest * (factor % FIXED_ONE) / FIXED_ONE;
}

static char *format_decimal(Fixed value)
{
    const Fixed size = value < 0 ? -value : value;
    return g_strdup_printf("%s%" G_GUINT64_FORMAT ".%018" G_GUINT64_FORMAT, value < 0 ? "-" : "",
                           (guint64)(size / FIXED_ONE), (guint64)(size % FIXED_ONE));
}

static char *format_quantity(ParamType type, Fixed value)
{
    const Fixed whole = fixed_round(value, FIXED_ONE) / FIXED_ONE;
    return quantity_format(type, (uint64_t)CLAMP(whole, 0, (Fixed)UINT64_MAX));
}

char *amount_write(const Param *param, Fixed value, GError **error)
{
    Field field = {0};
    Param here = *param;
    here.offset = 0;
    g_autofree char *text =
        param->type == PARAM_RATIO ? format_decimal(value) : format_quantity(param->type, value);
    return param_parse(&here, text, &field, error) ? param_format(&here, &field) : NULL;
}
