/* JSON as text that is the same everywhere and that people can read: two spaces a level, short
 * arrays on one line, numbers as the shortest decimal that reads back as the same double. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* A member of the object being built. */
void json_put_number(JsonBuilder *json, const char *name, guint64 value);
void json_put_integer(JsonBuilder *json, const char *name, gint64 value);
void json_put_real(JsonBuilder *json, const char *name, double value);
/* NULL is null; what is not UTF-8, as a file name may be, becomes a replacement character. */
void json_put_text(JsonBuilder *json, const char *name, const char *value);
void json_put_bool(JsonBuilder *json, const char *name, gboolean value);
/* `value` is taken. */
void json_put_node(JsonBuilder *json, const char *name, JsonNode *value);

/* What is in such a text thousands of times is written at once, without a tree of it: a value that
 * is text already. Its depth is that of the value; the text is taken. */
JsonNode *json_written_new(GString *text);
void json_put_written(JsonBuilder *json, const char *name, GString *text);

/* An object or a list that is being written, as text or as a tree. */
typedef struct {
    GString *text;
    JsonBuilder *tree; /* NULL: as text */
    unsigned depth;    /* of its members */
    gboolean begun, flat;
} JsonWriter;

JsonWriter json_begin(GString *text, char bracket, unsigned depth);
/* What `tree` is building. */
JsonWriter json_go_on(JsonBuilder *tree);
void json_end(JsonWriter *writer, char bracket);
/* The next member, or (NULL) element, is an object or a list. */
JsonWriter json_open(JsonWriter *writer, const char *name, char bracket);
/* ... a list of numbers or strings, on one line. */
JsonWriter json_open_row(JsonWriter *writer, const char *name);
void json_write_integer(JsonWriter *writer, const char *name, gint64 value);
void json_write_real(JsonWriter *writer, const char *name, double value);
void json_write_bool(JsonWriter *writer, const char *name, gboolean value);
/* Of what this program calls something: valid UTF-8. NULL is null. */
void json_write_text(JsonWriter *writer, const char *name, const char *value);
/* ... of others: what is not becomes a replacement character. */
void json_write_any_text(JsonWriter *writer, const char *name, const char *value);
void json_write_node(JsonWriter *writer, const char *name, JsonNode *value);
/* Each member of the object; NULL: there is none. */
void json_write_members(JsonWriter *writer, JsonNode *object);

/* Parts of such a text. */
void json_append_real(GString *text, double value);
void json_append_string(GString *text, const char *value);
void json_append_value(GString *text, JsonNode *value);

/* Newly allocated, ends with a line feed. */
char *json_text(JsonNode *node);
/* What was built, which is complete. */
void json_print(JsonBuilder *json, FILE *out);
