/* Runs the tiles' windows on SimGrid until nothing is left. */
#pragma once

#include "kit/engine/simgrid/outside.h"
#include "kit/engine/tile.h"

/* SimGrid has been started with a platform that has a host "tile<k>" for each tile. */
bool transport_run(Tiles *tiles, Outside *outside, GError **error);
