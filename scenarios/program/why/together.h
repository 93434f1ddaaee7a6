/* Bounds that are one behind the other: by itself each gains what the next one leaves, all of them
 * together much more. */
#pragma once

#include "scenarios/program/why/layers.h"

/* Of a layer whose perfect components have been tried: sets `together`. False with error when a run
 * cannot be started. */
bool together_try(const Layers *layers, Layer *layer, GError **error);

/* Of the layer's `together` which one gains most by itself. */
const Candidate *together_most(const Layer *layer);

void together_free(Together *together);
