/* What scenarios/measured/published/h100-sxm.txt and docs/inside/validation.md say of an H100 was
 * measured with this. Each prints lines of "what, size, value". It is not built with the project:
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -o bench bench.cu
 *   ./bench chase && ./bench cache && ./bench l2 && ./bench stream
 *   ./bench strides && ./bench conflicts && ./bench broadcast
 *   ncu --clock-control none --cache-control none --metrics dram__bytes_read.sum ./bench l2 86
 *
 * The access patterns are those of te42kyfo/gpu-benches: gpu-latency, gpu-cache, gpu-l2-cache,
 * gpu-stream, gpu-strides. */
#include <numeric>
#include <random>

#include "common.cuh"

/* --- latency of dependent loads --------------------------------------------------------------- */

__global__ void chase(char **at, long warm_up, long loads, uint64_t *out)
{
    for (long i = 0; i < warm_up; i++) at = (char **)*at;
    const uint64_t begin = clock64();
    for (long i = 0; i < loads; i += 32) {
#pragma unroll
        for (int u = 0; u < 32; u++) at = (char **)*at;
    }
    if (threadIdx.x) return;
    out[0] = clock64() - begin;
    out[1] = (uint64_t)at;
}

/* Two warps walk one random cycle of nodes 64 bytes apart; core cycles a load. */
static void run_chase(long)
{
    const long most = 160l << 20;
    char *nodes = reserve<char>(most);
    uint64_t *out = reserve<uint64_t>(16), cycles;
    std::vector<char> host(most);
    std::mt19937_64 random(1);
    for (long count = 96; count * 64 < most; count = count * 1.1 + 16) {
        std::vector<uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin() + 1, order.end(), random);
        for (long i = 0; i < count; i++)
            *(uint64_t *)&host[order[i] * 64l] = (uint64_t)(nodes + 64l * order[(i + 1) % count]);
        check(cudaMemcpy(nodes, host.data(), count * 64, cudaMemcpyHostToDevice));
        const long loads = 400000;
        chase<<<1, 64>>>((char **)nodes, std::max(2 * count, 4096l), loads, out);
        check(cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost));
        printf("chase, %ld, %.2f\n", count * 64, (double)cycles / loads);
    }
}

/* --- L1: each SM reads the same buffer again and again ---------------------------------------- */

/* `zero` keeps the compiler from taking loads of one lap for those of the next. */
template <int COUNT> __global__ void read_again(const double *from, double *out, int laps, int zero)
{
    double sum = 0;
    for (int lap = 0; lap < laps; lap++) {
        const double *at = from + threadIdx.x + (lap & zero);
#pragma unroll 32
        for (int i = 0; i < COUNT; i += 256) {
            double value;
            asm volatile("ld.global.ca.f64 %0, [%1];" : "=d"(value) : "l"(at + i));
            sum += value;
        }
        sum *= 1.3;
    }
    if (sum == 1.23) *out = sum;
}

template <int KIB> static void run_cache_of(long only, double *buffer)
{
    if (only && only != KIB) return;
    const int count = KIB * 128, laps = 60000000 / count + 2;
    const auto times = timed(5, [&] { read_again<count><<<sms, 256>>>(buffer, buffer, laps, 0); });
    printf("cache, %d, %.1f\n", KIB, 8.0 * count * laps * sms / times[0] / 1e6);
}

template <int... KIB> static void run_caches(long only, std::integer_sequence<int, KIB...>)
{
    double *buffer = reserve<double>(8 << 20);
    (run_cache_of<KIB>(only, buffer), ...);
}

static void run_cache(long only)
{
    run_caches(
        only,
        std::integer_sequence<int, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68,
                              72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128,
                              148, 172, 204, 236, 280, 328, 384, 448, 524, 612, 716, 840, 984>());
}

/* --- L2 and DRAM: data that all SMs share ----------------------------------------------------- */

__global__ void __launch_bounds__(1024, 2) read_chunk(const double *from, double *out, long chunks)
{
    double sum = 0;
    const double *at = from + blockIdx.x % chunks * 1024 + threadIdx.x;
#pragma unroll 8
    for (int i = 0; i < 64; i++) sum += at[1024 * chunks * i];
    if (sum == 1.23) *out = sum;
}

