/* A folder for a test's files, removed with all that is in it. */
#pragma once

#include <check.h>
#include <ftw.h>
#include <glib.h>
#include <glib/gstdio.h>

static inline char *temporary_folder(void)
{
    char *folder = g_dir_make_tmp("warpmem-test-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    return folder;
}

static inline int temporary_remove_one(const char *path, const struct stat *status, int flag,
                                       struct FTW *walk)
{
    (void)status, (void)flag, (void)walk;
    return g_remove(path);
}

static inline void temporary_remove(char *folder)
{
    nftw(folder, temporary_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    g_free(folder);
}

/* Writes FOLDER/NAME and returns its path, newly allocated. */
static inline char *temporary_file(const char *folder, const char *name, const char *text)
{
    char *path = g_build_filename(folder, name, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    return path;
}
