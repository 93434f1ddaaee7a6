/* How a run is named on the command line to do something with it again. */
#pragma once

#include <json-glib/json-glib.h>

/* "gather.ini --variant a100 --set l1.ways=8" of the result of a run, or of a kernel of it
 * (compare/choose.h), newly allocated; NULL: it does not say its file. Of a whole run `kernel`, if
 * it is not NULL, is asked of alone. */
char *again_words(JsonNode *result, const char *kernel);
/* The same of what was asked for; variant and sets (NULL-terminated) may be NULL. */
char *again_words_of(const char *file, const char *variant, char **sets);
