/* What of a run's energy rests on figures that nobody has published. */
#pragma once

#include <json-glib/json-glib.h>

/* Share of the events' energy, 0 to 1, and the figure with most of it, or NULL. A figure is assumed
 * if the comment above its value says so, or the text of its default. Voltages, which scale all
 * others of the chip, are not counted. 0 where the result does not say. */
double energy_assumed_share(JsonNode *result, const char **most);

/* "; of its events 87 % rest on assumed figures, most on energy.dram_io", newly allocated; empty if
 * it is not more than half of them. */
char *energy_assumed_sentence(JsonNode *result);
