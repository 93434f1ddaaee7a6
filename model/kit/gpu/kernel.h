/* What runs: kernels, their instruction streams, and the order of launches. Built by the
 * workloads, read by the CTA dispatcher and the SMs. A kernel is immutable during a run; what
 * changes is in each warp's cursor. */
#pragma once

#include "parts/sm/cta_spread.h"
#include "parts/sm/lane_steps.h"
#include "parts/texture/sampler.h"

/* A machine's warps have 32 lanes or 64. */
enum { LANES_MAX = 64, INSTRUCTION_SOURCES = 6, REGISTER_NONE = 255 };

typedef enum {
    OPERATION_ALU,
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_ATOMIC,
    OPERATION_BARRIER,
    OPERATION_FENCE,
    /* until the operands of the warp's stores and reductions have been read: what a compiler's
     * write-after-read barrier does */
    OPERATION_WAIT_STORES,
    /* sleeps until `base` cycles after the warp's start; if `stride` cycles (0: never) have passed
     * by then, the warp ends: a loop that looks at the clock, with a sleep in it */
    OPERATION_PACE,
    OPERATION_EXIT
} Operation;
enum { OPERATIONS = OPERATION_EXIT + 1 };
typedef enum {
    EXECUTE_FP32,
    EXECUTE_FP64,
    EXECUTE_SFU,
    EXECUTE_INT,
    EXECUTE_TEXTURE,
    EXECUTE_SHUFFLE, /* lanes have each other's registers: through the load/store units */
    EXECUTE_OTHER
} ExecutionUnit;
enum { EXECUTION_UNITS = EXECUTE_OTHER + 1 };
typedef enum { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONSTANT, SPACE_TEXTURE } Space;
/* .ca, .cg, .nc/.CI, .cs */
typedef enum { CACHE_ALL, CACHE_L2_ONLY, CACHE_READ_ONLY, CACHE_STREAMING } CacheHint;

/* What an atomic does with a 32-bit word; `operand` is its own. */
typedef enum {
    ATOMIC_ADD,
    ATOMIC_INC, /* + 1; from `operand` on: 0 */
    ATOMIC_MIN, /* unsigned, as MAX */
    ATOMIC_MAX,
    ATOMIC_EXCHANGE,
    ATOMIC_CAS, /* operand, where `compare` was found */
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_READ,
    ATOMIC_BLEND /* a pixel mixed with what is there: traffic only, no value is kept */
} AtomicOperation;
/* What an ATOMIC_READ waits for: it is repeated until its value compares so with `operand`. */
typedef enum {
    UNTIL_ANYTHING,
    UNTIL_EQUAL,
    UNTIL_OTHER,
    UNTIL_LESS,
    UNTIL_AT_MOST,
    UNTIL_GREATER,
    UNTIL_AT_LEAST
} Until;
/* Which part of a surface's tiles is of one colour, and which can be compressed 4:1 and 2:1;
 * percent. All 0: no surface. */
typedef struct {
    uint8_t constant, quarter, half;
} TileMix;

/* A texture and how it is sampled: immutable, the kernel's. */
typedef struct {
    Texture texture;
    TextureSampler sampler;
} TextureBinding;
typedef enum {
    SAMPLE_IMPLICIT, /* the level of detail follows from the quad: lanes 4k .. 4k + 3 */
    SAMPLE_LEVEL,    /* each lane says its level */
    SAMPLE_FETCH     /* texels by number, without filter, each lane with its level */
} SampleMode;
/* Of each lane. Of a quad with an active lane the others have coordinates, too. */
typedef struct {
    TexturePoint point[LANES_MAX];
    float level[LANES_MAX]; /* not of SAMPLE_IMPLICIT */
} SampleCoordinates;

/* What is asked when it ends comes first. */
typedef struct {
    /* SPACE_TEXTURE: what is sampled, at kernel->class->coordinates; NULL: at the addresses below,
     * as in traces */
    const TextureBinding *binding;
    uint8_t operation, unit, space, hint;
    uint8_t width;             /* bytes a lane */
    uint8_t repeat;            /* ALU: this many dependent instructions in a row, written as one */
    uint8_t destination;       /* first register written, REGISTER_NONE: none */
    uint8_t destination_count; /* consecutive registers written */
    uint8_t sources[INSTRUCTION_SOURCES]; /* registers read */
    uint8_t source_count;
    uint8_t sample_mode;
    /* of atomics */
    uint8_t atomic, until; /* AtomicOperation, Until */
    TileMix tiles;
    /* of loads and stores without a list: lanes of a row, less than a warp has, and a power of two
     * of four at least; 0: no rows */
    uint8_t row_lanes;
    uint64_t pc;
    uint32_t source_line; /* 0: unknown */
    uint32_t operand;     /* of atomics, and `compare` */
    uint64_t mask;        /* active lanes */
    uint64_t base;        /* address(lane) = base + lane x stride ... */
    int64_t stride;       /* bytes */
    /* ... or, when not NULL, one address for each active lane, lowest lane first */
    const uint64_t *addresses;
    uint32_t compare;
    union {
        int32_t operand_stride; /* of a lane: operand + lane x stride */
        int32_t row_stride;     /* ... or base + lane % row_lanes x stride + row x row_stride */
    };
} Instruction;

