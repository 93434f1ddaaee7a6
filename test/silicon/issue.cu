/* Which of the warps that are ready a scheduler issues from: each does independent arithmetic, and says
 * when it began and ended.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o issue issue.cu && ./issue arithmetic
 */
#include "common.cuh"

enum { ROUNDS = 64, CHAINS = 8 };

struct Times {
    uint64_t begin, end;
    uint32_t slot;
};

static __device__ uint32_t slot()
{
    uint32_t value;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(value));
    return value;
}

/* A block that comes third to its SM starts with the one that came second; the first made room. */
__global__ void compete(uint32_t *arrived, volatile uint64_t *start, float one, Times *times,
                        float *out)
{
    __shared__ uint32_t turn;
    if (!threadIdx.x) turn = atomicAdd(&arrived[this_sm()], 1);
    __syncthreads();
    if (turn > 2) return;
    if (turn == 0) {
        const uint64_t begin = clock64();
        while (clock64() - begin < 20000) {}
        return;
    }
    if (turn == 2 && !threadIdx.x) start[this_sm()] = clock64() + 20000;
    __syncthreads();
    uint64_t at;
    while (!(at = start[this_sm()])) {}
    while ((uint64_t)clock64() < at) {}
    float sum[CHAINS], total = 0;
    for (int k = 0; k < CHAINS; k++)
        sum[k] = threadIdx.x * CHAINS + k; /* else they are one chain */
    __syncthreads();
    Times mine;
    mine.begin = clock64();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(sum[k]) : "f"(one));
    for (int k = 0; k < CHAINS; k++) total += sum[k];
    if (total == 1.23f) *out = total;
    mine.end = clock64();
    mine.slot = slot();
    if (threadIdx.x % 32 == 0) times[(this_sm() * 2 + turn - 1) * 32 + threadIdx.x / 32] = mine;
}

static void run_arithmetic(long)
{
    check(cudaFuncSetAttribute(compete, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    for (int threads : {128, 256, 512, 1024}) {
        uint32_t *arrived = reserve<uint32_t>(4096);
        uint64_t *start = reserve<uint64_t>(8192);
        Times *times = reserve<Times>(sizeof(Times) * sms * 64);
        compete<<<3 * sms, threads, 100 << 10>>>(arrived, start, 1, times, (float *)arrived);
        std::vector<Times> host(sms * 64);
        check(cudaMemcpy(host.data(), times, host.size() * sizeof(Times), cudaMemcpyDeviceToHost));
        for (int sm : {0, 5}) {
            uint64_t first = UINT64_MAX;
            for (int w = 0; w < 64; w++)
                if (w % 32 < threads / 32) first = std::min(first, host[sm * 64 + w].begin);
            for (int w = 0; w < 64; w++) {
                const Times &each = host[sm * 64 + w];
                if (w % 32 < threads / 32)
                    printf("%d threads, SM %d, block %s, warp %d, slot %d, begin %ld, end %ld\n",
                           threads, sm, w < 32 ? "older" : "younger", w % 32, each.slot,
                           (long)(each.begin - first), (long)(each.end - first));
            }
        }
    }
}

int main(int count, char **arguments)
{
    const Benchmark benchmarks[] = {{"arithmetic", run_arithmetic}};
    return run_named(benchmarks, count, arguments);
}
