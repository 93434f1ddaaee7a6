/* What docs/inside/validation.md says of the slices of an H100's L2 was measured with this: atomics,
 * stores and loads of all SMs, and which slice a line is in. Each prints lines of "what, size, value". It
 * is not built with the project:
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o slices slices.cu
 *   ./slices counters && ./slices lanes && ./slices pieces && ./slices part && ./slices map */
#include "common.cuh"

/* --- atomics ---------------------------------------------------------------------------------- */

/* Blocks of 64 threads add to counters: each block to its own, `distance` bytes from the next one's, or
 * lane by lane to one of `lines` lines without order. */
__global__ void add_all(uint32_t *counters, long distance, uint32_t lines, int rounds)
{
    uint32_t *at = counters + blockIdx.x * distance / 4;
    uint32_t state = (blockIdx.x * 2 + threadIdx.x / 32 + 1) * 2654435761u;
    for (int i = 0; i < rounds; i++) {
        if (lines) {
            state = state * 1664525 + 1013904223;
            at = counters + ((state >> 8) % lines) * 32 + threadIdx.x % 32;
        }
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
    }
}

static void run_counters(long)
{
    const int blocks = 800, rounds = 256;
    uint32_t *counters = reserve<uint32_t>(16 << 20);
    const auto run = [&](const char *name, long distance, uint32_t lines) {
        const auto times =
            timed(9, [&] { add_all<<<blocks, 64>>>(counters, distance, lines, rounds); });
        printf("counters %s, %ld, %.2f\n", name, distance,
               4.0 * blocks * 64 * rounds / times[4] / 1e6);
    };
    for (long distance : {0, 4, 128, 4096}) run("distance", distance, 0);
    run("lines 2048", 0, 2048);
    run("lines 65536", 0, 65536);
}

/* Blocks of one warp whose lanes are side by side, `same` of them on a word; each block in one of `lines`. */
__global__ void add_lanes(uint32_t *memory, int lanes, int same, int lines, int rounds)
{
    uint32_t *at = memory + blockIdx.x % lines * 1024 + threadIdx.x / same;
    if ((int)threadIdx.x < lanes)
        for (int i = 0; i < rounds; i++)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
}

static void run_lanes(long)
{
    const int blocks = 1056, rounds = 1024;
    uint32_t *memory = reserve<uint32_t>(16 << 20);
    for (int lines : {1, 32, 1056})
        for (int same : {1, 4, 32})
            for (int lanes : {1, 2, 4, 8, 16, 32}) {
                const auto times = timed(
                    5, [&] { add_lanes<<<blocks, 32>>>(memory, lanes, same, lines, rounds); });
                printf("lanes %d; %d on a word; %d lines, %.4f\n", lanes, same, lines,
                       1e-6 * blocks * rounds / times[2]);
            }
}

/* --- stores, atomics and loads without order --------------------------------------------------- */

enum { STORE, REDUCE, LOAD };

/* Warps of the SMs first, first + step, ... below `end` go to `bytes` of memory without order, an aligned
 * piece of `piece` lanes of 4 bytes at a time. */
template <int KIND>
__global__ void pieces(uint32_t *memory, uint32_t bytes, int piece, int rounds, int step, int end,
                       uint32_t *out)
{
    const int sm = this_sm();
    if (sm % step || sm >= end) return;
    const uint32_t lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    uint32_t state = (warp * 32 + lane / piece + 1) * 2654435761u, sum = 0;
    for (int i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
        const uint32_t mixed = (state ^ state >> 15) * 2246822519u >> 3;
        uint32_t *at = memory + mixed % (bytes / 4 / piece) * piece + lane % piece;
        if (KIND == STORE) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
        if (KIND == REDUCE)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
        if (KIND == LOAD) {
            uint32_t value;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
            sum += value;
        }
    }
    if (sum == 12345) *out = sum;
}

