/* `instructions` and `arrays` of a result's profile. */
#include <stdlib.h>

#include "scenarios/program/result/profile.h"
#include "scenarios/program/say/json_text.h"

enum { INSTRUCTIONS_MAX = 256 };

static const char *operation_name(uint8_t operation)
{
    if (operation == OPERATION_STORE) return "store";
    return operation == OPERATION_ATOMIC ? "atomic" : "load";
}

static const char *space_name(uint8_t space)
{
    switch ((Space)space) {
    case SPACE_GLOBAL: return "global";
    case SPACE_SHARED: return "shared";
    case SPACE_LOCAL: return "local";
    case SPACE_CONSTANT: return "constant";
    case SPACE_TEXTURE: return "texture";
    }
    g_assert_not_reached();
}

static void put_row(JsonBuilder *json, const RequestRow *row)
{
    static const char *const types[REQUEST_TYPES] = {"reads", "writes", "atomics"};
    json_put_number(json, "requests", row->sums.count);
    json_put_number(json, "bytes", row->bytes);
    json_put_number(json, "latency", row->sums.latency);
    json_put_number(json, "max", row->maximum);
    for (guint i = 0; i < REQUEST_TYPES; i++) json_put_number(json, types[i], row->type[i]);
    for (guint i = 0; i < REQUEST_SERVERS; i++)
        json_put_number(json, result_server_name((ServedBy)i), row->served_by[i]);
    result_put_row_stages(json, &row->sums);
}

/* --- instructions ----------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    return request_key_compare(&((const RequestRow *)a)->key, &((const RequestRow *)b)->key);
}

static int compare_latencies(const void *a, const void *b)
{
    const Time x = ((const RequestRow *)a)->sums.latency, y = ((const RequestRow *)b)->sums.latency;
    return x != y ? (x < y) - (x > y) : compare_keys(a, b);
}

/* The table's rows without the difference of arrays, highest latency first. */
static GArray *new_instructions(const RequestTable *table)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(RequestRow));
    g_array_append_vals(rows, table->row, table->used);
    for (guint i = 0; i < rows->len; i++) g_array_index(rows, RequestRow, i).key.array = 0;
    g_array_sort(rows, compare_keys);
    guint used = 0;
    for (guint i = 0; i < rows->len; i++) {
        RequestRow *row = &g_array_index(rows, RequestRow, i);
        RequestRow *last = used ? &g_array_index(rows, RequestRow, used - 1) : NULL;
        if (last && !compare_keys(last, row))
            request_row_merge(last, row);
        else
            g_array_index(rows, RequestRow, used++) = *row;
    }
    g_array_set_size(rows, used);
    g_array_sort(rows, compare_latencies);
    return rows;
}

static const char *kernel_name(const GPtrArray *kernels, uint32_t number)
{
    return number < kernels->len ? ((const Kernel *)kernels->pdata[number])->name : "";
}

static void put_instruction(JsonBuilder *json, const GPtrArray *kernels, const RequestRow *row)
{
    json_builder_begin_object(json);
    json_put_text(json, "kernel", kernel_name(kernels, row->key.kernel));
    json_put_number(json, "pc", row->key.pc);
    json_put_number(json, "source_line", row->key.source_line);
    json_put_text(json, "operation", operation_name(row->key.operation));
    json_put_text(json, "space", space_name(row->key.space));
    put_row(json, row);
    json_builder_end_object(json);
}

static void put_other_instructions(JsonBuilder *json, const RequestTable *table,
                                   const GArray *instructions)
{
    RequestRow others = {.bytes = 0};
    for (guint i = INSTRUCTIONS_MAX; i < instructions->len; i++)
        request_row_merge(&others, &g_array_index(instructions, RequestRow, i));
    for (uint32_t i = 0; table->others && i < table->places; i++)
        request_row_merge(&others, &table->others[i]);
    if (!others.sums.count) return;
    json_builder_begin_object(json);
    json_put_bool(json, "others", TRUE);
    put_row(json, &others);
    json_builder_end_object(json);
}

void result_put_instructions(JsonBuilder *json, const Profile *profile, const GPtrArray *kernels)
{
    const RequestTable *table = &profile->table;
    g_autoptr(GArray) instructions = new_instructions(table);
    json_builder_set_member_name(json, "instructions");
    json_builder_begin_array(json);
    for (guint i = 0; i < MIN(instructions->len, INSTRUCTIONS_MAX); i++)
        put_instruction(json, kernels, &g_array_index(instructions, RequestRow, i));
    put_other_instructions(json, table, instructions);
    json_builder_end_array(json);
}

/* --- arrays ----------------------------------------------------------------------------------- */

static RequestRow *new_array_sums(const RequestTable *table)
{
    RequestRow *sums = g_new0(RequestRow, table->places);
    for (uint32_t i = 0; i < table->used; i++)
        request_row_merge(&sums[table->row[i].key.array], &table->row[i]);
    for (uint32_t i = 0; table->others && i < table->places; i++)
        request_row_merge(&sums[i], &table->others[i]);
    return sums;
}

/* `array` NULL: requests in none. */
static void put_array(JsonBuilder *json, const MemoryArray *array, const RequestRow *sums)
{
    if (!sums->sums.count) return;
    json_builder_begin_object(json);
    json_put_text(json, "name", array ? array->name : "");
    if (array) {
        result_put_address(json, array->address);
        json_put_number(json, "size", array->bytes);
    }
    put_row(json, sums);
    json_builder_end_object(json);
}

void result_put_arrays(JsonBuilder *json, const Profile *profile)
{
    const ProfilePlan *plan = profile->plan;
    g_autofree RequestRow *sums = new_array_sums(&profile->table);
    json_builder_set_member_name(json, "arrays");
    json_builder_begin_array(json);
    for (uint32_t i = 0; i < plan->arrays; i++) put_array(json, plan->array[i], &sums[i]);
    put_array(json, NULL, &sums[profile_plan_no_array(plan)]);
    json_builder_end_array(json);
}
