/* A folder for a test's files, removed with all that is in it. */
#pragma once

#include <check.h>
#include <ftw.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

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

static inline guint temporary_count(const char *folder)
{
    guint count = 0;
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    while (g_dir_read_name(files)) count++;
    return count;
}

/* A file beyond this fails, as on a full disk. */
static inline void temporary_limit(rlim_t bytes)
{
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = MIN(bytes, limit.rlim_max);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
