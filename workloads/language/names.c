/* What names mean and what expressions amount to. */
#include <string.h>

#include "kit/describe/nearest.h"
#include "workloads/language/builder.h"

bool builder_reject(const Builder *builder, const char *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return source_reject(builder->source, at, builder->error, "%s", reason);
}

void register_set_add(RegisterSet *set, uint32_t id)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->id[i] == id) return;
    if (set->count < INSTRUCTION_SOURCES) set->id[set->count++] = id;
}

/* --- symbols ---------------------------------------------------------------------------------- */

static const char *const builtins[] = {"lane",  "warp",    "thread", "cta",
                                       "warps", "threads", "ctas",   NULL};

Symbol *builder_find(const Builder *builder, const char *name)
{
    for (guint i = builder->symbols->len; i-- > 0;) {
        Symbol *symbol = &g_array_index(builder->symbols, Symbol, i);
        if (!strcmp(symbol->name, name)) return symbol;
    }
    return NULL;
}

Symbol *builder_declare(Builder *builder, const Symbol *symbol)
{
    g_array_append_vals(builder->symbols, symbol, 1);
    return &g_array_index(builder->symbols, Symbol, builder->symbols->len - 1);
}

bool builder_declare_number(Builder *builder, const char *at, const char *name, Number number)
{
    if (builder_find(builder, name) || g_strv_contains(builtins, name))
        return builder_reject(builder, at, "'%s' has a meaning already", name);
    builder_declare(builder, &(Symbol){.kind = SYMBOL_NUMBER, .name = name, .number = number});
    return true;
}

static void declare_builtin(Builder *builder, const char *name, const Form *form)
{
    builder_declare(builder,
                    &(Symbol){.kind = SYMBOL_NUMBER, .name = name, .number = {.form = form}});
}

void builder_declare_builtins(Builder *builder)
{
    FormPool *pool = builder->pool;
    const int64_t all = builder->warp_lanes, warps = (builder->threads + all - 1) / all;
    /* the last lanes of a partial last warp do not exist */
    const bool whole = builder->threads % all == 0 || warps == 1;
    const Range lanes = {0, MIN(builder->threads, all) - 1, whole};
    const Form *lane = form_variable(pool, ATOM_LANE, 0, lanes);
    const Form *warp = form_variable(pool, ATOM_WARP, 0, (Range){0, warps - 1, true});
    declare_builtin(builder, "lane", lane);
    declare_builtin(builder, "warp", warp);
    declare_builtin(builder, "thread", form_add(pool, lane, warp, all));
    declare_builtin(builder, "cta",
                    form_variable(pool, ATOM_CTA, 0, (Range){0, builder->ctas - 1, true}));
    declare_builtin(builder, "warps", form_constant(pool, warps));
    declare_builtin(builder, "threads", form_constant(pool, builder->threads));
    declare_builtin(builder, "ctas", form_constant(pool, builder->ctas));
}

bool builder_reject_name(const Builder *builder, const char *at, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < builder->symbols->len; i++)
        g_ptr_array_add(names, (gpointer)g_array_index(builder->symbols, Symbol, i).name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_word(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    return builder_reject(builder, at, "nothing here is called '%s'; %s%s%s", name,
                          near   ? "did you mean '"
                          : *all ? "there are "
                                 : "there are no names yet",
                          near ? near : all, near ? "'?" : "");
}

/* --- expressions ------------------------------------------------------------------------------ */

static const Number failed = {.form = NULL};

static Number combine(const Form *form, const Number *parts, uint32_t count)
{
    Number number = {.form = form};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < parts[i].used.count; k++)
            register_set_add(&number.used, parts[i].used.id[k]);
    return number;
}

