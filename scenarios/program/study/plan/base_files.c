/* Whether the files that a study's runs read are what was planned. */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

#include "scenarios/program/study/points/point.h"

char *base_hash_file(const char *path, GError **error)
{
    FILE *file = g_fopen(path, "rb");
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guchar block[1 << 16];
    if (file) {
        for (gsize got; (got = fread(block, 1, sizeof block, file)) > 0;)
            g_checksum_update(sum, block, (gssize)got);
        const bool good = !ferror(file);
        const int code = errno;
        fclose(file);
        if (good) return g_strdup(g_checksum_get_string(sum));
        errno = code;
    }
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be read: %s", path, g_strerror(errno));
    return NULL;
}

bool base_check_files(const Base *base, GError **error)
{
    for (guint i = 0; i < base->files->len; i++) {
        const BaseFile *file = base->files->pdata[i];
        g_autofree char *sum = base_hash_file(file->path, error);
        if (!sum) return false;
        if (g_str_equal(sum, file->sha256)) continue;
        g_set_error(error, STUDY_ERROR, 0,
                    "%s: is not the file that was planned with: its content has changed "
                    "(SHA-256 %.12s..., planned %.12s...)",
                    file->path, sum, file->sha256);
        return false;
    }
    return true;
}
