#include "workloads/traces/block.h"
#include "workloads/traces/header.h"

#include <string.h>

/* First byte of a record. Then: kind, hint and destination count (2 bytes), the program counter. A
 * record says all of its instruction, so that a warp keeps no more than where its next one is. */
enum {
    HAS_MASK = 1, /* 4 bytes; else all lanes are active */
    HAS_LINE = 2,
    HAS_DESTINATION = 4, /* 1 byte */
    HAS_ACCESS = 8,      /* width, base */
    HAS_STRIDE = 16,     /* signed */
    HAS_LIST = 32,       /* signed change from each active lane to the next */
};

/* Most bytes that one record takes: fixed fields, pc, line, sources, base, stride or 31 changes
 * of 10 bytes each. */
enum { RECORD_BYTES_MAX = 16 + INSTRUCTION_SOURCES + (3 + TRACE_LANES) * 10 };

TraceBlock *trace_block_new(uint64_t cta, uint32_t warps)
{
    TraceBlock *block = g_malloc(sizeof(TraceBlock) + warps * sizeof(uint64_t));
    *block = (TraceBlock){.cta = cta, .warps = warps};
    for (uint32_t w = 0; w < warps; w++) block->begin[w] = TRACE_NO_WARP;
    return block;
}

void trace_block_free(TraceBlock *block)
{
    if (!block) return;
    g_free(block->bytes);
    g_free(block);
}

/* --- packing ---------------------------------------------------------------------------------- */

/* Seven bits a byte. */
static uint8_t *put_number(uint8_t *p, uint64_t n)
{
    for (; n >= 128; n >>= 7) *p++ = (uint8_t)(n | 128);
    *p++ = (uint8_t)n;
    return p;
}

static const uint8_t *take_number(const uint8_t *p, uint64_t *number)
{
    uint64_t n = 0;
    uint32_t shift = 0;
    for (; *p & 128; p++, shift += 7) n |= (uint64_t)(*p & 127) << shift;
    *number = n | (uint64_t)*p++ << shift;
    return p;
}

/* Small magnitudes of either sign become small numbers. */
static uint8_t *put_signed(uint8_t *p, uint64_t change)
{
    return put_number(p, change << 1 ^ (uint64_t)((int64_t)change >> 63));
}

static const uint8_t *take_signed(const uint8_t *p, uint64_t *change)
{
    uint64_t n;
    p = take_number(p, &n);
    *change = n >> 1 ^ -(n & 1);
    return p;
}

static void reserve(TraceBlock *block)
{
    if (block->room - block->used >= RECORD_BYTES_MAX) return;
    block->room = MAX(2 * block->room, 4096);
    block->bytes = g_realloc(block->bytes, block->room);
}

static uint8_t *put_access(uint8_t *p, const Instruction *in)
{
    *p++ = in->width;
    p = put_number(p, in->base);
    if (!in->addresses) return in->stride ? put_signed(p, (uint64_t)in->stride) : p;
    const uint32_t count = (uint32_t)__builtin_popcountll(in->mask);
    for (uint32_t i = 1; i < count; i++) p = put_signed(p, in->addresses[i] - in->addresses[i - 1]);
    return p;
}

static uint8_t find_parts(const Instruction *in)
{
    uint32_t parts = 0;
    if (in->mask != UINT32_MAX) parts |= HAS_MASK;
    if (in->source_line) parts |= HAS_LINE;
    if (in->destination != REGISTER_NONE) parts |= HAS_DESTINATION;
    if (in->width) parts |= HAS_ACCESS;
    if (in->width && in->addresses) parts |= HAS_LIST;
    if (in->width && !in->addresses && in->stride) parts |= HAS_STRIDE;
    return (uint8_t)parts;
}

void trace_block_append(TraceBlock *block, const Instruction *in)
{
    reserve(block);
    uint8_t *p = block->bytes + block->used;
    const uint8_t parts = find_parts(in);
    *p++ = parts;
    *p++ = (uint8_t)(in->operation | in->unit << 4);
    *p++ = (uint8_t)(in->space | in->hint << 3 | in->source_count << 5);
    p = put_number(p, in->pc);
    if (parts & HAS_MASK) {
        memcpy(p, &(uint32_t){(uint32_t)in->mask}, 4);
        p += 4;
    }
    if (parts & HAS_LINE) p = put_number(p, in->source_line);
    if (parts & HAS_DESTINATION) {
        *p++ = in->destination;
        *p++ = in->destination_count;
    }
    memcpy(p, in->sources, in->source_count);
    p += in->source_count;
    if (parts & HAS_ACCESS) p = put_access(p, in);
    block->used = (size_t)(p - block->bytes);
}

/* --- unpacking -------------------------------------------------------------------------------- */

static const uint8_t *take_access(const uint8_t *p, uint8_t parts, WarpCursor *cursor,
                                  Instruction *out)
{
    uint64_t change;
    out->width = *p++;
    p = take_number(p, &out->base);
    if (parts & HAS_STRIDE) {
        p = take_signed(p, &change);
        out->stride = (int64_t)change;
    }
    if (!(parts & HAS_LIST)) return p;
    const uint32_t count = (uint32_t)__builtin_popcountll(out->mask);
    cursor->addresses[0] = out->base;
    for (uint32_t i = 1; i < count; i++) {
        p = take_signed(p, &change);
        cursor->addresses[i] = cursor->addresses[i - 1] + change;
    }
    out->addresses = cursor->addresses;
    return p;
}

static const uint8_t *take_lanes_and_line(const uint8_t *p, uint8_t parts, Instruction *out)
{
    uint32_t mask = UINT32_MAX;
    uint64_t line = 0;
    if (parts & HAS_MASK) {
        memcpy(&mask, p, 4);
        p += 4;
    }
    if (parts & HAS_LINE) p = take_number(p, &line);
    out->mask = mask;
    out->source_line = (uint32_t)line;
    return p;
}

/* Returns the next record. */
static const uint8_t *take_record(const uint8_t *p, WarpCursor *cursor, Instruction *out)
{
    const uint8_t parts = *p++;
    out->operation = *p & 15;
    out->unit = *p++ >> 4;
    out->space = *p & 7;
    out->hint = *p >> 3 & 3;
    out->source_count = *p++ >> 5;
    p = take_number(p, &out->pc);
    p = take_lanes_and_line(p, parts, out);
    if (parts & HAS_DESTINATION) {
        out->destination = *p++;
        out->destination_count = *p++;
    }
    memcpy(out->sources, p, out->source_count);
    p += out->source_count;
    return parts & HAS_ACCESS ? take_access(p, parts, cursor, out) : p;
}

static const void *first_record(const WarpCursor *cursor)
{
    const TraceBlock *block = cursor->stream;
    const uint64_t begin = block->begin[cursor->warp];
    return begin == TRACE_NO_WARP ? NULL : block->bytes + begin;
}

/* From the first fetch on, its stream is the next record. */
void trace_block_fetch(WarpCursor *cursor, uint64_t lanes, Instruction *out)
{
    *out = (Instruction){.destination = REGISTER_NONE, .repeat = 1};
    if (!cursor->position++) cursor->stream = first_record(cursor);
    if (cursor->stream) {
        cursor->stream = take_record(cursor->stream, cursor, out);
    } else {
        out->operation = OPERATION_EXIT;
        out->unit = EXECUTE_OTHER;
        out->mask = lanes;
    }
}
