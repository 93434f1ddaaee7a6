/* Settings from the command line: "group.key=value". */
#pragma once

#include "kit/describe/configuration.h"

/* Which kernels of a list run, as the command line says it; NULL: all. */
typedef struct {
    char *kernels, *name;
    bool in_place; /* those before them run, too */
} KernelChoice;

/* Rows of a command's options. */
/* clang-format off */
#define KERNEL_OPTIONS(choice)                                                                     \
    {"kernels", 0, 0, G_OPTION_ARG_STRING, &(choice).kernels,                                      \
     "run only these kernels, as 'check' numbers them: '3-7,9'; caches are cold at the first, "    \
     "unless 'in place' stands behind the list: those before it run, too",                         \
     "LIST"},                                                                                      \
    {"kernel", 0, 0, G_OPTION_ARG_STRING, &(choice).name,                                          \
     "run only kernels of this name, in which * stands for anything", "NAME"}
/* clang-format on */

/* Appends what --set would say of it to *sets (NULL-terminated, or NULL). */
void kernel_choice_apply(const KernelChoice *choice, char ***sets);
/* What is said of these settings is said of the options. */
void kernel_choice_name_error(const KernelChoice *choice, GError *error);
void kernel_choice_finish(KernelChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(KernelChoice, kernel_choice_finish)

/* A message about a setting, "group.key = ", becomes one about the option that it came from,
 * "--option ". */
void setting_name_error(const char *setting, const char *option, GError *error);

/* Divides "kernel timed.loads" at its last point. False when there is none. */
bool setting_name_split(const char *name, char **group, char **key);

/* Puts `sets` (NULL-terminated or NULL) into `over`, and those that begin with "study." into
 * `study`. `upper` (may be NULL) has settings with places that go over them. A DRAM part goes
 * before all else, which goes over it. */
bool sets_apply(const char *const *sets, const Configuration *upper, Configuration *over,
                Configuration *study, GError **error);