static void run_l2(long only)
{
    const int blocks = 100000;
    double *buffer = reserve<double>(512l << 20);
    for (long chunks = only ? only : 6; chunks <= 1000;
         chunks = std::max(chunks + 2, (long)(chunks * 1.06))) {
        const auto times = timed(6, [&] { read_chunk<<<blocks, 1024>>>(buffer, buffer, chunks); });
        printf("l2, %ld, %.1f\n", chunks, blocks * 524288.0 / times[0] / 1e6);
        if (only) return;
    }
}

/* --- DRAM: streams, two blocks an SM ---------------------------------------------------------- */

enum { INIT, READ, SCALE, TRIAD, KERNELS };

template <int KERNEL>
__global__ void stream(double *a, const double *b, const double *c, long count)
{
    extern __shared__ double limits_blocks[];
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const double first = KERNEL == INIT ? 0.1 : b[i] * 1.2;
    const double value = KERNEL == TRIAD ? first + c[i] : first;
    if (KERNEL != READ || value == 1.23) a[i] = value + (count == 1 ? limits_blocks[0] : 0);
}

template <int KERNEL>
static void run_stream_of(const char *name, double *const array[3], long count)
{
    const int arrays[KERNELS] = {1, 1, 2, 3};
    /* 16 KiB of 228: room for two blocks' 6 + 1 KiB */
    check(cudaFuncSetAttribute(stream<KERNEL>, cudaFuncAttributePreferredSharedMemoryCarveout, 7));
    for (int threads = 32; threads <= 1024; threads += 32) {
        const auto times = timed(9, [&] {
            stream<KERNEL>
                <<<count / threads + 1, threads, 6144>>>(array[0], array[1], array[2], count);
        });
        printf("%s, %d, %.1f\n", name, threads, arrays[KERNEL] * 8.0 * count / times[4] / 1e6);
    }
}

static void run_stream(long)
{
    const long count = 128l << 20;
    double *array[3];
    for (double *&each : array) each = reserve<double>(count * 8);
    run_stream_of<INIT>("init", array, count);
    run_stream_of<READ>("read", array, count);
    run_stream_of<SCALE>("scale", array, count);
    run_stream_of<TRIAD>("triad", array, count);
}

/* --- one SM ------------------------------------------------------------------------------------ */

static __device__ float load(const float *at)
{
    float value;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(at));
    return value;
}

static __device__ double load(const double *at)
{
    double value;
    asm volatile("ld.global.ca.f64 %0, [%1];" : "=d"(value) : "l"(at));
    return value;
}

/* gpu-strides: a block of 1024 threads; `width`: threads in rows of so many, 0: by the stride. */
template <class T>
__global__ void strides(const T *from, long stride, int width, int iterations, int zero,
                        uint64_t *out)
{
    const int x = width ? threadIdx.x % width : 0, y = width ? threadIdx.x / width : 0;
    const T *at = from + (width ? x % 64 + (y % 32 + 1) * 4098 : threadIdx.x % 64 * stride);
    T sum = 0;
    uint64_t begin = 0;
    for (int lap = 0; lap < 2; lap++) {
        __syncthreads();
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < iterations; i++) {
            const int offsets[] = {0, 4, 8, 12, 20, 16, 24, 28};
            T value[8];
#pragma unroll
            for (int k = 0; k < 8; k++) value[k] = load(at + offsets[k] + (i & zero));
#pragma unroll
            for (int k = 0; k < 8; k++) sum += value[k];
        }
    }
    tell(begin, sum, out);
}

template <class T> static void run_strides_of(const char *name)
{
    const int iterations = 2000;
    T *from = reserve<T>(40 * 4098 * sizeof(T));
    uint64_t *out = reserve<uint64_t>(16);
    const auto run = [&](const char *kind, int stride, int width) {
        strides<<<1, 1024>>>(from, stride, width, iterations, 0, out);
        printf("%s %s, %d, %.3f\n", name, kind, width ? width : stride,
               cycles(out) / (32.0 * 8 * iterations));
    };
    for (int stride = 0; stride <= 64; stride++) run("stride", stride, 0);
    for (int width = 1; width <= 1024; width *= 2) run("width", 0, width);
}

