/* Where a value was written, and whether what is written there is known. */
#pragma once

#include "kit/describe/configuration.h"

/* What stands behind the place of a value that the comment above it calls assumed. */
#define PLACE_ASSUMED " (assumed)"

/* Comments of files that have been looked at. */
typedef struct Places Places;
Places *places_new(void);
void places_free(Places *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Places, places_free)

/* "platform/presets/v100.ini:19" of a preset or a part. Of other files only the name, so that two
 * runs of one scenario are the same bytes wherever it lies; "set" where there is none, "default" of
 * NULL. Behind it PLACE_ASSUMED, if so. Newly allocated. */
char *places_origin(Places *places, const Setting *setting);

/* Whether the comment above the setting has the word "assumed". A comment belongs to the settings
 * below it as far as the next comment, group or empty line. NULL, what has no file and what can no
 * longer be read: false. */
bool places_assumed(Places *places, const Setting *setting);
