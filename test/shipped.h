/* Runs a shipped scenario as a user would, and reads its results. */
#pragma once

#include <json-glib/json-glib.h>
#include <sys/wait.h>

#include "temporary.h"

static inline void run(const char *folder, const char *arguments)
{
    const char *program = g_getenv("WARPMEM_PROGRAM");
    ck_assert_ptr_nonnull(program);
    g_autofree char *line = g_strdup_printf("%s run %s -q -o %s", program, arguments, folder);
    g_autofree char *errors = NULL;
    int status = 0;
    ck_assert(g_spawn_command_line_sync(line, NULL, &errors, &status, NULL));
    ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "%s: %s", line, errors);
}

static inline char *result_text(const char *folder, const char *variant)
{
    g_autofree char *path = g_build_filename(folder, variant, "result.json", NULL);
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no %s", path);
    return text;
}

static inline double summary_of(const char *folder, const char *variant, const char *name)
{
    g_autofree char *text = result_text(folder, variant);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonObject *summary = json_object_get_object_member(root, "summary");
    ck_assert_msg(json_object_has_member(summary, name), "summary has no %s", name);
    return json_object_get_double_member(summary, name);
}
