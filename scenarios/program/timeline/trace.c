#include "scenarios/program/timeline/trace.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/timeline/arrows.h"
#include "scenarios/program/timeline/counters.h"
#include "scenarios/program/timeline/events.h"
#include "scenarios/program/timeline/tracks.h"

enum { KERNEL_NAME_LENGTH = 64 };

/* --- what a result has ------------------------------------------------------------------------ */

static bool has_numbers(JsonObject *object, const char *const *names)
{
    for (; *names; names++) {
        JsonNode *node = json_object_get_member(object, *names);
        if (!node || json_node_get_value_type(node) != G_TYPE_INT64) return false;
    }
    return true;
}

static bool has_text(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node && json_node_get_value_type(node) == G_TYPE_STRING;
}

static bool is_stage(JsonNode *node)
{
    static const char *const numbers[] = {"fs", NULL};
    if (!JSON_NODE_HOLDS_OBJECT(node)) return false;
    JsonObject *stage = json_node_get_object(node);
    return has_text(stage, "stage") && has_numbers(stage, numbers);
}

/* None is negative, and they add up to the latency. */
static bool are_stages(JsonArray *list, gint64 latency)
{
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonNode *node = json_array_get_element(list, i);
        if (!is_stage(node)) return false;
        const gint64 length = json_object_get_int_member(json_node_get_object(node), "fs");
        if (length < 0 || length > latency) return false;
        latency -= length;
    }
    return latency == 0;
}

/* Of its DRAM command; it may have none. */
static bool has_good_place(JsonObject *row)
{
    static const char *const numbers[] = {"channel", "bank", "dram_row", NULL};
    if (!json_object_has_member(row, "bank")) return true;
    return has_numbers(row, numbers) && has_text(row, "command");
}

static bool is_row(JsonNode *node)
{
    static const char *const numbers[] = {"sm", "warp", "pc", "address", "begin", "end", NULL};
    if (!JSON_NODE_HOLDS_OBJECT(node)) return false;
    JsonObject *row = json_node_get_object(node);
    if (!has_numbers(row, numbers) || !has_text(row, "class") || !has_text(row, "kernel")
        || !has_text(row, "served_by") || !has_good_place(row))
        return false;
    JsonNode *stages = json_object_get_member(row, "stages");
    if (!stages || !JSON_NODE_HOLDS_ARRAY(stages)) return false;
    const gint64 begin = json_object_get_int_member(row, "begin");
    const gint64 end = json_object_get_int_member(row, "end");
    return begin >= 0 && end >= begin && are_stages(json_node_get_array(stages), end - begin);
}

static bool is_state(JsonNode *node)
{
    static const char *const numbers[] = {"begin", "end", NULL};
    JsonObject *state = json_node_get_object(node);
    return has_text(state, "state") && has_numbers(state, numbers);
}

/* What kind each member has that is there was looked at when the result was read. */
static bool is_bank(JsonNode *node)
{
    static const char *const numbers[] = {"channel", "bank", NULL};
    JsonObject *bank = json_node_get_object(node);
    if (!has_text(bank, "path") || !has_numbers(bank, numbers)) return false;
    JsonArray *states = result_array(node, "states");
    bool good = states != NULL;
    for (guint i = 0; good && i < result_length(states); i++)
        good = is_state(json_array_get_element(states, i));
    return good;
}

static bool has_good_banks(JsonNode *result, GError **error)
{
    JsonArray *banks = result_array(result, "timeline_banks.banks");
    for (guint i = 0; i < result_length(banks); i++)
        if (!is_bank(json_array_get_element(banks, i))) {
            g_set_error(error, TIMELINE_TRACE_ERROR, 0,
                        "bank %u of its timeline is not as this program writes it; run its "
                        "scenario again",
                        i + 1);
            return false;
        }
    return true;
}

JsonArray *timeline_trace_rows(JsonNode *result, GError **error)
{
    JsonNode *node = result_member(result, "timeline");
    if (!node || !JSON_NODE_HOLDS_ARRAY(node)) {
        g_set_error(error, TIMELINE_TRACE_ERROR, 0,
                    "has no timeline; run its scenario with --set simulation.timeline=N, N from 1 "
                    "to %d, or give 'timeline' the scenario",
                    TIMELINE_MAX);
        return NULL;
    }
    JsonArray *rows = json_node_get_array(node);
    for (guint i = 0; i < json_array_get_length(rows); i++)
        if (!is_row(json_array_get_element(rows, i))) {
            g_set_error(error, TIMELINE_TRACE_ERROR, 0,
                        "request %u of its timeline is not as this program writes it; run its "
                        "scenario again",
                        i + 1);
            return NULL;
        }
    return has_good_banks(result, error) ? rows : NULL;
}

/* --- events ----------------------------------------------------------------------------------- */

/* What all events of a request have in common. */
typedef struct {
    GString *out;
    const char *category;
    guint number;
    gint64 process;
} Track;

static gint64 number_of(JsonObject *object, const char *name)
{
    return json_object_get_int_member(object, name);
}

/* Up to its time, without the brace that closes it. */
static void open_event(const Track *track, char phase, const char *name, gint64 at)
{
    GString *out = track->out;
    g_string_append_printf(out, "{\"ph\":\"%c\",\"cat\":", phase);
    json_append_string(out, track->category);
    g_string_append_printf(out, ",\"id\":\"0x%x\",\"name\":", track->number);
    json_append_string(out, name);
    g_string_append_printf(
        out, ",\"pid\":%" G_GINT64_FORMAT ",\"tid\":%" G_GINT64_FORMAT ",\"ts\":", track->process,
        track->process);
    event_append_time(out, at);
}