/* Addresses of one without a list. */
static inline LaneSteps instruction_steps(const Instruction *instruction)
{
    return (LaneSteps){.base = instruction->base,
                       .mask = instruction->mask,
                       .stride = instruction->stride,
                       .row_stride = instruction->row_stride,
                       .row_lanes = instruction->row_lanes};
}

/* Goes to the texture unit with coordinates. */
static inline bool instruction_samples(const Instruction *instruction)
{
    return instruction->binding != NULL;
}

static inline bool instruction_is_memory(const Instruction *instruction)
{
    return instruction->operation == OPERATION_LOAD || instruction->operation == OPERATION_STORE
           || instruction->operation == OPERATION_ATOMIC;
}

/* A store, or an atomic without result (a reduction): nothing comes back for a register. */
static inline bool instruction_has_no_result(const Instruction *instruction)
{
    return instruction->operation == OPERATION_STORE
           || (instruction->operation == OPERATION_ATOMIC && !instruction->destination_count);
}

typedef struct Kernel Kernel;

/* Where a warp is in its stream. What few streams use comes first, so that the rest may lie with
 * what else is touched of a warp. */
typedef struct {
    uint64_t *addresses;  /* room for the last instruction's list, of LANES_MAX; few have one */
    uint64_t scratch[12]; /* the generator's; anything until the first fetch */
    uint64_t cta;         /* linear index in the grid */
    uint64_t position;    /* instructions fetched so far */
    /* What the CTA dispatcher obtained from kernel->open_cta, or NULL; the kernel's own from the
     * first fetch on. */
    const void *stream;
    uint32_t warp; /* in the CTA */
} WarpCursor;

typedef struct {
    /* Writes the next instruction of the warp and advances the cursor. A pure function of
     * kernel, CTA, warp and position. The last instruction of every warp is OPERATION_EXIT;
     * `addresses` stays valid until the next fetch of the same warp. */
    void (*fetch)(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction);
    /* NULL: no instruction has a binding. Where the instruction samples, which is the last one that
     * was fetched with this cursor. */
    void (*coordinates)(const Kernel *kernel, const WarpCursor *cursor,
                        const Instruction *instruction, SampleCoordinates *at);
    /* NULL for generators. Streams (traces): the next CTA to launch, in launch order. Sets *cta
     * and returns its block; NULL without error at the end, NULL with error when the trace is
     * broken (message with file:line). Called by the dispatcher only. */
    void *(*open_cta)(Kernel *kernel, uint64_t *cta, GError **error);
    void (*close_cta)(Kernel *kernel, void *stream); /* the CTA has completed */
    void (*free)(Kernel *kernel);
} KernelClass;

/* A figure of what the kernel does, for whoever checks or runs the scenario: "quads", 1024. */
typedef struct {
    const char *name;
    double value;
} KernelFact;

/* What stands in a kernel's input and is left out or changed. */
typedef enum { NOTE_WARNING, NOTE_OPCODE } NoteKind;
typedef struct {
    NoteKind kind;
    char *name;     /* a warning's whole text; else what it is called there */
    uint64_t count; /* how often, as far as the input has been read */
} KernelNote;

struct Kernel {
    const KernelClass *class;
    char *name;
    char *origin;    /* the scenario's group or the file that describes it; NULL: nobody knows */
    uint32_t number; /* set by the list: of those of one name, the first one's in it */
    uint64_t ctas;
    uint32_t threads_per_cta; /* warps = ceil(threads / lanes) */
    uint32_t warp_lanes;      /* as the machine's */
    uint32_t registers_per_thread;
    uint64_t shared_bytes_per_cta;
    /* what the benchmark would count, for "counted bandwidth"; 0: not defined */
    uint64_t counted_bytes;
    bool counts_requested; /* they are what lanes ask for, and say nothing more */
    uint64_t footprint;    /* bytes of global memory for its arrays; 0: unknown, as a trace's */
    uint64_t placed; /* bytes of arrays at addresses of the program's choice, perhaps sparse */
    uint64_t dependent_loads; /* loads of one chain, for "cycles per load"; 0: not a chase */
    uint32_t probe_warps;     /* of CTA 0, the first so many: they measure the latency of a load */
    uint64_t spill_loads, spill_stores; /* of a thread, where its registers did not suffice */
    const struct Traffic *traffic;      /* kit/traffic/traffic.h: no kernel at all; NULL: it is */
    const KernelFact *facts;            /* that only this pattern has; its own */
    uint32_t fact_count;
    GPtrArray *notes; /* of KernelNote, in the order in which they were found; NULL: none */
};

static inline uint32_t kernel_warps(const Kernel *kernel)
{
    return (kernel->threads_per_cta + kernel->warp_lanes - 1) / kernel->warp_lanes;
}

