#include "workloads/traces/line.h"

#include "parts/bits.h"

#include <string.h>

#define WINDOW_BYTES (UINT64_C(16) << 20)

/* --- tokens ----------------------------------------------------------------------------------- */

static const char *skip_blanks(TraceTokens *t)
{
    while (t->at < t->end && trace_is_blank(*t->at)) t->at++;
    return t->at;
}

static const char *token_end(const TraceTokens *t, const char *p)
{
    while (p < t->end && !trace_is_blank(*p)) p++;
    return p;
}

static bool complain(TraceTokens *t, const char *begin, const char *what, const char *expected)
{
    t->what = what;
    t->expected = expected;
    t->value_length = (size_t)(token_end(t, begin) - begin);
    t->value = t->value_length ? begin : NULL;
    return false;
}

char *trace_tokens_describe(const TraceTokens *t)
{
    g_autofree char *range =
        g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, t->lowest, t->highest);
    const char *const expected = t->expected ? t->expected : range;
    if (!t->value) return g_strdup_printf("the %s is missing, expected %s", t->what, expected);
    g_autofree char *value = g_strndup(t->value, MIN(t->value_length, 80));
    g_autofree char *shown = g_strescape(value, NULL);
    return g_strdup_printf("%s '%s', expected %s", t->what, shown, expected);
}

bool trace_tokens_decimal(TraceTokens *t, const char *what, int64_t lowest, int64_t highest,
                          int64_t *value)
{
    enum { DIGITS_MAX = 19 };
    const char *const begin = skip_blanks(t);
    const bool negative = begin < t->end && *begin == '-';
    const char *p = begin + negative, *const digits = p;
    uint64_t n = 0;
    for (; p < t->end && *p >= '0' && *p <= '9'; p++)
        if (p - digits < DIGITS_MAX) n = n * 10 + (uint64_t)(*p - '0');
    if (p == digits || (p < t->end && !trace_is_blank(*p)))
        return complain(t, begin, what, "a decimal number");
    *value = (int64_t)(negative ? -n : n);
    const bool fits = p - digits <= DIGITS_MAX && n <= (uint64_t)INT64_MAX + negative;
    if (fits && *value >= lowest && *value <= highest) {
        t->at = p;
        return true;
    }
    t->lowest = lowest;
    t->highest = highest;
    return complain(t, begin, what, NULL);
}

static inline int hex_digit(char c)
{
    const unsigned digit = (unsigned char)c - (unsigned)'0';
    if (digit < 10) return (int)digit;
    const unsigned letter = ((unsigned char)c | 0x20u) - (unsigned)'a';
    return letter < 6 ? (int)letter + 10 : -1;
}

