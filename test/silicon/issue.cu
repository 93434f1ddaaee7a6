/* Which of several warps that are ready a scheduler issues from: each does independent arithmetic, or loads
 * that hit, and says when it began and ended.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o issue issue.cu
 *   ./issue arithmetic && ./issue loads
 */
#include "common.cuh"

struct Times {
    uint64_t begin, end;
    uint32_t slot, sm;
};

static __device__ uint32_t slot()
{
    uint32_t value;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(value));
    return value;
}

static __device__ uint32_t sm()
{
    uint32_t value;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
    return value;
}

enum { ARITHMETIC, LOADS };

/* A block that comes third to its SM starts with the one that came second; the first made room. */
template <int KIND>
__global__ void compete(uint32_t *arrived, volatile uint64_t *start, const float *from, float one,
                        Times *times, float *out)
{
    __shared__ uint32_t turn;
    if (!threadIdx.x) turn = atomicAdd(&arrived[sm()], 1);
    __syncthreads();
    if (turn > 2) return;
    if (turn == 0) {
        const uint64_t begin = clock64();
        while (clock64() - begin < 20000) {}
        return;
    }
    if (turn == 2 && !threadIdx.x) start[sm()] = clock64() + 20000;
    __syncthreads();
    uint64_t at;
    while (!(at = start[sm()])) {}
    while ((uint64_t)clock64() < at) {}
    float sum[8];
    for (int k = 0; k < 8; k++) sum[k] = threadIdx.x;
    Times mine;
    if (KIND == LOADS) {
        float value;
        for (int k = 0; k < 8; k++) {
            asm volatile("ld.global.ca.f32 %0, [%1];"
                         : "=f"(value)
                         : "l"(from + threadIdx.x % 32 + 32 * k));
            sum[k] += value;
        }
    }
    __syncthreads();
    mine.begin = clock64();
    if (KIND == ARITHMETIC)
#pragma unroll
        for (int i = 0; i < 64; i++)
#pragma unroll
            for (int k = 0; k < 8; k++)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sum[k]) : "f"(one));
    if (KIND == LOADS)
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float value[8];
#pragma unroll
            for (int k = 0; k < 8; k++)
                asm volatile("ld.global.ca.f32 %0, [%1];"
                             : "=f"(value[k])
                             : "l"(from + threadIdx.x % 32 + 32 * k));
#pragma unroll
            for (int k = 0; k < 8; k++) sum[k] += value[k];
        }
    float total = 0;
    for (int k = 0; k < 8; k++) total += sum[k];
    if (total == 1.23f) *out = total;
    mine.end = clock64();
    mine.slot = slot();
    mine.sm = sm();
    if (threadIdx.x % 32 == 0) times[(sm() * 2 + turn - 1) * 32 + threadIdx.x / 32] = mine;
}

template <int KIND> static void run_of(const char *name)
{
    for (int threads : {128, 256, 512, 1024}) {
        uint32_t *arrived = reserve<uint32_t>(4096);
        uint64_t *start = reserve<uint64_t>(8192);
        float *from = reserve<float>(65536);
        Times *times = reserve<Times>(sizeof(Times) * 132 * 64);
        check(cudaFuncSetAttribute(compete<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   100 << 10));
        compete<KIND><<<3 * sms, threads, 100 << 10>>>(arrived, start, from, 1, times, from);
        check(cudaDeviceSynchronize());
        std::vector<Times> host(132 * 64);
        check(cudaMemcpy(host.data(), times, host.size() * sizeof(Times), cudaMemcpyDeviceToHost));
        for (int sm : {0, 5}) {
            uint64_t first = UINT64_MAX;
            for (int turn = 0; turn < 2; turn++)
                for (int w = 0; w < threads / 32; w++)
                    first = std::min(first, host[(sm * 2 + turn) * 32 + w].begin);
            for (int turn = 0; turn < 2; turn++)
                for (int w = 0; w < threads / 32; w++) {
                    const Times &each = host[(sm * 2 + turn) * 32 + w];
                    printf(
                        "%s, %d threads, SM %d, block %s, warp %d, slot %d, begin %ld, end %ld\n",
                        name, threads, sm, turn ? "younger" : "older", w, each.slot,
                        (long)(each.begin - first), (long)(each.end - first));
                }
        }
    }
}

static void run_arithmetic(long)
{
    run_of<ARITHMETIC>("arithmetic");
}

static void run_loads(long)
{
    run_of<LOADS>("loads");
}

int main(int count, char **arguments)
{
    const Benchmark benchmarks[] = {{"arithmetic", run_arithmetic}, {"loads", run_loads}};
    return run_named(benchmarks, count, arguments);
}
