#include "workloads/generator.h"

bool workload_reject(GError **error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, WORKLOAD_VALUE_ERROR, 0, "%s: %s", key, reason);
    return false;
}

bool workload_reject_file(GError **error, const char *path)
{
    const bool exists = g_file_test(path, G_FILE_TEST_EXISTS);
    return workload_reject(error, "file", exists ? "%s is no regular file" : "there is no %s",
                           path);
}

uint32_t *cycle_draw(uint64_t nodes, uint64_t salt)
{
    uint32_t *order = g_new(uint32_t, nodes);
    for (uint64_t i = 0; i < nodes; i++) order[i] = (uint32_t)i;
    for (uint64_t i = nodes - 1; i > 1; i--) {
        const uint64_t other = 1 + scale64(mix64(salt + i), i);
        const uint32_t node = order[i];
        order[i] = order[other];
        order[other] = node;
    }
    return order;
}
