/* One instruction line of a trace, as an Instruction. */
#pragma once

#include "workloads/traces/header.h"
#include "workloads/traces/opcode.h"

enum {
    TRACE_OPCODE_CACHE = 256,
    TRACE_OPCODE_LENGTH = 64,
    TRACE_HEAD_CACHE = 256,
    TRACE_HEAD_LENGTH = 64
};

static inline bool trace_is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

/* Where a line is being read, and after a failure what was wrong with it. */
typedef struct {
    const char *at, *end;
    const char *what, *expected; /* NULL: a number from `lowest` to `highest` */
    int64_t lowest, highest;
    const char *value; /* NULL: the line ends there */
    size_t value_length;
} TraceTokens;

typedef struct {
    char name[TRACE_OPCODE_LENGTH];
    TraceOpcode opcode;
} TraceOpcodeEntry;

/* What is the same in the lines of most warps: from the program counter to the last source. */
typedef struct {
    char text[TRACE_HEAD_LENGTH];
    uint32_t length;
    TraceOpcode opcode;
    int64_t registers; /* listed */
    Instruction instruction;
} TraceHead;

/* What a file's header says of its lines, and room for the present line. */
typedef struct {
    uint64_t version;
    bool line_info;
    uint64_t shared_base, local_base; /* windows of generic addresses */
    TraceTokens tokens;
    uint64_t addresses[TRACE_LANES];
    const char *unknown; /* the present line's opcode, if no row says what it is; else NULL */
    /* What lines have said before, and a bit for each place that has it: a file of few lines fills
     * few of them, and of the others nothing is written. */
    uint64_t has_opcode[TRACE_OPCODE_CACHE / 64], has_head[TRACE_HEAD_CACHE / 64];
    TraceOpcodeEntry opcodes[TRACE_OPCODE_CACHE];
    TraceHead heads[TRACE_HEAD_CACHE];
} TraceLineParser;

/* It has read nothing; all that a header says is 0. g_free. */
TraceLineParser *trace_line_parser_new(void);

bool trace_tokens_decimal(TraceTokens *tokens, const char *what, int64_t lowest, int64_t highest,
                          int64_t *value);
bool trace_tokens_hex(TraceTokens *tokens, const char *what, uint64_t *value);

/* "what, value, expected", for a message; newly allocated. */
char *trace_tokens_describe(const TraceTokens *tokens);

/* Fills `instruction`, whose addresses are either affine over the lanes or stand in
 * parser->addresses. *exits: it is an EXIT, which the instruction itself does not say. On
 * failure parser->tokens describes why. */
bool trace_line_parse(TraceLineParser *parser, const char *begin, const char *end,
                      Instruction *instruction, bool *exits);
