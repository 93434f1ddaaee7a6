#include "scenarios/program/cost/storage.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* --- to JSON ---------------------------------------------------------------------------------- */

/* "1R1W", "2R1W", "1RW". */
static char *describe_ports(const StorageSize *size)
{
    if (size->either) return g_strdup_printf("%uRW", size->either);
    return g_strdup_printf("%uR%uW", MAX(size->reads, 1), MAX(size->writes, 1));
}

typedef struct {
    const Machine *machine;
    JsonBuilder *json;
    const UnitClass *open; /* NULL: none yet */
} Writer;

static void open_class(Writer *writer, const UnitClass *class)
{
    if (writer->open == class) return;
    if (writer->open) json_builder_end_object(writer->json);
    json_builder_set_member_name(writer->json, class->name);
    json_builder_begin_object(writer->json);
    writer->open = class;
}

static void put_row(const StorageTotal *total, void *user)
{
    Writer *writer = user;
    JsonBuilder *json = writer->json;
    g_autofree char *ports = describe_ports(&total->size);
    open_class(writer, total->class);
    json_builder_set_member_name(json, total->row->name);
    json_builder_begin_object(json);
    json_put_number(json, "units", total->units);
    json_put_number(json, "entries", total->entries);
    json_put_number(json, "entry_bits", total->size.bits);
    json_put_number(json, "banks", MAX(total->size.banks, 1));
    json_put_text(json, "ports", ports);
    json_put_number(json, "compared_bits", total->size.compared);
    json_put_number(json, "bits", total->bits);
    json_put_real(json, "mm2", area_of_row(writer->machine, total));
    json_builder_end_object(json);
}

static void put_totals(JsonBuilder *json, const Machine *machine)
{
    double assumed;
    const double area = machine_area(machine, &assumed);
    json_put_number(json, "total_bits", machine_storage_bits(machine));
    json_put_real(json, "area_mm2", area);
    json_put_real(json, "assumed_mm2", assumed);
}

JsonNode *storage_totals_json(const Machine *machine)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    put_totals(json, machine);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

JsonNode *storage_json(const Machine *machine)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    Writer writer = {.machine = machine, .json = json};
    json_builder_begin_object(json);
    put_totals(json, machine);
    json_builder_set_member_name(json, "units");
    json_builder_begin_object(json);
    machine_visit_storage(machine, put_row, &writer);
    if (writer.open) json_builder_end_object(json);
    json_builder_end_object(json);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* --- from JSON -------------------------------------------------------------------------------- */

static const StorageRow *find_row(const char *unit, const char *name)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const StorageRow *row = (*class)->storage; row && row->name; row++)
            if (!strcmp((*class)->name, unit) && !strcmp(row->name, name)) return row;
    return NULL;
}

static JsonObject *object_of(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static void add_entry(GArray *entries, const char *unit, const char *name, JsonNode *node)
{
    const StorageRow *row = find_row(unit, name);
    const StorageEntry entry = {.unit = unit,
                                .name = name,
                                .summary = row ? row->summary : NULL,
                                .ports = result_text(node, "ports"),
                                .units = result_number(node, "units"),
                                .entries = result_number(node, "entries"),
                                .entry_bits = result_number(node, "entry_bits"),
                                .banks = result_number(node, "banks"),
                                .compared = result_number(node, "compared_bits"),
                                .bits = result_number(node, "bits"),
                                .mm2 = result_number(node, "mm2")};
    g_array_append_val(entries, entry);
}

GArray *storage_entries(JsonNode *storage)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(StorageEntry));
    JsonObject *units = storage ? object_of(result_member(storage, "units")) : NULL;
    JsonObjectIter unit, row;
    const char *unit_name, *name;
    JsonNode *rows, *node;
    if (!units) return entries;
    json_object_iter_init_ordered(&unit, units);
    while (json_object_iter_next_ordered(&unit, &unit_name, &rows)) {
        if (!object_of(rows)) continue;
        json_object_iter_init_ordered(&row, object_of(rows));
        while (json_object_iter_next_ordered(&row, &name, &node))
            if (object_of(node)) add_entry(entries, unit_name, name, node);
    }
    return entries;
}

/* --- to text ---------------------------------------------------------------------------------- */

char *storage_text(double bits)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    double value = bits / 8;
    guint step = 0;
    if (!isfinite(bits)) return g_strdup("-");
    if (bits < 1024) return g_strdup_printf("%.0f bits", bits);
    for (; value >= 1024 && step + 1 < G_N_ELEMENTS(units); step++) value /= 1024;
    return g_strdup_printf("%.*f %s", value < 100 ? 2 : 1, value, units[step]);
}

