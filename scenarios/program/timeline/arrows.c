/* Flows bind to slices of threads, which may not overlap in part: an instruction ends with the
 * warp's next one at the latest, requests that overlap lie on threads side by side, and a command
 * is drawn as long as the shortest time between two of a bank. */
#include "scenarios/program/timeline/arrows.h"

#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/timeline/events.h"

enum { COMMAND_FS = 1000000 };

/* A request with a DRAM command. */
typedef struct {
    JsonObject *row;
    guint number; /* in the timeline */
    gint64 sm, begin, end, process, bank;
    gint64 lane, instruction_end;
    gboolean first; /* of its instruction */
} Arrow;

static gint64 number_of(JsonObject *object, const char *name)
{
    return json_object_get_int_member(object, name);
}

static GArray *list_arrows(JsonArray *rows)
{
    GArray *arrows = g_array_new(FALSE, TRUE, sizeof(Arrow));
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        if (!json_object_has_member(row, "bank")) continue;
        const Arrow arrow = {.row = row,
                             .number = i,
                             .sm = number_of(row, "sm"),
                             .begin = number_of(row, "begin"),
                             .end = number_of(row, "end"),
                             .process = EVENT_CHANNEL + number_of(row, "channel"),
                             .bank = number_of(row, "bank")};
        g_array_append_val(arrows, arrow);
    }
    return arrows;
}

static Arrow *arrow_at(GArray *arrows, guint i)
{
    return &g_array_index(arrows, Arrow, i);
}

/* --- places ----------------------------------------------------------------------------------- */

/* The first thread of the SM that is free by then; rows are in order of their beginning. */
static gint64 find_lane(GArray *lanes, const Arrow *arrow)
{
    guint lane = 0;
    while (lane < lanes->len && g_array_index(lanes, gint64, lane) > arrow->begin) lane++;
    if (lane == lanes->len) g_array_set_size(lanes, lane + 1);
    g_array_index(lanes, gint64, lane) = arrow->end;
    return lane;
}

static void place_requests(GArray *arrows)
{
    g_autoptr(GHashTable) sms =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, (GDestroyNotify)g_array_unref);
    for (guint i = 0; i < arrows->len; i++) {
        Arrow *arrow = arrow_at(arrows, i);
        GArray *lanes = g_hash_table_lookup(sms, GINT_TO_POINTER((gint)arrow->sm));
        if (!lanes) {
            lanes = g_array_new(FALSE, TRUE, sizeof(gint64));
            g_hash_table_insert(sms, GINT_TO_POINTER((gint)arrow->sm), lanes);
        }
        arrow->lane = find_lane(lanes, arrow);
    }
}

static gint64 first_stage_end(const Arrow *arrow)
{
    JsonArray *stages = json_object_get_array_member(arrow->row, "stages");
    return json_array_get_length(stages)
               ? arrow->begin + number_of(json_array_get_object_element(stages, 0), "fs")
               : arrow->end;
}

/* From the last to the first: what follows in the same warp is known. */
static void place_instructions(GArray *arrows)
{
    g_autoptr(GHashTable) next =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL); /* of a warp: Arrow */
    for (guint i = arrows->len; i-- > 0;) {
        Arrow *arrow = arrow_at(arrows, i);
        char *warp = g_strdup_printf("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, arrow->sm,
                                     number_of(arrow->row, "warp"));
        Arrow *later = g_hash_table_lookup(next, warp);
        arrow->first = TRUE;
        arrow->instruction_end = first_stage_end(arrow);
        if (later && later->begin == arrow->begin) {
            later->first = FALSE;
            arrow->instruction_end = MAX(arrow->instruction_end, later->instruction_end);
        } else if (later) {
            arrow->instruction_end = MIN(arrow->instruction_end, later->begin);
        }
        g_hash_table_replace(next, warp, arrow);
    }
}

/* --- slices ----------------------------------------------------------------------------------- */

static void put_instruction(GString *out, const Arrow *arrow)
{
    g_autofree char *name =
        g_strdup_printf("%s 0x%" G_GINT64_MODIFIER "x",
                        json_object_get_string_member_with_default(arrow->row, "type", "access"),
                        number_of(arrow->row, "pc"));
    event_open_slice(out, name, EVENT_SM + arrow->sm, EVENT_WARP + number_of(arrow->row, "warp"),
                     arrow->begin, arrow->instruction_end - arrow->begin);
    g_string_append(out, "},\n");
}

static void put_request(GString *out, const Arrow *arrow)
{
    event_open_slice(out, json_object_get_string_member(arrow->row, "class"), EVENT_SM + arrow->sm,
                     EVENT_REQUEST + arrow->lane, arrow->begin, arrow->end - arrow->begin);
    g_string_append_printf(out, ",\"args\":{\"request\":%u}},\n", arrow->number);
}

/* When the stage begins; -1: it was in none of that name. */
static gint64 stage_begin(const Arrow *arrow, const char *name)
{
    JsonArray *stages = json_object_get_array_member(arrow->row, "stages");
    gint64 at = arrow->begin;
    for (guint i = 0; i < json_array_get_length(stages); i++) {
        JsonObject *stage = json_array_get_object_element(stages, i);
        if (!strcmp(json_object_get_string_member(stage, "stage"), name)) return at;
        at += number_of(stage, "fs");
    }
    return -1;
}

static char *place_of(gint64 process, gint64 bank, gint64 at)
{
    return g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, process,
                           bank, at);
}

