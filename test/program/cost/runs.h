/* Runs whose energy is looked at. */
#pragma once

#include "platform/cost/energy.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

static inline JsonNode *result_of(const char *folder, const char *variant)
{
    g_autofree char *path = g_build_filename(folder, "out", variant, NULL);
    g_autoptr(GError) error = NULL;
    JsonNode *result = result_read(path, &error);
    ck_assert_msg(result, "%s", error ? error->message : "");
    return result;
}

static inline void run_scenario(const char *folder, const char *arguments)
{
    g_autofree char *line = g_strdup_printf("run %s -q -o out", arguments);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
}