bool trace_tokens_hex(TraceTokens *t, const char *what, uint64_t *value)
{
    const char *const begin = skip_blanks(t);
    const char *p = begin;
    if (t->end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x') p += 2;
    const char *const digits = p;
    uint64_t n = 0;
    for (int d; p < t->end && (d = hex_digit(*p)) >= 0; p++) n = n << 4 | (uint64_t)d;
    if (p == digits || p - digits > 16 || (p < t->end && !trace_is_blank(*p)))
        return complain(t, begin, what, "a hexadecimal number of at most 64 bits");
    t->at = p;
    *value = n;
    return true;
}

/* R12 gives 12; R255 and registers of other files (UR4, P0, UP0) give REGISTER_NONE. */
static bool read_register(TraceTokens *t, const char *what, uint32_t *number)
{
    const char *const begin = skip_blanks(t), *const end = token_end(t, begin);
    const char *p = begin;
    while (p < end && (*p == 'R' || *p == 'U' || *p == 'P')) p++;
    const char *const digits = p;
    uint32_t n = 0;
    for (; p < end && *p >= '0' && *p <= '9' && p - digits < 4; p++)
        n = n * 10 + (uint32_t)(*p - '0');
    if (p == digits || digits == begin || p < end || n > REGISTER_NONE)
        return complain(t, begin, what, "a register from R0 to R255");
    t->at = end;
    *number = digits - begin == 1 && *begin == 'R' ? n : REGISTER_NONE;
    return true;
}

static bool read_registers(TraceTokens *t, const char *what, TraceRegisters *registers)
{
    if (!trace_tokens_decimal(t, what, 0, TRACE_REGISTERS_LISTED, &registers->count)) return false;
    for (int64_t i = 0; i < registers->count; i++)
        if (!read_register(t, what, &registers->number[i])) return false;
    return true;
}

TraceLineParser *trace_line_parser_new(void)
{
    TraceLineParser *parser = g_new(TraceLineParser, 1);
    memset(parser, 0, offsetof(TraceLineParser, opcodes));
    return parser;
}

static bool has_bit(const uint64_t *bits, uint32_t place)
{
    return bits[place / 64] >> place % 64 & 1;
}

static void set_bit(uint64_t *bits, uint32_t place, bool value)
{
    const uint64_t bit = UINT64_C(1) << place % 64;
    bits[place / 64] = value ? bits[place / 64] | bit : bits[place / 64] & ~bit;
}

/* Of the name at `begin`. */
static const TraceOpcodeEntry *find_opcode(TraceLineParser *parser, const char *begin,
                                           size_t length)
{
    uint32_t hash = 0;
    for (const char *p = begin; p < begin + length; p++) hash = hash * 31 + (uint8_t)*p;
    const uint32_t place = hash % TRACE_OPCODE_CACHE;
    TraceOpcodeEntry *entry = &parser->opcodes[place];
    if (has_bit(parser->has_opcode, place) && !memcmp(entry->name, begin, length)
        && !entry->name[length])
        return entry;
    memcpy(entry->name, begin, length);
    entry->name[length] = '\0';
    entry->opcode = trace_opcode_parse(begin, length);
    set_bit(parser->has_opcode, place, true);
    return entry;
}

static bool read_opcode(TraceLineParser *parser, TraceOpcode *opcode)
{
    TraceTokens *t = &parser->tokens;
    const char *const begin = skip_blanks(t), *const end = token_end(t, begin);
    const size_t length = (size_t)(end - begin);
    if (!length || length >= TRACE_OPCODE_LENGTH || *begin < 'A' || *begin > 'Z')
        return complain(t, begin, "opcode", "a dotted SASS name in capitals");
    const TraceOpcodeEntry *entry = find_opcode(parser, begin, length);
    t->at = end;
    parser->unknown = entry->opcode.unknown ? entry->name : NULL;
    *opcode = entry->opcode;
    return true;
}

/* --- addresses -------------------------------------------------------------------------------- */

static bool read_list(TraceLineParser *parser, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!trace_tokens_hex(&parser->tokens, "address", &parser->addresses[i])) return false;
    return true;
}

static bool read_stride(TraceLineParser *parser, uint64_t mask, uint32_t count)
{
    TraceTokens *t = &parser->tokens;
    const uint64_t run = mask >> __builtin_ctzll(mask);
    int64_t stride;
    if (run & (run + 1))
        return complain(t, t->at - 1, "address mode", "0 or 2, since the active lanes are no run");
    if (!trace_tokens_hex(t, "base address", &parser->addresses[0])
        || !trace_tokens_decimal(t, "stride", INT64_MIN, INT64_MAX, &stride))
        return false;
    for (uint32_t i = 1; i < count; i++)
        parser->addresses[i] = parser->addresses[i - 1] + (uint64_t)stride;
    return true;
}

static bool read_deltas(TraceLineParser *parser, uint32_t count)
{
    TraceTokens *t = &parser->tokens;
    if (!trace_tokens_hex(t, "base address", &parser->addresses[0])) return false;
    for (uint32_t i = 1; i < count; i++) {
        int64_t delta;
        if (!trace_tokens_decimal(t, "address delta", INT64_MIN, INT64_MAX, &delta)) return false;
        parser->addresses[i] = parser->addresses[i - 1] + (uint64_t)delta;
    }
    return true;
}

/* The addresses of the active lanes, lowest lane first, into parser->addresses. */
static bool read_addresses(TraceLineParser *parser, uint64_t mask)
{
    TraceTokens *t = &parser->tokens;
    const uint32_t count = (uint32_t)__builtin_popcountll(mask);
    const char *const begin = skip_blanks(t);
    int64_t mode;
    if (!trace_tokens_decimal(t, "address mode", INT64_MIN, INT64_MAX, &mode)) return false;
    if (mode < 0 || mode > 2) return complain(t, begin, "address mode", "0, 1 or 2");
    if (!count) {
        t->at = t->end; /* whatever the tracer wrote for no lane says nothing */
        return true;
    }
    if (mode == 0) return read_list(parser, count);
    if (mode == 1) return read_stride(parser, mask, count);
    return read_deltas(parser, count);
}

/* Are the addresses base + lane x stride for all active lanes? Then every mode gives the same
 * instruction. */
