/* What the servers of a texture unit did, by what was counted otherwise. */
#pragma once

#include "rigs/unit_rig.h"

static inline void assert_servers(const Unit *texture)
{
    const uint64_t turn = unit_number(texture, "quad_interval", PARAM_CYCLES),
                   lines = unit_count(texture, "hits") + unit_count(texture, "misses"),
                   kept = unit_count(texture, "stores_kept"),
                   others = unit_count(texture, "past_cache") + unit_count(texture, "stores")
                            + unit_count(texture, "atomics");
    ck_assert_uint_eq(unit_booked(texture, "address_stage"),
                      (unit_count(texture, "steps") + unit_count(texture, "data_groups")) * turn);
    ck_assert_uint_eq(unit_booked(texture, "tag_ports"), lines + others);
    ck_assert_uint_eq(unit_booked(texture, "data_ports"), lines + kept);
    ck_assert_uint_eq(unit_booked(texture, "filters"), unit_count(texture, "filter_turns") * turn);
    ck_assert_uint_eq(unit_booked(texture, "miss_port"), unit_count(texture, "requests"));
    if (unit_number(texture, "fill_bytes", PARAM_BANDWIDTH) == 32) /* a sector */
        ck_assert_uint_eq(unit_booked(texture, "fill_port"),
                          unit_bytes(texture, "bytes_from_network") / 32);
    assert_places_are_empty(texture);
}
