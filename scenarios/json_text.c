#include "scenarios/json_text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, value);
}

void json_put_bool(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void write_node(GString *text, JsonNode *node, unsigned depth);

void json_append_string(GString *text, const char *value)
{
    g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), value);
    g_autofree char *quoted = json_to_string(node, FALSE);
    g_string_append(text, quoted);
}

void json_append_real(GString *text, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    if (!isfinite(value)) { /* JSON has no word for it */
        g_string_append(text, "null");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(buffer, sizeof buffer, format, value);
        if (g_ascii_strtod(buffer, NULL) == value) break;
    }
    g_string_append(text, buffer);
    if (!strpbrk(buffer, ".e")) g_string_append(text, ".0");
}

void json_append_value(GString *text, JsonNode *node)
{
    const GType type = json_node_get_value_type(node);
    if (type == G_TYPE_STRING)
        json_append_string(text, json_node_get_string(node));
    else if (type == G_TYPE_DOUBLE)
        json_append_real(text, json_node_get_double(node));
    else if (type == G_TYPE_BOOLEAN)
        g_string_append(text, json_node_get_boolean(node) ? "true" : "false");
    else
        g_string_append_printf(text, "%" G_GINT64_FORMAT, json_node_get_int(node));
}

static void new_line(GString *text, unsigned depth)
{
    g_string_append_printf(text, "\n%*s", (int)(2 * depth), "");
}

static void write_object(GString *text, JsonObject *object, unsigned depth)
{
    g_autoptr(GList) members = json_object_get_members(object);
    g_string_append_c(text, '{');
    for (const GList *member = members; member; member = member->next) {
        if (member != members) g_string_append_c(text, ',');
        new_line(text, depth + 1);
        json_append_string(text, member->data);
        g_string_append(text, ": ");
        write_node(text, json_object_get_member(object, member->data), depth + 1);
    }
    if (members) new_line(text, depth);
    g_string_append_c(text, '}');
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
        if (i) g_string_append(text, flat ? ", " : ",");
        if (!flat) new_line(text, depth + 1);
        write_node(text, json_array_get_element(array, i), depth + 1);
    }
    if (!flat) new_line(text, depth);
    g_string_append_c(text, ']');
}

static void write_node(GString *text, JsonNode *node, unsigned depth)
{
    switch (json_node_get_node_type(node)) {
    case JSON_NODE_OBJECT: write_object(text, json_node_get_object(node), depth); break;
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
