#include "workloads/traces/block.h"
#include "workloads/traces/header.h"

#include <string.h>

/* First byte of a record. Then: kind, hint and destination count (2 bytes), changes against the
 * warp's last record. */
enum {
    HAS_MASK = 1,        /* 4 bytes */
    HAS_LINE = 2,        /* signed change */
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

/* Small magnitudes of either sign become small numbers, seven bits a byte. */
static uint8_t *put_signed(uint8_t *p, uint64_t change)
{
    uint64_t n = change << 1 ^ (uint64_t)((int64_t)change >> 63);
    for (; n >= 128; n >>= 7) *p++ = (uint8_t)(n | 128);
    *p++ = (uint8_t)n;
    return p;
}

static const uint8_t *take_signed(const uint8_t *p, uint64_t *change)
{
    uint64_t n = 0;
    uint32_t shift = 0;
    for (; *p & 128; p++, shift += 7) n |= (uint64_t)(*p & 127) << shift;
    n |= (uint64_t)*p++ << shift;
    *change = n >> 1 ^ -(n & 1);
    return p;
}

static void reserve(TraceBlock *block)
{
    if (block->room - block->used >= RECORD_BYTES_MAX) return;
    block->room = MAX(2 * block->room, 4096);
    block->bytes = g_realloc(block->bytes, block->room);
}

static uint8_t *put_access(uint8_t *p, TraceBefore *before, const Instruction *in)
{
    *p++ = in->width;
    p = put_signed(p, in->base - before->base);
    before->base = in->base;
    if (!in->addresses) return in->stride ? put_signed(p, (uint64_t)in->stride) : p;
    const uint32_t count = (uint32_t)__builtin_popcountll(in->mask);
    for (uint32_t i = 1; i < count; i++) p = put_signed(p, in->addresses[i] - in->addresses[i - 1]);
    return p;
}

static uint8_t find_parts(const TraceBefore *before, const Instruction *in)
{
    uint32_t parts = 0;
    if (in->mask != before->mask) parts |= HAS_MASK;
    if (in->source_line != before->source_line) parts |= HAS_LINE;
    if (in->destination != REGISTER_NONE) parts |= HAS_DESTINATION;
    if (in->width) parts |= HAS_ACCESS;
    if (in->width && in->addresses) parts |= HAS_LIST;
    if (in->width && !in->addresses && in->stride) parts |= HAS_STRIDE;
    return (uint8_t)parts;
}

void trace_block_append(TraceBlock *block, TraceBefore *before, const Instruction *in)
{
    reserve(block);
    uint8_t *p = block->bytes + block->used;
    const uint8_t parts = find_parts(before, in);
    *p++ = parts;
    *p++ = (uint8_t)(in->operation | in->unit << 4);
    *p++ = (uint8_t)(in->space | in->hint << 3 | in->source_count << 5);
    p = put_signed(p, in->pc - before->pc);
    if (parts & HAS_MASK) {
        memcpy(p, &(uint32_t){(uint32_t)in->mask}, 4);
        p += 4;
    }
    if (parts & HAS_LINE) p = put_signed(p, (uint64_t)in->source_line - before->source_line);
    if (parts & HAS_DESTINATION) {
        *p++ = in->destination;
        *p++ = in->destination_count;
    }
    memcpy(p, in->sources, in->source_count);
    p += in->source_count;
    if (parts & HAS_ACCESS) p = put_access(p, before, in);
    block->used = (size_t)(p - block->bytes);
    before->pc = in->pc;
    before->mask = in->mask;
    before->source_line = in->source_line;
}

/* --- unpacking -------------------------------------------------------------------------------- */

/* The cursor's scratch: byte offset, then what TraceBefore holds. */
enum { AT_BYTE, AT_PC, AT_BASE, AT_MASK_AND_LINE };

static const uint8_t *take_access(const uint8_t *p, uint8_t parts, WarpCursor *cursor,
                                  Instruction *out)
{
    uint64_t change;
    out->width = *p++;
    p = take_signed(p, &change);
    out->base = cursor->scratch[AT_BASE] += change;
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

static const uint8_t *take_lanes_and_line(const uint8_t *p, uint8_t parts, WarpCursor *cursor,
                                          Instruction *out)
{
    uint64_t change;
    out->mask = (uint32_t)cursor->scratch[AT_MASK_AND_LINE];
    out->source_line = (uint32_t)(cursor->scratch[AT_MASK_AND_LINE] >> 32);
    if (parts & HAS_MASK) {
        uint32_t mask;
        memcpy(&mask, p, 4);
        out->mask = mask;
        p += 4;
    }
    if (parts & HAS_LINE) {
        p = take_signed(p, &change);
        out->source_line += (uint32_t)change;
    }
    cursor->scratch[AT_MASK_AND_LINE] = (uint64_t)out->source_line << 32 | out->mask;
    return p;
}

static void begin_warp(const TraceBlock *block, WarpCursor *cursor)
{
    cursor->scratch[AT_BYTE] = block->begin[cursor->warp];
    cursor->scratch[AT_PC] = cursor->scratch[AT_BASE] = cursor->scratch[AT_MASK_AND_LINE] = 0;
}

void trace_block_fetch(const TraceBlock *block, WarpCursor *cursor, uint64_t lanes,
                       Instruction *out)
{
    *out = (Instruction){.destination = REGISTER_NONE, .repeat = 1};
    if (!cursor->position++) begin_warp(block, cursor);
    if (cursor->scratch[AT_BYTE] == TRACE_NO_WARP) {
        out->operation = OPERATION_EXIT;
        out->unit = EXECUTE_OTHER;
        out->mask = lanes;
        return;
    }
    const uint8_t *p = block->bytes + cursor->scratch[AT_BYTE];
    const uint8_t parts = *p++;
    uint64_t change;
    out->operation = *p & 15;
    out->unit = *p++ >> 4;
    out->space = *p & 7;
    out->hint = *p >> 3 & 3;
    out->source_count = *p++ >> 5;
    p = take_signed(p, &change);
    out->pc = cursor->scratch[AT_PC] += change;
    p = take_lanes_and_line(p, parts, cursor, out);
    if (parts & HAS_DESTINATION) {
        out->destination = *p++;
        out->destination_count = *p++;
    }
    memcpy(out->sources, p, out->source_count);
    p += out->source_count;
    if (parts & HAS_ACCESS) p = take_access(p, parts, cursor, out);
    cursor->scratch[AT_BYTE] = (uint64_t)(p - block->bytes);
}
