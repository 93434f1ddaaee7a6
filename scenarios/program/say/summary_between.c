#include "scenarios/program/say/summary_between.h"

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

static double number(JsonNode *result, const char *name)
{
    g_autofree char *path = g_strconcat("summary.between_kernels.", name, NULL);
    return result_number(result, path);
}

static void add_copies(Table *table, JsonNode *result, const char *title, const char *member)
{
    g_autofree char *count_path = g_strconcat(member, ".count", NULL),
                    *bytes_path = g_strconcat(member, ".bytes", NULL),
                    *time_path = g_strconcat(member, ".time_ns", NULL);
    const double count = number(result, count_path);
    if (!(count > 0)) return;
    g_autofree char *counted = text_grouped(count, 0),
                    *bytes = text_bytes(number(result, bytes_path)),
                    *time = text_time(number(result, time_path));
    table_row(table);
    table_cell(table, "  %s", title);
    table_cell(table, "%s", time);
    table_note(table, "%s %s, %s", counted, count > 1 ? "copies" : "copy", bytes);
}

static void add_count(Table *table, const char *name, double count, const char *note)
{
    g_autofree char *title = g_strconcat("  ", name, NULL);
    table_line(table, title, text_grouped(count, 0), note);
}

/* "ncclAllReduce 3" and the like; of many names the first ones, and the others together. */
static void add_counts(Table *table, JsonNode *result, const char *path, const char *note)
{
    enum { NAMES_SHOWN = 24 };
    JsonNode *counts = result_member(result, path);
    if (!counts || !JSON_NODE_HOLDS_OBJECT(counts)) return;
    JsonObject *object = json_node_get_object(counts);
    g_autoptr(GList) names = json_object_get_members(object);
    const guint length = g_list_length(names);
    double others = 0;
    guint shown = 0;
    for (const GList *name = names; name; name = name->next) {
        const double count = (double)json_object_get_int_member(object, name->data);
        if (length > NAMES_SHOWN && shown == NAMES_SHOWN - 1) {
            others += count;
            continue;
        }
        add_count(table, name->data, count, note);
        shown++;
    }
    g_autofree char *more = g_strdup_printf("%u more names", length - shown);
    if (shown < length) add_count(table, more, others, note);
}

static bool has_commands(JsonNode *result)
{
    return result_length(result_array(result, "summary.between_kernels.rows")) > 0;
}

static void print_commands(JsonNode *result, FILE *out)
{
    if (!has_commands(result)) return;
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "between kernels");
    add_copies(table, result, "host to device", "to_device");
    add_copies(table, result, "device to host", "to_host");
    if (number(result, "gaps_ns") > 0)
        table_line(table, "  gaps", text_time(number(result, "gaps_ns")),
                   "from a kernel's end to the next one's start");
    add_counts(table, result, "summary.between_kernels.others", "not modelled, takes no time");
    table_line(table, result_is_partial(result) ? "  the list so far" : "  the whole list",
               text_time(number(result, "list_ns")), "with its kernels");
    table_print(table, out);
    fprintf(out, "\n");
}

static void print_input(JsonNode *result, FILE *out)
{
    JsonArray *warnings = result_array(result, "input.warnings");
    if (!result_member(result, "input")) return;
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "input");
    add_counts(table, result, "input.unknown_opcodes",
               "instructions of an unknown opcode: each takes an issue slot, no more");
    table_print(table, out);
    for (guint i = 0; i < result_length(warnings); i++)
        fprintf(out, "    warning: %s\n", json_array_get_string_element(warnings, i));
    fprintf(out, "\n");
}

void summary_print_between(JsonNode *result, FILE *out)
{
    print_commands(result, out);
    print_input(result, out);
}
