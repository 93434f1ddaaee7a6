/* A resolved configuration: `group.key = value` with the place each value came from. Scenarios
 * fill it, tables read it. */
#pragma once

#include "kit/describe/param.h"

typedef struct {
    char *group, *key, *value;
    char *file; /* NULL: the command line or a program default */
    int line;   /* 1-based; 0 when there is no file */
} Setting;

typedef struct Configuration Configuration;

Configuration *configuration_new(void);
Configuration *configuration_copy(const Configuration *configuration);
/* Of the settings of groups that are chosen; they share their text. */
Configuration *configuration_copy_groups(const Configuration *configuration,
                                         bool (*choose)(const char *group));
void configuration_free(Configuration *configuration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Configuration, configuration_free)

/* Sets or replaces: the new setting has the position of the old one, which goes; the arguments may
 * be its. `file` may be NULL ("--set" and built-in values). */
void configuration_set(Configuration *configuration, const char *group, const char *key,
                       const char *value, const char *file, int line);
/* Forgets a setting, if there is one. */
void configuration_remove(Configuration *configuration, const char *group, const char *key);
const Setting *configuration_find(const Configuration *configuration, const char *group,
                                  const char *key);

/* The file that settings come from which have none: where a key that nobody set would be. */
void configuration_set_file(Configuration *configuration, const char *file);
/* NULL: none. */
const char *configuration_file(const Configuration *configuration);

/* Settings in the order in which their keys were first set. */
guint configuration_size(const Configuration *configuration);
const Setting *configuration_at(const Configuration *configuration, guint index);
/* Whether it is the first of its group, which stands for the group. */
bool configuration_is_first(const Configuration *configuration, guint index);

/* Fills `object` (zeroed) with defaults and then with the group's settings. On error nothing owned
 * is leaked; the message is "file:line: group.key = value: reason". Keys of the group that no row
 * knows are left to configuration_check. */
bool configuration_apply(const Configuration *configuration, const ParamGroup *group, void *object,
                         GError **error);

/* As configuration_apply, for settings that stand in a group of another name (`[kernel warm_up]`
 * filled by the table of `workload`). */
bool configuration_apply_as(const Configuration *configuration, const char *group_name,
                            const ParamGroup *group, void *object, GError **error);

/* Fails on the first setting whose group or key no table knows, naming the nearest valid one; of
 * settings of groups that are chosen (NULL: all). `groups` is NULL-terminated; several tables may
 * share one group name. */
bool configuration_check(const Configuration *configuration, bool (*choose)(const char *group),
                         const ParamGroup *const *groups, GError **error);

/* Whether one of them is of this name; the error names the nearest one. */
bool configuration_check_group(const char *name, const ParamGroup *const *groups, GError **error);

/* "file:line: " or "--set: ", newly allocated; for messages about a setting. */
char *setting_describe_place(const Setting *setting);

/* "file:line: group.key = value", newly allocated; a value of several lines is left out. */
char *setting_describe(const Setting *setting);

/* The same and ": reason". Returns false. */
bool setting_reject(const Setting *setting, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The same for an error that says the reason. Returns false. */
bool setting_prefix_error(const Setting *setting, GError **error);

/* Who reads a parameter does not know where it was set. A message that begins with the setting's
 * name, "group.key = value: reason", gains its place unless it has one, and in front of it the
 * setting that its reason names last of those set later: "key" of the same group, or "group.key".
 * Returns false. */
bool configuration_locate_error(const Configuration *configuration, GError **error);