static Number name_number(Builder *builder, const Expression *e)
{
    const Symbol *symbol = builder_find(builder, e->name);
    if (!symbol) {
        builder_reject_name(builder, e->at, e->name);
    } else if (symbol->kind == SYMBOL_ARRAY) {
        builder_reject(builder, e->at,
                       "'%s' is an array; an element is loaded first, 'x = load %s[...]', and then "
                       "x may stand in an index",
                       e->name, e->name);
    } else if (symbol->kind == SYMBOL_TEXTURE) {
        builder_reject(builder, e->at, "'%s' is a texture, and what it holds is not known",
                       e->name);
    } else if (symbol->kind == SYMBOL_REGISTERS || e->kind == EXPRESSION_ELEMENT) {
        builder_reject(builder, e->at, "'%s' has no known value", e->name);
    } else if (!symbol->number.form) {
        builder_reject(builder, e->at, "the value of '%s' is not known: %s", e->name,
                       symbol->unknown);
    } else {
        return symbol->number;
    }
    return failed;
}

static const Form *truth(FormPool *pool, const Form *form)
{
    const Range range = form_range(form);
    if (range.low >= 0 && range.high <= 1) return form;
    const Form *none = form_call2(pool, FUNCTION_EQUAL, form, form_constant(pool, 0));
    return form_add(pool, form_constant(pool, 1), none, -1);
}

/* a + offset compared with b, as a difference and 0: what both have in common falls out. */
static const Form *compare(FormPool *pool, Function function, const Form *a, const Form *b,
                           int64_t offset)
{
    const Form *difference =
        form_add(pool, form_add(pool, a, b, -1), form_constant(pool, offset), 1);
    return form_call2(pool, function, difference, form_constant(pool, 0));
}

static const Form *negate(FormPool *pool, const Form *form)
{
    return form_add(pool, form_constant(pool, 1), form, -1);
}

static const Form *comparison(FormPool *pool, const char *name, const Form *a, const Form *b)
{
    if (!strcmp(name, "<")) return compare(pool, FUNCTION_LESS, a, b, 0);
    if (!strcmp(name, ">")) return compare(pool, FUNCTION_LESS, b, a, 0);
    if (!strcmp(name, "<=")) return compare(pool, FUNCTION_LESS, a, b, -1);
    if (!strcmp(name, ">=")) return compare(pool, FUNCTION_LESS, b, a, -1);
    if (!strcmp(name, "==")) return compare(pool, FUNCTION_EQUAL, a, b, 0);
    if (!strcmp(name, "!=")) return negate(pool, compare(pool, FUNCTION_EQUAL, a, b, 0));
    const Form *ta = truth(pool, a), *tb = truth(pool, b);
    if (!strcmp(name, "&&")) return form_call2(pool, FUNCTION_MULTIPLY, ta, tb);
    if (!strcmp(name, "||"))
        return negate(pool,
                      form_call2(pool, FUNCTION_MULTIPLY, negate(pool, ta), negate(pool, tb)));
    return NULL;
}

static const struct {
    const char *name;
    Function function;
} binary[] = {
    {"*", FUNCTION_MULTIPLY}, {"/", FUNCTION_DIVIDE}, {"%", FUNCTION_MODULO}, {"<<", FUNCTION_LEFT},
    {">>", FUNCTION_RIGHT},   {"&", FUNCTION_AND},    {"|", FUNCTION_OR},     {"^", FUNCTION_XOR},
};

static const Form *binary_form(Builder *builder, const Expression *e, const Form *a, const Form *b)
{
    FormPool *pool = builder->pool;
    if (!strcmp(e->name, "+")) return form_add(pool, a, b, 1);
    if (!strcmp(e->name, "-")) return form_add(pool, a, b, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(binary); i++) {
        if (strcmp(e->name, binary[i].name) != 0) continue;
        const Function function = binary[i].function;
        const Range range = form_range(b);
        if ((function == FUNCTION_DIVIDE || function == FUNCTION_MODULO) && range.low < 1) {
            builder_reject(builder, e->at, "a divisor must be 1 or more; this one may be %" PRId64,
                           range.low);
            return NULL;
        }
        if ((function == FUNCTION_LEFT || function == FUNCTION_RIGHT)
            && (range.low < 0 || range.high >= NUMBER_LIMIT_BITS)) {
            builder_reject(builder, e->at,
                           "shifts go from 0 to %d bits; this one from %" PRId64 " to %" PRId64,
                           NUMBER_LIMIT_BITS - 1, range.low, range.high);
            return NULL;
        }
        return form_call2(pool, function, a, b);
    }
    return comparison(pool, e->name, a, b);
}

