/* `timeline` and `timeline_selection` of result.json: single requests, and which ones. */
#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/timeline/banks.h"

static const char *type_name(TransactionType type)
{
    switch (type) {
    case TRANSACTION_READ: return "load";
    case TRANSACTION_WRITE: return "store";
    case TRANSACTION_ATOMIC: return "atomic";
    }
    g_assert_not_reached();
}

const char *result_server_name(ServedBy server)
{
    switch (server) {
    case SERVED_L1: return "l1";
    case SERVED_PRT: return "prt";
    case SERVED_SHARED_L1: return "shared_l1";
    case SERVED_L2: return "l2";
    case SERVED_MEMORY_CACHE: return "memory_cache";
    case SERVED_DRAM: return "dram";
    }
    g_assert_not_reached();
}

/* L1 serves loads of kernels; it takes stores and atomics on their way. */
static const char *describe_server(const TimelineRow *row)
{
    const ServedBy server = (ServedBy)row->served_by;
    const bool nobody = server == SERVED_L1 && (row->type != TRANSACTION_READ || !row->kernel);
    return nobody ? "-" : result_server_name(server);
}

/* In order of time; one that took no time is left out. */
static void write_stages(JsonWriter *writer, const TimelineRow *row)
{
    JsonWriter stages = json_open(writer, "stages", '[');
    for (unsigned i = 0; i < row->stamp_count; i++) {
        const Time from = stamp_time(row->stamps[i]);
        const Time to = i + 1 < row->stamp_count ? stamp_time(row->stamps[i + 1]) : row->end;
        if (to <= from) continue;
        JsonWriter stage = json_open(&stages, NULL, '{');
        json_write_text(&stage, "stage", stage_name(stamp_stage(row->stamps[i])));
        json_write_integer(&stage, "fs", (gint64)(to - from));
        json_end(&stage, '}');
    }
    json_end(&stages, ']');
}

void result_write_timeline_row(JsonWriter *list, const TimelineRow *row, BankLogs *logs)
{
    JsonWriter writer = json_open(list, NULL, '{');
    json_write_text(&writer, "class", stat_request_class(unit_stages_row(row->unit, row->sums)));
    json_write_any_text(&writer, "kernel", row->kernel ? row->kernel->name : "");
    json_write_integer(&writer, "pc", row->pc);
    json_write_integer(&writer, "sm", row->sm);
    json_write_integer(&writer, "warp", row->warp);
    json_write_text(&writer, "type", type_name((TransactionType)row->type));
    json_write_integer(&writer, "address", (gint64)row->address);
    json_write_text(&writer, "served_by", describe_server(row));
    json_write_integer(&writer, "begin", (gint64)timeline_row_began(row));
    json_write_integer(&writer, "end", (gint64)row->end);
    if (logs) bank_logs_write_place(&writer, logs, row);
    write_stages(&writer, row);
    json_end(&writer, '}');
}

void result_write_timeline(JsonWriter *result, const Run *run)
{
    const Timeline *timeline = simulation_timeline(machine_simulation(run->machine));
    if (!timeline) return;
    g_autoptr(GPtrArray) rows = timeline_rows(timeline);
    g_autoptr(BankLogs) logs = bank_logs_new(run, timeline);
    JsonWriter list = json_open(result, "timeline", '[');
    for (guint i = 0; i < rows->len; i++) result_write_timeline_row(&list, rows->pdata[i], logs);
    json_end(&list, ']');
    JsonWriter banks = json_open(result, "timeline_banks", '{');
    bank_logs_write_states(&banks, logs, rows->len);
    json_end(&banks, '}');
}

JsonNode *result_timeline_selection(const Run *run)
{
    const Timeline *timeline = simulation_timeline(machine_simulation(run->machine));
    if (!timeline) return NULL;
    const TimelineSelection *selection = &timeline->selection;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_number(json, "limit", selection->capacity);
    json_put_text(json, "keep", selection->keep == TIMELINE_SLOWEST ? "slowest" : "first");
    json_put_number(json, "one_in", selection->one_in);
    json_put_number(json, "from_fs", selection->from);
    if (selection->until != TIME_NEVER) json_put_number(json, "until_fs", selection->until);
    json_put_number(json, "qualified", timeline_qualified(timeline));
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
