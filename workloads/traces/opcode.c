#include "workloads/traces/opcode.h"

#include <string.h>

typedef struct {
    const char *name;
    uint8_t operation, space;
    bool generic;
} MemoryRow;

/* LDGSTS is its global load; of the other line the address tells. TXQ asks for a texture's
 * properties through the same pipeline. */
static const MemoryRow memory_rows[] = {
    {"LDG", OPERATION_LOAD, SPACE_GLOBAL, false},
    {"STG", OPERATION_STORE, SPACE_GLOBAL, false},
    {"LDGSTS", OPERATION_LOAD, SPACE_GLOBAL, false},
    {"LD", OPERATION_LOAD, SPACE_GLOBAL, true},
    {"ST", OPERATION_STORE, SPACE_GLOBAL, true},
    {"LDS", OPERATION_LOAD, SPACE_SHARED, false},
    {"LDSM", OPERATION_LOAD, SPACE_SHARED, false},
    {"STS", OPERATION_STORE, SPACE_SHARED, false},
    {"STSM", OPERATION_STORE, SPACE_SHARED, false},
    {"LDL", OPERATION_LOAD, SPACE_LOCAL, false},
    {"STL", OPERATION_STORE, SPACE_LOCAL, false},
    {"LDC", OPERATION_LOAD, SPACE_CONSTANT, false},
    {"TEX", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TEXS", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TLD", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TLDS", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TLD4", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TLD4S", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TXD", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"TXQ", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"SULD", OPERATION_LOAD, SPACE_TEXTURE, false},
    {"SUST", OPERATION_STORE, SPACE_TEXTURE, false},
    {"ATOM", OPERATION_ATOMIC, SPACE_GLOBAL, true},
    {"ATOMG", OPERATION_ATOMIC, SPACE_GLOBAL, false},
    {"RED", OPERATION_ATOMIC, SPACE_GLOBAL, true},
    {"REDG", OPERATION_ATOMIC, SPACE_GLOBAL, false},
    {"ATOMS", OPERATION_ATOMIC, SPACE_SHARED, false},
    {"SUATOM", OPERATION_ATOMIC, SPACE_TEXTURE, false},
    {"SURED", OPERATION_ATOMIC, SPACE_TEXTURE, false},
};

typedef struct {
    const char *prefix;
    uint8_t unit;
} FamilyRow;

/* The first prefix that fits decides. Conversions, counts and reversals run on the special
 * function unit. Shuffles have 32 lanes a cycle of an SM (CUDA C++ Programming Guide, throughput of
 * native arithmetic instructions); of MOVM it is assumed. */