char *storage_title(const StorageEntry *entry)
{
    const char *summary = entry->summary ? entry->summary : "";
    return g_strndup(summary, strcspn(summary, ",:"));
}

static void add_heads(Table *table)
{
    static const char *const heads[] = {"entries a unit", "bits an entry", "banks", "ports",
                                        "units",          "all together",  "mm2"};
    table_row(table);
    table_cell(table, " ");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
}

static void add_row(Table *table, const StorageEntry *entry)
{
    g_autofree char *title = storage_title(entry), *size = storage_text(entry->bits);
    table_row(table);
    table_cell(table, "  %s", entry->name);
    table_cell(table, "%.6g", entry->entries / entry->units);
    table_cell(table, "%.0f", entry->entry_bits);
    table_cell(table, "%.0f", entry->banks);
    table_cell(table, "%s", entry->ports ? entry->ports : "-");
    table_cell(table, "%.0f", entry->units);
    table_cell(table, "%s", size);
    table_cell(table, "%.3g", entry->mm2);
    table_note(table, "%s", title);
}

static void add_sum(Table *table, const char *name, double bits, double mm2)
{
    g_autofree char *size = storage_text(bits);
    table_row(table);
    table_cell(table, "%s", name);
    for (guint i = 0; i < 5; i++) table_cell(table, " ");
    table_cell(table, "%s", size);
    table_cell(table, "%.3g", mm2);
}

static void add_unit(Table *table, const GArray *entries, const char *unit)
{
    double bits = 0, mm2 = 0;
    for (guint i = 0; i < entries->len; i++) {
        const StorageEntry *entry = &g_array_index(entries, StorageEntry, i);
        if (strcmp(entry->unit, unit) != 0) continue;
        bits += entry->bits;
        mm2 += entry->mm2;
    }
    add_sum(table, unit, bits, mm2);
}

void storage_print(JsonNode *storage, FILE *out)
{
    g_autoptr(GArray) entries = storage_entries(storage);
    g_autoptr(Table) table = table_new();
    const char *unit = "";
    add_heads(table);
    for (guint i = 0; i < entries->len; i++) {
        const StorageEntry *entry = &g_array_index(entries, StorageEntry, i);
        if (strcmp(unit, entry->unit) != 0) add_unit(table, entries, entry->unit);
        unit = entry->unit;
        add_row(table, entry);
    }
    add_sum(table, "machine", result_number(storage, "total_bits"),
            result_number(storage, "area_mm2"));
    table_print(table, out);
    g_autofree char *area = storage_area_text(storage);
    fprintf(out, "%s\n", area);
}

char *storage_area_text(JsonNode *storage)
{
    const double area = result_number(storage, "area_mm2"),
                 share = result_number(storage, "assumed_mm2") / area;
    const int decimals = area < 1 ? 3 : area < 10 ? 1 : 0;
    if (!(area > 0)) return g_strdup("");
    g_autofree char *assumed =
        share > 0.5 ? g_strdup_printf(", %.0f %% on assumed figures", 100 * share) : g_strdup("");
    return g_strdup_printf("%.*f to %.*f mm2 of SRAM%s", decimals, area, decimals, 2 * area,
                           assumed);
}

static int compare_sizes(gconstpointer a, gconstpointer b)
{
    const double x = ((const StorageEntry *)a)->bits, y = ((const StorageEntry *)b)->bits;
    return x < y ? 1 : x > y ? -1 : 0;
}

char *storage_line(JsonNode *storage, guint named)
{
    g_autoptr(GArray) entries = storage_entries(storage);
    g_autofree char *total = storage_text(result_number(storage, "total_bits")),
                    *area = storage_area_text(storage);
    GString *line = g_string_new(NULL);
    g_string_append_printf(line, "storage %s%s%s", total, *area ? ", " : "", area);
    g_array_sort(entries, compare_sizes);
    for (guint i = 0; i < MIN(entries->len, named); i++) {
        const StorageEntry *entry = &g_array_index(entries, StorageEntry, i);
        g_autofree char *size = storage_text(entry->bits);
        g_string_append_printf(line, "%s %s.%s %s", i ? "," : ":", entry->unit, entry->name, size);
    }
    return g_string_free(line, FALSE);
}