template <int KIND> static void run_pieces_of(const char *name)
{
    uint32_t *memory = reserve<uint32_t>(64 << 20);
    for (uint32_t kib : {1, 4, 8, 64, 1024, 16384})
        for (int piece = 1; piece <= 32; piece *= 2) {
            const int blocks = sms * 8, rounds = KIND == REDUCE ? 64 : 256;
            const auto times = timed(5, [&] {
                pieces<KIND><<<blocks, 256>>>(memory, kib << 10, piece, rounds, 1, sms, memory);
            });
            printf("pieces %s %u KiB, %d, %.2f\n", name, kib, piece,
                   1e-6 * blocks * 256 * rounds / times[2]);
        }
}

/* One block of 1024 threads an SM; 1e9 pieces a second of each. */
template <int KIND> static void run_part_of(const char *name)
{
    const struct {
        int step, end;
    } sets[] = {{1, 1},  {1, 2},  {2, 4},  {1, 4},   {1, 6},  {1, 16},
                {2, 16}, {1, 18}, {1, 32}, {2, 132}, {1, 132}};
    uint32_t *memory = reserve<uint32_t>(64 << 20);
    check(
        cudaFuncSetAttribute(pieces<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10));
    for (const auto &set : sets)
        for (int piece : {1, 8, 16, 32}) {
            const int rounds = KIND == REDUCE ? 64 : 256;
            const auto times = timed(5, [&] {
                pieces<KIND><<<sms, 1024, 160 << 10>>>(memory, 16 << 20, piece, rounds, set.step,
                                                       set.end, memory);
            });
            printf("part %s of %d SMs by %d, %d, %.3f\n", name, set.end, set.step, piece,
                   1e-6 * 1024 * rounds / times[2] / piece);
        }
}

static void run_part(long)
{
    run_part_of<STORE>("store");
    run_part_of<REDUCE>("reduce");
    run_part_of<LOAD>("load");
}

static void run_pieces(long)
{
    run_pieces_of<STORE>("store");
    run_pieces_of<REDUCE>("reduce");
    run_pieces_of<LOAD>("load");
}

/* --- which slice a line is in ------------------------------------------------------------------ */

/* One lane of every block adds to one of two words, which takes twice as long if they share a slice. */
__global__ void add_to_two(uint32_t *one, uint32_t *other, int rounds)
{
    uint32_t *at = blockIdx.x & 1 ? one : other;
    if (!threadIdx.x)
        for (int i = 0; i < rounds; i++)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1) : "memory");
}

static bool share_slice(uint32_t *one, uint32_t *other)
{
    const int blocks = 264, rounds = 512;
    const auto times = timed(3, [&] { add_to_two<<<blocks, 32>>>(one, other, rounds); });
    return 1e-6 * blocks * rounds / times[0] < 1.8;
}

/* Cycles of a load from L2, as SM 0 sees it. */
__global__ void load_again(const uint32_t *at, int loads, int zero, uint64_t *out)
{
    uint32_t value = 0;
    uint64_t begin = 0;
    for (int lap = 0; lap < 2; lap++) {
        begin = clock64();
        for (int i = 0; i < loads; i++)
            asm volatile("ld.global.cg.u32 %0, [%1];"
                         : "=r"(value)
                         : "l"(at + (value & zero))
                         : "memory");
    }
    tell(begin, value == 12345 ? 1.23 : 0, out);
}

static void run_map(long only)
{
    const int lines = only ? only : 768;
    uint32_t *memory = reserve<uint32_t>(4 << 20);
    uint64_t *out = reserve<uint64_t>(16);
    std::vector<int> first;
    for (int line = 0; line < lines; line++) {
        uint32_t *at = memory + line * 32;
        size_t slice = 0;
        while (slice < first.size() && !share_slice(at, memory + first[slice] * 32)) slice++;
        if (slice == first.size()) first.push_back(line);
        load_again<<<1, 1>>>(at, 64, 0, out);
        printf("slice of line, %d, %zu, %.1f\n", line, slice, cycles(out) / 64);
    }
}

int main(int count, char **arguments)
{
    static const Benchmark benchmarks[] = {{"counters", run_counters},
                                           {"lanes", run_lanes},
                                           {"pieces", run_pieces},
                                           {"part", run_part},
                                           {"map", run_map}};
    return run_named(benchmarks, count, arguments);
}
