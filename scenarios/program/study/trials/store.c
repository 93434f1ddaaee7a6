#include "scenarios/program/study/trials/store.h"

#include <errno.h>
#include <string.h>

#include "kit/describe/output_file.h"

char *store_folder(const char *name)
{
    return g_build_filename(g_get_user_cache_dir(), "warpmem", name, NULL);
}

static char *find_file(const char *folder, const char *key)
{
    return g_build_filename(folder, key, NULL);
}

char *store_read(const char *folder, const char *key)
{
    g_autofree char *file = find_file(folder, key);
    char *payload = NULL;
    return g_file_get_contents(file, &payload, NULL, NULL) ? payload : NULL;
}

bool store_write(const char *folder, const char *key, const char *payload, int *code)
{
    g_autofree char *file = find_file(folder, key);
    *code = g_mkdir_with_parents(folder, 0777) ? errno
                                               : output_file_write(file, payload, strlen(payload));
    return !*code;
}
