/* What a crossbar keeps: packets in front of it and, with speed-up, behind it. */
#include "units/crossbar/private.h"

/* A packet may bring a line. */
StorageSize crossbar_packet_size(const Unit *unit, const StorageMachine *machine)
{
    const Crossbar *self = (const Crossbar *)unit;
    return (StorageSize){.entries = 1,
                         .bits = 8 * self->header_bytes + storage_line_bits(&machine->l1)};
}

/* Of each output; without speed-up there is none. */
static StorageSize size_output(const Unit *unit, const StorageMachine *machine)
{
    const Crossbar *self = (const Crossbar *)unit;
    const StorageSize packet = crossbar_packet_size(unit, machine);
    const uint64_t outputs =
        unit->number % NETWORKS == NETWORK_REQUEST ? machine->slices : machine->sms;
    return (StorageSize){.entries = self->speedup > 1 ? outputs * self->output_buffer : 0,
                         .bits = packet.bits};
}

const StorageRow crossbar_storage[] = {
    STORAGE("input_bits", crossbar_packet_size, "input buffers", .input = "inputs"),
    STORAGE("output_bits", size_output, "queues at the outputs, with speed-up",
            .places = "output_queues"),
    STORAGE_END};
