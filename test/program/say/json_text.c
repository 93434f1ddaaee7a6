#include <check.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/say/json_text.h"

static void write_members(JsonWriter *writer)
{
    JsonWriter list = json_open(writer, "list", '[');
    for (guint i = 0; i < 2; i++) {
        JsonWriter object = json_open(&list, NULL, '{');
        json_write_integer(&object, "count", -7 - (gint64)i);
        json_write_real(&object, "mean", 0.25);
        json_write_text(&object, "kind", "a \"place\"");
        json_write_bool(&object, "first", i == 0);
        json_write_any_text(&object, "none", NULL);
        json_write_any_text(&object, "broken", "ca\xff");
        json_end(&object, '}');
    }
    json_end(&list, ']');
    json_end(writer, '}');
}

static void put_tree(JsonBuilder *json)
{
    json_builder_set_member_name(json, "object");
    json_builder_begin_object(json);
    JsonWriter object = json_go_on(json);
    write_members(&object);
}

static void put_text(JsonBuilder *json)
{
    GString *text = g_string_new(NULL);
    JsonWriter object = json_begin(text, '{', 1);
    write_members(&object);
    json_put_written(json, "object", text);
}

static char *text_of(void (*put)(JsonBuilder *json))
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "before", "[a \"quoted\" text");
    put(json);
    json_put_number(json, "after", 1);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return json_text(root);
}

START_TEST(what_is_written_at_once_is_what_a_tree_of_it_would_be)
{
    g_autofree char *tree = text_of(put_tree), *text = text_of(put_text);
    ck_assert_str_eq(text, tree);
    ck_assert(strstr(tree, "      \"mean\": 0.25,\n") != NULL);
}
END_TEST

/* As JSON says: quotes, backslashes and what is below a space; here a delete as well. */
START_TEST(whole_numbers_have_all_their_digits)
{
    g_autoptr(GString) text = g_string_new(NULL);
    json_append_real(text, 6600);
    ck_assert_str_eq(text->str, "6600.0");
}
END_TEST

START_TEST(what_cannot_stand_for_itself_is_escaped)
{
    for (guint character = 1; character <= UCHAR_MAX; character++) {
        const char value[] = {'a', (char)character, 'b', '\0'};
        const bool escaped = character < ' ' || strchr("\"\\\x7f", (int)character);
        g_autoptr(GString) text = g_string_new(NULL);
        json_append_string(text, value);
        ck_assert_int_eq(text->str[2] == '\\', escaped);
        if (!escaped) ck_assert_mem_eq(text->str + 1, value, 3);
    }
}
END_TEST

HARNESS_MAIN("json_text", what_is_written_at_once_is_what_a_tree_of_it_would_be,
             whole_numbers_have_all_their_digits, what_cannot_stand_for_itself_is_escaped)