static const FamilyRow families[] = {
    {"DEPBAR", EXECUTE_OTHER}, {"DADD", EXECUTE_FP64},    {"DMUL", EXECUTE_FP64},
    {"DFMA", EXECUTE_FP64},    {"DSET", EXECUTE_FP64},    {"DMNMX", EXECUTE_FP64},
    {"MUFU", EXECUTE_SFU},     {"RRO", EXECUTE_SFU},      {"F2", EXECUTE_SFU},
    {"I2", EXECUTE_SFU},       {"FRND", EXECUTE_SFU},     {"POPC", EXECUTE_SFU},
    {"FLO", EXECUTE_SFU},      {"BREV", EXECUTE_SFU},     {"FADD", EXECUTE_FP32},
    {"FMUL", EXECUTE_FP32},    {"FFMA", EXECUTE_FP32},    {"FSET", EXECUTE_FP32},
    {"FSEL", EXECUTE_FP32},    {"FMNMX", EXECUTE_FP32},   {"FCMP", EXECUTE_FP32},
    {"FCHK", EXECUTE_FP32},    {"FSWZ", EXECUTE_FP32},    {"HADD2", EXECUTE_FP32},
    {"HMUL2", EXECUTE_FP32},   {"HFMA2", EXECUTE_FP32},   {"HSET2", EXECUTE_FP32},
    {"HSETP2", EXECUTE_FP32},  {"HMNMX2", EXECUTE_FP32},  {"IMMA", EXECUTE_OTHER},
    {"IADD", EXECUTE_INT},     {"IMAD", EXECUTE_INT},     {"IMUL", EXECUTE_INT},
    {"ISET", EXECUTE_INT},     {"ISCADD", EXECUTE_INT},   {"IMNMX", EXECUTE_INT},
    {"IABS", EXECUTE_INT},     {"IDP", EXECUTE_INT},      {"ICMP", EXECUTE_INT},
    {"XMAD", EXECUTE_INT},     {"LOP", EXECUTE_INT},      {"LEA", EXECUTE_INT},
    {"SHFL", EXECUTE_SHUFFLE}, {"MOVM", EXECUTE_SHUFFLE}, {"SHF", EXECUTE_INT},
    {"SHL", EXECUTE_INT},      {"SHR", EXECUTE_INT},      {"BFE", EXECUTE_INT},
    {"BFI", EXECUTE_INT},      {"BMSK", EXECUTE_INT},     {"SGXT", EXECUTE_INT},
    {"PRMT", EXECUTE_INT},     {"SEL", EXECUTE_INT},      {"MOV", EXECUTE_INT},
    {"PLOP", EXECUTE_INT},     {"PSET", EXECUTE_INT},     {"VABSDIFF", EXECUTE_INT},
    {"VIADD", EXECUTE_INT},    {"VIMNMX", EXECUTE_INT},
};

/* Whole names: control, moves between register files, multiplications of matrices in registers.
 * LDGDEPBAR is not among them: nobody waits for copies to shared memory. */
static const char *const others[] = {
    "BAR",           "BMMA",        "BMOV",       "BPT",    "BRA",         "BREAK",     "BRK",
    "BRX",           "BRXU",        "BSSY",       "BSYNC",  "B2R",         "CAL",       "CALL",
    "CCTL",          "CCTLL",       "CCTLT",      "CONT",   "CS2R",        "DMMA",      "ELECT",
    "ENDCOLLECTIVE", "ERRBAR",      "EXIT",       "FENCE",  "GETLMEMBASE", "HMMA",      "IDE",
    "JCAL",          "JMP",         "JMX",        "JMXU",   "KILL",        "LEPC",      "LONGJMP",
    "MATCH",         "MEMBAR",      "NANOSLEEP",  "NOP",    "P2R",         "PBK",       "PCNT",
    "PLONGJMP",      "PMTRIG",      "PRET",       "QMMA",   "QSPC",        "R2B",       "R2P",
    "R2UR",          "REDUX",       "RET",        "RPCMOV", "RTT",         "S2R",       "S2UR",
    "SETCTAID",      "SETLMEMBASE", "SSY",        "SYNC",   "TMML",        "UCLEA",     "ULDC",
    "UP2UR",         "UR2UP",       "USETMAXREG", "VOTE",   "VOTEU",       "WARPGROUP", "WARPSYNC",
    "YIELD"};

/* --- suffixes --------------------------------------------------------------------------------- */

typedef struct {
    const char *at, *end; /* what follows the present suffix */
    const char *text;
    size_t length;
} Suffixes;

static bool suffix_next(Suffixes *s)
{
    if (s->at >= s->end) return false;
    s->text = s->at + 1; /* behind the dot */
    const char *dot = memchr(s->text, '.', (size_t)(s->end - s->text));
    s->at = dot ? dot : s->end;
    s->length = (size_t)(s->at - s->text);
    return true;
}

static bool suffix_is(const Suffixes *s, const char *name)
{
    return s->length == strlen(name) && !memcmp(s->text, name, s->length);
}

