/* A condition is SQL but for its names and quantities: both stand in quotes in it, as columns of a
 * table of one row.
 *
 *     l2_slice.capacity >= 96 KiB or l1.sets > 4
 *     SELECT ("l2_slice.capacity" >= "96 KiB" or "l1.sets" > "4")
 *     FROM (SELECT ? AS "l2_slice.capacity", ? AS "96 KiB", ? AS "l1.sets", ? AS "4") */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* NULL with error, which says what is wrong without the place. `names` (NULL-terminated) are those
 * of parameters; `columns` takes the columns' names (char *), of which quantities begin with a
 * digit or a point; `end` is where the condition ends in the text. */
GString *where_sql(const char *condition, const char *const *names, GPtrArray *columns, gsize *end,
                   GError **error);

/* A switch, which is 1 or 0 in SQL. */
static inline bool where_is_truth(const char *text)
{
    return !strcmp(text, "yes") || !strcmp(text, "no");
}
