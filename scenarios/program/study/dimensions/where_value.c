#include "scenarios/program/study/dimensions/where_value.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/number.h"

static const struct {
    const char *name; /* number.h's */
    double scale;
    Unit unit;
} measures[] = {
    {"", 1, {0, 0, 0}},      {"B", 1, {1, 0, 0}},      {"Hz", 1, {0, 1, -1}},
    {"ns", 1e-9, {0, 0, 1}}, {"cycles", 1, {0, 1, 0}}, {"B/cycle", 1, {1, -1, 0}},
};

static const struct {
    Unit unit;
    const char *name;
} descriptions[] = {
    {{0, 0, 0}, "a plain number"},  {{1, 0, 0}, "bytes"},  {{0, 1, -1}, "a frequency"},
    {{0, 0, 1}, "a time"},          {{0, 1, 0}, "cycles"}, {{1, -1, 0}, "bytes a cycle"},
    {{1, 0, -1}, "bytes a second"},
};

static bool same_unit(Unit a, Unit b)
{
    return a.bytes == b.bytes && a.cycles == b.cycles && a.seconds == b.seconds;
}

static const char *describe(const Value *value)
{
    if (value->kind == VALUE_TEXT) return "text";
    if (value->kind == VALUE_TRUTH) return "yes or no";
    for (guint i = 0; i < G_N_ELEMENTS(descriptions); i++)
        if (same_unit(descriptions[i].unit, value->unit)) return descriptions[i].name;
    return "a number of another unit";
}

Value value_read(const char *text)
{
    double number;
    const char *name;
    if (!strcmp(text, "yes") || !strcmp(text, "no")) return value_truth(*text == 'y');
    if (!number_read(text, &number, &name)) return (Value){.kind = VALUE_TEXT, .text = text};
    Value value = {.kind = VALUE_NUMBER};
    for (guint i = 0; i < G_N_ELEMENTS(measures); i++) {
        if (strcmp(measures[i].name, name) != 0) continue;
        value.number = number * measures[i].scale;
        value.unit = measures[i].unit;
    }
    return value;
}

static bool reject_pair(const char *what, const Value *a, const Value *b, GError **error)
{
    const bool unit_missing = a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER
                              && (same_unit(a->unit, (Unit){0}) || same_unit(b->unit, (Unit){0}));
    g_set_error(error, STUDY_ERROR, 0, "'%s' between %s and %s%s", what, describe(a), describe(b),
                unit_missing ? "; quantities carry units, as in 96 KiB" : "");
    return false;
}

/* Numbers of one unit. A plain 0 is of any. */
static bool are_alike(const Value *a, const Value *b)
{
    if (a->kind != VALUE_NUMBER || b->kind != VALUE_NUMBER) return false;
    const Unit plain = {0};
    return same_unit(a->unit, b->unit) || (same_unit(a->unit, plain) && a->number == 0)
           || (same_unit(b->unit, plain) && b->number == 0);
}

static Unit power(Unit a, Unit b, int sign)
{
    return (Unit){a.bytes + sign * b.bytes, a.cycles + sign * b.cycles,
                  a.seconds + sign * b.seconds};
}

static bool multiply(char symbol, const Value *a, const Value *b, Value *result, GError **error)
{
    const bool divides = symbol == '/';
    if (divides && b->number == 0) {
        g_set_error_literal(error, STUDY_ERROR, 0, "division by 0");
        return false;
    }
    *result = (Value){.kind = VALUE_NUMBER, .unit = power(a->unit, b->unit, divides ? -1 : 1)};
    result->number = divides ? a->number / b->number : a->number * b->number;
    return true;
}

bool value_compute(char symbol, const Value *a, const Value *b, Value *result, GError **error)
{
    const char name[] = {symbol, '\0'};
    if (a->kind != VALUE_NUMBER || b->kind != VALUE_NUMBER) return reject_pair(name, a, b, error);
    if (symbol == '*' || symbol == '/') return multiply(symbol, a, b, result, error);
    if (!are_alike(a, b)) return reject_pair(name, a, b, error);
    *result = a->number == 0 ? *b : *a;
    result->number = symbol == '+' ? a->number + b->number : a->number - b->number;
    return true;
}

/* --- comparing -------------------------------------------------------------------------------- */

/* Sums and products of decimals differ in the last digits of a double. */
static const double TOLERANCE = 1e-12;

/* -1, 0, 1 */
static int order(double a, double b)
{
    if (fabs(a - b) <= TOLERANCE * MAX(fabs(a), fabs(b))) return 0;
    return a < b ? -1 : 1;
}

static const char *text_of(const Value *value)
{
    if (value->kind == VALUE_TRUTH) return value->truth ? "yes" : "no";
    return value->kind == VALUE_TEXT ? value->text : NULL;
}

static bool is_equality(const char *symbol)
{
    return *symbol == '=' || *symbol == '!' || !strcmp(symbol, "<>");
}

bool value_compare(const char *symbol, const Value *a, const Value *b, bool *result, GError **error)
{
    const char *text_a = text_of(a), *text_b = text_of(b);
    const bool differs = *symbol != '=';
    if (is_equality(symbol) && (text_a || text_b)) {
        *result = (g_strcmp0(text_a, text_b) == 0) != differs;
        return true;
    }
    if (!are_alike(a, b)) return reject_pair(symbol, a, b, error);
    const int sign = order(a->number, b->number);
    if (is_equality(symbol))
        *result = (sign == 0) != differs;
    else
        *result = sign == (*symbol == '<' ? -1 : 1) || (symbol[1] == '=' && sign == 0);
    return true;
}

/* --- functions -------------------------------------------------------------------------------- */

const char *const value_functions[] = {"min", "max", "abs", "mod", NULL};

static bool reject_call(const char *function, const char *reason, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "%s() %s", function, reason);
    return false;
}

static bool choose(const char *function, const GArray *arguments, Value *result, GError **error)
{
    const int wanted = !strcmp(function, "min") ? -1 : 1;
    *result = g_array_index(arguments, Value, 0);
    for (guint i = 0; i < arguments->len; i++) {
        const Value *value = &g_array_index(arguments, Value, i);
        if (!are_alike(result, value)) return reject_pair(function, result, value, error);
        if (order(value->number, result->number) == wanted) *result = *value;
    }
    return true;
}

static bool divide_with_rest(const Value *a, const Value *b, Value *result, GError **error)
{
    if (!are_alike(a, b)) return reject_pair("mod", a, b, error);
    if (b->number == 0) return reject_call("mod", "by 0", error);
    *result = *a;
    result->number = fmod(a->number, b->number);
    return true;
}

bool value_call(const char *function, const GArray *arguments, Value *result, GError **error)
{
    if (!strcmp(function, "min") || !strcmp(function, "max"))
        return arguments->len ? choose(function, arguments, result, error)
                              : reject_call(function, "takes one number or more", error);
    const Value *first = (const Value *)(const void *)arguments->data;
    if (!strcmp(function, "mod"))
        return arguments->len == 2 ? divide_with_rest(first, first + 1, result, error)
                                   : reject_call(function, "takes two numbers", error);
    if (arguments->len != 1 || first->kind != VALUE_NUMBER)
        return reject_call(function, "takes one number", error);
    *result = *first;
    result->number = fabs(first->number);
    return true;
}
