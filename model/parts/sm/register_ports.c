#include "parts/sm/register_ports.h"

#include "parts/bits.h"

void register_ports_init(RegisterPorts *ports, const RegisterPortsShape *shape)
{
    *ports = (RegisterPorts){.shape = *shape, .step = shape->cycle / MAX(shape->reads, 1)};
    if (is_power_of_two(shape->banks)) ports->bank_bits = shape->banks - 1;
    if (!shape->banks) ports->unbooked = UINT32_MAX;
    if (shape->banks && shape->once) ports->unbooked = shape->reads;
    if (!shape->writes) return;
    ports->written = shape->parts * shape->banks;
    ports->write = g_new(WritePort, ports->written);
    for (uint32_t i = 0; i < ports->written; i++) write_port_init(&ports->write[i], shape->writes);
}

void register_ports_finish(RegisterPorts *ports)
{
    for (uint32_t i = 0; i < ports->written; i++) write_port_finish(&ports->write[i]);
    g_clear_pointer(&ports->write, g_free);
}

uint32_t register_ports_write(RegisterPorts *ports, const RegisterSpan *span, uint64_t at,
                              uint64_t now)
{
    if (!ports->write) return 0;
    const uint64_t cycle = ports->shape.cycle, wanted = (at + cycle - 1) / cycle;
    uint64_t last = wanted;
    for (uint32_t i = 0; i < span->count; i++) {
        const uint32_t number = span->number ? span->number[i] : span->first + i;
        WritePort *bank = &ports->write[span->part * ports->shape.banks
                                        + register_bank(ports, span->base + number)];
        const uint64_t taken = write_port_next(bank, wanted);
        write_port_book(bank, taken, now / cycle);
        last = MAX(last, taken);
    }
    return (uint32_t)(last - wanted);
}