static bool fit_stride(const uint64_t *addresses, uint64_t mask, Instruction *out)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(mask);
    const uint64_t others = mask & (mask - 1);
    int64_t stride = 0;
    if (others) {
        const int64_t apart = __builtin_ctzll(others) - (int64_t)first;
        const int64_t bytes = (int64_t)(addresses[1] - addresses[0]);
        if (bytes % apart) return false;
        stride = bytes / apart;
    }
    const uint64_t base = addresses[0] - first * (uint64_t)stride;
    uint32_t i = 1;
    for (uint64_t rest = others; rest; rest &= rest - 1, i++)
        if (addresses[i] != base + (uint64_t)__builtin_ctzll(rest) * (uint64_t)stride) return false;
    out->base = base;
    out->stride = stride;
    return true;
}

static bool in_window(uint64_t address, uint64_t base)
{
    return base && address >= base && address - base < WINDOW_BYTES;
}

/* A generic address in the window of shared or local memory means the offset in it. */
static void resolve_space(TraceLineParser *parser, uint32_t count, Instruction *out)
{
    uint64_t window;
    if (in_window(parser->addresses[0], parser->shared_base)) {
        out->space = SPACE_SHARED;
        window = parser->shared_base;
    } else if (in_window(parser->addresses[0], parser->local_base)) {
        out->space = SPACE_LOCAL;
        window = parser->local_base;
    } else {
        return;
    }
    for (uint32_t i = 0; i < count; i++) parser->addresses[i] -= window;
}

/* A copy to shared memory has two operands in memory, and tracers write a line for each: the one
 * with offsets, where no global memory lies, is its store. */
static void set_access(TraceLineParser *parser, const TraceOpcode *opcode, Instruction *out)
{
    out->operation = opcode->operation;
    out->space = opcode->space;
    out->hint = opcode->hint;
    out->width = opcode->width;
    if (opcode->copies && parser->addresses[0] < WINDOW_BYTES) {
        out->operation = OPERATION_STORE;
        out->space = SPACE_SHARED;
    }
    if (opcode->generic) resolve_space(parser, (uint32_t)__builtin_popcountll(out->mask), out);
    if (!fit_stride(parser->addresses, out->mask, out)) {
        out->base = parser->addresses[0];
        out->addresses = parser->addresses;
    }
}

/* --- the line --------------------------------------------------------------------------------- */

/* Columns before the program counter. */
static bool read_prefix(TraceLineParser *parser, uint32_t *source_line)
{
    static const char *const columns[] = {"CTA's x", "CTA's y", "CTA's z", "warp number"};
    TraceTokens *t = &parser->tokens;
    int64_t value;
    for (uint32_t i = 0; parser->version < 3 && i < 4; i++)
        if (!trace_tokens_decimal(t, columns[i], 0, INT32_MAX, &value)) return false;
    if (!parser->line_info) return true;
    if (!trace_tokens_decimal(t, "source line", 0, UINT32_MAX, &value)) return false;
    *source_line = (uint32_t)value;
    return true;
}

static bool read_mask(TraceTokens *t, uint64_t *mask)
{
    const char *const begin = skip_blanks(t);
    uint64_t value;
    if (!trace_tokens_hex(t, "active mask", &value)) return false;
    if (value > UINT32_MAX)
        return complain(t, begin, "active mask", "a hexadecimal number of 32 bits");
    *mask = value;
    return true;
}

static bool next_is(const TraceTokens *t, const char *word)
{
    const size_t length = strlen(word);
    return token_end(t, t->at) == t->at + length && !memcmp(t->at, word, length);
}

/* Version 6: what each register held, once if it was the same in all lanes. */
static bool read_values(TraceTokens *t, int64_t registers)
{
    for (int64_t i = 0; i < registers; i++) {
        const char *const begin = skip_blanks(t);
        int64_t count;
        uint64_t value;
        if (!trace_tokens_decimal(t, "number of values", 1, TRACE_LANES, &count)) return false;
        if (count != 1 && count != TRACE_LANES)
            return complain(t, begin, "number of values", "1 or 32 of a register");
        for (int64_t n = 0; n < count; n++)
            if (!trace_tokens_hex(t, "value", &value)) return false;
    }
    return true;
}

/* Behind the addresses: an immediate from version 5 on; in version 6 a second one, and perhaps
 * values of registers. None of it is used. */
static bool read_trailer(TraceLineParser *parser, int64_t registers)
{
    TraceTokens *t = &parser->tokens;
    skip_blanks(t);
    for (uint32_t i = 5; i <= parser->version && !next_is(t, "Val") && !next_is(t, "NoVal"); i++) {
        t->at = token_end(t, t->at);
        skip_blanks(t);
    }
    if (parser->version < 6) return true;
    const bool values = next_is(t, "Val");
    if (values || next_is(t, "NoVal")) t->at = token_end(t, t->at);
    return !values || read_values(t, registers);
}

