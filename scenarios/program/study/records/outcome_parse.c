/* Payloads taken apart, fast: a study may have 100,000 of them. */
#include <errno.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/study/records/outcome.h"

/* Where the reader stands in the copy of a payload; texts end where it has put a zero. */
typedef struct {
    char *at;
    const char *start;
    GError **error;
} Cursor;

static bool reject(const Cursor *cursor, const char *wanted)
{
    if (!*cursor->at)
        g_set_error(cursor->error, STUDY_ERROR, 0, "the outcome ends where %s is wanted", wanted);
    else
        g_set_error(cursor->error, STUDY_ERROR, 0,
                    "character %d of the outcome, '%.12s': %s is wanted",
                    (int)(cursor->at - cursor->start) + 1, cursor->at, wanted);
    return false;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* As this program writes them: "+1" and ".5" are none. */
static const char *read_number(const char *text, double *number)
{
    return g_ascii_isdigit(text[*text == '-']) ? decimal_read(text, number) : NULL;
}

static bool take_count(Cursor *cursor, guint64 *count)
{
    char *end;
    if (!g_ascii_isdigit(*cursor->at)) return reject(cursor, "a whole number");
    errno = 0;
    *count = g_ascii_strtoull(cursor->at, &end, 10);
    if (errno) return reject(cursor, "a number below 2^64");
    cursor->at = end;
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

/* What stands before `cursor` is complete: a space follows, and makes room for the zero that ends
 * it. */
static bool take_space(Cursor *cursor)
{
    if (*cursor->at != ' ') return reject(cursor, "a space");
    *cursor->at++ = '\0';
    return true;
}

/* The JSON string from the cursor to `end`, decoded in its own place: it does not get longer. */
static bool decode_string(Cursor *cursor, char *end)
{
    const char after = *end;
    *end = '\0';
    g_autoptr(JsonNode) node = json_from_string(cursor->at, NULL);
    *end = after;
    if (!node) return reject(cursor, "a JSON string");
    strcpy(cursor->at, json_node_get_string(node));
    return true;
}

static bool take_text(Cursor *cursor, OutcomeValue *value)
{
    char *end = cursor->at + 1;
    const char *escape = NULL;
    for (; *end && *end != '"'; end++) {
        if (*end != '\\') continue;
        escape = end;
        if (end[1]) end++;
    }
    if (!*end) return reject(cursor, "a JSON string");
    if (escape && !decode_string(cursor, end + 1)) return false;
    *value = (OutcomeValue){OUTCOME_TEXT, 0, escape ? cursor->at : cursor->at + 1};
    if (!escape) *end = '\0';
    cursor->at = end + 1;
    return true;
}

static bool take_value(Cursor *cursor, OutcomeValue *value)
{
    *value = (OutcomeValue){OUTCOME_ABSENT, 0, NULL};
    if (*cursor->at == '"') return take_text(cursor, value);
    const char *end = read_number(cursor->at, &value->number);
    if (end) {
        value->kind = OUTCOME_NUMBER;
        value->text = cursor->at;
        cursor->at += end - cursor->at;
        return true;
    }
    if (*cursor->at != '-') return reject(cursor, "a value");
    cursor->at++;
    return true;
}

static bool take_values(Cursor *cursor, guint count, GArray *values)
{
    OutcomeValue value;
    for (guint i = 0; i < count; i++) {
        if (i && !take_space(cursor)) return false;
        if (!take_value(cursor, &value)) return false;
        g_array_append_val(values, value);
    }
    return true;
}

/* --- stages ----------------------------------------------------------------------------------- */

static bool take_stages(Cursor *cursor, OutcomeStages *stages)
{
    const gsize length = strspn(cursor->at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (!length) return reject(cursor, "a request class");
    stages->request_class = cursor->at;
    cursor->at += length;
    if (!take_space(cursor) || !take_count(cursor, &stages->count)) return false;
    for (guint i = 0; i < STAGE_COUNT; i++)
        if (!take_space(cursor) || !take_count(cursor, &stages->sums[i])) return false;
    return true;
}

static bool take_all(Cursor *cursor, guint values, ParsedOutcome *outcome)
{
    OutcomeStages stages;
    if (!take_values(cursor, values, outcome->values)) return false;
    while (*cursor->at) {
        if (!take_space(cursor)) return false;
        if (*cursor->at != '|') return reject(cursor, "'|'");
        cursor->at++;
        if (!take_space(cursor) || !take_stages(cursor, &stages)) return false;
        g_array_append_val(outcome->stages, stages);
    }
    return true;
}

bool outcome_parse(const char *payload, guint values, ParsedOutcome *outcome, GError **error)
{
    const gsize size = strlen(payload) + 1;
    if (!outcome->values) {
        outcome->values = g_array_new(FALSE, FALSE, sizeof(OutcomeValue));
        outcome->stages = g_array_new(FALSE, FALSE, sizeof(OutcomeStages));
    }
    if (size > outcome->room) {
        outcome->room = 2 * size;
        g_free(outcome->text);
        outcome->text = g_malloc(outcome->room);
    }
    g_array_set_size(outcome->values, 0);
    g_array_set_size(outcome->stages, 0);
    memcpy(outcome->text, payload, size);
    Cursor cursor = {outcome->text, outcome->text, error};
    return take_all(&cursor, values, outcome);
}

void parsed_outcome_finish(ParsedOutcome *outcome)
{
    if (outcome->values) g_array_unref(outcome->values);
    if (outcome->stages) g_array_unref(outcome->stages);
    g_free(outcome->text);
    *outcome = (ParsedOutcome){NULL, NULL, NULL, 0};
}