static const Form *operation_form(Builder *builder, const Expression *e, const Number *parts)
{
    FormPool *pool = builder->pool;
    const Form *a = parts[0].form;
    if (e->children->len == 1) {
        if (!strcmp(e->name, "!"))
            return form_call2(pool, FUNCTION_EQUAL, a, form_constant(pool, 0));
        return form_add(pool, form_constant(pool, strcmp(e->name, "~") ? 0 : -1), a, -1);
    }
    if (e->children->len == 2) return binary_form(builder, e, a, parts[1].form);
    const Form *const arguments[] = {truth(pool, a), parts[1].form, parts[2].form};
    return form_call(pool, FUNCTION_SELECT, arguments, 3, 0);
}

/* --- functions -------------------------------------------------------------------------------- */

typedef enum { CALL_MIN, CALL_MAX, CALL_LOG2, CALL_RANDOM, CALL_PERMUTE } Call;
static const struct {
    const char *name;
    uint32_t least, most;
} calls[] = {[CALL_MIN] = {"min", 2, 2},
             [CALL_MAX] = {"max", 2, 2},
             [CALL_LOG2] = {"log2", 1, 1},
             [CALL_RANDOM] = {"random", 1, 6},
             [CALL_PERMUTE] = {"permute", 2, 3}};

static bool reject_varying(const Builder *builder, const Expression *e)
{
    return builder_reject(builder, e->at,
                          "must be the same number for all lanes, warps and iterations");
}

static bool check_bound(const Builder *builder, const Expression *e, const Form *bound)
{
    const int64_t most = form_range(bound).high;
    return most >= 1
           || builder_reject(builder, e->at, "%s is among 1 number or more, not %" PRId64, e->name,
                             most);
}

/* Each lane, warp and iteration draws its own, unless keys are given. */
static const Form *random_form(Builder *builder, const Expression *e, const Number *parts)
{
    const Form *arguments[FUNCTION_ARGUMENTS];
    const Symbol *cta = builder_find(builder, "cta"); /* NULL: in a parameter, or the grid */
    uint32_t count = 0;
    for (; count < e->children->len; count++) arguments[count] = parts[count].form;
    if (count == 1 && builder->content_index) {
        arguments[count++] = builder->content_index;
    } else if (count == 1 && !cta) {
        reject_varying(builder, e);
        return NULL;
    } else if (count == 1) {
        arguments[count++] = cta->number.form;
        arguments[count++] = builder_find(builder, "warp")->number.form;
        const guint loops = builder->loop_variables->len;
        for (guint i = 0; i < loops && count < FUNCTION_ARGUMENTS - 1; i++)
            arguments[count++] = builder->loop_variables->pdata[i];
        arguments[count++] = builder_find(builder, "lane")->number.form;
    }
    const uint64_t site = (uint64_t)(e->at - builder->source->text);
    return form_call(builder->pool, FUNCTION_RANDOM, arguments, count,
                     mix64(builder->seed ^ mix64(site)));
}

static const Form *permute_form(Builder *builder, const Expression *e, const Number *parts)
{
    int64_t number = 0;
    if (e->children->len == 3
        && !builder_constant(builder, e->children->pdata[2], 0, INT32_MAX, &number))
        return NULL;
    const Form *const arguments[] = {parts[0].form, parts[1].form};
    return form_call(builder->pool, FUNCTION_PERMUTE, arguments, 2,
                     mix64(builder->seed ^ mix64((uint64_t)number)));
}

static bool check_call(Builder *builder, const Expression *e, Call *call)
{
    const char *names[G_N_ELEMENTS(calls) + 1] = {NULL};
    for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
        names[i] = calls[i].name;
        if (strcmp(e->name, calls[i].name) != 0) continue;
        *call = (Call)i;
        if (e->children->len >= calls[i].least && e->children->len <= calls[i].most) return true;
        return builder_reject(builder, e->at, "%s takes %u to %u arguments, not %u", e->name,
                              calls[i].least, calls[i].most, e->children->len);
    }
    const char *near = nearest_word(e->name, names);
    return builder_reject(builder, e->at, "no function is called '%s'; %s%s%s", e->name,
                          near ? "did you mean '" : "there are min, max, log2, random, permute",
                          near ? near : "", near ? "'?" : "");
}