/* The bits that a suffix such as 64, U8, S16 or F32 names; 0 for any other. */
static uint32_t suffix_bits(const Suffixes *s)
{
    const char *p = s->text, *end = s->text + s->length;
    uint32_t bits = 0;
    if (p < end && strchr("USFB", *p)) p++;
    if (end - p < 1 || end - p > 3) return 0;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9') return 0;
        bits = bits * 10 + (uint32_t)(*p - '0');
    }
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits : 0;
}

/* `.STRONG.GPU` and `.STRONG.SYS` must see other SMs' writes, so L1 cannot serve them; `.SYS`
 * alone is an ordinary access. `.BYPASS` is cp.async.cg's. */
static uint8_t read_hint(const Suffixes *s, bool strong, uint8_t before)
{
    if (suffix_is(s, "CG") || suffix_is(s, "CV") || suffix_is(s, "BYPASS")) return CACHE_L2_ONLY;
    if (strong && (suffix_is(s, "GPU") || suffix_is(s, "SYS"))) return CACHE_L2_ONLY;
    if (suffix_is(s, "CI") || suffix_is(s, "CONSTANT")) return CACHE_READ_ONLY;
    if (suffix_is(s, "CS") || suffix_is(s, "EF")) return CACHE_STREAMING;
    return before;
}

/* --- opcodes ---------------------------------------------------------------------------------- */

static bool base_is(const char *name, size_t length, const char *base)
{
    return length == strlen(base) && !memcmp(name, base, length);
}

/* LDSM and STSM move rows of 16 B, eight a matrix, whose addresses the first lanes have (PTX ISA,
 * ldmatrix); `.2` and `.4` are matrices, each a register. */
static void finish_matrix_access(TraceOpcode *opcode, Suffixes suffixes)
{
    opcode->width = 16;
    opcode->destinations = 1;
    while (suffix_next(&suffixes)) {
        if (suffix_is(&suffixes, "2")) opcode->destinations = 2;
        if (suffix_is(&suffixes, "4")) opcode->destinations = 4;
    }
    opcode->lanes = UINT32_MAX >> (32 - 8 * opcode->destinations);
}

/* ATOM, ATOMG and SHFL name a predicate first. A tracer takes only a first operand for what is
 * written, so that their result is the first source of its line. */
static TraceOpcode parse_memory(const MemoryRow *row, const Suffixes *all)
{
    TraceOpcode opcode = {.lanes = UINT32_MAX,
                          .operation = row->operation,
                          .unit = EXECUTE_OTHER,
                          .space = row->space,
                          .hint = CACHE_ALL,
                          .width = 4,
                          .generic = row->generic};
    bool strong = false;
    for (Suffixes s = *all; suffix_next(&s);) {
        const uint32_t bits = suffix_bits(&s);
        if (bits) opcode.width = (uint8_t)(bits / 8);
        if (suffix_is(&s, "E") && row->space == SPACE_GLOBAL) opcode.wide_address = true;
        strong = strong || suffix_is(&s, "STRONG");
        opcode.hint = read_hint(&s, strong, opcode.hint);
    }
    opcode.destinations = opcode.width > 4 ? opcode.width / 4 : 1;
    opcode.copies = !strcmp(row->name, "LDGSTS");
    if (!strcmp(row->name, "ATOM") || !strcmp(row->name, "ATOMG")) opcode.result_among = 3;
    if (!strcmp(row->name, "LDSM") || !strcmp(row->name, "STSM"))
        finish_matrix_access(&opcode, *all);
    return opcode;
}

/* NULL: there is none. */
static const FamilyRow *find_family(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        const size_t n = strlen(families[i].prefix);
        if (n <= length && !memcmp(name, families[i].prefix, n)) return &families[i];
    }
    return NULL;
}

/* Without a family. The uniform datapath's instructions are called as the others, with a U before:
 * what it does once for a warp takes no lane of an execution unit. */
static bool is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (base_is(name, length, others[i])) return true;
    return length > 1 && *name == 'U' && find_family(name + 1, length - 1);
}

