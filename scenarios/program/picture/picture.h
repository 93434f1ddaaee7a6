/* A machine as a drawing: its classes of units and the channels between them, as SVG. */
#pragma once

#include "platform/machine/machine.h"

GString *picture_of_machine(const Machine *machine);
