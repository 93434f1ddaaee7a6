#include "scenarios/program/study/dimensions/where.h"

#include <string.h>

#include "scenarios/program/study/dimensions/where_parse.h"
#include "scenarios/program/study/plan/manifest.h"

struct Where {
    char *file;
    int line;
    GPtrArray *conditions; /* of Condition */
};

/* One point that is tested. */
typedef struct {
    WhereLookup lookup;
    void *user;
    GError **error;
} Test;

void where_free(Where *where)
{
    if (!where) return;
    g_free(where->file);
    g_ptr_array_unref(where->conditions);
    g_free(where);
}

static void prefix_place(const Where *where, int line, const char *text, GError **error)
{
    g_autofree char *place = where->file
                                 ? g_strdup_printf("%s:%d: ", where->file, where->line + line)
                                 : g_strdup("--set: ");
    g_prefix_error(error, "%sstudy.where: %s: ", place, text);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool add_condition(Where *where, const char *text, int line, const char *const *names,
                          GError **error)
{
    Condition *condition = condition_parse(text, names, error);
    if (!condition) {
        prefix_place(where, line, text, error);
        return false;
    }
    condition->line = line;
    g_ptr_array_add(where->conditions, condition);
    return true;
}

/* To the end of the line or the next semicolon that is not in quotes. */
static gsize condition_length(const char *at)
{
    char quote = '\0';
    gsize length = 0;
    for (; at[length] && at[length] != '\n' && (quote || at[length] != ';'); length++) {
        if (quote && at[length] == quote)
            quote = '\0';
        else if (!quote && (at[length] == '"' || at[length] == '\''))
            quote = at[length];
    }
    return length;
}

static bool read_conditions(Where *where, const char *text, const char *const *names,
                            GError **error)
{
    int line = 0;
    for (const char *at = text;; at++) {
        const gsize comment = strspn(at, " \t");
        const gsize length = at[comment] == '#' ? strcspn(at, "\n") : condition_length(at);
        g_autofree char *condition = g_strstrip(g_strndup(at, length));
        if (*condition && *condition != '#' && !add_condition(where, condition, line, names, error))
            return false;
        at += length;
        if (!*at) return true;
        line += *at == '\n';
    }
}

Where *where_new(const Setting *setting, const char *const *names, GError **error)
{
    g_autoptr(Where) where = g_new0(Where, 1);
    *where = (Where){
        .file = g_strdup(setting->file),
        .line = setting->line,
        .conditions = g_ptr_array_new_with_free_func(condition_free),
    };
    if (!read_conditions(where, setting->value, names, error)) return NULL;
    return g_steal_pointer(&where);
}

/* --- testing ---------------------------------------------------------------------------------- */

static bool evaluate(const Test *test, const Node *node, Value *result);

static bool look_up(const Test *test, const char *name, Value *result)
{
    const char *text = test->lookup(test->user, name);
    if (!text) {
        g_set_error(test->error, STUDY_ERROR, 0, "a point has no parameter %s", name);
        return false;
    }
    *result = value_read(text);
    return true;
}

static bool evaluate_truth(const Test *test, const Node *node, bool *truth)
{
    Value value;
    if (!evaluate(test, node, &value)) return false;
    *truth = value.truth;
    if (value.kind == VALUE_TRUTH) return true;
    g_set_error_literal(test->error, STUDY_ERROR, 0,
                        "neither true nor false; a condition compares, as in l2_slice.ways > 2");
    return false;
}

/* What follows the operand that decides is not looked at. */
static bool evaluate_all(const Test *test, const Node *node, Value *result)
{
    const bool decisive = node->kind == NODE_OR;
    *result = value_truth(!decisive);
    for (guint i = 0; i < node->operands->len && result->truth != decisive; i++)
        if (!evaluate_truth(test, node->operands->pdata[i], &result->truth)) return false;
    return true;
}

static bool call(const Test *test, const Node *node, Value *result)
{
    g_autoptr(GArray) arguments = g_array_new(FALSE, TRUE, sizeof(Value));
    for (guint i = 0; i < node->operands->len; i++) {
        Value value;
        if (!evaluate(test, node->operands->pdata[i], &value)) return false;
        g_array_append_val(arguments, value);
    }
    return value_call(node->text, arguments, result, test->error);
}

static bool join(const Test *test, const Node *node, Value *result)
{
    Value a, b;
    if (!evaluate(test, node->operands->pdata[0], &a)) return false;
    if (!evaluate(test, node->operands->pdata[1], &b)) return false;
    if (node->kind == NODE_COMPUTE) return value_compute(*node->text, &a, &b, result, test->error);
    *result = value_truth(false);
    return value_compare(node->text, &a, &b, &result->truth, test->error);
}

static bool evaluate(const Test *test, const Node *node, Value *result)
{
    switch (node->kind) {
    case NODE_VALUE: *result = node->value; return true;
    case NODE_NAME: return look_up(test, node->text, result);
    case NODE_COMPUTE:
    case NODE_COMPARE: return join(test, node, result);
    case NODE_CALL: return call(test, node, result);
    case NODE_AND:
    case NODE_OR: return evaluate_all(test, node, result);
    case NODE_NOT:
        *result = value_truth(false);
        if (!evaluate_truth(test, node->operands->pdata[0], &result->truth)) return false;
        result->truth = !result->truth;
        return true;
    }
    g_assert_not_reached();
}

bool where_test(Where *where, WhereLookup lookup, void *user, GError **error)
{
    g_autoptr(GError) problem = NULL;
    const Test test = {lookup, user, &problem};
    for (guint i = 0; i < where->conditions->len; i++) {
        const Condition *condition = where->conditions->pdata[i];
        bool truth = false;
        if (evaluate_truth(&test, condition->root, &truth) && truth) continue;
        if (!problem) return false;
        prefix_place(where, condition->line, condition->text, &problem);
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    return true;
}
