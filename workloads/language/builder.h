/* From syntax to operations: what names mean, what expressions amount to, which instructions
 * statements become. Registers are virtual until registers_assign. */
#pragma once

#include "workloads/generator.h"
#include "workloads/language/code.h"
#include "workloads/language/syntax.h"

enum {
    SCRATCH_WORDS = G_N_ELEMENTS(((WarpCursor *)0)->scratch),
    VIRTUAL_NONE = UINT32_MAX,
    DIMENSIONS = 3,
    STEPS_MAX = 1 << 16
};

/* Virtual registers; more than fit into an instruction are an error of its own. */
typedef struct {
    uint32_t count, id[INSTRUCTION_SOURCES];
} RegisterSet;

/* What an expression amounts to, and the registers from which the warp has it. */
typedef struct {
    const Form *form; /* NULL: not known, or an error */
    RegisterSet used;
} Number;

typedef struct {
    const char *name;
    Space space;
    int64_t element, extent[DIMENSIONS], elements, base;
    uint32_t dimensions;
    bool read_only;
    TileMix tiles;
    ContentKind content_kind;
    const Expression *content;
    uint64_t salt;
} Array;

typedef enum {
    SYMBOL_NUMBER,
    SYMBOL_ARRAY,
    SYMBOL_TEXTURE,
    SYMBOL_VARIABLE,
    SYMBOL_REGISTERS
} SymbolKind;

/* A pointer that walks through an array: start, then along it as often as the slot's word and
 * `updates` say. */
typedef struct {
    const Array *array; /* NULL: it does not */
    const Form *start;
    uint32_t slot;
    int64_t updates;
} Chase;

typedef struct {
    SymbolKind kind;
    const char *name;
    Number number;       /* of a variable: its value, if known */
    const char *unknown; /* why it is not */
    const Array *array;
    const TextureBinding *texture;
    uint32_t reg, words, count; /* virtual register of a variable, the first of `count` */
    Chase chase;
} Symbol;

typedef struct {
    Op op;
    const char *at;
    uint32_t result; /* virtual register or VIRTUAL_NONE */
    RegisterSet sources;
    double executions; /* by a warp, at most */
    bool spill;
} Step;

typedef struct {
    uint32_t words;
    bool reload; /* lives for one instruction: not to be spilled again */
} VirtualRegister;

typedef struct {
    const ProgramSource *source; /* of the expression or statement at hand */
    FormPool *pool;
    uint64_t seed;
    int64_t ctas, threads;
    GArray *symbols, *steps, *registers; /* of Symbol, Step, VirtualRegister */
    GPtrArray *loop_variables;           /* of Form: what random() varies with */
    const Form *content_index;           /* not NULL: inside an array's content */
    GArray *bytes;                       /* end of each space so far, of int64_t */
    LaunchList *list;                    /* which is told of arrays of the global space */
    uint64_t global_bytes, placed_bytes; /* of arrays of the global space; placed: with `at` */
    uint32_t slots_in_use, chases, labels;
    bool samples; /* some step does */
    uint32_t warp_lanes;
    uint32_t mask_slot; /* of the block at hand */
    uint64_t lanes;
    bool guarded;  /* inside an `if` */
    bool per_warp; /* inside an `if` that depends on the warp */
    double executions;
    int64_t pressure;
    GError **error;
} Builder;

/* --- names and numbers ------------------------------------------------------------------------ */

G_GNUC_PRINTF(3, 4)
bool builder_reject(const Builder *builder, const char *at, const char *format, ...);

/* Symbols stay where they are only until the next one is declared. */
Symbol *builder_find(const Builder *builder, const char *name);
Symbol *builder_declare(Builder *builder, const Symbol *symbol);
bool builder_declare_number(Builder *builder, const char *at, const char *name, Number number);
void builder_declare_builtins(Builder *builder);
/* Says which name the unknown one is near. */
bool builder_reject_name(const Builder *builder, const char *at, const char *name);

/* form is NULL after an error. */
Number builder_number(Builder *builder, const Expression *expression);
/* A number that is the same for all warps and iterations, from `low` to `high`. */
bool builder_constant(Builder *builder, const Expression *expression, int64_t low, int64_t high,
                      int64_t *value);
void register_set_add(RegisterSet *set, uint32_t id);

/* --- arrays ----------------------------------------------------------------------------------- */

bool builder_declare_array(Builder *builder, const Statement *statement);
/* Where something of the global space that the statement declares may begin, a multiple of
 * `alignment` unless the statement says where; and that it takes so many bytes there. */
bool builder_next_address(Builder *builder, const Statement *statement, int64_t alignment,
                          int64_t *address);
void builder_take_space(Builder *builder, const Statement *statement, int64_t address,
                        int64_t bytes);
bool builder_declare_texture(Builder *builder, const Statement *statement);
/* The element that the indices name, counted from the array's first; wrapped around where it
 * cannot be told that it lies inside. */
Number builder_element(Builder *builder, const Array *array, const Statement *statement);
/* What the element holds; NULL when nobody said. */
const Form *array_content(Builder *builder, const Array *array, const Form *element);
/* What is found `steps` elements along, beginning at `start`; NULL: the array cannot be followed.
 */
const Form *array_follow(Builder *builder, const Array *array, const Form *start,
                         const Form *steps);

/* --- steps ------------------------------------------------------------------------------------ */

Step *builder_append(Builder *builder, const char *at, OpKind kind);
uint32_t builder_new_register(Builder *builder, uint32_t words, bool reload);

bool lower_assign(Builder *builder, const Statement *statement);
/* The instruction writes `words` registers of the target, from *id on. */
Symbol *builder_write_target(Builder *builder, const Statement *statement, uint32_t words,
                             uint32_t *id);
bool lower_sample(Builder *builder, const Statement *statement);
bool lower_access(Builder *builder, const Statement *statement);
/* What an atomic of `step` does, and what a `wait` waits for. */
bool lower_atomic(Builder *builder, const Statement *statement, const Array *array, Step *step);
/* Of a surface's declaration. */
bool builder_tile_mix(Builder *builder, const Statement *statement, TileMix *mix);
bool lower_compute(Builder *builder, const Statement *statement);
bool lower_block(Builder *builder, const GPtrArray *statements);

/* Before a loop: what is assigned in it is no longer known by its value, except pointers that can
 * be followed. */
bool chases_enter_loop(Builder *builder, const GPtrArray *body);
/* Around an `if` that depends on the lane or not. */
bool chases_enter_condition(Builder *builder, const Statement *statement, bool lanes);
void chases_leave_condition(Builder *builder, const Statement *statement);
void symbol_forget(Symbol *symbol, const char *why);
/* At the end of such a block: the cursor learns how far the pointers came. */
void chases_flush(Builder *builder, const char *at);
/* The value of a followed pointer now. */
void chase_refresh(Builder *builder, Symbol *symbol);

/* Does the statement, or one inside it, mention the name? */
bool statement_mentions(const Statement *statement, const char *name);

/* --- registers -------------------------------------------------------------------------------- */

typedef struct {
    uint32_t limit;                   /* registers a thread; 0: as many as are needed */
    uint32_t needed;                  /* out: used */
    double spill_loads, spill_stores; /* out: of a thread */
} RegisterPlan;

/* Gives the steps their registers, with code that spills what does not fit. */
bool registers_assign(Builder *builder, RegisterPlan *plan);