static void put_end(const Track *track, const char *name, gint64 at)
{
    open_event(track, 'e', name, at);
    g_string_append(track->out, "},\n");
}

static JsonObject *find_longest(JsonArray *stages)
{
    JsonObject *longest = NULL;
    for (guint i = 0; i < json_array_get_length(stages); i++) {
        JsonObject *stage = json_array_get_object_element(stages, i);
        if (!longest || number_of(stage, "fs") > number_of(longest, "fs")) longest = stage;
    }
    return longest;
}

static void append_kernel(GString *out, const char *name)
{
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    g_autofree char *cut =
        g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), KERNEL_NAME_LENGTH));
    json_append_string(out, cut);
}

static void append_arguments(GString *out, JsonObject *row, JsonArray *stages)
{
    JsonObject *longest = find_longest(stages);
    g_string_append_printf(
        out, ",\"args\":{\"sm\":%" G_GINT64_FORMAT ",\"warp\":%" G_GINT64_FORMAT ",\"kernel\":",
        number_of(row, "sm"), number_of(row, "warp"));
    append_kernel(out, json_object_get_string_member(row, "kernel"));
    g_string_append_printf(
        out, ",\"pc\":\"0x%" G_GINT64_MODIFIER "x\",\"address\":\"0x%" G_GINT64_MODIFIER "x\"",
        number_of(row, "pc"), number_of(row, "address"));
    g_string_append(out, ",\"served_by\":");
    json_append_string(out, json_object_get_string_member(row, "served_by"));
    g_string_append_c(out, ',');
    event_append_nanoseconds(out, "latency_ns", number_of(row, "end") - number_of(row, "begin"));
    if (longest) {
        g_string_append(out, ",\"longest_stage\":");
        json_append_string(out, json_object_get_string_member(longest, "stage"));
        g_string_append_c(out, ',');
        event_append_nanoseconds(out, "longest_ns", number_of(longest, "fs"));
    }
    g_string_append_c(out, '}');
}

/* --- requests --------------------------------------------------------------------------------- */

/* From `at` on; when it ends. */
static gint64 put_stage(const Track *track, JsonObject *stage, gint64 at)
{
    const char *name = json_object_get_string_member(stage, "stage");
    const gint64 length = number_of(stage, "fs");
    open_event(track, 'b', name, at);
    g_string_append(track->out, ",\"args\":{");
    event_append_nanoseconds(track->out, "ns", length);
    g_string_append(track->out, "}},\n");
    put_end(track, name, at + length);
    return at + length;
}

/* Perfetto puts asynchronous events of a process and a name into one track, overlapping ones below
 * each other: the name is the class, for a track a request would be too many. */
static void put_request(GString *out, JsonObject *row, guint number)
{
    const char *class = json_object_get_string_member(row, "class");
    JsonArray *stages = json_object_get_array_member(row, "stages");
    const Track track = {out, class, number, EVENT_SM + number_of(row, "sm")};
    g_autofree char *name = g_strdelimit(g_strdup(class), "_", ' ');
    gint64 at = number_of(row, "begin");
    open_event(&track, 'b', name, at);
    append_arguments(out, row, stages);
    g_string_append(out, "},\n");
    for (guint i = 0; i < json_array_get_length(stages); i++)
        at = put_stage(&track, json_array_get_object_element(stages, i), at);
    put_end(&track, name, number_of(row, "end"));
}

/* Of SMs that have a request, each once. */
static void name_processes(GString *out, JsonArray *rows)
{
    g_autoptr(GHashTable) named = g_hash_table_new(g_direct_hash, g_direct_equal);
    event_name_process(out, EVENT_MACHINE, "machine", 0);
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        const gint64 sm = number_of(json_array_get_object_element(rows, i), "sm");
        if (!g_hash_table_add(named, GINT_TO_POINTER((gint)sm))) continue;
        g_autofree char *name = g_strdup_printf("SM %" G_GINT64_FORMAT, sm);
        event_name_process(out, EVENT_SM + sm, name, sm + 1);
        event_name_thread(out, EVENT_SM + sm, EVENT_SM + sm, "requests");
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static void append_origin(JsonNode *result, JsonArray *rows, GString *out)
{
    static const char *const texts[] = {"program", "scenario", "variant", "hash"};
    JsonNode *selection = result_member(result, "timeline_selection");
    g_string_append_printf(out, "\"otherData\":{\"requests\":%u", json_array_get_length(rows));
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        const char *text = result_text(result, texts[i]);
        if (!text) continue;
        g_string_append_printf(out, ",\"%s\":", texts[i]);
        json_append_string(out, text);
    }
    g_string_append_printf(out, ",\"partial\":%s", result_is_partial(result) ? "true" : "false");
    if (selection) {
        g_autofree char *text = json_to_string(selection, FALSE);
        g_string_append_printf(out, ",\"selection\":%s", text);
    }
    g_string_append_c(out, '}');
}

void timeline_trace(JsonNode *result, JsonArray *rows, GString *out)
{
    g_string_append(out, "{\"displayTimeUnit\":\"ns\",\n");
    append_origin(result, rows, out);
    g_string_append(out, ",\n\"traceEvents\":[\n");
    name_processes(out, rows);
    timeline_trace_counters(result, out);
    timeline_trace_kernels(result, rows, out);
    timeline_trace_banks(result, out);
    timeline_trace_arrows(result, rows, out);
    for (guint i = 0; i < json_array_get_length(rows); i++)
        put_request(out, json_array_get_object_element(rows, i), i);
    g_string_truncate(out, out->len - strlen(",\n")); /* behind the last event */
    g_string_append(out, "\n]}\n");
}
