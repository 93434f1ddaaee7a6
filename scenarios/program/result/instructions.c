/* `instructions` and `arrays` of a result's profile. */
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

static void write_row(JsonWriter *writer, const RequestRow *row)
{
    static const char *const types[REQUEST_TYPES] = {"reads", "writes", "atomics"};
    json_write_integer(writer, "requests", (gint64)row->sums.count);
    json_write_integer(writer, "bytes", (gint64)row->bytes);
    json_write_integer(writer, "latency", (gint64)row->sums.latency);
    json_write_integer(writer, "max", (gint64)row->maximum);
    for (guint i = 0; i < REQUEST_TYPES; i++)
        json_write_integer(writer, types[i], (gint64)row->type[i]);
    for (guint i = 0; i < REQUEST_SERVERS; i++)
        if (row->served_by[i] || (i != SERVED_SHARED_L1 && i != SERVED_MEMORY_CACHE))
            json_write_integer(writer, result_server_name((ServedBy)i), (gint64)row->served_by[i]);
    result_write_row_stages(writer, &row->sums);
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

static void write_instruction(JsonWriter *list, const GPtrArray *kernels, const RequestRow *row)
{
    JsonWriter writer = json_open(list, NULL, '{');
    json_write_any_text(&writer, "kernel", kernel_name(kernels, row->key.kernel));
    json_write_integer(&writer, "pc", row->key.pc);
    json_write_integer(&writer, "source_line", row->key.source_line);
    json_write_text(&writer, "operation", operation_name(row->key.operation));
    json_write_text(&writer, "space", space_name(row->key.space));
    write_row(&writer, row);
    json_end(&writer, '}');
}

static void write_other_instructions(JsonWriter *list, const RequestTable *table,
                                     const GArray *instructions)
{
    RequestRow others = {.bytes = 0};
    for (guint i = INSTRUCTIONS_MAX; i < instructions->len; i++)
        request_row_merge(&others, &g_array_index(instructions, RequestRow, i));
    for (uint32_t i = 0; table->others && i < table->places; i++)
        request_row_merge(&others, &table->others[i]);
    if (!others.sums.count) return;
    JsonWriter writer = json_open(list, NULL, '{');
    json_write_bool(&writer, "others", TRUE);
    write_row(&writer, &others);
    json_end(&writer, '}');
}

void result_write_instructions(JsonWriter *writer, const Profile *profile, const GPtrArray *kernels)
{
    const RequestTable *table = &profile->table;
    g_autoptr(GArray) instructions = new_instructions(table);
    JsonWriter list = json_open(writer, "instructions", '[');
    for (guint i = 0; i < MIN(instructions->len, INSTRUCTIONS_MAX); i++)
        write_instruction(&list, kernels, &g_array_index(instructions, RequestRow, i));
    write_other_instructions(&list, table, instructions);
    json_end(&list, ']');
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
static void write_array(JsonWriter *list, const MemoryArray *array, const RequestRow *sums)
{
    if (!sums->sums.count) return;
    JsonWriter writer = json_open(list, NULL, '{');
    json_write_any_text(&writer, "name", array ? array->name : "");
    if (array) {
        result_write_address(&writer, array->address);
        json_write_integer(&writer, "size", (gint64)array->bytes);
    }
    write_row(&writer, sums);
    json_end(&writer, '}');
}

void result_write_arrays(JsonWriter *writer, const Profile *profile)
{
    const ProfilePlan *plan = profile->plan;
    g_autofree RequestRow *sums = new_array_sums(&profile->table);
    JsonWriter list = json_open(writer, "arrays", '[');
    for (uint32_t i = 0; i < plan->arrays; i++) write_array(&list, plan->array[i], &sums[i]);
    write_array(&list, NULL, &sums[profile_plan_no_array(plan)]);
    json_end(&list, ']');
}
