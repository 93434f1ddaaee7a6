#include "scenarios/program/timeline/tracks.h"

#include <math.h>
#include <string.h>

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

static gboolean put_kernel(GString *out, JsonNode *kernel, guint number, const Span *span)
{
    const char *name = result_text(kernel, "name");
    const double begin = result_number(kernel, "begin_ns"), time = result_number(kernel, "time_ns");
    if (!name || !isfinite(begin) || !isfinite(time)) return FALSE;
    const gint64 from = (gint64)llround(begin * 1e6), to = (gint64)llround((begin + time) * 1e6);
    if (from >= span->end || to <= span->begin) return FALSE;
    put_end(out, 'b', number, name, from);
    put_end(out, 'e', number, name, to);
    return TRUE;
}

void timeline_trace_kernels(JsonNode *result, JsonArray *rows, GString *out)
{
    JsonArray *kernels = result_array(result, "summary.kernels");
    const Span span = span_of(rows);
    guint drawn = 0;
    for (guint i = 0; i < result_length(kernels) && drawn < KERNELS_MAX; i++)
        drawn += put_kernel(out, json_array_get_element(kernels, i), i, &span) ? 1 : 0;
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
