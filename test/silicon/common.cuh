/* What the programs of this folder share. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

inline int sms;

inline void check(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

template <class T> T *reserve(size_t bytes)
{
    void *memory;
    check(cudaMalloc(&memory, bytes));
    check(cudaMemset(memory, 0, bytes));
    return (T *)memory;
}

/* Milliseconds of each of `runs` launches, in order of size. */
inline std::vector<float> timed(int runs, const std::function<void()> &launch)
{
    std::vector<float> times;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    launch();
    for (int i = 0; i < runs; i++) {
        float ms;
        check(cudaEventRecord(begin));
        launch();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(ms);
    }
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times;
}

inline __device__ uint32_t this_sm()
{
    uint32_t value;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
    return value;
}

/* Cycles of the block; `out` keeps the compiler from leaving anything out. */
inline __device__ void tell(uint64_t begin, double sum, uint64_t *out)
{
    __syncthreads();
    if (threadIdx.x) return;
    out[0] = clock64() - begin;
    if (sum == 1.23) out[1] = 1;
}

inline double cycles(uint64_t *out)
{
    uint64_t value;
    check(cudaMemcpy(&value, out, 8, cudaMemcpyDeviceToHost));
    return value;
}

struct Benchmark {
    const char *name;
    void (*run)(long only);
};

/* The one that is named, with the size that follows or all. */
template <size_t COUNT>
int run_named(const Benchmark (&benchmarks)[COUNT], int count, char **arguments)
{
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    sms = device.multiProcessorCount;
    for (const auto &each : benchmarks)
        if (count > 1 && !strcmp(arguments[1], each.name)) {
            each.run(count > 2 ? atol(arguments[2]) : 0);
            check(cudaDeviceSynchronize());
            return 0;
        }
    fprintf(stderr, "usage: %s NAME [SIZE]; there are", arguments[0]);
    for (const auto &each : benchmarks) fprintf(stderr, " %s", each.name);
    fprintf(stderr, "\n");
    return 2;
}
