/* What can be full in the texture unit. */
#include "units/texture/private.h"

/* Who waits when the tags cannot go on: the front end is a pipeline that stops as a whole. */
#define FRONT_END "tag_ports address_stage from_sm from_load_store"

const ResourceRow texture_resources[] = {
    RESOURCE_ONE_SERVER(TextureUnit, address_stage, "addresses: a step of a quad, a group of lanes",
                        RESOURCE_CAPACITY(TextureUnit, quads), .unit = "steps",
                        .feeds = "tag_ports fragment_room to_l1",
                        .refuses = "from_sm from_load_store", .rests_on = "quads quad_interval",
                        .work = "steps"),
    RESOURCE_ONE_SERVER(TextureUnit, tag_ports, "look-ups in the texture unit's tags",
                        RESOURCE_CAPACITY(TextureUnit, tag_lines), .unit = "lines",
                        .feeds = "fragment_room miss_room reorder_room",
                        .refuses = "address_stage from_sm from_load_store"),
    RESOURCE_ONE_PLACE(TextureUnit, fragment_room, "fragment FIFO",
                       RESOURCE_CAPACITY(TextureUnit, fragment_fifo), .unit = "fragments",
                       .headline = "fragment FIFO",
                       .feeds = "reorder_room fill_port data_ports filters return_port to_l1",
                       .refuses = FRONT_END, .refusals = "stalls_fragment_fifo"),
    RESOURCE_ONE_PLACE(TextureUnit, miss_room, "miss request FIFO",
                       RESOURCE_CAPACITY(TextureUnit, miss_fifo), .unit = "requests",
                       .headline = "texture miss request FIFO", .feeds = "miss_port to_l1_misses",
                       .refuses = FRONT_END, .refusals = "stalls_miss_fifo"),
    RESOURCE_ONE_PLACE(TextureUnit, reorder_room, "reorder buffer",
                       RESOURCE_CAPACITY(TextureUnit, reorder_entries), .unit = "misses",
                       .headline = "texture reorder buffer",
                       .feeds = "miss_room to_l1_misses fill_port", .refuses = FRONT_END,
                       .refusals = "stalls_reorder"),
    RESOURCE_ONE_SERVER(TextureUnit, miss_port, "requests that leave, one after the other",
                        RESOURCE_CAPACITY(TextureUnit, requests_per_cycle), .unit = "requests",
                        .feeds = "to_l1_misses", .refuses = "miss_room"),
    RESOURCE_ONE_SERVER(TextureUnit, fill_port, "fills of the texture unit's data array",
                        RESOURCE_CAPACITY(TextureUnit, fill_ports), .unit = "fills",
                        .feeds = "data_ports", .refuses = "fragment_room reorder_room",
                        .rests_on = "fill_bytes fill_ports"),
    RESOURCE_ONE_SERVER(TextureUnit, data_ports, "reads of the texture unit's data array",
                        RESOURCE_CAPACITY(TextureUnit, data_lines), .unit = "lines",
                        .feeds = "filters return_port", .refuses = "fragment_room"),
    RESOURCE_ONE_SERVER(
        TextureUnit, filters, "filters: turns of quads", RESOURCE_CAPACITY(TextureUnit, quads),
        .unit = "turns", .headline = "texture filter", .feeds = "return_port",
        .refuses = "fragment_room", .rests_on = "quads quad_interval", .work = "filter_turns"),
    RESOURCE_ONE_SERVER(TextureUnit, return_port, "way of texels to the registers",
                        RESOURCE_CAPACITY(TextureUnit, return_ports), .unit = "results",
                        .feeds = "to_sm", .refuses = "fragment_room",
                        .rests_on = "return_bytes return_ports"),
    RESOURCE_END};
