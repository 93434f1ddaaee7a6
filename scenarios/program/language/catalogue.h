/* The folders that come with the program: presets, DRAM parts, scenarios. Found from the installed
 * program, and from the source tree when the program runs from its build folder, so every command
 * works from any folder. */
#pragma once

#include <glib.h>

/* Newly allocated; NULL when the program was moved away from its files. */
char *catalogue_preset_directory(void);
char *catalogue_scenario_directory(void);
char *catalogue_part_directory(void); /* of DRAM parts */

/* The names of the `*.ini` files in a folder and in the folders that it has, without the ending,
 * sorted; empty when there is no folder. */
GStrv catalogue_list(const char *directory);
/* For g_ptr_array_sort, of char *. */
int catalogue_compare_names(gconstpointer a, gconstpointer b);

/* The path of the file that catalogue_list names so, newly allocated; NULL when there is none. */
char *catalogue_find(const char *directory, const char *name);

/* What catalogue_find finds the file by, newly allocated; NULL: it does not. */
char *catalogue_name(const char *directory, const char *file);

/* `file` as it is shown to people: files of the catalogue as "platform/presets/v100.ini", others as
 * they are. */
char *catalogue_display(const char *file);

/* The title that stands in a file of the list, newly allocated; empty when it has none. */
char *catalogue_title(const char *directory, const char *name);
