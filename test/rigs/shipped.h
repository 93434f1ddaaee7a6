/* Runs a shipped scenario as a user would, and reads its results. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdlib.h>
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

/* Into a new folder. */
static inline char *ran(const char *arguments)
{
    char *folder = temporary_folder();
    run(folder, arguments);
    return folder;
}

static inline char *result_text(const char *folder, const char *variant)
{
    g_autofree char *path = g_build_filename(folder, variant, "result.json", NULL);
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no %s", path);
    return text;
}

/* A number of a result: "summary.core_cycles", "units.l1.total.hits", "summary.kernels.0.cycles". */
static inline double result_number(const char *folder, const char *variant, const char *path)
{
    g_autofree char *text = result_text(folder, variant);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    JsonNode *node = json_parser_get_root(parser);
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    for (char **name = names; *name; name++) {
        node = JSON_NODE_HOLDS_ARRAY(node)
                   ? json_array_get_element(json_node_get_array(node), (guint)atoi(*name))
                   : json_object_get_member(json_node_get_object(node), *name);
        ck_assert_msg(node != NULL, "%s has no %s", variant, path);
    }
    return json_node_get_double(node);
}

static inline double summary_of(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("summary.%s", name);
    return result_number(folder, variant, path);
}

static inline double cycles_of(const char *folder, const char *variant)
{
    return summary_of(folder, variant, "core_cycles");
}
