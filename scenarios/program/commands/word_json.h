/* What `explain` knows of a word, for programs. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/language/vocabulary.h"

/* Adds an object to the list that is being built. */
void word_add_json(JsonBuilder *json, const Word *word);
