/* A program as it runs: a list of operations, of which EMIT gives an instruction and the others
 * move the warp's place and its loop variables. The cursor's scratch holds the place in word 0
 * and in the other words loop variables, lane masks of conditions, and how far a pointer chase has
 * come; what is left of it, sums that are the same for all of a warp's instructions. */
#pragma once

#include "workloads/language/form.h"

enum { PC_STEP = 0x10 };

/* Where an instruction samples: values times units, in texels and levels. */
typedef struct {
    const Form *coordinate[3], *level; /* level: NULL, 0 or implicit */
    uint32_t count;
    float unit[3], level_unit;
} ProgramSample;

typedef enum {
    OP_EMIT,   /* `count` times; address: `form`, or none */
    OP_SET,    /* slot = form */
    OP_ADD,    /* slot += amount */
    OP_NEXT,   /* slot += amount; to `target` while slot < form */
    OP_UNLESS, /* to `target` unless form */
    OP_SPLIT,  /* slot = lanes for which form holds; none: to `target` */
    OP_OTHERS, /* slot = the other active lanes; none: to `target` */
    OP_JUMP,
    OP_LABEL /* only while a program is built */
} OpKind;

typedef struct {
    OpKind kind;
    uint32_t slot;
    uint32_t mask_slot; /* 0: all lanes of the warp */
    uint64_t lanes;     /* of these, those of `lanes` */
    uint32_t target, count;
    int64_t amount;
    /* EMIT: each lane's address, for they are not at equal steps; else the word of the scratch that
     * has the fixed terms' sum, or 0 */
    bool listed;
    uint8_t kept;
    const Form *form, *operand;  /* of an atomic, or NULL */
    const ProgramSample *sample; /* or NULL */
    Instruction instruction;
} Op;

enum { KEPT_MOST = 8 };

/* A sum that a warp computes once. */
typedef struct {
    const Form *sum;
    uint32_t word; /* of the scratch */
} KeptSum;

typedef struct {
    Kernel kernel;
    FormPool *pool;
    Op *ops; /* the last one emits OPERATION_EXIT */
    KeptSum kept[KEPT_MOST];
    uint32_t kept_count;
} ProgramKernel;

/* Without and with textures. */
extern const KernelClass program_kernel_class, program_sampling_kernel_class;

void program_sample_prepare(FormPool *pool, const ProgramSample *sample);
void program_coordinates(const Kernel *kernel, const WarpCursor *cursor,
                         const Instruction *instruction, SampleCoordinates *at);
