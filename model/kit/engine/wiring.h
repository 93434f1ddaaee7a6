/* How units are put together before a run: the rows of their port tables become ports in one order,
 * and channels from one to another. */
#pragma once

#include "kit/engine/unit.h"

typedef struct {
    Unit *from;
    const char *output;
    uint32_t output_index;
    Unit *to;
    const char *input;
    uint32_t input_index;
    uint32_t capacity; /* 0: room is reserved by the protocol of the two units */
    Time delay, credit_delay;
    ChannelTalk talk;
} Wire;

/* A delay shorter than a period of the sender, or a credit delay shorter than one of the receiver,
 * is that period: nothing is faster than the clock that drives it. A missing port name is our
 * mistake: g_error. */
void wire_connect(const Wire *wire);

/* NULL: the class has no port of this name. */
const PortRow *class_find_port(const UnitClass *unit_class, const char *name);

/* The parameter that is the capacity of the row; NULL: it is one, or derived. */
const Param *class_find_capacity(const UnitClass *unit_class, const ResourceRow *row);

/* Gives an array of ports or channels its size, before they are connected. */
void unit_size_ports(Unit *unit, const char *array, uint32_t count);

/* Port order: the table's order, arrays by index. It decides which of several messages that are due
 * together comes first. Arrays are sized before; doing it again does nothing. */
void unit_number_ports(Unit *unit);

typedef void (*ChannelVisit)(Channel *channel, void *user);

/* Those of the unit's outputs that are connected, in the order of its port table. */
void unit_visit_channels(const Unit *unit, ChannelVisit visit, void *user);

/* Its resources and bounded channels are counted from now on; its setup has been done. */
void unit_meter(Unit *unit);

/* Frees what the above has made. */
void unit_free_ports(Unit *unit);
