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
    case SERVED_L2: return "l2";
    case SERVED_DRAM: return "dram";
    }
    g_assert_not_reached();
}

/* L1 serves loads; it takes stores and atomics on their way. */
static const char *describe_server(const TimelineRow *row)
{
    const ServedBy server = (ServedBy)row->served_by;
    return server == SERVED_L1 && row->type != TRANSACTION_READ ? "-" : result_server_name(server);
}

/* In order of time; one that took no time is left out. */
static void put_stages(JsonBuilder *json, const TimelineRow *row)
{
    json_builder_set_member_name(json, "stages");
    json_builder_begin_array(json);
    for (unsigned i = 0; i < row->stamp_count; i++) {
        const Time from = stamp_time(row->stamps[i]);
        const Time to = i + 1 < row->stamp_count ? stamp_time(row->stamps[i + 1]) : row->end;
        if (to <= from) continue;
        json_builder_begin_object(json);
        json_put_text(json, "stage", stage_name(stamp_stage(row->stamps[i])));
        json_put_number(json, "fs", to - from);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

void result_put_timeline_row(JsonBuilder *json, const TimelineRow *row, BankLogs *logs)
{
    json_builder_begin_object(json);
    json_put_text(json, "class", result_request_class(unit_stages_row(row->unit, row->sums)));
    json_put_text(json, "kernel", row->kernel ? row->kernel->name : "");
    json_put_number(json, "pc", row->pc);
    json_put_number(json, "sm", row->sm);
    json_put_number(json, "warp", row->warp);
    json_put_text(json, "type", type_name((TransactionType)row->type));
    json_put_number(json, "address", row->address);
    json_put_text(json, "served_by", describe_server(row));
    json_put_number(json, "begin", timeline_row_began(row));
    json_put_number(json, "end", row->end);
    if (logs) bank_logs_put_place(json, logs, row);
    put_stages(json, row);
    json_builder_end_object(json);
}

void result_put_timeline(JsonBuilder *json, const Run *run)
{
    const Timeline *timeline = simulation_timeline(machine_simulation(run->machine));
    if (!timeline) return;
    g_autoptr(GPtrArray) rows = timeline_rows(timeline);
    g_autoptr(BankLogs) logs = bank_logs_new(run, timeline);
    json_builder_set_member_name(json, "timeline");
    json_builder_begin_array(json);
    for (guint i = 0; i < rows->len; i++) result_put_timeline_row(json, rows->pdata[i], logs);
    json_builder_end_array(json);
    json_builder_set_member_name(json, "timeline_banks");
    bank_logs_put_states(json, logs, rows->len);
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
