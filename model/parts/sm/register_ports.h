/* The ports of a register file's banks. A register lies in the bank of its physical entry, base and
 * number, modulo banks. A bank reads so many operands a cycle and takes so many results, whosever
 * they are: what wants a bank that is taken goes one slot later. The file is in parts, each with
 * banks of its own. Times are plain integers of the caller's unit. */
#pragma once

#include "parts/sm/write_port.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { REGISTER_BANKS = 32, REGISTER_PARTS = 8 };

typedef struct {
    uint32_t parts;
    uint32_t banks;         /* of each part; 0: as many operands and results as there are */
    uint32_t reads, writes; /* of a bank, a cycle; 0 writes: as many as there are */
    uint64_t cycle;
    bool once; /* a part is asked for operands once a cycle at most */
} RegisterPortsShape;

typedef struct {
    RegisterPortsShape shape;
    uint64_t step;      /* of a read */
    uint32_t bank_bits; /* of a number of banks that is a power of two: that, less one; or 0 */
    uint32_t unbooked;  /* so many operands are read in their cycle, whichever banks they are in */
    uint64_t behind[REGISTER_PARTS]; /* ... unless a bank still reads what came before */
    /* part by part: from when on a bank reads the next one */
    uint64_t read_free[REGISTER_PARTS * REGISTER_BANKS];
    WritePort *write; /* of each bank; or NULL */
    uint32_t written; /* so many */
} RegisterPorts;

/* Consecutive or single registers of a block that begins at `base`, in one part. */
typedef struct {
    uint32_t part, base;
    const uint8_t *number; /* of each; NULL: `first` and those behind it */
    uint32_t first, count;
} RegisterSpan;

void register_ports_init(RegisterPorts *ports, const RegisterPortsShape *shape);
void register_ports_finish(RegisterPorts *ports);

static inline uint32_t register_bank(const RegisterPorts *ports, uint32_t entry)
{
    return ports->bank_bits ? entry & ports->bank_bits : entry % ports->shape.banks;
}

/* So many operands that come to the part at `now` wait for none, and leave nothing behind. */
static inline bool register_ports_read_at_once(const RegisterPorts *ports, uint32_t part,
                                               uint32_t count, uint64_t now)
{
    return count <= ports->unbooked && ports->behind[part] <= now;
}

/* Cycles beyond the first until all of them are read, from `now` on; times do not go back. Mostly
 * none, and then nothing is divided. */
static inline uint32_t register_ports_read(RegisterPorts *ports, const RegisterSpan *span,
                                           uint64_t now)
{
    uint64_t *const free_at = &ports->read_free[span->part * ports->shape.banks];
    const uint64_t cycle = ports->shape.cycle;
    uint64_t last = now + cycle;
    for (uint32_t i = 0; i < span->count; i++) {
        const uint32_t number = span->number ? span->number[i] : span->first + i;
        uint64_t *at = &free_at[register_bank(ports, span->base + number)];
        *at = MAX(*at, now) + ports->step;
        last = MAX(last, *at);
    }
    ports->behind[span->part] = MAX(ports->behind[span->part], last);
    return last == now + cycle ? 0 : (uint32_t)((last - now + cycle - 1) / cycle) - 1;
}

/* Cycles after `at`, when their results will be there, until all of them are written. */
uint32_t register_ports_write(RegisterPorts *ports, const RegisterSpan *span, uint64_t at,
                              uint64_t now);