static void run_strides(long)
{
    run_strides_of<float>("float");
    run_strides_of<double>("double");
}

__global__ void conflicts(int ways, int loads, uint64_t *out)
{
    extern __shared__ uint32_t next[];
    for (int i = threadIdx.x; i < 1056; i += 32) next[i] = i;
    __syncthreads();
    uint32_t at = threadIdx.x * ways % 1056;
    uint64_t begin = 0;
    for (int lap = 0; lap < 2; lap++) {
        begin = clock64();
#pragma unroll 16
        for (int i = 0; i < loads; i++) at = next[at];
    }
    tell(begin, at == 5000 ? 1.23 : 0, out);
}

static void run_conflicts(long)
{
    uint64_t *out = reserve<uint64_t>(16);
    for (int ways : {1, 2, 4, 8, 16, 32, 33}) {
        conflicts<<<1, 32, 8192>>>(ways, 4096, out);
        printf("conflicts, %d, %.2f\n", ways, cycles(out) / 4096);
    }
}

/* Loads of 32 warps from shared memory or L1, `group` lanes at one address, addresses side by side. */
template <class T, bool SHARED>
__global__ void broadcast(const T *from, int group, int iterations, int zero, uint64_t *out)
{
    extern __shared__ char storage[];
    const T *first = (SHARED ? (const T *)storage : from) + threadIdx.x % 32 / group;
    uint32_t sum = 0;
    uint64_t begin = 0;
    for (int lap = 0; lap < 2; lap++) {
        __syncthreads();
        begin = clock64();
#pragma unroll 1
        for (int i = 0; i < iterations; i++) {
#pragma unroll
            for (int k = 0; k < 8; k++) {
                const T *at = first + 32 * k + (i & zero);
                const uint32_t place = __cvta_generic_to_shared(at);
                uint32_t a = 0, b = 0, c = 0, d = 0;
                if (SHARED && sizeof(T) == 4)
                    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(place));
                if (SHARED && sizeof(T) == 8)
                    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                                 : "=r"(a), "=r"(b)
                                 : "r"(place));
                if (SHARED && sizeof(T) == 16)
                    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                                 : "r"(place));
                if (!SHARED && sizeof(T) == 4)
                    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(at));
                if (!SHARED && sizeof(T) == 8)
                    asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];"
                                 : "=r"(a), "=r"(b)
                                 : "l"(at));
                if (!SHARED && sizeof(T) == 16)
                    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                                 : "l"(at));
                sum += a ^ b ^ c ^ d;
            }
        }
    }
    tell(begin, sum == 12345 ? 1.23 : 0, out);
}

template <class T, bool SHARED> static void run_broadcast_of(const char *name)
{
    const int iterations = 1000;
    T *from = reserve<T>(64 << 10);
    uint64_t *out = reserve<uint64_t>(16);
    for (int group = 1; group <= 32; group *= 2) {
        broadcast<T, SHARED><<<1, 1024, 8192>>>(from, group, iterations, 0, out);
        printf("broadcast %s %d B, %d, %.3f\n", name, (int)sizeof(T), group,
               cycles(out) / (32.0 * 8 * iterations));
    }
}

static void run_broadcast(long)
{
    run_broadcast_of<uint32_t, true>("shared");
    run_broadcast_of<uint2, true>("shared");
    run_broadcast_of<uint4, true>("shared");
    run_broadcast_of<uint32_t, false>("L1");
    run_broadcast_of<uint2, false>("L1");
    run_broadcast_of<uint4, false>("L1");
}

int main(int count, char **arguments)
{
    static const Benchmark benchmarks[] = {
        {"chase", run_chase},        {"cache", run_cache},     {"l2", run_l2},
        {"stream", run_stream},      {"strides", run_strides}, {"conflicts", run_conflicts},
        {"broadcast", run_broadcast}};
    return run_named(benchmarks, count, arguments);
}