static bool is_barrier(const char *name, size_t length, Suffixes suffixes)
{
    if (!base_is(name, length, "BAR")) return false;
    return !suffix_next(&suffixes) || !suffix_is(&suffixes, "ARV"); /* which does not wait */
}

/* Copies of whole tiles by the tensor memory accelerator: their lines have columns of their own. */
static bool is_bulk(const char *name, size_t length)
{
    return length > 4 && (!memcmp(name, "UTMA", 4) || !memcmp(name, "UBLK", 4));
}

/* HGMMA, IGMMA, ...: multiplications by four warps together, which come in groups. */
static bool is_group_matrix(const char *name, size_t length)
{
    return length > 4 && !memcmp(name + length - 4, "GMMA", 4);
}

TraceOpcode trace_opcode_parse(const char *name, size_t length)
{
    const char *dot = memchr(name, '.', length);
    const size_t base = dot ? (size_t)(dot - name) : length;
    const Suffixes suffixes = {.at = name + base, .end = name + length};
    for (size_t i = 0; i < sizeof(memory_rows) / sizeof(memory_rows[0]); i++)
        if (base_is(name, base, memory_rows[i].name))
            return parse_memory(&memory_rows[i], &suffixes);
    const FamilyRow *family = find_family(name, base);
    TraceOpcode opcode = {.operation = OPERATION_ALU,
                          .unit = family ? family->unit : EXECUTE_OTHER,
                          .destinations = 1};
    opcode.unknown = !family && !is_known(name, base);
    opcode.bulk = is_bulk(name, base);
    opcode.groups = is_group_matrix(name, base);
    if (opcode.unit == EXECUTE_FP64) opcode.pairs = true;
    for (Suffixes s = suffixes; suffix_next(&s);)
        if (suffix_is(&s, "WIDE")) opcode.destinations = 2;
    if (opcode.pairs) opcode.destinations = 2;
    if (is_barrier(name, base, suffixes)) opcode.operation = OPERATION_BARRIER;
    if (base_is(name, base, "MEMBAR")) opcode.operation = OPERATION_FENCE;
    if (base_is(name, base, "SHFL")) opcode.result_among = 2;
    opcode.exits = base_is(name, base, "EXIT");
    return opcode;
}

/* --- registers -------------------------------------------------------------------------------- */

static void set_destination(Instruction *out, const uint32_t *registers, int64_t count,
                            const TraceOpcode *opcode)
{
    out->destination = count ? (uint8_t)registers[0] : REGISTER_NONE;
    if (out->destination == REGISTER_NONE) return;
    uint32_t listed = 1;
    while (listed < count && registers[listed] == registers[0] + listed) listed++;
    const uint32_t wanted = MAX(listed, opcode->destinations);
    out->destination_count = (uint8_t)MIN(wanted, REGISTER_NONE - registers[0]);
}

static void add_source(Instruction *out, uint32_t first, uint32_t count)
{
    for (uint32_t r = first; r < first + count && r < REGISTER_NONE; r++)
        if (out->source_count < INSTRUCTION_SOURCES) out->sources[out->source_count++] = (uint8_t)r;
}

/* A memory operation names its address first, then its data. */
static void set_sources(Instruction *out, const uint32_t *registers, int64_t count,
                        const TraceOpcode *opcode)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t wide = opcode->pairs ? 2 : 1;
        if (opcode->width) wide = i ? MAX(1u, opcode->width / 4u) : 1u + opcode->wide_address;
        add_source(out, registers[i], wide);
    }
}

void trace_opcode_set_registers(const TraceOpcode *opcode, const TraceRegisters *destinations,
                                const TraceRegisters *sources, Instruction *out)
{
    const bool first =
        opcode->result_among && !destinations->count && sources->count >= opcode->result_among;
    if (first)
        set_destination(out, sources->number, 1, opcode);
    else
        set_destination(out, destinations->number, destinations->count, opcode);
    set_sources(out, sources->number + first, sources->count - first, opcode);
}