static gboolean is_change(const char *state)
{
    return !strcmp(state, "activating") || !strcmp(state, "precharging");
}

static void add_changes(JsonNode *bank, GHashTable *changes)
{
    JsonArray *states = result_array(bank, "states");
    const gint64 process = EVENT_CHANNEL + json_node_get_int(result_member(bank, "channel"));
    const gint64 number = json_node_get_int(result_member(bank, "bank"));
    for (guint i = 0; i < result_length(states); i++) {
        JsonNode *state = json_array_get_element(states, i);
        if (!is_change(result_text(state, "state"))) continue;
        const gint64 begin = json_node_get_int(result_member(state, "begin"));
        g_hash_table_add(changes, place_of(process, number, begin));
    }
}

/* Where commands changed the states of banks. A request that L2 merged comes into the middle of
 * what they did for another one. */
static GHashTable *find_changes(JsonNode *result)
{
    GHashTable *changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    JsonArray *banks = result_array(result, "timeline_banks.banks");
    for (guint i = 0; i < result_length(banks); i++)
        add_changes(json_array_get_element(banks, i), changes);
    return changes;
}

typedef struct {
    GString *out;
    GHashTable *changes, *drawn; /* of banks; commands */
} Commands;

/* Requests that were merged have one command together. */
static void put_command(const Commands *commands, const Arrow *arrow, const char *name, gint64 at)
{
    if (!g_hash_table_add(commands->drawn, place_of(arrow->process, arrow->bank, at))) return;
    event_open_slice(commands->out, name, arrow->process, 2 * arrow->bank + 1, at, COMMAND_FS);
    g_string_append_printf(commands->out, ",\"args\":{\"row\":%" G_GINT64_FORMAT "}},\n",
                           number_of(arrow->row, "dram_row"));
}

/* Of a command that changes the bank's state, in the stage that begins with it. */
static void put_change(const Commands *commands, const Arrow *arrow, const char *name,
                       const char *stage)
{
    const gint64 at = stage_begin(arrow, stage);
    g_autofree char *place = place_of(arrow->process, arrow->bank, at);
    if (g_hash_table_contains(commands->changes, place)) put_command(commands, arrow, name, at);
}

static void put_commands(const Commands *commands, const Arrow *arrow)
{
    put_change(commands, arrow, "precharge", "dram_precharge");
    put_change(commands, arrow, "activate", "dram_activate");
    put_command(commands, arrow, json_object_get_string_member(arrow->row, "command"),
                stage_begin(arrow, "dram_column"));
}

/* Binds to the slice of the thread that begins there. */
static void put_flow(GString *out, char phase, const Arrow *arrow, gint64 process, gint64 thread,
                     gint64 at)
{
    g_string_append_printf(out,
                           "{\"ph\":\"%c\",\"cat\":\"way\",\"name\":\"way\",\"id\":%u,"
                           "\"bp\":\"e\",\"pid\":%" G_GINT64_FORMAT ",\"tid\":%" G_GINT64_FORMAT
                           ",\"ts\":",
                           phase, arrow->number, process, thread);
    event_append_time(out, at);
    g_string_append(out, "},\n");
}

static void put_way(GString *out, const Arrow *arrow)
{
    const gint64 sm = EVENT_SM + arrow->sm;
    put_flow(out, 's', arrow, sm, EVENT_WARP + number_of(arrow->row, "warp"), arrow->begin);
    put_flow(out, 't', arrow, sm, EVENT_REQUEST + arrow->lane, arrow->begin);
    put_flow(out, 'f', arrow, arrow->process, 2 * arrow->bank + 1,
             stage_begin(arrow, "dram_column"));
}

/* --- names of threads ------------------------------------------------------------------------- */

static void name_thread(GString *out, GHashTable *named, gint64 process, gint64 thread,
                        const char *format, gint64 number)
{
    char *key = g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, process, thread);
    if (!g_hash_table_add(named, key)) return;
    g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
    g_autofree char *name = g_strconcat(format, " ", digits, NULL);
    event_name_thread(out, process, thread, name);
}

static void name_threads(GString *out, GArray *arrows)
{
    g_autoptr(GHashTable) named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < arrows->len; i++) {
        const Arrow *arrow = arrow_at(arrows, i);
        const gint64 sm = EVENT_SM + arrow->sm, warp = number_of(arrow->row, "warp");
        name_thread(out, named, sm, EVENT_WARP + warp, "warp", warp);
        name_thread(out, named, sm, EVENT_REQUEST + arrow->lane, "to DRAM", arrow->lane);
        name_thread(out, named, arrow->process, 2 * arrow->bank + 1, "commands of bank",
                    arrow->bank);
    }
}

void timeline_trace_arrows(JsonNode *result, JsonArray *rows, GString *out)
{
    g_autoptr(GArray) arrows = list_arrows(rows);
    g_autoptr(GHashTable) changes = find_changes(result);
    g_autoptr(GHashTable) drawn = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const Commands commands = {out, changes, drawn};
    place_requests(arrows);
    place_instructions(arrows);
    name_threads(out, arrows);
    for (guint i = 0; i < arrows->len; i++) {
        const Arrow *arrow = arrow_at(arrows, i);
        if (arrow->first) put_instruction(out, arrow);
        put_request(out, arrow);
        put_commands(&commands, arrow);
        put_way(out, arrow);
    }
}
