#include "scenarios/program/say/json_text.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kit/describe/decimal.h"

void json_put_integer(JsonBuilder *json, const char *name, gint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, value);
}

void json_put_number(JsonBuilder *json, const char *name, guint64 value)
{
    json_put_integer(json, name, (gint64)value);
}

void json_put_real(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_double_value(json, value);
}

void json_put_text(JsonBuilder *json, const char *name, const char *value)
{
    g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, valid);
}

void json_put_bool(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

void json_put_node(JsonBuilder *json, const char *name, JsonNode *value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_value(json, value);
}

/* A sealed string is such a text. */
JsonNode *json_written_new(GString *text)
{
    JsonNode *node = json_node_init_string(json_node_alloc(), text->str);
    json_node_seal(node);
    g_string_free(text, TRUE);
    return node;
}

void json_put_written(JsonBuilder *json, const char *name, GString *text)
{
    json_put_node(json, name, json_written_new(text));
}

static void write_node(GString *text, JsonNode *node, unsigned depth);

/* json-glib itself leaves U+001F as it is, which is no JSON. */
static void append_escaped(GString *text, char character)
{
    static const char shorts[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *found = strchr(shorts, character);
    if (found)
        g_string_append_printf(text, "\\%c", letters[found - shorts]);
    else
        g_string_append_printf(text, "\\u%04x", (guint)character);
}

/* By character: whether it cannot stand for itself, or there is none. Most strings are names, all
 * of whose characters do. */
static const bool is_special[UCHAR_MAX + 1] = {
    [0 ... 0x1f] = true, ['"'] = true, ['\\'] = true, ['\x7f'] = true};

static void append_characters(GString *text, const char *value)
{
    for (;;) {
        const char *plain = value;
        while (!is_special[(guchar)*value]) value++;
        append_bytes(text, plain, (gsize)(value - plain));
        if (!*value) return;
        append_escaped(text, *value++);
    }
}

void json_append_string(GString *text, const char *value)
{
    g_string_append_c(text, '"');
    append_characters(text, value);
    g_string_append_c(text, '"');
}

void json_append_real(GString *text, double value)
{
    const gsize begin = text->len;
    if (!isfinite(value)) { /* JSON has no word for it */
        g_string_append(text, "null");
        return;
    }
    decimal_append(text, value);
    if (!strpbrk(text->str + begin, ".e")) g_string_append(text, ".0");
}

static void append_integer(GString *text, gint64 value)
{
    if (value < 0) g_string_append_c(text, '-');
    decimal_append_count(text, value < 0 ? -(guint64)value : (guint64)value);
}

void json_append_value(GString *text, JsonNode *node)
{
    const GType type = json_node_get_value_type(node);
    if (type == G_TYPE_STRING && json_node_is_immutable(node))
        g_string_append(text, json_node_get_string(node));
    else if (type == G_TYPE_STRING)
        json_append_string(text, json_node_get_string(node));
    else if (type == G_TYPE_DOUBLE)
        json_append_real(text, json_node_get_double(node));
    else if (type == G_TYPE_BOOLEAN)
        g_string_append(text, json_node_get_boolean(node) ? "true" : "false");
    else
        append_integer(text, json_node_get_int(node));
}

/* Results are some ten thousand lines, few of them deeper than this. `comma`: behind another. */
static void new_line(GString *text, unsigned depth, bool comma)
{
    static const char spaces[] = ",\n                ";
    const unsigned at_once = MIN(depth, (unsigned)(sizeof spaces - 3) / 2);
    append_bytes(text, comma ? spaces : spaces + 1, 1 + comma + 2 * at_once);
    for (unsigned i = at_once; i < depth; i++) g_string_append(text, "  ");
}

JsonWriter json_begin(GString *text, char bracket, unsigned depth)
{
    g_string_append_c(text, bracket);
    return (JsonWriter){.text = text, .depth = depth + 1};
}

JsonWriter json_go_on(JsonBuilder *tree)
{
    return (JsonWriter){.tree = tree};
}

static void end_in_tree(JsonBuilder *tree, char bracket)
{
    if (bracket == '}')
        json_builder_end_object(tree);
    else
        json_builder_end_array(tree);
}

void json_end(JsonWriter *writer, char bracket)
{
    if (writer->tree) {
        end_in_tree(writer->tree, bracket);
        return;
    }
    if (writer->begun && !writer->flat) new_line(writer->text, writer->depth - 1, false);
    g_string_append_c(writer->text, bracket);
}

/* The next member, or (NULL) element; its value follows. */
static void begin_next(JsonWriter *writer, const char *name)
{
    if (writer->tree) {
        if (name) json_builder_set_member_name(writer->tree, name);
        return;
    }
    if (!writer->flat)
        new_line(writer->text, writer->depth, writer->begun);
    else if (writer->begun)
        append_bytes(writer->text, ", ", 2);
    writer->begun = TRUE;
    if (!name) return;
    g_string_append_c(writer->text, '"');
    append_characters(writer->text, name);
    append_bytes(writer->text, "\": ", 3);
}

JsonWriter json_open(JsonWriter *writer, const char *name, char bracket)
{
    begin_next(writer, name);
    if (!writer->tree) return json_begin(writer->text, bracket, writer->depth);
    if (bracket == '{')
        json_builder_begin_object(writer->tree);
    else
        json_builder_begin_array(writer->tree);
    return json_go_on(writer->tree);
}

JsonWriter json_open_row(JsonWriter *writer, const char *name)
{
    JsonWriter row = json_open(writer, name, '[');
    row.flat = TRUE;
    return row;
}

void json_write_integer(JsonWriter *writer, const char *name, gint64 value)
{
    begin_next(writer, name);
    if (writer->tree)
        json_builder_add_int_value(writer->tree, value);
    else
        append_integer(writer->text, value);
}

void json_write_real(JsonWriter *writer, const char *name, double value)
{
    begin_next(writer, name);
    if (writer->tree)
        json_builder_add_double_value(writer->tree, value);
    else
        json_append_real(writer->text, value);
}

void json_write_bool(JsonWriter *writer, const char *name, gboolean value)
{
    begin_next(writer, name);
    if (writer->tree)
        json_builder_add_boolean_value(writer->tree, value);
    else
        g_string_append(writer->text, value ? "true" : "false");
}

void json_write_text(JsonWriter *writer, const char *name, const char *value)
{
    begin_next(writer, name);
    if (writer->tree)
        json_builder_add_string_value(writer->tree, value);
    else if (value)
        json_append_string(writer->text, value);
    else
        g_string_append(writer->text, "null");
}

void json_write_any_text(JsonWriter *writer, const char *name, const char *value)
{
    if (value && g_utf8_validate(value, -1, NULL)) {
        json_write_text(writer, name, value);
        return;
    }
    g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;
    json_write_text(writer, name, valid);
}

void json_write_node(JsonWriter *writer, const char *name, JsonNode *value)
{
    begin_next(writer, name);
    if (writer->tree)
        json_builder_add_value(writer->tree, json_node_ref(value));
    else
        write_node(writer->text, value, writer->depth);
}

static void write_member(JsonObject *object, const char *name, JsonNode *node, gpointer user)
{
    (void)object;
    json_write_node(user, name, node);
}

void json_write_members(JsonWriter *writer, JsonNode *object)
{
    if (object) json_object_foreach_member(json_node_get_object(object), write_member, writer);
}

static void write_object(GString *text, JsonNode *object, unsigned depth)
{
    JsonWriter writer = json_begin(text, '{', depth);
    json_write_members(&writer, object);
    json_end(&writer, '}');
}

static bool is_flat(JsonArray *array)
{
    for (guint i = 0; i < json_array_get_length(array); i++)
        if (!JSON_NODE_HOLDS_VALUE(json_array_get_element(array, i))) return false;
    return true;
}

static void write_array(GString *text, JsonArray *array, unsigned depth)
{
    const guint length = json_array_get_length(array);
    const bool flat = is_flat(array);
    g_string_append_c(text, '[');
    for (guint i = 0; i < length; i++) {
        if (!flat) new_line(text, depth + 1, i);
        if (flat && i) g_string_append(text, ", ");
        write_node(text, json_array_get_element(array, i), depth + 1);
    }
    if (!flat) new_line(text, depth, false);
    g_string_append_c(text, ']');
}

static void write_node(GString *text, JsonNode *node, unsigned depth)
{
    switch (json_node_get_node_type(node)) {
    case JSON_NODE_OBJECT: write_object(text, node, depth); break;
    case JSON_NODE_ARRAY: write_array(text, json_node_get_array(node), depth); break;
    case JSON_NODE_VALUE: json_append_value(text, node); break;
    case JSON_NODE_NULL: g_string_append(text, "null"); break;
    }
}

char *json_text(JsonNode *node)
{
    GString *text = g_string_new(NULL);
    write_node(text, node, 0);
    g_string_append_c(text, '\n');
    return g_string_free(text, FALSE);
}

void json_print(JsonBuilder *json, FILE *out)
{
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    fputs(text, out);
}
