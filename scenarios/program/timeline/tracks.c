#include "scenarios/program/timeline/tracks.h"

#include <math.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/timeline/events.h"

enum { KERNELS_MAX = 1000, NAME_CHARACTERS = 64 };

/* --- kernels ---------------------------------------------------------------------------------- */

typedef struct {
    gint64 begin, end;
} Span;

static Span span_of(JsonArray *rows)
{
    Span span = {G_MAXINT64, 0};
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        span.begin = MIN(span.begin, json_object_get_int_member(row, "begin"));
        span.end = MAX(span.end, json_object_get_int_member(row, "end"));
    }
    return span;
}

static void put_end(GString *out, char phase, guint number, const char *name, gint64 at)
{
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    g_autofree char *cut =
        g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), NAME_CHARACTERS));
    g_string_append_printf(out, "{\"ph\":\"%c\",\"cat\":\"kernel\",\"id\":\"k%u\",\"name\":", phase,
                           number);
    json_append_string(out, cut);
    g_string_append_printf(out, ",\"pid\":%d,\"tid\":%d,\"ts\":", EVENT_MACHINE, EVENT_MACHINE);
    event_append_time(out, at);
    g_string_append(out, "},\n");
}

/* Those that ran while a kept request was under way, and how many there have been so far. */
typedef struct {
    GString *out;
    Span span;
    guint number, drawn;
} Kernels;

static gint64 femtoseconds(double ns)
{
    return (gint64)llround(ns * 1e6);
}

static void put_kernel(Kernels *kernels, const char *name, double begin, double end)
{
    const guint number = kernels->number++;
    if (!name || !isfinite(begin) || !isfinite(end) || kernels->drawn == KERNELS_MAX) return;
    const gint64 from = femtoseconds(begin), to = femtoseconds(end);
    if (from >= kernels->span.end || to <= kernels->span.begin) return;
    put_end(kernels->out, 'b', number, name, from);
    put_end(kernels->out, 'e', number, name, to);
    kernels->drawn++;
}

/* Returns the numbers of the launches that have a description each. */
static GHashTable *put_described(Kernels *kernels, JsonArray *list)
{
    GHashTable *numbers = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint i = 0; i < result_length(list); i++) {
        JsonNode *kernel = json_array_get_element(list, i);
        const double number = result_number(kernel, "number"),
                     begin = result_number(kernel, "begin_ns");
        put_kernel(kernels, result_text(kernel, "name"), begin,
                   begin + result_number(kernel, "time_ns"));
        if (isfinite(number)) g_hash_table_add(numbers, GUINT_TO_POINTER((guint)number));
    }
    return numbers;
}

/* Of very many launches most have a row and no more: name, number, whether measured, begin, end. */
static void put_row(Kernels *kernels, GHashTable *described, JsonArray *row)
{
    const guint number = (guint)json_array_get_int_element(row, 1);
    if (g_hash_table_contains(described, GUINT_TO_POINTER(number))) return;
    put_kernel(kernels, json_array_get_string_element(row, 0),
               json_array_get_double_element(row, 3), json_array_get_double_element(row, 4));
}

void timeline_trace_kernels(JsonNode *result, JsonArray *rows, GString *out)
{
    JsonArray *list = result_array(result, "summary.kernels"),
              *others = result_array(result, "kernel_rows.rows");
    Kernels kernels = {out, span_of(rows), 0, 0};
    g_autoptr(GHashTable) described = put_described(&kernels, list);
    for (guint i = 0; i < result_length(others); i++)
        put_row(&kernels, described, json_array_get_array_element(others, i));
}

/* --- banks ------------------------------------------------------------------------------------ */

static void put_state(GString *out, JsonNode *state, gint64 process, gint64 bank)
{
    const double row = result_number(state, "row");
    const gint64 begin = json_node_get_int(result_member(state, "begin"));
    const gint64 end = json_node_get_int(result_member(state, "end"));
    const char *name = result_text(state, "state");
    g_autofree char *with_row = g_strdup_printf("%s, row %.0f", name, row);
    event_open_slice(out, isfinite(row) ? with_row : name, process, 2 * bank, begin, end - begin);
    g_string_append(out, "},\n");
}

static void put_bank(GString *out, JsonNode *node)
{
    JsonArray *states = json_node_get_array(result_member(node, "states"));
    const gint64 bank = json_node_get_int(result_member(node, "bank"));
    const gint64 process = EVENT_CHANNEL + json_node_get_int(result_member(node, "channel"));
    g_autofree char *name = g_strdup_printf("bank %" G_GINT64_FORMAT, bank);
    event_name_thread(out, process, 2 * bank, name);
    for (guint i = 0; i < json_array_get_length(states); i++)
        put_state(out, json_array_get_element(states, i), process, bank);
}

void timeline_trace_banks(JsonNode *result, GString *out)
{
    JsonArray *banks = result_array(result, "timeline_banks.banks");
    gint64 named = -1;
    for (guint i = 0; i < result_length(banks); i++) {
        JsonNode *bank = json_array_get_element(banks, i);
        const gint64 channel = json_node_get_int(result_member(bank, "channel"));
        if (channel != named)
            event_name_process(out, EVENT_CHANNEL + channel, result_text(bank, "path"),
                               EVENT_CHANNEL + channel);
        named = channel;
        put_bank(out, bank);
    }
}