/* Whether the latency of the warp's loads is measured apart. */
static inline bool kernel_times_warp(const Kernel *kernel, uint64_t cta, uint32_t warp)
{
    return kernel->dependent_loads ? warp == 0 : cta == 0 && warp < kernel->probe_warps;
}

/* The value of a fact; NAN: the kernel has none of that name. */
double kernel_fact(const Kernel *kernel, const char *name);

/* The lowest `count` lanes; all for more than there can be. */
static inline uint64_t lowest_lanes(uint64_t count)
{
    return count >= LANES_MAX ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static inline uint32_t count_lanes(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* Active lanes of a warp, the last one of a CTA may be partial. */
static inline uint64_t kernel_lane_mask(const Kernel *kernel, uint32_t warp)
{
    const uint32_t rest = kernel->threads_per_cta - warp * kernel->warp_lanes;
    return lowest_lanes(MIN(rest, kernel->warp_lanes));
}

/* L2 as it was left; kept but written back; empty */
typedef enum { CACHES_DIRTY, CACHES_WARM, CACHES_COLD } CacheState;

typedef struct {
    /* host-to-device copy before the launch: the bytes are in L2 afterwards */
    uint64_t address, bytes;
} MemoryCopy;

/* What the host did between launches, as a recorded list has it. */
typedef enum { COMMAND_COPY_TO_DEVICE, COMMAND_COPY_TO_HOST, COMMAND_OTHER } CommandKind;
typedef struct {
    CommandKind kind;
    guint before;     /* index of the launch behind it; as many as there are: behind the last */
    const char *name; /* as the list calls it; interned */
    uint64_t bytes;   /* of copies */
} HostCommand;

typedef struct {
    Kernel *kernel;  /* owned by the list, may stand in several launches */
    bool measured;   /* inside the region of interest */
    bool prepares;   /* brings caches into the state in which the pattern is measured; never is */
    bool keep_l1;    /* L1 is not invalidated at the kernel's start */
    bool concurrent; /* starts together with the launch before it */
    CacheState caches;
    const MemoryCopy *copies;
    uint32_t copy_count;
    uint32_t number; /* in the list as it was written, from 1 on */
    uint64_t stream; /* of a recorded list; 0: the one that waits for all others */
    /* set by the machine: how an SM's first-level memory is divided while the kernel runs, bytes,
     * and what shared memory could have had at most */
    uint64_t shared_carve_out, l1_capacity, shared_most;
} Launch;

/* An array of global memory, or of textures, by the name that the workload gives it. */
typedef struct {
    char *name;
    uint64_t address, bytes; /* virtual */
} MemoryArray;

typedef struct {
    GArray *launches; /* of Launch */
    guint total;      /* launches of the list as it was written: of these some may not run */
    bool in_place;    /* those before the ones that were asked for run, too, and are not measured */
    GPtrArray *kernels; /* of Kernel, owned */
    GHashTable *named;  /* name -> the first kernel of that name */
    GArray *copies;     /* of MemoryCopy; launches point into it once it is complete */
    GArray *commands;   /* of HostCommand, in order */
    GArray *arrays;     /* of MemoryArray: what kernels read and write, as far as it is known */
} LaunchList;

/* When a launch ran: first CTA sent out, last CTA known to be complete, and all that it has stored
 * and reduced known to be acknowledged; fs. */
typedef struct {
    uint64_t start, issued, end;
    CtaSpread spread; /* from `start` to `end` */
} LaunchRecord;

LaunchList *launch_list_new(void);
void launch_list_free(LaunchList *list);
/* Takes the kernel over and numbers it: launches of one kernel may be kernels of their own, as in a
 * trace, and those have one name and one number. */
void launch_list_add_kernel(LaunchList *list, Kernel *kernel);
/* All kernels of `from` become those of `to`. */
void launch_list_move_kernels(LaunchList *to, LaunchList *from);
/* Of kernels that share an array, the first one's name stays. */
void launch_list_add_array(LaunchList *list, const char *name, uint64_t address, uint64_t bytes);
static inline Launch *launch_list_at(const LaunchList *list, guint index)
{
    return &g_array_index(list->launches, Launch, index);
}

/* Launches that start together with this one, itself included. */
guint launch_list_together(const LaunchList *list, guint first);

/* How many launches are measured. */
guint launch_list_measured(const LaunchList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LaunchList, launch_list_free)

/* Counts it; a few kinds and names, that are searched. */
void kernel_note(Kernel *kernel, NoteKind kind, const char *name);

/* A machine has no room for it; "ORIGIN: reason". */
#define KERNEL_ERROR (g_quark_from_static_string("warpmem-kernel"))
enum {
    KERNEL_TOO_LARGE, /* for memory */
    KERNEL_TOO_MANY_THREADS,
    KERNEL_TOO_MANY_REGISTERS,
    KERNEL_TOO_MUCH_SHARED_MEMORY
};
/* Returns false. */
bool kernel_reject(const Kernel *kernel, GError **error, int code, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Frees name, notes and object through kernel->class->free. */
void kernel_free(Kernel *kernel);
