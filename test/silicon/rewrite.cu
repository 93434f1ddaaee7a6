/* When an L2 writes what it has, and what it keeps: all SMs store to the same buffer, or load it, 16
 * laps, once the laps before have left their lines in L2. A profiler counts the bytes of DRAM:
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o rewrite rewrite.cu
 *   ncu --clock-control none --cache-control none \
 *       --metrics dram__bytes_write.sum,dram__bytes_read.sum ./rewrite
 *
 * Of each size there are eight launches, two of each kernel: the second counts. */
#include "common.cuh"

enum { LAPS = 16, PIECE = 64 };

struct InOrder {
    __device__ static void work(double *at, int lap)
    {
        *at = lap;
    }
    __device__ static long place(long i, long)
    {
        return i;
    }
};

/* pieces of 512 B in an order of no pattern, in each lap the same */
struct Scattered : InOrder {
    __device__ static long place(long i, long count)
    {
        return (i / PIECE * 7919 + 13) % (count / PIECE) * PIECE + i % PIECE;
    }
};

struct Update : InOrder {
    __device__ static void work(double *at, int)
    {
        *at += 1;
    }
};

struct Read : InOrder {
    __device__ static void work(double *at, int)
    {
        asm volatile("{ .reg .f64 x; ld.volatile.global.f64 x, [%0]; }" ::"l"(at));
    }
};

template <class Kernel> __global__ void sweep(double *buffer, long count)
{
    const long all = (long)gridDim.x * blockDim.x;
    for (int lap = 0; lap < LAPS; lap++)
        for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += all)
            Kernel::work(buffer + Kernel::place(i, count), lap);
}

template <class Kernel> static void run(int sms, double *buffer, long count)
{
    for (int launch = 0; launch < 2; launch++) {
        sweep<Kernel><<<2 * sms, 1024>>>(buffer, count);
        check(cudaDeviceSynchronize());
    }
}

int main()
{
    int sms;
    double *buffer;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    check(cudaMalloc(&buffer, 128 << 20));
    for (int mib : {8, 16, 24, 28, 32, 36, 40, 44, 48, 50, 52, 54, 56, 60, 64, 72, 80, 96, 128}) {
        const long count = (long)mib << 17;
        run<InOrder>(sms, buffer, count);
        run<Scattered>(sms, buffer, count);
        run<Update>(sms, buffer, count);
        run<Read>(sms, buffer, count);
    }
    return 0;
}