/* Columns between the registers and the addresses. A bulk copy's line has others from there on, and
 * as it is not modelled they are not read. */
static bool read_access(TraceLineParser *parser, const TraceOpcode *opcode, Instruction *out)
{
    TraceTokens *t = &parser->tokens;
    int64_t width, ends_group;
    if (opcode->groups && parser->version >= 6
        && !trace_tokens_decimal(t, "end of a group", 0, 1, &ends_group))
        return false;
    if (!trace_tokens_decimal(t, "memory width", 0, opcode->bulk ? INT32_MAX : 255, &width))
        return false;
    if (width && opcode->bulk) t->at = t->end;
    if (width && !opcode->bulk && !read_addresses(parser, out->mask)) return false;
    if (opcode->width) out->mask &= opcode->lanes;
    if (width && out->mask && opcode->width) set_access(parser, opcode, out);
    return true;
}

static bool read_rest(TraceLineParser *parser, const TraceOpcode *opcode, int64_t registers,
                      Instruction *out)
{
    TraceTokens *t = &parser->tokens;
    if (!read_access(parser, opcode, out) || !read_trailer(parser, registers)) return false;
    const char *const surplus = skip_blanks(t);
    return surplus == t->end || complain(t, surplus, "surplus text", "the end of the line");
}

static bool read_head(TraceLineParser *parser, TraceHead *head)
{
    TraceTokens *t = &parser->tokens;
    Instruction *out = &head->instruction;
    TraceRegisters destinations, sources;
    *out = (Instruction){.operation = OPERATION_ALU, .repeat = 1};
    if (!trace_tokens_hex(t, "program counter", &out->pc) || !read_mask(t, &out->mask)
        || !read_registers(t, "destination register", &destinations)
        || !read_opcode(parser, &head->opcode) || !read_registers(t, "source register", &sources))
        return false;
    const TraceOpcode *opcode = &head->opcode;
    out->unit = opcode->unit;
    trace_opcode_set_registers(opcode, &destinations, &sources, out);
    const bool acts =
        opcode->operation == OPERATION_BARRIER || opcode->operation == OPERATION_FENCE;
    if (acts && out->mask) out->operation = opcode->operation;
    head->registers = destinations.count + sources.count;
    return true;
}

/* By its first characters, which no valid line lacks. */
static uint32_t find_place(const TraceTokens *tokens, const char *begin)
{
    uint64_t word = 0;
    if (tokens->end - begin >= (ptrdiff_t)sizeof word) memcpy(&word, begin, sizeof word);
    return (word * GOLDEN_STEP >> 32) % TRACE_HEAD_CACHE;
}

static bool is_at(const TraceHead *head, const TraceTokens *t, const char *begin)
{
    const ptrdiff_t length = (ptrdiff_t)head->length, left = t->end - begin;
    if (left < length || memcmp(begin, head->text, head->length)) return false;
    return left == length || trace_is_blank(begin[length]);
}

/* One that was read before is known by its text. NULL: it is broken. */
static const TraceHead *take_head(TraceLineParser *parser)
{
    TraceTokens *t = &parser->tokens;
    const char *const begin = skip_blanks(t);
    const uint32_t place = find_place(t, begin);
    TraceHead *head = &parser->heads[place];
    parser->unknown = NULL;
    if (has_bit(parser->has_head, place) && is_at(head, t, begin)) {
        t->at = begin + head->length;
        return head;
    }
    set_bit(parser->has_head, place, false);
    if (!read_head(parser, head)) return NULL;
    const size_t length = (size_t)(t->at - begin);
    if (parser->unknown || length > TRACE_HEAD_LENGTH) return head;
    memcpy(head->text, begin, length);
    head->length = (uint32_t)length;
    set_bit(parser->has_head, place, true);
    return head;
}

bool trace_line_parse(TraceLineParser *parser, const char *begin, const char *end, Instruction *out,
                      bool *exits)
{
    uint32_t source_line = 0;
    parser->tokens = (TraceTokens){.at = begin, .end = end};
    const TraceHead *head = read_prefix(parser, &source_line) ? take_head(parser) : NULL;
    if (!head) return false;
    *out = head->instruction;
    out->source_line = source_line;
    *exits = head->opcode.exits;
    return read_rest(parser, &head->opcode, head->registers, out);
}