static const Form *call_form(Builder *builder, const Expression *e, const Number *parts)
{
    Call call = CALL_MIN;
    if (!check_call(builder, e, &call)) return NULL;
    const Form *a = parts[0].form;
    switch (call) {
    case CALL_MIN: return form_call2(builder->pool, FUNCTION_MIN, a, parts[1].form);
    case CALL_MAX: return form_call2(builder->pool, FUNCTION_MAX, a, parts[1].form);
    case CALL_LOG2: break;
    case CALL_RANDOM: return check_bound(builder, e, a) ? random_form(builder, e, parts) : NULL;
    case CALL_PERMUTE:
        return check_bound(builder, e, parts[1].form) ? permute_form(builder, e, parts) : NULL;
    }
    if (form_is_constant(a) && a->constant > 0)
        return form_constant(builder->pool, 63 - __builtin_clzll((uint64_t)a->constant));
    builder_reject(builder, e->at, "log2 takes a positive number that is the same for all warps");
    return NULL;
}

enum { DEPTH_MAX = 2000 }; /* a level takes 2 KiB of stack in a running kernel */

static bool check_depth(Builder *builder, const Expression *e, const Form *form)
{
    if (form_depth(form) <= DEPTH_MAX) return true;
    return builder_reject(builder, e->at, "more than %d functions are one in another here",
                          DEPTH_MAX);
}

/* `first` is its first child. */
static Number children_number(Builder *builder, const Expression *e, Number first)
{
    Number parts[FUNCTION_ARGUMENTS] = {first};
    if (!first.form) return failed;
    for (guint i = 1; i < e->children->len; i++) {
        parts[i] = builder_number(builder, e->children->pdata[i]);
        if (!parts[i].form) return failed;
    }
    const Form *form = e->kind == EXPRESSION_CALL ? call_form(builder, e, parts)
                                                  : operation_form(builder, e, parts);
    if (!form || !check_depth(builder, e, form)) return failed;
    return combine(form, parts, e->children->len);
}

/* Sums of thousands of terms are as deep at the left: from there, without recursion. */
static Number operation_number(Builder *builder, const Expression *e)
{
    g_autoptr(GPtrArray) operations = g_ptr_array_new();
    for (; e->kind == EXPRESSION_OPERATION; e = e->children->pdata[0])
        g_ptr_array_add(operations, (gpointer)e);
    Number number = builder_number(builder, e);
    for (guint i = operations->len; i-- > 0;)
        number = children_number(builder, operations->pdata[i], number);
    return number;
}

Number builder_number(Builder *builder, const Expression *e)
{
    if (e->kind == EXPRESSION_NUMBER)
        return (Number){.form = form_constant(builder->pool, e->number)};
    if (e->kind == EXPRESSION_NAME || e->kind == EXPRESSION_ELEMENT) return name_number(builder, e);
    if (e->kind == EXPRESSION_OPERATION) return operation_number(builder, e);
    if (e->children->len >= 1 && e->children->len <= 6)
        return children_number(builder, e, builder_number(builder, e->children->pdata[0]));
    builder_reject(builder, e->at, "%s takes 1 to 6 arguments", e->name);
    return failed;
}

bool builder_constant(Builder *builder, const Expression *e, int64_t low, int64_t high,
                      int64_t *value)
{
    const Number number = builder_number(builder, e);
    if (!number.form) return false;
    if (!form_is_constant(number.form)) return reject_varying(builder, e);
    *value = number.form->constant;
    if (*value >= low && *value <= high) return true;
    return builder_reject(builder, e->at, "is %" PRId64 "; allowed: from %" PRId64 " to %" PRId64,
                          *value, low, high);
}
