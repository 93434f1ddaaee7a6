/* `input`: what stands in the kernels' files and the model does not know, or had to change. */
#include "scenarios/program/result/between.h"
#include "scenarios/program/say/json_text.h"

/* Notes of one kind, of all kernels, by name: those of several kernels are added up. */
static GPtrArray *collect(const LaunchList *list, NoteKind kind, GHashTable *counts)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint k = 0; k < list->kernels->len; k++) {
        const GPtrArray *notes = ((const Kernel *)list->kernels->pdata[k])->notes;
        for (guint i = 0; notes && i < notes->len; i++) {
            const KernelNote *note = notes->pdata[i];
            if (note->kind != kind) continue;
            uint64_t *count = g_hash_table_lookup(counts, note->name);
            if (!count) {
                g_ptr_array_add(names, note->name);
                g_hash_table_insert(counts, note->name, count = g_new0(uint64_t, 1));
            }
            *count += note->count;
        }
    }
    return names;
}

static void put_warnings(JsonBuilder *json, const GPtrArray *texts)
{
    json_builder_set_member_name(json, "warnings");
    json_builder_begin_array(json);
    for (guint i = 0; i < texts->len; i++) {
        /* without the folder, so that a result is the same bytes wherever the file lies */
        const char *text = texts->pdata[i], *slash = NULL;
        for (const char *p = text; *p && *p != ':'; p++)
            if (*p == '/') slash = p;
        json_builder_add_string_value(json, slash ? slash + 1 : text);
    }
    json_builder_end_array(json);
}

static void put_opcodes(JsonBuilder *json, const GPtrArray *names, GHashTable *counts)
{
    json_builder_set_member_name(json, "unknown_opcodes");
    json_builder_begin_object(json);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *valid = g_utf8_make_valid(names->pdata[i], -1);
        json_put_number(json, valid,
                        *(const uint64_t *)g_hash_table_lookup(counts, names->pdata[i]));
    }
    json_builder_end_object(json);
}

void result_put_input(JsonBuilder *json, const Run *run)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(GPtrArray) warnings = collect(run->launches, NOTE_WARNING, counts);
    g_autoptr(GPtrArray) opcodes = collect(run->launches, NOTE_OPCODE, counts);
    if (!warnings->len && !opcodes->len) return;
    json_builder_set_member_name(json, "input");
    json_builder_begin_object(json);
    if (warnings->len) put_warnings(json, warnings);
    if (opcodes->len) put_opcodes(json, opcodes, counts);
    json_builder_end_object(json);
}
