/* Who is where: units on tiles, in groups of sections, run by strands. It is laid out once, when
 * all units and channels are there. */
#pragma once

#include "kit/engine/tile.h"

/* So many tiles of so many threads each; the quantum is set later. */
void tiles_init(Tiles *tiles, Common *common, uint32_t count, uint32_t threads);
void tiles_finish(Tiles *tiles);

/* Where a unit is: the numbers of a tile's sections and of a section's groups are dense. */
typedef struct {
    uint32_t tile, section, group;
} Seat;

/* As many groups in each section; units come later. */
void tile_lay_out(Tile *tile, const uint32_t groups[SECTIONS]);

/* The unit is on this tile. */
void tile_add(Tile *tile, Unit *unit, const Seat *seat);

/* After all units: the channel leads from one group to another of the tile. */
void tile_join(Tile *tile, Channel *channel);

/* Where there are threads, after all of these: the channel joins two sections. */
void tile_join_sections(Tile *tile, const Channel *channel);

/* After all channels: which sections may run at the same time, and how far one may be ahead. */
void tile_sort_sections(Tile *tile);
